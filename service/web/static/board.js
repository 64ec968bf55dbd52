// Draws the table of any game from a layout: the viewer's own side at the bottom, the others above.

import { button, element, keepingFocus, seatMark } from "./elements.js";
import { shownIn } from "./layout.js";
import { tileNode } from "./tiles.js";
import { named, say, word } from "./words.js";

const BACKS_MAX = 8;
const KEPT_MAX = 2000;

/** display: of the ruleset; names: seat → name; pick: called with a tile or an open pile. */
export class Board {
  #root;
  #setting;
  #kept = new Map();
  #before = null;

  constructor(root, setting) {
    this.#root = root;
    this.#setting = setting;
  }

  /** Draws a layout; what differs from the layout `before` is marked, nothing if there is none. */
  draw(layout, { near, before }) {
    this.#before = before ? looksOf(before) : null;
    const far = Object.keys(layout.sides).filter((seat) => seat !== near);
    const sides = far.map((seat) => this.#side(seat, layout, { far: true }));
    const above = element("div", { class: "far-sides" }, ...sides);
    const parts = [above, this.#middle(layout), this.#side(near, layout, { far: false })];
    keepingFocus(this.#root, () => this.#root.replaceChildren(...parts));
  }

  #side(seat, layout, { far }) {
    const name = this.#setting.names[seat];
    const zones = layout.sides[seat];
    const beside = zones.filter((zone) => zone.rows > 1);
    const others = zones.filter((zone) => !beside.includes(zone));
    const strips = this.#strips(others, nameNode(seat, name, layout.acting === seat));
    const attributes = {
      class: far ? "side far" : "side near",
      "data-seat": seat,
      "aria-label": say("board.side", { seat, name }),
    };
    return element(
      "section",
      attributes,
      ...beside.map((zone) => this.#zone(zone)),
      element("div", { class: "main" }, ...(far ? turnedRound(strips) : strips)),
    );
  }

  /** Zones in their order: the first in a row of its own, then cards and small zones in turn. */
  #strips(zones, name) {
    const strips = [];
    let last = null;
    zones.forEach((zone, place) => {
      const kind = place === 0 ? "main-zone" : isSmall(zone) ? "piles" : zone.shown;
      if (last?.kind !== kind || (kind !== "piles" && kind !== "row")) {
        last = { kind, node: element("div", { class: `strip ${kind}` }) };
        strips.push(last);
      }
      last.node.append(this.#zone(zone));
    });
    const first = strips.find(({ kind }) => kind === "piles");
    if (first) first.node.prepend(name);
    else strips.push({ node: element("div", { class: "strip piles" }, name) });
    return strips.map(({ node }) => node);
  }

  #middle(layout) {
    const parts = momentTexts(layout.moment, this.#setting.display).map((text) =>
      element("span", {}, text),
    );
    const zones = layout.middle.filter((zone) => zone.count > 0 || this.#isChanged(zone));
    const strips = this.#strips(zones, element("p", { class: "moment" }, ...parts));
    return element("section", { class: "middle", "aria-label": say("board.middle") }, ...strips);
  }

  #zone(zone) {
    if (zone.shown === "pile" || zone.shown === "number") return this.#pile(zone);
    if (isUnseen(zone)) return this.#backs(zone);
    const items = zone.tiles.map((tile) => element("li", {}, this.#tile(tile)));
    const label = this.#label(zone);
    const list = element(
      "ol",
      { class: "tiles", "data-shown": zone.shown, "aria-label": label },
      ...items,
    );
    if (zone.shown === "grid") list.style.setProperty("--columns", zone.columns);
    if (items.length === 0) list.append(element("li", { class: "none" }, say("board.empty")));
    const node = element(
      "div",
      { class: zone.rows > 1 ? "zone zone-grid" : "zone" },
      element("p", { class: "zone-name" }, label, this.#deltaNode(zone)),
      list,
    );
    node.style.setProperty("--cards", items.length);
    return node;
  }

  /** The node of a tile; the one made before if it would look the same. */
  #tile(tile) {
    const changed = this.#isChanged(tile);
    const look = JSON.stringify([tile, changed]);
    if (!this.#kept.has(look)) {
      if (this.#kept.size >= KEPT_MAX) this.#kept.clear();
      this.#kept.set(look, tileNode(tile, { ...this.#setting, changed }));
    }
    return this.#kept.get(look);
  }

  #pile(zone) {
    const top = zone.open?.[0];
    const parts = [
      element("span", { class: "zone-name" }, this.#label(zone)),
      element("b", { class: "count" }, ` ${zone.count}`),
      this.#deltaNode(zone),
      top
        ? element("span", { class: "pile-top" }, named(this.#setting.cards[top.definition], "name"))
        : null,
    ];
    const attributes = {
      class: `pile${this.#difference(zone) ? " changed" : ""}`,
      "data-key": zone.key,
      "data-count": zone.count,
    };
    if (!top) return element("div", attributes, ...parts);
    return button(attributes, () => this.#setting.pick(zone), ...parts);
  }

  #backs(zone) {
    const kinds = zone.kinds.map((kind) => word(this.#setting.display.words.kind?.[kind], kind));
    const length = Math.min(zone.count, BACKS_MAX);
    const backs = Array.from({ length }, () => element("i", { "aria-hidden": "true" }));
    return element(
      "div",
      {
        class: `pile backs${this.#difference(zone) ? " changed" : ""}`,
        "data-count": zone.count,
      },
      element("span", { class: "zone-name" }, this.#label(zone)),
      ...backs,
      element("b", { class: "count" }, ` ${zone.count}`),
      this.#deltaNode(zone),
      kinds.length
        ? element("span", { class: "pile-top" }, kinds.join(say("board.between")))
        : null,
    );
  }

  #label(zone) {
    return word(this.#setting.display.zones[zone.zone], zone.zone);
  }

  #deltaNode(zone) {
    const difference = this.#difference(zone);
    if (difference === 0) return null;
    return element(
      "span",
      { class: "delta" },
      `${difference > 0 ? "+" : "−"}${Math.abs(difference)}`,
    );
  }

  #difference(zone) {
    const before = this.#before?.zones.get(zone.key);
    return before === undefined || zone.shown === "grid" ? 0 : zone.count - before;
  }

  #isChanged(part) {
    if (this.#before === null) return false;
    return part.tiles
      ? this.#difference(part) !== 0
      : this.#before.tiles.get(part.key) !== JSON.stringify(part);
  }
}

/** How many cards each zone of a layout holds, and what each tile looks like. */
function looksOf(layout) {
  const zones = new Map();
  const tiles = new Map();
  for (const [key, part] of shownIn(layout)) {
    if (part.tiles) zones.set(key, part.count);
    else tiles.set(key, JSON.stringify(part));
  }
  return { zones, tiles };
}

/** A far side ends where the table's middle is; like a near one it is read from its name on. */
function turnedRound(strips) {
  const named = strips.find((strip) => strip.querySelector(".side-name"));
  return [named, ...strips.filter((strip) => strip !== named).reverse()];
}

/** True for zones that need little room: piles, numbers, rows of which nothing is seen. */
function isSmall(zone) {
  return zone.shown === "pile" || zone.shown === "number" || isUnseen(zone);
}

function isUnseen({ shown, face, tiles }) {
  return shown === "row" && face !== "up" && tiles.every((tile) => !tile.definition);
}

function nameNode(seat, name, isActing) {
  return element(
    "h2",
    { class: "side-name" },
    seatMark(seat),
    element("strong", {}, name),
    isActing ? element("span", { class: "to-act" }, say("moment.to_act")) : null,
  );
}

/** What a moment is called, from the round to the step, as far as its view says. */
export function momentTexts({ round, turn, phase, step }, { words }) {
  return [
    round === null ? null : say("moment.round", { value: round }),
    turn === null ? null : say("moment.turn", { value: turn }),
    phase && word(words.phase?.[phase], phase),
    step && word(words.step?.[step], step),
  ].filter(Boolean);
}
