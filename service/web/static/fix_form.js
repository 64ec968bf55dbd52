// A partial fix put together: a kind of fact, its fields as choices, each sentence before it counts.

import { Refused, send } from "./api.js";
import { button, element, icon, keepingFocus } from "./elements.js";
import { faultNodes } from "./faults.js";
import { say } from "./words.js";

const REST_MS = 250;
const NAMED = new Set(["from", "to"]);
const $ = (id) => document.getElementById(id);

export class FixForm {
  #path;
  #facts = [];
  #items = [];
  #item = null;
  #chosen = {};
  #fact = null;
  #latest = 0;
  #waiting = 0;

  /** path: where the API tells what facts say and what could follow. */
  constructor(path) {
    this.#path = path;
    $("fix-kind").addEventListener("change", () => this.#pick(Number($("fix-kind").value)));
    $("fix-add").addEventListener("click", () => this.#order([...this.#facts, this.#fact]));
  }

  /** Asks what can be given; what was put together before stays. */
  open() {
    if (this.#items.length === 0) this.#order(this.#facts);
  }

  async #order(facts) {
    const found = await this.#asked(facts, $("fix-list-fault"));
    if (!found) return;
    this.#facts = facts;
    this.#items = found.items;
    $("fix-ordered").value = JSON.stringify(facts);
    $("fix-list").replaceChildren(...found.told.map(({ text }, at) => this.#row(text, at)));
    $("fix-list").hidden = facts.length === 0;
    $("fix-kind").replaceChildren(...found.items.map(({ text }, at) => element("option", { value: at }, text)));
    this.#showShuffles(found.shuffles);
    this.#pick(0);
  }

  #row(text, at) {
    const remove = () => this.#order(this.#facts.filter((_, place) => place !== at));
    const label = say("dispute.fix.remove", { text });
    const drop = button({ class: "btn icon", "aria-label": label, title: label }, remove, icon("cross"));
    return element("li", {}, element("span", {}, text), drop);
  }

  #showShuffles(shuffles) {
    if ($("fix-shuffles").childElementCount > 1) return;
    const choices = shuffles.map(({ name, text }) => {
      const box = element("input", { type: "checkbox", name: "shuffles", value: name });
      return element("label", { class: "choice" }, box, element("span", {}, text));
    });
    $("fix-shuffles").append(...choices);
    $("fix-shuffles").hidden = shuffles.length === 0;
  }

  #pick(at) {
    this.#item = this.#items[at] ?? null;
    this.#chosen = {};
    this.#draw();
  }

  /** Draws the fields of the kind; one that follows from those before it is not asked for. */
  #draw() {
    const root = $("fix-fields");
    keepingFocus(root, () => root.replaceChildren(...this.#nodes()));
    clearTimeout(this.#waiting);
    $("fix-add").disabled = true;
    $("fix-said").replaceChildren();
    if (this.#fact) this.#waiting = setTimeout(() => this.#foresee(), REST_MS);
  }

  #nodes() {
    const nodes = [];
    this.#fact = null;
    if (!this.#item) return nodes;
    let left = this.#item.entries;
    for (const field of this.#item.fields) {
      const { name } = field;
      const chooser = left[0].choose?.[name];
      if (chooser?.max !== undefined) {
        nodes.push(this.#boxes(field, chooser));
        continue;
      }
      const values = distinct(left.flatMap((entry) => offeredBy(entry, name)));
      if (values.length > 1) nodes.push(this.#select(field, values));
      else [this.#chosen[name]] = values;
      left = left.filter((entry) => isAmong(offeredBy(entry, name), this.#chosen[name]));
    }
    this.#fact = this.#made(left[0]);
    return nodes;
  }

  /** The fact that an entry is with what was chosen, null while too little is. */
  #made({ choose = {}, ...fact }) {
    for (const [field, { min, max }] of Object.entries(choose)) {
      const value = this.#chosen[field];
      if (max !== undefined && (value.length < min || value.length > max)) return null;
      fact[field] = value;
    }
    return fact;
  }

  #select(field, values) {
    const { name } = field;
    if (!isAmong(values, this.#chosen[name])) [this.#chosen[name]] = values;
    const options = values.map((value, at) => {
      const selected = isSame(value, this.#chosen[name]);
      return element("option", { value: at, selected }, textOf(field, value, values));
    });
    const id = `fix-field-${name}`;
    const select = element("select", { id, "data-key": name }, ...options);
    select.addEventListener("change", () => {
      this.#chosen[name] = values[Number(select.value)];
      this.#draw();
    });
    return element("div", { class: "field" }, element("label", { for: id }, labelOf(field)), select);
  }

  #boxes(field, { from, min, max }) {
    const { name } = field;
    const known = (this.#chosen[name] ??= []);
    this.#chosen[name] = from.filter((value) => isAmong(known, value));
    const boxes = from.map((value, at) => {
      const checked = isAmong(this.#chosen[name], value);
      const box = element("input", { type: "checkbox", checked, "data-key": `${name}.${at}` });
      box.addEventListener("change", () => {
        const others = this.#chosen[name].filter((one) => !isSame(one, value));
        this.#chosen[name] = box.checked ? [...others, value] : others;
        this.#draw();
      });
      return element("label", { class: "choice" }, box, element("span", {}, textOf(field, value, from)));
    });
    const count = min === max ? String(min) : `${min}–${max}`;
    const legend = element("legend", {}, say("dispute.fix.some", { field: labelOf(field), count }));
    return element("fieldset", { class: "fix-boxes" }, legend, element("div", { class: "choices" }, ...boxes));
  }

  /** Says the fact that is put together, and whether it could be ordered so. */
  async #foresee() {
    const fact = this.#fact;
    const found = await this.#asked([...this.#facts, fact], $("fix-fault"));
    if (!found || fact !== this.#fact) return;
    $("fix-said").replaceChildren(found.told.at(-1).text);
    $("fix-add").disabled = false;
  }

  /** The answer of the API, null if it refused or something else was asked meanwhile. */
  async #asked(facts, place) {
    const asked = (this.#latest += 1);
    try {
      const found = await send(this.#path, { facts });
      if (asked !== this.#latest) return null;
      showFaults(place, found.fault ? unsound(found.fault) : []);
      return found;
    } catch (fault) {
      if (!(fault instanceof Refused)) throw fault;
      if (asked === this.#latest) showFaults(place, faultNodes(fault));
      return null;
    }
  }
}

function unsound(fault) {
  return [element("p", { class: "note warn" }, say("dispute.fix.unsound"), " ", fault)];
}

function showFaults(place, nodes) {
  place.replaceChildren(...nodes);
  place.hidden = nodes.length === 0;
}

function labelOf({ name, kind }) {
  return say(`dispute.fix.field.${NAMED.has(name) ? name : (kind ?? "other")}`);
}

/** A value in words; where others of those shown are called alike, with its id. */
function textOf(field, value, shown) {
  const called = (one) => field.values.find((known) => isSame(known.value, one)).text;
  const text = called(value);
  const isAlone = shown.filter((one) => called(one) === text).length === 1;
  return isAlone ? text : `${text} ${[value].flat().join(" ")}`;
}

/** The values of a field that an entry leaves open, or the one that it has. */
function offeredBy(entry, name) {
  return entry.choose?.[name]?.from ?? [entry[name]];
}

function isAmong(values, value) {
  return values.some((one) => isSame(one, value));
}

function distinct(values) {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

function isSame(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}
