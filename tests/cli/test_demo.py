"""The demo and its example client, run as a person runs them: in processes of their own."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.request import urlopen

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.disputes import WantedDisputes
from projections.matches import Wanted
from projections.parties import WHOLE
from service.accounts.tokens import NewToken
from service.aggregates.ending import CloseMatch
from service.aggregates.tournaments.events import Cut
from service.aggregates.tournaments.levels import level_of
from service.aggregates.tournaments.rounds import DraftRound
from service.aggregates.tournaments.state import Tournament
from service.cli.demo_rulings import DemoRulings, read_rulings
from service.cli.demo_tournaments import DemoFile, read_demo
from service.cli.holding import SEATS, Holding, hold
from service.cli.running_match import PLAYERS
from service.commands import tournaments
from service.commands.changing import carry_out
from service.engine.setups import deck_rejection
from service.engine.templates import is_instance
from service.engine.values import Json
from service.exchange import report_on
from service.installation import Installation, clock
from service.settings import Settings
from tests.cli.conftest import Run
from tests.cli.small_demo import SMALL
from tests.conftest import CATALOGUE, SEEDS, opened, settings_in

HOST = "127.0.0.1"
CLIENT = SEEDS / "demo" / "client.py"
KIFU = "from service.cli import main; main()"
WAIT_S = 60
NO_LIMIT = "1000000 per minute"


def loaded_client() -> ModuleType:
    spec = importlib.util.spec_from_file_location("client", CLIENT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


client = loaded_client()


def client_run(address: str, *arguments: str, tokens: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(CLIENT), address, *arguments]
    return subprocess.run(command, input=tokens, capture_output=True, text=True, check=False)


@contextmanager
def running(settings: Settings, *arguments: str, port: int) -> Iterator[subprocess.Popen[str]]:
    """Run `kifu` in a process group of its own, of which nothing is left afterwards."""
    environment = {
        **os.environ,
        "KIFU_DATABASE_URL": settings.database_url,
        "KIFU_PORT": str(port),
        "KIFU_RATE_LIMIT": NO_LIMIT,
    }
    started = subprocess.Popen(
        [sys.executable, "-c", KIFU, *arguments],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    try:
        yield started
    finally:
        if is_group_there(started.pid):
            os.killpg(started.pid, signal.SIGKILL)
        started.wait()


@contextmanager
def taken_port() -> Iterator[int]:
    with socket.create_server((HOST, 0)) as server:
        yield server.getsockname()[1]


def unused_port() -> int:
    with taken_port() as port:
        return port


def is_group_there(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so; fail if it does not come."""
    end = time.monotonic() + WAIT_S
    while not is_so():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.1)


def read_line(started: subprocess.Popen[str]) -> str:
    assert started.stdout is not None
    return started.stdout.readline().rstrip()


def shown(match_url: str) -> Json:
    with urlopen(match_url.replace("/matches/", "/api/v1/matches/"), timeout=WAIT_S) as answer:
        return json.load(answer)


def tokens_of_two(installation: Installation) -> str:
    texts = []
    for name in ("One", "Two"):
        person = installation.persons.create(name, clock())
        wanted = NewToken(person=person.id, scopes=("seat", "act"), days=1)
        texts.append(installation.persons.create_token(wanted, None, clock())[1])
    return "\n".join(texts)


def test_the_client_seals_its_seeds_as_documented() -> None:
    vectors = json.loads((SEEDS / "vectors" / "fairness.json").read_text())
    for seat, seed in vectors["seeds"].items():
        sealed = client.commitment(vectors["match"], seat, bytes.fromhex(seed))
        assert sealed == vectors["seed_commitments"][seat]


ELEMENTS = st.lists(st.sampled_from("abcdefgh"), min_size=1, unique=True)


