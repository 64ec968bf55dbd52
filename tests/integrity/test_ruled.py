"""What judges did to a match is checked, too: no backup, shuffle or result can be made up."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from service.aggregates.backups import back_up
from service.aggregates.events import ActionPlayed, MatchEvent
from service.aggregates.remedies import amend_outcome, fix, lose
from service.catalogue import LoadedGame
from service.engine.values import SYSTEM, Json
from service.exchange import export_lines, import_file
from service.installation import Installation
from service.integrity.report import Report
from service.offline import verify_lines
from tests.aggregates.match_play import MATCH, Played, begun
from tests.conftest import CATALOGUE, opened, settings_in
from tests.integrity.conftest import Lines
from tests.integrity.test_verify import changed, rechained

RULING, JUDGE = "d1.1", "judge-1"


def judged(game: str) -> Played:
    """Return a match with a backup, an ordered shuffle, an end, a way back and another result."""
    played = begun(game, 21)
    played.play(6)
    to = next(state.version for state in played.states if state.actions) + 1
    played.add(back_up(played.match, played.at(to), played.given, ruling=RULING, by=JUDGE))
    played.play(2)
    pile = next(iter(played.given.ruleset.piles(played.match.position)))
    played.add(fix(played.match, [], [pile], played.given, ruling=RULING))
    played.play(2)
    to = played.match.version
    if played.match.closed is None:
        played.add(lose(played.match, "P1", played.given, ruling=RULING, by=JUDGE, reason=None))
        played.add(back_up(played.match, played.at(to), played.given, ruling=RULING, by=JUDGE))
        played.play(3)
    if played.match.closed is None:
        played.add(lose(played.match, "P1", played.given, ruling=RULING, by=JUDGE, reason=None))
    played.add(amend_outcome(played.match, "draw", played.given, ruling=RULING, by=JUDGE))
    return played


def stored(installation: Installation, game: LoadedGame, played: Played) -> Lines:
    """Store a match as if it had been played here; return its file."""
    first, command = (
        played.events[0],
        installation.open_command(
            MATCH,
            game.sample,
            cards="sample",
            kind="live",
            seats={},
            secrets=played.given.secrets,
        ),
    )
    edition = command.edition
    pinned = {
        "edition": edition.name,
        "rules_digest": edition.rules_digest,
        "cards_digest": edition.cards_digest,
        "texts_digest": edition.texts_digest,
    }
    events: list[MatchEvent] = [_with(first, pinned), *played.events[1:]]
    secrets, attached = played.given.secrets, command.attached
    installation.log.append(MATCH, None, events, secrets=secrets, attached=attached)
    return export_lines(installation, installation.log.match(MATCH), "judge")


def _with(event: MatchEvent, fields: Json) -> MatchEvent:
    return type(event)(**{name: getattr(event, name) for name in event.__struct_fields__} | fields)


@pytest.fixture(scope="module", params=CATALOGUE.names())
def file(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Lines]:
    installation = opened(settings_in(tmp_path_factory.mktemp("ruled")))
    yield stored(installation, CATALOGUE.game(request.param), judged(request.param))
    installation.close()


def verified(lines: Lines) -> Report:
    return verify_lines(CATALOGUE, lines)


def places(lines: Lines, event: str) -> list[int]:
    return [at for at, line in enumerate(lines) if f'"type":"match.{event}.'.encode() in line]


def forged(lines: Lines, event: str, change: Callable[[Json], object], which: int = 0) -> Report:
    """Verify a file in which the form of an event was changed and everything sealed anew."""
    at, made = places(lines, event)[which], list(lines)
    made[at] = changed(made[at], lambda body: change(body["form"]))
    return verified(rechained(made))


def test_a_judged_match_verifies(file: Lines) -> None:
    report = verified(file)
    assert (report.overall, report.first_bad) == ("exact", None), report
    assert "1 ruled" in report.checks["legal"].text
    assert report.checks["fair"].verdict in ("server", "mixed", "joint")
    assert len(places(file, "secrets_opened")) == len(places(file, "match_closed"))


def test_redacted_files_of_a_judged_match_hold(file: Lines, tmp_path: Path) -> None:
    header = json.loads(file[0])
    installation = opened(settings_in(tmp_path))
    lines = stored(installation, CATALOGUE.game(header["game"]), judged(header["game"]))
    assert len(lines) == len(file)
    match = installation.log.match(MATCH)
    for viewer in (*match.seats, "spectator"):
        report = verified(export_lines(installation, match, viewer))
        assert (report.overall, report.first_bad) == ("partial", None), report
    installation.close()


FORGERIES: list[tuple[str, Callable[[Json], object]]] = [
    ("backed_up", lambda form: form.update(to=form["to"] - 1)),
    ("backed_up", lambda form: form.update(to=10_000)),
    ("backed_up", lambda form: form.update(to=True)),
    ("backed_up", lambda form: form.update(actions=form["actions"] + 1)),
    ("backed_up", lambda form: form.update(counts={})),
    ("backed_up", lambda form: form.update(position={})),
    ("corrected", lambda form: form["draws"][0]["order"].reverse()),
    ("corrected", lambda form: form.update(draws=[])),
    ("corrected", lambda form: form["draws"][0].update(shuffle="P1.deck")),
    ("corrected", lambda form: form.update(by="agreement")),
    ("result_amended", lambda form: form.update({"from": {"winner": "P9", "reason": "x"}})),
    ("match_reopened", lambda form: form.update(roots={"open": "00" * 32, "closed": "00" * 32})),
]


@pytest.mark.parametrize(("event", "change"), FORGERIES)
def test_nothing_that_a_judge_did_can_be_made_up(
    file: Lines, event: str, change: Callable[[Json], object]
) -> None:
    if event == "match_reopened" and not places(file, event):
        event = "result_amended"
        change = FORGERIES[10][1]
    report = forged(file, event, change)
    assert report.overall in ("tampered", "diverged", "malformed"), report
    assert report.first_bad is not None


def test_another_installation_takes_the_line_that_was_played(file: Lines, tmp_path: Path) -> None:
    header = json.loads(file[0])
    played = judged(header["game"])
    here = opened(settings_in(tmp_path))
    report, audit, _ = import_file(here, file)
    assert report.overall == "exact"
    assert audit is not None
    assert audit.actions <= sum(isinstance(event, ActionPlayed) for event in played.events)
    assert any(isinstance(one, ActionPlayed) and one.actor == SYSTEM for one in played.events)
    here.close()
