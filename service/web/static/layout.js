// Turns a view into a description of the table: sides, zones, tiles, each with a key (FORMAT 9).
// Nothing is drawn here, and nothing is known here but what the view and the display say.

import { countOf, elementsOf, fieldOf, namesIn, referenceOf, valueAt } from "./views.js";

const MIDDLE = "middle";

/** Describes a view as {middle: [zone], sides: {seat: [zone]}, acting, moment}. */
export function layoutOf(view, { display, seats, cards }) {
  const scene = { view, tiles: display.board.tiles, cards, nameOf: namesIn(view, cards) };
  const side = (seat) =>
    display.board.side.map((zone) => zoneOf(scene, view, fitted(zone, seat), seat));
  return {
    middle: display.board.middle.map((zone) => zoneOf(scene, view, zone, MIDDLE)),
    sides: Object.fromEntries(seats.map((seat) => [seat, side(seat)])),
    acting: seats.find((seat) => seat === view.active || seat === view.turn) ?? null,
    moment: momentOf(view),
  };
}

/** All tiles and zones of a layout, as key → what is shown there. */
export function shownIn(layout) {
  const shown = new Map();
  const visit = (zone) => {
    shown.set(zone.key, zone);
    for (const tile of zone.tiles) {
      shown.set(tile.key, tile);
      tile.inside?.forEach(visit);
    }
  };
  [...layout.middle, ...Object.values(layout.sides).flat()].forEach(visit);
  return shown;
}

function fitted(zone, seat) {
  return { ...zone, path: zone.path.replaceAll("{player}", seat) };
}

function zoneOf(scene, whole, zone, place) {
  const value = valueAt(whole, zone.path);
  const key = `${place}/${zone.zone}`;
  const found = {
    key,
    zone: zone.zone,
    shown: zone.shown,
    face: zone.face,
    count: countOf(value),
    kinds: value?.kinds ?? [],
    tiles: [],
  };
  if (zone.shown === "grid") return { ...found, ...gridOf(scene, zone, value ?? {}, key) };
  if (zone.shown === "pile") return { ...found, ...pileOf(scene, zone, value, key) };
  return zone.shown === "number" ? found : { ...found, tiles: tilesOf(scene, zone, value, key) };
}

function gridOf(scene, zone, cells, key) {
  const tiles = [];
  for (let row = 1; row <= zone.rows; row += 1) {
    for (let column = 1; column <= zone.columns; column += 1) {
      const name = zone.cell.replace("{row}", row).replace("{column}", column);
      const cell = {
        key: `${key}/${name}`,
        slot: zone.rows === 1 || zone.columns === 1 ? name : null,
      };
      const item = cells[name];
      tiles.push(
        item
          ? { ...tileOf(scene, zone, { item, key: name }, cell.key), ...cell }
          : { ...cell, gap: true },
      );
    }
  }
  return { tiles, rows: zone.rows, columns: zone.columns };
}

/** A pile that lies face up can be looked through, its top card first. */
function pileOf(scene, zone, value, key) {
  if (zone.face !== "up") return {};
  const tiles = tilesOf(scene, zone, value, key).filter((tile) => tile.definition);
  return { open: zone.top === "last" ? tiles.reverse() : tiles };
}

function tilesOf(scene, zone, value, key) {
  const times = new Map();
  return elementsOf(value).map((element, place) => {
    if (zone.shown === "line" && element.item === null)
      return { key: `${key}/gap/${place + 1}`, slot: place + 1, gap: true };
    const reference = referenceOf(tileKind(scene, zone).card, element);
    const name = reference ?? "hidden";
    times.set(name, (times.get(name) ?? 0) + 1);
    const tile = tileOf(
      scene,
      zone,
      element,
      `${key}/${name}${times.get(name) > 1 ? `#${times.get(name)}` : ""}`,
    );
    return zone.shown === "line" ? { ...tile, slot: place + 1 } : tile;
  });
}

function tileKind(scene, zone) {
  return scene.tiles[zone.tile ?? "card"];
}

function tileOf(scene, zone, element, key) {
  const kind = tileKind(scene, zone);
  const reference = referenceOf(kind.card, element);
  const definition = zone.face === "down" ? null : scene.nameOf(reference);
  const card = scene.cards[definition];
  const isTrue = (path) => path !== undefined && fieldOf(path, element, card) === true;
  return {
    key,
    reference,
    definition,
    art: card && kind.art ? String(card[kind.art] ?? "") : null,
    turned: isTrue(kind.turned) ? kind.turned : null,
    covered: isTrue(kind.covered) ? kind.covered : null,
    numbers: (kind.numbers ?? []).map((number) => numberOf(number, element, card)).filter(Boolean),
    marks: (kind.marks ?? [])
      .filter((mark) => isMarked(mark, element, card))
      .map((mark) => mark.counter),
    inside: insideOf(scene, kind, element, { reference, key }),
  };
}

function numberOf({ counter, path, of, not }, element, card) {
  const value = fieldOf(path, element, card);
  if (value === undefined || value === null) return null;
  const count = countOf(value);
  if (not !== undefined && count === not) return null;
  const whole = of === undefined ? undefined : fieldOf(of, element, card);
  return { counter, value: count, of: whole === undefined ? null : countOf(whole) };
}

function isMarked({ path, is }, element, card) {
  const value = fieldOf(path, element, card);
  return is === undefined ? value === true : value === is;
}

/** What a card holds. A stack names its own top card among its cards; no card holds itself. */
function insideOf(scene, kind, { item }, { reference, key }) {
  return (kind.inside ?? [])
    .map((zone) => zoneOf(scene, withoutItself(item, zone.path, reference), zone, key))
    .filter((zone) => zone.count > 0);
}

function withoutItself(item, path, reference) {
  const list = valueAt(item, path);
  if (!Array.isArray(list)) return item;
  const own = list.lastIndexOf(reference ?? "?");
  return own < 0 ? item : { ...item, [path]: list.toSpliced(own, 1) };
}

/** What a view says of the moment, where it has such fields: turn, round, phase, step. */
export function momentOf(view) {
  return {
    round: Number.isInteger(view.round) ? view.round : null,
    turn: Number.isInteger(view.turn) ? view.turn : null,
    phase: view.phase ?? null,
    step: view.step ?? null,
  };
}
