// The board of a dispute: the disputed event, before it, fact by fact, and behind it.

import { get } from "./api.js";
import { Board } from "./board.js";
import { layoutOf } from "./layout.js";
import { patched } from "./patches.js";
import { closeSheet, openCard, openPile, openRule } from "./sheet.js";
import { language, say } from "./words.js";

const KEYS = { ",": "fact-back", ".": "fact-on", Home: "start", End: "end", Escape: "close" };
const TYPING = "input, textarea, select";
const $ = (id) => document.getElementById(id);

class Scene {
  #views;
  #facts;
  #setting;
  #board;
  #step;

  /** views: before the event, then after each of its facts; facts: as they are told. */
  constructor({ views, facts, display, cards, names, near }) {
    const setting = { display, cards };
    const pick = (shown) => (shown.tiles ? openPile(shown, setting) : openCard(shown, setting));
    this.#views = views;
    this.#facts = facts;
    this.#setting = { ...setting, seats: Object.keys(names).sort(), near };
    this.#board = new Board($("board"), { ...setting, names, pick });
    this.#step = readStep(views.length - 1);
    this.#draw();
  }

  /** True if the event changed nothing on the table. */
  get isStill() {
    return this.#views.length === 1;
  }

  do(action) {
    const last = this.#views.length - 1;
    const steps = {
      start: 0,
      "fact-back": Math.max(this.#step - 1, 0),
      "fact-on": Math.min(this.#step + 1, last),
      end: last,
    };
    this.#step = steps[action];
    this.#draw();
    writeStep(this.#step, last);
  }

  #draw() {
    const { near } = this.#setting;
    const step = this.#step;
    const before = step > 0 ? this.#layout(step - 1) : null;
    this.#board.draw(this.#layout(step), { near, before });
    $("caption").textContent = this.#caption();
    $("where").textContent = say("dispute.step", { step, last: this.#views.length - 1 });
    for (const row of document.querySelectorAll("[data-fact]")) markFact(row, step);
  }

  #layout(step) {
    return layoutOf(this.#views[step], this.#setting);
  }

  #caption() {
    if (this.#step === 0) return say("dispute.before");
    return this.#facts[this.#step - 1].text || say("events.withheld_fact");
  }
}

function markFact(row, step) {
  const number = Number(row.dataset.fact);
  const fact = row.querySelector(".fact");
  fact.classList.toggle("ahead", number > step);
  if (number === step) fact.setAttribute("aria-current", "step");
  else fact.removeAttribute("aria-current");
}

/** The step that the address names; without one the last, behind the event. */
function readStep(last) {
  const asked = new URLSearchParams(location.search).get("step") ?? "";
  return /^\d{1,5}$/.test(asked) ? Math.min(Number(asked), last) : last;
}

function writeStep(step, last) {
  const query = new URLSearchParams(location.search);
  if (step === last) query.delete("step");
  else query.set("step", step);
  history.replaceState(null, "", `?${query}`);
}

async function sceneOf({ match, game, seq, viewer, near, seats }) {
  const names = JSON.parse(seats);
  const number = Number(seq);
  const query = { from: number - 1, to: number, as: viewer, lang: language };
  const [display, window] = await Promise.all([
    get(`/rulesets/${encodeURIComponent(game)}`),
    get(`/matches/${encodeURIComponent(match)}/frames`, query),
  ]);
  const [frame] = window.frames;
  const views = [window.position];
  for (const patch of frame.patches) views.push(patched(views.at(-1), patch));
  const own = [viewer, near, Object.keys(names).sort()[0]].find((seat) => seat in names);
  const setting = { display, cards: window.cards, names, near: own };
  return new Scene({ views, facts: frame.event.facts, ...setting });
}

function listen(scene) {
  const act = (action) => (action === "close" ? closeSheet() : scene.do(action));
  for (const node of document.querySelectorAll("[data-do]")) {
    node.addEventListener("click", () => act(node.dataset.do));
  }
  document.addEventListener("keydown", (event) => {
    const action = KEYS[event.key];
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing;
    if (!action || !isPlain || event.target.matches(TYPING)) return;
    event.preventDefault();
    act(action);
  });
}

for (const link of document.querySelectorAll("[data-rule]")) {
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    openRule(link.dataset.rule);
  });
}
if ($("board")) {
  const scene = await sceneOf($("main").dataset);
  $("board").hidden = false;
  $("steps").hidden = scene.isStill;
  listen(scene);
}
