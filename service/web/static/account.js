// The events of a whole match in words, fetched as far as they are looked through.

import { get } from "./api.js";

const LENGTH = 200;

export class Account {
  #match;
  #language;
  #lines;
  #viewer = null;
  #windows = new Map();

  constructor({ match, language, lines }) {
    this.#match = match;
    this.#language = language;
    this.#lines = lines;
  }

  watch(viewer) {
    if (viewer === this.#viewer) return;
    this.#viewer = viewer;
    this.#windows.clear();
  }

  /** The entries behind event `seq`, or before it, in that order; ends when the viewer changes. */
  async *from(seq, direction) {
    const viewer = this.#viewer;
    for (let here = seq + direction; here > 0 && here <= this.#lines.total; here += direction) {
      const entry = await this.entry(here);
      if (viewer !== this.#viewer || !entry) return;
      yield entry;
    }
  }

  /** An event as {seq, kind, text, told}; told: {text, names} of each fact that is not quiet. */
  async entry(seq) {
    const number = Math.floor((seq - 1) / LENGTH);
    const from = number * LENGTH;
    const to = Math.min(from + LENGTH, this.#lines.total);
    const known = this.#windows.get(number);
    const window = known?.to === to ? known : { to, items: this.#fetched(from, to) };
    this.#windows.set(number, window);
    try {
      return (await window.items)[seq - from - 1];
    } catch (fault) {
      if (this.#windows.get(number) === window) this.#windows.delete(number);
      throw fault;
    }
  }

  async #fetched(from, to) {
    const query = { from, to, as: this.#viewer, lang: this.#language, ...this.#match.query() };
    const path = `/matches/${encodeURIComponent(this.#match.id)}/events`;
    return (await get(path, query)).items.map(entryOf);
  }
}

function entryOf({ seq, type, action, text, facts }) {
  return {
    seq,
    kind: [type, action?.type].filter(Boolean).join(" "),
    text,
    told: facts
      .filter((body) => !body.quiet && body.text)
      .map((body) => ({ text: body.text, names: new Set(textsIn(body.fact)) })),
  };
}

/** All texts in a value; of a reference that says what it is, `a7=card`, the part before. */
function* textsIn(value) {
  if (typeof value === "string") yield value.split("=")[0];
  else if (value && typeof value === "object") {
    for (const part of Object.values(value)) yield* textsIn(part);
  }
}
