"""Legal actions: who is awaited, and everything that would be accepted from him (13, FORMAT 8)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from service.engine.values import SYSTEM, Action, Actor, Entry, Json, Position
from service.rulesets.hi_story import setup
from service.rulesets.hi_story.answers import DISTINCT
from service.rulesets.hi_story.attack import (
    answer_to_attack_fault,
    attacks_open_to,
    blocks_open_to,
)
from service.rulesets.hi_story.battle import defender_of
from service.rulesets.hi_story.cards import Pool
from service.rulesets.hi_story.decide import TURN
from service.rulesets.hi_story.position import is_over, validity_fault
from service.rulesets.hi_story.sight import candidate_name
from service.rulesets.hi_story.standing import Scene, being_resolved
from service.rulesets.hi_story.table import FIELDS, PLAYERS, definition, fields_of, stack
from service.rulesets.hi_story.targets import PLACING, destinations
from service.rulesets.hi_story.turn_actions import DRAW_MAX

CONCEDE: Entry = {"type": "concede"}


def legal_actions(pool: Pool, position: Position) -> dict[Actor, list[Entry]]:
    """Return the entries of every actor; nothing exactly when the game is over (13).

    position: normalised; in one that is not valid nobody can do anything (HS-915). Cards come in
    the order of the hand, fields ascending, `concede` last.
    """
    is_setup = position["phase"] == "setup"
    if not is_setup and validity_fault(pool, position) is not None:
        return {player: [] for player in PLAYERS}
    if is_over(position):
        return {}
    scene = Scene(pool, position)
    if is_setup:
        return _before_the_first_turn(scene)
    actor, entries = _awaited(scene)
    return {player: [*(entries if player == actor else []), CONCEDE] for player in PLAYERS}


def _before_the_first_turn(scene: Scene) -> dict[Actor, list[Entry]]:
    if not setup.has_started(scene.position):
        return {SYSTEM: []}
    hands = {player: [*_of_hand(scene, player), CONCEDE] for player in PLAYERS}
    first = {SYSTEM: _first_players()} if setup.are_settled(scene.position) else {}
    return {**hands, **first}


def _awaited(scene: Scene) -> tuple[Actor, list[Entry]]:
    """Return the player for whom a running game waits, and his entries (6)."""
    position = scene.position
    if position["pending"] is not None:
        return position["pending"]["player"], [_choice(scene)]
    if position["attack"] is not None:
        defender = defender_of(position)
        return defender, _answers(scene, defender)
    active = position["active"]
    return active, _ENTRIES[position["phase"]](scene, active)


def _of_hand(scene: Scene, player: Actor) -> list[Entry]:
    """Return whether a hand can be kept and exchanged (HS-203, HS-936)."""
    side = scene.position["players"][player]
    if side["settled"]:
        return []
    is_used_up = side["mulligans"] >= setup.MULLIGANS_MAX
    if is_used_up or not side["hand"] or setup.holds_rank_0(scene, player):
        return [{"type": "keep_hand"}]
    laid_aside = {"from": side["hand"], "min": 1, "max": len(side["hand"])}
    return [{"type": "keep_hand"}, {"type": "mulligan", "choose": {"cards": laid_aside}}]


def _first_players() -> list[Entry]:
    return [
        {"type": "decide_first"},
        {"type": "decide_first", "choose": {"player": {"from": list(PLAYERS)}}},
    ]


def _choice(scene: Scene) -> Entry:
    pending = scene.position["pending"]
    return {"type": "choose", "choose": _CHOOSERS[pending["kind"]](scene, pending)}


def _choose_accept(scene: Scene, pending: Mapping[str, Json]) -> Entry:
    return {"accept": {"from": [True, False]}}


def _choose_option(scene: Scene, pending: Mapping[str, Json]) -> Entry:
    options = list(range(pending["options"]))
    if "min" not in pending:
        return {"option": {"from": options}}
    return {"options": {"from": options, "min": pending["min"], "max": pending["max"]}}


def _choose_number(scene: Scene, pending: Mapping[str, Json]) -> Entry:
    return {"number": {"from": list(range(pending["min"], pending["max"] + 1))}}


def _choose_cards(scene: Scene, pending: Mapping[str, Json]) -> Entry:
    """Return the choosers of cards, named as the player sees them, and of their destinations."""
    names = {
        card: candidate_name(scene.position, pending["player"], card)
        for card in pending["candidates"]
    }
    cards = {"from": list(names.values()), "min": pending["min"], "max": pending["max"]}
    if pending["op"] not in PLACING or not pending["max"]:
        return {"cards": {**cards, **_bounds(scene, pending, names)}}
    reading = being_resolved(scene)
    open_fields = {
        name: destinations(scene, reading, pending["operation"], card)
        for card, name in names.items()
    }
    return {
        "cards": {**cards, **_bounds(scene, pending, names)},
        "fields": {"by": "cards", "from": open_fields},
    }


def _bounds(scene: Scene, pending: Mapping[str, Json], names: Mapping[str, str]) -> dict[str, Json]:
    """Return the keys of a chooser of cards that bound a sum or demand different values (9.4)."""
    printed = {name: definition(scene.pool, scene.position, card) for card, name in names.items()}
    if "sum" in pending:
        measure = pending["sum"]["of"]
        weights = {name: card[measure] for name, card in printed.items()}
        return {"weights": weights, "at_most": pending["sum"]["at_most"]}
    if "distinct" in pending:
        key = DISTINCT[pending["distinct"]]
        return {"unlike": {name: card[key] for name, card in printed.items()}}
    return {}


_CHOOSERS: Mapping[str, Callable[[Scene, Mapping[str, Json]], Entry]] = {
    "confirm": _choose_accept,
    "option": _choose_option,
    "number": _choose_number,
    "cards": _choose_cards,
}


def _answers(scene: Scene, defender: Actor) -> list[Entry]:
    hand = scene.position["players"][defender]["hand"]
    answers: list[Action] = [
        {"type": "take"},
        *blocks_open_to(scene, defender),
        *({"type": "substitute", "card": card} for card in hand),
        *({"type": "play", "card": card} for card in hand),
    ]
    return [answer for answer in answers if answer_to_attack_fault(scene, defender, answer) is None]


def _accepted(scene: Scene, actor: Actor, actions: Iterable[Action]) -> list[Entry]:
    return [
        action for action in actions if TURN[action["type"]].fault(scene, actor, action) is None
    ]


def _draws(scene: Scene, actor: Actor) -> list[Entry]:
    return [{"type": "draw", "choose": {"count": {"from": list(range(DRAW_MAX + 1))}}}]


def _summons(scene: Scene, actor: Actor) -> list[Entry]:
    empty = [field for field in FIELDS if stack(scene.position, actor, field) is None]
    return _accepted(scene, actor, [*_onto_fields(scene, actor, "summon", empty), _END_PHASE])


def _effects(scene: Scene, actor: Actor) -> list[Entry]:
    tops = [lying["cards"][-1] for _, lying in fields_of(scene.position, actor)]
    activations = [
        {"type": "activate_effect", "card": card, "effect": index}
        for card in tops
        for index in range(len(definition(scene.pool, scene.position, card)["effects"]))
    ]
    hand = scene.position["players"][actor]["hand"]
    plays = [{"type": "play", "card": card} for card in hand]
    return _accepted(scene, actor, [*activations, *plays, _END_PHASE])


def _sets(scene: Scene, actor: Actor) -> list[Entry]:
    stacks = [field for field, _ in fields_of(scene.position, actor)]
    return _accepted(scene, actor, [*_onto_fields(scene, actor, "set_card", stacks), _END_PHASE])


def _attacks(scene: Scene, actor: Actor) -> list[Entry]:
    return [*attacks_open_to(scene, actor), *_accepted(scene, actor, [_END_PHASE])]


_END_PHASE: Action = {"type": "end_phase"}


def _onto_fields(scene: Scene, actor: Actor, kind: str, fields: Sequence[int]) -> list[Action]:
    return [
        {"type": kind, "card": card, "field": field}
        for card in scene.position["players"][actor]["hand"]
        for field in fields
    ]


_ENTRIES: Mapping[str, Callable[[Scene, Actor], list[Entry]]] = {
    "draw": _draws,
    "summon": _summons,
    "effect": _effects,
    "set": _sets,
    "attack": _attacks,
}
