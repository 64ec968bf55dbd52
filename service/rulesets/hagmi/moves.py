"""Operations that move cards (HG-229, HG-263…HG-272, HG-408…HG-410, HG-434, HG-964; spec 9)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from service.engine.values import Json
from service.rulesets.hagmi.changes import on_field
from service.rulesets.hagmi.conditions import number
from service.rulesets.hagmi.course import Course
from service.rulesets.hagmi.destruction import destroy
from service.rulesets.hagmi.equipment import can_bear, equip
from service.rulesets.hagmi.leaving import (
    discard_from_field,
    discard_from_hand,
    dismantle,
    is_token,
    let_go,
    move_from_field,
    vanish,
)
from service.rulesets.hagmi.selection import Context, selected
from service.rulesets.hagmi.table import (
    MB,
    by_seq,
    controller_of,
    definition_of,
    entry_of,
    opponents,
    owner_of,
    pile_with,
)
from service.rulesets.hagmi.triggers import trigger

ENTERED_FROM = ("hand", "discard", "secret", "weapon_deck", "operation_deck")
ENTRY_RULES = {"put": ("HG-229", "HG-929"), "returned": ("HG-434",)}


def removable(course: Course, context: Context, selector: Json) -> Iterator[str]:
    """Yield what a selector means, without cards that no effect can remove (HG-964)."""
    for card in selected(course, context, selector):
        if not definition_of(course, card).stays_for_good:
            yield card


def _is_there(course: Course, card: str) -> bool:
    return entry_of(course.position, card) is not None


def _destroy(course: Course, operation: Json, context: Context) -> None:
    for card in selected(course, context, operation["what"]):
        destroy(course, card, "effect", context.spent)


def _discard(course: Course, operation: Json, context: Context) -> None:
    for card in removable(course, context, operation["what"]):
        if _is_there(course, card):
            discard_from_field(course, card, "effect")
        elif pile_with(course.position, card) == "hand":
            discard_from_hand(course, card, "effect")


def _dismantle(course: Course, operation: Json, context: Context) -> None:
    for card in removable(course, context, operation["what"]):
        if _is_there(course, card):
            dismantle(course, card, is_replacement=card == context.event_card)


def _move(course: Course, operation: Json, context: Context) -> None:
    """Move cards to a zone of their owners; the beasts have no hand and no such decks."""
    to = operation["to"]
    for card in removable(course, context, operation["what"]):
        zone = pile_with(course.position, card)
        if _is_there(course, card):
            move_from_field(course, card, to)
        elif zone is not None and (to == "removed" or owner_of(course.position, card) != MB):
            rules = ("HG-416",) if zone == "discard" else ()
            course.tell("card_moved", {"card": card, "from": zone, "to": to}, rules)


def _enter(course: Course, operation: Json, context: Context) -> None:
    """Let cards enter without production: put or returned (HG-229, HG-434)."""
    how = operation["how"]
    for card in selected(course, context, operation["what"]):
        zone = pile_with(course.position, card)
        if zone not in ENTERED_FROM:
            continue
        fields = {"card": card, "controller": context.player, "how": how, "from": zone}
        rules = ("HG-416",) if zone == "discard" else ()
        course.tell("card_entered", fields, (*ENTRY_RULES[how], *rules))
        if how == "put":
            trigger(course, card, "on_enter")


def _store(course: Course, operation: Json, context: Context) -> None:
    """Lay cards under another with all they hold; their connections end (HG-409, HG-933)."""
    holders = [c for c in selected(course, context, operation["under"]) if _is_there(course, c)]
    for holder in holders[:1]:
        for card in removable(course, context, operation["what"]):
            if card == holder or not _is_there(course, card):
                continue
            if is_token(course, card):
                let_go(course, card)
                vanish(course, card)
                continue
            connected = entry_of(course.position, card)["connected"]
            course.tell("card_stored", {"card": card, "under": holder})
            for other in connected:
                course.tell("cards_disconnected", {"cards": [card, other]})


def _release(course: Course, operation: Json, context: Context) -> None:
    for holder, entry in on_field(course, context, operation["from"]):
        for card, _ in by_seq(entry["stored"]):
            course.tell("card_released", {"card": card, "from": holder})


def _control(course: Course, operation: Json, context: Context) -> None:
    is_own = operation["to"] == "you"
    to = context.player if is_own else opponents(course.position, context.player)[0]
    for card in removable(course, context, operation["what"]):
        side = controller_of(course.position, card)
        if side not in (None, to):
            course.tell("control_changed", {"card": card, "from": side, "to": to})


def _connect(course: Course, operation: Json, context: Context) -> None:
    others = [card for card, _ in on_field(course, context, operation["with"])]
    for card, entry in on_field(course, context, operation["what"]):
        for other in others:
            if other != card and other not in entry["connected"]:
                course.tell("cards_connected", {"cards": [card, other]})


def _disconnect(course: Course, operation: Json, context: Context) -> None:
    for card, entry in on_field(course, context, operation["what"]):
        for other in entry["connected"]:
            course.tell("cards_disconnected", {"cards": [card, other]})


def _token(course: Course, operation: Json, context: Context) -> None:
    is_own = operation["to"] == "you"
    side = context.player if is_own else opponents(course.position, context.player)[0]
    for _ in range(number(course, context, operation["count"])):
        card = _unused_id(course, context.source)
        fields = {
            "card": card,
            "controller": side,
            "how": "token",
            "from": None,
            "definition": operation["card"],
            "owner": side,
        }
        course.tell("card_entered", fields, ("HG-271",))
        trigger(course, card, "on_enter")


def _unused_id(course: Course, source: str) -> str:
    """Return the next id for a token of a card; ids of vanished tokens are never used again."""
    known = course.position["cards"]
    names = (f"{source}.T{n}" for n in range(1, len(known) + 2))
    return next(name for name in names if name not in known)


def _equip(course: Course, operation: Json, context: Context) -> None:
    hosts = [card for card, _ in on_field(course, context, operation["host"])]
    for armament, _ in on_field(course, context, operation["what"]):
        fits = [h for h in hosts if can_bear(course, context.player, armament, h)]
        if definition_of(course, armament).kind == "armament" and fits:
            equip(course, context.player, armament, fits[0])


MOVES: Mapping[str, Callable[[Course, Json, Context], None]] = {
    "destroy": _destroy,
    "discard": _discard,
    "dismantle": _dismantle,
    "move": _move,
    "enter": _enter,
    "store": _store,
    "release": _release,
    "control": _control,
    "connect": _connect,
    "disconnect": _disconnect,
    "token": _token,
    "equip": _equip,
}