@st.composite
def templates(draw: Any) -> Json:
    """Draw a template that has instances, with every key of a chooser."""
    values = draw(ELEMENTS)
    high = draw(st.integers(1, len(values)))
    low = draw(st.integers(0, high))
    many: dict[str, Json] = {"from": values, "min": low, "max": high}
    # The elements of `low` to begin with are always good together.
    if draw(st.booleans()):
        weights = {value: draw(st.integers(1, 5)) for value in values}
        many |= {"weights": weights, "at_most": sum(weights[value] for value in values[:low])}
    if draw(st.booleans()):
        marks = {value: draw(st.integers(0, 3)) for value in values}
        many["unlike"] = marks | {value: f"mark-{value}" for value in values[:low]}
    repeated = {"from": values, "min": low, "max": len(values) + 2, "repeat": True}
    return {
        "type": "made_up",
        "fixed": [1],
        "choose": {
            "placed": {"by": "many", "from": {value: [value, 1] for value in values}},
            "moved": {"by": "many", "from": [True, None]},
            "shared": {"by": "targets", "sum": draw(st.integers(1, 6))},
            "one": {"from": [0, "x", ["y"]]},
            "many": many,
            "repeated": repeated,
            "targets": {"from": values, "min": draw(st.integers(0, 1)), "max": len(values)},
        },
    }


@given(templates())
def test_the_client_fills_templates_as_the_format_says(template: Json) -> None:
    assert is_instance(client.filled(template), template)


@pytest.mark.parametrize("game", CATALOGUE.names())
def test_the_client_plays_a_match_to_its_end(settings: Settings, game: str) -> None:
    installation = opened(settings)
    with running(settings, "serve", port=unused_port()) as server:
        address = read_line(server).removeprefix("Kifu: ")
        played = client_run(address, game, "--pause", "0", tokens=tokens_of_two(installation))
    assert (played.returncode, played.stderr) == (0, "")
    match_url, outcome = played.stdout.splitlines()
    match = installation.log.match(match_url.rpartition("/")[2])
    assert (match.opened.game, match.state) == (game, "closed")
    assert match.closed is not None
    assert json.loads(outcome.removeprefix("closed: ")) == match.closed.outcome
    report = report_on(installation, match, "judge")
    assert (report.overall, report.checks["fair"].verdict) == ("exact", "joint")
    installation.close()


def test_the_client_says_what_is_refused(settings: Settings) -> None:
    installation = opened(settings)
    tokens = tokens_of_two(installation)
    installation.close()
    with running(settings, "serve", port=unused_port()) as server:
        address = read_line(server).removeprefix("Kifu: ")
        unknown = client_run(address, "hi-story", tokens="a.b\nc.d")
        nowhere = client_run(address, "hi-story", "--match", "nowhere", tokens=tokens)
    lonely = client_run(address, "hi-story", tokens="a.b")
    assert (unknown.returncode, unknown.stderr[:12]) == (1, "refused: 401")
    assert (nowhere.returncode, nowhere.stderr[:12]) == (1, "refused: 404")
    assert lonely.returncode == 2
    assert "two tokens are expected" in lonely.stderr


def match_shown_by(demo: subprocess.Popen[str]) -> str:
    """Return the address of the match that a demo plays; its own address comes last."""
    playing, serving = read_line(demo), read_line(demo)
    assert playing.startswith("A match that is being played: ")
    assert re.fullmatch(rf"Kifu: http://{HOST}:[0-9]+/", serving)
    match_url = playing.rpartition(" ")[2]
    assert match_url.startswith(f"{serving.rpartition(' ')[2]}matches/")
    return match_url


def has_gone_on(match_url: str, least: int) -> bool:
    return bool(shown(match_url)["actions"] >= least)


