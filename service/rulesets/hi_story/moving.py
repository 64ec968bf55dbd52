"""Moving cards off the field and between piles, and staying instead (8.4, 9.8, HS-931, HS-417)."""

from __future__ import annotations

from collections.abc import Sequence

from service.engine.values import Json
from service.rulesets.hi_story.operations import Operation
from service.rulesets.hi_story.standing import being_resolved
from service.rulesets.hi_story.step import Step
from service.rulesets.hi_story.table import (
    PLAYERS,
    Location,
    definition,
    owner,
    top,
    where_is,
)
from service.rulesets.hi_story.triggers import (
    Trigger,
    causes_of,
    dying,
    leaving,
    place_word,
    queue,
    replacement,
    use_of,
    watching,
)

ON_FIELDS = ("field", "under")


def location(step: Step, card: str) -> Location:
    """Return where a card lies on which an operation acts."""
    found = where_is(step.position, card)
    assert found is not None, "a target lies somewhere"
    return found


def named_top(step: Step, card: str) -> dict[str, Json]:
    """Return the keys of a fact that name a top card and its field."""
    return {"player": owner(card), "field": location(step, card).field, "card": card}


def uncover(step: Step, player: str, field: int) -> None:
    """State what lies on top of a field, oriented as before, without its top (HS-512, HS-906)."""
    card = top(step.position, player, field)
    if card is None:
        step.emit("field_emptied", ["HS-512"], player=player, field=field)
    else:
        step.emit("rank_down", ["HS-512"], player=player, field=field, card=card)


def end_bound(step: Step, card: str) -> None:
    """End the lasting entries that are bound to a card which has left the field (HS-914)."""
    bound = [
        entry["id"]
        for entry in step.position["lasting"]
        if card in (entry.get("card"), entry.get("while"))
    ]
    if bound:
        step.emit("lasting_expired", ["HS-914"], ids=bound)


def move(step: Step, operation: Operation, cards: list[str]) -> list[Trigger]:
    """Move cards; those that may stay instead are asked for after the others (HS-931, HS-954)."""
    staying = [card for card in cards if _may_stay(step, card)]
    moved = [card for card in cards if card not in staying]
    triggers = [trigger for card in moved for trigger in _move_one(step, operation, card)]
    if staying:
        to, reveal = operation["to"], operation.get("reveal", False)
        leaves = [{"op": "leave", "card": card, "to": to, "reveal": reveal} for card in staying]
        step.emit("operations_inserted", ["HS-417", "HS-921"], ops=leaves)
    _shuffle_decks(step, operation, moved)
    return triggers


def _may_stay(step: Step, card: str) -> bool:
    is_foreign = owner(card) != being_resolved(step.scene).player
    return is_foreign and replacement(step.scene, card) is not None


def _move_one(step: Step, operation: Operation, card: str) -> list[Trigger]:
    """Move one card with all that follows; return the triggers that it caused (8.4, 10)."""
    found, place, to = location(step, card), place_word(step.scene, card), operation["to"]
    is_public = found.zone in ON_FIELDS and place != "down"
    step.emit(
        "cards_moved",
        ["HS-931"],
        player=owner(card),
        cards=[card],
        to="deck_bottom" if to == "deck" else to,
        reveal=is_public or operation.get("reveal", False),
        **{"from": found.zone},
    )
    if place is None or found.zone not in ON_FIELDS:
        return []
    if found.zone == "field":
        uncover(step, owner(card), found.field)
    end_bound(step, card)
    player = being_resolved(step.scene).player
    return [
        *(dying(step.scene, card, place) if to == "graveyard" else []),
        *leaving(step.scene, card, place, causes_of(player, card)),
        *watching(step.scene, "leave", card),
    ]


def _shuffle_decks(step: Step, operation: Operation, moved: Sequence[str]) -> None:
    """Shuffle the decks into which cards have moved (HS-931)."""
    if operation["to"] == "deck":
        for player in PLAYERS:
            if any(owner(card) == player for card in moved):
                step.shuffle(player, "deck", "HS-931")


def leave(step: Step, operation: Operation) -> None:
    """Ask whether a card stays that would leave; it leaves if it cannot (HS-417)."""
    card = operation["card"]
    effect = replacement(step.scene, card)
    if effect is None:
        let_leave(step, operation)
        return
    step.emit(
        "choice_requested",
        ["HS-417"],
        player=owner(card),
        kind="confirm",
        card=card,
        effect=effect,
        operation=operation,
    )


def let_leave(step: Step, operation: Operation) -> None:
    """Move a card that did not stay, with everything that follows a move (9.8)."""
    card = operation["card"]
    triggers = _move_one(step, operation, card)
    _shuffle_decks(step, operation, [card])
    queue(step, triggers)
    step.test_decks()


def let_stay(step: Step, card: str, effect: int) -> None:
    """Let a card stay; what its effect adds is queued (HS-417)."""
    player, replacing = owner(card), definition(step.pool, step.position, card)["effects"][effect]
    use = use_of(replacing, player, card, effect)
    step.emit("leave_replaced", ["HS-417"], **named_top(step, card), effect=effect, **use)
    queue(step, [{"player": player, "card": card, "effect": effect, "do": replacing["do"]}])
