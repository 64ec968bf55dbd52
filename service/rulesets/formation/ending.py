"""The end of a match: win check, exhaustion, round limit, concession (FM-902 to FM-913)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service.engine.values import Action, Actor
from service.rulesets.formation.course import Course
from service.rulesets.formation.line import units
from service.rulesets.formation.position import PLAYERS, is_out_of_pieces, opponent

ENDING_RULES: Mapping[str, str] = {
    "wipe_out": "FM-902",
    "both_wiped_out": "FM-903",
    "exhausted": "FM-911",
    "both_exhausted": "FM-911",
    "round_limit": "FM-912",
    "concession": "FM-913",
}


def win_check(course: Course) -> None:
    """End the match if a line holds no standing unit (FM-904). Facts: match_won, match_drawn."""
    _lose(course, empty_lines(course), "wipe_out", "both_wiped_out")


def lose_by_exhaustion(course: Course) -> None:
    """End the match for who has an empty line and no piece left (FM-911).

    Facts: match_won, match_drawn.
    """
    exhausted = [
        player for player in empty_lines(course) if is_out_of_pieces(course.position, player)
    ]
    _lose(course, exhausted, "exhausted", "both_exhausted")


def decide_at_round_limit(course: Course) -> None:
    """Decide by standing units, then by their ticks (FM-912). Facts: match_won, match_drawn."""
    strengths = {player: _strength(course, player) for player in PLAYERS}
    weakest = min(strengths.values())
    losers = [player for player in PLAYERS if strengths[player] == weakest]
    _lose(course, losers, "round_limit", "round_limit")


def concede(course: Course, actor: Actor, action: Action) -> None:
    """Give up (FM-913). Facts: match_conceded, match_won."""
    course.add("match_conceded", player=actor)
    _lose(course, [actor], "concession", "concession")


def empty_lines(course: Course) -> list[str]:
    """Return the players whose line holds no standing unit."""
    return [player for player in PLAYERS if not any(course.position[player]["line"])]


def _strength(course: Course, player: str) -> tuple[int, int]:
    standing = units(course, player)
    return len(standing), sum(unit.unit["ticks"] for unit in standing)


def _lose(course: Course, losers: Sequence[str], reason: str, reason_of_both: str) -> None:
    """End the match against the losers, with a draw if both lose; without a loser it goes on."""
    if len(losers) == len(PLAYERS):
        rules = (ENDING_RULES[reason_of_both],)
        course.add("match_drawn", rules=rules, reason=reason_of_both)
    elif losers:
        winner = opponent(losers[0])
        course.add("match_won", rules=(ENDING_RULES[reason],), winner=winner, reason=reason)
