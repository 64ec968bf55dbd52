// Draws one card as a tile: name, numbers, marks, how it lies, what it holds.

import { button, element, icon } from "./elements.js";
import { named, say, word } from "./words.js";

const WITH_ICON = new Set([
  "act",
  "acted",
  "barrier",
  "charge",
  "cores",
  "critical",
  "damage",
  "fuel",
  "hearts",
  "mods",
  "poison",
  "power",
  "rank",
  "rot",
  "rotation",
  "seal",
  "shield",
  "sleep",
  "stack",
  "stun",
  "substitute",
  "summoned",
  "sword",
  "ticks",
]);
const EDGES_MAX = 3;

/** A tile of a layout as a node. pick: called with the tile when it is chosen. */
export function tileNode(tile, { display, cards, changed, pick }) {
  if (tile.gap) return gapNode(tile, changed);
  const card = cards[tile.definition];
  const face = card ? faceOf(tile, card, display) : backOf(tile, display);
  const chosen = card
    ? button({ class: "face", "data-key": tile.key }, () => pick(tile), ...face)
    : element("span", { class: "face" }, ...face);
  if (changed) chosen.append(spoken(say("board.changed")));
  const held = tile.inside?.filter((zone) => zone.shown !== "pile" && zone.tiles.length > 0) ?? [];
  return element(
    "div",
    attributesOf(tile, { card, changed }),
    chosen,
    ...held.map((zone) => heldNode(zone, { display, cards, pick })),
  );
}

/** What a tile shows beside its name, in words: [label, value or null], each label once. */
export function stateOf(tile, display) {
  const label = (counter) => word(display.counters[counter], counter);
  const pairs = [
    ...tile.numbers.map((number) => [label(number.counter), numberText(number)]),
    ...tile.marks.map((mark) => [label(mark), null]),
    ...lyingOf(tile, display).map((state) => [state.text, null]),
    ...(tile.inside ?? []).map((zone) => [word(display.zones[zone.zone], zone.zone), zone.count]),
  ];
  return pairs.filter(([text], place) => pairs.findIndex(([other]) => other === text) === place);
}

/** One of a few tints for the field of a definition that the display names as its art. */
function tintOf(art) {
  const colours = ["white", "blue", "green", "red", "black", "none"];
  if (art === null || art === "" || colours.includes(art)) return art || null;
  const sum = [...art].reduce((total, sign) => total + sign.codePointAt(0), 0);
  return `tint-${/^\d+$/.test(art) ? Number(art) % 6 : sum % 6}`;
}

function attributesOf(tile, { card, changed }) {
  const lies = [
    tile.turned && "turned",
    tile.covered && "covered",
    card || "back",
    changed && "changed",
  ];
  return {
    class: ["tile", ...lies.filter((name) => typeof name === "string")].join(" "),
    "data-art": tile.covered ? null : tintOf(tile.art),
    "data-under":
      Math.min(EDGES_MAX, tile.inside?.find((zone) => zone.shown === "pile")?.count ?? 0) || null,
  };
}

function gapNode(tile, changed) {
  return element(
    "div",
    { class: `gap${changed ? " changed" : ""}` },
    slotNode(tile),
    spoken(say("board.empty")),
  );
}

function faceOf(tile, card, display) {
  const title = named(card, "title");
  const numbers = tile.numbers.map((number) =>
    countNode(number.counter, display, numberText(number)),
  );
  const marks = tile.marks.map((mark) => countNode(mark, display, null));
  return [
    headNode(tile, display),
    title ? element("span", { class: "title" }, title) : null,
    element("span", { class: "name" }, named(card, "name")),
    element("span", { class: "numbers" }, ...marks, ...numbers),
  ].filter(Boolean);
}

function backOf(tile, display) {
  return [headNode(tile, display), spoken(say("board.hidden"))].filter(Boolean);
}

function headNode(tile, display) {
  const states = lyingOf(tile, display);
  if (!tile.slot && states.length === 0) return null;
  const words = states.map((state) =>
    element("span", { class: "state" }, icon(state.icon), state.text),
  );
  return element("span", { class: "head" }, slotNode(tile), ...words);
}

function slotNode(tile) {
  return tile.slot ? element("span", { class: "slot" }, String(tile.slot)) : null;
}

/** How a card lies, unless one of its marks says so already. */
function lyingOf(tile, display) {
  const ways = [
    ["turned", tile.turned],
    ["covered", tile.covered],
  ];
  return ways
    .filter(([, path]) => path && !tile.marks.includes(path))
    .map(([way, path]) => ({
      icon: way === "turned" ? "turned" : "down",
      text: word(display.counters[path], say(`board.${way}`)),
    }));
}

function numberText({ value, of }) {
  const shown = String(value).replace("-", "−");
  return of === null ? shown : say("board.of", { value: shown, of });
}

function countNode(counter, display, text) {
  const label = word(display.counters[counter], counter);
  const shown = WITH_ICON.has(counter)
    ? [icon(counter), spoken(label)]
    : [element("span", { class: "label" }, label)];
  return element(
    "span",
    { class: text === null ? "mark" : "number", title: label },
    ...shown,
    text === null ? null : ` ${text}`,
  );
}

function heldNode(zone, { display, cards, pick }) {
  const label = word(display.zones[zone.zone], zone.zone);
  const items = zone.tiles.map((tile) => element("li", {}, heldCard(tile, cards, pick)));
  return element("ul", { class: "held", "aria-label": label }, ...items);
}

function heldCard(tile, cards, pick) {
  const card = cards[tile.definition];
  if (!card) return element("span", { class: "chip" }, say("board.hidden"));
  return button({ class: "chip", "data-key": tile.key }, () => pick(tile), named(card, "name"));
}

function spoken(text) {
  return element("span", { class: "sr" }, ` ${text} `);
}
