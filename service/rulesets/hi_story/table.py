"""Look-ups on the table: whose a card is, where it lies, what is on top (HS-511, HS-702)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from service.engine.values import Json, Position
from service.rulesets.hi_story.cards import BLANK, Definition, Pool

Stack: TypeAlias = dict[str, Json]

PLAYERS = ("P1", "P2")
FIELDS = (1, 2, 3, 4, 5)
PILES = ("hand", "deck", "graveyard", "aside")
OWNER_OF_INITIAL = {"a": "P1", "b": "P2"}

_NUMBER_OF_KEY = {str(number): number for number in FIELDS}
_TOP = re.compile(r"(P[12])\.([1-5])", re.ASCII)
_COVERED = re.compile(r"(P[12])\.([1-5])\.([1-9][0-9]{0,3})", re.ASCII)
_IN_PILE = re.compile(r"(P[12])\.(hand|deck|graveyard)\.([1-9][0-9]{0,3})", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """Where a card lies.

    zone: `field` (top of a stack), `under` (covered), or the pile `hand`, `deck`, `graveyard`,
    `aside`. field: number of the stack, 0 in a pile. index: place in the list, from 0. is_down: it
    is a top that lies face down.
    """

    zone: str
    player: str
    field: int
    index: int
    is_down: bool = False

    @property
    def is_on_field(self) -> bool:
        """Tell whether the card lies in a stack, on top or covered."""
        return self.field > 0

    @property
    def place(self) -> str:
        """The place as text: `P2.3`, `P2.3.1`, `P2.hand.2`.

        Fields, covered cards (from the bottom) and cards of a pile are numbered from 1.
        """
        if self.zone == "field":
            return f"{self.player}.{self.field}"
        pile = self.field if self.zone == "under" else self.zone
        return f"{self.player}.{pile}.{self.index + 1}"


def other(player: str) -> str:
    """Return the opponent of a player."""
    return "P2" if player == "P1" else "P1"


def owner(card: str) -> str:
    """Return the player to whom a card belongs; the id tells. One of another form is nobody's."""
    return OWNER_OF_INITIAL.get(card[:1], "")


def definition(pool: Pool, position: Position, card: str) -> Definition:
    """Return the definition of a card; one that left no trace (HS-915) counts as a blank."""
    return pool.cards[position["cards"].get(card, BLANK["id"])]


def stack(position: Position, player: str, field: Json) -> Stack | None:
    """Return the stack on a field, or None; whatever is no field number has no stack."""
    if type(field) is not int:
        return None
    found: Stack | None = position["players"][player]["fields"].get(str(field))
    return found


def top(position: Position, player: str, field: Json) -> str | None:
    """Return the top card of a field, or None."""
    cards = (stack(position, player, field) or {"cards": []})["cards"]
    return str(cards[-1]) if cards else None


def fields_of(position: Position, player: str) -> list[tuple[int, Stack]]:
    """Return the stacks of a player with their field numbers, ascending."""
    fields = position["players"][player]["fields"]
    return [(number, fields[key]) for key, number in _NUMBER_OF_KEY.items() if key in fields]


def where_is(position: Position, card: str) -> Location | None:
    """Return where a card lies, or None if it is no card of this position."""
    player = owner(card)
    if not player:
        return None
    for number, found in fields_of(position, player):
        cards = found["cards"]
        if card in cards:
            index = cards.index(card)
            is_top = index == len(cards) - 1
            return Location(
                zone="field" if is_top else "under",
                player=player,
                field=number,
                index=index,
                is_down=is_top and found["set"],
            )
    side = position["players"][player]
    for pile in PILES:
        if card in side[pile]:
            return Location(zone=pile, player=player, field=0, index=side[pile].index(card))
    return None


def cards_in(position: Position) -> dict[str, Json]:
    """Return every card that lies somewhere, with its definition id."""
    known = position["cards"]
    return {
        card: known.get(card)
        for side in position["players"].values()
        for cards in (
            *(side[pile] for pile in PILES),
            *(found["cards"] for found in side["fields"].values()),
        )
        for card in cards
    }


def is_face_up_top(position: Position, card: str) -> bool:
    """Tell whether a card is the top of a stack and lies face up."""
    player = owner(card)
    return player != "" and any(
        found["cards"][-1:] == [card] and not found["set"]
        for found in position["players"][player]["fields"].values()
    )


def bearers(position: Position, player: str) -> Iterator[tuple[str, str]]:
    """Give the cards of a player that can bear a working effect, with their place, in order (10).

    The place is a word of `where`: of each field the top (`field`, face down `down`), then the
    covered cards from the bottom (`under`); last the hand (`hand`).
    """
    for _, found in fields_of(position, player):
        *covered, upmost = found["cards"]
        yield upmost, "down" if found["set"] else "field"
        for card in covered:
            yield card, "under"
    for card in position["players"][player]["hand"]:
        yield card, "hand"


def is_place(name: str) -> bool:
    """Tell whether a name is a place, with or without a definition appended."""
    place = name.partition("=")[0]
    return any(form.fullmatch(place) for form in (_TOP, _COVERED, _IN_PILE))


def card_at(position: Position, place: str) -> str | None:
    """Return the card at a place, or None; a definition appended with `=` is cut off."""
    name = place.partition("=")[0]
    if found := _TOP.fullmatch(name):
        return top(position, found[1], int(found[2]))
    if found := _COVERED.fullmatch(name):
        cards = (stack(position, found[1], int(found[2])) or {"cards": []})["cards"][:-1]
    elif found := _IN_PILE.fullmatch(name):
        cards = position["players"][found[1]][found[2]]
    else:
        return None
    index = int(found[3]) - 1
    return str(cards[index]) if index < len(cards) else None
