"""What whoever runs a tournament can do next; the API decides whether it may be done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from service.api.brackets import show_bracket
from service.api.rounds import show_round
from service.api.standings import list_standings
from service.web.tournament_words import BRACKETS

ROWS = 500
DECIDED = ("pre_awarded", "half", "loss", "absent")
"""What players get who sit out because somebody decided so."""


def desk_of(tournament: Mapping[str, Any], players: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what the desk of a tournament shows.

    open: the round that is played; decided: who sits out of it by decision. has_more: rounds of the
    phase are left. to_begin: number of the phase whose players have to be known next, the present
    one if it has none yet. tied: rows of a tie that the line of the next cut goes through.
    """
    phase = tournament["phases"][tournament["phase"] - 1]
    open_round = next((one for one in tournament["rounds"] if not one["closed"]), None)
    next_phase = phase["number"] + 1 if phase["number"] < len(tournament["phases"]) else None
    is_unseeded = phase["format"] != "swiss" and not phase["seeds"]
    has_more = is_unseeded or _has_more(tournament, phase)
    return {
        "phase": phase,
        "open": open_round,
        "next_round": len(tournament["rounds"]) + 1,
        "has_more": has_more,
        "to_begin": phase["number"] if is_unseeded else next_phase,
        "present": present_in(phase, players),
        "decided": [] if open_round is None else _decided(tournament, open_round["number"]),
        "tied": [] if next_phase is None or open_round else _tied(tournament, next_phase),
    }


def present_in(phase: Mapping[str, Any], players: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return who can be paired in a phase: who entered or made the cut, and has not left."""
    members = set(phase["seeds"]) or {one["player"] for one in players}
    return [
        one["player"]
        for one in players
        if one["player"] in members and one["dropped_after"] is None and not one["disqualified"]
    ]


def _has_more(tournament: Mapping[str, Any], phase: Mapping[str, Any]) -> bool:
    """Tell whether a phase whose players are known has rounds left to be drafted."""
    played = [one for one in tournament["rounds"] if one["phase"] == phase["number"]]
    if phase["format"] == "swiss":
        return len(played) < int(phase["rounds"])
    if phase["format"] in BRACKETS:
        bracket = show_bracket({}, tournament["id"], str(phase["number"]))
        return bool(bracket["champion"] is None)
    count = len(phase["seeds"])
    return len(played) < count - 1 + count % 2


def _decided(tournament: Mapping[str, Any], number: int) -> list[dict[str, Any]]:
    without = show_round({}, tournament["id"], str(number))["without"]
    return [one for one in without if one["kind"] in DECIDED]


def _tied(tournament: Mapping[str, Any], next_phase: int) -> list[dict[str, Any]]:
    """Return the rows that share the last place which goes on, if not all of them do."""
    cut = tournament["phases"][next_phase - 1]["cut"]
    if cut is None or cut["top"] is None or cut["points"] is not None:
        return []
    asked = {"limit": ROWS, "phase": tournament["phase"]}
    rows = list_standings(asked, tournament["id"])["items"]
    if len(rows) <= cut["top"]:
        return []
    last = rows[cut["top"] - 1]["rank"]
    if rows[cut["top"]]["rank"] != last:
        return []
    return [row for row in rows if row["rank"] == last]
