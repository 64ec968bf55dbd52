// The button of the head with which one signs out.

import { send } from "./api.js";

const button = document.getElementById("sign-out");

button.addEventListener("click", async () => {
  if (button.ariaBusy === "true") return;
  button.ariaBusy = "true";
  try {
    await send("/sessions/current", null, { method: "DELETE" });
    location.assign(button.dataset.next);
  } catch {
    location.reload();
  }
});
button.hidden = false;
