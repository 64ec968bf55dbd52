"""Decks: names spelled out, and what makes one legal (HG-201, HG-905, HG-938; FORMAT 3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from service.engine.values import Action, Json, is_integer_in
from service.rulesets.hagmi.definitions import MAIN_KINDS, OWNED_KINDS, WHITE, Pool

DECK_KEYS = {"weapon_deck", "operation_deck"}
FURTHER_KEYS = {"damage_deck", "secret"}
MAIN_DECK_LEAST = 20
CARDS_PER_LIFE = 20
COPIES_MAX = 1_000
"""More cards than this in one deck are refused: a position holds no more."""


def spell_out(pool: Pool, action: Action) -> Action:
    """Return an action with every `"@name"` of a deck replaced; an unknown name stays."""
    if action.get("type") != "start_game":
        return action
    spelled = dict(action)
    if isinstance(action.get("decks"), dict):
        decks = action["decks"].items()
        spelled["decks"] = {player: _player_deck(pool, deck) for player, deck in decks}
    if "beast_deck" in action:
        spelled["beast_deck"] = _named(pool, action["beast_deck"]).get(
            "beast_deck", action["beast_deck"]
        )
    return spelled


def _named(pool: Pool, name: Json) -> Mapping[str, Json]:
    is_name = isinstance(name, str) and name.startswith("@")
    found: Mapping[str, Json] = pool.decks.get(name[1:], {}) if is_name else {}
    return found


def _player_deck(pool: Pool, name: Json) -> Json:
    deck = _named(pool, name)
    if "weapon_deck" not in deck:
        return name
    return {
        "weapon_deck": deck["weapon_deck"],
        "operation_deck": deck["operation_deck"],
        "damage_deck": deck.get("damage_deck", {}),
        "secret": deck.get("secret", []),
    }


def is_legal_deck(pool: Pool, deck: Json) -> bool:
    """Tell whether a player may play with a deck (HG-905)."""
    if not isinstance(deck, dict) or not DECK_KEYS <= deck.keys() <= DECK_KEYS | FURTHER_KEYS:
        return False
    counts = {zone: deck.get(zone, {}) for zone in MAIN_KINDS}
    if not all(_are_counts(pool, counts[zone], kinds) for zone, kinds in MAIN_KINDS.items()):
        return False
    sizes = {zone: sum(counts[zone].values()) for zone in MAIN_KINDS}
    lives = (sizes["weapon_deck"] + sizes["operation_deck"]) // CARDS_PER_LIFE
    return (
        min(sizes["weapon_deck"], sizes["operation_deck"]) >= MAIN_DECK_LEAST
        and max(sizes.values()) <= COPIES_MAX
        and sizes["damage_deck"] <= lives
        and _are_secrets(pool, deck.get("secret", []), lives)
    )


def _are_counts(pool: Pool, counts: Json, kinds: Iterable[str]) -> bool:
    return isinstance(counts, dict) and all(
        name in pool.cards
        and pool.cards[name].kind in kinds
        and pool.cards[name].frame != WHITE
        and is_integer_in(count, 1, COPIES_MAX)
        for name, count in counts.items()
    )


def _are_secrets(pool: Pool, secrets: Json, most: int) -> bool:
    return (
        isinstance(secrets, list)
        and all(isinstance(name, str) and name in pool.cards for name in secrets)
        and all(pool.cards[name].kind in OWNED_KINDS for name in secrets)
        and len(set(secrets)) == len(secrets) <= most
    )


def is_legal_beast_deck(pool: Pool, counts: Json) -> bool:
    """Tell whether a beast deck holds beasts, and none whose destruction wins (HG-957)."""
    return (
        _are_counts(pool, counts, ("beast",))
        and 1 <= sum(counts.values()) <= COPIES_MAX
        and not any(pool.cards[name].is_final for name in counts)
    )


def copies(counts: Mapping[str, int]) -> list[str]:
    """Return the cards of a deck: definitions in ascending order, copies in a row (HG-949)."""
    return [name for name in sorted(counts) for _ in range(counts[name])]
