// A place in a match: `index` events applied, and of the next event `step` facts.

export const START = { index: 0, step: 0 };

/** The place that a text as `142.3` names, or null. */
export function placeOf(text) {
  const found = /^(\d{1,6})(?:\.(\d{1,5}))?$/.exec(text ?? "");
  return found && { index: Number(found[1]), step: Number(found[2] ?? 0) };
}

export function textOf({ index, step }) {
  return step ? `${index}.${step}` : String(index);
}

export function isSame(one, other) {
  return one.index === other.index && one.step === other.step;
}

/** The number of the event that a place stands in or behind; 0 before the first. */
export function eventAt({ index, step }) {
  return step ? index + 1 : index;
}

/** The place that a jump is measured against: before the fact, or before the whole event. */
export function placeBefore({ index, step }) {
  return step ? { index, step: step - 1 } : { index: Math.max(index - 1, 0), step: 0 };
}
