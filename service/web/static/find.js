// Search in a match: events whose words, or whose facts' words, hold what is typed.

import { element } from "./elements.js";
import { jumpList } from "./jumps.js";
import { say } from "./words.js";

const FOUND_MAX = 100;
const SHOWN_EVERY = 50;
const TYPING_MS = 200;
const $ = (id) => document.getElementById(id);

export class Find {
  #nodes = {
    form: $("find"),
    field: $("find-field"),
    said: $("find-said"),
    list: $("found"),
    others: $("events"),
  };
  #setting;
  #typing = 0;
  #asked = 0;
  #found = [];

  /** setting: {account, lines, go(seq)}. */
  constructor(setting) {
    const nodes = this.#nodes;
    this.#setting = setting;
    nodes.field.addEventListener("input", () => {
      clearTimeout(this.#typing);
      this.#typing = setTimeout(() => this.search(), TYPING_MS);
    });
    nodes.field.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.#leave(event);
    });
    nodes.form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.#found.length > 0) setting.go(this.#found[0].seq);
    });
  }

  open() {
    this.#nodes.field.focus();
    this.#nodes.field.select();
  }

  /** Searches anew for what is in the field; the events found take the place of the list. */
  async search() {
    const { field, list, others } = this.#nodes;
    const wanted = plain(field.value.trim());
    const asked = (this.#asked += 1);
    this.#found = [];
    list.hidden = wanted === "";
    others.hidden = wanted !== "";
    if (wanted === "") return this.#say("");
    list.parentElement.scrollTop = 0;
    let looked = 0;
    this.#show({ isDone: false });
    try {
      for await (const entry of this.#setting.account.from(0, 1)) {
        if (asked !== this.#asked) return undefined;
        this.#look(entry, wanted);
        looked += 1;
        if (this.#found.length === FOUND_MAX) break;
        if (looked % SHOWN_EVERY === 0) this.#show({ isDone: false });
      }
    } catch {
      return this.#say(say("match.find.failed"));
    }
    return asked === this.#asked ? this.#show({ isDone: true }) : undefined;
  }

  #look(entry, wanted) {
    const text = [entry.text, ...entry.told.map((fact) => fact.text)].find((one) => plain(one).includes(wanted));
    if (!text) return;
    const isStruck = this.#setting.lines.struckAt(entry.seq) !== null;
    this.#found.push({ seq: entry.seq, text: markedText(text, wanted), isStruck });
  }

  #show({ isDone }) {
    const count = this.#found.length;
    this.#nodes.list.replaceChildren(jumpList(this.#found, this.#setting.go));
    if (!isDone) this.#say(say("match.find.going", { count }));
    else this.#say(say(count === FOUND_MAX ? "match.find.many" : "match.find.done", { count }));
  }

  #say(text) {
    this.#nodes.said.textContent = text;
  }

  #leave(event) {
    event.stopPropagation();
    event.preventDefault();
    this.#nodes.field.value = "";
    this.search();
    this.#nodes.field.blur();
  }
}

/** A text as it is compared: wide and narrow signs, capital and small letters are the same. */
function plain(text) {
  return text.normalize("NFKC").toLowerCase();
}

/** The text with what was looked for marked, where its length is the same in both forms. */
function markedText(text, wanted) {
  const from = plain(text).indexOf(wanted);
  if (plain(text).length !== text.length) return text;
  return element(
    "span",
    {},
    text.slice(0, from),
    element("mark", {}, text.slice(from, from + wanted.length)),
    text.slice(from + wanted.length),
  );
}
