"""What went wrong around records and those who watch them, each for its whole kind."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service.aggregates.access import place_of_match
from service.engine.values import Json, same
from service.exchange import report_on
from service.installation import Installation
from service.offline import verify_lines
from service.settings import Settings
from service.store.snapshots import EVERY, TAG
from tests.api import test_cases
from tests.api.planted import Planted, planted_match, secrets_in
from tests.api.tables import MATCHES, Caller, Hall, good, hall_of, refused
from tests.conftest import CATALOGUE, opened
from tests.long_match import store_long_match

BECAUSE: dict[str, Json] = {"reason": "because"}
CONCEDE: dict[str, Json] = {"action": {"type": "concede"}}
LONG = 2 * EVERY + 7


def read(one: Caller, path: str, **query: Json) -> Any:
    return good(one.get(path, **query), 200)


def positions(hall: Hall, match_id: str) -> list[bytes]:
    """Return every tenth position of a match and the last one, as they are answered."""
    path = f"{MATCHES}/{match_id}/position"
    return [hall.anybody.get(path, at=at).get_data() for at in (*range(0, LONG, 10), LONG)]


def with_tag(installation: Installation, old: str, new: str) -> None:
    """Give the snapshots of a shape another one, as after an upgrade of the service."""
    statement = "UPDATE snapshots SET tag = ? WHERE tag = ?"
    with installation.database.transaction() as tables:
        tables.execute(statement, new, old)


def test_a_snapshot_of_another_shape_is_passed_over(settings: Settings) -> None:
    """proteanhq/protean#1362: after a field changed, old snapshots could not be loaded."""
    hall = hall_of(opened(settings))
    match_id = store_long_match(hall.installation, CATALOGUE.game("hi-story"), LONG)
    before = positions(hall, match_id)
    with_tag(hall.installation, TAG, "match.of-another-shape")
    hall.installation.close()
    later = hall_of(opened(settings))
    assert positions(later, match_id) == before
    later.installation.close()


def test_snapshots_change_no_count(settings: Settings, installation: Installation) -> None:
    """NickTsitlakidis/event-nest#64: a snapshot of the wrong version counted events twice."""
    match_id = store_long_match(installation, CATALOGUE.game("hi-story"), LONG)
    with_snapshots = opened(settings)
    assert with_snapshots.log.rows("SELECT COUNT(*) FROM snapshots")[0][0] >= LONG // EVERY
    some = [with_snapshots.log.match(match_id, version=at) for at in range(1, LONG + 1, 7)]
    with_tag(installation, TAG, "match.of-another-shape")
    without = opened(settings)
    for state in some:
        folded = without.log.match(match_id, version=state.version)
        assert (folded.version, folded.actions) == (state.version, state.actions)
        assert (folded.counts, folded.head) == (state.counts, state.head)
        assert same(folded.position, state.position)
    for found in (with_snapshots, without):
        found.close()


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    word=st.sampled_from(["0", "1", "", "true", "public", "Listed", "listed ", "LINK", 0, 1])
    | st.booleans()
    | st.none()
    | st.text(max_size=5)
    | st.integers(-3, 3)
)
def test_a_word_that_is_none_of_the_list_is_refused(hall: Hall, word: Json) -> None:
    """smogon/pokemon-showdown#10215: "0" counted as true, and public replays became private."""
    one = hall.person("One")
    body = {"game": "hi-story", "seats": {"P1": one.person, "P2": "open"}}
    for changed, place in (
        ({"visibility": word}, "visibility"),
        ({"policy": {"after_end": word}}, "policy.after_end"),
    ):
        if word not in ("listed", "link", "participants", "nothing", "seats", "all"):
            answer = refused(one.post(MATCHES, {**body, **changed}), 422, "invalid")
            assert list(answer["errors"]) == [place]
    for name in ("state", "verdict", "lang"):
        answer = hall.anybody.get(MATCHES, **{name: str(word)})
        assert answer.status_code == 422 or str(word) in ("ja", "en")


