// Makes draws again from roots and seeds, with WebCrypto alone (integrity 5, "Fair chance").

import { bytesOf, hmac, keyOf, tagged, wordBytes } from "./digests.js";

const SEED_BYTES = 32;
const WORD_BYTES = 4;
const WORD_VALUES = 2 ** 32;
const WORDS_PER_VALUE_MAX = 128;

/** C_r = H("kifu-root-v1", match, name, root), of the root `open` or `closed`. */
export function rootCommitment(match, name, root) {
  return tagged("kifu-root-v1", match, name, bytesOf(root));
}

/** H("kifu-seed-v1", match, seat, seed). */
export function seedCommitment(match, seat, seed) {
  return tagged("kifu-seed-v1", match, seat, bytesOf(seed));
}

/** K_r = HMAC(root, "kifu-key-v1", match, seeds in the order of the seats); null: no seed given. */
export async function drawKey(root, match, seeds) {
  const given = seeds.map((seed) => (seed ? bytesOf(seed) : new Uint8Array(SEED_BYTES)));
  return hmac(await keyOf(bytesOf(root)), "kifu-key-v1", match, ...given);
}

/** The number that a die shows: the next of the label's stream below its sides, plus 1. */
export async function rolled(key, label, sides) {
  return (await numbers(key, label))(sides).then((number) => number + 1);
}

/** The items in the order of the label's shuffle: Fisher-Yates from the last index down. */
export async function shuffled(key, label, items) {
  const below = await numbers(key, label);
  const order = [...items];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = await below(last + 1);
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

/** A function that gives the next even number below its argument from the stream of a label. */
export async function numbers(bytes, label) {
  const key = await keyOf(bytes);
  const words = [];
  let block = 0;
  return async (limit) => {
    const bound = WORD_VALUES - (WORD_VALUES % limit);
    for (let tried = 0; tried < WORDS_PER_VALUE_MAX; tried += 1) {
      if (words.length === 0) words.push(...wordsOf(await hmac(key, label, wordBytes(block++))));
      const word = words.shift();
      if (word < bound) return word % limit;
    }
    throw new RangeError(`the stream ${label} gave no even number`);
  };
}

function wordsOf(digest) {
  const view = new DataView(digest.buffer);
  return Array.from({ length: digest.length / WORD_BYTES }, (_, place) =>
    view.getUint32(place * WORD_BYTES),
  );
}