def test_a_match_can_be_watched_and_goes_on_after_a_pause(settings: Settings) -> None:
    matches = []
    for number, ends_all in ((signal.SIGTERM, False), (signal.SIGINT, True)):
        with running(settings, "demo", port=unused_port()) as demo:
            match_url = match_shown_by(demo)
            before = shown(match_url)["actions"]
            until(partial(has_gone_on, match_url, before + 2))
            with urlopen(match_url, timeout=WAIT_S) as page:
                assert page.status == 200
            # A terminal sends Ctrl-C to all processes, a supervisor its signal to the first one.
            (os.killpg if ends_all else os.kill)(demo.pid, number)
            assert demo.wait(WAIT_S) == 0
            assert not is_group_there(demo.pid)
        matches.append(match_url.rpartition("/")[2])
    assert matches[0] == matches[1]
    installation = opened(settings)
    rows = [row for row, _ in installation.matches(Wanted()) if row.kind == "live"]
    assert [(row.id, row.state) for row in rows] == [(matches[0], "running")]
    assert sorted(one.name for one in installation.persons.listed()) == sorted(PLAYERS)
    installation.close()


def test_nothing_is_left_of_a_demo_that_is_killed(settings: Settings) -> None:
    with running(settings, "demo", port=unused_port()) as demo:
        match_shown_by(demo)
        demo.kill()
        demo.wait(WAIT_S)
        until(lambda: not is_group_there(demo.pid))


def test_another_match_begins_when_the_last_one_is_over(settings: Settings) -> None:
    installation, matches = opened(settings), []
    for _ in range(2):
        with running(settings, "demo", port=unused_port()) as demo:
            matches.append(match_shown_by(demo).rpartition("/")[2])
        reason = installation.salted("over").digest
        over = CloseMatch(
            match_id=matches[-1], cause="forfeit", winner="P2", by="judge", reason=reason
        )
        carry_out(installation.log, over, now=clock())
    assert matches[0] != matches[1]
    assert len(installation.persons.listed()) == len(PLAYERS)
    installation.close()


def test_nobody_plays_when_the_demo_is_only_loaded(run: Run, settings: Settings) -> None:
    assert run("demo", "--load-only").exit_code == 0
    installation = opened(settings)
    kinds = {row.kind for row, _ in installation.matches(Wanted())}
    assert kinds == {"imported"}
    assert installation.persons.listed() == []
    installation.close()


def test_a_port_that_is_taken_is_told_in_a_sentence(run: Run) -> None:
    with taken_port() as port:
        refused = run("serve", "--port", port)
    assert refused.exit_code == 2
    assert f"Error: cannot listen on {HOST}:{port}: Address already in use" in refused.stderr


