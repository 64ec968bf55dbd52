"""Logistics, drawing and dice (HG-202, HG-239, HG-240, HG-902, HG-906, HG-936; spec 6.8)."""

from __future__ import annotations

from collections.abc import Sequence

from service.rulesets.hagmi.course import Course
from service.rulesets.hagmi.table import MB, pile_of

DIE_SIDES = 6
OPERATION_MOST = 3
DRAW_STEP_DICE = 2


def logistics(course: Course, player: str, n: int, rules: Sequence[str] = ()) -> None:
    """Roll n dice and draw a card for each; all alike give one more (HG-240).

    Facts: die_rolled, logistics_resolved, cards_drawn.
    """
    if n < 1 or player == MB:
        return
    dice = [course.draws.die(DIE_SIDES) for _ in range(n)]
    counts = {
        "operation_deck": sum(value <= OPERATION_MOST for value in dice),
        "weapon_deck": sum(value > OPERATION_MOST for value in dice),
    }
    bonus = None
    if n > 1 and len(set(dice)) == 1:
        bonus = "operation_deck" if counts["operation_deck"] else "weapon_deck"
        counts[bonus] += 1
        rules = ("HG-240", *rules)
    for value in dice:
        tell_die(course, player, value, "logistics", rules)
    fields = {
        "player": player,
        "n": n,
        "dice": dice,
        "operation": counts["operation_deck"],
        "weapon": counts["weapon_deck"],
        "bonus": bonus,
    }
    course.tell("logistics_resolved", fields, rules)
    for deck, count in counts.items():
        draw(course, player, deck, count, ("HG-239",))


def tell_die(
    course: Course, player: str, value: int, purpose: str, rules: Sequence[str] = ()
) -> None:
    """Tell what a die shows."""
    course.tell("die_rolled", {"player": player, "value": value, "purpose": purpose}, rules)


def draw(course: Course, player: str, deck: str, count: int, rules: Sequence[str] = ()) -> None:
    """Draw from a deck as many cards as it has of those asked for (HG-906). Fact: cards_drawn."""
    cards = pile_of(course.position, player, deck)[: max(0, count)]
    if cards:
        fields = {"player": player, "deck": deck, "cards": cards, "count": len(cards)}
        course.tell("cards_drawn", fields, rules)
