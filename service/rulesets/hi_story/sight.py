"""Who sees a card and what it is called: the only place where ids become names (14.1, 14.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from service.engine.values import JUDGE, Position, Viewer
from service.rulesets.hi_story.table import Location, owner, where_is

HIDDEN = "?"
OF_OWNER = ("hand", "aside")

Around: TypeAlias = tuple[Location | None, Location | None]
"""Where a card lies before and after something."""


def visible(position: Position, viewer: Viewer, card: str) -> bool:
    """Tell whether a viewer sees which card this is.

    Decks and graveyards are hidden even from their owners (HS-711, HS-713, HS-935), hands, cards
    laid aside and face-down tops from everybody else (HS-712); the rest is public (HS-714).
    """
    return is_seen(position, viewer, card, where_is(position, card))


def is_seen(position: Position, viewer: Viewer, card: str, found: Location | None) -> bool:
    """Tell the same of a card that was found to lie somewhere, or nowhere."""
    if viewer == JUDGE:
        return True
    if found is None:
        return False
    if found.is_on_field:
        return owner(card) == viewer or not found.is_down
    if is_offered(position, viewer, card):
        return True
    return found.zone in OF_OWNER and owner(card) == viewer


def is_offered(position: Position, viewer: Viewer, card: str) -> bool:
    """Tell whether the viewer is asked to choose and may choose this card."""
    pending = position["pending"]
    return (
        pending is not None
        and pending["player"] == viewer
        and card in pending.get("candidates", ())
    )


def candidate_name(position: Position, viewer: Viewer, card: str) -> str:
    """Return what a candidate is called for the player who chooses, or for the judge.

    Own cards by id, cards on a field of the other player by place, those of a hidden zone by place
    and definition (`P2.hand.2=yasuke`).
    """
    if viewer in (JUDGE, owner(card)):
        return card
    found = where_is(position, card)
    if found is None:
        return HIDDEN
    if found.is_on_field:
        return found.place
    return f"{found.place}={position['cards'].get(card, HIDDEN)}"


@dataclass(slots=True, kw_only=True)
class Sight:
    """One viewer's look at a fact, an action or a position.

    before, after: the positions around it. shown: the definition for every id and place named so
    far whose card the viewer knows; a card of another player that lies face down before and after
    is not among them, unless it is named with `to_looker`.
    """

    viewer: Viewer
    before: Position
    after: Position
    shown: dict[str, str] = field(default_factory=dict)
    _found: dict[str, Around] = field(default_factory=dict)

    def name(self, card: str, *, is_open: bool = True, to_looker: bool = False) -> str:
        """Return what the card is called: its id for the owner, a place, `=definition`, or `?`.

        is_open: the occasion itself tells which card it is.
        """
        is_known = is_open or self.sees(card)
        definition = self.after["cards"].get(card, HIDDEN)
        if self.viewer == owner(card):
            name = card if is_known else HIDDEN
        else:
            place = self._field_place(card)
            name = place or (f"={definition}" if is_known else HIDDEN)
            is_known = is_known and place is not None and (to_looker or not self._stays_down(card))
        if is_known:
            self.shown[name] = definition
        return name

    def names(self, cards: Sequence[str], *, is_open: bool, to_looker: bool = False) -> list[str]:
        """Return what the cards are called, in their order."""
        return [self.name(card, is_open=is_open, to_looker=to_looker) for card in cards]

    def candidates(self, cards: Sequence[str]) -> list[str]:
        """Return what the candidates of a choice are called for the player who is asked."""
        for card in cards:
            self.name(card, is_open=False)
        return [candidate_name(self.after, self.viewer, card) for card in cards]

    def sees(self, card: str) -> bool:
        """Tell whether the viewer sees the card before or after."""
        before, after = self._around(card)
        return is_seen(self.before, self.viewer, card, before) or is_seen(
            self.after, self.viewer, card, after
        )

    def _field_place(self, card: str) -> str | None:
        """Return the place of a card that lies on a field before, else after, or None."""
        on_field = (
            found for found in self._around(card) if found is not None and found.is_on_field
        )
        return next((found.place for found in on_field), None)

    def _stays_down(self, card: str) -> bool:
        return all(found is not None and found.is_down for found in self._around(card))

    def _around(self, card: str) -> Around:
        """Return where the card lies before and after; looked up once."""
        if card not in self._found:
            before = where_is(self.before, card)
            is_still = self.after is self.before
            self._found[card] = before, before if is_still else where_is(self.after, card)
        return self._found[card]
