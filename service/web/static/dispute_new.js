// Disputes an event of a match, told by its hash.

import { send } from "./api.js";
import { goOn, onSubmit } from "./forms.js";
import { listedIn } from "./ruling_form.js";

const form = document.getElementById("open");
const { match, seq, hash } = document.getElementById("main").dataset;

onSubmit(form, async (key) => {
  const data = new FormData(form);
  const more = listedIn(data.get("more_rules")).map((rule) => rule.toUpperCase());
  const rules = [...new Set([...data.getAll("rules"), ...more])];
  const body = { seq: Number(seq), hash, claim: data.get("claim"), rules };
  const { id } = await send(`/matches/${encodeURIComponent(match)}/disputes`, body, { key });
  goOn(form.dataset.done, `${form.dataset.to}/${id}?${languageAsked()}`);
});
form.hidden = false;

/** The part of the address that says the language, if it does. */
function languageAsked() {
  const asked = new URLSearchParams(location.search).get("lang");
  return asked ? new URLSearchParams({ lang: asked }) : "";
}
