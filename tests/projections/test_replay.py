"""Replay: windows, positions and words agree with each other, for every viewer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from projections.replay import Replay
from service.aggregates.world import NotFound
from service.engine.patches import applied
from service.engine.values import same
from service.installation import Installation
from tests.conftest import CATALOGUE, import_log, log_of, opened_in


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """One for all tests here, which only read."""
    found = opened_in(tmp_path_factory.mktemp("replay"))
    yield found
    found.close()


@pytest.fixture(scope="module", params=CATALOGUE.names())
def match_id(request: pytest.FixtureRequest, installation: Installation) -> str:
    return import_log(installation, log_of(request.param))


def replay_as(installation: Installation, match_id: str, viewer: str) -> Replay:
    return installation.replay(installation.log.match(match_id), viewer, "ja")


@pytest.mark.parametrize("viewer", ["P1", "P2", "spectator", "judge"])
def test_patches_lead_from_position_to_position(
    installation: Installation, match_id: str, viewer: str
) -> None:
    replay = replay_as(installation, match_id, viewer)
    last = replay.match.version
    window = replay.window(0, min(last, 60))
    view = window["position"]
    for frame in window["frames"]:
        seq = frame["event"]["seq"]
        for step, operations in enumerate(frame["patches"], start=1):
            view = applied(view, operations)
            if step in (1, len(frame["patches"])):
                assert same(view, replay.position(seq - 1, step))
        assert same(view, replay.position(seq))


def test_windows_join(installation: Installation, match_id: str) -> None:
    replay = replay_as(installation, match_id, "spectator")
    last = min(replay.match.version, 50)
    parts = replay.events(0, 20) + replay.events(20, last)
    assert parts == replay.events(0, last)
    assert [event["seq"] for event in parts] == list(range(1, last + 1))


def test_every_fact_reads_as_a_sentence_in_both_languages(
    installation: Installation, match_id: str
) -> None:
    for language in ("ja", "en"):
        replay = installation.replay(installation.log.match(match_id), "P1", language)
        for event in replay.events(0, replay.match.version):
            assert event["text"]
            for fact in event["facts"]:
                if fact["fact"] is not None:
                    assert fact["text"].endswith(("。", ".", "）"))
                    assert "{" not in fact["text"]


def test_outside_of_a_match_is_nothing(installation: Installation, match_id: str) -> None:
    replay = replay_as(installation, match_id, "judge")
    last = replay.match.version
    for place in ((-1, 0), (last + 1, 0), (last, 1), (1, 100_000)):
        with pytest.raises(NotFound):
            replay.position(*place)


def test_a_position_at_each_end(installation: Installation, match_id: str) -> None:
    replay = replay_as(installation, match_id, "judge")
    ruleset = replay.ruleset
    assert same(replay.position(0), ruleset.view(ruleset.new_position(), "judge"))
    last = replay.match.version
    assert same(replay.position(last), ruleset.view(replay.match.position, "judge"))
