// Sets up a position without writing JSON: the moment, what lies in a zone, and any card.

import { get } from "./api.js";
import {
  cardsIn,
  moved,
  placeOf,
  takesCards,
  valuesOf,
  withCard,
  withField,
  withNew,
  withValue,
  without,
  zonesOf,
} from "./editing.js";
import { button, element } from "./elements.js";
import { closeSheet, openCard } from "./sheet.js";
import { namesIn } from "./views.js";
import { named, say, word } from "./words.js";

const MOMENT = {
  round: "edit.round",
  turn: "edit.turn",
  phase: "edit.phase",
  step: "edit.step",
  active: "edit.active",
};

/**
 * root: where its fields stand; ruleset: the path of the game; changed(position): called with what
 * somebody has set up.
 */
export class Editor {
  #setting;
  #shown = null;
  #zone = null;
  #cards = null;

  constructor(root, { display, ruleset, changed }) {
    this.#setting = { root, display, ruleset, changed };
  }

  /** Offers a position to be changed; told: {seats, cards} of the answer that it is from. */
  show(position, { seats, cards }) {
    const order = Object.keys(seats).sort();
    const zones = zonesOf(this.#setting.display.board, order);
    const nameOf = namesIn(position, cards);
    this.#shown = { position, order, zones, cards, nameOf };
    this.#draw();
  }

  /** What can be changed of a card of the board, as a node; null for one inside another. */
  nodeOf(tile) {
    const { position, zones } = this.#shown;
    const place = placeOf(position, zones, tile.reference);
    if (!place) return null;
    const box = element("section", { class: "stack edit" });
    const parts = [this.#which(tile, place), ...this.#values(place), this.#whither(place)];
    box.append(element("h3", {}, say("edit.card")), ...parts);
    return box;
  }

  #draw() {
    const { order, position, zones } = this.#shown;
    const { root } = this.#setting;
    if (order.length === 0) {
      root.replaceChildren(element("p", { class: "muted" }, say("edit.no_table")));
      return;
    }
    const moment = Object.keys(MOMENT).map((name) => this.#momentField(name)).filter(Boolean);
    this.#zone = zones.find(({ key }) => key === this.#zone?.key) ?? zones[0];
    const choose = select(
      zones.map((zone) => [zone.key, `${this.#zoneName(zone)} ${cardsIn(position, zone).length}`]),
      this.#zone.key,
      (key) => {
        this.#zone = zones.find((zone) => zone.key === key);
        this.#draw();
      },
    );
    root.replaceChildren(
      element("div", { class: "edit-moment" }, ...moment),
      field(say("edit.zone"), choose),
      this.#cardList(),
      this.#adding(),
    );
  }

  #momentField(name) {
    const { position, order } = this.#shown;
    const value = position[name];
    const words = this.#setting.display.words[name] ?? {};
    const change = (made) => this.#change(withField(position, name, made));
    const label = say(MOMENT[name]);
    if (Number.isInteger(value)) return field(label, numberInput(value, change));
    const values = order.includes(value) ? order : Object.keys(words);
    if (!values.includes(value)) return null;
    const pairs = values.map((one) => [one, word(words[one], one)]);
    return field(label, select(pairs, value, change));
  }

  #cardList() {
    const { position, cards, nameOf } = this.#shown;
    const { display } = this.#setting;
    const items = cardsIn(position, this.#zone).map(({ reference }) => {
      const definition = nameOf(reference);
      const tile = { reference, definition, numbers: [], marks: [] };
      const below = (one) => this.nodeOf(one);
      const open = () => openCard(tile, { display, cards, below });
      const name = definition ? named(cards[definition], "name") : reference;
      const known = button({ class: "btn plain", "data-key": `edit/${reference}` }, open, name);
      return element("li", {}, definition ? known : name);
    });
    if (items.length === 0) return element("p", { class: "small muted" }, say("edit.empty"));
    return element("ol", { class: "edit-cards" }, ...items);
  }

  #adding() {
    const { position, zones, order } = this.#shown;
    if (!takesCards(position, this.#zone)) return "";
    const add = (definition) => {
      const made = withNew(position, this.#zone, definition, { zones, seats: order });
      if (made) this.#change(made);
    };
    return field(say("edit.add"), this.#definitions(null, add));
  }

  #which(tile, place) {
    const { position, order } = this.#shown;
    const change = (definition) => this.#change(withCard(position, place, definition, order));
    return field(say("edit.which"), this.#definitions(tile.definition, change));
  }

  #values(place) {
    const { counters } = this.#setting.display;
    return valuesOf(place).map(({ counter, path, value }) => {
      const change = (made) => this.#change(withValue(this.#shown.position, place, path, made));
      const label = word(counters[counter], counter);
      if (typeof value === "boolean") return flag(label, value, change);
      return field(label, numberInput(value, change));
    });
  }

  #whither(place) {
    const { position, zones } = this.#shown;
    const others = zones.filter((zone) => zone.key !== place.zone.key && takesCards(position, zone));
    const pairs = others.map((zone) => [zone.key, this.#zoneName(zone)]);
    const move = (key) => {
      this.#change(moved(position, place, others.find((zone) => zone.key === key)));
    };
    const remove = () => this.#change(without(position, place));
    return element(
      "div",
      { class: "row end" },
      field(say("edit.move"), select([["", say("edit.here")], ...pairs], "", move)),
      button({ class: "btn" }, remove, say("edit.remove")),
    );
  }

  /** A choice of all cards of the pool; they are asked for when somebody first wants them. */
  #definitions(chosen, changed) {
    const { cards } = this.#shown;
    const nameOf = (id, definitions) => [
      [named(definitions[id], "title"), named(definitions[id], "name")].filter(Boolean).join(" "),
      id,
    ];
    const pairs = (definitions) =>
      Object.keys(definitions)
        .map((id) => [id, nameOf(id, definitions).join(" · ")])
        .sort(([, one], [, other]) => one.localeCompare(other));
    const first = chosen ? [] : [["", say("edit.choose")]];
    const node = select([...first, ...pairs(this.#cards ?? cards)], chosen ?? "", changed);
    const fill = async () => {
      this.#cards ??= (await get(`${this.#setting.ruleset}/cards`)).definitions;
      node.replaceChildren(...options([...first, ...pairs(this.#cards)], chosen ?? ""));
    };
    if (!this.#cards) node.addEventListener("focus", () => fill().catch(() => {}), { once: true });
    return node;
  }

  #zoneName({ zone, seat }) {
    const name = word(this.#setting.display.zones[zone], zone);
    return seat ? `${seat} ${name}` : name;
  }

  #change(position) {
    closeSheet();
    this.#setting.changed(position);
  }
}

function field(label, input) {
  return element("label", { class: "field" }, element("span", { class: "label" }, label), input);
}

function flag(label, value, changed) {
  const input = element("input", { type: "checkbox", checked: value });
  input.addEventListener("change", () => changed(input.checked));
  return element("label", { class: "edit-flag" }, input, " ", label);
}

function numberInput(value, changed) {
  const input = element("input", { type: "number", step: "1", value: String(value) });
  input.addEventListener("change", () => {
    if (Number.isInteger(input.valueAsNumber)) changed(input.valueAsNumber);
  });
  return input;
}

function select(pairs, chosen, changed) {
  const node = element("select", {}, ...options(pairs, chosen));
  node.addEventListener("change", () => {
    if (node.value) changed(node.value);
  });
  return node;
}

function options(pairs, chosen) {
  return pairs.map(([value, text]) =>
    element("option", { value, selected: value === chosen }, text),
  );
}
