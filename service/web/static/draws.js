// What comes of making draws again: seals against what was opened, results against streams.
// Verdicts: same, other, open (its root is not opened), hidden (the viewer is not shown it).

import { drawKey, rolled, rootCommitment, seedCommitment, shuffled } from "./fairness.js";

/** [key, verdict] of every root and seed: does what was opened fit what was sealed? */
export async function sealVerdicts(match, { periods, seals, seeds }) {
  const roots = periods.flatMap((period) =>
    ["open", "closed"].map(async (name) => {
      const root = period[name];
      const found = root && (await rootCommitment(match, name, root));
      return [`${name}/${period.since}`, verdictOf(root, found === period.sealed[name])];
    }),
  );
  const given = Object.entries(seals)
    .filter(([, sealed]) => sealed)
    .map(async ([seat, sealed]) => {
      const seed = seeds[seat];
      const found = seed && (await seedCommitment(match, seat, seed));
      return [`seed/${seat}`, verdictOf(seed, found === sealed)];
    });
  return Promise.all([...roots, ...given]);
}

/** The keys of each period: {since, open, closed}, null where the root is not opened. */
export function keysOf(match, seats, { periods, seeds }) {
  const given = seats.map((seat) => seeds[seat] ?? null);
  const keyOf = (root) => (root ? drawKey(root, match, given) : null);
  return Promise.all(
    periods.map(async ({ since, open, closed }) => ({
      since,
      open: await keyOf(open),
      closed: await keyOf(closed),
    })),
  );
}

/** [event/number, verdict] of the draws of events, as `/random` tells them. */
export function drawVerdicts(items, keys) {
  return Promise.all(
    items.flatMap(({ seq, draws, made }) => {
      const period = keys.findLast(({ since }) => since <= seq);
      return draws.map(async (draw, number) => [
        `${seq}/${number}`,
        await drawVerdict(draw, made[number], period),
      ]);
    }),
  );
}

async function drawVerdict(draw, made, period) {
  if (!made) return "hidden";
  const { label, root, before } = made;
  const isDie = "die" in draw;
  if (!isDie && !before) return "hidden";
  const key = period[root];
  if (!key) return "open";
  if (isDie) return verdictOf(key, (await rolled(key, label, draw.sides)) === draw.die);
  const order = await shuffled(key, label, before);
  return verdictOf(key, JSON.stringify(order) === JSON.stringify(draw.order));
}

function verdictOf(isOpened, isSame) {
  if (!isOpened) return "open";
  return isSame ? "same" : "other";
}
