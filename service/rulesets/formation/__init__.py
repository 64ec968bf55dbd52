"""Summoner's Pieces (`formation`): pieces that fit are summoned, lines fight by themselves."""

from __future__ import annotations

from functools import partial

from service.engine.contract import Game, Ruleset
from service.engine.values import Action, Json, Position
from service.rulesets.formation.card_faults import pool_faults
from service.rulesets.formation.cards import cards_of, decks_of
from service.rulesets.formation.decide import ACTIONS, decide
from service.rulesets.formation.evolve import FOLDS, evolve
from service.rulesets.formation.fixes import fixes
from service.rulesets.formation.legal import legal_actions
from service.rulesets.formation.logs import header_fault, header_of, summary
from service.rulesets.formation.piles import piles, shuffled
from service.rulesets.formation.position import PLAYERS, cards_in, new_position
from service.rulesets.formation.position_form import normalise
from service.rulesets.formation.redact import OPEN_DRAWS, redact
from service.rulesets.formation.setup import automatic, deal, prepared, spell_out
from service.rulesets.formation.view import definition_of, view

NAME = "formation"
ENGINE = 1


def _clean(action: Action) -> Action:
    return action


def _seats(position: Position) -> tuple[str, ...]:
    return PLAYERS


def _outcome(position: Position) -> Json:
    return position["result"]


def ruleset(pool: Json) -> Ruleset:
    """Bind the game to a parsed cards file without faults."""
    cards, decks = cards_of(pool), decks_of(pool)
    return Ruleset(
        game=NAME,
        engine=ENGINE,
        cards={definition["id"]: definition for definition in pool["cards"]},
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
        fixes=partial(fixes, cards),
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
