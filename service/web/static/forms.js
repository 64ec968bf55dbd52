// Forms that change something: each is sent once, and what is refused is said at its field.

import { Refused } from "./api.js";
import { element } from "./elements.js";
import { saidAt, saidOf } from "./faults.js";
import { say } from "./words.js";

const SAID = "kifu.said";

/** What a form finds wrong by itself, at the field with a path. */
export class Faulty extends Error {
  constructor(path, text) {
    super(text);
    this.path = path;
  }
}

/**
 * Has `work(key)` done when a form is submitted; a form that is sent again unchanged has the same
 * key. What the API refuses is said at the field whose `data-path` begins its path, else at the end.
 */
export function onSubmit(form, work) {
  let sent = { content: null, key: null };
  form.noValidate = true;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (form.ariaBusy === "true") return;
    forgetFaults(form);
    if (!isFilledIn(form)) return;
    const content = JSON.stringify([...new FormData(form)]);
    if (content !== sent.content) sent = { content, key: crypto.randomUUID() };
    hold(form, true);
    try {
      await work(sent.key);
      sent = { content: null, key: null };
    } catch (fault) {
      hold(form, false);
      if (fault instanceof Faulty) refuseField(fieldAt(form, fault.path), fault.message);
      else if (fault instanceof Refused || fault instanceof TypeError) showFault(form, fault);
      else throw fault;
    }
  });
}

/** Lets a form be filled in again whose page stays. */
export function renew(form) {
  form.reset();
  hold(form, false);
}

/** Opens a page, or the present one again; there it is said what was done. */
export function goOn(text, address = null) {
  sessionStorage.setItem(SAID, text);
  if (address === null) location.reload();
  else location.assign(address);
}

/** Says in a node what was done on the page before. */
export function sayDone(node) {
  const text = sessionStorage.getItem(SAID);
  sessionStorage.removeItem(SAID);
  if (!text) return;
  node.hidden = false;
  node.append(text);
}

/** Marks a field as faulty. parts: what is said of it, nodes or texts. */
function markField(field, ...parts) {
  const id = `fault-${field.dataset.path}`;
  document.getElementById(id)?.remove();
  field.append(element("p", { class: "fault", id }, ...parts));
  for (const control of controlsIn(field)) {
    control.setAttribute("aria-invalid", "true");
    control.setAttribute("aria-errormessage", id);
  }
}

function hold(form, isHeld) {
  form.ariaBusy = String(isHeld);
  for (const control of form.querySelectorAll("button")) {
    control.setAttribute("aria-disabled", String(isHeld));
  }
}

/** True if every field holds what it must; else the first one that does not has the focus. */
function isFilledIn(form) {
  const faulty = [...form.elements].filter((one) => one.willValidate && !one.checkValidity());
  for (const control of faulty) {
    const field = control.closest("[data-path]");
    if (field) markField(field, say(control.validity.valueMissing ? "form.missing" : "form.wrong"));
  }
  faulty[0]?.focus();
  return faulty.length === 0;
}

function refuseField(field, text) {
  markField(field, text);
  controlsIn(field)[0].focus();
}

function forgetFaults(form) {
  for (const node of form.querySelectorAll(".fault, .form-fault")) node.remove();
  for (const node of form.querySelectorAll("[aria-invalid]")) {
    node.removeAttribute("aria-invalid");
    node.removeAttribute("aria-errormessage");
  }
}

function showFault(form, fault) {
  const problem = fault.problem ?? {};
  const unplaced = [];
  const marked = [];
  for (const path of Object.keys(problem.errors ?? {})) {
    const field = fieldAt(form, path);
    if (!field) unplaced.push(`${path}: `, ...saidAt(problem, path));
    else {
      markField(field, ...saidAt(problem, path));
      marked.push(field);
    }
  }
  if (marked.length === 0 || unplaced.length > 0) {
    const title = fault instanceof Refused ? fault.message : say("form.unreached");
    const parts = [...saidOf({ ...problem, title }), " ", ...unplaced];
    form.append(element("p", { class: "banner form-fault", role: "alert" }, ...parts));
  }
  if (marked.length > 0) controlsIn(marked[0])[0]?.focus();
}

function fieldAt(form, path) {
  const fields = [...form.querySelectorAll("[data-path]")].filter((one) => one.closest("[hidden]") === null);
  return fields.find(({ dataset }) => path === dataset.path || path.startsWith(`${dataset.path}.`));
}

function controlsIn(field) {
  return field.querySelectorAll("input, select, textarea");
}
