// The lines of a match: what a judge's backup struck stays in the record, beside what was played on.

/**
 * The lines of a match of `total` events, which may grow. struck: stretches of struck events, each
 * {from, to, backup}, their numbers and that of the event that struck them.
 */
export class Lines {
  #backups;

  /** backups: [{seq, to}], the number of each backup's event and the index it went back to. */
  constructor(backups, total) {
    this.#backups = [...backups].sort((one, other) => one.seq - other.seq);
    this.total = total;
    this.struck = this.#struck();
  }

  /** The match goes on by an event. */
  grow({ seq, type, parent }) {
    this.total = Math.max(this.total, seq);
    if (type !== "backed_up" || this.backupAt(seq)) return;
    this.#backups.push({ seq, to: parent });
    this.struck = this.#struck();
  }

  backupAt(seq) {
    return this.#backups.find((backup) => backup.seq === seq) ?? null;
  }

  struckAt(seq) {
    return this.struck.find(({ from, to }) => from <= seq && seq <= to) ?? null;
  }

  /** The index that follows: on the live line the next live one, on a struck one the next number. */
  next(index) {
    const jump = this.struck.find(({ from }) => from === index + 1);
    return Math.min(jump ? jump.backup : index + 1, this.total);
  }

  /** The index that comes before. A struck line goes back to where it left the live one. */
  previous(index) {
    return this.backupAt(index)?.to ?? Math.max(index - 1, 0);
  }

  /** What lies between the stretches of the live line. */
  #struck() {
    const live = this.#live();
    return live.slice(1).map(({ after }, place) => ({
      from: live[place].to + 1,
      to: after,
      backup: after + 1,
    }));
  }

  /** The live line as stretches {after, to} of event numbers, in their order. */
  #live() {
    const found = [];
    let { total: to } = this;
    for (const backup of this.#backups.toReversed()) {
      if (backup.seq > to) continue;
      found.unshift({ after: backup.seq - 1, to });
      to = backup.to;
    }
    return [{ after: 0, to }, ...found];
  }
}
