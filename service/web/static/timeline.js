// The bar of a match: who acted when, marks, struck lines, and the place; it can be dragged.

import { curveNodes } from "./curves.js";
import { icon, setChildren, svg } from "./elements.js";
import { textOf } from "./place.js";

const PAD = 12; // half the width of the thumb, so that the drawn place is where the thumb is
const SCALE = 16;
const MARKS = 15;
const SIGN = 13;
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
const LABELS_APART = 56;
const DIGIT = 8; // the width of a digit of the scale, and a little more
const TURNS_APART = 4;
const HATCH_APART = 6;
const GAP_MIN = 0.5;

export class Timeline {
  #nodes;
  #setting;
  #place = { index: 0, step: 0 };
  #size = { width: 1000, height: 60 };
  #still = svg("g");
  #cursor = svg("g", { class: "cursor" }, svg("line"), svg("circle", { r: 6 }));

  /** nodes: {drawing, range}; setting: {frames, lines, overview, marks, seats, drag, rest}. */
  constructor(nodes, setting) {
    this.#nodes = nodes;
    this.#setting = setting;
    nodes.drawing.append(this.#still, this.#cursor);
    nodes.range.addEventListener("input", () => setting.drag(Number(nodes.range.value)));
    nodes.range.addEventListener("change", () => setting.rest(Number(nodes.range.value)));
    new ResizeObserver(([entry]) => this.#resize(entry.contentRect)).observe(
      nodes.drawing.parentElement,
    );
  }

  show(place, sentence) {
    this.#place = place;
    const { range } = this.#nodes;
    this.#fit();
    if (Number(range.value) !== place.index) range.value = place.index;
    range.setAttribute("aria-valuetext", `${textOf(place)} ${sentence}`);
    this.#moveCursor();
  }

  /** Draws the lanes and marks again. */
  refresh() {
    const below = [this.#lanes(), this.#struck(), this.#turns()];
    const above = [this.#curves(), this.#signs(), this.#scale()];
    setChildren(this.#still, [...below, ...above].flat());
    this.#fit();
    this.#moveCursor();
  }

  #fit() {
    this.#nodes.range.max = this.#setting.lines.total;
  }

  #resize({ width, height }) {
    this.#size = { width, height };
    this.#nodes.drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.refresh();
  }

  #x(index) {
    return PAD + (index / this.#setting.lines.total) * (this.#size.width - 2 * PAD);
  }

  #moveCursor() {
    const { index, step } = this.#place;
    const count = this.#setting.frames.event(index + 1)?.facts.length || 1;
    const [line, knob] = this.#cursor.children;
    line.setAttribute("y2", this.#size.height);
    knob.setAttribute("cy", (MARKS + this.#size.height - SCALE) / 2);
    this.#cursor.style.setProperty("transform", `translateX(${this.#x(index + step / count)}px)`);
  }

  /** One lane per seat: a block for every run of events of one actor. */
  #lanes() {
    const { seats } = this.#setting;
    return [null, ...seats].map((seat) => {
      const blocks = this.#runs(seat).map(({ from, to }) => this.#block(seat, from, to));
      return svg("path", { class: "lane", "data-seat": seat ?? "", d: blocks.join("") });
    });
  }

  #block(seat, from, to) {
    const { seats } = this.#setting;
    const height = this.#laneRoom / (seat ? seats.length : 1);
    const top = MARKS + (seat ? seats.indexOf(seat) * height : 0) + 1;
    const width = Math.max(0.5, this.#x(to) - this.#x(from) - 0.5).toFixed(1);
    const foot = (height - 2).toFixed(1);
    return `M${this.#x(from).toFixed(1)} ${top.toFixed(1)}h${width}v${foot}h-${width}z`;
  }

  get #laneRoom() {
    return Math.max(this.#size.height - SCALE - MARKS, 4);
  }

  get #laneEnd() {
    return MARKS + this.#laneRoom;
  }

  #curves() {
    const { lines, overview, seats } = this.#setting;
    const x = (index) => this.#x(index);
    return curveNodes({ overview, seats, last: lines.total, x, top: MARKS, foot: this.#laneEnd });
  }

  /** A struck line is hatched and struck through; an arrow shows to where the match went back. */
  #struck() {
    const { struck } = this.#setting.lines;
    return struck.map(({ from, to, backup }) => {
      const [left, right, end] = [from - 1, to, backup].map((index) => this.#x(index));
      const middle = MARKS + this.#laneRoom / 2;
      return svg(
        "g",
        { class: "struck-line" },
        svg("rect", { x: left, y: MARKS, width: right - left, height: this.#laneRoom }),
        svg("path", { d: hatching(left, right, MARKS, this.#laneEnd) }),
        svg("path", { class: "through", d: `M${left} ${middle}H${right}` }),
        svg("path", { class: "back", d: `M${end} ${MARKS}V5H${left}V${MARKS}` }),
        svg("path", { d: `M${left - 3} ${MARKS - 5}l3 5l3 -5` }),
      );
    });
  }

  /** Turns as lines through the lanes, as far as there is room between them. */
  #turns() {
    const lines = [];
    let last = -TURNS_APART;
    for (const seq of this.#setting.marks.turns()) {
      const x = this.#x(seq);
      if (x - last < TURNS_APART) continue;
      last = x;
      lines.push(`M${x.toFixed(1)} ${MARKS - 4}V${this.#laneEnd}`);
    }
    return svg("path", { class: "turn", d: lines.join("") });
  }

  /** The other marks as signs above the lanes, side by side; of notes those that have room. */
  #signs() {
    let last = -SIGN;
    return this.#setting.marks.signs().flatMap(({ seq, kind }) => {
      const x = this.#x(seq);
      if (kind === "note" && x - last < SIGN) return [];
      last = Math.min(Math.max(x, last + SIGN), this.#size.width - SIGN / 2);
      return [signNode(kind, last)];
    });
  }

  /** Where a seat acted, or null where nobody did; what lies too close to be told apart is one. */
  #runs(seat) {
    const { lines, overview, seats } = this.#setting;
    const close = (GAP_MIN * lines.total) / this.#size.width;
    const runs = [];
    for (let seq = 1; seq <= lines.total; seq += 1) {
      const actor = overview.actorAt(seq);
      if (actor === undefined || (seats.includes(actor) ? actor : null) !== seat) continue;
      const last = runs.at(-1);
      if (last && seq - 1 - last.to <= close) last.to = seq;
      else runs.push({ from: seq - 1, to: seq });
    }
    return runs;
  }

  #scale() {
    const { total } = this.#setting.lines;
    const room = (this.#size.width - 2 * PAD) / LABELS_APART;
    const step = STEPS.find((size) => total / size <= room) ?? total;
    const marks = Array.from(
      { length: Math.floor(total / step) + 1 },
      (_, number) => number * step,
    );
    return marks.map((index) => {
      const label = String(index);
      const x = Math.min(this.#x(index), this.#size.width - (label.length * DIGIT) / 2);
      return svg("text", { class: "scale", x: x.toFixed(1), y: this.#size.height - 4 }, label);
    });
  }
}

function signNode(kind, x) {
  const sign = icon(`mark-${kind}`);
  const attributes = { x: x - SIGN / 2, y: 1, width: SIGN, height: SIGN, class: `sign ${kind}` };
  for (const [name, value] of Object.entries(attributes)) sign.setAttribute(name, value);
  return sign;
}

/** Slanted lines that fill a rectangle, as a path. */
function hatching(left, right, top, bottom) {
  const height = bottom - top;
  const count = Math.ceil((right - left + height) / HATCH_APART);
  const lines = Array.from({ length: count }, (_, number) => {
    const foot = left - height + number * HATCH_APART;
    const [from, to] = [Math.max(foot, left), Math.min(foot + height, right)];
    const [low, high] = [from, to].map((x) => (bottom - (x - foot)).toFixed(1));
    return `M${from.toFixed(1)} ${low}L${to.toFixed(1)} ${high}`;
  });
  return lines.join("");
}
