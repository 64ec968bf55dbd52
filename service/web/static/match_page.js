// The match page: one place, one viewer, one seat in front; all that is seen follows from them.

import { Account } from "./account.js";
import { addressOf, otherMode, readAddress, seatOf, within, writeAddress } from "./address.js";
import { get } from "./api.js";
import { Dragging } from "./dragging.js";
import { Find } from "./find.js";
import { Frames } from "./frames.js";
import { Growing } from "./growing.js";
import { Keys } from "./keys.js";
import { Moves } from "./moves.js";
import { notice } from "./notice.js";
import { Overview } from "./overview.js";
import { START, eventAt, isSame } from "./place.js";
import { Playing } from "./playing.js";
import { share } from "./share.js";
import { closeSheet } from "./sheet.js";
import { Stage } from "./stage.js";
import { keepRoomFor, offerSpeeds, showBehind, showEnded, showPlaying, showTyped } from "./tools.js";
import { disputeAt, leadTo } from "./ways.js";
import { language, say } from "./words.js";

const JUDGE = "judge";
const $ = (id) => document.getElementById(id);

export class MatchPage {
  #match;
  #lines;
  #frames;
  #overview;
  #account;
  #moves;
  #playing;
  #growing;
  #find;
  #keys = new Keys();
  #state;
  #unrevealed = "spectator";
  #stage = null;
  #dragging;

  constructor(match, lines) {
    this.#match = match;
    this.#lines = lines;
    this.#state = { ...readAddress(match, lines), byFact: false };
    const setting = { match, lines, language };
    const frames = new Frames({ ...setting, loaded: () => this.#stage?.refresh() });
    const overview = new Overview({ ...setting, changed: () => this.#stage?.refreshBar() });
    const account = new Account(setting);
    this.#frames = frames;
    this.#overview = overview;
    this.#account = account;
    this.#moves = new Moves({ frames, lines, overview, more: () => this.#growing.more() });
    this.#playing = new Playing({
      step: () => this.#playOn(),
      changed: () => showPlaying(this.#playing),
    });
    this.#dragging = new Dragging({
      frames,
      placeOf: () => this.#state.place,
      load: (place) => this.#tried(() => frames.load(place)),
      show: () => this.#stage.showPlace(this.#state, { marked: false }),
    });
    this.#find = new Find({ account, lines, go: (seq) => this.#go({ index: seq, step: 0 }) });
    this.#growing = new Growing({
      ...setting,
      frames,
      overview,
      came: (end) => this.#came(end),
      changed: () => this.#showBehind(),
      ended: showEnded,
    });
    this.#take(this.#state.viewer);
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
      await this.#stage.showDisputes();
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
    offerSpeeds((speed) => this.#playing.set(speed));
    keepRoomFor($("timebar"));
    this.#growing.follow(this.#state.viewer);
    return new Stage({
      match: this.#match,
      lines: this.#lines,
      frames: this.#frames,
      overview: this.#overview,
      account: this.#account,
      display,
      load: (place) => this.#tried(() => this.#frames.load(place)),
      go: (place) => this.#go(place, { byFact: place.step > 0 }),
      drag: (index) => this.#drag(index),
    });
  }

  // ---- what is asked for

