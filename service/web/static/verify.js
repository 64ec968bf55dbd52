// The verification page: a file that is chosen or dropped goes to the service, its report is shown.

import { Refused, post } from "./api.js";
import { markDifferences, showReport } from "./report.js";
import { language, say } from "./words.js";

const NDJSON = "application/x-ndjson";
const MEGABYTE = 2 ** 20;
const $ = (id) => document.getElementById(id);
const bytesMax = Number($("main").dataset.bytesMax);
let latest = null;

/** Verifies a file and shows what was found, unless another was brought meanwhile. */
async function verify(file) {
  latest = file;
  const { name } = file;
  if (file.size > bytesMax)
    return fail(say("file.too_large", { name, limit: Math.floor(bytesMax / MEGABYTE) }));
  tell(say("file.checking", { name }));
  $("report").setAttribute("aria-busy", "true");
  try {
    const report = await post("/verify", { query: { lang: language }, type: NDJSON, body: file });
    if (latest === file) show(report, name);
  } catch (fault) {
    if (latest === file) fail(refusal(fault, name));
  }
}

function show(report, name) {
  showReport(report, name);
  tell(say("file.done", { name, verdict: say(`verdict.${report.overall}`) }));
  if ($("back")) $("back").hidden = false;
  $("report-title").focus();
}

function refusal(fault, name) {
  return fault instanceof Refused
    ? say("file.refused", { name, reason: fault.message })
    : say("file.failed", { name });
}

function tell(text) {
  $("file-status").textContent = text;
  $("file-failure").hidden = true;
}

function fail(text) {
  tell("");
  $("report").removeAttribute("aria-busy");
  $("file-failure").textContent = text;
  $("file-failure").hidden = false;
}

// ---- choosing and dropping

$("file").addEventListener("change", () => {
  const [file] = $("file").files;
  if (file) verify(file);
  $("file").value = "";
});

addEventListener("dragover", (event) => {
  if (!event.dataTransfer.types.includes("Files")) return;
  event.preventDefault();
  $("drop").classList.add("over");
});
addEventListener("dragleave", (event) => {
  if (event.relatedTarget === null) $("drop").classList.remove("over");
});
addEventListener("drop", (event) => {
  const [file] = event.dataTransfer.files;
  $("drop").classList.remove("over");
  if (!file) return;
  event.preventDefault();
  verify(file);
});

markDifferences();
$("drop").hidden = false;
