"""Whom an operation can act on: candidates, protections, destinations, how many (9.6, 9.9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from service.engine.values import Json
from service.rulesets.hi_story.borrowing import borrowed_effects
from service.rulesets.hi_story.cards import Definition
from service.rulesets.hi_story.filters import Reading, as_list, is_person, matches
from service.rulesets.hi_story.measure import count, select, sides
from service.rulesets.hi_story.operations import Operation
from service.rulesets.hi_story.standing import Scene
from service.rulesets.hi_story.table import (
    FIELDS,
    Location,
    Stack,
    definition,
    fields_of,
    owner,
    stack,
    where_is,
)
from service.rulesets.hi_story.terms import forbids

PLACING = ("summon", "set", "shift")
"""Operations for which a destination has to be chosen."""

HIDDEN_ZONES = frozenset({"hand", "deck", "graveyard"})
PILES_LOOKED_THROUGH = ("deck", "graveyard")
DEFAULT_PICK: Mapping[str, Json] = {"count": 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A card that an operation may act on. lying: the stack of which it is the top, or None."""

    card: str
    found: Location
    lying: Stack | None
    printed: Definition

    @property
    def is_open_top(self) -> bool:
        """Whether the card is a face-up top."""
        return self.lying is not None and not self.lying["set"]

    @property
    def is_down(self) -> bool:
        """Whether the card is a face-down top."""
        return self.lying is not None and bool(self.lying["set"])


def pick_of(operation: Operation) -> Mapping[str, Json]:
    """Return how many cards of an operation are taken, and how (9.4)."""
    pick: Mapping[str, Json] = operation.get("pick", DEFAULT_PICK)
    return pick


def zones_of(operation: Operation) -> list[str]:
    """Return the zones out of which an operation selects, in the order of the selector."""
    return as_list(operation["select"].get("zone", []))


def candidates(scene: Scene, reading: Reading, operation: Operation) -> list[str]:
    """Return the cards that an operation of an effect can act on, in the order of its selector."""
    can_be = _CAN_BE[operation["op"]]
    found = []
    for card in select(reading, operation["select"]):
        location = where_is(scene.position, card)
        if location is not None:
            target = Target(
                card=card,
                found=location,
                lying=scene.topped(card) if location.zone == "field" else None,
                printed=definition(scene.pool, scene.position, card),
            )
            if _is_reachable(scene, reading, operation, target) and can_be(
                scene, reading, operation, target
            ):
                found.append(card)
    return found


def _is_reachable(scene: Scene, reading: Reading, operation: Operation, target: Target) -> bool:
    """Tell whether an effect reaches a card at all, whatever it does to it."""
    if "this" in operation["select"]:
        if target.lying is None and not _is_off_the_top(reading, operation, target):
            return False
    elif target.card == reading.source and not is_person(target.printed):
        return False
    foreign_top = target.lying is not None and owner(target.card) != reading.player
    return not (foreign_top and scene.has(target.card, "immune"))


def _is_off_the_top(reading: Reading, operation: Operation, target: Target) -> bool:
    """Tell whether an effect may act on its own source although that is no top (9.6)."""
    op, zone = operation["op"], target.found.zone
    if op in ("summon", "set"):
        return zone == "hand"
    if op == "move" and "covered" in operation["select"] and zone == "under":
        return True
    if op not in ("move", "show"):
        return False
    return not is_person(target.printed) or (zone == "hand" and _works_from_hand(reading, target))


def _works_from_hand(reading: Reading, target: Target) -> bool:
    index = reading.position["frames"][-1]["effect"]
    return any("hand" in effect["where"] for effect in target.printed["effects"][index:][:1])


def _is_protected(scene: Scene, reading: Reading, card: str, keywords: Sequence[str]) -> bool:
    """Tell whether a card is kept from something that effects of the opponent do (9.9)."""
    return owner(card) != reading.player and any(scene.has(card, word) for word in keywords)


def _can_be_moved(scene: Scene, reading: Reading, operation: Operation, target: Target) -> bool:
    zone, selector = target.found.zone, operation["select"]
    if zone == "under" and not ("covered" in selector or "under" in zones_of(operation)):
        return False
    keywords = ["keep", "keep_all"] if zone in ("field", "under") else []
    if operation["to"] == "graveyard" and zone in ("field", "under", "hand"):
        keywords.append("no_discard")
    return not _is_protected(scene, reading, target.card, keywords)


def _can_be_placed(scene: Scene, reading: Reading, operation: Operation, target: Target) -> bool:
    card, op = target.card, operation["op"]
    bans = ("summon", "direct") if op == "summon" else ("set",)
    return (
        is_person(target.printed)
        and owner(card) == reading.player
        and target.lying is None
        and destinations(scene, reading, operation, card) != []
        and not any(forbids(scene, reading.player, ban, card) for ban in bans)
    )


def _can_be_shifted(scene: Scene, reading: Reading, operation: Operation, target: Target) -> bool:
    return target.is_open_top and destinations(scene, reading, operation, target.card) != []


