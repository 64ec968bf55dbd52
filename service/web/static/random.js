// The page of draws: makes every draw again in this browser and says what came of it.

import { get } from "./api.js";
import { element, icon } from "./elements.js";
import { drawKey, rolled, rootCommitment, seedCommitment, shuffled } from "./fairness.js";
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
    const seals = await sealsOf(told);
    const draws = await drawsOf(told, await keysOf(told));
    for (const [key, verdict] of seals) show(`[data-sealed="${key}"] .verdict`, verdict);
    for (const [key, verdict] of draws) show(`[data-draw="${key}"] .verdict`, verdict);
    conclude(seals, draws);
  } catch (fault) {
    outcome.replaceChildren(say("random.failed", { reason: fault.message }));
  }
  button.disabled = false;
}

/** [key, verdict] of every root and seed: does what was opened fit what was sealed? */
async function sealsOf({ periods, seals, seeds }) {
  const roots = periods.flatMap((period) =>
    ["open", "closed"].map(async (name) => {
      const root = period[name];
      const found = root && (await rootCommitment(match, name, root));
      return [`${name}/${period.since}`, verdictOf(root, found === period.sealed[name])];
    }),
  );
  const given = Object.entries(seals)
    .filter(([, sealed]) => sealed)
    .map(async ([seat, sealed]) => {
      const seed = seeds[seat];
      const found = seed && (await seedCommitment(match, seat, seed));
      return [`seed/${seat}`, verdictOf(seed, found === sealed)];
    });
  return Promise.all([...roots, ...given]);
}

/** The keys of each period: {since, open, closed}, null where the root is not opened. */
function keysOf({ periods, seeds }) {
  const given = seats.split(" ").map((seat) => seeds[seat] ?? null);
  const keyOf = (root) => (root ? drawKey(root, match, given) : null);
  return Promise.all(
    periods.map(async ({ since, open, closed }) => ({
      since,
      open: await keyOf(open),
      closed: await keyOf(closed),
    })),
  );
}

function drawsOf({ items }, keys) {
  return Promise.all(
    items.flatMap(({ seq, draws, made }) => {
      const period = keys.findLast(({ since }) => since <= seq);
      return draws.map(async (draw, number) => [
        `${seq}/${number}`,
        await drawVerdict(draw, made[number], period),
      ]);
    }),
  );
}

async function drawVerdict(draw, made, period) {
  if (!made) return "hidden";
  const { label, root, before } = made;
  const isDie = "die" in draw;
  if (!isDie && !before) return "hidden";
  const key = period[root];
  if (!key) return "open";
  if (isDie) return verdictOf(key, (await rolled(key, label, draw.sides)) === draw.die);
  const order = await shuffled(key, label, before);
  return verdictOf(key, JSON.stringify(order) === JSON.stringify(draw.order));
}

function verdictOf(isOpened, isSame) {
  if (!isOpened) return "open";
  return isSame ? "same" : "other";
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
