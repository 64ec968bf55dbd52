// The address of a match page holds place, viewer, seat in front and language, so it can be shared.

import { START, placeOf, textOf } from "./place.js";
import { language } from "./words.js";

/** What the address says: {place, viewer, near}; what it says wrongly is taken as not said. */
export function readAddress(match, lines) {
  const query = new URLSearchParams(location.search);
  const viewer = match.viewers.find((one) => one === query.get("as")) ?? "spectator";
  const near = match.seats.find((seat) => seat === query.get("near")) ?? seatOf(match, viewer);
  return { place: within(lines, placeOf(query.get("at")) ?? START), viewer, near };
}

/** The part of the address behind the path that holds a state. */
export function addressOf(match, { place, viewer, near }) {
  const query = new URLSearchParams({ at: textOf(place), as: viewer, lang: language });
  if (match.isSpoilerFree) query.set("spoilers", "off");
  if (near !== seatOf(match, viewer)) query.set("near", near);
  return `?${query}`;
}

/** Writes the address; way `push` makes an entry of the history, `replace` does not. */
export function writeAddress(match, state, way) {
  const address = addressOf(match, state);
  if (address === location.search) return;
  if (way === "push") history.pushState(null, "", address);
  else history.replaceState(null, "", address);
}

/** The seat at the bottom of the board: the viewer's own; for those without a seat the first. */
export function seatOf({ seats }, viewer) {
  return seats.includes(viewer) ? viewer : seats[0];
}

export function within({ total }, place) {
  return place.index < total ? place : { index: total, step: 0 };
}

/** The same with or without what follows the place. */
export function otherMode(match, state) {
  return addressOf({ ...match, isSpoilerFree: !match.isSpoilerFree }, state);
}
