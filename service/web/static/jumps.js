// Lists of places to jump to: marks of the match, events that name a card, events that were found.

import { button, element, icon } from "./elements.js";

/** rows: {seq, text, icon or null, isStruck}; go(seq) is called for the one that is chosen. */
export function jumpList(rows, go) {
  const items = rows.map(({ seq, text, icon: name, isStruck }) =>
    element(
      "li",
      { class: isStruck ? "struck" : null },
      button(
        { class: "jump" },
        () => go(seq),
        element("span", { class: "no" }, String(seq)),
        name ? icon(name) : null,
        element("span", { class: "what" }, text),
      ),
    ),
  );
  return element("ol", { class: "jump-list" }, ...items);
}
