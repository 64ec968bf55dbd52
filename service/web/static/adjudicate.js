// The position editor: what the rules say of a position and actions; all of it is in the address.

import { get, post, send, Refused } from "./api.js";
import { choiceNodes, instanceOf } from "./choices.js";
import { Course } from "./course.js";
import {
  Unreadable,
  forgetFaults,
  readAction,
  readPosition,
  readRng,
  showFailure,
  showFault,
} from "./desk_fields.js";
import { Editor } from "./editor.js";
import { button, element, keepingFocus, seatMark } from "./elements.js";
import { packed, unpacked } from "./packing.js";
import "./panel.js";
import { isObject, namesIn } from "./views.js";
import { language, named, say, word } from "./words.js";

const ACTIONS_MAX = 200;
const OPEN = "…";
const NEW = { position: {}, actions: [], rng: [] };
const $ = (id) => document.getElementById(id);
const { game, example, match, at, deal, signedIn } = $("main").dataset;
const ruleset = `/rulesets/${encodeURIComponent(game)}`;

class Desk {
  #course;
  #editor;
  #display;
  #base;
  #state = null;
  #answer = null;
  #asked = 0;

  /** base: {position, or match and at, or deal, with actions and rng}: what the address before `#` begins from. */
  constructor(base, display) {
    this.#base = base;
    this.#display = display;
    const changed = (position) => this.#ask({ position, actions: [], rng: [] });
    this.#editor = new Editor($("editor"), { display, ruleset, changed });
    const below = (tile) => this.#editor.nodeOf(tile);
    this.#course = new Course($("course"), { display, moved: () => this.#moved(), below });
    for (const node of document.querySelectorAll("main [data-do]")) {
      node.addEventListener("click", () => this.#do(node.dataset.do));
    }
    this.#onSubmit("action", () => this.#try(readAction()));
    this.#onSubmit("rng", () => this.#ask({ ...this.#state, rng: readRng() }));
    this.#onSubmit("position", () => {
      return this.#ask({ position: readPosition(), actions: [], rng: [] });
    });
    addEventListener("hashchange", () => this.restore());
  }

  /** Shows what the address holds, or what it begins from. */
  async restore() {
    const { actions, rng } = this.#base;
    const text = location.hash.slice(1);
    const held = text ? await unpacked(text) : null;
    const { p = null, a = actions, r = rng, n } = isObject(held) ? held : {};
    await this.#ask({ position: p, actions: a, rng: r }, { place: n });
    if (text && !isObject(held)) showFailure(say("adjudicate.bad_link"));
  }

  #do(name) {
    const { position } = this.#state ?? NEW;
    const acts = {
      undo: () => this.#undo(),
      restart: () => this.#ask({ position, actions: [], rng: [] }),
      share: () => share(),
      take: () => this.#take(),
    };
    return acts[name]?.();
  }

  /** Another position is shown: that is the one to change. */
  #moved() {
    this.#editor.show(this.#course.position, this.#answer);
    this.#write();
  }

  #onSubmit(name, work) {
    $(`${name}-form`).addEventListener("submit", async (event) => {
      event.preventDefault();
      forgetFaults();
      try {
        await work();
      } catch (fault) {
        if (!(fault instanceof Unreadable)) throw fault;
      }
    });
  }

  /** Tries one more action; one that was refused before it makes room. */
  #try(action) {
    const { actions } = this.#state;
    const done = actions.slice(0, this.#answer.steps.length);
    if (done.length === ACTIONS_MAX) {
      return showFailure(say("adjudicate.too_many", { max: ACTIONS_MAX }));
    }
    return this.#ask({ ...this.#state, actions: [...done, action], rng: readRng() });
  }

  /** Takes the last action back, with the results of draws that only it has used. */
  async #undo() {
    const { actions } = this.#state;
    if (actions.length === 0) return;
    await this.#ask({ ...this.#state, actions: actions.slice(0, -1) }, { fewer: true });
  }

  #take() {
    $("position").value = JSON.stringify(this.#answer.position, null, 1);
  }

  /** Asks the engine; the state is taken over if it can be decided, else its faults are shown. */
  async #ask(state, { place, fewer = false } = {}) {
    const number = (this.#asked += 1);
    forgetFaults();
    try {
      const answer = await this.#decided(state);
      if (number === this.#asked) this.#show(state, answer, place ?? Infinity);
    } catch (fault) {
      const left = fewer ? firstLeft(fault) : null;
      if (left !== null) {
        await this.#ask({ ...state, rng: state.rng.slice(0, left) });
        return;
      }
      if (!(fault instanceof Refused || fault instanceof TypeError)) throw fault;
      showFault(fault);
      if (this.#state === null) $("begin").open = true;
      if (this.#state === null && location.hash) await this.#fallBack();
    }
  }

  /** What a link holds cannot be decided: at least the beginning is shown. */
  async #fallBack() {
    history.replaceState(null, "", location.pathname + location.search);
    await this.restore();
    showFailure(say("adjudicate.bad_link"));
  }

  #decided({ position, actions, rng }) {
    const beginning = position === null ? beginningOf(this.#base) : { position };
    const body = { ...beginning, actions, rng, legal: true, positions: true };
    const path = `${ruleset}/adjudications`;
    if (signedIn !== undefined) return send(path, body);
    const sent = { type: "application/json", body: JSON.stringify(body) };
    return post(path, { query: { lang: language }, ...sent });
  }

  #show(state, answer, place) {
    this.#state = state;
    this.#answer = answer;
    for (const node of document.querySelectorAll("[data-scripted]")) node.hidden = false;
    this.#course.show(answer, Number.isInteger(place) && place >= 0 ? place : Infinity);
    $("rng").value = state.rng.length ? JSON.stringify(state.rng) : "";
    $("position").value = JSON.stringify(answer.start, null, 1);
    this.#editor.show(this.#course.position, answer);
    this.#drawLegal();
    $("choices").replaceChildren();
    this.#write();
  }

  /** Lists what can be done; the focus stays where it was, or at the list. */
  #drawLegal() {
    const list = $("legal");
    const wasInside = list.contains(document.activeElement);
    keepingFocus(list, () => list.replaceChildren(...this.#legalNodes()));
    if (wasInside && !list.contains(document.activeElement)) list.focus({ preventScroll: true });
  }

  #legalNodes() {
    const { legal_actions: legal, legal_texts: texts } = this.#answer;
    const actors = Object.keys(legal).sort();
    if (actors.length === 0) return [element("p", { class: "muted" }, say("adjudicate.no_legal"))];
    return actors.map((actor) => {
      const items = legal[actor].map((entry, number) => {
        const text = texts[actor][number];
        return element("li", {}, this.#entryButton(actor, entry, text));
      });
      const head = element("h3", {}, this.#actorNode(actor));
      const none = element("p", { class: "small muted" }, say("adjudicate.none"));
      const list = items.length ? element("ul", { class: "entries" }, ...items) : none;
      return element("section", { class: "stack" }, head, list);
    });
  }

  #actorNode(actor) {
    if (actor !== "system") return seatMark(actor);
    return word(this.#display.words.player?.system, actor);
  }

  #entryButton(actor, entry, text) {
    const { type, choose, ...fixed } = entry;
    const more = Object.keys(fixed).length ? element("code", {}, JSON.stringify(fixed)) : null;
    const act = () => (choose ? this.#choose(actor, entry) : this.#try({ actor, type, ...fixed }));
    const key = `${actor} ${type} ${JSON.stringify(fixed)}`;
    const label = element("span", {}, choose && !text.includes(OPEN) ? `${text} ${OPEN}` : text);
    return button({ class: "btn", "data-key": key }, act, label, more);
  }

  /** Writes a listed action whose rest is to be chosen, with buttons for it. */
  #choose(actor, entry) {
    const write = (action) => {
      $("action").value = JSON.stringify({ actor, ...action }, null, 1);
    };
    const nameOf = namesIn(this.#answer.position, this.#answer.cards);
    const label = (value) => {
      const card = this.#answer.cards[nameOf(value)];
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return card ? `${text} ${named(card, "name")}` : text;
    };
    write(instanceOf(entry));
    $("choices").replaceChildren(...choiceNodes(entry, { label, changed: write }));
    $("action").focus();
  }

  /** Keeps all that has been changed in the address. */
  async #write() {
    const { position, actions, rng } = this.#state;
    const { actions: first, rng: given } = this.#base;
    const isBase = position === null && isSame(actions, first) && isSame(rng, given);
    const place = this.#course.place;
    const isWhole = place === this.#course.length;
    const state = this.#state;
    const held = { a: actions, r: rng };
    if (position) held.p = position;
    if (!isWhole) held.n = place;
    const hash = isBase && isWhole ? "" : `#${await packed(held)}`;
    const isLatest = state === this.#state && place === this.#course.place;
    if (isLatest) history.replaceState(null, "", location.pathname + location.search + hash);
  }
}

function isSame(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The place of the first result that no draw has asked for, null if that is not the fault. */
function firstLeft(fault) {
  const paths = Object.keys(fault.problem?.errors ?? {});
  const found = paths.length === 1 && /^rng\.(\d+)$/.exec(paths[0]);
  return found ? Number(found[1]) : null;
}

async function share() {
  try {
    await navigator.clipboard.writeText(location.href);
    $("shared").textContent = say("adjudicate.copied");
  } catch {
    $("shared").textContent = say("adjudicate.not_copied");
  }
}

function beginningOf({ match: id, at: index, deal: number, position }) {
  if (id) return { match: id, at: index };
  return number === undefined ? { position } : { deal: number };
}

async function baseOf() {
  if (match) return { match, at: Number(at), actions: [], rng: [] };
  if (deal) return { deal: Number(deal), actions: [], rng: [] };
  if (!example) return NEW;
  const path = `${ruleset}/examples/${encodeURIComponent(example)}`;
  const { position, actions, rng } = await get(path, { lang: language });
  return { position: position ?? {}, actions, rng };
}

const [display, base] = await Promise.all([get(ruleset), baseOf()]);
await new Desk(base, display).restore();
