// Signing in with a token; afterwards one is where one came from.

import { Refused, post } from "./api.js";
import { Faulty, onSubmit } from "./forms.js";
import { language, say } from "./words.js";

const UNKNOWN = 401;
const form = document.getElementById("sign-in");
const shown = document.getElementById("show-token");

onSubmit(form, async () => {
  const body = JSON.stringify({ token: form.elements.token.value.trim() });
  try {
    const answer = { query: { lang: language }, type: "application/json", body };
    await post("/sessions", answer);
    location.assign(form.dataset.next);
  } catch (fault) {
    const isUnknown = fault instanceof Refused && fault.problem.status === UNKNOWN;
    throw isUnknown ? new Faulty("token", say("session.refused")) : fault;
  }
});

shown.addEventListener("change", () => {
  form.elements.token.type = shown.checked ? "text" : "password";
});
form.hidden = false;
form.elements.token.focus();
