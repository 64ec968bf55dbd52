// Opening a tournament: as many phases as it has, and the card pools of the game that is chosen.

/** Lets phases be added to the form of a new tournament, and pools follow its game. */
export function openTournaments() {
  const form = document.getElementById("opening");
  if (!form) return;
  const more = document.getElementById("more-phases");
  const phases = [...form.querySelectorAll(".phase[data-optional]")];
  more.addEventListener("click", () => {
    const next = phases.find((phase) => phase.hidden);
    next.hidden = false;
    more.hidden = phases.every((phase) => !phase.hidden);
    next.querySelector("select").focus();
  });
  more.hidden = false;
  form.elements.game.addEventListener("change", () => showPools(form));
  showPools(form);
}

function showPools({ elements: { game, cards } }) {
  for (const option of cards.options) {
    const fits = option.dataset.games.split(" ").includes(game.value);
    option.hidden = !fits;
    option.disabled = !fits;
  }
  if (cards.selectedOptions[0]?.disabled) cards.selectedIndex = 0;
}