  #key(event) {
    const asked = this.#keys.asked(event);
    if (!asked) return;
    const { action, value } = asked;
    const isOpen = document.querySelector("dialog[open]") !== null;
    const isOff = isOpen ? action !== "help" : action === "close" && $("sheet").hidden;
    if (isOff) return;
    event.preventDefault();
    this.#do(action, value);
  }

  #do(action, value = null) {
    const { place } = this.#state;
    const moves = this.#moves;
    const actions = {
      start: () => this.#go(START),
      end: () => this.#go(moves.end()),
      "catch-up": () => this.#go(moves.end()),
      go: () => (showTyped(""), this.#go(value)),
      type: () => showTyped(value),
      play: () => this.#play(),
      faster: () => this.#playing.shift(1),
      slower: () => this.#playing.shift(-1),
      "event-back": () => this.#move(moves.eventBack(place)),
      "event-on": () => this.#move(moves.eventOn(place)),
      "turn-back": () => this.#move(moves.turnBack(place)),
      "turn-on": () => this.#move(moves.turnOn(place)),
      "fact-back": () => this.#move(moves.factBack(place), { byFact: true }),
      "fact-on": () => this.#move(moves.factOn(place), { byFact: true }),
      "alike-back": () => this.#move(moves.alike(place, -1)),
      "alike-on": () => this.#move(moves.alike(place, 1)),
      "to-live": () => this.#go({ index: this.#lines.struckAt(eventAt(place)).backup, step: 0 }),
      flip: () => this.#flip(),
      reveal: () => this.#reveal(),
      search: () => this.#find.open(),
      marks: () => this.#stage.openMarks((seq) => this.#go({ index: seq, step: 0 })),
      dispute: () => location.assign(disputeAt(place)),
      note: () => this.#stage.openNotes(),
      share: () => share(new URL(addressOf(this.#match, this.#state), location.href).href),
      spoilers: () => location.assign(otherMode(this.#match, this.#state)),
      help: () => ($("help").open ? $("help").close() : $("help").showModal()),
      close: () => closeSheet(),
      reload: () => location.reload(),
      again: () => this.start(),
    };
    return actions[action]();
  }

  /** Goes where a step leads, unless something else was asked for meanwhile. */
  async #move(moving, { byFact = false } = {}) {
    const state = this.#state;
    await this.#tried(async () => {
      const place = await moving;
      if (state !== this.#state) return;
      if (place === null) notice(say("match.no_alike"));
      else if (!isSame(place, state.place)) await this.#step(place, { byFact });
    });
  }

  #play() {
    if (this.#playing.isOn) return this.#playing.stop();
    const { isLive, isSpoilerFree } = this.#match;
    const isOver = this.#state.place.index === this.#lines.total && !isLive && !isSpoilerFree;
    this.#playing.start();
    return isOver ? this.#step(START) : undefined;
  }

  async #playOn() {
    const { place } = this.#state;
    await this.#move(this.#moves.eventOn(place));
    return !isSame(place, this.#state.place);
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

  /** Sees everything, or again what one saw before; the seat in front stays. */
  #reveal() {
    const { viewer, near } = this.#state;
    if (viewer === JUDGE) return this.#watch(this.#unrevealed, near);
    if (!this.#match.viewers.includes(JUDGE)) return notice(say("match.no_reveal"));
    this.#unrevealed = viewer;
    return this.#watch(JUDGE, near);
  }

  #watch(viewer, near = seatOf(this.#match, viewer)) {
    this.#state = { ...this.#state, viewer, near };
    return this.#show("push");
  }

  #go(place, { byFact = false } = {}) {
    this.#state = { ...this.#state, place: within(this.#lines, place), byFact };
    return this.#show("push");
  }

  #step(place, { byFact = false } = {}) {
    this.#state = { ...this.#state, place: within(this.#lines, place), byFact };
    return this.#show("replace");
  }

  #restore() {
    this.#state = { ...readAddress(this.#match, this.#lines), byFact: false };
    return this.#show("replace");
  }

  /** The list and the address follow when the hand rests. */
  #drag(index) {
    this.#playing.stop();
    this.#state = { ...this.#state, place: { index, step: 0 }, byFact: false };
    this.#dragging.moved();
  }

  /** Who stands at the end goes on with the match; who has gone back is left where he is. */
  #came(end) {
    this.#stage.refreshAll();
    this.#tried(() => this.#overview.load());
    if (isSame(this.#state.place, { index: end, step: 0 })) this.#move(this.#moves.end());
    else this.#showBehind();
  }

  // ---- showing it

  /** Shows the present state as soon as it is here, and keeps it in the address. */
  async #show(way) {
    const state = this.#state;
    this.#take(state.viewer);
    if (!this.#frames.has(state.place)) {
      this.#stage.waiting();
      await this.#tried(() => this.#frames.load(state.place));
    }
    if (state !== this.#state || !this.#frames.has(state.place)) return;
    this.#settle();
    this.#stage.showPlace(this.#state, { marked: true });
    this.#stage.showEvents(this.#state);
    if (this.#match.isLive) this.#showBehind();
    leadTo(this.#state);
    writeAddress(this.#match, this.#state, way);
    const { place } = this.#state;
    await this.#tried(() => Promise.all([this.#overview.load(), this.#frames.loadAround(place)]));
  }

  /** Looks with the eyes of a viewer from now on. */
  #take(viewer) {
    if (!this.#frames.watch(viewer)) return;
    this.#overview.watch(viewer);
    this.#account.watch(viewer);
    if (!this.#stage) return;
    this.#growing.follow(viewer);
    this.#find.search();
  }

  #showBehind() {
    showBehind(this.#lines.total - eventAt(this.#state.place), this.#growing);
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
