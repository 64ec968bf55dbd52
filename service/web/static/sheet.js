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
  openSheet(id, []);
  try {
    const rule = await ruleOf(id);
    if (title.textContent === id) openSheet(`${id} ${named(rule, "term")}`, ruleNodes(rule, openRule));
  } catch (fault) {
    openSheet(id, [element("p", {}, fault.message)]);
  }
}

/**
 * Shows a card of the board: its numbers and marks as they are now, what is printed, its text.
 * setting: {cards, display}, and below(tile), a node for what else there is, or null.
 */
export function openCard(tile, setting) {
  const { cards, display, below } = setting;
  const card = cards[tile.definition];
  const held = tile.inside ?? [];
  openSheet(fullName(card), [
    ...listNodes("card.now", stateOf(tile, display)),
    ...listNodes("card.printed", printedOn(card, display)),
    ...textNodes(card, display),
    ...held.flatMap((zone) => heldNodes(zone, setting)),
    ...[tile.reference ? below?.(tile) : null].filter(Boolean),
  ]);
}

export function openPile(zone, setting) {
  const { display } = setting;
  const nodes = pileNodes(zone.open, setting);
  openSheet(
    `${word(display.zones[zone.zone], zone.zone)} ${zone.count}`,
    nodes.length ? nodes : [element("p", {}, say("pile.empty"))],
  );
}

/** Closes the panel and gives the focus back; tells whether it was open. */
export function closeSheet() {
  if (panel.hidden) return false;
  panel.hidden = true;
  opener?.focus();
  return true;
}

/** Opens the panel with a title and nodes; it gets the focus. */
export function openSheet(text, nodes) {
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

function listNodes(heading, pairs) {
  if (pairs.length === 0) return [];
  const rows = pairs.map(([label, value]) =>
    element(
      "div",
      {},
      element("dt", {}, label),
      element("dd", {}, value === null ? "✓" : String(value)),
    ),
  );
  return [element("h3", {}, say(heading)), element("dl", { class: "state-list" }, ...rows)];
}

/** What a definition says of the counters of the display, at most one level deep. */
function printedOn(card, { counters }) {
  const fields = [
    card,
    ...Object.values(card).filter(
      (part) => part && typeof part === "object" && !Array.isArray(part),
    ),
  ];
  const valueOf = (counter) => fields.find((part) => Object.hasOwn(part, counter))?.[counter];
  return Object.keys(counters)
    .map((counter) => [word(counters[counter]), valueOf(counter)])
    .filter(([, value]) => Number.isInteger(value) || value === true)
    .map(([label, value]) => [label, value === true ? null : value]);
}

/** The text of a card, or the names of its abilities where it has none; then its keywords. */
function textNodes(card, { keywords }) {
  const abilities = [...(card.abilities ?? []), ...(card.effects ?? [])].map((ability) =>
    named(ability, "name"),
  );
  const short = (card.keywords ?? []).map((keyword) => word(keywords[keyword], keyword));
  const texts = [named(card, "text") || joined(abilities), joined(short)].filter(Boolean);
  if (texts.length === 0) return [];
  return [
    element("h3", {}, say("card.text")),
    ...texts.map((text) => element("p", { class: "rule-text" }, text)),
  ];
}

function joined(words) {
  return words.filter(Boolean).join(say("board.between"));
}

/** The cards that a card holds, under the name of their zone. */
function heldNodes(zone, setting) {
  const cards = pileNodes(zone.open ?? zone.tiles, setting);
  if (cards.length === 0) return [];
  return [element("h3", {}, word(setting.display.zones[zone.zone], zone.zone)), ...cards];
}

function pileNodes(tiles, setting) {
  const known = tiles.filter((tile) => tile.definition);
  const items = known.map((tile) =>
    element(
      "li",
      {},
      button(
        { class: "btn plain" },
        () => openCard(tile, setting),
        fullName(setting.cards[tile.definition]),
      ),
    ),
  );
  return items.length ? [element("ol", { class: "pile-list" }, ...items)] : [];
}
