// The marks of a match that one jumps by: turns, backups, rulings, disputes, the result.

import { get } from "./api.js";
import { momentTexts } from "./board.js";
import { momentOf } from "./layout.js";
import { turnOf } from "./moves.js";
import { say } from "./words.js";

const RULINGS = new Set(["corrected", "result_amended", "match_reopened"]);
const RESULTS = new Set(["match_closed", "match_cancelled"]);

export class Marks {
  #setting;
  #disputes = [];
  #turns = new WeakMap();

  /** setting: {match, frames, lines, display}. */
  constructor(setting) {
    this.#setting = setting;
  }

  /** Fetches the disputes of the match, if one may know of them. */
  async loadDisputes() {
    const { match } = this.#setting;
    if (!match.knowsDisputes) return;
    this.#disputes = (await get(`/matches/${encodeURIComponent(match.id)}/disputes`)).items;
  }

  /** The marks of what is here by now, as {seq, kind, text}, in their order. */
  all() {
    const found = this.#disputes.map(({ seq, state }) => ({
      seq,
      kind: "dispute",
      text: say(`match.dispute.${state}`),
    }));
    found.push(...this.#setting.frames.events.flatMap((event) => this.#of(event)));
    return found.sort((one, other) => one.seq - other.seq);
  }

  /** The marks of an event of the live line; what was struck decides nothing any more. */
  #of(event) {
    const { seq, type, text } = event;
    if (this.#setting.lines.struckAt(seq)) return [];
    if (type === "backed_up") return [{ seq, kind: "backup", text }];
    if (RULINGS.has(type)) return [{ seq, kind: "ruling", text }];
    if (RESULTS.has(type)) return [{ seq, kind: "result", text }];
    const turn = this.#turnAt(seq);
    const before = this.#turnAt(this.#setting.lines.previous(seq));
    return turn?.key && before && turn.key !== before.key
      ? [{ seq, kind: "turn", text: turn.text }]
      : [];
  }

  /** The turn after an event as {key, text}, worked out once; null if the event is not here. */
  #turnAt(seq) {
    const { frames, display } = this.#setting;
    const event = frames.event(seq);
    if (!event) return seq === 0 ? { key: null } : null;
    if (!this.#turns.has(event)) {
      const view = frames.position({ index: seq, step: 0 });
      this.#turns.set(event, { key: turnOf(view), text: turnText(view, display) });
    }
    return this.#turns.get(event);
  }
}

function turnText(view, display) {
  const { round, turn } = momentOf(view);
  return momentTexts({ round, turn, phase: null, step: null }, display).join(" ");
}
