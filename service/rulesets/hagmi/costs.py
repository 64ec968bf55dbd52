"""Payment and additional costs (HG-211, HG-255, HG-256, HG-267, HG-414, HG-947; spec 6.9)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from service.engine.values import Json
from service.rulesets.hagmi.course import Course
from service.rulesets.hagmi.definitions import AdditionalCost
from service.rulesets.hagmi.destruction import destroy
from service.rulesets.hagmi.leaving import discard_from_field, discard_from_hand
from service.rulesets.hagmi.numbers import cost_of
from service.rulesets.hagmi.selection import Context, candidates
from service.rulesets.hagmi.table import (
    Table,
    by_seq,
    controller_of,
    definition_of,
    field_of,
    pile_of,
)


def payables(table: Table, player: str, card: str) -> list[str]:
    """Return what may pay for a card: the rest of the hand, then the substitutes (HG-414)."""
    position = table.position
    hand = [other for other in pile_of(position, player, "hand") if other != card]
    field = [c for c, _ in by_seq(field_of(position, player)) if is_substitute(table, player, c)]
    secret = [c for c in pile_of(position, player, "secret") if is_substitute(table, player, c)]
    return [*hand, *field, *secret]


def is_substitute(table: Table, player: str, card: str) -> bool:
    """Tell whether a card on one's battlefield or among one's secrets can pay costs."""
    zones = definition_of(table, card).payment_zones
    entry = field_of(table.position, player).get(card)
    if entry is None:
        return "secret" in zones
    return "field" in zones and not entry["down"]


def payment_refusals(
    table: Table, player: str, card: str, pay: Sequence[str], x: int | None
) -> Iterator[str]:
    """Yield the rules that a payment breaks, in the order of the checks."""
    has_x = definition_of(table, card).is_cost_x
    if not has_x and len(set(pay)) != cost_of(table, card):
        yield "HG-211"
    if card in pay:
        yield "HG-947"
    if len(set(pay)) != len(pay):
        yield "HG-211"
    position = table.position
    hand, secret = pile_of(position, player, "hand"), pile_of(position, player, "secret")
    for paid in pay:
        if paid in hand:
            continue
        if paid not in secret and paid not in field_of(position, player):
            yield "HG-211"
        elif not is_substitute(table, player, paid):
            yield "HG-414"
    if has_x and x != len(pay):
        yield "HG-267"


def additional_candidates(table: Table, player: str, card: str, cost: AdditionalCost) -> list[str]:
    """Return what may be given as an additional cost of a card or of its skill (HG-255)."""
    found = candidates(table, Context(source=card, player=player), cost.select)
    return [other for other in found if other != card]


def is_additional_paid(
    table: Table, player: str, card: str, cost: AdditionalCost | None, action: Json
) -> bool:
    """Tell whether an action gives exactly the cards that an additional cost asks for (HG-256)."""
    if cost is None:
        return True
    given = action.get("additional", [])
    allowed = set(additional_candidates(table, player, card, cost)) - set(action.get("pay", []))
    return len(given) == cost.count == len(set(given)) and set(given) <= allowed


def can_pay_both(
    payable: Sequence[str], count: int, additional: Sequence[str], further: int
) -> bool:
    """Tell whether payment and additional cost can be given at once, no card twice (HG-947)."""
    return (
        len(payable) >= count
        and len(additional) >= further
        and len({*payable, *additional}) >= count + further
    )


def pay_additional(
    course: Course, player: str, cost: AdditionalCost | None, given: Sequence[str]
) -> None:
    """Destroy or discard what is given as an additional cost, on announcement (HG-255)."""
    if cost is None:
        return
    course.tell("additional_cost_paid", {"player": player, "cards": list(given)})
    for card in given:
        if cost.verb == "destroy":
            destroy(course, card, "cost")
        elif controller_of(course.position, card) is not None:
            discard_from_field(course, card, "cost")
        else:
            discard_from_hand(course, card, "cost")
