// What a record tells of its draws: are seeds and roots those that were sealed, and does every die
// follow from them? (integrity 5; as `service/integrity/chance.py`)

import { encoded } from "./canonical.js";
import { drawVerdicts, keysOf, sealVerdicts } from "./draws.js";
import { rolled } from "./fairness.js";

const SECRET = /^[0-9a-f]{64}$/;

/**
 * Checks the draws of a record whose chain holds: {verdict, dice, shuffles}, or what is wrong,
 * {seq, reason, expected, found}. tell: gives what `/random` tells from one index up to another,
 * from which shuffles are made again; null where nobody can be asked.
 */
export async function checkChance(record, tell) {
  const told = toldBy(record);
  if (told === null) return { verdict: "supplied", dice: 0, shuffles: 0 };
  const { match, viewers, names } = record.header;
  const unopened = told.opened.find(({ secret }) => !SECRET.test(secret));
  const seals = await sealVerdicts(match, told);
  const bad = seals
    .filter(([, verdict]) => verdict === "other")
    .map(([key]) => ({ seq: told.places[key], reason: "secret" }));
  if (unopened) bad.push({ seq: unopened.seq, reason: "secret" });
  if (bad.length > 0) return bad.reduce((one, other) => (other.seq < one.seq ? other : one));
  const seats = viewers.filter((viewer) => Object.hasOwn(names, viewer));
  const keys = await keysOf(match, seats, told);
  const thrown = await checkDice(record, keys);
  if (thrown.reason) return thrown;
  const made = tell ? await checkTold(record, keys, tell) : { shuffles: 0 };
  if (made.reason) return made;
  return { verdict: verdictOf(told, seats), dice: thrown.dice, shuffles: made.shuffles };
}

/** The roots, seeds and seals in a record, as `/random` tells them; null: the draws came along. */
function toldBy({ events }) {
  const [{ form: opening }] = events;
  if (!opening.roots) return null;
  const told = { periods: [], seals: {}, seeds: {}, places: {}, opened: [] };
  const begin = (since, sealed) => told.periods.push({ since, sealed, open: null, closed: null });
  begin(1, opening.roots);
  const readers = {
    seat_readied: ({ seat, seed_commitment: sealed }) => (told.seals[seat] = sealed),
    seed_opened: ({ seat, seed }, seq) => {
      told.seeds[seat] = seed;
      told.places[`seed/${seat}`] = seq;
      told.opened.push({ seq, secret: told.seals[seat] ? seed : null });
    },
    match_reopened: ({ roots }, seq) => begin(seq, roots ?? {}),
    secrets_opened: ({ open, closed }, seq) => {
      const period = told.periods.at(-1);
      if (period.open) return;
      Object.assign(period, { open, closed });
      const given = closed === null ? [open] : [open, closed];
      for (const secret of given) told.opened.push({ seq, secret });
      for (const name of ["open", "closed"]) told.places[`${name}/${period.since}`] = seq;
    },
  };
  for (const { header, form } of events) readers[nameOf(header)]?.(form, header.seq);
  return told;
}

/** Throws every die that is shown again; its label counts them: {dice}, or what is wrong. */
async function checkDice({ events }, keys) {
  const counts = [{}];
  let dice = 0;
  for (const { header, form } of events) {
    const before = counts[nameOf(header) === "backed_up" ? form.to : header.seq - 1];
    if (!before) return { seq: header.seq, reason: "backup" };
    const behind = { ...before };
    const { open } = keys.findLast(({ since }) => since <= header.seq);
    for (const { die, sides } of diceOf(form)) {
      const name = `die/${sides}`;
      const count = behind[name] ?? 0;
      behind[name] = count + 1;
      if (open === null) continue;
      const expected = await rolled(open, `${name}/${count}`, sides);
      if (expected !== die)
        return { seq: header.seq, reason: "die", expected: String(expected), found: String(die) };
      dice += 1;
    }
    counts.push(behind);
  }
  return { dice };
}

function diceOf({ draws }) {
  return (Array.isArray(draws) ? draws : []).filter((draw) => draw?.sides > 0);
}

/** Makes the shuffles again from what the service says was shuffled: the same for them. */
async function checkTold({ events }, keys, tell) {
  let shuffles = 0;
  for (let at = 0; at < events.length; ) {
    const { items, to } = await tell(at, events.length);
    const strange = items.find(
      ({ seq, draws }) => encoded(draws) !== encoded(events[seq - 1]?.form.draws ?? null),
    );
    if (strange) return { seq: strange.seq, reason: "told" };
    const verdicts = await drawVerdicts(items, keys);
    const other = verdicts.find(([, verdict]) => verdict === "other");
    if (other) return { seq: Number.parseInt(other[0], 10), reason: "shuffle" };
    const isSame = new Map(verdicts);
    for (const { seq, draws } of items) {
      shuffles += draws.filter(
        (draw, number) => draw?.order && isSame.get(`${seq}/${number}`) === "same",
      ).length;
    }
    at = Math.max(to, at + 1);
  }
  return { shuffles };
}

function verdictOf({ periods, seeds }, seats) {
  if (periods.some(({ open, closed }) => open === null || closed === null)) return "closed";
  const count = Object.keys(seeds).length;
  if (count === seats.length) return "joint";
  return count > 0 ? "mixed" : "server";
}

function nameOf({ type }) {
  return type.split(".")[1];
}
