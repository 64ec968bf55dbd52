// First steps: asks what a step asks for, and shows the answer below it.

import { language, say } from "./words.js";

const CHARACTERS_MAX = 20_000;

async function run(button) {
  const step = button.closest("li");
  const status = step.querySelector("[role=status]");
  const answer = step.querySelector(".answer");
  button.disabled = true;
  status.textContent = say("docs.asking");
  const begun = performance.now();
  try {
    const response = await fetch(button.dataset.path, { headers: { "Accept-Language": language } });
    const text = JSON.stringify(await response.json(), null, 2);
    const ms = Math.round(performance.now() - begun);
    status.textContent = say("docs.answered", { status: response.status, ms });
    answer.textContent =
      text.length > CHARACTERS_MAX ? `${text.slice(0, CHARACTERS_MAX)}\n…` : text;
    answer.hidden = false;
  } catch {
    status.textContent = say("docs.failed");
  }
  button.disabled = false;
}

for (const button of document.querySelectorAll("button[data-path]")) {
  button.hidden = false;
  button.addEventListener("click", () => run(button));
}
