// Where a step leads: by fact, by event, by turn, along the line on which one stands.

import { START, eventAt } from "./place.js";

/** The number of the turn or round of a view, as text; null before there is one. */
export function turnOf(view) {
  const numbers = [view?.round, view?.turn].filter(Number.isInteger);
  return numbers.some((number) => number > 0) ? numbers.join(".") : null;
}

/** Steps through the frames of a match; each answers a place, once the frames are here. */
export class Moves {
  #frames;
  #lines;
  #account;
  #more;

  /** more(): has the match go on by an event, if it may; tells whether it did. */
  constructor({ frames, lines, account, more }) {
    this.#frames = frames;
    this.#lines = lines;
    this.#account = account;
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
    const here = await this.#turnAt(index);
    let last = index;
    let next = this.#lines.struckAt(index)?.backup ?? (await this.#next(index));
    while (next !== last) {
      const turn = await this.#turnAt(next);
      if (turn !== null && turn !== here) return at(next);
      last = next;
      next = await this.#next(last);
    }
    return at(last);
  }

  /** The event with which this turn began, or the one before if one stands there; else the start. */
  async turnBack({ index, step }) {
    let here = step ? index : this.#lines.previous(index);
    while (here > 0) {
      const before = this.#lines.previous(here);
      const turn = await this.#turnAt(here);
      if (turn !== null && turn !== (await this.#turnAt(before))) return at(here);
      here = before;
    }
    return START;
  }

  /** The next or previous event of the same kind, of those that are not struck; null if none. */
  async alike(place, direction) {
    const seq = eventAt(place);
    if (seq === 0) return null;
    const { kind } = await this.#account.entry(seq);
    for await (const entry of this.#account.from(seq, direction)) {
      if (entry.kind === kind && !this.#lines.struckAt(entry.seq)) return at(entry.seq);
    }
    return null;
  }

  async #next(index) {
    const next = this.#lines.next(index);
    return next === index && (await this.#more()) ? this.#lines.next(index) : next;
  }

  async #turnAt(index) {
    await this.#frames.load(at(index));
    return turnOf(this.#frames.position(at(index)));
  }
}

function at(index) {
  return { index, step: 0 };
}
