// Says something for a moment above the bar: that a link was copied, that nothing more was found.

const SHOWN_MS = 4000;
const node = document.getElementById("notice");
let leaving = 0;

export function notice(text) {
  clearTimeout(leaving);
  node.textContent = text;
  node.classList.add("shown");
  leaving = setTimeout(() => {
    node.classList.remove("shown");
    node.textContent = "";
  }, SHOWN_MS);
}
