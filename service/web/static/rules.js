// Rule ids as chips; a rule is fetched once, when it is first needed.

import { get } from "./api.js";
import { button, element } from "./elements.js";
import { language, named, say } from "./words.js";

const fetched = new Map();

/** The rule with an id, a promise. */
export function ruleOf(id) {
  if (!fetched.has(id)) {
    const rule = get(`/rules/${encodeURIComponent(id)}`);
    fetched.set(id, rule);
    rule.catch(() => fetched.delete(id));
  }
  return fetched.get(id);
}

export function ruleChip(id, open) {
  return button({ class: "rule" }, () => open(id), id);
}

/** An element that says the term of a rule as soon as it is known; until then the id. */
export function termNode(id) {
  const node = element("span", {}, id);
  ruleOf(id).then(
    (rule) => node.replaceChildren(named(rule, "term")),
    () => {},
  );
  return node;
}

/** What the side panel shows of a rule. */
export function ruleNodes(rule, open) {
  const see = rule.see.map(({ id }) => ruleChip(id, open));
  return [
    element(
      "p",
      { class: "row small" },
      element("span", { class: "badge quiet" }, say(`rule.${rule.kind}`)),
    ),
    element("p", { class: "rule-text" }, named(rule, "text")),
    see.length
      ? element(
          "p",
          { class: "row small" },
          element("span", { class: "muted" }, say("rule.see")),
          ...see,
        )
      : null,
    element(
      "p",
      { class: "small" },
      element("a", { href: `/rules/${rule.id}?lang=${language}` }, say("rulebook.page")),
    ),
  ].filter(Boolean);
}
