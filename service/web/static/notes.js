// The notes on events of a match that are meant for who looks, as far as the match is shown to him.

import { Refused, get, send } from "./api.js";

const AT_ONCE = 500;
const NOT_FOUND = 404;

export class Notes {
  #setting;
  #path;
  #viewer = null;
  #until = 0;
  #found = new Map();

  /** Whether notes are missing because they could not be fetched. */
  isMissing = false;

  /** setting: {match, lines, changed()}; changed: there are other notes now. */
  constructor(setting) {
    this.#setting = setting;
    this.#path = `/matches/${encodeURIComponent(setting.match.id)}/notes`;
  }

  /** The notes on an event, the oldest first. */
  at(seq) {
    return this.#found.get(seq) ?? [];
  }

  /** The events with notes, as {seq, count}. */
  counts() {
    return [...this.#found].map(([seq, notes]) => ({ seq, count: notes.length }));
  }

  /** Fetches what a viewer may read: all of it once; without spoilers as far as was watched. */
  async watch(viewer) {
    const { match, lines, changed } = this.#setting;
    if (viewer !== this.#viewer) {
      this.#viewer = viewer;
      this.#until = 0;
      this.#found.clear();
    }
    const from = this.#until;
    if (lines.total <= from) return;
    this.#until = match.isSpoilerFree ? lines.total : Infinity;
    try {
      await this.#fetch(viewer, from);
      this.isMissing = false;
    } catch {
      this.isMissing = true;
      if (viewer === this.#viewer) this.#until = from;
    }
    changed();
  }

  /** Writes a note {seq, audience, body}. key: of the command, so that it is written once. */
  async write(note, key) {
    this.#keep(await send(this.#path, note, { key }));
    this.#setting.changed();
  }

  async remove(note) {
    try {
      await send(`${this.#path}/${note.id}`, null, { method: "DELETE" });
    } catch (fault) {
      if (!(fault instanceof Refused) || fault.problem.status !== NOT_FOUND) throw fault;
    }
    this.#drop(note);
    this.#setting.changed();
  }

  async #fetch(viewer, from) {
    const query = { as: viewer, from, limit: AT_ONCE, ...this.#setting.match.query() };
    let page = { next: null };
    do {
      page = await get(this.#path, page.next ? { ...query, after: page.next } : query);
      if (viewer !== this.#viewer) return;
      page.items.forEach((note) => this.#keep(note));
    } while (page.next);
  }

  #keep(note) {
    const others = this.at(note.seq).filter(({ id }) => id !== note.id);
    this.#found.set(note.seq, [...others, note]);
  }

  #drop({ seq, id }) {
    const others = this.at(seq).filter((note) => note.id !== id);
    if (others.length > 0) this.#found.set(seq, others);
    else this.#found.delete(seq);
  }
}
