// The match page: one place, one viewer, one seat in front; all that is seen follows from them.

import { readAddress, seatOf, within, writeAddress } from "./address.js";
import { get } from "./api.js";
import { Board } from "./board.js";
import { EventList } from "./events.js";
import { Frames } from "./frames.js";
import { layoutOf } from "./layout.js";
import { START, eventAt, isSame, placeBefore, textOf } from "./place.js";
import { closeSheet, openCard, openPile, openRule } from "./sheet.js";
import { Timeline } from "./timeline.js";
import { namesIn } from "./views.js";
import { language, named, say } from "./words.js";

const REST_MS = 100;
const SPOKEN_MS = 250;
const KEYS = new Map([
  ["ArrowLeft", "event-back"], ["ArrowRight", "event-on"], [",", "fact-back"], [".", "fact-on"],
  ["Home", "start"], ["End", "end"], ["f", "flip"], ["?", "help"], ["Escape", "close"],
]);
const $ = (id) => document.getElementById(id);

class MatchPage {
  #match;
  #frames;
  #state;
  #parts = null;
  #timers = { rest: 0, spoken: 0, frame: 0 };

  constructor(match) {
    this.#match = match;
    this.#state = { ...readAddress(match), byFact: false };
    this.#frames = new Frames({ match: match.id, total: match.total, language, loaded: () => this.#loaded() });
    this.#frames.watch(this.#state.viewer);
    for (const node of document.querySelectorAll("[data-do]")) node.addEventListener("click", () => this.#do(node.dataset.do));
  }

  async start() {
    await this.#tried(async () => {
      const [display] = await Promise.all([get(`/rulesets/${encodeURIComponent(this.#match.game)}`), this.#frames.load(this.#state.place)]);
      this.#parts ??= this.#built(display);
      await this.#show("replace");
    });
  }

  // ---- parts

  #built(display) {
    const { seats, names } = this.#match;
    const frames = this.#frames;
    const setting = { display, cards: frames.cards };
    const pick = (shown) => (shown.tiles ? openPile(shown, setting) : openCard(shown, setting));
    const events = new EventList({ list: $("events"), scroller: $("events-scroll") }, {
      frames,
      go: (place) => this.#go(place, { byFact: place.step > 0 }),
      open: openRule,
      nameOf: (seq, fact, reference) => this.#nameOf(seq, fact, reference),
    });
    const timeline = new Timeline({ drawing: $("track"), range: $("range") }, {
      frames,
      seats,
      drag: (index) => this.#drag(index),
      rest: (index) => this.#go({ index, step: 0 }),
    });
    this.#listen();
    return { setting, events, timeline, board: new Board($("board"), { ...setting, names, pick }) };
  }

  #listen() {
    for (const node of document.querySelectorAll("[data-scripted]")) node.hidden = false;
    $("pager")?.remove();
    document.addEventListener("keydown", (event) => this.#key(event));
    for (const link of $("viewers").children) {
      link.addEventListener("click", (event) => {
        event.preventDefault();
        this.#watch(link.dataset.viewer);
      });
    }
    addEventListener("popstate", () => this.#restore());
    const bar = $("timebar");
    new ResizeObserver(() => document.documentElement.style.setProperty("--bar", `${bar.offsetHeight}px`)).observe(bar);
  }

  #key(event) {
    const action = KEYS.get(event.key);
    const isOurs = action && !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing;
    if (!isOurs || isTyping(event) || ($("help").open && action !== "help")) return;
    if (action === "close" && $("sheet").hidden) return;
    event.preventDefault();
    this.#do(action);
  }

  // ---- actions

