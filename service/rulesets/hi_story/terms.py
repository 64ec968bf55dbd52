"""What players are forbidden, limited to, bound to and allowed by effects (9.5, HS-929, HS-645)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from service.engine.positions import put
from service.rulesets.hi_story.filters import Reading, as_list, matches
from service.rulesets.hi_story.measure import count, kinds_of, sides
from service.rulesets.hi_story.standing import Scene, Terms
from service.rulesets.hi_story.table import PLAYERS, where_is


def concerns(reading: Reading, terms: Terms, player: str) -> bool:
    """Tell whether terms speak of a player, by name or as seen from their source."""
    word = terms["player"]
    return bool(word == player if word in PLAYERS else player in sides(reading, word))


def forbids(scene: Scene, player: str, action: str, card: str | None = None) -> bool:
    """Tell whether an action with a card is forbidden to a player (HS-929).

    A face-down card that would be turned up is read as it would then lie (HS-314).
    """
    for reading, terms in scene.standing("forbid"):
        if action not in as_list(terms["action"]) or not concerns(reading, terms, player):
            continue
        if card is None or "filter" not in terms:
            return True
        if action == "turn_up":
            reading = replace(reading, board=_turned_up(scene, card))
        if matches(reading, terms["filter"], card):
            return True
    return False


def _turned_up(scene: Scene, card: str) -> Scene:
    found = where_is(scene.position, card)
    assert found is not None, "only a card on a field is turned up"
    path = ("players", found.player, "fields", str(found.field), "set")
    return Scene(scene.pool, put(scene.position, path, value=False))


def limits(scene: Scene, player: str, actions: Sequence[str], card: str) -> bool:
    """Tell whether a limit keeps a player from one more of these actions with a card (HS-645)."""
    return any(
        _is_used_up(scene, reading, terms, player, card)
        for reading, terms in scene.standing("limit")
        if concerns(reading, terms, player) and not set(actions).isdisjoint(terms["actions"])
    )


def _is_used_up(scene: Scene, reading: Reading, terms: Terms, player: str, card: str) -> bool:
    """Tell whether a limit speaks of a card and is reached by what was done in this turn."""
    by_print = replace(reading, board=_by_print(scene))
    counted = [
        entry
        for entry in scene.position["done"]
        if entry["player"] == player
        and not set(kinds_of(entry)).isdisjoint(terms["actions"])
        and _fits(by_print, terms, entry["card"])
    ]
    return _fits(by_print, terms, card) and len(counted) >= count(reading, terms["count"])


def _by_print(scene: Scene) -> Scene:
    """Return the scene in which no card has more than what is printed on it (HS-955)."""
    players = scene.position["players"]
    bare = {player: {**side, "fields": {}} for player, side in players.items()}
    return Scene(scene.pool, {**scene.position, "players": bare, "lasting": []})


def _fits(reading: Reading, terms: Terms, card: str) -> bool:
    return "filter" not in terms or matches(reading, terms["filter"], card)


def has_duty(scene: Scene, player: str, action: str) -> bool:
    """Tell whether a player must attack or block as long as that is possible (HS-644)."""
    return any(
        terms["action"] == action and concerns(reading, terms, player)
        for reading, terms in scene.standing("duty")
    )


def allows_set(scene: Scene, player: str, card: str, difference: int) -> bool:
    """Tell whether an effect lets a player set a card at this difference of ranks (HS-514)."""
    return any(
        concerns(reading, terms, player)
        and terms["ranks"][0] <= difference <= terms["ranks"][1]
        and _fits(reading, terms, card)
        for reading, terms in scene.standing("allow_set")
    )


def prevention(scene: Scene, player: str) -> Terms | None:
    """Return the first live entry that prevents a loss of a player's deck, or None (8.2)."""
    return next(
        (
            terms
            for _, terms in scene.standing("prevent")
            if terms["player"] == player and terms["times"] >= 1
        ),
        None,
    )
