"""The results that a table of a phase can have, offered by the forms that report and correct."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from service.web.tournament_words import BRACKETS

Games: TypeAlias = tuple[int, int, int]
PLAYED = "played"


def outcomes_of(phase: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what can come of a table, the best for its first player first; the unplayed last.

    winner: 0 for the first, 1 for the second, None for nobody. games: won by the first, won by the
    second, drawn.
    """
    wins = phase["best_of"] // 2 + 1
    is_bracket = phase["format"] in BRACKETS
    won = [(wins, lost, 0) for lost in range(wins)] + [(ahead, 0, 0) for ahead in range(1, wins)]
    found = [_outcome(PLAYED, 0, games) for games in won]
    if not is_bracket:
        found += [_outcome(PLAYED, None, (each, each, 1)) for each in range(wins)]
    found += [_outcome(PLAYED, 1, (lost, ahead, 0)) for ahead, lost, _ in reversed(won)]
    if not is_bracket:
        found.append(_outcome("intentional_draw", None, (0, 0, phase["best_of"])))
    return [*found, *_unplayed(wins)]


def _unplayed(wins: int) -> Iterator[dict[str, Any]]:
    yield _outcome("forfeit", 0, (wins, 0, 0))
    yield _outcome("forfeit", 1, (0, wins, 0))
    yield _outcome("double_loss", None, (0, 0, 0))


def _outcome(kind: str, winner: int | None, games: Games) -> dict[str, Any]:
    return {"kind": kind, "winner": winner, "games": list(games)}


def body_of(outcome: Mapping[str, Any], players: list[str]) -> dict[str, Any]:
    """Return an outcome as the API takes it for a table of these players."""
    winner = outcome["winner"]
    return {**outcome, "winner": None if winner is None else players[winner]}
