// The bar of a match: who acted when, and the place; it can be dragged, tapped and worked by keys.

import { setChildren, svg } from "./elements.js";
import { textOf } from "./place.js";

const PAD = 12; // half the width of the thumb, so that the drawn place is where the thumb is
const SCALE = 16;
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];
const LABELS_APART = 56;

export class Timeline {
  #nodes;
  #setting;
  #place = { index: 0, step: 0 };
  #size = { width: 1000, height: 60 };
  #still = svg("g");
  #cursor = svg("g", { class: "cursor" }, svg("line"), svg("circle", { r: 6 }));

  /** nodes: {drawing, range}; setting: {frames, seats, drag(index), rest(index)}. */
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
    if (Number(range.value) !== place.index) range.value = place.index;
    range.setAttribute("aria-valuetext", `${textOf(place)} ${sentence}`);
    this.#moveCursor();
  }

  /** Draws the lanes again; they hold the events that are here by now. */
  refresh() {
    setChildren(this.#still, [...this.#lanes(), ...this.#scale()]);
  }

  #resize({ width, height }) {
    this.#size = { width, height };
    this.#nodes.drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.refresh();
    this.#moveCursor();
  }

  #x(index) {
    return PAD + (index / this.#setting.frames.total) * (this.#size.width - 2 * PAD);
  }

  #moveCursor() {
    const { index, step } = this.#place;
    const count = this.#setting.frames.event(index + 1)?.facts.length || 1;
    const [line, knob] = this.#cursor.children;
    line.setAttribute("y2", this.#size.height);
    knob.setAttribute("cy", (this.#size.height - SCALE) / 2);
    this.#cursor.style.setProperty("transform", `translateX(${this.#x(index + step / count)}px)`);
  }

  /** One lane per seat: a block for every run of events of one actor. */
  #lanes() {
    const { seats } = this.#setting;
    const height = (this.#size.height - SCALE) / seats.length;
    return this.#runs().map(({ actor, from, to }) => {
      const lane = seats.indexOf(actor);
      const isSeat = lane >= 0;
      return svg("rect", {
        class: "lane",
        "data-seat": isSeat ? actor : "",
        x: this.#x(from).toFixed(1),
        y: isSeat ? lane * height + 2 : 2,
        width: Math.max(0.5, this.#x(to) - this.#x(from) - 0.5).toFixed(1),
        height: isSeat ? height - 3 : this.#size.height - SCALE - 3,
      });
    });
  }

  #runs() {
    const { frames } = this.#setting;
    const runs = [];
    for (let seq = 1; seq <= frames.total; seq += 1) {
      const event = frames.event(seq);
      const last = runs.at(-1);
      if (!event) continue;
      if (last && last.actor === event.actor && last.to === seq - 1) last.to = seq;
      else runs.push({ actor: event.actor, from: seq - 1, to: seq });
    }
    return runs;
  }

  #scale() {
    const { total } = this.#setting.frames;
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
