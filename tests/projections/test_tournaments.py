"""The list of tournaments: rebuilt equals incremental, and applying twice changes nothing."""

from __future__ import annotations

from projections.runner import catch_up, drop
from projections.tournaments import PROJECTION, TournamentRow
from service.aggregates.tournaments.entries import EnterPlayer
from service.aggregates.tournaments.events import Phase
from service.aggregates.tournaments.opening import CloseTournament, OpenTournament
from service.aggregates.tournaments.rounds import CloseRound, DraftRound, PublishRound
from service.commands.tournaments import carry_out, open_tournament
from service.installation import Installation
from service.standings.profiles import PROFILES
from tests.conftest import import_log, log_of

DATABASES = ("sqlite", "postgresql")
NOW = "2026-01-02T03:04:05.000006Z"
DIGEST = "ab" * 32


def opened(here: Installation, tournament_id: str, *players: str) -> None:
    command = OpenTournament(
        tournament_id=tournament_id,
        name=DIGEST,
        game="hi-story",
        cards="sample",
        setup={},
        phases=[Phase(format="swiss", rounds=1)],
        profile=PROFILES["mtr-2024"],
        by="olga",
    )
    open_tournament(here.tournaments, command, now=NOW)
    for player in players:
        entered = EnterPlayer(
            tournament_id=tournament_id, player=player, person=None, name=DIGEST, by="olga"
        )
        carry_out(here.tournaments, entered, now=NOW)


def begun(here: Installation, tournament_id: str) -> None:
    for command in (
        DraftRound(tournament_id=tournament_id, round=1, seed=DIGEST, by="olga"),
        PublishRound(tournament_id=tournament_id, round=1, by="olga"),
    ):
        carry_out(here.tournaments, command, now=NOW)


def rows(here: Installation) -> list[TournamentRow]:
    return here.tournament_rows(limit=9)


def test_a_rebuilt_list_equals_the_one_that_grew(installation: Installation) -> None:
    opened(installation, "a", "ann", "bob")
    assert [(row.id, row.state, row.players) for row in rows(installation)] == [("a", "open", 2)]
    import_log(installation, log_of("hi-story"))
    opened(installation, "b")
    begun(installation, "a")
    assert [row.state for row in rows(installation)] == ["open", "running"]
    for command in (
        CloseRound(tournament_id="a", round=1, missing=(1,), by="olga"),
        CloseTournament(tournament_id="a", by="olga"),
    ):
        carry_out(installation.tournaments, command, now=NOW)
    grown = rows(installation)
    assert [(row.id, row.state, row.players) for row in grown] == [
        ("b", "open", 0),
        ("a", "closed", 2),
    ]
    drop(installation.database, PROJECTION)
    assert rows(installation) == grown


def test_each_event_is_applied_once(installation: Installation) -> None:
    opened(installation, "a", "ann", "bob")
    before = rows(installation)
    assert catch_up(installation.database, installation.log, [PROJECTION]) == 0
    assert rows(installation) == before
