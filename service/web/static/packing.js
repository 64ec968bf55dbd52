// A value as a short text that an address can hold: JSON, compressed, in base64url.

const FORMAT = "deflate-raw";
const BYTES_MAX = 2 ** 20;

export async function packed(value) {
  const whole = new TextEncoder().encode(JSON.stringify(value));
  const bytes = await through(new CompressionStream(FORMAT), whole);
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The value of a text, null for anything that is none or too large. */
export async function unpacked(text) {
  try {
    const raw = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(raw, (sign) => sign.charCodeAt(0));
    const whole = await through(new DecompressionStream(FORMAT), bytes);
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(whole));
  } catch {
    return null;
  }
}

async function through(stream, bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  for (let size = 0; size <= BYTES_MAX; ) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    parts.push(value);
    size += value.length;
  }
  throw new RangeError("too large");
}
