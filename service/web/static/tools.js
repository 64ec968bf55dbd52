// What the controls of the match page show of its state.

import { element, icon } from "./elements.js";
import { SPEEDS } from "./playing.js";
import { say } from "./words.js";

const $ = (id) => document.getElementById(id);

/** Offers the speeds of playing; set(speed) is called for the one that is chosen. */
export function offerSpeeds(set) {
  const options = SPEEDS.map((speed) => element("option", { value: speed }, `${speed}×`));
  $("speed").replaceChildren(...options);
  $("speed").value = 1;
  $("speed").addEventListener("change", () => set(Number($("speed").value)));
}

/** Shows whether the match plays by itself, and how fast. */
export function showPlaying({ isOn, speed }) {
  const label = say(isOn ? "match.pause" : "match.play");
  const button = $("play");
  button.replaceChildren(icon(isOn ? "pause" : "play"));
  button.setAttribute("aria-label", label);
  button.title = label;
  $("speed").value = speed;
}

/** Shows the digits of a place that are typed so far. */
export function showTyped(digits) {
  $("typed").textContent = digits ? say("match.typed", { digits }) : "";
  $("typed").hidden = digits === "";
}

/** Shows how many events one is behind a running match; isOn: whether it is followed just now. */
export function showBehind(count, { isOn }) {
  $("live").hidden = false;
  $("live").classList.toggle("is-off", !isOn);
  $("behind").textContent = isOn
    ? say(count > 0 ? "match.live.behind" : "match.live.now", { count })
    : say("match.live.off");
  $("catch-up").hidden = count === 0;
}

/** Shows that the match that was followed has ended. */
export function showEnded() {
  $("live").classList.add("is-off");
  $("behind").textContent = say("match.live.ended");
  $("catch-up").hidden = true;
  $("reload").hidden = false;
}

/** Keeps the end of the page above a bar that is fixed at the bottom. */
export function keepRoomFor(bar) {
  const set = () => document.documentElement.style.setProperty("--bar", `${bar.offsetHeight}px`);
  new ResizeObserver(set).observe(bar);
}
