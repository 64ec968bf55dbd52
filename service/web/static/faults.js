// Why the API refused something: in the language of the page where it can be said, else in English.

import { element } from "./elements.js";
import { say } from "./words.js";

/** What is wrong at a place: for each text of the API a node or a text, in order. */
export function saidAt({ errors, reasons = {} }, path) {
  return errors[path].flatMap((text, at) => {
    const own = reasons[path]?.[at];
    return own ? [own, " "] : [say("form.wrong"), " ", inEnglish(text), " "];
  });
}

/** What is said of a problem as a whole: its title, then why. */
export function saidOf({ title, reason, detail }) {
  if (reason) return [title, " ", reason];
  return detail ? [title, " ", inEnglish(detail)] : [title];
}

/** A refusal as paragraphs, for a place that is no form. */
export function faultNodes(fault) {
  const { errors = {} } = fault.problem;
  const parts = Object.keys(errors).map((path) => saidAt(fault.problem, path));
  const whole = saidOf({ ...fault.problem, title: fault.message });
  return [whole, ...parts].map((nodes) => element("p", { class: "note warn" }, ...nodes));
}

function inEnglish(text) {
  return element("span", { class: "small", lang: "en" }, text);
}
