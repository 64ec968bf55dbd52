// The side panel: the text of a rule, a card, or the cards of an open pile.

import { button, element } from "./elements.js";
import { ruleNodes, ruleOf } from "./rules.js";
import { stateOf } from "./tiles.js";
import { named, say, word } from "./words.js";

const panel = document.getElementById("sheet");
const title = document.getElementById("sheet-title");
const body = document.getElementById("sheet-body");
let opener = null;

export async function openRule(id) {
  show(id, []);
  try {
    const rule = await ruleOf(id);
    if (title.textContent === id) show(`${id} ${named(rule, "term")}`, ruleNodes(rule, openRule));
  } catch (fault) {
    show(id, [element("p", {}, fault.message)]);
  }
}

/** Shows a card of the board as it is now: its numbers in words, then its text. */
export function openCard(tile, { cards, display }) {
  const card = cards[tile.definition];
  const state = stateOf(tile, display).map(([label, value]) => element("div", {}, element("dt", {}, label), element("dd", {}, value === null ? "✓" : String(value))));
  const below = (tile.inside ?? []).flatMap((zone) => pileNodes(zone.open ?? zone.tiles, { cards, display }));
  show(fullName(card), [
    state.length ? element("h3", {}, say("card.now")) : null,
    state.length ? element("dl", { class: "state-list" }, ...state) : null,
    ...textNodes(card),
    ...below,
  ].filter(Boolean));
}

export function openPile(zone, { cards, display }) {
  const nodes = pileNodes(zone.open, { cards, display });
  show(`${word(display.zones[zone.zone], zone.zone)} ${zone.count}`, nodes.length ? nodes : [element("p", {}, say("pile.empty"))]);
}

/** Closes the panel and gives the focus back; tells whether it was open. */
export function closeSheet() {
  if (panel.hidden) return false;
  panel.hidden = true;
  opener?.focus();
  return true;
}

function show(text, nodes) {
  if (panel.hidden) opener = document.activeElement;
  title.textContent = text;
  body.replaceChildren(...nodes);
  panel.hidden = false;
  panel.scrollTop = 0;
  title.focus({ preventScroll: true });
}

function fullName(card) {
  return [named(card, "title"), named(card, "name")].filter(Boolean).join(" ");
}

/** The text of a card, and the names of its abilities where it has no text. */
function textNodes(card) {
  const abilities = [...(card.abilities ?? []), ...(card.effects ?? [])].map((ability) => named(ability, "name")).filter(Boolean);
  const text = named(card, "text") || abilities.join(say("board.between"));
  return text ? [element("h3", {}, say("card.text")), element("p", { class: "rule-text" }, text)] : [];
}

function pileNodes(tiles, setting) {
  const known = tiles.filter((tile) => tile.definition);
  const items = known.map((tile) => element("li", {}, button({ class: "btn plain" }, () => openCard(tile, setting), fullName(setting.cards[tile.definition]))));
  return items.length ? [element("ol", { class: "pile-list" }, ...items)] : [];
}
