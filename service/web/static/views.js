// Reads a view along the paths of a board's display (FORMAT 9 and 10). It knows forms, no game.

const inOrder = new Intl.Collator("en", { numeric: true }).compare;

export const isObject = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isHiddenAsWhole = (value) => isObject(value) && Number.isInteger(value.hidden);
const isHidden = (value) =>
  value === null || value === undefined || value === "?" || isHiddenAsWhole(value);

/** The value at a path as `players.P1.hand`; `last` is the last element of a list. */
export function valueAt(whole, path) {
  return path.split(".").reduce((value, key) => {
    if (value === null || value === undefined) return undefined;
    return Array.isArray(value) && key === "last" ? value.at(-1) : value[key];
  }, whole);
}

/** How many a value stands for: itself, or the number of its elements, hidden ones too. */
export function countOf(value) {
  if (typeof value === "number") return value;
  if (Array.isArray(value)) return value.length;
  if (isHiddenAsWhole(value)) return value.hidden + (value.shown?.length ?? 0);
  return isObject(value) ? Object.keys(value).length : 0;
}

/** The elements of a zone with their keys; of a map in the natural order of its keys. */
export function elementsOf(value) {
  if (Array.isArray(value)) return value.map((item, key) => ({ item, key }));
  if (isHiddenAsWhole(value))
    return [...(value.shown ?? []), ...Array(value.hidden).fill(null)].map((item, key) => ({
      item,
      key,
    }));
  if (!isObject(value)) return [];
  return Object.keys(value)
    .sort(inOrder)
    .map((key) => ({ item: value[key], key }));
}

/** What a tile is about: the first reference found at the paths of its `card`. */
export function referenceOf(paths, { item, key }) {
  for (const path of [paths].flat()) {
    const found = ownValue(path, { item, key });
    if (found !== undefined) return isHidden(found) ? null : found;
  }
  return null;
}

/** The value at a path from an element of a zone; `card.x` may be a field of its definition. */
export function fieldOf(path, { item, key }, definition) {
  const found = ownValue(path, { item, key });
  if (found !== undefined) return found;
  return path.startsWith("card.") && definition
    ? valueAt(definition, path.slice("card.".length))
    : undefined;
}

function ownValue(path, { item, key }) {
  if (path === ".") return item;
  return path === "key" ? key : valueAt(item, path);
}

/** A function from a reference to the id of its definition, as far as the view tells it. */
export function namesIn(view, cards) {
  const maps = Object.values(view).filter(isObject);
  return (reference) => {
    if (typeof reference !== "string") return null;
    const stated = reference.slice(reference.lastIndexOf("=") + 1);
    if (stated in cards) return stated;
    const entry = maps.find((map) => Object.hasOwn(map, reference))?.[reference];
    const id = isObject(entry) ? entry.card : entry;
    return id in cards ? id : null;
  };
}
