"""Leaving the battlefield: what a card holds goes first, the card last (HG-216, HG-408, HG-921)."""

from __future__ import annotations

from service.engine.values import Fact, Json
from service.rulesets.hagmi.course import Course
from service.rulesets.hagmi.table import MB, by_seq, definition_of, entry_of, owner_of


def let_go(course: Course, card: str) -> None:
    """Take off what a card holds: armaments stay unequipped, the rest is discarded."""
    entry = entry_of(course.position, card)
    for armament, _ in by_seq(entry["armaments"]):
        course.tell("armament_unequipped", {"armament": armament, "unit": card})
    _discard_held(course, card, entry)


def _discard_held(course: Course, holder: str, entry: Json) -> None:
    for card in entry["fuel"]:
        _discard(course, {"card": card, "from": "fuel", "holder": holder}, "HG-921")
    for card, held in by_seq(entry["stored"]):
        _discard_held(course, card, held)
        for armament, _ in by_seq(held["armaments"]):
            _discard(course, {"card": armament, "from": "stored", "holder": card}, "HG-921")
        _discard(course, {"card": card, "from": "stored", "holder": holder}, "HG-921")


def discard_from_field(course: Course, card: str, cause: str) -> None:
    """Discard a card from a battlefield; it was not destroyed (HG-408)."""
    let_go(course, card)
    rule = "HG-928" if cause == "durability" else "HG-408"
    _discard(course, {"card": card, "from": "field", "cause": cause}, rule)


def discard_from_hand(course: Course, card: str, cause: str) -> None:
    """Discard a card from a hand."""
    _discard(course, {"card": card, "from": "hand", "cause": cause}, "HG-408")


def _discard(course: Course, fields: Fact, rule: str) -> None:
    course.tell("card_discarded", fields, (rule,))
    if is_token(course, fields["card"]):
        vanish(course, fields["card"])


def is_token(course: Course, card: str) -> bool:
    """Tell whether a card is a token (HG-271)."""
    return definition_of(course, card).kind == "token"


def vanish(course: Course, card: str) -> None:
    """Let a token vanish instead of going anywhere (HG-272)."""
    course.tell("token_vanished", {"card": card})


def leave(course: Course, card: str, to: str) -> None:
    """Move a card that holds nothing any more to a public pile of its owner (HG-934)."""
    if is_token(course, card):
        vanish(course, card)
    else:
        course.tell("card_left", {"card": card, "to": to})


def dismantle(course: Course, card: str, *, is_replacement: bool) -> None:
    """Remove a card on a battlefield from the game (HG-263)."""
    course.tell("card_dismantled", {"card": card}, ("HG-401",) if is_replacement else ())
    let_go(course, card)
    leave(course, card, "removed")


def move_from_field(course: Course, card: str, to: str) -> None:
    """Move a card from a battlefield to a zone of its owner; a beast is discarded instead."""
    let_go(course, card)
    if is_token(course, card) or (owner_of(course.position, card) == MB and to != "removed"):
        leave(course, card, "discard")
    else:
        course.tell("card_moved", {"card": card, "from": "field", "to": to})
