// What a match page shows of a state: the board, the bar, the sentence, the events.

import { Board, momentTexts } from "./board.js";
import { totalNodes } from "./curves.js";
import { element } from "./elements.js";
import { EventList } from "./events.js";
import { jumpList } from "./jumps.js";
import { layoutOf } from "./layout.js";
import { Marks } from "./marks.js";
import { Notes } from "./notes.js";
import { NotesPanel } from "./notes_panel.js";
import { START, eventAt, isSame, placeBefore, textOf } from "./place.js";
import { openCard, openPile, openRule, openSheet } from "./sheet.js";
import { Timeline } from "./timeline.js";
import { traceNode } from "./traces.js";
import { namesIn } from "./views.js";
import { named, say } from "./words.js";

const SPOKEN_MS = 250;
const $ = (id) => document.getElementById(id);

export class Stage {
  #match;
  #frames;
  #lines;
  #overview;
  #display;
  #board;
  #events;
  #marks;
  #notes;
  #notesPanel;
  #timeline;
  #place = START;
  #isBehind = true;
  #speaking = 0;
  #refreshing = 0;
  #redrawing = 0;

  /** load(place), go(place), drag(index) are called when the events or the bar are used. */
  constructor({ match, frames, lines, overview, account, display, load, go, drag }) {
    const jump = (seq) => go({ index: seq, step: 0 });
    const below = (tile) => traceNode(tile, { account, lines, cards: frames.cards, go: jump });
    const setting = { display, cards: frames.cards, below };
    const pick = (shown) => (shown.tiles ? openPile(shown, setting) : openCard(shown, setting));
    const nameOf = (seq, fact, reference) => this.#nameOf(seq, fact, reference);
    this.#match = match;
    this.#frames = frames;
    this.#lines = lines;
    this.#overview = overview;
    this.#display = display;
    this.#board = new Board($("board"), { ...setting, names: match.names, pick });
    this.#notes = new Notes({ match, lines, changed: () => this.#showNotes() });
    this.#notesPanel = new NotesPanel(this.#notes);
    this.#events = new EventList(
      { list: $("events"), scroller: $("events-scroll") },
      { frames, lines, notes: this.#notes, load, go, open: openRule, nameOf },
    );
    this.#marks = new Marks({ match, overview, lines, notes: this.#notes, display });
    this.#timeline = new Timeline(
      { drawing: $("track"), range: $("range") },
      { frames, lines, overview, marks: this.#marks, seats: match.seats, drag, rest: jump },
    );
  }

  /** Marks the disputes of the match, too, if one may know of them. */
  async showDisputes() {
    await this.#marks.loadDisputes();
    this.refreshBar();
  }

  /** Opens the list of marks, turns last; go(seq) is called for the one that is chosen. */
  openMarks(go) {
    const rows = this.#marks.all().map((mark) => ({
      ...mark,
      icon: `mark-${mark.kind}`,
      isStruck: this.#lines.struckAt(mark.seq) !== null,
    }));
    const nodes = rows.length > 0 ? jumpList(rows, go) : element("p", {}, say("match.marks.none"));
    openSheet(say("match.marks"), [nodes]);
  }

  /** Draws what depends on the place alone. marked: what the last step changed stands out. */
  showPlace(state, { marked }) {
    const began = performance.now();
    const { place, viewer, near } = state;
    const sentence = this.#sentence(state);
    this.#place = place;
    this.#isBehind = true;
    this.#timeline.show(place, sentence);
    this.#showWhere();
    $("struck").hidden = this.#lines.struckAt(eventAt(place)) === null;
    $("caption").textContent = sentence;
    if (!this.#frames.has(place)) return;
    const before = marked ? this.#layoutAt(this.#placeBefore(state)) : null;
    this.#board.draw(this.#layoutAt(place), { near, before });
    $("board").removeAttribute("aria-busy");
    this.#speak(sentence);
    for (const link of $("viewers").children) {
      link.setAttribute("aria-current", String(link.dataset.viewer === viewer));
    }
    $("main").dataset.scriptMs = (performance.now() - began).toFixed(1);
  }

  /** Brings the list to a place; while the hand drags, it stays behind. */
  showEvents({ place, byFact, viewer }) {
    this.#isBehind = false;
    this.#events.show(place, { byFact });
    this.#notesPanel.show(eventAt(place));
    this.#notes.watch(viewer);
  }

  openNotes() {
    this.#notesPanel.open();
  }

  #showNotes() {
    this.#notesPanel.draw();
    this.refreshAll();
  }

  /** Draws again, once a frame, what shows more when more frames are here. */
  refresh() {
    this.#refreshing ||= requestAnimationFrame(() => {
      this.#refreshing = 0;
      this.#showWhere();
      if (!this.#isBehind) this.#events.refresh();
    });
  }

  refreshAll() {
    this.refresh();
    this.refreshBar();
  }

  /** Draws the bar again, once a frame, when more is known of the match. */
  refreshBar() {
    this.#redrawing ||= requestAnimationFrame(() => {
      this.#redrawing = 0;
      this.#timeline.refresh();
      this.#showWhere();
    });
  }

  #showWhere() {
    const where = { place: textOf(this.#place), total: this.#lines.total };
    $("where").textContent = say("steps.where", where);
    const { index: seq } = this.#place;
    const setting = { overview: this.#overview, seats: this.#match.seats, display: this.#display };
    $("totals").replaceChildren(...totalNodes({ ...setting, seq }));
  }

  waiting() {
    $("board").setAttribute("aria-busy", "true");
  }

  #layoutAt(place) {
    const view = place && this.#frames.position(place);
    const setting = { display: this.#display, cards: this.#frames.cards, seats: this.#match.seats };
    return view ? layoutOf(view, setting) : null;
  }

  /** The place that the present one is compared with to mark what the last step changed. */
  #placeBefore({ place, byFact }) {
    if (isSame(place, START)) return null;
    if (place.step || !byFact) return placeBefore(place);
    const count = this.#frames.event(place.index).facts.length;
    return { index: place.index - 1, step: Math.max(count - 1, 0) };
  }

  /** What has just happened, as a sentence; of an event that is not here, in which turn it was. */
  #sentence({ place, byFact }) {
    const event = this.#frames.event(eventAt(place));
    if (!event) return eventAt(place) ? this.#moment(eventAt(place)) : say("steps.before");
    const fact = place.step ? event.facts[place.step - 1] : byFact && event.facts.at(-1);
    if (fact) return fact.text || say("events.withheld_fact");
    return event.text || say("events.withheld");
  }

  #moment(seq) {
    return momentTexts(this.#overview.momentAt(seq), this.#display).join(" ");
  }

  #speak(sentence) {
    clearTimeout(this.#speaking);
    this.#speaking = setTimeout(() => {
      $("announce").textContent = sentence;
    }, SPOKEN_MS);
  }

  /** The name of a card that a fact of an event refers to, as far as its viewer is told. */
  #nameOf(seq, fact, reference) {
    const { cards } = this.#frames;
    const places = [
      { index: seq, step: 0 },
      { index: seq - 1, step: 0 },
    ];
    const views = places.map((place) => this.#frames.position(place)).filter(Boolean);
    const ids = [fact.shown?.[reference], ...views.map((view) => namesIn(view, cards)(reference))];
    const found = ids.find((id) => id in cards);
    return found ? named(cards[found], "name") : null;
  }
}
