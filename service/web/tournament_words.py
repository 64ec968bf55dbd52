"""What pages say of tournaments: rounds, results, levels, and why two players meet."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any

from service.engine.texts import Language
from service.engine.values import Json
from service.web.texts import text

LEVELS = ("witnessed", "audited", "reported", "disputed", "amended")
SIGNS = {"witnessed": "✓", "audited": "◆", "reported": "○", "disputed": "⚑", "amended": "✎"}
SHARES = frozenset({"omw", "oomw", "gw", "ogw", "wp", "ow", "oow"})
"""The kinds of criteria whose values are shown in per cent."""
BRACKETS = ("single_elimination", "double_elimination")
POINTS = {"win": "3", "draw": "1", "loss": "0"}
"""What a profile gives unless it says otherwise."""
NAMED_LAST = {2: "final", 4: "semifinal", 8: "quarterfinal"}


class Speaker:
    """Says things of one tournament in one language. names: player → name."""

    def __init__(self, language: Language, names: Mapping[str, str], units: int = 1) -> None:
        """Begin. names: player → name. units: into how many parts its pairings count a point."""
        self.language = language
        self.names = names
        self.units = units

    def say(self, key: str, **fields: Any) -> str:
        """Return a text of the pages."""
        return text(self.language, key, **fields)

    def name(self, player: str) -> str:
        """Return a player's name, his id where it is not known."""
        return self.names.get(player, player)

    def listed(self, players: Sequence[str]) -> str:
        """Return names one after the other."""
        return self.say("tournament.and").join(self.name(player) for player in players)

    def points(self, parts: int) -> str:
        """Return match points that a pairing counts in parts."""
        return shown(str(Fraction(parts, self.units)), "points")

    def table_reasons(self, why: Json, players: Sequence[str]) -> list[str]:
        """Return why two players meet, in sentences. why: of the API, None by the format."""
        if why is None:
            return [self.say("tournament.why.format")]
        return list(self._table_reasons(why, players))

    def _table_reasons(self, why: Mapping[str, Any], players: Sequence[str]) -> Iterator[str]:
        first, second = why["points"]
        if why["down"] is None:
            yield self.say("tournament.why.group", points=self.points(first))
        else:
            points = dict(zip(players, (first, second), strict=True))
            yield self.say(
                "tournament.why.float",
                down=self.name(why["down"]),
                up=self.name(why["up"]),
                high=self.points(points[why["down"]]),
                low=self.points(points[why["up"]]),
            )
        for player in why["again"]:
            yield self.say("tournament.why.again", name=self.name(player))
        if why["meetings"]:
            yield self.say("tournament.why.rematch", count=why["meetings"])
        if why["apart"]:
            yield self.say("tournament.why.apart")
        barred: dict[str, list[str]] = {}
        for player, other in why["barred"]:
            barred.setdefault(player, []).append(other)
        for player, others in barred.items():
            yield self.say(
                "tournament.why.barred", name=self.name(player), others=self.listed(others)
            )

    def bye_reasons(self, why: Json) -> list[str]:
        """Return why a player has the bye, in sentences; none for what a person decided."""
        if why is None:
            return []
        points = self.points(why["points"])
        told = [self.say(f"tournament.bye.{why['cause']}", points=points, byes=why["byes"])]
        return told + [
            self.say(
                f"tournament.passed.{over['cause']}",
                name=self.name(over["player"]),
                points=self.points(over["points"]),
                byes=over["byes"],
            )
            for over in why["passed_over"]
        ]

    def round_name(self, tournament: Mapping[str, Any], number: int) -> str:
        """Return how a round of a tournament is called."""
        heads = {one["number"]: one for one in tournament["rounds"]}
        phase = tournament["phases"][heads[number]["phase"] - 1]
        place = 1 + sum(
            one["phase"] == phase["number"] and one["number"] < number for one in heads.values()
        )
        return self.round_of(phase, number, place)

    def round_of(self, phase: Mapping[str, Any], number: int, place: int) -> str:
        """Return how the round at a place of a phase is called. number: in the tournament."""
        if phase["format"] not in BRACKETS:
            return self.say("tournament.round.number", number=number)
        if phase["format"] == "double_elimination":
            return self.say("tournament.round.double", number=place)
        return self.column_name(len(phase["seeds"]), place)

    def column_name(self, size: int, place: int) -> str:
        """Return how a round of a bracket for so many players is called."""
        left = 2 ** max(1, (size - 1).bit_length() - place + 1)
        if left in NAMED_LAST:
            return self.say(f"tournament.round.{NAMED_LAST[left]}")
        return self.say("tournament.round.top", count=left)

    def phase_text(self, phase: Mapping[str, Any]) -> str:
        """Return what a phase is, in short."""
        told = self.say(f"tournament.format.{phase['format']}")
        if phase["rounds"]:
            told = self.say("tournament.phase.rounds", format=told, count=phase["rounds"])
        cut = phase["cut"] or {"top": None, "points": None}
        if cut["top"]:
            told = self.say("tournament.phase.top", format=told, count=cut["top"])
        if cut["points"]:
            told = self.say("tournament.phase.points", format=told, points=cut["points"])
        if phase["best_of"] > 1:
            told = self.say("tournament.phase.best_of", format=told, count=phase["best_of"])
        return told


def fraction_of(value: str) -> tuple[str, str | None]:
    """Return numerator and denominator of an exact value, None for a whole number."""
    found = Fraction(value)
    whole = None if found.denominator == 1 else str(found.denominator)
    return str(found.numerator), whole


def shown(value: str, kind: str) -> str:
    """Return an exact value as a table shows it: in per cent, or with at most two decimals."""
    found = Fraction(value)
    if kind in SHARES:
        return f"{float(found * 100):.2f}%"
    return f"{float(found):.2f}".rstrip("0").rstrip(".")


def units_of(profile: Mapping[str, Any]) -> int:
    """Return into how many parts a pairing counts a point: wins, draws and losses are whole."""
    return lcm(*(Fraction(profile.get(one, usual)).denominator for one, usual in POINTS.items()))


def columns_of(labels: Collection[str], profile: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the columns of a table: the label of each, and the kind of its criterion.

    profile: of the tournament; a label that it does not give is the name of a kind.
    """
    kinds = {one.get("name", one["kind"]): one["kind"] for one in profile["criteria"]}
    return [{"label": label, "kind": kinds.get(label, label)} for label in labels]
