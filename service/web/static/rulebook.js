// Narrows the rules of a rulebook while one types; all of them are in the page.

import { say } from "./words.js";

const field = document.getElementById("filter");
const shown = document.getElementById("shown");
const nothing = document.getElementById("nothing");
const edition = document.getElementById("edition");
const entries = [...document.querySelectorAll(".entry")].map((node) => ({
  node,
  text: folded(`${node.textContent} ${node.dataset.other}`),
}));

function folded(text) {
  return text.normalize("NFKC").toLowerCase();
}

function narrow() {
  const terms = folded(field.value).split(/\s+/).filter(Boolean);
  for (const { node, text } of entries) node.hidden = !terms.every((term) => text.includes(term));
  for (const chapter of document.querySelectorAll(".chapter")) {
    chapter.hidden = chapter.querySelector(".entry:not([hidden])") === null;
    const number = chapter.id.replace("chapter-", "");
    document.querySelector(`[data-chapter="${number}"]`).parentElement.hidden = chapter.hidden;
  }
  const count = entries.filter(({ node }) => !node.hidden).length;
  shown.textContent = say("rulebook.count", { count });
  nothing.hidden = count > 0 || entries.length === 0;
}

field.addEventListener("input", narrow);
edition.addEventListener("change", () => edition.form.requestSubmit());
for (const node of document.querySelectorAll("[data-scripted]")) node.hidden = false;
if (field.value) narrow();
