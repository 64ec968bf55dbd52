"""High Card: each player plays one card face down to three; the higher one wins (HC-001)."""

from __future__ import annotations

from functools import partial

from service.engine.contract import Game, Ruleset
from service.engine.values import Action, Json, Position

from .deciding import ACTIONS, decide, legal_actions
from .folding import FOLDS, evolve
from .position import PLAYERS, cards_in, new_position, normalise
from .seeing import OPEN_DRAWS, definition_of, redact, view
from .setup import (
    automatic,
    deal,
    header_fault,
    header_of,
    piles,
    pool_faults,
    prepared,
    shuffled,
    spell_out,
    summary,
)

NAME = "high-card"
ENGINE = 1


def _clean(action: Action) -> Action:
    return action


def _seats(position: Position) -> tuple[str, ...]:
    return PLAYERS


def _outcome(position: Position) -> Json:
    return position["result"]


def ruleset(pool: Json) -> Ruleset:
    """Bind the game to a parsed cards file without faults."""
    cards = {card["id"]: card for card in pool["cards"]}
    decks = {name: deck["list"] for name, deck in pool["decks"].items()}
    return Ruleset(
        game=NAME,
        engine=ENGINE,
        cards=cards,
        open_draws=OPEN_DRAWS,
        new_position=new_position,
        normalise=partial(normalise, cards),
        clean=_clean,
        spell_out=partial(spell_out, decks),
        decide=partial(decide, cards),
        evolve=evolve,
        legal_actions=legal_actions,
        automatic=automatic,
        view=view,
        redact=redact,
        seats=_seats,
        outcome=_outcome,
        cards_in=cards_in,
        piles=piles,
        shuffled=shuffled,
        summary=summary,
        definition_of=partial(definition_of, cards),
        prepared=prepared,
        deal=partial(deal, decks),
        header_fault=header_fault,
        header_of=header_of,
    )


GAME = Game(
    name=NAME,
    engine=ENGINE,
    facts=frozenset(FOLDS),
    actions=frozenset(ACTIONS),
    pool_faults=pool_faults,
    ruleset=ruleset,
)
