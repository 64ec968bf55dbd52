// The keys of the match page and what they do.

const KEYS = new Map([
  ["ArrowLeft", "event-back"],
  ["ArrowRight", "event-on"],
  [",", "fact-back"],
  [".", "fact-on"],
  ["Home", "start"],
  ["End", "end"],
  ["f", "flip"],
  ["?", "help"],
  ["Escape", "close"],
]);

/** What a key press asks for, or undefined; nothing while somebody types or holds a modifier. */
export function actionOf(event) {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing;
  return isPlain && !isTyping(event.target) ? KEYS.get(event.key) : undefined;
}

function isTyping(target) {
  return target.isContentEditable || target.matches("textarea, select, input:not([type='range'])");
}
