// Reads an exchange file `.kifu.jsonl`: one viewer's record of a match, line by line.

import { canonicalValue } from "./canonical.js";
import { concatenated } from "./digests.js";
import { isObject } from "./views.js";

const VERSION = 1;
const NEWLINE = 10;
const NOTE_START = '{"note":';
const LINES_AT_ONCE = 64;
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const isText = (value) => typeof value === "string";
const isTextOrNull = (value) => value === null || isText(value);
const isWhole = (value) => Number.isSafeInteger(value);
const areTexts = (value) => Array.isArray(value) && value.every(isText);
const isTextEach = (value) => isObject(value) && Object.values(value).every(isText);
const isAnything = () => true;
const isSalted = (value) => value === null || fits(value, { salt: isText, body: isText });
const isSaltedEach = (value) => isObject(value) && Object.values(value).every(isSalted);

const HEAD = {
  kifu: isWhole,
  origin: isText,
  match: isText,
  viewer: isText,
  game: isText,
  edition: isText,
  engine: isWhole,
  rules_digest: isText,
  cards_digest: isText,
  viewers: areTexts,
  names: isSaltedEach,
};
const EVENT_HEADER = {
  match: isText,
  seq: isWhole,
  type: isText,
  actor: isTextOrNull,
  time: isText,
  edition: isText,
  viewers: areTexts,
};
const EVENT = {
  header: (value) => fits(value, EVENT_HEADER),
  form: isObject,
  salts: isTextEach,
  seals: isTextEach,
  hash: isText,
};
const STATEMENT = { origin: isText, match: isText, events: isWhole, head: isText, time: isText };
const SIGNATURE = { key: isText, signature: isText };
const LAST = {
  statement: (value) => fits(value, STATEMENT),
  digest: isText,
  signature: (value) => value === null || fits(value, SIGNATURE),
};

/** A line that is no line of such a file. line: its number, from 1; reason: a key of a text. */
export class Malformed extends Error {
  constructor(line, reason) {
    super(reason);
    this.line = line;
  }
}

/**
 * Reads the bytes of a file: {header, cards, events, last, covered, notes}; throws `Malformed`.
 * last: null if the file is cut before its statement; covered: the bytes before that; notes: how
 * many lines of notes stand behind it, which are no part of the record. breathe: waited for now and
 * then, told how many lines are read and of how many.
 */
export async function readRecord(bytes, breathe) {
  const { lines, notes } = partedLines(bytes);
  const values = [];
  for (const [place, line] of lines.entries()) {
    if (place % LINES_AT_ONCE === 0) await breathe(place, lines.length);
    values.push(valueOf(place + 1, line));
  }
  return recordOf(values, lines, notes);
}

function recordOf(values, lines, notes) {
  if (values.length < 2) throw new Malformed(values.length + 1, "short");
  const [header, cards] = values;
  if (!fits(header, HEAD, { texts: isSaltedEach })) throw new Malformed(1, "head");
  if (header.kifu !== VERSION) throw new Malformed(1, "version");
  if (!fits(cards, { cards: isAnything })) throw new Malformed(2, "cards_line");
  const hasEnd = values.length > 2 && isObject(values.at(-1)) && "statement" in values.at(-1);
  if (notes > 0 && !hasEnd) throw new Malformed(values.length + 1, "note");
  const events = hasEnd ? values.slice(2, -1) : values.slice(2);
  const unfit = events.findIndex((line) => !fits(line, EVENT, { view: isAnything }));
  if (unfit !== -1) throw new Malformed(unfit + 3, "event_line");
  if (hasEnd && !fits(values.at(-1), LAST)) throw new Malformed(values.length, "last_line");
  return {
    header,
    cards: cards.cards,
    events,
    last: hasEnd ? values.at(-1) : null,
    covered: concatenated(hasEnd ? lines.slice(0, -1) : lines),
    notes,
  };
}

/** The lines of a file with their ends, and how many lines of notes stand behind the last. */
function partedLines(bytes) {
  const lines = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, from);
    const to = end === -1 ? bytes.length : end + 1;
    lines.push(bytes.subarray(from, to));
    from = to;
  }
  const count = lines.length;
  while (lines.length > 0 && isNote(lines.at(-1))) lines.pop();
  return { lines, notes: count - lines.length };
}

function isNote(line) {
  return [...NOTE_START].every((sign, place) => line[place] === sign.charCodeAt(0));
}

function valueOf(number, line) {
  const isWholeLine = line.at(-1) === NEWLINE;
  const value = isWholeLine ? canonicalValue(textOf(line.subarray(0, -1))) : undefined;
  if (value === undefined) throw new Malformed(number, "canonical");
  return value;
}

/** The text of a line; of what is no UTF-8 one that is no JSON. */
function textOf(line) {
  try {
    return decoder.decode(line);
  } catch {
    return "";
  }
}

/** True if a value has exactly these fields, as they should be; optional ones may be left out. */
function fits(value, fields, optional = {}) {
  if (!isObject(value)) return false;
  const known = { ...optional, ...fields };
  return (
    Object.keys(fields).every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, part]) => Object.hasOwn(known, name) && known[name](part))
  );
}
