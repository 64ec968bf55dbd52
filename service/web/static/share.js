// Copies an address of the match page, which holds place, viewer, seat in front and language.

import { notice } from "./notice.js";
import { say } from "./words.js";

/** Copies an address; where the browser does not allow it, shows it to be copied by hand. */
export async function share(address) {
  try {
    await navigator.clipboard.writeText(address);
    notice(say("match.copied"));
  } catch {
    const field = document.getElementById("share-address");
    field.value = address;
    document.getElementById("share").showModal();
    field.select();
  }
}
