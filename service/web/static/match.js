// Begins the match page with what the page says of its match.

import { Lines } from "./lines.js";
import { MatchPage } from "./match_page.js";

const ENDED = ["closed", "cancelled"];

const page = document.getElementById("main").dataset;
const isSpoilerFree = new URLSearchParams(location.search).get("spoilers") === "off";
const lines = new Lines(JSON.parse(page.backups), Number(page.total));
const names = JSON.parse(page.seats);
const match = {
  id: page.match,
  game: page.game,
  names,
  seats: Object.keys(names).sort(),
  viewers: page.viewers.split(" "),
  isLive: !isSpoilerFree && !ENDED.includes(page.state),
  knowsDisputes: page.disputes !== undefined,
  isSpoilerFree,
  query: () => (isSpoilerFree ? { spoilers: "off", at: lines.total } : {}),
};
new MatchPage(match, lines).start();
