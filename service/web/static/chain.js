// Follows the chain of a record: each form to its seal, each event to the one before it
// (integrity 2; the same checks in the same order as `service/integrity/linking.py`).

import { encoded } from "./canonical.js";
import { bytesOf, hexOf, sha256, tagged } from "./digests.js";

const JUDGE = "judge";
const SPECTATOR = "spectator";
const OPENED = "match.match_opened.";
const TAKEN = "match.seat_taken.";
const PINNED = ["game", "edition", "engine", "rules_digest", "cards_digest"];
const DIGEST = /^[0-9a-f]{64}$/;
const HEX = /^([0-9a-f]{2})*$/i;
const EVENTS_AT_ONCE = 32;

/**
 * Checks that header, cards and names are those that the first event pinned: what is wrong,
 * {seq, reason, expected, found}, or null.
 */
export async function checkOpening({ header, cards, events }) {
  if (!events[0]?.header.type.startsWith(OPENED)) return { seq: 1, reason: "opened" };
  const [{ form }] = events;
  for (const name of PINNED) {
    const [expected, found] = [String(form[name]), String(header[name])];
    if (expected !== found) return { seq: 1, reason: "pinned", expected, found };
  }
  const digest = hexOf(await sha256(encoded(cards)));
  if (digest !== form.cards_digest)
    return { seq: 1, reason: "cards", expected: String(form.cards_digest), found: digest };
  return checkSeats(header, form.seats, events);
}

async function checkSeats(header, seats, events) {
  const names = Object.keys(seats ?? {}).sort();
  if (encoded(names) !== encoded(Object.keys(header.names).sort()))
    return { seq: 1, reason: "seats" };
  if (encoded(header.viewers) !== encoded([JUDGE, ...names, SPECTATOR]))
    return { seq: 1, reason: "viewers" };
  const recorded = Object.fromEntries(names.map((seat) => [seat, seats[seat]?.name ?? null]));
  for (const { header: of, form } of events) {
    if (of.type.startsWith(TAKEN)) recorded[form.seat] = form.name ?? null;
  }
  const named = Object.entries(header.names).map(([seat, text]) => [recorded[seat], text]);
  for (const [digest, text] of [...named, ...Object.entries(header.texts ?? {})]) {
    if (text !== null && (await digestOf(text)) !== digest) return { seq: 1, reason: "text" };
  }
  return null;
}

async function digestOf({ salt, body }) {
  return HEX.test(salt) ? tagged("kifu-text-v1", bytesOf(salt), body) : null;
}

/**
 * Checks every event: what is wrong with the first bad one, {rung, seq, reason, expected, found},
 * or null. rung: `seals` or `links`. breathe: told how many events of how many are checked.
 */
export async function checkEvents(record, breathe) {
  const { header, events } = record;
  let previous = await tagged("kifu-match-v1", header.origin, header.match);
  for (let from = 0; from < events.length; from += EVENTS_AT_ONCE) {
    await breathe(from, events.length);
    const some = events.slice(from, from + EVENTS_AT_ONCE);
    const before = [previous, ...some.map(({ hash }) => hash)];
    const found = await Promise.all(
      some.map((event, place) => checkEvent(record, from + place, before[place])),
    );
    const bad = found.find((one) => one !== null);
    if (bad) return bad;
    previous = before.at(-1);
  }
  return null;
}

async function checkEvent({ header: head, events }, place, previous) {
  const [event, seq] = [events[place], place + 1];
  const misplaced = misplacedIn(head, event.header, seq);
  if (misplaced) return { rung: "links", seq, ...misplaced };
  const unsealed = await unsealedIn(head.viewer, event);
  if (unsealed) return { rung: "seals", seq, ...unsealed };
  if (place > 0 && event.header.time < events[place - 1].header.time)
    return { rung: "links", seq, reason: "time" };
  const expected = await eventHash(previous, event);
  if (event.hash === expected) return null;
  return { rung: "links", seq, reason: "link", expected, found: event.hash };
}

function misplacedIn(head, header, seq) {
  const pairs = [
    [String(seq), String(header.seq)],
    [head.match, header.match],
    [head.edition, header.edition],
    [head.viewers.join(" "), header.viewers.join(" ")],
  ];
  const found = pairs.find(([expected, here]) => expected !== here);
  return found && { reason: "place", expected: found[0], found: found[1] };
}

async function unsealedIn(viewer, { header, form, salts, seals, hash }) {
  const held = viewer === JUDGE ? header.viewers : [viewer];
  const hasAll =
    encoded(Object.keys(seals).sort()) === encoded([...header.viewers].sort()) &&
    encoded(Object.keys(salts).sort()) === encoded([...held].sort());
  if (!hasAll) return { reason: "held" };
  if (![...Object.values(seals), hash].every((one) => DIGEST.test(one)))
    return { reason: "digest" };
  if (!HEX.test(salts[viewer])) return { reason: "salt" };
  const found = await sealOf(header, viewer, bytesOf(salts[viewer]), form);
  return found === seals[viewer] ? null : { reason: "seal", expected: seals[viewer], found };
}

/** H("kifu-form-v1", match, seq, viewer, salt, canonical form). */
function sealOf(header, viewer, salt, form) {
  return tagged("kifu-form-v1", header.match, String(header.seq), viewer, salt, encoded(form));
}

/** H("kifu-event-v1", previous hash, SHA-256 of the header, the seals in order). */
async function eventHash(previous, { header, seals }) {
  const inOrder = header.viewers.map((viewer) => bytesOf(seals[viewer]));
  const digest = await sha256(encoded(header));
  return tagged("kifu-event-v1", bytesOf(previous), digest, ...inOrder);
}
