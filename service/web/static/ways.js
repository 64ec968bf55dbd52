// Where else the moment that is shown can be looked at: its draws, the rules, a dispute.

import { eventAt } from "./place.js";
import { language } from "./words.js";

const WAYS = {
  random: ({ place, viewer }) => ({ from: Math.max(eventAt(place) - 1, 0), as: viewer }),
  adjudicate: ({ place }) => ({ at: place.index }),
};

/** Has the links of the page lead to the moment of a state; what else they ask for stays. */
export function leadTo(state) {
  for (const link of document.querySelectorAll("[data-way]")) {
    const address = new URL(link.href);
    const query = { ...WAYS[link.dataset.way](state), lang: language };
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    link.href = address.href;
  }
}

/** The address at which one disputes the event that a place stands in or behind. */
export function disputeAt(place) {
  const query = new URLSearchParams({ seq: Math.max(eventAt(place), 1), lang: language });
  return `${location.pathname}/disputes/new?${query}`;
}
