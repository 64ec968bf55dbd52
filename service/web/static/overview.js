// A whole match at a glance: who acted when, what came, in which turn and phase, what is marked.

import { get } from "./api.js";
import { momentOf } from "./layout.js";
import { countOf, valueAt } from "./views.js";

const ACTION = "action_played";

/** The overview of one match for one viewer at a time. */
export class Overview {
  #setting;
  #viewer = null;
  #told = 0;
  #arrival = null;
  #columns = { actors: [], kinds: [], turns: [], phases: [] };
  #total = null;
  #paths = {};
  #counts = {};
  #marks = new Map();

  /** match: {id, query()}; lines: of the match; `changed` is called whenever more is known. */
  constructor({ match, lines, language, changed }) {
    this.#setting = { match, lines, language, changed };
  }

  /** Looks with the eyes of a viewer; what was told to the one before stays until more comes. */
  watch(viewer) {
    if (viewer === this.#viewer) return;
    this.#viewer = viewer;
    this.#told = 0;
    this.#arrival = null;
  }

  /** Resolves when all events are known that the match has by now. */
  async load() {
    for (let before = null; this.#told < this.#setting.lines.total && this.#told !== before; ) {
      before = this.#told;
      this.#arrival ??= this.#fetched(this.#viewer);
      await this.#arrival;
    }
  }

  /** Takes an action with which the match has gone on, and the view after it; else it is fetched. */
  grow({ seq, actor, type, action }, view) {
    if (type !== ACTION || view === null || seq !== this.#told + 1) return;
    const { round, turn, phase, step } = momentOf(view);
    this.#set(seq, [actor, kindOf({ type, action: action?.type }), { round, turn }, { phase, step }]);
    for (const [seat, path] of Object.entries(this.#paths)) {
      this.#counts[seat][seq] = countOf(valueAt(view, path));
    }
    this.#told = seq;
    this.#setting.changed();
  }

  /** The seat that acted with an event, `system` or null; undefined if it is not known yet. */
  actorAt(seq) {
    return this.#columns.actors[seq];
  }

  /** The type of an event, and of its action. */
  kindAt(seq) {
    return this.#columns.kinds[seq];
  }

  /** {round, turn, phase, step} behind an event, each null where there is none. */
  momentAt(seq) {
    const { turns, phases } = this.#columns;
    return { round: null, turn: null, phase: null, step: null, ...turns[seq], ...phases[seq] };
  }

  /** The zone whose cards are counted all along, null if the game names none. */
  get total() {
    return this.#total;
  }

  /** How many cards that zone of a seat holds behind an event; null or undefined before. */
  totalAt(seat, seq) {
    return this.#counts[seat]?.[seq];
  }

  /** Round and turn behind an event, as text; null before there is one. */
  turnAt(seq) {
    const { round, turn } = this.#columns.turns[seq] ?? {};
    const numbers = [round, turn].filter(Number.isInteger);
    return numbers.some((number) => number > 0) ? numbers.join(".") : null;
  }

  /** True if a turn begins with an event; what was struck decides nothing any more. */
  isTurn(seq) {
    const { lines } = this.#setting;
    const turn = this.turnAt(seq);
    return turn !== null && !lines.struckAt(seq) && turn !== this.turnAt(lines.previous(seq));
  }

  /** Backups, rulings and results of the live line, as {seq, kind, text}. */
  get marks() {
    return [...this.#marks.values()].filter(({ seq }) => !this.#setting.lines.struckAt(seq));
  }

  async #fetched(viewer) {
    const { match, language, changed } = this.#setting;
    const query = { as: viewer, lang: language, from: this.#told, ...match.query() };
    try {
      const told = await get(`/matches/${encodeURIComponent(match.id)}/overview`, query);
      const { to, stretches, total, paths } = told;
      if (viewer !== this.#viewer) return;
      this.#total = total;
      this.#paths = paths;
      stretches.forEach((stretch) => this.#take(stretch));
      this.#told = to;
      changed();
    } finally {
      if (viewer === this.#viewer) this.#arrival = null;
    }
  }

  #take({ index, actors, kinds, turns, phases, totals, marks }) {
    const named = { ...kinds, values: kinds.values.map(kindOf) };
    const columns = [actors, named, turns, phases].map(unrolled);
    columns[0].forEach((_, place) => this.#set(index + place + 1, columns.map((column) => column[place])));
    for (const [seat, runs] of Object.entries(totals)) {
      const counts = (this.#counts[seat] ??= []);
      unrolled(runs).forEach((count, place) => (counts[index + place + 1] = count));
    }
    for (const mark of marks) this.#marks.set(mark.seq, mark);
  }

  #set(seq, [actor, kind, turn, phase]) {
    const { actors, kinds, turns, phases } = this.#columns;
    [actors[seq], kinds[seq], turns[seq], phases[seq]] = [actor, kind, turn, phase];
  }
}

function kindOf({ type, action }) {
  return [type, action].filter(Boolean).join(" ");
}

/** The value of each event, from runs: number of a value, how often it follows, and again. */
function unrolled({ values, runs }) {
  const found = [];
  for (let place = 0; place < runs.length; place += 2) {
    for (let count = runs[place + 1]; count > 0; count -= 1) found.push(values[runs[place]]);
  }
  return found;
}
