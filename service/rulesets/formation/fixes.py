"""What a judge puts right most: ticks of units, ailments, falls, a line that has to close."""

from __future__ import annotations

from collections.abc import Iterator

from service.engine.values import Entry, Json, Position
from service.rulesets.formation.cards import AILMENTS, SLEEP, STUN, Cards
from service.rulesets.formation.facts import AILMENT_RULES, RULES
from service.rulesets.formation.falls import DAMAGE_RULES, FALL_RULES
from service.rulesets.formation.position import PLAYERS

CAUSE = "attack"
COUNT_MAX = 5
FLAGS = (STUN, SLEEP)


def fixes(cards: Cards, position: Position) -> list[Entry]:
    """Return facts that a judge may give, as templates with `fact` in place of `type`."""
    found: list[Entry] = []
    for player in PLAYERS:
        line = position[player]["line"]
        for square, unit in enumerate(line, start=1):
            if unit is not None:
                found += [*_ticks(cards, unit), *_ailments(unit), _fall(player, square, unit)]
        if None in line:
            found.append(_fact("ranks_closed", player=player))
        if position[player]["hand"]:
            found.append(_fact("hand_returned", player=player, pieces=position[player]["hand"]))
    return found


def _fact(name: str, **fields: Json) -> Entry:
    return {"fact": name, "rules": list(RULES[name]), **fields}


def _ticks(cards: Cards, unit: Json) -> Iterator[Entry]:
    ticks = unit["ticks"]
    for amount in range(1, ticks):
        yield {
            "fact": "damage_taken",
            "rules": list(DAMAGE_RULES[CAUSE]),
            "target": unit["id"],
            "amount": amount,
            "ticks_before": ticks,
            "ticks_after": ticks - amount,
            "cause": CAUSE,
        }
    for amount in range(1, cards[unit["card"]].ticks - ticks + 1):
        yield _fact("unit_healed", unit=unit["id"], amount=amount, ticks_after=ticks + amount)


def _ailments(unit: Json) -> Iterator[Entry]:
    for ailment in AILMENTS:
        applied = {
            "fact": "status_applied",
            "rules": [AILMENT_RULES[ailment]],
            "unit": unit["id"],
            "status": ailment,
        }
        if unit[ailment]:
            value = False if ailment in FLAGS else 0
            yield _fact("status_removed", unit=unit["id"], status=ailment, value=value)
        if ailment not in FLAGS:
            yield {**applied, "choose": {"value": {"from": list(range(1, COUNT_MAX + 1))}}}
        elif not unit[ailment]:
            yield {**applied, "value": True}


def _fall(player: str, square: int, unit: Json) -> Entry:
    return {
        "fact": "unit_fell",
        "rules": list(FALL_RULES[CAUSE]),
        "unit": unit["id"],
        "player": player,
        "square": square,
        "cause": CAUSE,
    }
