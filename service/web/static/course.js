// A course of play: actions and their facts in words, played step by step on a small board.

import { Board } from "./board.js";
import { button, element, icon, keepingFocus } from "./elements.js";
import { factList } from "./facts.js";
import { layoutOf } from "./layout.js";
import { patched } from "./patches.js";
import { ruleChip } from "./rules.js";
import { openCard, openPile, openRule } from "./sheet.js";
import { namesIn } from "./views.js";
import { named, say } from "./words.js";

const LINE_PX = 60;
const MOVES = ["start", "back", "on", "end"];
const ICONS = { start: "start", back: "fact-back", on: "fact-on", end: "end" };
const KEYS = {
  Home: "start",
  End: "end",
  ",": "back",
  ".": "on",
  ArrowLeft: "before",
  ArrowRight: "after",
};

/**
 * Steps through what the API tells of an example or an adjudication. moved: called with the place,
 * the number of facts that are applied, whenever somebody has moved. below: as for `openCard`.
 */
export class Course {
  #setting;
  #nodes;
  #board = null;
  #told = null;
  #place = 0;

  constructor(root, { display, moved = () => {}, below }) {
    this.#setting = { display, moved, below };
    this.#nodes = this.#built(root);
    root.addEventListener("keydown", (event) => this.#key(event));
  }

  get place() {
    return this.#place;
  }

  /** The position that is shown. */
  get position() {
    return this.#told.views[this.#place];
  }

  /** How many facts there are. */
  get length() {
    return this.#told.facts.length;
  }

  /** told: {start, seats, steps, rejected, cards}; place: how many facts are applied at first. */
  show(told, place) {
    const facts = told.steps.flatMap((step, action) =>
      step.facts.map((body, number) => ({ body, action, number, patch: step.patches[number] })),
    );
    const views = [told.start];
    for (const { patch } of facts) views.push(patched(views.at(-1), patch));
    this.#told = { ...told, facts, views, order: Object.keys(told.seats).sort() };
    const { display, below } = this.#setting;
    const setting = { display, cards: told.cards, below };
    const pick = (shown) => (shown.tiles ? openPile(shown, setting) : openCard(shown, setting));
    this.#board = new Board(this.#nodes.board, { ...setting, names: told.seats, pick });
    this.#place = Math.min(place, facts.length);
    this.#draw();
  }

  #built(root) {
    const nodes = {
      board: element("section", { class: "board", "aria-label": say("course.board") }),
      moves: Object.fromEntries(MOVES.map((move) => [move, this.#moveButton(move)])),
      where: element("span", { class: "small muted where" }),
      says: element("p", { class: "note", role: "status" }),
      list: element("div", {
        class: "stack course-list",
        tabindex: "0",
        role: "group",
        "aria-label": say("course.facts"),
      }),
    };
    const moves = element("span", { class: "row moves" }, ...Object.values(nodes.moves));
    const transport = element("div", { class: "row spread" }, moves, nodes.where);
    const table = element("div", { class: "stack" }, nodes.board, nodes.says, transport);
    root.replaceChildren(table, nodes.list);
    return nodes;
  }

  #moveButton(move) {
    const label = say(`course.${move}`);
    const attributes = { class: "btn icon", "aria-label": label, title: label };
    return button(attributes, () => this.#move(move), icon(ICONS[move]));
  }

  #key(event) {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
    const move = KEYS[event.key];
    if (!move || !isPlain || this.#told === null) return;
    event.preventDefault();
    this.#move(move);
  }

  #move(move) {
    const ends = this.#ends();
    const places = {
      start: 0,
      back: this.#place - 1,
      on: this.#place + 1,
      end: this.length,
      before: ends.findLast((end) => end < this.#place) ?? 0,
      after: ends.find((end) => end > this.#place) ?? this.length,
    };
    this.#go(places[move]);
  }

  #go(place) {
    this.#place = Math.max(0, Math.min(this.length, place));
    this.#draw();
    this.#setting.moved(this.#place);
  }

  /** For each action the number of facts up to its end. */
  #ends() {
    let count = 0;
    return this.#told.steps.map((step) => (count += step.facts.length));
  }

  #draw() {
    const { facts, rejected } = this.#told;
    this.#drawBoard();
    this.#nodes.says.textContent = this.#sentence();
    const where = { place: this.#place, total: facts.length };
    this.#nodes.where.textContent = say("course.where", where);
    for (const move of MOVES) {
      const isStill = this.#place === (move === "start" || move === "back" ? 0 : facts.length);
      this.#nodes.moves[move].setAttribute("aria-disabled", String(isStill));
    }
    const parts = this.#told.steps.map((step, action) => this.#action(step, action));
    if (rejected) parts.push(refusalNode(rejected));
    if (parts.length === 0) parts.push(element("p", { class: "muted" }, say("course.nothing")));
    keepingFocus(this.#nodes.list, () => this.#nodes.list.replaceChildren(...parts));
    this.#scroll();
  }

  #drawBoard() {
    const { order, views } = this.#told;
    if (order.length === 0) {
      const none = element("p", { class: "board-wait" }, say("course.no_table"));
      this.#nodes.board.replaceChildren(none);
      return;
    }
    const before = this.#layout(views[this.#place - 1]);
    this.#board.draw(this.#layout(views[this.#place]), { near: order[0], before });
  }

  #layout(view) {
    const { cards, order } = this.#told;
    return view ? layoutOf(view, { display: this.#setting.display, cards, seats: order }) : null;
  }

  #sentence() {
    const { facts, rejected } = this.#told;
    if (rejected && this.#place === facts.length) {
      return say("course.refusal", { reason: rejected.reason });
    }
    return this.#place ? this.#told.facts[this.#place - 1].body.text : say("course.beginning");
  }

  #action(step, action) {
    const before = this.#ends()[action] - step.facts.length;
    const applied = Math.max(0, Math.min(step.facts.length, this.#place - before));
    const { actor } = step.action;
    const list = factList(step.facts, {
      seq: action,
      applied,
      current: this.#place > before && this.#place <= before + step.facts.length ? applied : null,
      nameOf: (fact, reference) => this.#nameOf(before, reference),
      go: (number) => this.#go(before + number),
      open: openRule,
    });
    const name = element("span", { class: "sr" }, actor);
    const mark = element("span", { class: "seat", "data-seat": actor }, name);
    const head = element("h3", {}, actor === "system" ? null : mark, step.text);
    return element("section", { class: "deed" }, head, list);
  }

  /** The name of a card that a fact of an action refers to, as the judge sees it. */
  #nameOf(before, reference) {
    const { cards, views } = this.#told;
    const ids = [views[before], views.at(-1)].map((view) => namesIn(view, cards)(reference));
    const found = ids.find((id) => id in cards);
    return found ? named(cards[found], "name") : null;
  }

  /** Brings the fact just applied into the sight of the list, without moving the page. */
  #scroll() {
    const { list } = this.#nodes;
    const here = list.querySelector('[aria-current="step"]');
    if (!here || list.scrollHeight <= list.clientHeight) return;
    const offset = here.getBoundingClientRect().top - list.getBoundingClientRect().top;
    const isInSight = offset >= 0 && offset <= list.clientHeight - LINE_PX;
    if (!isInSight) list.scrollTop += offset - list.clientHeight / 3;
  }
}

function refusalNode({ reason, rule }) {
  return element(
    "section",
    { class: "banner refusal" },
    element("strong", {}, icon("tone-bad"), say("course.refused")),
    element("span", {}, reason),
    ruleChip(rule, openRule),
  );
}
