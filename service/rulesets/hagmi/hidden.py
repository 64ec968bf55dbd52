"""What is hidden from whom, and the forms that stand for it (HG-233, HG-234, HG-948, HG-949)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from service.engine.values import Json, Position
from service.rulesets.hagmi.definitions import SECRET_KINDS, Pool

DECKS = ("weapon_deck", "operation_deck", "damage_deck")
OWN_PILES = ("hand", "secret")


def hidden_ids(position: Position) -> frozenset[str]:
    """Return the ids that lie hidden: hands, secrets, fuel, decks, charge units, hand payments."""
    if not position:
        return frozenset()
    decks = (player[zone] for player in position["players"].values() for zone in DECKS)
    beast = position["beast"]
    owned = (readable_by(position, player) for player in position["players"])
    piles = (*decks, beast["deck"], beast["charge_units"], _fuel_below(beast["field"]), *owned)
    return frozenset().union(*piles)


def readable_by(position: Position, viewer: str) -> Iterator[str]:
    """Yield the ids that lie hidden, but not from this player (HG-233, HG-247)."""
    player = position["players"].get(viewer)
    if player is None:
        return
    for zone in OWN_PILES:
        yield from player[zone]
    yield from _fuel_below(player["field"])
    for link in position["chain"]:
        if link["t"] == "play" and link["player"] == viewer:
            yield from (card for card in link["pay"] if card not in link["open"])


def _fuel_below(field: Json) -> Iterator[str]:
    for entry in field.values():
        yield from entry["fuel"]
        for kind in ("stored", "armaments"):
            yield from _fuel_below(entry[kind])


def without_hidden(cards: Sequence[str], hidden: Collection[str]) -> Json:
    """Return a list as it is, or the number of its hidden cards beside the others in order."""
    shown = [card for card in cards if card not in hidden]
    if len(shown) == len(cards):
        return list(cards)
    return {"hidden": len(cards) - len(shown), "shown": shown}


def all_hidden(cards: Sequence[str]) -> Json:
    """Return the form of a list of which nothing is seen but its length."""
    return {"hidden": len(cards), "shown": []}


def only_number(cards: Collection[str]) -> Json:
    """Return the form of a pile of which only the number is seen."""
    return {"hidden": len(cards)}


def only_kinds(pool: Pool, names: Iterable[str]) -> Json:
    """Return the form of secrets, whose kinds are public (HG-938). names: their definitions."""
    kinds = [SECRET_KINDS[pool.cards[name].kind] for name in names]
    return {"hidden": len(kinds), "kinds": kinds}


def link_for(link: Json, viewer: str, hidden: Collection[str]) -> Json:
    """Return an object of the chain as a viewer sees it; one's own as it is."""
    if link["player"] == viewer:
        return link
    seen = {**link, "targets": without_hidden(link["targets"], hidden)}
    if link["t"] == "play":
        seen["pay"] = without_hidden(link["pay"], hidden)
    if isinstance(seen["targets"], dict):
        seen["allocation"] = None
    return seen
