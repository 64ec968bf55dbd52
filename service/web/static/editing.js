// Changes a position, as the board shows it: which card lies somewhere, what it has, where it lies.
// Only forms are known here, no game; what the rules think of the outcome the engine says.

import { elementsOf, fieldOf, isObject, referenceOf, valueAt } from "./views.js";

const OF_DEFINITION = "card.";

/** The zones of a board that hold cards, as [{key, zone, seat or null, path, kind, isPile}]. */
export function zonesOf(board, seats) {
  const made = (zone, seat) => ({
    key: `${seat ?? ""}/${zone.zone}`,
    zone: zone.zone,
    seat,
    path: zone.path.replaceAll("{player}", seat),
    kind: board.tiles[zone.tile ?? "card"],
    isPile: zone.shown === "pile",
  });
  const holding = (zone) => zone.shown !== "number";
  return [
    ...seats.flatMap((seat) => board.side.filter(holding).map((zone) => made(zone, seat))),
    ...board.middle.filter(holding).map((zone) => made(zone, null)),
  ];
}

/** The cards of a zone, the first one first, as [{zone, reference, key, item}]. */
export function cardsIn(position, zone) {
  return elementsOf(valueAt(position, zone.path))
    .map((element) => ({ zone, ...element, reference: referenceOf(zone.kind.card, element) }))
    .filter(({ reference }) => typeof reference === "string");
}

/** Where a card lies: {zone, reference, key, item}; undefined for one inside another. */
export function placeOf(position, zones, reference) {
  const all = zones.flatMap((zone) => cardsIn(position, zone));
  return all.find((place) => place.reference === reference);
}

/** True if a card can be put into a zone as it is: the zone is a list of references. */
export function takesCards(position, zone) {
  return Array.isArray(valueAt(position, zone.path)) && [zone.kind.card].flat().includes(".");
}

/** What a card has of its own: [{counter, path, value}], whole numbers, and true or false. */
export function valuesOf({ zone, item, key }) {
  const { numbers = [], marks = [], turned, covered } = zone.kind;
  const flags = [turned, covered].filter(Boolean).map((path) => ({ counter: path, path }));
  const found = [...numbers, ...marks, ...flags]
    .filter(({ path }) => !path.startsWith(OF_DEFINITION) && path !== "." && path !== "key")
    .map(({ counter, path }) => ({ counter, path, value: fieldOf(path, { item, key }) }))
    .filter(({ value }) => Number.isInteger(value) || typeof value === "boolean");
  return found.filter(({ path }, at) => found.findIndex((other) => other.path === path) === at);
}

/** The position with another card in a place. */
export function withCard(position, place, definition, seats) {
  const made = structuredClone(position);
  const item = valueAt(made, place.zone.path)[place.key];
  if (isObject(item) && typeof item.card === "string") item.card = definition;
  for (const map of mapsOf(made, place.reference)) {
    map[place.reference] = entryOf(map[place.reference], definition, seats);
  }
  return made;
}

/** The position with another value at a path of a card. */
export function withValue(position, place, path, value) {
  const made = structuredClone(position);
  set(valueAt(made, place.zone.path)[place.key], path, value);
  return made;
}

/** The position with another value at one of its own fields. */
export function withField(position, name, value) {
  return { ...position, [name]: value };
}

/** The position with a card in another zone, on top of a pile, behind the others of a row. */
export function moved(position, place, zone) {
  const made = structuredClone(position);
  takeOut(made, place);
  putIn(made, zone, place.reference);
  return made;
}

/** The position without a card. */
export function without(position, place) {
  const made = structuredClone(position);
  takeOut(made, place);
  for (const map of mapsOf(made, place.reference)) delete map[place.reference];
  return made;
}

/** The position with one card more; null if it has no card that shows how one is noted. */
export function withNew(position, zone, definition, { zones, seats }) {
  const made = structuredClone(position);
  const known = zones.flatMap((one) => cardsIn(position, one));
  const like = known.find(({ zone: its }) => its.seat === zone.seat) ?? known[0];
  const [map] = like ? mapsOf(made, like.reference) : [];
  if (!map) return null;
  const reference = freeName(position, like.reference);
  map[reference] = entryOf(map[like.reference], definition, seats, zone.seat);
  putIn(made, zone, reference);
  return made;
}

/** A reference that stands nowhere yet: called like another one of the same side. */
function freeName(position, like) {
  const stem = like.replace(/\d+$/, "");
  const text = JSON.stringify(position);
  let number = 1;
  while (text.includes(`"${stem}${number}"`)) number += 1;
  return `${stem}${number}`;
}

function takeOut(position, { zone, key }) {
  const value = valueAt(position, zone.path);
  if (Array.isArray(value)) value.splice(key, 1);
  else delete value[key];
}

function putIn(position, zone, reference) {
  const list = valueAt(position, zone.path);
  if (zone.isPile) list.unshift(reference);
  else list.push(reference);
}

/** The maps of a position that say which card a reference is. */
function mapsOf(position, reference) {
  return Object.values(position).filter(
    (map) => isObject(map) && Object.hasOwn(map, reference) && isNote(map[reference]),
  );
}

function isNote(entry) {
  return typeof entry === "string" || (isObject(entry) && typeof entry.card === "string");
}

/** How another card is noted: like this entry, with what names a seat; the rest has defaults. */
function entryOf(entry, definition, seats, owner = null) {
  if (typeof entry === "string") return definition;
  const named = Object.entries(entry).filter(([, value]) => seats.includes(value));
  const whose = named.map(([name, value]) => [name, owner ?? value]);
  return { ...Object.fromEntries(whose), card: definition };
}

function set(whole, path, value) {
  const end = path.lastIndexOf(".");
  const part = end < 0 ? whole : valueAt(whole, path.slice(0, end));
  part[path.slice(end + 1)] = value;
}
