// Windows of a match: fetched when needed, kept, and unfolded into positions patch by patch.

import { get } from "./api.js";
import { patched } from "./patches.js";
import { eventAt } from "./place.js";

const LENGTH = 50;
const KEPT_MAX = 40;
const WHOLE_MAX = 300;

/** The frames of one match for one viewer at a time. */
export class Frames {
  #windows = new Map();
  #viewer = null;
  #setting;

  /** match: {id, total}; `loaded` is called whenever a window has arrived. */
  constructor({ match, language, loaded }) {
    this.#setting = { match, language, loaded };
    this.total = match.total;
    this.cards = {};
  }

  watch(viewer) {
    if (viewer === this.#viewer) return;
    this.#viewer = viewer;
    this.#windows.clear();
  }

  /** True if the event of a place is here, with its positions. */
  has(place) {
    return this.#windows.get(this.#numberOf(eventAt(place)))?.frames !== undefined;
  }

  /** Resolves when the window of a place is here. */
  async load(place) {
    await this.#fetched(this.#numberOf(eventAt(place)));
  }

  /** Fetches what comes next to a place; of a short match, all of it, so that its bar is whole. */
  async loadAround(place) {
    const here = this.#numberOf(eventAt(place));
    const last = this.#numberOf(this.total);
    const near = [here + 1, here - 1].filter((number) => number >= 0 && number <= last);
    const whole =
      this.total <= WHOLE_MAX ? Array.from({ length: last + 1 }, (_, number) => number) : [];
    const viewer = this.#viewer;
    for (const number of [...near, ...whole]) {
      if (viewer === this.#viewer) await this.#fetched(number);
    }
  }

  /** The event with a number, or null if its window is not here. */
  event(seq) {
    return this.#frame(seq)?.event ?? null;
  }

  /** The view at a place, or null if it is not here. */
  position({ index, step }) {
    if (step) return this.#positionsIn(index + 1)?.[step - 1] ?? null;
    const ending = this.#windows.get(this.#numberOf(index));
    if (ending?.frames) return this.#after(ending, index - ending.index - 1);
    const beginning = this.#windows.get(this.#numberOf(index + 1));
    return beginning?.index === index ? beginning.position : null;
  }

  #numberOf(seq) {
    return Math.floor(Math.max(seq - 1, 0) / LENGTH);
  }

  #frame(seq) {
    const window = this.#windows.get(this.#numberOf(seq));
    return seq > 0 ? window?.frames?.[seq - window.index - 1] : undefined;
  }

  #positionsIn(seq) {
    const window = this.#windows.get(this.#numberOf(seq));
    return window?.frames && this.#unfolded(window, seq - window.index - 1);
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
    const known = this.#windows.get(number);
    if (known) return known.arrival;
    const window = { unfolded: [] };
    this.#windows.set(number, window);
    window.arrival = this.#fetch(number, window);
    return window.arrival;
  }

  async #fetch(number, window) {
    const { match, language, loaded } = this.#setting;
    const from = number * LENGTH;
    const query = {
      from,
      to: Math.min(from + LENGTH, this.total),
      as: this.#viewer,
      lang: language,
    };
    try {
      const { index, position, frames, cards } = await get(
        `/matches/${encodeURIComponent(match.id)}/frames`,
        query,
      );
      Object.assign(window, { index, position, frames, cards });
    } catch (fault) {
      if (this.#windows.get(number) === window) this.#windows.delete(number);
      throw fault;
    }
    if (this.#windows.get(number) !== window) return;
    Object.assign(this.cards, window.cards);
    this.#forgetFar(number);
    loaded();
  }

  #forgetFar(number) {
    if (this.#windows.size <= KEPT_MAX) return;
    const numbers = [...this.#windows.keys()];
    this.#windows.delete(
      numbers.sort((one, other) => Math.abs(other - number) - Math.abs(one - number))[0],
    );
  }
}
