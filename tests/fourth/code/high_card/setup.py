"""Around a match of High Card: its pool, setup and start, plain logs, what a judge may shuffle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service.engine.contract import Fault, Setup
from service.engine.draws import Draws
from service.engine.setups import expect_seats, one_of, with_keys
from service.engine.values import Action, Fact, Json, Position

from .deciding import DECK_MAX, DECK_MIN, DRAW, START_MATCH
from .position import PLAYERS, SETUP

VALUES = (1, 2, 3)
CARD_KEYS = {"id", "name_ja", "name_en", "value"}
DECK_KEYS = {"name_ja", "name_en", "list"}


def pool_faults(pool: Json) -> list[Fault]:
    """Return every fault of a parsed cards file with its place; takes any JSON value."""
    if not isinstance(pool, dict) or set(pool) != {"cards", "decks"}:
        return [Fault(place="", text="an object of cards and decks is expected")]
    if not isinstance(pool["cards"], list) or not isinstance(pool["decks"], dict):
        return [Fault(place="cards", text="a list of cards and a map of decks are expected")]
    faults = [
        Fault(place=f"cards.{number}", text=f"has not just {sorted(CARD_KEYS)}, a value 1 to 3")
        for number, card in enumerate(pool["cards"])
        if not _is_card(card)
    ]
    if faults:
        return faults
    known = {card["id"] for card in pool["cards"]}
    return [
        Fault(place=f"decks.{name}", text=f"is no deck of {DECK_MIN} to {DECK_MAX} cards")
        for name, deck in pool["decks"].items()
        if not _is_deck(deck, known)
    ]


def _is_card(card: Json) -> bool:
    if not isinstance(card, dict) or set(card) != CARD_KEYS:
        return False
    texts = all(isinstance(card[key], str) for key in CARD_KEYS - {"value"})
    return texts and type(card["value"]) is int and card["value"] in VALUES


def _is_deck(deck: Json, known: set[str]) -> bool:
    if not isinstance(deck, dict) or set(deck) != DECK_KEYS or not isinstance(deck["list"], list):
        return False
    has_size = DECK_MIN <= len(deck["list"]) <= DECK_MAX
    return has_size and all(isinstance(card, str) and card in known for card in deck["list"])


def spell_out(decks: Mapping[str, Json], action: Action) -> Action:
    """Return a start with every `"@name"` of a deck replaced by its cards."""
    chosen = action.get("decks")
    if action.get("type") != START_MATCH or not isinstance(chosen, dict):
        return action
    named = {f"@{name}": deck for name, deck in decks.items()}
    spelled = {
        player: named.get(deck, deck) if isinstance(deck, str) else deck
        for player, deck in chosen.items()
    }
    return action | {"decks": spelled}


def automatic(position: Position, setup: Setup) -> Action | None:
    """Return the start of the match, or nothing."""
    if position["phase"] != SETUP:
        return None
    first = setup.get("first") or DRAW
    return {"type": START_MATCH, "decks": setup.get("decks", {}), "first": first}


def prepared(setup: Json, seats: Sequence[str]) -> Setup:
    """Return the setup of a match between two people. setup: {first?: P1 | P2 | draw}."""
    given = with_keys(setup, ("first",))
    expect_seats(seats, PLAYERS)
    return {"first": one_of(given.get("first", DRAW), (*PLAYERS, DRAW), "first")}


def deal(decks: Mapping[str, Json], draws: Draws, options: Mapping[str, Json]) -> Setup:
    """Choose a deck of the pool for each player of a simulated match."""
    if options.keys() - {"seats"} or options.get("seats", 2) != len(PLAYERS):
        raise ValueError("there are no options but 2 seats")
    names = sorted(decks)
    chosen = {player: draws.shuffle(f"decks.{player}", names)[0] for player in PLAYERS}
    return {"decks": {player: list(decks[name]) for player, name in chosen.items()}}


def piles(position: Position) -> Mapping[str, Sequence[Json]]:
    """Return the decks that are not empty, by the names of their shuffles."""
    decks = {player: position["players"][player]["deck"] for player in PLAYERS}
    return {f"deck:{player}": deck for player, deck in decks.items() if deck}


def shuffled(name: str, order: Sequence[Json]) -> Fact:
    """Return the fact that a deck lies in a new order."""
    player = name.partition(":")[2]
    return {"fact": "deck_shuffled", "rules": ["HC-002"], "player": player, "order": list(order)}


def summary(position: Position) -> Json:
    """Return the result and what each player played."""
    result = position["result"] or {"winner": None, "reason": None}
    played = {player: position["players"][player]["table"] for player in PLAYERS}
    return {
        **result,
        "played": {
            player: [position["cards"][card]["card"] for card in cards]
            for player, cards in played.items()
        },
    }


def header_fault(header: Mapping[str, Json]) -> str | None:
    """Tell what is wrong with a header of a plain log."""
    if header["seats"].keys() != set(PLAYERS):
        return f"high-card has the seats {' and '.join(PLAYERS)}"
    unknown = sorted(header.keys() - {"seats"})
    return f"unknown key {unknown[0]!r}" if unknown else None


def header_of(action: Action) -> Mapping[str, Json]:
    """Return the further keys of the header: none."""
    return {}
