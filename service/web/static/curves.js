// How many cards the counted zone of each side holds over the whole match: a line over the bar, and
// the numbers at a place in words.

import { element, seatMark, svg } from "./elements.js";
import { word } from "./words.js";

const INSET = 3;

/** Lines, one for each seat, with rims below all of them; x(index): where an index lies; top, foot: between which they run. */
export function curveNodes({ overview, seats, last, x, top, foot }) {
  const counts = seats.map((seat) => countsOf(overview, seat, last));
  const most = counts.flat().reduce((high, { count }) => Math.max(high, count), 1);
  const y = (count) => (foot - INSET - (count / most) * (foot - top - 2 * INSET)).toFixed(1);
  const lines = seats.map((seat, place) => {
    const steps = counts[place].map(({ seq, count }) => `H${x(seq).toFixed(1)}V${y(count)}`);
    const [first] = counts[place];
    return first ? `M${x(first.seq).toFixed(1)} ${y(first.count)}${steps.join("")}H${x(last)}` : "";
  });
  const drawn = (name) =>
    seats.map((seat, place) => svg("path", { class: name, "data-seat": seat, d: lines[place] }));
  return [...drawn("curve-rim"), ...drawn("curve")];
}

/** The counts behind an event, as nodes: the name of the zone, then each seat with its own. */
export function totalNodes({ overview, seats, display, seq }) {
  const known = seats.filter((seat) => Number.isInteger(overview.totalAt(seat, seq)));
  if (known.length === 0) return [];
  const zone = word(display.zones[overview.total], overview.total);
  const each = known.map((seat) =>
    element("span", {}, seatMark(seat), " ", element("b", {}, String(overview.totalAt(seat, seq)))),
  );
  return [element("span", {}, zone), ...each];
}

/** The same as text. */
export function totalText({ overview, seats, display, seq }) {
  return totalNodes({ overview, seats, display, seq })
    .map((node) => node.textContent)
    .join(" ");
}

/** The events behind which there is another count than before. */
function countsOf(overview, seat, last) {
  const found = [];
  for (let seq = 1; seq <= last; seq += 1) {
    const count = overview.totalAt(seat, seq);
    if (Number.isInteger(count) && count !== found.at(-1)?.count) found.push({ seq, count });
  }
  return found;
}
