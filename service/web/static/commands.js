// Forms that send one command each: where to and what is said then is in their attributes, what is
// sent in their fields.

import { send } from "./api.js";
import { goOn, onSubmit } from "./forms.js";

const NUMBERS = /\d+/g;

/** Has every form below a root send the command that its attributes name. */
export function sendForms(root) {
  for (const form of root.querySelectorAll("form.command")) {
    onSubmit(form, async (key) => {
      const { command, method, done, then } = form.dataset;
      const answer = await send(command, bodyOf(form), { method, key });
      const address = (then ?? "").replace(/\{(\w+)\}/g, (_, name) => answer[name]);
      goOn(done, address || null);
    });
    form.hidden = false;
  }
}

/** What a form sends. A name `sitting.p1` is entry `p1` of `sitting`; a field that is empty is left out. */
export function bodyOf(form) {
  const body = {};
  const order = [];
  for (const field of form.elements) {
    if (field.dataset.as === "order") order.push(field);
    else if (field.name) place(body, field);
  }
  if (order.length > 0) {
    order.sort((one, other) => Number(one.value) - Number(other.value));
    body.order = order.map((field) => field.dataset.player);
  }
  const phases = phasesOf(form);
  return phases.length > 0 ? { ...body, phases } : body;
}

function place(body, field) {
  const value = field.dataset.phase === undefined ? valueOf(field) : undefined;
  if (value === undefined) return;
  const { name } = field;
  const dot = name.indexOf(".");
  if (name === ".") Object.assign(body, value);
  else if (field.dataset.as === "item") (body[name] ??= []).push(value);
  else if (dot > 0) (body[name.slice(0, dot)] ??= {})[name.slice(dot + 1)] = value;
  else body[name] = value;
}

function valueOf(field) {
  const kind = field.dataset.as;
  if (kind === "flag") return field.checked;
  if (field.type === "checkbox" && !field.checked) return undefined;
  const text = field.value.trim();
  if (text === "") return undefined;
  if (kind === "number") return Number(text);
  if (kind === "json") return JSON.parse(text);
  if (kind === "numbers") return (text.match(NUMBERS) ?? []).map(Number);
  return kind === "deck" ? deckOf(text) : text;
}

function deckOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The phases of a new tournament; one without a format is none. */
function phasesOf(form) {
  const phases = [];
  for (const { name, value, dataset } of form.elements) {
    if (dataset?.phase === undefined) continue;
    (phases[Number(dataset.phase)] ??= {})[name] = value;
  }
  return phases.filter(({ format }) => format).map(phaseOf);
}

function phaseOf({ format, rounds, best_of: best, top }) {
  const phase = { format, best_of: Number(best) };
  if (format === "swiss" && rounds) phase.rounds = Number(rounds);
  if (top) phase.cut = { top: Number(top) };
  return phase;
}
