// The keys of the match page and what they do.

import { placeOf } from "./place.js";

const KEYS = new Map([
  [" ", "play"],
  ["ArrowLeft", "event-back"],
  ["ArrowRight", "event-on"],
  ["Shift ArrowLeft", "turn-back"],
  ["Shift ArrowRight", "turn-on"],
  [",", "fact-back"],
  [".", "fact-on"],
  ["Home", "start"],
  ["End", "end"],
  ["f", "flip"],
  ["x", "reveal"],
  ["+", "faster"],
  ["-", "slower"],
  ["/", "search"],
  ["n", "alike-on"],
  ["N", "alike-back"],
  ["d", "dispute"],
  ["m", "note"],
  ["?", "help"],
  ["Escape", "close"],
]);
const DIGITS_MAX = 12;

/** Reads key presses; digits are kept until Enter goes to the place that they name. */
export class Keys {
  #digits = "";

  /** What a key press asks for: {action, value}; null while somebody types or holds a modifier. */
  asked(event) {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing;
    if (!isPlain || isTyping(event.target)) return null;
    return this.#digit(event) ?? (this.#digits ? this.#end(event) : actionOf(event));
  }

  #digit({ key }) {
    const isMore = /^\d$/.test(key) || (this.#digits && key === ".");
    if (!isMore || this.#digits.length >= DIGITS_MAX) return null;
    this.#digits += key;
    return { action: "type", value: this.#digits };
  }

  #end(event) {
    if (event.key === "Shift") return null;
    const place = placeOf(this.#digits);
    this.#digits = event.key === "Backspace" ? this.#digits.slice(0, -1) : "";
    if (event.key === "Enter" && place) return { action: "go", value: place };
    return { action: "type", value: this.#digits };
  }
}

/** Space belongs to the button that has the focus. */
function actionOf({ key, shiftKey, target }) {
  if (key === " " && target.closest("a, button, select, summary")) return null;
  const action = KEYS.get(shiftKey && key.startsWith("Arrow") ? `Shift ${key}` : key);
  return action ? { action } : null;
}

function isTyping(target) {
  return target.isContentEditable || target.matches("textarea, select, input:not([type='range'])");
}
