// What a correction would change, beside its form; only what was seen beforehand can be sent.

import { Refused, send } from "./api.js";
import { bodyOf } from "./commands.js";
import { element } from "./elements.js";
import { faultNodes } from "./faults.js";
import { language, say } from "./words.js";

const SHARES = new Set(["omw", "oomw", "gw", "ogw", "wp", "ow", "oow"]);
const PER_CENT = 100;
const panel = document.getElementById("preview");
let latest = 0;

export function previewCorrections() {
  const form = document.querySelector("form.correction");
  if (!form) return;
  const choice = form.querySelector("select");
  const button = form.querySelector("button");
  choice.addEventListener("change", async () => {
    const asked = (latest += 1);
    button.disabled = true;
    if (!choice.value) return;
    try {
      const { kind, winner, games } = bodyOf(form);
      const found = await send(`${form.dataset.command}/preview`, { kind, winner, games });
      if (asked !== latest) return;
      panel.replaceChildren(...nodesOf(found));
      document.getElementById("rewind-field").hidden = !found.bracket?.undone.length;
      button.disabled = false;
    } catch (fault) {
      if (!(fault instanceof Refused)) throw fault;
      if (asked === latest) panel.replaceChildren(...faultNodes(fault));
    }
  });
  choice.dispatchEvent(new Event("change"));
}

function nodesOf({ standings, pairings, cuts, bracket }) {
  const names = JSON.parse(panel.dataset.names);
  const called = (players) => players.map((player) => names[player] ?? player).join(say("tournament.and"));
  const paired = pairings.map(({ round }) => round).join(say("tournament.and"));
  const notes = [
    ...(paired ? [say("tournament.pairings", { rounds: paired })] : []),
    ...cuts.map(({ before, after }) =>
      say("tournament.seeds", { before: called(before), after: called(after) }),
    ),
  ];
  if (bracket) {
    const { undone, repaired } = bracket;
    notes.push(say("tournament.bracket", { count: Object.keys(repaired).length }));
    if (undone.length) notes.push(say("tournament.undone", { count: undone.length }));
  }
  const moved = standings.length || bracket ? tableOf(standings, names) : [sameNode()];
  return [...moved, ...notes.map((text) => element("p", { class: "note warn" }, text))];
}

function sameNode() {
  return element("p", { class: "muted" }, say("tournament.same"));
}

/** The rows of the last round that changes: a row for each player, before and after. */
function tableOf(standings, names) {
  if (standings.length === 0) return [];
  const last = Math.max(...standings.map(({ round }) => round));
  const columns = JSON.parse(panel.dataset.columns).filter(({ label }) =>
    standings.some(({ after }) => label in after.values),
  );
  const heads = [say("tournament.who"), say("tournament.rank"), ...columns.map(headOf)];
  const rows = standings
    .filter(({ round }) => round === last)
    .sort((one, other) => one.after.rank - other.after.rank)
    .map((row) => rowOf(row, columns, names));
  return [
    element("h3", {}, say("tournament.after", { round: last })),
    element(
      "div",
      { class: "scroll", tabindex: 0, role: "group", "aria-label": say("tournament.after", { round: last }) },
      element(
        "table",
        { class: "table" },
        element("thead", {}, element("tr", {}, ...heads.map(headCell))),
        element("tbody", {}, ...rows),
      ),
    ),
  ];
}

function headOf({ label }) {
  return label === "points" ? say("tournament.points") : label.toUpperCase();
}

function headCell(text, place) {
  return element("th", { scope: "col", class: place > 0 && "num" }, text);
}

function rowOf({ player, before, after }, columns, names) {
  const move = Math.sign(before.rank - after.rank);
  const [sign, key] = { 1: ["↑", "tournament.up"], "-1": ["↓", "tournament.down"], 0: ["＝", "tournament.level"] }[move];
  const cells = columns.map(({ label, kind }) => {
    const [old, now] = [before, after].map(({ values }) => shown(values[label] ?? "0", kind));
    return element("td", { class: "num" }, old === now ? now : `${old} → ${now}`);
  });
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, names[player] ?? player),
    element(
      "td",
      { class: "num" },
      `${before.rank} → `,
      element("strong", {}, String(after.rank)),
      element("span", { "aria-hidden": "true" }, ` ${sign}`),
      element("span", { class: "sr" }, say(key)),
    ),
    ...cells,
  );
}

/** An exact value, `8/15`, as a table shows it. */
function shown(value, kind) {
  const [part, whole = 1] = value.split("/").map(Number);
  const found = part / whole;
  return SHARES.has(kind)
    ? `${(found * PER_CENT).toFixed(2)}%`
    : found.toLocaleString(language, { maximumFractionDigits: 2 });
}
