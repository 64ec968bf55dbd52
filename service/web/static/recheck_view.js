// Shows what came of checking a record in this browser: a rung for each check, then all together.

import { markDifferences, showBadge, showPlace } from "./report.js";
import { say } from "./words.js";

const $ = (id) => document.getElementById(id);
const TONES = JSON.parse($("main").dataset.tones);
const UNKNOWN = "none";
const SECOND = "2026-01-01T00:00:00".length;

/** Shows that a record is being checked. */
export function showChecking(name) {
  $("recheck").hidden = false;
  $("recheck").dataset.tone = TONES[UNKNOWN];
  $("recheck-overall").hidden = true;
  $("recheck-notes").hidden = true;
  $("recheck-progress").hidden = false;
  $("rungs").hidden = false;
  showShare(0);
  showRungs({ rungs: {}, header: null });
  $("recheck-status").textContent = say("recheck.checking", { name });
}

/** Shows how far it is, from 0 to 1. */
export function showShare(share) {
  $("recheck-progress").value = share;
}

/** Shows what was found; tells how it looks all in all: `good`, `open` or `failed`. */
export function showFound(found, name) {
  const states = Object.values(found.rungs).map(({ state }) => state);
  const overall = ["failed", "open"].find((state) => states.includes(state)) ?? "good";
  const count = found.events;
  showRungs(found);
  markDifferences();
  $("recheck-progress").hidden = true;
  $("recheck").dataset.tone = TONES[overall];
  $("recheck-overall").hidden = false;
  showBadge($("recheck-overall"), overall, say(`recheck.overall.${overall}`));
  $("recheck-status").textContent = say(`recheck.outcome.${overall}`, { name, count });
  $("recheck-notes").hidden = found.notes === 0;
  $("recheck-notes").textContent = say("report.notes", { count: found.notes });
}

/** Says that the browser computes no hashes here. */
export function showInsecure() {
  $("recheck").hidden = false;
  $("recheck-status").textContent = say("recheck.insecure");
}

/** Shows that nothing could be found out. */
export function showFailure(reason) {
  $("recheck-progress").hidden = true;
  $("recheck-status").textContent = say("recheck.failed", { reason });
}

function showRungs({ rungs, header }) {
  for (const node of document.querySelectorAll("[data-rung]")) {
    const name = node.dataset.rung;
    showRung(node, name, rungs[name] ?? { state: UNKNOWN }, header);
  }
}

function showRung(node, name, found, header) {
  const { state, seq, line, expected = "", found: here = "", key = "" } = found;
  const [expectedNode, foundNode] = node.querySelectorAll("dd");
  node.dataset.tone = TONES[state];
  showBadge(node, state, say(`state.${state}`));
  node.querySelector(".said").textContent = said(name, found);
  node.querySelector(".key").textContent = key;
  showPlace(node.querySelector(".event-at"), seq ?? null, header ?? {});
  if (line) showLine(node.querySelector(".event-at"), line);
  expectedNode.textContent = expected;
  foundNode.textContent = here;
  node.querySelector(".compare").hidden = !expected && !here;
}

function showLine(node, line) {
  node.hidden = false;
  node.textContent = say("report.line", { line });
}

function said(name, found) {
  const { state, reason } = found;
  if (state === "failed") return say(`recheck.bad.${reason}`);
  if (state === UNKNOWN && !reason) return "";
  if (name === "draws") return drawn(found);
  const time = found.time && `${found.time.slice(0, SECOND).replace("T", " ")} UTC`;
  return say(`recheck.good.${reason ?? name}`, { ...found, time });
}

/** Who had a say in the draws, and how many of them were made again. */
function drawn({ state, dice, shuffles, isTold }) {
  const who = say(`said.${state}`);
  if (dice + shuffles === 0) return who;
  return `${who} ${say(isTold ? "recheck.made.all" : "recheck.made.dice", { dice, shuffles })}`;
}
