// What is left open in a listed action (FORMAT 8), as buttons; what is chosen makes an action.

import { button, element } from "./elements.js";
import { say } from "./words.js";

/** The action that a template is with these values; what was not chosen is taken from the front. */
export function instanceOf({ choose, ...fixed }, chosen = {}) {
  const free = Object.entries(choose).filter(([, chooser]) => !chooser.by);
  const made = { ...fixed };
  for (const [field, chooser] of free) made[field] = chosen[field] ?? firstOf(chooser);
  for (const [field, chooser] of Object.entries(choose)) {
    if (chooser.by) made[field] = sharedOut(chooser, made[chooser.by]);
  }
  return made;
}

/** Buttons for each field that is chosen freely. changed(action): called with what they make. */
export function choiceNodes(template, { label, changed }) {
  const chosen = {};
  const fields = Object.entries(template.choose).filter(([, chooser]) => !chooser.by);
  return fields.map(([field, chooser]) => {
    chosen[field] = firstOf(chooser);
    const buttons = chooser.from.map((value) =>
      button({ class: "btn", "aria-pressed": "false" }, () => pick(value), label(value)),
    );
    const mark = () => {
      const values = isList(chooser) ? chosen[field] : [chosen[field]];
      chooser.from.forEach((value, place) => {
        buttons[place].setAttribute("aria-pressed", String(values.includes(value)));
      });
    };
    const pick = (value) => {
      chosen[field] = isList(chooser) ? toggled(chosen[field], value, chooser) : value;
      mark();
      changed(instanceOf(template, chosen));
    };
    mark();
    const name = isList(chooser)
      ? say("adjudicate.choose_some", { field, count: rangeOf(chooser) })
      : say("adjudicate.choose", { field });
    const group = element("div", { role: "group", "aria-label": name }, ...buttons);
    return element("div", { class: "choices-of" }, element("p", { class: "small" }, name), group);
  });
}

function rangeOf({ min, max }) {
  return min === max ? String(min) : `${min}–${max}`;
}

function isList({ min }) {
  return min !== undefined;
}

function firstOf(chooser) {
  return isList(chooser) ? chooser.from.slice(0, chooser.min) : chooser.from[0];
}

/** A value more or less in a list; of a full list the oldest one goes. */
function toggled(list, value, { max }) {
  if (list.includes(value)) return list.filter((one) => one !== value);
  return [...list, value].slice(-max);
}

/** What a field holds that goes with the elements of another one: a sum or a value for each. */
function sharedOut({ sum, from }, elements) {
  if (sum === undefined) {
    return elements.map((one) => (Array.isArray(from) ? from : from[one])[0]);
  }
  const rest = sum - elements.length + 1;
  return Object.fromEntries(elements.map((one, place) => [one, place === 0 ? rest : 1]));
}
