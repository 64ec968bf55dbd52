// One's own page: the display name can be changed.

import { send } from "./api.js";
import { goOn, onSubmit, sayDone } from "./forms.js";

const form = document.getElementById("rename");

onSubmit(form, async () => {
  await send("/persons/me/name", { name: form.elements.name.value }, { method: "PUT" });
  goOn(form.dataset.done);
});
form.hidden = false;
sayDone(document.getElementById("done"));
