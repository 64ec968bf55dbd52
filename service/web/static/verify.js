// The verification page: a record is checked in this browser; the service is asked only on request.

import { Refused, get, getBytes, post } from "./api.js";
import { recheck } from "./recheck.js";
import { showChecking, showFailure, showFound, showInsecure, showShare } from "./recheck_view.js";
import { markDifferences, showReport } from "./report.js";
import { language, say } from "./words.js";

const NDJSON = "application/x-ndjson";
const MEGABYTE = 2 ** 20;
const SLICE_MS = 12;
const DRAWS_AT_ONCE = 500;
const $ = (id) => document.getElementById(id);
const { match, holder, bytesMax } = $("main").dataset;
let latest = null;

/** Another record was brought while one was checked. */
class Superseded extends Error {}

/**
 * Checks what `read` gives, with progress and without holding up the page; false if another record
 * was brought meanwhile.
 */
async function check(name, read, tell) {
  const mine = {};
  latest = mine;
  let rested = performance.now();
  const breathe = async (share) => {
    if (latest !== mine) throw new Superseded();
    if (performance.now() - rested < SLICE_MS) return;
    showShare(share);
    await new Promise((resolve) => setTimeout(resolve));
    rested = performance.now();
  };
  showChecking(name);
  try {
    const found = await recheck(new Uint8Array(await read()), { tell, breathe });
    if (latest === mine) showFound(found, name);
  } catch (fault) {
    if (latest === mine) showFailure(fault.message);
  }
  return latest === mine;
}

// ---- the record of the page

async function checkStored() {
  const path = `/matches/${encodeURIComponent(match)}`;
  const tell = (from, last) => {
    const to = Math.min(from + DRAWS_AT_ONCE, last);
    return get(`${path}/random`, { as: holder, from, to, lang: language });
  };
  $("recheck-start").disabled = true;
  await check(say("recheck.this"), () => getBytes(`${path}/export`, { as: holder }), tell);
  $("recheck-start").disabled = false;
}

// ---- a file: nothing of it is sent before that is asked for

async function bring(file) {
  const { name } = file;
  $("file-failure").hidden = true;
  $("file-status").textContent = "";
  if (file.size > Number(bytesMax))
    return fail(say("file.too_large", { name, limit: Math.floor(bytesMax / MEGABYTE) }));
  $("report").hidden = true;
  $("ask").hidden = true;
  if ($("recheck-begin")) $("recheck-begin").hidden = true;
  if ($("back")) $("back").hidden = false;
  if (!crypto.subtle) showInsecure();
  else if (!(await check(name, () => file.arrayBuffer(), null))) return;
  $("ask").hidden = false;
  $("ask-server").onclick = () => ask(file);
  $("recheck-title").focus();
}

/** Has the service verify a file and shows its report. */
async function ask(file) {
  const [{ name }, asked] = [file, latest];
  tell(say("file.checking", { name }));
  $("ask").hidden = true;
  try {
    const report = await post("/verify", { query: { lang: language }, type: NDJSON, body: file });
    if (latest === asked) show(report, name);
  } catch (fault) {
    if (latest !== asked) return;
    fail(refusal(fault, name));
    $("ask").hidden = false;
  }
}

function show(report, name) {
  showReport(report, name);
  tell(say("file.done", { name, verdict: say(`verdict.${report.overall}`) }));
  $("report").hidden = false;
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
  $("file-failure").textContent = text;
  $("file-failure").hidden = false;
}

// ---- choosing and dropping

$("file").addEventListener("change", () => {
  const [file] = $("file").files;
  if (file) bring(file);
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
  bring(file);
});

markDifferences();
$("drop").hidden = false;
if (match) {
  $("recheck").hidden = false;
  $("recheck-start").addEventListener("click", checkStored);
  $("recheck-start").disabled = !crypto.subtle;
  if (!crypto.subtle) showInsecure();
}
