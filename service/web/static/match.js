// The match page: one place, one viewer, one seat in front; all that is seen follows from them.

import { readAddress, seatOf, within, writeAddress } from "./address.js";
import { get } from "./api.js";
import { Frames } from "./frames.js";
import { actionOf } from "./keys.js";
import { START, eventAt, isSame } from "./place.js";
import { closeSheet } from "./sheet.js";
import { Stage } from "./stage.js";
import { language } from "./words.js";

const $ = (id) => document.getElementById(id);

class MatchPage {
  #match;
  #frames;
  #state;
  #stage = null;
  #dragging = { frame: 0, isPulling: false };

  constructor(match) {
    this.#match = match;
    this.#state = { ...readAddress(match), byFact: false };
    this.#frames = new Frames({ match, language, loaded: () => this.#stage?.refresh() });
    this.#frames.watch(this.#state.viewer);
    for (const node of document.querySelectorAll("[data-do]")) {
      node.addEventListener("click", () => this.#do(node.dataset.do));
    }
  }

  async start() {
    await this.#tried(async () => {
      const display = get(`/rulesets/${encodeURIComponent(this.#match.game)}`);
      await Promise.all([display, this.#frames.load(this.#state.place)]);
      this.#stage ??= this.#built(await display);
      await this.#show("replace");
    });
  }

  #built(display) {
    for (const node of document.querySelectorAll("[data-scripted]")) node.hidden = false;
    $("pager")?.remove();
    document.addEventListener("keydown", (event) => this.#key(event));
    addEventListener("popstate", () => this.#restore());
    for (const link of $("viewers").children) {
      link.addEventListener("click", (event) => {
        event.preventDefault();
        this.#watch(link.dataset.viewer);
      });
    }
    keepRoomFor($("timebar"));
    return new Stage({
      match: this.#match,
      frames: this.#frames,
      display,
      load: (place) => this.#tried(() => this.#frames.load(place)),
      go: (place) => this.#go(place, { byFact: place.step > 0 }),
      drag: (index) => this.#drag(index),
    });
  }

  // ---- what is asked for

  #key(event) {
    const action = actionOf(event);
    const isOff = $("help").open ? action !== "help" : action === "close" && $("sheet").hidden;
    if (!action || isOff) return;
    event.preventDefault();
    this.#do(action);
  }

  #do(action) {
    const { total } = this.#match;
    const { index, step } = this.#state.place;
    const actions = {
      start: () => this.#go(START),
      end: () => this.#go({ index: total, step: 0 }),
      "event-back": () => this.#step({ index: step ? index : Math.max(index - 1, 0), step: 0 }),
      "event-on": () => this.#step({ index: index + 1, step: 0 }),
      "fact-back": () => this.#factBack(),
      "fact-on": () => this.#factOn(),
      flip: () => this.#flip(),
      help: () => ($("help").open ? $("help").close() : $("help").showModal()),
      close: () => closeSheet(),
      again: () => this.start(),
    };
    return actions[action]();
  }

  async #factOn() {
    const { place } = this.#state;
    const next = { index: place.index + 1, step: 0 };
    if (place.index === this.#match.total) return;
    await this.#tried(() => this.#frames.load(next));
    if (!this.#frames.has(next) || !isSame(this.#state.place, place)) return;
    const isLast = place.step + 1 >= this.#frames.event(next.index).facts.length;
    await this.#step(isLast ? next : { index: place.index, step: place.step + 1 }, {
      byFact: true,
    });
  }

  async #factBack() {
    const { index, step } = this.#state.place;
    if (step) return this.#step({ index, step: step - 1 }, { byFact: true });
    if (index === 0) return undefined;
    const count = this.#frames.event(index)?.facts.length ?? 0;
    return this.#step({ index: index - 1, step: Math.max(count - 1, 0) }, { byFact: true });
  }

  /** Sits on the next seat; who has no seat turns the table. */
  #flip() {
    const { seats, viewers } = this.#match;
    const { viewer, near } = this.#state;
    const next = seats[(seats.indexOf(near) + 1) % seats.length];
    if (seats.includes(viewer) && viewers.includes(next)) return this.#watch(next);
    this.#state = { ...this.#state, near: next };
    return this.#show("push");
  }

  #watch(viewer) {
    this.#state = { ...this.#state, viewer, near: seatOf(this.#match, viewer) };
    return this.#show("push");
  }

  #go(place, { byFact = false } = {}) {
    this.#state = { ...this.#state, place: within(this.#match, place), byFact };
    return this.#show("push");
  }

  #step(place, { byFact = false } = {}) {
    this.#state = { ...this.#state, place: within(this.#match, place), byFact };
    return this.#show("replace");
  }

  #restore() {
    this.#state = { ...readAddress(this.#match), byFact: false };
    return this.#show("replace");
  }

  /** While the bar is dragged: one board a frame; the list and the address when the hand rests. */
  #drag(index) {
    this.#state = { ...this.#state, place: { index, step: 0 }, byFact: false };
    this.#dragging.frame ||= requestAnimationFrame(() => {
      this.#dragging.frame = 0;
      this.#stage.showPlace(this.#state, { marked: false });
    });
    this.#pull();
  }

  /** Fetches what the hand is over, one window at a time, so that a long sweep asks for few. */
  async #pull() {
    const { place } = this.#state;
    if (this.#dragging.isPulling || this.#frames.has(place)) return;
    this.#dragging.isPulling = true;
    await this.#tried(() => this.#frames.load(place));
    this.#dragging.isPulling = false;
    this.#stage.showPlace(this.#state, { marked: false });
    if (!isSame(this.#state.place, place)) this.#pull();
  }

  // ---- showing it

  /** Shows the present state as soon as it is here, and keeps it in the address. */
  async #show(way) {
    const state = this.#state;
    this.#frames.watch(state.viewer);
    if (!this.#frames.has(state.place)) {
      this.#stage.waiting();
      await this.#tried(() => this.#frames.load(state.place));
    }
    if (state !== this.#state || !this.#frames.has(state.place)) return;
    this.#settle();
    this.#stage.showPlace(this.#state, { marked: true });
    this.#stage.showEvents(this.#state);
    writeAddress(this.#match, this.#state, way);
    await this.#tried(() => this.#frames.loadAround(this.#state.place));
  }

  /** A place behind the last fact of an event is the place after the event. */
  #settle() {
    const { place } = this.#state;
    if (place.step === 0 || place.step < this.#frames.event(eventAt(place)).facts.length) return;
    this.#state = { ...this.#state, place: { index: place.index + 1, step: 0 } };
  }

  async #tried(work) {
    try {
      await work();
      $("failure").hidden = true;
    } catch {
      $("failure").hidden = false;
    }
  }
}

/** Keeps the end of the page above a bar that is fixed at the bottom. */
function keepRoomFor(bar) {
  const set = () => document.documentElement.style.setProperty("--bar", `${bar.offsetHeight}px`);
  new ResizeObserver(set).observe(bar);
}

const { match, game, total, seats, viewers } = $("main").dataset;
const names = JSON.parse(seats);
const page = new MatchPage({
  id: match,
  game,
  total: Number(total),
  names,
  seats: Object.keys(names).sort(),
  viewers: viewers.split(" "),
});
page.start();
