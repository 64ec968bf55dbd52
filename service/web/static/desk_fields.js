// The fields of the position editor: reading them, and saying what is wrong at which of them.

import { element } from "./elements.js";
import { saidAt, saidOf } from "./faults.js";
import { isObject } from "./views.js";
import { say } from "./words.js";

const FIELDS = { position: "position", actions: "action", rng: "rng" };
const $ = (id) => document.getElementById(id);

/** A text that is not what a field wants; it has been said there. */
export class Unreadable extends Error {}

export function readAction() {
  return read("action", isObject, "adjudicate.not_object");
}

export function readPosition() {
  return read("position", isObject, "adjudicate.not_object");
}

/** The results of draws; none if the field is empty. */
export function readRng() {
  return $("rng").value.trim() ? read("rng", Array.isArray, "adjudicate.not_list") : [];
}

export function forgetFaults() {
  $("failure").hidden = true;
  $("shared").textContent = "";
  for (const name of Object.values(FIELDS)) {
    $(`${name}-fault`).hidden = true;
    $(name).removeAttribute("aria-invalid");
  }
}

/** Says what the API refuses at the field that it is about, else above all. */
export function showFault(fault) {
  const { errors = {} } = fault.problem;
  for (const place of Object.keys(errors)) {
    const field = FIELDS[place.split(".")[0]];
    const told = [element("code", {}, place), " ", ...saidAt(fault.problem, place)];
    if (field && !$("action-form").closest("[hidden]")) refuse(field, ...told);
    else showFailure(fault.message, " ", ...told);
  }
  if (Object.keys(errors).length === 0) showFailure(...saidOf({ ...fault.problem, title: fault.message }));
}

export function showFailure(...parts) {
  $("failure").replaceChildren(...parts);
  $("failure").hidden = false;
}

/** The JSON value of a field; throws `Unreadable`. */
function read(name, fits, otherwise) {
  let value;
  try {
    value = JSON.parse($(name).value);
  } catch {
    refuse(name, say("adjudicate.not_json"));
    throw new Unreadable(name);
  }
  if (fits(value)) return value;
  refuse(name, say(otherwise));
  throw new Unreadable(name);
}

function refuse(name, ...parts) {
  $(`${name}-fault`).replaceChildren(...parts);
  $(`${name}-fault`).hidden = false;
  $(name).setAttribute("aria-invalid", "true");
  if (name === "position") $("position-box").open = true;
  $(name).focus();
}
