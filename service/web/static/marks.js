// The marks of a match that one jumps by: turns, backups, rulings, disputes, notes, the result.

import { get } from "./api.js";
import { momentTexts } from "./board.js";
import { totalText } from "./curves.js";
import { say } from "./words.js";

export class Marks {
  #setting;
  #disputes = [];

  /** setting: {match, overview, lines, notes, display}. */
  constructor(setting) {
    this.#setting = setting;
  }

  /** Fetches the disputes of the match, if one may know of them. */
  async loadDisputes() {
    const { match } = this.#setting;
    if (!match.knowsDisputes) return;
    this.#disputes = (await get(`/matches/${encodeURIComponent(match.id)}/disputes`)).items;
  }

  /** The marks but those of turns, as {seq, kind, text}, in their order. */
  signs() {
    const disputes = this.#disputes.map(({ seq, state }) => ({
      seq,
      kind: "dispute",
      text: say(`match.dispute.${state}`),
    }));
    const notes = this.#setting.notes.counts().map(({ seq, count }) => ({
      seq,
      kind: "note",
      text: say("notes.count", { count }),
    }));
    const signs = [...disputes, ...notes, ...this.#setting.overview.marks];
    return signs.sort((one, other) => one.seq - other.seq);
  }

  /** The numbers of the events with which turns begin. */
  *turns() {
    const { overview, lines } = this.#setting;
    for (let seq = 1; seq <= lines.total; seq += 1) if (overview.isTurn(seq)) yield seq;
  }

  /** All marks for a list: the signs, then the turns. */
  all() {
    const turns = [...this.turns()].map((seq) => ({ seq, kind: "turn", text: this.#turnText(seq) }));
    return [...this.signs(), ...turns];
  }

  #turnText(seq) {
    const { match, overview, display } = this.#setting;
    const { round, turn } = overview.momentAt(seq);
    const moment = momentTexts({ round, turn, phase: null, step: null }, display).join(" ");
    const total = totalText({ overview, seats: match.seats, display, seq });
    return [moment, total].filter(Boolean).join(say("board.between"));
  }
}
