"""The matches that are linked to the tables of a tournament, as far as they came along."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from service.aggregates.tournaments.events import MatchLinked
from service.aggregates.tournaments.state import Tournament
from service.engine.values import Json
from service.integrity.linking import TAKEN
from service.integrity.reading import ExchangeFile, read_file
from service.integrity.report import GOOD, Check, failed
from service.integrity.signing import STATEMENT, is_signed
from service.integrity.tournament_files import (
    MatchLine,
    MatchPart,
    TournamentFile,
    TournamentHeader,
)
from service.integrity.verify import Bind, verify

STATED = "stated"
ABSENT = "absent"
OUTCOMES: Mapping[str, str] = {"match_closed": "outcome", "result_amended": "to"}
"""The events that say how a match ended → the part of them that does."""

SOUND = ("exact", "partial", "unverified")


def check_matches(
    file: TournamentFile, state: Tournament, bind: Bind, trusted: Sequence[str]
) -> tuple[Check, dict[str, int]]:
    """Check every linked match; return how many were found how.

    `exact`, `partial`, `unverified`: verdicts of files; `stated`: only a statement came along;
    `absent`: nothing did.
    """
    parts = {part.about.match: part for part in file.matches}
    links = {link.match: link for link in state.links()}
    if len(parts) != len(file.matches) or not parts.keys() <= links.keys():
        return failed(state.version, "a match came along that serves no table"), {}
    linked = Linked(header=file.header, state=state, bind=bind, trusted=trusted)
    found: Counter[str] = Counter()
    for match_id, link in links.items():
        verdict, fault = linked.found(parts.get(match_id), link)
        if fault is not None:
            text = f"round {link.round}, table {link.table}, match {match_id}: {fault}"
            return failed(state.version, text), dict(found)
        found[verdict] += 1
    unchecked = len(links) - found["exact"]
    if unchecked:
        text = f"{unchecked} of {len(links)} linked matches could not be decided again"
        return Check(verdict="not checkable", text=text), dict(found)
    return GOOD, dict(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """The tournament that the matches belong to, and what they are checked with."""

    header: TournamentHeader
    state: Tournament
    bind: Bind
    trusted: Sequence[str]

    def found(self, part: MatchPart | None, link: MatchLinked) -> tuple[str, str | None]:
        """Return how a match was found, and what is wrong with it."""
        if part is None or (not part.file and part.about.statement is None):
            return ABSENT, None
        if not part.file:
            return STATED, _fault_of_statement(self.header, part.about, self.trusted)
        report = verify(part.file, self.bind, trusted=self.trusted)
        if report.overall not in SOUND:
            return report.overall, report.summary
        match = read_file(part.file)
        fault = _fault_of_log(self.header, match, link) or _fault_of_seats(self.state, match, link)
        return report.overall, fault


def _fault_of_statement(
    header: TournamentHeader, about: MatchLine, trusted: Sequence[str]
) -> str | None:
    statement, signature = about.statement, about.signature
    assert statement is not None, "a match without one is absent"
    if (statement.origin, statement.match) != (header.origin, about.match):
        return "the statement is about another match"
    if signature is not None and not is_signed(STATEMENT, statement, signature):
        return "the signature of its statement is not good"
    if trusted and (signature is None or signature.key not in trusted):
        return "its statement is not signed by a key that is trusted"
    return None


def _fault_of_log(header: TournamentHeader, match: ExchangeFile, link: MatchLinked) -> str | None:
    """Return how the file of a match is not the log that was linked, or None."""
    if (match.header.origin, match.header.match) != (header.origin, link.match):
        return "the file is of another match"
    table = match.events[0].form.get("table")
    here = {
        "tournament": header.tournament,
        "round": link.round,
        "table": link.table,
        "game": link.game,
    }
    if isinstance(table, dict) and not here.items() <= table.items():
        return "it was played for another table"
    winner = link.seats.get(_winning_seat(match))
    if link.verdict != "disputed" and winner != link.winner:
        return f"by its log {winner} won, by the link {link.winner}"
    return None


def _fault_of_seats(state: Tournament, match: ExchangeFile, link: MatchLinked) -> str | None:
    """Return who sat at the match instead of a player, or None; a mere name may be anybody's."""
    seats: dict[str, Json] = match.events[0].form.get("seats") or {}
    persons = {
        seat: one.get("person") if isinstance(one, dict) else None for seat, one in seats.items()
    }
    persons |= {
        str(line.form.get("seat")): line.form.get("person")
        for line in match.events
        if line.header.type.startswith(TAKEN)
    }
    for seat, player in link.seats.items():
        if persons.get(seat) not in (None, state.entries[player].person):
            return f"{seat} was not {player}"
    return None


def _winning_seat(match: ExchangeFile) -> str:
    """Return the seat that won, as amended last; for a draw or no end what is no seat."""
    for line in reversed(match.events):
        part = OUTCOMES.get(line.header.type.split(".")[1])
        if part is not None:
            outcome: Json = line.form.get(part)
            return str(outcome.get("winner")) if isinstance(outcome, dict) else ""
    return ""
