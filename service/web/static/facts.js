// The facts of an event in words, with their rules; a computation shows its work as a sum.

import { button, element } from "./elements.js";
import { ruleChip, termNode } from "./rules.js";
import { say } from "./words.js";

/**
 * The facts of event `seq`. applied: how many; current: number of the one just applied, or null;
 * nameOf(fact, reference): the name of a card, or null; go(number), open(rule id): for clicks.
 */
export function factList(facts, setting) {
  const rows = facts.map((body, place) => ({ body, node: factRow(body, place + 1, setting) }));
  return element("ol", { class: "facts" }, ...folded(rows, setting.current));
}

/** Runs of quiet facts lie folded, unless the fact just applied is among them. */
function folded(rows, current) {
  const nodes = [];
  let fold = null;
  rows.forEach(({ body, node }, place) => {
    if (!body.quiet) {
      fold = null;
      nodes.push(node);
      return;
    }
    fold ??= foldInto(nodes);
    fold.list.append(node);
    fold.count.textContent = say("events.quiet", { count: fold.list.children.length });
    if (place + 1 === current) fold.details.open = true;
  });
  return nodes;
}

function foldInto(nodes) {
  const count = element("summary");
  const list = element("ol", { class: "facts" });
  const details = element("details", { class: "fold" }, count, list);
  nodes.push(element("li", {}, details));
  return { count, list, details };
}

function factRow(body, number, setting) {
  const work = body.fact ? workNodes(body.fact, setting) : [];
  return element(
    "li",
    { class: body.quiet ? "is-quiet" : null },
    stepButton(body, number, setting),
    ...work,
  );
}

function stepButton(body, number, { seq, applied, current, go }) {
  const isDone = number <= applied;
  const attributes = {
    class: isDone ? "fact" : "fact ahead",
    "data-key": `fact ${seq} ${number}`,
    "aria-current": number === current ? "step" : null,
  };
  return button(
    attributes,
    () => go(number),
    element("span", { class: "number" }, String(number)),
    element("span", {}, body.text || say("events.withheld_fact")),
    element("span", { class: "sr" }, isDone ? say("events.done") : say("events.ahead")),
  );
}

/** The sum of a computation with its rules, or the rules alone. */
function workNodes(fact, { nameOf, open }) {
  const sum = sumOf(fact);
  if (sum) return [sumNode(sum, { nameOf: (reference) => nameOf(fact, reference), open })];
  const rules = (fact.rules ?? []).map((id) => ruleChip(id, open));
  return rules.length ? [element("span", { class: "rules" }, ...rules)] : [];
}

/** The computation that a fact shows as {rows, total, rules}, or null. */
function sumOf(fact) {
  const { base: first, modifiers, total } = fact;
  if (Array.isArray(fact.trace)) return traceOf(fact);
  if (!Array.isArray(modifiers) || !Number.isInteger(first) || !Number.isInteger(total))
    return null;
  const base = { label: say("sum.base"), change: String(first), rules: [] };
  return { rows: [base, ...modifiers.map(modifierRow)], total, rules: fact.rules ?? [] };
}

function traceOf(fact) {
  const rows = fact.trace.map((entry) => ({
    label: null,
    source: entry.from ?? null,
    change: entry.amount === undefined || entry.amount === entry.value ? "" : signed(entry.amount),
    value: entry.value,
    rules: entry.rules ?? [],
  }));
  const told = new Set(rows.flatMap((row) => row.rules));
  return { rows, total: fact.total, rules: (fact.rules ?? []).filter((id) => !told.has(id)) };
}

function modifierRow(modifier) {
  const { source, amount, by, times, rule } = modifier;
  const change = times === undefined ? signed(amount ?? by) : `×${times}`;
  return {
    label: null,
    source: source ?? null,
    change,
    rules: modifier.rules ?? [rule].filter(Boolean),
  };
}

function signed(number) {
  return number < 0 ? `−${Math.abs(number)}` : `+${number}`;
}

function sumNode({ rows, total, rules }, { nameOf, open }) {
  const chips = (ids) => element("td", { class: "chips" }, ...ids.map((id) => ruleChip(id, open)));
  const line = (label, change, value, ids) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, label),
      element("td", { class: "num" }, change),
      value === undefined ? null : element("td", { class: "num" }, String(value)),
      chips(ids),
    );
  const body = rows.map((row) => line(labelOf(row, nameOf), row.change, row.value, row.rules));
  const isTrace = rows.some((row) => row.value !== undefined);
  const last = line(
    say("sum.total"),
    isTrace ? "" : String(total),
    isTrace ? total : undefined,
    [],
  );
  const cited = element(
    "tr",
    {},
    element("td", { class: "cited", colspan: 4 }, ...rules.map((id) => ruleChip(id, open))),
  );
  return element(
    "table",
    { class: "sum" },
    element("caption", { class: "sr" }, say("sum.title")),
    element("tbody", {}, ...body),
    element("tfoot", {}, last, rules.length ? cited : null),
  );
}

/** A row is named by the card that it comes from, else by the term of its first rule. */
function labelOf({ label, source, rules }, nameOf) {
  const name = label ?? (source === null ? null : nameOf(source));
  if (name) return name;
  return rules.length ? termNode(rules[0]) : "";
}
