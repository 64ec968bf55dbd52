"""The overview tells of every event what the replay tells, for every game and viewer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from projections.overview import (
    MARKS,
    STRETCH,
    Runs,
    phase_of,
    stretch,
    stretches,
    total_at,
    total_paths,
    turn_of,
)
from projections.replay import Replay
from projections.wording import EVENT_TEXTS
from service.engine.values import JUDGE, SPECTATOR, Json, Viewer
from service.installation import Installation
from tests.conftest import CATALOGUE, import_log, log_of, opened_in
from tests.long_match import store_long_match

VIEWERS = ("P1", "P2", SPECTATOR, JUDGE)


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """One for all tests here, which only read."""
    found = opened_in(tmp_path_factory.mktemp("overview"))
    yield found
    found.close()


@pytest.fixture(scope="module", params=CATALOGUE.names())
def match_id(request: pytest.FixtureRequest, installation: Installation) -> str:
    return import_log(installation, log_of(request.param))


def replay_as(installation: Installation, match_id: str, viewer: Viewer) -> Replay:
    return installation.replay(installation.log.match(match_id), viewer, "en")


def each(runs: Runs) -> list[Json]:
    """Return the value of every event."""
    pairs = zip(runs.runs[::2], runs.runs[1::2], strict=True)
    return [runs.values[number] for number, length in pairs for _ in range(length)]


def test_a_mark_holds_no_text_that_can_be_erased() -> None:
    """A stretch is kept outside the log, where no erasing reaches it."""
    assert all("{reason}" not in text for name in MARKS for text in EVENT_TEXTS[name].values())


@pytest.mark.parametrize("viewer", VIEWERS)
def test_it_tells_what_the_replay_tells(
    installation: Installation, match_id: str, viewer: Viewer
) -> None:
    replay = replay_as(installation, match_id, viewer)
    last = replay.match.version
    found, events = stretch(replay, 0, last), replay.events(0, last)
    assert each(found.actors) == [event["actor"] for event in events]
    assert each(found.kinds) == [
        {"type": event["type"], "action": (event["action"] or {}).get("type")} for event in events
    ]
    views = [replay.position(seq) for seq in range(1, last + 1)]
    assert each(found.turns) == [turn_of(view) for view in views]
    assert each(found.phases) == [phase_of(view) for view in views]
    paths = total_paths(replay.words.display["board"], sorted(replay.match.seats))
    assert found.totals.keys() == paths.keys() == {"P1", "P2"}
    for seat, path in paths.items():
        counts = each(found.totals[seat])
        assert counts == [total_at(view, path) for view in views]
        assert len(set(counts)) > 2, "something is drawn"
    closed = next(event for event in events if event["type"] == "match_closed")
    assert [(mark.seq, mark.kind, mark.text) for mark in found.marks] == [
        (closed["seq"], "result", closed["text"])
    ]


def test_stretches_follow_each_other(installation: Installation, match_id: str) -> None:
    replay = replay_as(installation, match_id, SPECTATOR)
    last, middle = replay.match.version, replay.match.version // 2
    whole = stretch(replay, 0, last)
    parts = [stretch(replay, 0, middle), stretch(replay, middle, last)]
    for name in ("actors", "kinds", "turns", "phases"):
        assert [one for part in parts for one in each(getattr(part, name))] == each(
            getattr(whole, name)
        )
    assert [mark for part in parts for mark in part.marks] == whole.marks
    assert [part.index for part in parts] == [0, middle]


def test_stretches_begin_at_multiples_of_their_length() -> None:
    assert list(stretches(0, 0)) == []
    assert list(stretches(0, STRETCH)) == [(0, STRETCH)]
    assert list(stretches(7, STRETCH + 1)) == [(0, STRETCH), (STRETCH, STRETCH + 1)]
    assert list(stretches(STRETCH, STRETCH + 1)) == [(STRETCH, STRETCH + 1)]
    assert list(stretches(STRETCH + 5, STRETCH)) == []


def test_runs_are_short(installation: Installation) -> None:
    match_id = store_long_match(installation, CATALOGUE.game("hi-story"), 300)
    found = stretch(replay_as(installation, match_id, SPECTATOR), 0, 300)
    assert set(found.actors.values) == {None, "system", "P1", "P2"}
    for runs in (found.actors, found.kinds, found.turns, found.phases):
        assert sum(runs.runs[1::2]) == 300
        assert all(
            one != other for one, other in zip(runs.runs[::2], runs.runs[2::2], strict=False)
        )
    assert len(found.turns.runs) < 300 / 2