  #do(action) {
    const { total } = this.#match;
    const { index, step } = this.#state.place;
    const byStep = { way: "replace" };
    const actions = {
      "start": () => this.#go(START),
      "end": () => this.#go({ index: total, step: 0 }),
      "event-back": () => this.#go({ index: step ? index : Math.max(index - 1, 0), step: 0 }, byStep),
      "event-on": () => this.#go({ index: index + 1, step: 0 }, byStep),
      "fact-back": () => this.#factBack(),
      "fact-on": () => this.#factOn(),
      "flip": () => this.#flip(),
      "help": () => ($("help").open ? $("help").close() : $("help").showModal()),
      "close": () => closeSheet(),
      "again": () => this.start(),
    };
    return actions[action]();
  }

  async #factOn() {
    const { place } = this.#state;
    const { index, step } = place;
    if (index === this.#match.total || !(await this.#loadedHere({ index: index + 1, step: 0 }, place))) return;
    const isLast = step + 1 >= this.#frames.event(index + 1).facts.length;
    await this.#go(isLast ? { index: index + 1, step: 0 } : { index, step: step + 1 }, { byFact: true, way: "replace" });
  }

  async #factBack() {
    const { place } = this.#state;
    const { index, step } = place;
    if (isSame(place, START)) return;
    const count = step ? 0 : this.#frames.event(index)?.facts.length ?? 0;
    const back = step ? { index, step: step - 1 } : { index: index - 1, step: Math.max(count - 1, 0) };
    await this.#go(back, { byFact: true, way: "replace" });
  }

  /** Loads what a step needs; tells whether the page is still where the step began. */
  async #loadedHere(needed, place) {
    await this.#tried(() => this.#frames.load(needed));
    return this.#frames.has(needed) && isSame(this.#state.place, place);
  }

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

  #go(place, { byFact = false, way = "push" } = {}) {
    this.#state = { ...this.#state, place: within(this.#match, place), byFact };
    return this.#show(way);
  }

  #restore() {
    this.#state = { ...readAddress(this.#match), byFact: false };
    return this.#show("replace");
  }

  /** While the bar is dragged: one board a frame; what is not here is asked for when the hand rests. */
  #drag(index) {
    this.#state = { ...this.#state, place: { index, step: 0 }, byFact: false };
    this.#timers.frame ||= requestAnimationFrame(() => {
      this.#timers.frame = 0;
      this.#drawPlace({ marked: false });
    });
    clearTimeout(this.#timers.rest);
    this.#timers.rest = setTimeout(async () => {
      await this.#tried(() => this.#frames.load({ index, step: 0 }));
      this.#drawPlace();
    }, REST_MS);
  }

  // ---- showing

  /** Shows the present state as soon as it is here, and keeps it in the address. */
  async #show(way) {
    const state = this.#state;
    this.#frames.watch(state.viewer);
    clearTimeout(this.#timers.rest);
    if (!this.#frames.has(state.place)) {
      $("board").setAttribute("aria-busy", "true");
      await this.#tried(() => this.#frames.load(state.place));
    }
    if (state !== this.#state || !this.#frames.has(state.place)) return;
    this.#settle();
    this.#drawPlace();
    this.#parts.events.show(this.#state.place, this.#state);
    writeAddress(this.#match, this.#state, way);
    await this.#tried(() => this.#frames.loadAround(this.#state.place));
  }

  /** A place behind the last fact of an event is the place after the event. */
  #settle() {
    const { place } = this.#state;
    const count = place.step && this.#frames.event(eventAt(place)).facts.length;
    if (place.step && place.step >= count) this.#state = { ...this.#state, place: { index: place.index + 1, step: 0 } };
  }

  /** Draws what depends on the place alone. marked: what the last step changed stands out. */
  #drawPlace({ marked = true } = {}) {
    const began = performance.now();
    const { place, viewer, near } = this.#state;
    const sentence = this.#sentence();
    this.#parts.timeline.show(place, sentence);
    $("where").textContent = say("steps.where", { place: textOf(place), total: this.#match.total });
    if (!this.#frames.has(place)) return;
    const before = marked ? this.#layoutAt(this.#placeBefore()) : null;
    this.#parts.board.draw(this.#layoutAt(place), { near, before });
    $("board").removeAttribute("aria-busy");
    $("caption").textContent = sentence;
    for (const link of $("viewers").children) link.setAttribute("aria-current", String(link.dataset.viewer === viewer));
    this.#speak(sentence);
    $("main").dataset.scriptMs = (performance.now() - began).toFixed(1);
  }

  #loaded() {
    if (!this.#parts) return;
    this.#parts.timeline.refresh();
    this.#parts.events.refresh();
  }

  #layoutAt(place) {
    const { display, cards } = this.#parts.setting;
    const view = place && this.#frames.position(place);
    return view ? layoutOf(view, { display, cards, seats: this.#match.seats }) : null;
  }

  /** The place that the present one is compared with, so that what the last step changed is marked. */
  #placeBefore() {
    const { place, byFact } = this.#state;
    if (isSame(place, START)) return null;
    if (place.step || !byFact) return placeBefore(place);
    const count = this.#frames.event(place.index).facts.length;
    return { index: place.index - 1, step: Math.max(count - 1, 0) };
  }

  /** What has just happened, as a sentence. */
  #sentence() {
    const { place, byFact } = this.#state;
    const event = this.#frames.event(eventAt(place));
    if (!event) return eventAt(place) ? "" : say("steps.before");
    const fact = place.step ? event.facts[place.step - 1] : byFact && event.facts.at(-1);
    if (fact) return fact.text || say("events.withheld_fact");
    return event.text || say("events.withheld");
  }

  #speak(sentence) {
    clearTimeout(this.#timers.spoken);
    this.#timers.spoken = setTimeout(() => { $("announce").textContent = sentence; }, SPOKEN_MS);
  }

  /** The name of a card that a fact of an event refers to, as far as its viewer is told. */
  #nameOf(seq, fact, reference) {
    const { cards } = this.#frames;
    const views = [{ index: seq, step: 0 }, { index: seq - 1, step: 0 }].map((place) => this.#frames.position(place)).filter(Boolean);
    const ids = [fact.shown?.[reference], ...views.map((view) => namesIn(view, cards)(reference))];
    const found = ids.find((id) => id in cards);
    return found ? named(cards[found], "name") : null;
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

function isTyping({ target }) {
  return target.isContentEditable || target.matches("textarea, select, input:not([type='range'])");
}

const { match, game, total, seats, viewers } = $("main").dataset;
const names = JSON.parse(seats);
new MatchPage({ id: match, game, total: Number(total), names, seats: Object.keys(names).sort(), viewers: viewers.split(" ") }).start();
