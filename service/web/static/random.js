// The page of draws: makes every draw again in this browser and says what came of it.

import { get } from "./api.js";
import { drawVerdicts, keysOf, sealVerdicts } from "./draws.js";
import { element, icon } from "./elements.js";
import { language, say } from "./words.js";

const { match, viewer, seats, from, to } = document.getElementById("main").dataset;
const button = document.getElementById("again");
const outcome = document.getElementById("outcome");
const TONES = { same: "good", other: "bad", open: "partly", hidden: "quiet" };

/** Fetches the draws and makes them again; each says what came of it, then all together. */
async function checkAll() {
  button.disabled = true;
  outcome.replaceChildren(say("random.checking"));
  try {
    const told = await get(`/matches/${match}/random`, { as: viewer, from, to, lang: language });
    const seals = await sealVerdicts(match, told);
    const draws = await drawVerdicts(told.items, await keysOf(match, seats.split(" "), told));
    for (const [key, verdict] of seals) show(`[data-sealed="${key}"] .verdict`, verdict);
    for (const [key, verdict] of draws) show(`[data-draw="${key}"] .verdict`, verdict);
    conclude(seals, draws);
  } catch (fault) {
    outcome.replaceChildren(say("random.failed", { reason: fault.message }));
  }
  button.disabled = false;
}

function show(selector, verdict) {
  const place = document.querySelector(selector);
  place.hidden = false;
  place.replaceChildren(badge(verdict, say(`random.${verdict}`)));
}

function badge(verdict, text) {
  const tone = TONES[verdict];
  return element(
    "span",
    { class: "badge", "data-tone": tone, "data-verdict": verdict },
    icon(`tone-${tone}`),
    element("span", {}, text),
  );
}

function conclude(seals, draws) {
  const all = [...seals, ...draws].map(([, verdict]) => verdict);
  const count = draws.filter(([, verdict]) => verdict === "same").length;
  const worst = ["other", "open", "hidden", "same"].find((verdict) => all.includes(verdict));
  const fields = { count, total: draws.length };
  outcome.replaceChildren(
    badge(worst, say(`random.${worst}`)),
    element("span", {}, say(`random.outcome.${worst}`, fields)),
  );
}

if (button) {
  button.hidden = false;
  button.addEventListener("click", checkAll);
  if (!crypto.subtle) {
    button.disabled = true;
    outcome.textContent = say("random.insecure");
  }
}
