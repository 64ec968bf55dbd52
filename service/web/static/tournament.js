// Pages of tournaments: forms, the time that is left, and the table that the address names.

import { sendForms } from "./commands.js";
import { previewCorrections } from "./corrections.js";
import { sayDone } from "./forms.js";
import { openTournaments } from "./opening.js";
import { linkLogs } from "./table_links.js";
import { say } from "./words.js";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const main = document.getElementById("main");

/** Shows of each timer what is left. The clock is the server's, so that all screens say the same. */
function startTimers() {
  const timers = document.querySelectorAll(".timer");
  if (timers.length === 0) return;
  const ahead = Date.parse(main.dataset.now) - performance.now();
  const show = () => timers.forEach((timer) => showLeft(timer, ahead + performance.now()));
  show();
  setInterval(show, SECOND_MS);
}

function showLeft(timer, now) {
  const { started, minutes } = timer.dataset;
  const left = Date.parse(started) + Number(minutes) * MINUTE_MS - now;
  const key = left >= 0 ? "tournament.left" : "tournament.over";
  timer.toggleAttribute("data-over", left < 0);
  timer.lastElementChild.textContent = say(key, { time: clockOf(Math.abs(left)) });
}

function clockOf(span) {
  const seconds = Math.floor(span / SECOND_MS);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Opens the table that the address names, and names in the address the one that is opened. */
function followAddress() {
  const named = document.getElementById(location.hash.slice(1));
  const details = named?.querySelector("details");
  if (details) {
    details.open = true;
    named.scrollIntoView({ block: "center" });
  }
  for (const one of document.querySelectorAll(".pairings > li[id] > details")) {
    one.addEventListener("toggle", () => {
      if (one.open) history.replaceState(null, "", `#${one.parentElement.id}`);
    });
  }
}

sendForms(main);
previewCorrections();
linkLogs();
openTournaments();
startTimers();
followAddress();
const done = document.getElementById("done");
if (done) sayDone(done);
