// Makes nodes. What is said becomes a text node, so nothing that was recorded can become markup.

const SVG = "http://www.w3.org/2000/svg";
const ICONS = new URL("icons.svg", import.meta.url).pathname;

/** An element. Attributes that are null, undefined or false are left out; children may be text. */
export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

export function icon(name) {
  return svg(
    "svg",
    { class: "ic", "aria-hidden": "true" },
    svg("use", { href: `${ICONS}#${name}` }),
  );
}

export function seatMark(seat) {
  return element("span", { class: "seat", "data-seat": seat }, seat);
}

/** A button with an action; `attributes` may hold a class and an accessible name. */
export function button(attributes, action, ...children) {
  const made = element("button", { type: "button", ...attributes }, ...children);
  made.addEventListener("click", action);
  return made;
}

/** Gives a parent these children; where they are the same nodes already, nothing is touched. */
export function setChildren(parent, nodes) {
  const here = parent.childNodes;
  const isSame = here.length === nodes.length && nodes.every((node, index) => here[index] === node);
  if (!isSame) parent.replaceChildren(...nodes);
}

/** Draws anew below a root; the focus goes to what has the key of the node that had it. */
export function keepingFocus(root, draw) {
  const focused = document.activeElement;
  const key = root.contains(focused) ? focused.dataset.key : null;
  draw();
  if (!key || focused === document.activeElement) return;
  root.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}

function filled(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}
