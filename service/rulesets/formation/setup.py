"""The start: decks, the lot, the first hands; what the system does (FM-905 to FM-908, FM-914)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service.engine.contract import Rejection, Setup
from service.engine.draws import Draws
from service.engine.setups import expect_seats, one_of, whole_from, with_keys
from service.engine.values import Action, Actor, Json, Position, is_integer
from service.rulesets.formation.cards import Decks
from service.rulesets.formation.course import Course
from service.rulesets.formation.position import (
    BATTLE,
    DRAW,
    HAND_SIZE,
    LOT,
    PLAYERS,
    ROUND_LIMIT,
    SETUP,
)
from service.rulesets.formation.rounds import begin_round, fill_hand, shuffle

START_MATCH = "start_match"
DECK_MIN = 30
DECK_MAX = 1_000
OPTIONS = ("hand_size", "round_limit")
DEFAULT_OPTIONS: Mapping[str, int] = {"hand_size": HAND_SIZE, "round_limit": ROUND_LIMIT}
LETTERS: Mapping[str, str] = {"P1": "a", "P2": "b"}


def start_match(course: Course, actor: Actor, action: Action) -> Rejection | None:
    """Start a match: register and shuffle the decks, draw the hands, begin the first round.

    action: {decks: {player: {card id: copies}}, first = P1 | P2 | draw, hand_size, round_limit}.
    Draws: first (the lot), deck:<player>, sides:<piece>.
    Facts: match_started, deck_registered, deck_shuffled, piece_drawn, those of the first turn.
    Rejections: FM-988 a value out of its bounds, FM-905 the match has begun, FM-914 a deck of
    unknown or too few pieces.
    """
    if not _is_within_bounds(action):
        return Rejection("FM-988")
    if course.position["phase"] != SETUP:
        return Rejection("FM-905")
    decks = [action["decks"][player] for player in PLAYERS]
    if not all(deck.keys() <= course.cards.keys() and _has_size(deck) for deck in decks):
        return Rejection("FM-914")
    first = action.get("first", "P1")
    if first == DRAW:
        first = course.draws.shuffle(LOT, PLAYERS)[0]
    hand_size = action.get("hand_size", HAND_SIZE)
    limit = action.get("round_limit", ROUND_LIMIT)
    course.add("match_started", first=first, hand_size=hand_size, round_limit=limit)
    for player, deck in zip(PLAYERS, decks, strict=True):
        _register(course, player, deck)
    for player in PLAYERS:
        shuffle(course, player, "FM-908")
    for player in PLAYERS:
        fill_hand(course, player)
    begin_round(course, 1, first)
    return None


def _is_within_bounds(action: Action) -> bool:
    decks = action["decks"]
    return (
        decks.keys() == set(PLAYERS)
        and all(isinstance(deck, dict) for deck in decks.values())
        and all(_is_positive(copies) for deck in decks.values() for copies in deck.values())
        and all(_is_positive(action.get(option, 1)) for option in OPTIONS)
        and action.get("first", DRAW) in (*PLAYERS, DRAW)
    )


def _is_positive(value: Json) -> bool:
    return is_integer(value) and value >= 1


def _has_size(deck: Mapping[str, int]) -> bool:
    """Tell whether a deck is large enough; the upper limit is no rule, it bounds what is dealt."""
    return DECK_MIN <= sum(deck.values()) <= DECK_MAX


def _register(course: Course, player: str, deck: Mapping[str, int]) -> None:
    """Number the pieces through the card ids in ascending order (FM-914)."""
    copies = [card for card in sorted(deck) for _ in range(deck[card])]
    pieces = {
        f"{LETTERS[player]}{number}": {"card": card, "sides": course.cards[card].connectors}
        for number, card in enumerate(copies, 1)
    }
    course.add("deck_registered", player=player, size=len(copies), pieces=pieces)


def spell_out(decks: Decks, action: Action) -> Action:
    """Return a start with every `"@name"` of a deck replaced by its cards (FORMAT 3)."""
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
    """Return what the system must do now: start the match, carry out a battle turn, or nothing."""
    if position["phase"] == BATTLE:
        return {"type": "battle_turn"}
    if position["phase"] != SETUP:
        return None
    decks = {"decks": setup["decks"]} if "decks" in setup else {}
    first = setup.get("first") or DRAW
    return {**(setup.get("options") or {}), **decks, "type": START_MATCH, "first": first}


def prepared(setup: Json, seats: Sequence[str]) -> Setup:
    """Return the setup of a match between two people; unless it is named, a lot decides the first.

    setup: {first?: P1 | P2 | draw, options?: {hand_size?, round_limit?}}. Raises `SetupFault`.
    """
    given = with_keys(setup, ("first", "options"))
    expect_seats(seats, PLAYERS)
    options = with_keys(given.get("options", {}), OPTIONS, "options")
    whole = {**DEFAULT_OPTIONS, **options}
    return {
        "first": one_of(given.get("first", DRAW), (*PLAYERS, DRAW), "first"),
        "options": {key: whole_from(1, whole[key], f"options.{key}") for key in OPTIONS},
    }


def deal(decks: Decks, draws: Draws, options: Mapping[str, Json]) -> Setup:
    """Choose a deck of the pool for each player of a simulated match.

    options: hand_size, round_limit; seats, which can only be 2.
    Draws: decks.<player>. Raises ValueError for any other option, and without a playable deck.
    """
    unknown = sorted(options.keys() - {*OPTIONS, "seats"})
    if unknown or options.get("seats", len(PLAYERS)) != len(PLAYERS):
        raise ValueError(f"the options are {', '.join(OPTIONS)}, and 2 seats")
    names = sorted(name for name, deck in decks.items() if _has_size(deck))
    if not names:
        raise ValueError(f"the pool has no deck of {DECK_MIN} pieces")
    chosen = {player: draws.shuffle(f"decks.{player}", names)[0] for player in PLAYERS}
    return {
        "decks": {player: dict(decks[name]) for player, name in chosen.items()},
        "options": {key: options[key] for key in OPTIONS if key in options},
    }