def _can_be_flipped(scene: Scene, reading: Reading, operation: Operation, target: Target) -> bool:
    if operation["to"] == "up":
        return target.is_down
    return target.is_open_top and not _is_protected(scene, reading, target.card, ["no_down"])


def _can_be_rested(scene: Scene, reading: Reading, operation: Operation, target: Target) -> bool:
    lying = target.lying
    is_active = lying is not None and not lying["rest"] and not lying["set"]
    return is_active and not _is_protected(scene, reading, target.card, ["no_rest"])


def _can_be_readied(scene: Scene, reading: Reading, operation: Operation, target: Target) -> bool:
    return target.lying is not None and bool(target.lying["rest"])


def _can_be_changed(scene: Scene, reading: Reading, operation: Operation, target: Target) -> bool:
    """Tell whether power or a grant can lie on a card; face down only `no_turn_up` can (9.9)."""
    if target.is_down:
        return operation.get("keyword") == "no_turn_up"
    return target.lying is not None


def _can_be_seen(scene: Scene, reading: Reading, operation: Operation, target: Target) -> bool:
    return True


def _can_be_copied(scene: Scene, reading: Reading, operation: Operation, target: Target) -> bool:
    is_read = not target.is_down or "known" in operation["select"]
    return is_read and borrowed_effects(target.printed, operation) != []


_CAN_BE: Mapping[str, Callable[[Scene, Reading, Operation, Target], bool]] = {
    "move": _can_be_moved,
    "summon": _can_be_placed,
    "set": _can_be_placed,
    "flip": _can_be_flipped,
    "rest": _can_be_rested,
    "ready": _can_be_readied,
    "power": _can_be_changed,
    "grant": _can_be_changed,
    "show": _can_be_seen,
    "look": _can_be_seen,
    "copy": _can_be_copied,
    "shift": _can_be_shifted,
}


def destinations(scene: Scene, reading: Reading, operation: Operation, card: str) -> list[int]:
    """Return the fields onto which a card can be placed or moved now, ascending (9.6)."""
    if operation["op"] == "shift":
        return [
            field
            for field, lying in fields_of(scene.position, owner(card))
            if card not in lying["cards"] and _is_free_to_cover(scene, lying)
        ]
    return [field for field in FIELDS if _is_destination(scene, reading, operation, card, field)]


def _is_free_to_cover(scene: Scene, lying: Stack) -> bool:
    return not lying["set"] and not scene.has(lying["cards"][-1], "no_cover")


def _is_destination(
    scene: Scene, reading: Reading, operation: Operation, card: str, field: int
) -> bool:
    rank = definition(scene.pool, scene.position, card)["rank"]
    order, is_summon = operation["order"], operation["op"] == "summon"
    lying = stack(scene.position, reading.player, field)
    if lying is None:
        in_order = order == "rank" and rank == 0
        return bool(order == "empty" or (is_summon and (in_order or order == "anywhere")))
    top = lying["cards"][-1]
    if not _is_free_to_cover(scene, lying):
        return False
    if "onto" in operation and not matches(reading, operation["onto"], top):
        return False
    if order == "rank":
        return bool(rank >= 1 and definition(scene.pool, scene.position, top)["rank"] == rank - 1)
    if order in ("on_this", "on_other"):
        return bool(top == reading.source) is bool(order == "on_this")
    return order in ("on_any", "anywhere")


def is_asked_for(operation: Operation) -> bool:
    """Tell whether cards are chosen, not taken at once (9.4, 9.6)."""
    selector, pick = operation["select"], pick_of(operation)
    if operation["op"] in PLACING:
        return True
    if "up_to" in pick:
        return "attacker" not in selector and "blocker" not in selector
    return "count" in pick and "zone" in selector


def is_asked_in_vain(operation: Operation) -> bool:
    """Tell whether a player is asked even without a candidate, so that nobody can tell (HS-922)."""
    return "up_to" in pick_of(operation) and not HIDDEN_ZONES.isdisjoint(zones_of(operation))


def how_many(reading: Reading, operation: Operation, offered: int) -> tuple[int, int]:
    """Return how many of the offered cards must and may be chosen (9.6)."""
    pick = pick_of(operation)
    if "up_to" in pick:
        return 0, min(count(reading, pick["up_to"]), offered)
    most = min(count(reading, pick["count"]), offered)
    return min(most, 1) if operation["op"] in PLACING else most, most


def piles_looked_through(reading: Reading, operation: Operation) -> list[tuple[str, str]]:
    """Return the piles, as (player, zone), that are shuffled because a player may choose there.

    Zone by zone in the order of the selector, the turn player's first (HS-913).
    """
    selector, pick = operation["select"], pick_of(operation)
    if "top" in selector or "until" in selector or not ("count" in pick or "up_to" in pick):
        return []
    players = sides(reading, "both")
    concerned = sides(reading, selector.get("side", "self"))
    return [
        (player, zone)
        for zone in zones_of(operation)
        if zone in PILES_LOOKED_THROUGH
        for player in players
        if player in concerned
    ]
