// The list of events in words: a stretch around the present place, its facts unfolded.

import { button, element, icon, keepingFocus, setChildren } from "./elements.js";
import { factList } from "./facts.js";
import { noteSign } from "./notes_panel.js";
import { eventAt } from "./place.js";
import { say } from "./words.js";

const REACH = 60;
const REACH_NARROW = 10;
const MARGIN = 3;
const MORE = 50;
const LINES_PX = 90;
const WIDE = matchMedia("(min-width: 64em)");

export class EventList {
  #nodes;
  #setting;
  #items = new Map();
  #unfolded = new Set();
  #buttons = new Map();
  #range = { from: 1, to: 0 };
  #place = null;
  #byFact = false;

  /**
   * setting: {frames, lines, notes, load(place), go(place), open(rule id), nameOf(seq, fact,
   * reference)}.
   */
  constructor(nodes, setting) {
    this.#nodes = nodes;
    this.#setting = setting;
    new ResizeObserver(() => this.#scroll()).observe(nodes.scroller);
  }

  /** Shows the events around a place. byFact: the last step was one fact, which is then marked. */
  show(place, { byFact }) {
    this.#place = place;
    this.#byFact = byFact;
    this.#centre(Math.max(eventAt(place), 1));
    this.#draw();
    this.#scroll();
  }

  /** Draws again what is here by now of the stretch; the present event stays where it is seen. */
  refresh() {
    const { scroller } = this.#nodes;
    const before = this.#offset();
    this.#draw();
    if (before !== null) scroller.scrollTop += this.#offset() - before;
  }

  #draw() {
    const { frames } = this.#setting;
    if (!frames.event(Math.max(eventAt(this.#place), 1))) return;
    const { from, to } = this.#loaded();
    const items = [];
    for (let seq = from; seq <= to; seq += 1) items.push(this.#item(seq));
    this.#items = new Map(items.map((item) => [item.seq, item]));
    const nodes = [
      ...(from > 1 ? [this.#more("earlier")] : []),
      ...items.map((item) => item.node),
      ...(to < frames.total ? [this.#more("later")] : []),
    ];
    keepingFocus(this.#nodes.list, () => setChildren(this.#nodes.list, nodes));
  }

  #centre(seq) {
    const { total } = this.#setting.frames;
    const { from, to } = this.#range;
    const isInside =
      seq >= (from === 1 ? 1 : from + MARGIN) && seq <= (to === total ? total : to - MARGIN);
    if (isInside) return;
    const reach = WIDE.matches ? REACH : REACH_NARROW;
    this.#range = { from: Math.max(1, seq - reach), to: Math.min(total, seq + reach) };
  }

  /** The part of the stretch that is here without a gap around the present event. */
  #loaded() {
    const { frames } = this.#setting;
    const seq = Math.max(eventAt(this.#place), 1);
    let [from, to] = [seq, seq];
    while (from > this.#range.from && frames.event(from - 1)) from -= 1;
    while (to < this.#range.to && frames.event(to + 1)) to += 1;
    return { from, to };
  }

  #item(seq) {
    const event = this.#setting.frames.event(seq);
    const here = eventAt(this.#place);
    const isCurrent = seq === here;
    const isOpen = this.#unfolded.has(seq);
    const isStruck = this.#setting.lines.struckAt(seq) !== null;
    const marked = isCurrent ? [this.#place, this.#byFact] : seq > here;
    const noted = this.#setting.notes.at(seq).length;
    const state = JSON.stringify([marked, isOpen, isStruck, noted]);
    const kept = this.#items.get(seq);
    if (kept?.event === event && kept.state === state) return kept;
    const node = this.#row(event, { isCurrent, isStruck, noted, isAhead: seq > here });
    return { seq, event, state, node };
  }

  #row(event, { isCurrent, isStruck, noted, isAhead }) {
    const { go } = this.#setting;
    const attributes = {
      class: "event",
      "data-key": `event ${event.seq}`,
      "aria-current": isCurrent ? "true" : null,
    };
    const main = button(
      attributes,
      () => go({ index: event.seq, step: 0 }),
      element("span", { class: "no" }, String(event.seq)),
      actorNode(event.actor),
      element(
        "span",
        { class: "what" },
        event.text || say("events.withheld"),
        noted ? noteSign(noted) : null,
      ),
      isStruck ? element("span", { class: "sr" }, say("match.struck")) : null,
    );
    const isOpen = isCurrent || this.#unfolded.has(event.seq);
    return element(
      "li",
      { class: [isAhead && "ahead", isStruck && "struck"].filter(Boolean).join(" ") || null },
      this.#struckNode(event.seq),
      main,
      event.facts.length && !isCurrent ? this.#toggle(event, isOpen) : null,
      event.facts.length && isOpen ? this.#facts(event, { isCurrent, isAhead }) : null,
    );
  }

  /** Above the first event of a struck line: what it is; behind its last: the way to look at it. */
  #struckNode(seq) {
    const { lines, go } = this.#setting;
    const line = lines.struck.find(({ from, backup }) => seq === from || seq === backup);
    if (!line) return null;
    const { from, to, backup } = line;
    if (seq === from) {
      return element("p", { class: "line-head" }, icon("mark-backup"), say("match.line", line));
    }
    const look = button(
      { class: "btn plain line-link", "data-key": `line ${backup}` },
      () => go({ index: from, step: 0 }),
      say("match.line.look", { from, to }),
    );
    return element("p", { class: "line-head" }, icon("mark-backup"), look);
  }

  #toggle(event, isOpen) {
    const label = say("events.facts", { count: event.facts.length });
    const attributes = {
      class: "unfold",
      "data-key": `unfold ${event.seq}`,
      "aria-expanded": String(isOpen),
      "aria-label": label,
      title: label,
    };
    return button(
      attributes,
      () => {
        if (!this.#unfolded.delete(event.seq)) this.#unfolded.add(event.seq);
        this.refresh();
      },
      icon("more"),
    );
  }

  #facts(event, { isCurrent, isAhead }) {
    const { go, open, nameOf } = this.#setting;
    const { seq, facts } = event;
    const { step } = this.#place;
    const last = isAhead ? 0 : facts.length;
    const marked = step || (this.#byFact ? facts.length : null);
    return factList(facts, {
      seq,
      applied: isCurrent && step ? step : last,
      current: isCurrent ? marked : null,
      nameOf: (fact, reference) => nameOf(seq, fact, reference),
      go: (number) => go({ index: seq - 1, step: number }),
      open,
    });
  }

  #more(direction) {
    if (!this.#buttons.has(direction)) {
      const more = button(
        { class: "btn" },
        () => this.#extend(direction),
        say(`events.${direction}`),
      );
      this.#buttons.set(direction, element("li", { class: "more" }, more));
    }
    return this.#buttons.get(direction);
  }

  async #extend(direction) {
    const { frames, load } = this.#setting;
    const { from, to } = this.#loaded();
    const isEarlier = direction === "earlier";
    this.#range = {
      from: isEarlier ? Math.max(1, from - MORE) : from,
      to: isEarlier ? to : Math.min(frames.total, to + MORE),
    };
    await load({ index: isEarlier ? from - 1 : to + 1, step: 0 });
    this.refresh();
  }

  /** Brings the present event into the sight of the list, without moving the page. */
  #scroll() {
    const { scroller } = this.#nodes;
    const offset = this.#offset();
    if (offset === null) return;
    const isInSight = offset >= 0 && offset <= scroller.clientHeight - LINES_PX;
    if (!isInSight) scroller.scrollTop += offset - scroller.clientHeight / 3;
  }

  /** How far below the top of the list the present event is seen, or null if it is not there. */
  #offset() {
    const { list, scroller } = this.#nodes;
    const here =
      list.querySelector('[aria-current="step"]') ?? list.querySelector("[aria-current]");
    return here ? here.getBoundingClientRect().top - scroller.getBoundingClientRect().top : null;
  }
}

function actorNode(actor) {
  const isSeat = actor !== null && actor !== "system";
  const name = isSeat ? element("span", { class: "sr" }, actor) : null;
  return element("span", { class: "seat", "data-seat": isSeat ? actor : "" }, name);
}
