"""What a filter reads of a card, and from where: the board, the source, its player (HS-421)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from service.engine.values import Json, Position
from service.rulesets.hi_story.cards import Definition, Pool
from service.rulesets.hi_story.table import Stack, definition, stack, where_is

Filter: TypeAlias = dict[str, Json]

NO_FILTER: Filter = {}
OPEN_KEYS = frozenset({"state", "other", "attacking", "any"})
"""What a filter may ask of a face-down card; every other key reads what is hidden."""


class Board(Protocol):
    """What can be asked of the cards of a position."""

    @property
    def pool(self) -> Pool:
        """The definitions."""
        ...

    @property
    def position(self) -> Position:
        """The position that is read."""
        ...

    def topped(self, card: str) -> Stack | None:
        """Return the stack on top of which a card lies, or None."""
        ...

    def power(self, card: str) -> int:
        """Return the present power of a face-up top."""
        ...

    def has(self, card: str, keyword: str) -> bool:
        """Tell whether a card has an icon or keyword, printed or granted."""
        ...

    def attributes(self, card: str) -> Sequence[str]:
        """Return the attributes of a card."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """From where an effect is read.

    source: the card whose effect it is; player: its owner, "self". last, it: the cards that the
    effect fixed before and reacts to. known: face-down cards are read like open ones.
    """

    board: Board
    source: str
    player: str
    last: Sequence[str] = ()
    it: str | None = None
    known: bool = False

    @property
    def position(self) -> Position:
        """The position that is read."""
        return self.board.position

    def definition(self, card: str) -> Definition:
        """Return the definition of a card."""
        return definition(self.board.pool, self.board.position, card)


def beneath(position: Position, card: str) -> list[str]:
    """Return the cards that lie under a card, bottom first."""
    found = where_is(position, card)
    lying = found and stack(position, found.player, found.field)
    return lying["cards"][: found.index] if found and lying else []


def as_list(value: Json) -> list[Json]:
    """Return a list of alternatives as it is, a single value as a list."""
    return value if isinstance(value, list) else [value]


def is_person(card: Definition) -> bool:
    """Tell whether a card has a rank; an incident has a level in its place (HS-116)."""
    return bool(card["kind"] != "incident")


def present_power(board: Board, card: str) -> int:
    """Return the power that filters and numbers read (HS-952)."""
    lying = board.topped(card)
    if lying is not None and not lying["set"]:
        return board.power(card)
    return int(definition(board.pool, board.position, card)["power"])


def matches(reading: Reading, wanted: Filter, card: str) -> bool:
    """Tell whether a card fits a filter; of a face-down one nothing hidden is read (9.3)."""
    lying = reading.board.topped(card)
    if lying is not None and lying["set"] and not reading.known and not wanted.keys() <= OPEN_KEYS:
        return False
    return all(_FITS[key](reading, card, value) for key, value in wanted.items())


def _is_in(number: int, wanted: Json) -> bool:
    low, high = wanted if isinstance(wanted, list) else (wanted, wanted)
    return bool(low <= number <= high)


def _is_part(texts: Sequence[str], wanted: Json) -> bool:
    return any(part in text for part in as_list(wanted) for text in texts)


def _fits_name(reading: Reading, card: str, wanted: Json) -> bool:
    found = reading.definition(card)
    return any(name in (found["name_ja"], found["name_en"]) for name in as_list(wanted))


def _fits_name_part(reading: Reading, card: str, wanted: Json) -> bool:
    return _is_part([reading.definition(card)["name_ja"]], wanted)


def _fits_title_part(reading: Reading, card: str, wanted: Json) -> bool:
    return _is_part([reading.definition(card)["title_ja"]], wanted)


def _fits_attribute(reading: Reading, card: str, wanted: Json) -> bool:
    return any(name in reading.board.attributes(card) for name in as_list(wanted))


def _fits_attribute_part(reading: Reading, card: str, wanted: Json) -> bool:
    """Tell whether a word is part of an attribute (HS-951)."""
    return _is_part(reading.board.attributes(card), wanted)


def _fits_effect_name(reading: Reading, card: str, wanted: Json) -> bool:
    return _is_part([effect["name_ja"] for effect in reading.definition(card)["effects"]], wanted)


def _fits_rank(reading: Reading, card: str, wanted: Json) -> bool:
    """Tell whether a person has one of these ranks (HS-501, HS-502)."""
    found = reading.definition(card)
    return is_person(found) and _is_in(found["rank"], wanted)


def _fits_level(reading: Reading, card: str, wanted: Json) -> bool:
    found = reading.definition(card)
    return not is_person(found) and _is_in(found["rank"], wanted)


def _fits_kind(reading: Reading, card: str, wanted: Json) -> bool:
    return is_person(reading.definition(card)) is bool(wanted == "person")


def _fits_power(reading: Reading, card: str, wanted: Json) -> bool:
    return _is_in(present_power(reading.board, card), wanted)


def _fits_mark(reading: Reading, card: str, wanted: Json) -> bool:
    return any(effect["when"] in as_list(wanted) for effect in reading.definition(card)["effects"])


def _fits_icon(reading: Reading, card: str, wanted: Json) -> bool:
    return bool(reading.definition(card)[wanted])


def _fits_has(reading: Reading, card: str, wanted: Json) -> bool:
    return reading.board.has(card, wanted)


def _fits_summoned(reading: Reading, card: str, wanted: Json) -> bool:
    return bool((card in reading.position["summoned"]) == wanted)


def _fits_covering(reading: Reading, card: str, wanted: Json) -> bool:
    return bool((beneath(reading.position, card) != []) == wanted)


def _fits_attacking(reading: Reading, card: str, wanted: Json) -> bool:
    attack = reading.position["attack"]
    return bool((attack is not None and attack["card"] == card) == wanted)


def _fits_any(reading: Reading, card: str, wanted: Json) -> bool:
    return any(matches(reading, alternative, card) for alternative in wanted)


def _fits_not(reading: Reading, card: str, wanted: Json) -> bool:
    return not matches(reading, wanted, card)


def _fits_state(reading: Reading, card: str, wanted: Json) -> bool:
    """Tell whether a top lies upright, sideways or face down (HS-215, HS-216, HS-217)."""
    lying = reading.board.topped(card)
    if lying is None:
        return False
    if wanted == "face_up":
        return not bool(lying["set"])
    state = "set" if lying["set"] else "rest" if lying["rest"] else "active"
    return bool(state == wanted)


def _fits_other(reading: Reading, card: str, wanted: Json) -> bool:
    return card != reading.source


_FITS: Mapping[str, Callable[[Reading, str, Json], bool]] = {
    "name": _fits_name,
    "name_part": _fits_name_part,
    "title_part": _fits_title_part,
    "attribute": _fits_attribute,
    "attribute_part": _fits_attribute_part,
    "effect_name": _fits_effect_name,
    "rank": _fits_rank,
    "level": _fits_level,
    "kind": _fits_kind,
    "power": _fits_power,
    "mark": _fits_mark,
    "icon": _fits_icon,
    "has": _fits_has,
    "summoned": _fits_summoned,
    "covering": _fits_covering,
    "attacking": _fits_attacking,
    "any": _fits_any,
    "not": _fits_not,
    "state": _fits_state,
    "other": _fits_other,
}
