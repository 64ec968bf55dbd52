// Where a step leads: by fact, by event, by turn, along the line on which one stands.

import { START, eventAt } from "./place.js";

/** Steps through a match; each answers a place, once what it depends on is here. */
export class Moves {
  #frames;
  #lines;
  #overview;
  #more;

  /** more(): has the match go on by an event, if it may; tells whether it did. */
  constructor({ frames, lines, overview, more }) {
    this.#frames = frames;
    this.#lines = lines;
    this.#overview = overview;
    this.#more = more;
  }

  end() {
    return at(this.#lines.total);
  }

  async eventOn({ index, step }) {
    return at(step ? index + 1 : await this.#next(index));
  }

  async eventBack({ index, step }) {
    return at(step ? index : this.#lines.previous(index));
  }

  async factOn({ index, step }) {
    const seq = step ? index + 1 : await this.#next(index);
    if (seq === index) return at(index);
    await this.#frames.load(at(seq));
    const isLast = step + 1 >= this.#frames.event(seq).facts.length;
    return isLast ? at(seq) : { index: seq - 1, step: step + 1 };
  }

  async factBack({ index, step }) {
    if (step > 1) return { index, step: step - 1 };
    if (step === 1 || index === 0) return at(index);
    await this.#frames.load(at(index));
    const count = this.#frames.event(index).facts.length;
    return count > 1 ? { index: index - 1, step: count - 1 } : at(this.#lines.previous(index));
  }

  /** The event with which the next turn begins on the live line, else the last one. */
  async turnOn({ index }) {
    await this.#overview.load();
    const here = this.#overview.turnAt(index);
    let last = index;
    let next = this.#lines.struckAt(index)?.backup ?? (await this.#next(index));
    while (next !== last) {
      const turn = this.#overview.turnAt(next);
      if (turn !== null && turn !== here) return at(next);
      last = next;
      next = await this.#next(last);
    }
    return at(last);
  }

  /** The event with which this turn began, or the one before if one stands there; else the start. */
  async turnBack({ index, step }) {
    await this.#overview.load();
    let here = step ? index : this.#lines.previous(index);
    while (here > 0) {
      const before = this.#lines.previous(here);
      const turn = this.#overview.turnAt(here);
      if (turn !== null && turn !== this.#overview.turnAt(before)) return at(here);
      here = before;
    }
    return START;
  }

  /** The next or previous event of the same kind, of those that are not struck; null if none. */
  async alike(place, direction) {
    const here = eventAt(place);
    if (here === 0) return null;
    await this.#overview.load();
    const kind = this.#overview.kindAt(here);
    for (let seq = here + direction; seq > 0 && seq <= this.#lines.total; seq += direction) {
      if (this.#overview.kindAt(seq) === kind && !this.#lines.struckAt(seq)) return at(seq);
    }
    return null;
  }

  async #next(index) {
    const next = this.#lines.next(index);
    return next === index && (await this.#more()) ? this.#lines.next(index) : next;
  }
}

function at(index) {
  return { index, step: 0 };
}
