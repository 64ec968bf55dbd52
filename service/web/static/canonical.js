// Canonical JSON in the strict profile of the log: one value has one text (integrity 1).

const DEPTH_MAX = 64;
const KEY = /^[\x20-\x7e]{1,128}$/;

/** The canonical text of a value: keys sorted, nothing between the parts. */
export function encoded(value) {
  if (Array.isArray(value)) return `[${value.map(encoded).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${encoded(value[key])}`).join(",")}}`;
}

/** The value of a canonical text; undefined for any other text. */
export function canonicalValue(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isInProfile(value, 0) && encoded(value) === text ? value : undefined;
}

function isInProfile(value, depth) {
  if (typeof value === "string") return isText(value);
  if (typeof value === "number") return Number.isSafeInteger(value);
  if (typeof value !== "object" || value === null) return true;
  if (depth === DEPTH_MAX) return false;
  if (Array.isArray(value)) return value.every((part) => isInProfile(part, depth + 1));
  return Object.entries(value).every(
    ([key, part]) => KEY.test(key) && isInProfile(part, depth + 1),
  );
}

function isText(text) {
  return text.isWellFormed() && !text.includes("\0") && text.normalize("NFC") === text;
}
