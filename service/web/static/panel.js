// Closes the side panel of a page by its button or by Escape.

import { closeSheet } from "./sheet.js";

for (const node of document.querySelectorAll('[data-do="close"]')) {
  node.addEventListener("click", closeSheet);
}
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && closeSheet()) event.preventDefault();
});
