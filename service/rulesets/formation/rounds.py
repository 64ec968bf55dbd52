"""Rounds and summon turns: drawing, passing, who is next (FM-905 to FM-910, FM-927)."""

from __future__ import annotations

from service.engine.contract import Rejection
from service.engine.values import Action, Actor
from service.rulesets.formation.course import Course
from service.rulesets.formation.ending import decide_at_round_limit
from service.rulesets.formation.position import (
    BATTLE,
    PLAYERS,
    SUMMON,
    is_out_of_pieces,
    opponent,
)


def next_round(course: Course) -> None:
    """Begin the next round, with the other player first (FM-906), or end at the limit (FM-912).

    Facts: round_started and those of the first summon turn, or phase_changed (FM-910).
    """
    position = course.position
    if position["round"] >= position["round_limit"]:
        decide_at_round_limit(course)
        return
    begin_round(course, position["round"] + 1, opponent(position["first"]))


def begin_round(course: Course, number: int, first: str) -> None:
    """Begin a round with the summon turn of the first player. Facts: as `next_round`."""
    course.add("round_started", round=number, first=first)
    if all(is_out_of_pieces(course.position, player) for player in PLAYERS):
        _begin_battle(course, "FM-905", "FM-910")
    else:
        _begin_summon_turn(course, first)


def _begin_summon_turn(course: Course, player: str) -> None:
    if is_out_of_pieces(course.position, player):
        course.add("summon_turn_skipped", player=player)
        end_summon_turn(course, player)
        return
    course.add("summon_turn_started", player=player)
    fill_hand(course, player)


def end_summon_turn(course: Course, player: str) -> None:
    """Go on to the summon turn of the other player, or to the battle (FM-905, FM-906).

    Facts: those of the next summon turn, or phase_changed.
    """
    if player == course.position["first"]:
        _begin_summon_turn(course, opponent(player))
    else:
        _begin_battle(course, "FM-905")


def _begin_battle(course: Course, *rules: str) -> None:
    course.add("phase_changed", rules=rules, phase=BATTLE)


def fill_hand(course: Course, player: str) -> None:
    """Draw until the hand is full or the deck empty (FM-908). Facts: piece_drawn."""
    own = course.position[player]
    draw(course, player, course.position["hand_size"] - len(own["hand"]))


def draw(course: Course, player: str, count: int) -> None:
    """Draw pieces, as many as there are; the sides of each are arranged anew (FM-927).

    Draws: sides:<piece>. Facts: piece_drawn.
    """
    for piece in course.position[player]["deck"][: max(0, count)]:
        printed = course.cards[course.position["pieces"][piece]["card"]].connectors
        sides = course.draws.shuffle(f"sides:{piece}", printed)
        course.add("piece_drawn", player=player, piece=piece, sides=sides)


def shuffle(course: Course, player: str, rule: str) -> None:
    """Bring the deck into a new order. Draws: deck:<player>. Facts: deck_shuffled."""
    order = course.draws.shuffle(f"deck:{player}", course.position[player]["deck"])
    course.add("deck_shuffled", rules=(rule,), player=player, order=order)


def turn_fault(course: Course, actor: Actor) -> Rejection | None:
    """Tell why an actor may not use the summon turn: FM-905 the phase, FM-906 the turn."""
    if course.position["phase"] != SUMMON:
        return Rejection("FM-905")
    if course.position["turn"] != actor:
        return Rejection("FM-906")
    return None


def pass_turn(course: Course, actor: Actor, action: Action) -> Rejection | None:
    """Exchange the whole hand in place of a placement (FM-909).

    Facts: hand_returned, deck_shuffled, piece_drawn, then the next turn.
    Rejections: FM-905, FM-906.
    """
    fault = turn_fault(course, actor)
    if fault is not None:
        return fault
    hand = course.position[actor]["hand"]
    course.add("hand_returned", player=actor, pieces=hand)
    shuffle(course, actor, "FM-909")
    draw(course, actor, len(hand))
    end_summon_turn(course, actor)
    return None
