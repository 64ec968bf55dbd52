// The commands on a dispute: each form sends one, then the page is shown anew.

import { get, send } from "./api.js";
import { Faulty, goOn, onSubmit, sayDone } from "./forms.js";
import { listedIn, rulingOf, watchRuling } from "./ruling_form.js";
import { say } from "./words.js";

const main = document.getElementById("main");
const { dispute, match, version, events } = main.dataset;
const ABOUT = `/disputes/${encodeURIComponent(dispute)}`;
const OF_MATCH = `/matches/${encodeURIComponent(match)}`;
const BODIES = {
  comments: async (data) => ({
    text: data.get("text"),
    audience: data.get("audience"),
    evidence: await eventsNamed(data.get("evidence")),
  }),
  assignment: (data) => (data.has("judge") ? { judge: data.get("judge") } : {}),
  appeal: (data, form) => ({ reason: data.get("reason"), ruling: Number(form.dataset.ruling) }),
  rulings: (data) => rulingOf(data),
  inspection: (data) => ({ reason: data.get("reason") }),
  hold: (data) => ({ reason: data.get("reason") }),
  release: () => ({}),
};

for (const form of document.querySelectorAll("[data-command]")) {
  form.hidden = false;
  onSubmit(form, (key) => command(form, key));
}
const ruling = document.getElementById("ruling");
if (ruling) watchRuling(ruling, OF_MATCH);
sayDone(document.getElementById("done"));

async function command(form, key) {
  const { command: name, done, pathTo } = form.dataset;
  const body = (await BODIES[name]?.(new FormData(form), form)) ?? {};
  const about = pathTo ? {} : { expected_version: Number(version) };
  await send(pathTo ?? `${ABOUT}/${name}`, { ...body, ...about }, { key });
  goOn(done);
}

/** The events with the numbers in a text, told by their hashes. */
async function eventsNamed(text) {
  const numbers = listedIn(text).map(Number);
  return Promise.all(numbers.map((seq) => eventOf(seq)));
}

async function eventOf(seq) {
  if (seq < 1 || seq > events) throw new Faulty("evidence", say("dispute.no_event", { seq }));
  const { items } = await get(`${OF_MATCH}/events`, { from: seq - 1, to: seq });
  return { seq, hash: items[0].hash };
}
