"""Hi! story, Double Deck Rule: the game as a record of pure functions (HS-006, spec 21)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from service.engine.contract import Game, Outcome, Ruleset, Setup
from service.engine.draws import Draws
from service.engine.values import Action, Json, Position
from service.rulesets.hi_story.cards import Pool, make_pool
from service.rulesets.hi_story.decide import ACTIONS, clean, decide
from service.rulesets.hi_story.evolve import FACTS, evolve
from service.rulesets.hi_story.fixes import fixes
from service.rulesets.hi_story.legal import legal_actions
from service.rulesets.hi_story.loader import pool_faults
from service.rulesets.hi_story.piles import piles, shuffled
from service.rulesets.hi_story.position import new_position, normalise, validity_fault
from service.rulesets.hi_story.redact import redact
from service.rulesets.hi_story.setup import automatic, prepared
from service.rulesets.hi_story.table import PLAYERS, cards_in, fields_of
from service.rulesets.hi_story.view import definition_of, names_place, view

NAME = "hi-story"
ENGINE = 1


def ruleset(cards_json: Json) -> Ruleset:
    """Return the game bound to a parsed cards file without faults."""
    pool = make_pool(cards_json)
    return Ruleset(
        game=NAME,
        engine=ENGINE,
        cards=pool.cards,
        position_fault=partial(position_fault, pool),
        new_position=partial(new_position, pool),
        normalise=partial(normalise, pool),
        clean=clean,
        spell_out=partial(spell_out, pool),
        decide=partial(decide, pool),
        evolve=evolve,
        legal_actions=partial(legal_actions, pool),
        automatic=automatic,
        view=view,
        redact=redact,
        seats=seats,
        outcome=outcome,
        cards_in=cards_in,
        piles=piles,
        shuffled=shuffled,
        fixes=fixes,
        summary=summary,
        definition_of=partial(definition_of, pool),
        is_place=names_place,
        prepared=prepared,
        deal=partial(deal, pool),
        header_fault=header_fault,
        header_of=header_of,
    )


def position_fault(pool: Pool, position: Position) -> str | None:
    """Return the rule that a position breaks, or None; before the start nothing is tested."""
    return None if position["phase"] == "setup" else validity_fault(pool, position)


def spell_out(pool: Pool, action: Action) -> Action:
    """Return `start_game` with every `"@name"` of a deck replaced by the deck's list of entries."""
    decks = action.get("decks")
    if action.get("type") != "start_game" or not isinstance(decks, dict):
        return action
    return {**action, "decks": {player: _spelled(pool, deck) for player, deck in decks.items()}}


def _spelled(pool: Pool, deck: Json) -> Json:
    if isinstance(deck, str) and deck.startswith("@") and deck[1:] in pool.decks:
        return list(pool.decks[deck[1:]])
    return deck


def seats(position: Position) -> tuple[str, ...]:
    """Return the two players."""
    return PLAYERS


def outcome(position: Position) -> Outcome | None:
    """Return the result of a game that has one (HS-104)."""
    result: Outcome | None = position["result"]
    return result


def summary(position: Position) -> Json:
    """Return turn, result, the size of every pile and the definitions on every field (19)."""
    result = position["result"] or {"winner": None, "reason": None}
    sides = position["players"]
    return {
        "turn": position["turn"],
        **result,
        **{
            f"{pile}s": {player: len(sides[player][pile]) for player in PLAYERS}
            for pile in ("deck", "hand", "graveyard")
        },
        "fields": {
            player: {
                str(field): [position["cards"][card] for card in stack["cards"]]
                for field, stack in fields_of(position, player)
            }
            for player in PLAYERS
        },
    }


def deal(pool: Pool, draws: Draws, options: Mapping[str, Json]) -> Setup:
    """Return a setup with decks of the pool, drawn as `decks.P1` and `decks.P2`.

    options: none but `seats: 2`; raises ValueError for others.
    """
    if options.keys() - {"seats"} or options.get("seats", len(PLAYERS)) != len(PLAYERS):
        raise ValueError(f"hi-story has no such options: {dict(options)}")
    names = sorted(pool.decks)
    return {
        "decks": {
            player: list(pool.decks[draws.shuffle(f"decks.{player}", names)[0]])
            for player in PLAYERS
        }
    }


def header_fault(header: Mapping[str, Json]) -> str | None:
    """Return what is wrong with the header of a plain log: it has two seats and no further keys."""
    unknown = sorted(header.keys() - {"seats"})
    if unknown:
        return f"unknown key {unknown[0]!r} in the header"
    seated = header.get("seats")
    if not isinstance(seated, dict) or seated.keys() != set(PLAYERS):
        return "hi-story has the seats P1 and P2"
    return None


def header_of(action: Action) -> Mapping[str, Json]:
    """Return the further keys of a header: none."""
    return {}


GAME = Game(
    name=NAME,
    engine=ENGINE,
    facts=FACTS,
    actions=ACTIONS,
    pool_faults=pool_faults,
    ruleset=ruleset,
)
