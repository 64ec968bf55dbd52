// The bar of a match: who acted when, marks, struck lines, and the place; it can be dragged.

import { icon, setChildren, svg } from "./elements.js";
import { textOf } from "./place.js";

const PAD = 12; // half the width of the thumb, so that the drawn place is where the thumb is
const SCALE = 16;
const MARKS = 15;
const SIGN = 13;
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
const LABELS_APART = 56;
const TURNS_APART = 4;
const HATCH_APART = 6;

export class Timeline {
  #nodes;
  #setting;
  #place = { index: 0, step: 0 };
  #size = { width: 1000, height: 60 };
  #still = svg("g");
  #cursor = svg("g", { class: "cursor" }, svg("line"), svg("circle", { r: 6 }));

  /** nodes: {drawing, range}; setting: {frames, lines, marks, seats, drag(index), rest(index)}. */
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
    range.max = this.#setting.lines.total;
    if (Number(range.value) !== place.index) range.value = place.index;
    range.setAttribute("aria-valuetext", `${textOf(place)} ${sentence}`);
    this.#moveCursor();
  }

  /** Draws the lanes and marks again; they hold the events that are here by now. */
  refresh() {
    const parts = [this.#lanes(), this.#struck(), this.#marks(), this.#scale()];
    setChildren(this.#still, parts.flat());
    this.#moveCursor();
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
    const blocks = new Map([null, ...seats].map((seat) => [seat, []]));
    for (const { actor, from, to } of this.#runs()) {
      const seat = seats.includes(actor) ? actor : null;
      blocks.get(seat).push(this.#block(seat, from, to));
    }
    return [...blocks].map(([seat, paths]) =>
      svg("path", { class: "lane", "data-seat": seat ?? "", d: paths.join("") }),
    );
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

  /** Turns as lines through the lanes, the other marks as signs above them, side by side. */
  #marks() {
    const nodes = [];
    let [lastTurn, lastSign] = [-TURNS_APART, -SIGN];
    for (const { seq, kind } of this.#setting.marks.all()) {
      const x = this.#x(seq);
      if (kind !== "turn") {
        lastSign = Math.min(Math.max(x, lastSign + SIGN), this.#size.width - SIGN / 2);
        nodes.push(signNode(kind, lastSign));
      } else if (x - lastTurn >= TURNS_APART) {
        lastTurn = x;
        nodes.push(svg("path", { class: "turn", d: `M${x} ${MARKS - 4}V${this.#laneEnd}` }));
      }
    }
    return nodes;
  }

  #runs() {
    const runs = [];
    for (const { seq, actor } of this.#setting.frames.events) {
      const last = runs.at(-1);
      if (last && last.actor === actor && last.to === seq - 1) last.to = seq;
      else runs.push({ actor, from: seq - 1, to: seq });
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
    return marks.map((index) =>
      svg(
        "text",
        { class: "scale", x: this.#x(index).toFixed(1), y: this.#size.height - 4 },
        String(index),
      ),
    );
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
