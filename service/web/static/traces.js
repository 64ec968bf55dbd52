// What happened to a card: the events whose facts name it, as far as the viewer was told.

import { element } from "./elements.js";
import { jumpList } from "./jumps.js";
import { named, say } from "./words.js";

const FOUND_MAX = 100;
const SHOWN_EVERY = 200;

/** A node that fills with the events that name a tile's card. setting: {account, lines, cards, go}. */
export function traceNode(tile, setting) {
  const said = element("p", { class: "small muted", role: "status" }, say("match.traces.going"));
  const list = element("div");
  fill(tile, setting, { said, list });
  return element("section", { class: "stack" }, element("h3", {}, say("match.traces")), said, list);
}

async function fill({ reference, definition }, { account, lines, cards, go }, { said, list }) {
  const name = named(cards[definition], "name");
  const rows = [];
  const show = () => list.replaceChildren(jumpList(rows, go));
  try {
    for await (const entry of account.from(0, 1)) {
      const text = textAbout(entry, { reference, name });
      if (text) rows.push({ seq: entry.seq, text, isStruck: lines.struckAt(entry.seq) !== null });
      if (rows.length === FOUND_MAX) break;
      if (entry.seq % SHOWN_EVERY !== 0) continue;
      if (!list.isConnected) return;
      show();
    }
  } catch {
    said.textContent = say("match.find.failed");
    return;
  }
  show();
  said.textContent = rows.length > 0 ? "" : say("match.traces.none");
}

/**
 * The sentences of an event about a card. The facts of a hidden card tell its place instead of its
 * id, where another card may lie later: so its name must be said, too.
 */
function textAbout({ told }, { reference, name }) {
  const sentences = told.filter(({ text, names }) => names.has(reference) && text.includes(name));
  return [...new Set(sentences.map(({ text }) => text))].join(" ");
}
