// Windows of a match: fetched when needed, kept, and unfolded into positions patch by patch.

import { get } from "./api.js";
import { patched } from "./patches.js";
import { eventAt } from "./place.js";

const LENGTH = 50;
const KEPT_MAX = 40;

/** The frames of one match for one viewer at a time. */
export class Frames {
  #windows = new Map();
  #arrivals = new Map();
  #viewer = null;
  #setting;

  /** match: {id, query()}; lines: of the match; `loaded` is called whenever a window has arrived. */
  constructor({ match, lines, language, loaded }) {
    this.#setting = { match, lines, language, loaded };
    this.cards = {};
  }

  get total() {
    return this.#setting.lines.total;
  }

  /** Looks with the eyes of a viewer; tells whether it was another before. */
  watch(viewer) {
    if (viewer === this.#viewer) return false;
    this.#viewer = viewer;
    this.#windows.clear();
    this.#arrivals = new Map();
    return true;
  }

  /** True if the event of a place is here, with its positions. */
  has(place) {
    const seq = eventAt(place);
    return seq > 0 ? this.event(seq) !== null : this.#windows.has(0);
  }

  /** Resolves when the window of a place is here. */
  async load(place) {
    if (!this.has(place)) await this.#fetched(this.#numberOf(eventAt(place)));
  }

  /** Fetches what comes next to a place. */
  async loadAround(place) {
    const here = this.#numberOf(eventAt(place));
    const last = this.#numberOf(this.total);
    const near = [here + 1, here - 1].filter((number) => number >= 0 && number <= last);
    const viewer = this.#viewer;
    for (const number of near) {
      if (viewer === this.#viewer && !this.#isWhole(number)) await this.#fetched(number);
    }
  }

  /** Takes the frame that the match has just gone on by, if what comes before it is here. */
  append({ cards, ...frame }) {
    const { seq } = frame.event;
    const before = { index: seq - 1, step: 0 };
    const number = this.#numberOf(seq);
    Object.assign(this.cards, cards);
    if (seq - 1 === number * LENGTH && this.has(before)) {
      const position = this.position(before);
      this.#windows.set(number, { index: seq - 1, position, frames: [], unfolded: [] });
    }
    const window = this.#windows.get(number);
    if (window && window.index + window.frames.length === seq - 1) window.frames.push(frame);
  }

  /** The frame that the match goes on by behind its last event; throws `Refused` at the end. */
  async following() {
    const { total } = this;
    const query = { ...this.#query(), from: total, to: total + 1, at: total + 1 };
    const { frames, cards } = await get(this.#path(), query);
    return { ...frames[0], cards };
  }

  /** The event with a number, or null if its window is not here. */
  event(seq) {
    const window = this.#windows.get(this.#numberOf(seq));
    return (seq > 0 && window?.frames[seq - window.index - 1]?.event) || null;
  }

  /** The view at a place, or null if it is not here. */
  position({ index, step }) {
    if (step) return this.#positionsIn(index + 1)?.[step - 1] ?? null;
    const ending = this.#windows.get(this.#numberOf(index));
    if (ending) return this.#after(ending, index - ending.index - 1);
    const beginning = this.#windows.get(this.#numberOf(index + 1));
    return beginning?.index === index ? beginning.position : null;
  }

  #numberOf(seq) {
    return Math.floor(Math.max(seq - 1, 0) / LENGTH);
  }

  #isWhole(number) {
    const window = this.#windows.get(number);
    return window?.frames.length === Math.min(LENGTH, this.total - number * LENGTH);
  }

  #positionsIn(seq) {
    const window = this.#windows.get(this.#numberOf(seq));
    return window && this.#unfolded(window, seq - window.index - 1);
  }

  #after(window, offset) {
    for (let here = offset; here >= 0; here -= 1) {
      const positions = this.#unfolded(window, here);
      if (positions.length > 0) return positions.at(-1);
    }
    return window.position;
  }

  /** The positions after each fact of an event; worked out once, from the window's first event. */
  #unfolded(window, offset) {
    for (let next = window.unfolded.length; next <= offset; next += 1) {
      let view = next > 0 ? this.#after(window, next - 1) : window.position;
      window.unfolded.push(
        window.frames[next].patches.map((patch) => (view = patched(view, patch))),
      );
    }
    return window.unfolded[offset];
  }

  #fetched(number) {
    if (!this.#arrivals.has(number)) {
      const arrivals = this.#arrivals;
      const arrival = this.#fetch(number).finally(() => arrivals.delete(number));
      arrivals.set(number, arrival);
    }
    return this.#arrivals.get(number);
  }

  async #fetch(number) {
    const viewer = this.#viewer;
    const from = number * LENGTH;
    const to = Math.min(from + LENGTH, this.total);
    const { index, position, frames, cards } = await get(this.#path(), {
      ...this.#query(),
      from,
      to,
    });
    if (viewer !== this.#viewer) return;
    this.#windows.set(number, { index, position, frames, unfolded: [] });
    Object.assign(this.cards, cards);
    this.#forgetFar(number);
    this.#setting.loaded();
  }

  #path() {
    return `/matches/${encodeURIComponent(this.#setting.match.id)}/frames`;
  }

  #query() {
    const { match, language } = this.#setting;
    return { as: this.#viewer, lang: language, ...match.query() };
  }

  #forgetFar(number) {
    if (this.#windows.size <= KEPT_MAX) return;
    const numbers = [...this.#windows.keys()];
    this.#windows.delete(
      numbers.sort((one, other) => Math.abs(other - number) - Math.abs(one - number))[0],
    );
  }
}
