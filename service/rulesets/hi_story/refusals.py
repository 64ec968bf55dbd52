"""Effects that the loader refuses although every key is known: the rules of 9.7 as a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from service.engine.contract import Fault
from service.engine.values import Json
from service.rulesets.hi_story.cards import Definition, Effect
from service.rulesets.hi_story.shapes import Part, at, parts
from service.rulesets.hi_story.vocabulary import EFFECT, INTERNAL, SELECTING, operation_of
from service.rulesets.hi_story.words import (
    ACTIVATED,
)

PRESENT_VALUES = ("power", "extreme", "has")
LAST = ("last", "of_last")
PRIVATE_KEYWORDS = ("keep", "keep_all", "no_discard", "no_rest", "no_down")
PLACEABLE_FROM = ("hand", "deck", "graveyard", "under")
PICKS_WITH_DESTINATIONS = ("count", "up_to")
HIDDEN_ZONES = ("hand", "deck", "graveyard")
OF_TOPS = ("rest", "ready", "flip", "power", "grant", "shift")
DURING_ATTACKS = ("attacks", "blocks", "wins_battle", "played")
EVENTS_OF_ATTACKS = ("attack", "block")
UNTIL_FIELD = ("power", "grant")


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """An effect under test, of whatever form: the card that bears it, its place in the file."""

    card: Definition
    effect: Effect
    place: str

    @property
    def when(self) -> Json:
        """The trigger."""
        return self.effect.get("when")

    @property
    def where(self) -> list[Json]:
        """The places in which the effect works."""
        return _listed(self.effect.get("where", "field"))

    def parts(self, key: str) -> Iterator[tuple[str, Part]]:
        """Give every object under a key of the effect with its place."""
        yield from parts(self.effect.get(key), at(self.place, key))

    def operations(self, *names: str) -> Iterator[tuple[str, Part]]:
        """Give the operations with these names that have the right form, at any depth."""
        shape = operation_of(self.when)
        for place, part in self.parts("do"):
            if part.get("op") in names and not any(shape(part, place)):
                yield place, part


Rule: TypeAlias = Callable[[Subject], Iterator[str]]
"""Gives the places at which an effect breaks a rule."""


def refusals(card: Definition, effect: Effect, place: str) -> Iterator[Fault]:
    """Give every fault of an effect beyond its form."""
    subject = Subject(card=card, effect=effect, place=place)
    for text, rule in RULES.items():
        for found in rule(subject):
            yield Fault(place=found, text=text)


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else [value]


def _zones(select: Part) -> list[Json]:
    return _listed(select.get("zone", []))


def _share(values: Sequence[Json], others: Sequence[Json]) -> bool:
    return any(value in others for value in values)


def _reads_present(subject: Subject) -> Iterator[str]:
    if subject.when != "always":
        return
    for key in ("if", "do"):
        for place, part in subject.parts(key):
            yield from (at(place, name) for name in (*PRESENT_VALUES, *LAST) if name in part)
            if part.get("sum") == "power":
                yield at(place, "sum")


def _optional(subject: Subject) -> Iterator[str]:
    if subject.effect.get("optional") and subject.when in (*ACTIVATED, "always", "played"):
        yield at(subject.place, "optional")


def _unseen_statics(subject: Subject) -> Iterator[str]:
    if subject.when != "always" or not _share(subject.where, ("hand", "down")):
        return
    for place, part in subject.operations("power", "grant", "forbid", "limit", "duty"):
        is_private = part.get("keyword") in PRIVATE_KEYWORDS and part["select"] == {"this": True}
        if not is_private:
            yield place


def _placed_by_this(subject: Subject) -> Iterator[str]:
    for place, part in subject.operations("summon", "set"):
        if "this" in part["select"] and "hand" not in subject.where:
            yield at(place, "select.this")


def _placed_from(subject: Subject) -> Iterator[str]:
    for place, part in subject.operations("summon", "set"):
        if not set(_zones(part["select"])) <= set(PLACEABLE_FROM):
            yield at(place, "select.zone")


def _placed_by_side(subject: Subject) -> Iterator[str]:
    for place, part in subject.operations("summon", "set"):
        if part["select"].get("side", "self") != "self":
            yield at(place, "select.side")


def _placed_unasked(subject: Subject) -> Iterator[str]:
    for place, part in subject.operations("summon", "set", "shift"):
        if not part.get("pick", {"count": 1}).keys() & set(PICKS_WITH_DESTINATIONS):
            yield at(place, "pick")


def _tops_elsewhere(subject: Subject) -> Iterator[str]:
    for place, part in subject.operations(*OF_TOPS):
        if set(_zones(part["select"])) - {"field"}:
            yield at(place, "select.zone")


def _under_nothing(subject: Subject) -> Iterator[str]:
    for place, part in parts(subject.effect, subject.place):
        if "zone" in part and "under" not in _zones(part):
            yield from (at(place, key) for key in ("of_this", "of_last") if key in part)


def _until_attack(subject: Subject) -> Iterator[str]:
    if subject.when in DURING_ATTACKS or subject.effect.get("event") in EVENTS_OF_ATTACKS:
        return
    for place, part in subject.parts("do"):
        if part.get("until") == "attack":
            yield at(place, "until")


def _until_field(subject: Subject) -> Iterator[str]:
    for place, part in subject.parts("do"):
        if part.get("until") == "field" and part.get("op") not in UNTIL_FIELD:
            yield at(place, "until")


def hidden_counts(condition: Json, place: str) -> Iterator[str]:
    """Give the places at which a condition counts by a filter what nobody may know (9.2)."""
    for found, part in parts(condition, place):
        counted = part.get("count")
        if not isinstance(counted, dict) or "filter" not in counted:
            continue
        if _share(_zones(counted), HIDDEN_ZONES):
            yield at(found, "count.filter")


def _counts_hidden(subject: Subject) -> Iterator[str]:
    for place, part in parts(subject.effect, subject.place):
        for key in ("if", "cond"):
            yield from hidden_counts(part.get(key), at(place, key))


def _filtered_mill(subject: Subject) -> Iterator[str]:
    for place, part in subject.operations("forbid"):
        if "mill" in _listed(part["action"]) and "filter" in part:
            yield at(place, "filter")


def _random_of_several(subject: Subject) -> Iterator[str]:
    for place, part in subject.operations(*SELECTING):
        select = part["select"]
        is_mixed = select.get("side") == "both" or len(_zones(select)) > 1
        if "random" in part.get("pick", {}) and is_mixed:
            yield at(place, "pick.random")


def _bounded_by_hidden(subject: Subject) -> Iterator[str]:
    for place, part in subject.operations(*SELECTING):
        select, pick = part["select"], part.get("pick", {})
        may_be_hidden = "field" in _zones(select) and select.get("side", "self") != "self"
        if may_be_hidden and "state" not in select.get("filter", {}):
            yield from (at(place, f"pick.{key}") for key in ("sum", "distinct") if key in pick)


def _played_elsewhere(subject: Subject) -> Iterator[str]:
    if subject.when == "played" and subject.card.get("kind") != "incident":
        yield at(subject.place, "when")


def _nameless(subject: Subject) -> Iterator[str]:
    if subject.effect.get("per_turn") == "name" and not subject.effect.get("name_ja"):
        yield at(subject.place, "per_turn")


def _leaving_unseen(subject: Subject) -> Iterator[str]:
    if subject.when == "would_leave" and _share(subject.where, ("hand", "under")):
        yield at(subject.place, "where")


def _extra_turn(subject: Subject) -> Iterator[str]:
    if subject.when not in ACTIVATED:
        for place, _ in subject.operations("extra_turn"):
            yield at(place, "op")


def _internal(subject: Subject) -> Iterator[str]:
    for place, _ in subject.operations(*INTERNAL):
        yield at(place, "op")


def _lost_last(subject: Subject) -> Iterator[str]:
    if any(EFFECT(subject.effect, subject.place)):
        return
    yield from _Remembered().faults(subject.effect["do"], at(subject.place, "do"))
    for place, part in subject.operations("later"):
        yield from _Remembered(is_empty=True).faults(part["do"], at(place, "do"))


@dataclass(slots=True, kw_only=True)
class _Remembered:
    """What is known of `last` while the operations of a list are gone through in order.

    is_empty: nothing was selected yet in a delayed list. is_shuffled: the cards selected last lie
    shuffled in a deck; how many they were may still be asked.
    """

    is_empty: bool = False
    is_shuffled: bool = False

    def faults(self, operations: list[Part], place: str) -> Iterator[str]:
        """Give the places that read `last` where it stands for nothing that can be found."""
        for index, operation in enumerate(operations):
            yield from self._faults_of_one(operation, at(place, index))

    def _faults_of_one(self, operation: Part, place: str) -> Iterator[str]:
        for key, part in operation.items():
            if key not in ("do", "then", "else", "options"):
                yield from self._uses(part, at(place, key))
        for index, option in enumerate(operation.get("options", [])):
            yield from self._uses(option.get("if"), at(place, f"options.{index}.if"))
        yield from self._faults_of_branches(operation, place)
        if operation["op"] in SELECTING:
            self.is_empty = False
            self.is_shuffled = operation["op"] == "move" and operation["to"] == "deck"

    def _faults_of_branches(self, operation: Part, place: str) -> Iterator[str]:
        after = []
        for inside, operations in _branches(operation, place):
            branch = _Remembered(is_empty=self.is_empty, is_shuffled=self.is_shuffled)
            yield from branch.faults(operations, inside)
            after.append(branch)
        if after:
            self.is_empty = any(branch.is_empty for branch in after)
            self.is_shuffled = any(branch.is_shuffled for branch in after)

    def _uses(self, value: Json, place: str) -> Iterator[str]:
        for found, part in parts(value, place):
            is_number_only = part == {"last": True} and found.endswith("count")
            if self.is_empty or (self.is_shuffled and not is_number_only):
                yield from (at(found, key) for key in LAST if key in part)


def _branches(operation: Part, place: str) -> Iterator[tuple[str, list[Part]]]:
    """Give the lists of which an operation carries out one."""
    if operation["op"] == "if":
        for key in ("then", "else"):
            yield at(place, key), operation.get(key, [])
    for index, option in enumerate(operation.get("options", [])):
        yield at(place, f"options.{index}.do"), option["do"]


RULES: Mapping[str, Rule] = {
    "always reads present powers, granted icons or last: it would ask for itself": _reads_present,
    "only automatic effects may be optional": _optional,
    "always from the hand or face down may only protect its own card": _unseen_statics,
    "this can be placed from the hand only": _placed_by_this,
    "can be placed from hand, deck, graveyard and under only": _placed_from,
    "only own cards can be placed": _placed_by_side,
    "a destination has to be chosen: count or up_to": _placed_unasked,
    "concerns tops only: zone field": _tops_elsewhere,
    "needs the zone under": _under_nothing,
    "until attack has no meaning outside an attack": _until_attack,
    "until field is for power and grant only": _until_field,
    "a condition counts by a filter in a hidden zone": _counts_hidden,
    "a ban of mill takes no filter": _filtered_mill,
    "random is drawn from one zone of one player": _random_of_several,
    "a bound would tell rank or name of a face-down card": _bounded_by_hidden,
    "played is for incidents only": _played_elsewhere,
    "per_turn name needs a name": _nameless,
    "would_leave works in field and down only": _leaving_unseen,
    "extra_turn is for effects marked summoned or once only": _extra_turn,
    "an internal operation never stands in card data": _internal,
    "last stands for nothing: not selected yet, or shuffled into a deck": _lost_last,
}
