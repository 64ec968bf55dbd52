// Checks a record again from its bytes: no rule is known here, and what the service found is not
// used. Each rung says what came of it: {state, seq, reason, expected, found} or counts.

import { encoded } from "./canonical.js";
import { checkChance } from "./chance.js";
import { checkEvents, checkOpening } from "./chain.js";
import { concatenated, hexOf, joined, sha256, textBytes } from "./digests.js";
import { Malformed, readRecord } from "./record.js";

const JUDGE = "judge";
const VIEW_EVERY = 50;
const ED25519 = "Ed25519";
const KEY_PREFIX = "kifu-ed25519:";
const SIGNED_TAG = "kifu-signed-v1";

/**
 * Checks the bytes of a file: {header, events, notes, rungs}; header: null where there is none;
 * events, notes: how many; rungs: name → what came of it, without those behind the first bad one of
 * the chain. tell: as for `checkChance`; breathe: waited for now and then, told which share is done.
 */
export async function recheck(bytes, { tell, breathe }) {
  const rungs = {};
  let record;
  try {
    record = await readRecord(bytes, (done, of) => breathe(done / of / 2));
  } catch (fault) {
    if (!(fault instanceof Malformed)) throw fault;
    rungs.form = failed({ line: fault.line, reason: fault.message });
    return { header: null, events: 0, notes: 0, rungs };
  }
  const { header, events, notes } = record;
  rungs.form = good({ count: events.length });
  if (await checkChain(record, rungs, breathe)) {
    rungs.views = await viewsOf(record);
    rungs.statement = await statementOf(record);
    rungs.signature = await signatureOf(record);
    rungs.draws = await drawsOf(record, tell);
  }
  return { header, events: events.length, notes, rungs };
}

async function checkChain(record, rungs, breathe) {
  const opening = await checkOpening(record);
  rungs.opening = opening ? failed(opening) : good();
  if (opening) return false;
  const bad = await checkEvents(record, (done, of) => breathe((1 + done / of) / 2));
  const count = record.events.length;
  if (!bad || bad.rung === "links") rungs.seals = good({ count: bad ? bad.seq - 1 : count });
  if (!bad) rungs.links = good({ count });
  if (bad) rungs[bad.rung] = failed(bad);
  return !bad;
}

/** Checks the positions that a seat's or spectator's file shows; the judge's shows none. */
async function viewsOf({ header, events }) {
  if (header.viewer === JUDGE) return { state: "not checkable", reason: "judge" };
  let count = 0;
  for (const [place, { form, view }] of events.entries()) {
    const seq = place + 1;
    const isDue = seq % VIEW_EVERY === 0 || seq === events.length;
    if (view === undefined && isDue) return failed({ seq, reason: "view_missing" });
    if (view === undefined) continue;
    const [expected, found] = [String(form.position_hash), hexOf(await sha256(encoded(view)))];
    if (expected !== found) return failed({ seq, reason: "view", expected, found });
    count += 1;
  }
  return good({ count });
}

async function statementOf({ header, events, last, covered }) {
  if (last === null) return { state: "open", seq: events.length + 1, reason: "cut" };
  const { statement, digest } = last;
  const whole = concatenated([covered, textBytes(encoded(statement))]);
  const pairs = [
    ["statement", header.origin, statement.origin],
    ["statement", header.match, statement.match],
    ["statement", String(statement.events), String(events.length)],
    ["statement", statement.head, events.at(-1).hash],
    ["file_digest", digest, hexOf(await sha256(whole))],
  ];
  const differing = pairs.find(([, expected, found]) => expected !== found);
  const seq = Math.min(events.length, statement.events) + 1;
  if (!differing) return good({ count: events.length, time: statement.time });
  const [reason, expected, found] = differing;
  return failed({ seq, reason, expected, found });
}

async function signatureOf({ events, last }) {
  if (last === null) return { state: "open", reason: "cut" };
  const { statement, signature } = last;
  if (signature === null) return { state: "none", reason: "unsigned" };
  const said = joined(["statement", encoded(statement)]);
  const message = await sha256(concatenated([textBytes(SIGNED_TAG), new Uint8Array(1), said]));
  try {
    const raw = base64Bytes(signature.key.replace(KEY_PREFIX, ""));
    const key = await crypto.subtle.importKey("raw", raw, ED25519, false, ["verify"]);
    if (await crypto.subtle.verify(ED25519, key, base64Bytes(signature.signature), message))
      return good({ key: signature.key });
  } catch (fault) {
    if (fault.name === "NotSupportedError") return { state: "not checkable", reason: "ed25519" };
    if (!["DataError", "InvalidCharacterError"].includes(fault.name)) throw fault;
  }
  return failed({ seq: events.length, reason: "signature" });
}

async function drawsOf(record, tell) {
  const found = await checkChance(record, tell);
  if (found.reason) return failed(found);
  const { verdict: state, dice, shuffles } = found;
  return { state, dice, shuffles, isTold: tell !== null };
}

function base64Bytes(text) {
  return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
}

function good(fields = {}) {
  return { state: "good", ...fields };
}

function failed(fields) {
  return { state: "failed", ...fields };
}
