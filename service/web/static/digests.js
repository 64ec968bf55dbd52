// Hashes with WebCrypto alone, joined as the log joins them (integrity, first paragraph).
// H(tag, parts…) = SHA-256(tag | 0x00 | for each part: 4-byte length | bytes).

const WORD_BYTES = 4;
const encoder = new TextEncoder();

export function bytesOf(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

export function hexOf(bytes) {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function textBytes(text) {
  return encoder.encode(text);
}

/** The SHA-256 of bytes, or of a text in UTF-8. */
export async function sha256(whole) {
  const bytes = typeof whole === "string" ? textBytes(whole) : whole;
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** H(tag, parts…) in hexadecimal; parts are bytes or texts. */
export async function tagged(tag, ...parts) {
  return hexOf(await sha256(concatenated([textBytes(tag), new Uint8Array(1), joined(parts)])));
}

export async function hmac(key, ...parts) {
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, joined(parts)));
}

export function keyOf(bytes) {
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

/** The parts one after the other, each behind its length in 4 bytes, big-endian. */
export function joined(parts) {
  const all = parts.map((part) => (typeof part === "string" ? textBytes(part) : part));
  return concatenated(all.flatMap((part) => [wordBytes(part.length), part]));
}

export function concatenated(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A number in 4 bytes, big-endian. */
export function wordBytes(number) {
  const bytes = new Uint8Array(WORD_BYTES);
  new DataView(bytes.buffer).setUint32(0, number);
  return bytes;
}
