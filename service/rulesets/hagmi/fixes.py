"""What a judge puts right most: cards laid elsewhere, a draw forgotten, damage, downed units."""

from __future__ import annotations

from collections.abc import Iterator

from service.engine.values import Entry, Json, Position
from service.rulesets.hagmi.definitions import MAIN_KINDS, Pool
from service.rulesets.hagmi.table import (
    MB,
    PILES,
    Table,
    definition_of,
    in_play,
    living,
    owner_of,
)

DRAWN_MAX = 5
DAMAGE_MAX = 10
MOVE_RULES, DRAW_RULES = ["HG-934"], ["HG-202"]
MARK_RULES, REPAIR_RULES = ["HG-265"], ["HG-244"]
DOWN_RULES, RECOVERY_RULES = ["HG-425"], ["HG-426"]
OPEN_TO_ALL = ("hand", "discard", "removed")
HELD = ("fuel", "stored", "armaments")
TOKEN = "token"


def fixes(pool: Pool, position: Position) -> list[Entry]:
    """Return facts that a judge may give, as templates with `fact` in place of `type`."""
    if not position:
        return []
    table = Table(pool=pool, position=position)
    return [
        *(entry for player in living(position) for entry in _moves(table, player)),
        *(entry for player in living(position) for entry in _draws(position, player)),
        *(entry for _, card, lies in in_play(position) for entry in _on_field(table, card, lies)),
    ]


def _moves(table: Table, player: str) -> Iterator[Entry]:
    """Yield how a player's cards may lie elsewhere: those of one kind go back to one deck."""
    for zone in PILES:
        for deck, kinds in MAIN_KINDS.items():
            cards = [
                card
                for card in table.position["players"][player][zone]
                if definition_of(table, card).kind in kinds
            ]
            if cards:
                to = [other for other in (*OPEN_TO_ALL, deck) if other != zone]
                yield {
                    "fact": "card_moved",
                    "rules": MOVE_RULES,
                    "from": zone,
                    "choose": {"card": {"from": cards}, "to": {"from": to}},
                }


def _draws(position: Position, player: str) -> Iterator[Entry]:
    for deck in ("weapon_deck", "operation_deck"):
        cards = position["players"][player][deck]
        for count in range(1, min(DRAWN_MAX, len(cards)) + 1):
            yield {
                "fact": "cards_drawn",
                "rules": DRAW_RULES,
                "player": player,
                "deck": deck,
                "count": count,
                "cards": cards[:count],
            }


def _on_field(table: Table, card: str, lies: Json) -> Iterator[Entry]:
    definition = definition_of(table, card)
    down, rules = (
        ("card_recovered", RECOVERY_RULES) if lies["down"] else ("card_downed", DOWN_RULES)
    )
    if definition.is_unit:
        yield {"fact": down, "rules": rules, "card": card}
    if definition.armour is not None:
        yield from _damage(card, lies)
    is_free = owner_of(table.position, card) != MB and not any(lies[kind] for kind in HELD)
    if is_free and definition.kind != TOKEN:
        yield {
            "fact": "card_left",
            "rules": MOVE_RULES,
            "card": card,
            "choose": {"to": {"from": list(OPEN_TO_ALL)}},
        }


def _damage(card: str, lies: Json) -> Iterator[Entry]:
    for amount in range(1, DAMAGE_MAX + 1):
        yield {
            "fact": "damage_marked",
            "rules": MARK_RULES,
            "card": card,
            "amount": amount,
            "total": lies["damage"] + amount,
            "unremovable": lies["unremovable"],
        }
    for amount in range(1, lies["damage"] - lies["unremovable"] + 1):
        yield {"fact": "damage_repaired", "rules": REPAIR_RULES, "card": card, "amount": amount}
