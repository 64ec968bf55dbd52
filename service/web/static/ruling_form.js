// The form of a ruling: only what its kind needs; what a backup costs is shown before it is ordered.

import { Refused, get } from "./api.js";
import { element, seatMark } from "./elements.js";
import { FixForm } from "./fix_form.js";
import { Faulty } from "./forms.js";
import { say } from "./words.js";

const REST_MS = 300;
const FULL = "full_backup";
const BACKUP = "backup";
const FIX = "partial_fix";
let backupKind = FULL;

/** The parts of a list as somebody types it. */
export function listedIn(text) {
  return (text ?? "").split(/[\s,、]+/).filter(Boolean);
}

/** The body of a ruling from the form's data; throws `Faulty`. */
export function rulingOf(data) {
  const kind = data.get("kind");
  const more = listedIn(data.get("more_rules")).map((rule) => rule.toUpperCase());
  return {
    outcome: data.get("outcome"),
    kind: kind === BACKUP ? backupKind : kind,
    rules: [...new Set([...data.getAll("rules"), ...more])],
    text: textsOf(data),
    ...(data.has("authority") ? { authority: data.get("authority") } : {}),
    ...(data.has("release") ? { release: true } : {}),
    ...(data.has("rewind") ? { rewind: true } : {}),
    ...PARTS[kind]?.(data),
  };
}

const PARTS = {
  backup: (data) => ({ to: Number(data.get("to")) }),
  partial_fix: (data) => ({ facts: factsOf(data), shuffles: data.getAll("shuffles").flatMap(listedIn) }),
  penalty: (data) => ({ penalty: { seat: data.get("seat"), kind: data.get("penalty") } }),
  result_amendment: (data) => ({ winner: data.get("winner") || null }),
};

function textsOf(data) {
  const pairs = ["ja", "en"].map((name) => [name, (data.get(`text_${name}`) ?? "").trim()]);
  const given = pairs.filter(([, text]) => text);
  if (given.length === 0) throw new Faulty("text", say("form.missing"));
  return Object.fromEntries(given);
}

/** The facts that were put together, then those that were written down. */
function factsOf(data) {
  const ordered = JSON.parse(data.get("ordered") ?? "[]");
  const text = data.get("facts").trim();
  if (!text) return ordered;
  try {
    const facts = JSON.parse(text);
    if (Array.isArray(facts)) return [...ordered, ...facts];
  } catch (fault) {
    if (!(fault instanceof SyntaxError)) throw fault;
  }
  throw new Faulty("facts", say("dispute.no_list"));
}

/** Shows the fields of the chosen kind, and the cost of the backup that is asked for. */
export function watchRuling(form, match) {
  const { kind, outcome, to, ordered } = form.elements;
  const fix = ordered ? new FixForm(`${match}/fixes`) : null;
  let waiting = 0;
  const showCost = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => cost(form, match), REST_MS);
  };
  const show = () => {
    const isOpen = outcome.value === "undecided";
    if (isOpen) kind.value = "no_action";
    for (const option of kind.options) option.disabled = isOpen && option.value !== "no_action";
    for (const node of form.querySelectorAll("[data-kinds]")) {
      const isMeant = node.dataset.kinds.split(" ").includes(kind.value);
      node.hidden = !isMeant;
      node.disabled = !isMeant;
    }
    if (kind.value === BACKUP) showCost();
    if (kind.value === FIX) fix?.open();
  };
  form.addEventListener("change", (event) => {
    if ([kind, ...outcome].includes(event.target)) show();
  });
  to?.addEventListener("input", showCost);
  show();
}

async function cost(form, match) {
  const list = document.getElementById("cost");
  const fault = document.getElementById("cost-fault");
  const to = form.elements.to.value;
  try {
    const found = await get(`${match}/backup-cost`, { to });
    if (form.elements.to.value !== to) return;
    backupKind = found.kind;
    list.replaceChildren(...rowsOf(found, form.dataset.authorities.split(" ")));
    fault.hidden = true;
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    list.replaceChildren();
    fault.textContent = say("dispute.cost.impossible");
    fault.hidden = false;
  }
}

function rowsOf(found, authorities) {
  const isFull = found.kind === FULL;
  const mayOrder = !isFull || authorities.some((one) => one !== "judge");
  const drawn = Object.values(found.draws).reduce((sum, count) => sum + count, 0);
  const learned = Object.entries(found.learned ?? {}).flatMap(([seat, count]) => [
    seatMark(seat),
    ` ${say("dispute.cost.cards", { count })}  `,
  ]);
  const needs = say(isFull ? "dispute.cost.full" : "dispute.cost.simple");
  const missing = mayOrder ? null : element("strong", {}, say("dispute.cost.not_yours"));
  return [
    row("undone", say("dispute.cost.counts", { events: found.events, actions: found.actions })),
    row("draws", drawn ? String(drawn) : say("dispute.cost.none")),
    row("learned", ...learned),
    row("needs", needs, " ", missing),
  ];
}

function row(name, ...parts) {
  const label = element("dt", {}, say(`dispute.cost.${name}`));
  return element("div", {}, label, element("dd", {}, ...parts));
}
