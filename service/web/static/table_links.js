// The log of a game for a table: chosen or brought, checked, and linked once that was seen.

import { Refused, get, post, send } from "./api.js";
import { element } from "./elements.js";
import { faultNodes } from "./faults.js";
import { goOn, onSubmit } from "./forms.js";
import { language, say } from "./words.js";

const NDJSON = "application/x-ndjson";
const NOT_FOUND = 404;
const HEAD_BYTES = 2 ** 20;
const REST_MS = 400;
const ID = /([A-Za-z0-9][A-Za-z0-9._-]{0,63})(?:\/verify|\/random)?\/?$/;
const panel = document.getElementById("link-preview");
let latest = 0;

/** Has the form of the page show what a log is worth, and send it behind that alone. */
export function linkLogs() {
  const form = document.querySelector("form.linking");
  if (!form) return;
  const { source, file, named } = form.elements;
  let waiting = 0;
  form.addEventListener("change", ({ target }) => {
    if (target === file) form.brought = undefined;
    if (target !== named) check(form);
  });
  named.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => check(form), REST_MS);
  });
  for (const one of source) one.addEventListener("change", () => showSource(form));
  onSubmit(form, async (key) => {
    await send(`${form.dataset.table}/links`, form.checked, { key });
    goOn(form.dataset.done);
  });
  showSource(form);
  form.hidden = false;
  check(form);
}

function showSource(form) {
  for (const node of form.querySelectorAll("[data-source]")) {
    node.hidden = node.dataset.source !== form.elements.source.value;
  }
}

/** Looks at the log that is chosen; what was asked before and comes later is forgotten. */
async function check(form) {
  const asked = (latest += 1);
  const button = form.querySelector("button");
  button.disabled = true;
  if (!isChosen(form)) return;
  panel.replaceChildren(element("p", { class: "muted" }, say("tournament.link.checking")));
  try {
    const { match, notes } = await matchIn(form);
    const body = bodyOf(form, match);
    const found = await send(`${form.dataset.table}/links/preview`, body);
    if (asked !== latest) return;
    form.checked = body;
    panel.replaceChildren(...notes, ...nodesOf(found));
    button.disabled = !found.is_new;
  } catch (fault) {
    if (!(fault instanceof Refused)) throw fault;
    if (asked === latest) panel.replaceChildren(...faultNodes(fault));
  }
}

function isChosen({ elements }) {
  const { source, stored, file, named } = elements;
  return { stored: stored?.value, file: file.files.length, named: named.value.trim() }[source.value];
}

function bodyOf({ elements }, match) {
  const { game, seats } = elements;
  const body = { match, game: Number(game.value) };
  return seats.value ? { ...body, seats: JSON.parse(seats.value) } : body;
}

/** The id of the match whose log is chosen, and what is said of the file that it came from. */
async function matchIn(form) {
  const { source, stored, file, named } = form.elements;
  if (source.value === "stored") return { match: stored.value, notes: [] };
  if (source.value === "named") {
    return { match: ID.exec(named.value.trim().replace(/[?#].*/, ""))?.[1] ?? "", notes: [] };
  }
  form.brought ??= broughtIn(file.files[0]);
  try {
    return await form.brought;
  } catch (fault) {
    form.brought = undefined;
    throw fault;
  }
}

/** A record of this service is verified; any other log is audited and stored. */
async function broughtIn(file) {
  const head = await headOf(file);
  const sent = { query: { lang: language }, type: NDJSON, body: file };
  if (head.kifu_plain) {
    const { match, verdict } = await post("/imports", sent);
    return { match, notes: [said(say(`tournament.link.audit.${verdict}`), "note good")] };
  }
  if (!head.kifu) throw new Refused(say("tournament.link.no_log"));
  const { overall } = await post("/verify", sent);
  const told = { verdict: say(`verdict.${overall}`), meaning: say(`meaning.${overall}`) };
  const found = say("tournament.link.file", told);
  if (!(await isHere(head.match))) throw new Refused(`${found} ${say("tournament.link.elsewhere")}`);
  const tone = overall === "exact" || overall === "partial" ? "note" : "note warn";
  return { match: head.match, notes: [said(found, tone)] };
}

async function headOf(file) {
  const [line] = (await file.slice(0, HEAD_BYTES).text()).split("\n", 1);
  try {
    return JSON.parse(line) ?? {};
  } catch {
    return {};
  }
}

async function isHere(match) {
  try {
    return Boolean(await get(`/matches/${encodeURIComponent(match)}`));
  } catch (fault) {
    if (!(fault instanceof Refused) || fault.problem.status !== NOT_FOUND) throw fault;
    return false;
  }
}

/** What a log is worth, whom it lets win, and what becomes of the result of the table. */
function nodesOf({ is_new: isNew, link, fault, result, level, difference }) {
  const names = JSON.parse(panel.dataset.names);
  const called = (player) => names[player] ?? player;
  const seats = Object.entries(link.seats).map(([seat, player]) => `${seat} ${called(player)}`);
  const winner = link.winner === null ? "no_winner" : "winner";
  const games = ({ games: counts }) => counts.join("–");
  return [
    said(say(`tournament.link.${link.verdict}`), fault ? "note warn" : "note good"),
    fault && element("p", { class: "small", lang: "en" }, fault),
    said(seats.join(say("tournament.and"))),
    said(say(`tournament.link.${winner}`, { name: called(link.winner) })),
    result ? said(say("tournament.link.result", { games: games(result) })) : null,
    result ? levelNode(level) : said(say("tournament.link.no_result")),
    difference && !fault ? said(say("tournament.link.differs", differenceOf(difference)), "note warn") : null,
    isNew ? null : said(say("tournament.link.known"), "note"),
    matchLink(link.match),
  ].filter(Boolean);
}

function differenceOf({ reported, logged }) {
  return { told: reported.join("–"), logged: logged.join("–") };
}

function levelNode(level) {
  const sign = element("span", { "aria-hidden": true }, JSON.parse(panel.dataset.signs)[level]);
  const badge = element("span", { class: "lv", "data-level": level }, sign, JSON.parse(panel.dataset.levels)[level]);
  return element("p", {}, say("tournament.link.level"), " ", badge);
}

function matchLink(match) {
  const href = `/matches/${encodeURIComponent(match)}?${new URLSearchParams({ lang: language })}`;
  return element("p", { class: "small" }, element("a", { href }, say("tournament.link.to_match")));
}

function said(text, kind) {
  return element("p", { class: kind }, text);
}
