"""HAGMI!: two players, or one to four against the machine beasts (HG-001…HG-965)."""

from __future__ import annotations

from functools import partial

from service.engine.contract import Game, Ruleset
from service.engine.values import Action, Json, Position
from service.rulesets.hagmi.cards import pool_faults
from service.rulesets.hagmi.decide import ACTIONS, decide
from service.rulesets.hagmi.decks import spell_out
from service.rulesets.hagmi.definitions import read_pool
from service.rulesets.hagmi.evolve import FACTS, evolve
from service.rulesets.hagmi.fixes import fixes
from service.rulesets.hagmi.legal import legal_actions
from service.rulesets.hagmi.piles import piles, shuffled
from service.rulesets.hagmi.position import normalise
from service.rulesets.hagmi.redact import OPEN_DRAWS, redact
from service.rulesets.hagmi.setup import automatic, deal, prepared
from service.rulesets.hagmi.summary import (
    header_fault,
    header_of,
    named_definition,
    outcome,
    seats,
    summary,
)
from service.rulesets.hagmi.table import cards_in
from service.rulesets.hagmi.view import view

NAME = "hagmi"
ENGINE = 1


def new_position() -> Position:
    """Return the position of a game not begun."""
    return {}


def clean(action: Action) -> Action:
    """Return the action as it is: whatever it should not hold is refused (spec 16)."""
    return action


def named(card: Json) -> Json:
    """Return a definition with its name; that of a weapon holds its pilot (spec 2)."""
    if "weapon_name" not in card:
        return card
    return {**card, "name_ja": f"{card['weapon_name']}「{card['pilot_name']}」"}


def ruleset(cards: Json) -> Ruleset:
    """Bind the game to a parsed cards file without faults."""
    pool = read_pool(cards)
    return Ruleset(
        game=NAME,
        engine=ENGINE,
        cards={card["id"]: named(card) for card in cards["cards"]},
        open_draws=frozenset(OPEN_DRAWS),
        new_position=new_position,
        normalise=partial(normalise, pool),
        clean=clean,
        spell_out=partial(spell_out, pool),
        decide=partial(decide, pool),
        evolve=partial(evolve, pool),
        legal_actions=partial(legal_actions, pool),
        automatic=automatic,
        view=partial(view, pool),
        redact=partial(redact, pool),
        seats=seats,
        outcome=outcome,
        cards_in=partial(cards_in, pool),
        piles=piles,
        shuffled=shuffled,
        fixes=partial(fixes, pool),
        summary=partial(summary, pool),
        definition_of=partial(named_definition, pool),
        prepared=partial(prepared, pool),
        deal=partial(deal, pool),
        header_fault=header_fault,
        header_of=header_of,
    )


GAME = Game(
    name=NAME,
    engine=ENGINE,
    facts=FACTS,
    actions=frozenset(ACTIONS),
    pool_faults=pool_faults,
    ruleset=ruleset,
)
