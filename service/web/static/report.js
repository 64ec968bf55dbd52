// Shows a report of a verification in the ladder that the page brings along.

import { element, icon } from "./elements.js";
import { language, say } from "./words.js";

const $ = (id) => document.getElementById(id);
const { match, tones } = $("main").dataset;
const TONES = JSON.parse(tones);
const UNKNOWN = "none";
const NOTHING = say("report.unknown");
const SECOND = "2026-01-01T00:00:00".length;

/** Shows the report of a file instead of what is shown. */
export function showReport(report, name) {
  $("report-title").textContent = name;
  showOutcome(report);
  for (const rung of document.querySelectorAll("[data-check]")) {
    showRung(rung, report.checks[rung.dataset.check] ?? null, report);
  }
  markDifferences();
}

/** Marks in every pair of expected and found where the two part. */
export function markDifferences() {
  for (const pair of document.querySelectorAll(".compare:not([hidden])")) {
    const [expected, found] = pair.querySelectorAll("dd");
    const [one, other] = [expected.textContent, found.textContent];
    if (!one || !other) continue;
    const { from, tail } = sharedEnds(one, other);
    markPart(expected, from, tail);
    markPart(found, from, tail);
  }
}

function showOutcome(report) {
  const { overall, viewer } = report;
  $("report").dataset.tone = TONES[overall];
  $("overall").hidden = false;
  $("outcome").hidden = false;
  showBadge($("overall"), overall, say(`verdict.${overall}`));
  $("meaning").textContent = say(`meaning.${overall}`);
  $("summary").textContent = report.summary;
  $("as-of").textContent = report.as_of ? secondOf(report.as_of) : NOTHING;
  $("holder").textContent = viewer ? holderOf(viewer) : NOTHING;
  $("count").textContent = report.events;
  $("maker").textContent = say(`maker.${report.genuine}`);
  $("of-match").textContent = report.match ?? NOTHING;
  showNotes(report.notes);
  showFirstBad(report);
}

/** Says how many notes the file holds, which decide nothing. */
function showNotes({ count, damaged }) {
  $("file-notes").hidden = count === 0;
  $("file-notes").textContent = damaged
    ? say("report.notes_damaged", { count, damaged })
    : say("report.notes", { count });
}

/** Says where the first difference is: at an event, or at a line of what is no record. */
function showFirstBad(report) {
  const { overall, line, first_bad: seq } = report;
  const place = $("first-bad").querySelector(".event-at");
  $("first-bad").hidden = TONES[overall] !== "bad";
  showPlace(place, seq, report);
  if (line === null) return;
  place.hidden = false;
  place.textContent = say("report.line", { line });
}

function showRung(node, check, report) {
  const verdict = check?.verdict ?? UNKNOWN;
  const said = check && say(`said.${verdict === "failed" ? node.dataset.check : verdict}`);
  const [expected, found] = node.querySelectorAll("dd");
  node.dataset.tone = TONES[verdict];
  showBadge(node, verdict, say(`state.${verdict}`));
  node.querySelector(".said").textContent = said ?? "";
  node.querySelector(".own").textContent = check?.text ?? "";
  showPlace(node.querySelector(".event-at"), check?.seq ?? null, report);
  expected.textContent = check?.expected ?? "";
  found.textContent = check?.found ?? "";
  node.querySelector(".compare").hidden = !expected.textContent && !found.textContent;
}

/** Shows a verdict with its tone in the badge of a node. */
export function showBadge(node, verdict, text) {
  const badge = node.querySelector(".badge");
  badge.dataset.tone = TONES[verdict];
  badge.replaceChildren(icon(`tone-${TONES[verdict]}`), element("span", {}, text));
}

/** Names an event; it is a link if the report is about the match of the page. */
export function showPlace(node, seq, report) {
  node.hidden = seq === null;
  node.textContent = seq === null ? "" : say("report.event", { seq });
  node.removeAttribute("href");
  if (seq === null || report.match !== match) return;
  const query = new URLSearchParams({ at: seq - 1, as: report.viewer, lang: language });
  node.href = `/matches/${encodeURIComponent(match)}?${query}`;
}

function holderOf(viewer) {
  return viewer === "judge" || viewer === "spectator" ? say(`viewer.${viewer}`) : viewer;
}

function secondOf(moment) {
  return `${moment.slice(0, SECOND).replace("T", " ")} UTC`;
}

/** How many characters two texts share: `from` at their beginning, `tail` at their end. */
function sharedEnds(one, other) {
  const shortest = Math.min(one.length, other.length);
  let from = 0;
  while (from < shortest && one[from] === other[from]) from += 1;
  let tail = 0;
  while (tail < shortest - from && one.at(-1 - tail) === other.at(-1 - tail)) tail += 1;
  return { from, tail };
}

function markPart(node, from, tail) {
  const text = node.textContent;
  const to = text.length - tail;
  const part = element("mark", {}, text.slice(from, to));
  node.replaceChildren(text.slice(0, from), ...(from < to ? [part] : []), text.slice(to));
}
