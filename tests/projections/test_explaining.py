"""Explanations of recorded matches: they agree with the replay, and only some see what else was."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from projections.explaining import Explanation, explanation
from projections.replay import Replay
from service.aggregates.world import NotFound
from service.engine.templates import CONCEDE
from service.engine.values import JUDGE, SPECTATOR, Viewer, same
from service.installation import Installation, open_installation
from service.store.databases import migrate
from tests.conftest import CATALOGUE, import_log, log_of, settings_in

STEP = 17
COMPUTING = {"hi-story": "power_computed", "hagmi": "damage_computed", "formation": "damage_taken"}


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    settings = settings_in(tmp_path_factory.mktemp("explaining"))
    migrate(settings.database_url)
    found = open_installation(settings)
    yield found
    found.close()


@pytest.fixture(scope="module", params=CATALOGUE.names())
def match_id(request: pytest.FixtureRequest, installation: Installation) -> str:
    return import_log(installation, log_of(request.param))


def replay_as(installation: Installation, match_id: str, viewer: Viewer) -> Replay:
    return installation.replay(installation.log.match(match_id), viewer, "en")


def explained(
    installation: Installation, match_id: str, viewer: Viewer, *, step: int = STEP
) -> list[Explanation]:
    """Return every so manieth explanation."""
    replay = replay_as(installation, match_id, viewer)
    return [explanation(replay, seq) for seq in range(1, replay.match.version + 1, step)]


def test_an_explanation_is_of_the_event_that_is_replayed(
    installation: Installation, match_id: str
) -> None:
    for viewer in ("P1", SPECTATOR, JUDGE):
        replay = replay_as(installation, match_id, viewer)
        for one in explained(installation, match_id, viewer):
            seq = one["event"]["seq"]
            assert [one["event"]] == replay.events(seq - 1, seq)
            for place, index in ((one["before"], seq - 1), (one["after"], seq)):
                assert place["index"] == index
                assert same(place["position"], replay.position(index))
            assert len(one["facts"]) == len(one["event"]["facts"])
            for told, fact in zip(one["facts"], one["event"]["facts"], strict=True):
                assert told["text"] == fact["text"]
                assert told["quiet"] == fact["quiet"]
                assert told["rules"] or fact["fact"] is None
                assert set(told["rules"]) <= set(one["cited"])


def test_numbers_are_computed_line_by_line(installation: Installation, match_id: str) -> None:
    game = installation.log.match(match_id).opened.game
    found = [
        lines
        for one in explained(installation, match_id, SPECTATOR, step=3)
        for fact, told in zip(one["event"]["facts"], one["facts"], strict=True)
        if (lines := told["computation"]) is not None
        and fact["fact"] is not None
        and fact["fact"]["fact"] == COMPUTING[game]
    ]
    assert found
    assert {(lines[0]["kind"], lines[-1]["kind"]) for lines in found} == {("base", "total")}


def test_only_the_actor_and_the_judge_see_what_else_was_legal(
    installation: Installation, match_id: str
) -> None:
    per_viewer = {
        viewer: explained(installation, match_id, viewer)
        for viewer in ("P1", "P2", SPECTATOR, JUDGE)
    }
    seen = set()
    for viewer, found in per_viewer.items():
        for one, judged in zip(found, per_viewer[JUDGE], strict=True):
            actor = one["event"]["actor"]
            if actor in ("P1", "P2") and viewer in (actor, JUDGE):
                assert one["alternatives"] is not None
                actions = [other["action"] for other in one["alternatives"]]
                assert {"type": CONCEDE} in actions
                assert actions == [other["action"] for other in judged["alternatives"] or []]
                seen.add(viewer)
            else:
                assert one["alternatives"] is None
    assert seen == {"P1", "P2", JUDGE}


def test_an_event_without_facts_is_told_by_its_text(
    installation: Installation, match_id: str
) -> None:
    first = explanation(replay_as(installation, match_id, SPECTATOR), 1)
    assert first["event"]["type"] == "match_opened"
    assert first["event"]["text"]
    assert first["event"]["content"] is not None
    assert (first["facts"], first["cited"], first["alternatives"]) == ([], [], None)


def test_outside_of_a_match_there_is_nothing_to_explain(
    installation: Installation, match_id: str
) -> None:
    replay = replay_as(installation, match_id, JUDGE)
    for seq in (-1, 0, replay.match.version + 1):
        with pytest.raises(NotFound):
            explanation(replay, seq)