def test_sharing_again_keeps_the_link(hall: Hall) -> None:
    """smogon/pokemon-showdown#11328: each save made a new password and killed the old link."""
    one, two = hall.person("One"), hall.person("Two")
    match_id = hall.begin("formation", [one, two], visibility="participants")
    path = f"{MATCHES}/{match_id}"
    refused(hall.anybody.get(path), 404, "not-found")
    for _ in range(3):
        good(one.post(f"{path}/visibility", {"visibility": "link"}))
        read(hall.anybody, path)
    types = [event["type"] for event in read(one, f"{path}/events")["items"]]
    assert types.count("visibility_set") == 1
    good(one.post(f"{path}/visibility", {"visibility": "participants"}))
    refused(hall.anybody.get(path), 404, "not-found")
    good(one.post(f"{path}/visibility", {"visibility": "link"}))
    read(hall.anybody, path)


def test_times_are_those_of_the_record(hall: Hall) -> None:
    """Cockatrice/Cockatrice#4117: times were the viewer's clock and went wrong after seeking."""
    one, two = hall.person("One"), hall.person("Two")
    match_id = hall.begin("formation", [one, two])
    hall.play([one, two], match_id, most=8)
    path = f"{MATCHES}/{match_id}"
    last = read(one, path)["events"]
    times = [event["time"] for event in read(one, f"{path}/events")["items"]]
    assert times == sorted(times)
    assert all(
        time.endswith("Z") and len(time) == len("2026-01-01T00:00:00.000000Z") for time in times
    )
    for at in (last, 1, last // 2, last, 1):
        for name, viewer in (("events", "P1"), ("frames", "P1"), ("events", "spectator")):
            told = read(one, f"{path}/{name}", **{"from": at - 1, "to": at, "as": viewer})
            found = told["items"] if name == "events" else [one["event"] for one in told["frames"]]
            assert [event["time"] for event in found] == [times[at - 1]]
    stored = hall.installation.log.sealed_of(match_id, after=0, to=last)
    assert [sealed.header.time for sealed in stored] == times


def test_a_record_that_lacks_events_says_so(hall: Hall) -> None:
    """HearthSim/Joust#253: a recording began after a reconnect, and nobody was told."""
    one, two = hall.person("One"), hall.person("Two")
    match_id = hall.begin("formation", [one, two])
    hall.play([one, two], match_id)
    lines = (
        hall.anybody.get(f"{MATCHES}/{match_id}/export", **{"as": "P1"}).get_data().splitlines(True)
    )
    for gone in (2, 3, len(lines) // 2):
        for cut in ([*lines[:gone], *lines[gone + 1 :]], [*lines[:2], *lines[gone + 1 :]]):
            report = verify_lines(CATALOGUE, cut)
            assert report.overall in ("tampered", "malformed")
            assert report.first_bad is not None or report.line is not None
    answer = read(one, f"{MATCHES}/{match_id}/frames", **{"from": 7, "to": 9})
    assert (answer["index"], answer["to"]) == (7, 9), "a window says where it begins"


@pytest.mark.parametrize("game", CATALOGUE.names())
def test_a_second_match_takes_nothing_from_the_first(hall: Hall, game: str) -> None:
    """HearthSim/python-hslog#19, cuttle#883: what the first left behind broke the second."""
    one, two = hall.person("One"), hall.person("Two")
    first, second = (hall.begin(game, [one, two]) for _ in range(2))
    hall.play([one, two], first, most=6)
    for match_id in (first, second):
        assert read(one, f"{MATCHES}/{match_id}/events")["match"] == match_id
    begun = read(one, f"{MATCHES}/{second}/position")
    hall.play([one, two], first, most=4)
    good(two.post(f"{MATCHES}/{first}/end-offers", {"winner": "P1"}))
    assert read(one, f"{MATCHES}/{second}/position") == begun
    assert read(one, f"{MATCHES}/{second}")["offers"] == {}
    hall.play([one, two], second, most=60)
    assert read(one, f"{MATCHES}/{first}")["state"] in ("running", "closed")
    match = hall.installation.log.match(second)
    assert report_on(hall.installation, match, "judge").first_bad is None


@pytest.fixture
def planted(settings: Settings, tmp_path: Any) -> Planted:
    return planted_match(settings, tmp_path)


def test_a_look_of_a_judge_tells_the_seats_nothing(planted: Planted) -> None:
    """Cockatrice/Cockatrice#4290: a judge looked at a hidden card, and its name was told."""
    hall, path = planted.hall, planted.path
    place = place_of_match(planted.match_id)
    judge = hall.person("Judge", "judge", place=place)
    names = ("", "/position", "/events", "/frames", "/random", "/export", "/inspections")

    def told(one: Caller) -> list[bytes]:
        answers = [one.get(f"{path}{name}") for name in names]
        assert all(secrets_in(answer) == set() for answer in answers)
        return [answer.get_data() for answer in answers if "export" not in answer.request.path]

    before = [told(one) for one in (planted.one, planted.two, hall.anybody)]
    good(judge.post(f"{path}/inspections", BECAUSE))
    assert secrets_in(judge.get(f"{path}/position", **{"as": "judge"}))
    assert [told(one) for one in (planted.one, planted.two, hall.anybody)] == before
    good(planted.two.post(f"{path}/actions", CONCEDE))
    (look,) = read(planted.two, f"{path}/inspections")["items"]
    assert (look["person"], look["reason"]) == (judge.person, "because")
    hall.installation.close()


def test_coming_again_changes_nothing_of_what_one_sees(planted: Planted) -> None:
    """Cockatrice/Cockatrice#5780: a judge came back after a break and saw everything."""
    hall, path = planted.hall, planted.path
    judge = hall.person("Judge", "judge", place=place_of_match(planted.match_id))
    for one, viewer in ((judge, "spectator"), (planted.one, "P1"), (planted.two, "P2")):
        before = [one.get(f"{path}/{name}", **{"as": viewer}) for name in ("position", "events")]
        cookie = good(one.post("/api/v1/sessions", {"token": one.token}))
        assert cookie["person"] == one.person
        hall.client.delete_cookie("kifu_session")
        again = hall.with_scopes(one.person, "read", "seat", "judge")
        for answer in before:
            name = answer.request.path.rpartition("/")[2]
            assert again.get(f"{path}/{name}", **{"as": viewer}).get_data() == answer.get_data()
        for other in {"P1", "P2", "judge"} - {viewer}:
            refused(again.get(f"{path}/position", **{"as": other}), 403, "forbidden")
    hall.installation.close()


def test_no_part_of_an_answer_holds_what_another_part_hides(planted: Planted) -> None:
    """boardgameio/boardgame.io#399: a stripped state came with the initial state and history."""
    for name in ("", "/position", "/events", "/frames", "/random", "/export", "/verification"):
        for viewer in ("spectator", "P1"):
            query = {"as": viewer} if name else {}
            answer = planted.one.get(f"{planted.path}{name}", **query)
            assert answer.status_code == 200
            assert secrets_in(answer) == set(), name
    planted.hall.installation.close()


ROWS = (
    *("ygopro#412", "argentum-engine#1390", "OpenFrontIO#4819", "pokemon-showdown#10806"),
    *("pokemon-showdown#4665", "ygopro#3113", "boardgame.io#795", "boardgame.io#828"),
    *("hanabi-live#1272", "online-go.com#522", "protean#1362", "event-nest#64"),
    *("pokemon-showdown#10215", "pokemon-showdown#11328", "Cockatrice#4117", "Joust#253"),
    *("python-hslog#19", "Cockatrice#4290", "Cockatrice#5780", "boardgame.io#399"),
    "boardgame.io#820",
)
"""Every case of both lists."""


def test_every_case_has_its_test() -> None:
    tests = {**vars(test_cases), **globals()}
    told = [value.__doc__ or "" for name, value in tests.items() if name.startswith("test_")]
    for row in ROWS:
        assert len([text for text in told if row in text.partition(":")[0]]) == 1, row