@pytest.mark.parametrize("command", ["serve", "work"])
def test_so_is_the_port_of_the_metrics(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    with taken_port() as port:
        monkeypatch.setenv("KIFU_METRICS_PORT", str(port))
        monkeypatch.setenv("KIFU_PORT", str(unused_port()))
        refused = run(command)
    assert refused.exit_code == 2
    assert f"Error: cannot listen on {HOST}:{port}: Address already in use" in refused.stderr


@pytest.mark.parametrize("command", ["serve", "work", "demo"])
def test_a_database_of_a_newer_program_is_told_in_a_sentence(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("KIFU_PORT", str(unused_port()))
    with closing(sqlite3.connect(tmp_path / "kifu.sqlite")) as database:
        database.execute("PRAGMA user_version = 99")
    refused = run(command)
    assert refused.exit_code == 2
    assert "Error: the database has 99 steps of its tables" in refused.stderr


def test_the_demo_has_what_tournaments_have() -> None:
    demos = read_demo(SEEDS)
    assert {demo.game for demo in demos} == {*CATALOGUE.names()}
    main = demos[0]
    assert len(main.players) > 32
    assert [phase.format for phase in main.phases] == ["swiss", "single_elimination"]
    assert (main.phases[0].rounds, main.phases[1].cut) == (5, Cut(top=8))
    assert len(main.claims) == 2
    assert sum(claim.amended is not None for claim in main.claims) == len(main.drops) == 1
    assert sum(player.enters > 1 for player in main.players) == 1
    for demo in demos:
        ruleset = CATALOGUE.game(demo.game).sample.ruleset
        setup = ruleset.prepared({}, SEATS)
        for deck in {player.deck for player in demo.players}:
            assert deck_rejection(ruleset, setup, SEATS, f"@{deck}") is None
        names = [player.name for player in demo.players]
        assert len(set(names)) == len(names)


def results_in(tournament: Tournament) -> list[Any]:
    """Return who met, what came of it, and where everybody ended."""
    tables = [table for one in tournament.rounds.values() for table in one.tables.values()]
    assert tournament.closed is not None
    return [
        [(table.players, table.result.winner, level_of(table)) for table in tables if table.result],
        [[link.match for link in table.links] for table in tables],
        tournament.closed.placing,
    ]


def test_a_tournament_of_the_demo_goes_on_where_it_was_interrupted(
    settings: Settings, tmp_path_factory: pytest.TempPathFactory
) -> None:
    first, second = (
        opened(one) for one in (settings, settings_in(tmp_path_factory.mktemp("second")))
    )
    whole = hold(first, SMALL)
    assert hold(first, SMALL) == whole
    held = Holding(second, SMALL)
    held.begin_phase(1)
    held.play_round()
    draft = DraftRound(tournament_id=whole.id, round=2, seed=SMALL.drawn("round/2"), by="demo")
    tournaments.carry_out(second.tournaments, draft, now=clock())
    assert results_in(hold(second, SMALL)) == results_in(whole)
    first.close()
    second.close()


def test_each_of_its_games_is_a_match_that_verifies(settings: Settings) -> None:
    installation = opened(settings)
    held = hold(installation, SMALL)
    levels = Counter(
        level_of(table) for one in held.rounds.values() for table in one.tables.values()
    )
    assert levels == {"witnessed": 5, "amended": 1, "disputed": 1}
    links = list(held.links())
    assert len(links) == 7
    for link in links:
        match = installation.log.match(link.match)
        assert match.opened.table is not None
        assert match.opened.table.round == link.round
        assert report_on(installation, match, "judge").overall == "exact"
    assert [sits.kind for sits in held.rounds[2].without] == ["bye"]
    assert held.entries["eve"].from_round == 2
    assert held.entries["dan"].dropped_after == 2
    installation.close()


@pytest.fixture
def small_seeds(tmp_path: Path) -> Path:
    """A folder of seeds with one log of each game, a dispute and the small tournament."""
    seeds = tmp_path / "seeds"
    for folder in (SEEDS / name for name in CATALOGUE.names()):
        (seeds / folder.name / "logs").mkdir(parents=True)
        for path in (*folder.glob("*.yaml"), min(folder.glob("logs/*.plain.jsonl"))):
            (seeds / path.relative_to(SEEDS)).symlink_to(path)
    (seeds / "demo").mkdir()
    (seeds / "demo" / "client.py").symlink_to(CLIENT)
    body = msgspec.json.encode(DemoFile(tournaments=(SMALL,)))
    (seeds / "demo" / "tournament.yaml").write_bytes(body)
    (quick,) = (one for one in read_rulings(SEEDS) if one.game == SMALL.game)
    body = msgspec.json.encode(DemoRulings(rulings=(quick,)))
    (seeds / "demo" / "rulings.yaml").write_bytes(body)
    return seeds


def test_it_is_held_while_the_demo_is_served(
    settings: Settings, small_seeds: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KIFU_SEEDS", str(small_seeds))
    installation = opened(settings)
    with running(settings, "demo", port=unused_port()) as demo:
        match_shown_by(demo)
        until(lambda: installation.tournament_rows(state="closed", limit=1) != [])
    (row,) = installation.tournament_rows(limit=2)
    assert (row.id, row.players) == (SMALL.tournament_id, len(SMALL.players))
    assert len(installation.dispute_rows(WantedDisputes(limit=2, now=clock()), WHOLE)) == 1
    installation.close()
