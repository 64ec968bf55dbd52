"""Explanations over HTTP: who is told what, what a seat may ask, what nobody learns by asking."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service.aggregates.access import place_of_match
from service.api.play import REFUSALS_MAX
from service.engine.templates import CONCEDE
from service.engine.values import Json
from service.store.databases import migrate
from tests.api.hostile import ANYTHING
from tests.api.planted import Planted, planted_match, secrets_in, texts_in
from tests.api.tables import MATCHES, Caller, Hall, good, refused
from tests.conftest import CATALOGUE, settings_in

BECAUSE = {"reason": "because"}
END_PHASE = {"type": "end_phase"}
QUICK = settings(max_examples=30, suppress_health_check=list(HealthCheck))


def path_of(match_id: str, seq: Json) -> str:
    return f"{MATCHES}/{match_id}/events/{seq}/explanation"


def explained(one: Caller, match_id: str, seq: int, **query: Any) -> dict[str, Any]:
    found: dict[str, Any] = good(one.get(path_of(match_id, seq), **query), 200)
    return found


def ask(one: Caller, match_id: str, index: Json, action: Json, **more: Json) -> dict[str, Any]:
    found: dict[str, Any] = good(
        one.post(path_of(match_id, index), {"action": action, **more}, lang="en"), 200
    )
    return found


def judge_of(hall: Hall, match_id: str) -> Caller:
    """Return a judge who looks into a match."""
    judge = hall.person("Judge", "judge", place=place_of_match(match_id))
    good(judge.post(f"{MATCHES}/{match_id}/inspections", BECAUSE))
    return judge


Table = tuple[Caller, Caller, str]


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Planted]:
    folder = tmp_path_factory.mktemp("planted")
    migrate(settings_in(folder).database_url)
    made = planted_match(settings_in(folder), folder)
    yield made
    made.hall.installation.close()


@pytest.fixture(scope="module")
def hall(planted: Planted) -> Hall:
    """One hall for all tests here, each with a match of its own."""
    return planted.hall


@pytest.fixture(scope="module")
def running(hall: Hall) -> tuple[Caller, dict[str, str]]:
    """Somebody, and a match of each game in which he is P1."""
    one, two = hall.person("One"), hall.person("Two")
    return one, {game: hall.begin(game, [one, two]) for game in CATALOGUE.names()}


@pytest.fixture
def table(hall: Hall) -> Table:
    """Two persons with a running match of Hi! story, in which P1 has drawn."""
    one, two = hall.person("One"), hall.person("Two")
    match_id = hall.begin("hi-story", [one, two], setup={"first": "P1"})
    for who in (one, two):
        good(who.post(f"{MATCHES}/{match_id}/actions", {"action": {"type": "keep_hand"}}))
    return one, two, match_id


def version_of(one: Caller, match_id: str) -> int:
    return int(good(one.get(f"{MATCHES}/{match_id}"), 200)["events"])


# Why an event came so.


def test_everybody_is_answered_as_himself(hall: Hall, table: Table) -> None:
    one, two, match_id = table
    judge = judge_of(hall, match_id)
    last = version_of(one, match_id)
    kept = next(
        seq for seq in range(1, last + 1) if explained(one, match_id, seq)["event"]["actor"] == "P1"
    )
    for who, viewer in ((one, "P1"), (two, "P2"), (hall.anybody, "spectator")):
        found = explained(who, match_id, kept)
        assert found["viewer"] == viewer
        assert (found["alternatives"] is None) == (viewer != "P1")
        assert found["event"]["facts"][0]["text"] == found["facts"][0]["text"]
        assert (found["before"]["index"], found["after"]["index"]) == (kept - 1, kept)
    seen = explained(judge, match_id, kept, **{"as": "judge"})
    assert [one["action"]["type"] for one in seen["alternatives"]][-1] == CONCEDE
    refused(two.get(path_of(match_id, kept), **{"as": "P1"}), 403, "forbidden")
    refused(hall.anybody.get(path_of(match_id, kept), **{"as": "judge"}), 403, "forbidden")


def test_rules_are_told_in_the_language_and_edition(hall: Hall, table: Table) -> None:
    one, _, match_id = table
    game = CATALOGUE.game("hi-story")
    edition = good(one.get(f"{MATCHES}/{match_id}"), 200)["edition"]
    for language in ("ja", "en"):
        found = explained(one, match_id, version_of(one, match_id), lang=language)
        cited = {rule for fact in found["facts"] for rule in fact["rules"]}
        assert set(found["rules"]) == cited
        for rule, told in found["rules"].items():
            assert told == {
                "term": game.rules[rule][f"term_{language}"],
                "text": game.rules[rule][f"text_{language}"],
                "enforced_by": game.rules[rule]["enforced_by"],
                "edition": edition,
                "url": f"/api/v1/rules/{rule}@{edition}",
            }


def test_events_around_play_are_told_by_their_content(hall: Hall, table: Table) -> None:
    """Holds say who held and why; what the seats agreed says so."""
    one, two, match_id = table
    path = f"{MATCHES}/{match_id}"
    judge = judge_of(hall, match_id)
    good(judge.post(f"{path}/hold", BECAUSE))
    held = explained(hall.anybody, match_id, version_of(one, match_id))
    assert held["event"]["content"]["by"] == judge.person
    assert held["event"]["content"]["reason"] == "because"
    assert (held["facts"], held["rules"], held["alternatives"]) == ([], {}, None)
    good(judge.post(f"{path}/release", {}))
    facts = [{"fact": "draw_skipped", "rules": ["HS-208"], "player": "P1"}]
    seq = good(one.post(f"{path}/proposals", {"facts": facts, **BECAUSE}))["version"]
    good(two.post(f"{path}/proposals/answers", {"proposed": seq, "accepted": True}))
    agreed = explained(hall.anybody, match_id, version_of(one, match_id), lang="en")
    assert agreed["event"]["type"] == "corrected"
    assert agreed["event"]["content"]["by"] == "agreement"
    assert [fact["text"] for fact in agreed["facts"]] == [
        "First turn of the first player: One does not draw."
    ]
    assert (list(agreed["rules"]), agreed["alternatives"]) == (["HS-208"], None)


def test_what_is_not_there_is_not_explained(hall: Hall, table: Table) -> None:
    one, _, match_id = table
    last = version_of(one, match_id)
    for seq in (0, last + 1, 10**6, "x", "-1", "1.5", "٣", "%20", "9" * 40):
        refused(one.get(path_of(match_id, seq)), 404, "not-found")
    refused(one.get(path_of("nowhere", 1)), 404, "not-found")
    refused(one.get(path_of(match_id, 1), **{"as": "P3"}), 404, "not-found")
    refused(one.get(path_of(match_id, 1), **{"as": "x"}), 422, "invalid")


def test_behind_a_delay_an_event_is_not_there(hall: Hall) -> None:
    one, two = hall.person("One"), hall.person("Two")
    match_id = hall.begin("formation", [one, two], policy={"delay_events": 3})
    last = version_of(one, match_id)
    assert explained(hall.anybody, match_id, last - 3)["viewer"] == "spectator"
    for seq in range(last - 2, last + 2):
        refused(hall.anybody.get(path_of(match_id, seq)), 404, "not-found")
    assert explained(one, match_id, last)["event"]["seq"] == last


# Why an action is refused.


def test_a_seat_asks_for_itself_at_the_live_end(hall: Hall, table: Table) -> None:
    one, two, match_id = table
    last = version_of(one, match_id)
    found = ask(two, match_id, last, END_PHASE)
    assert found["refused"] == {"rule": "HS-301", "reason": "It is not your turn."}
    assert found["rules"]["HS-301"]["text"] == CATALOGUE.game("hi-story").rules["HS-301"]["text_en"]
    assert (found["actor"], found["viewer"], found["index"]) == ("P2", "P2", last)
    assert ask(two, match_id, last, END_PHASE, actor="P2")["refused"] == found["refused"]
    other = {"action": END_PHASE, "actor": "P1"}
    refused(two.post(path_of(match_id, last), other), 403, "forbidden")
    for index in (0, last - 1, last + 1):
        answer = refused(two.post(path_of(match_id, index), {"action": END_PHASE}), 409, "conflict")
        assert answer["version"] == last
    narrow = hall.with_scopes(two.person, "act", "read")
    for who in (narrow, hall.anybody, hall.person("Stranger")):
        refused(who.post(path_of(match_id, last), {"action": END_PHASE}), 403, "forbidden")


def test_what_would_be_accepted_tells_nothing_and_changes_nothing(hall: Hall, table: Table) -> None:
    """Also not what would be drawn: asked again and again, play goes as it would have gone."""
    one, _, match_id = table
    last, stored = version_of(one, match_id), hall.installation.log.last_position()
    listed = good(one.get(f"{MATCHES}/{match_id}/legal-actions"), 200)
    for action in [*listed["actions"]] * 5:
        found = ask(one, match_id, last, action)
        assert (found["refused"], found["rules"]) == (None, {})
        assert set(found) == {"match", "index", "viewer", "actor", "refused", "rules"}
    assert hall.installation.log.last_position() == stored
    assert hall.installation.refusals.counts(match_id) == {}
    hall.play_one([one], match_id)
    verified = good(one.get(f"{MATCHES}/{match_id}/verification", **{"as": "P1"}), 200)
    assert verified["overall"] == "partial"


def test_what_is_asked_for_counts_as_a_refusal(hall: Hall, table: Table) -> None:
    one, two, match_id = table
    last = version_of(one, match_id)
    for _ in range(REFUSALS_MAX - 1):
        ask(two, match_id, last, END_PHASE)
    refused(two.post(f"{MATCHES}/{match_id}/actions", {"action": END_PHASE}), 422, "rule")
    assert hall.installation.refusals.counts(match_id) == {"P2": REFUSALS_MAX}
    refused(two.post(path_of(match_id, last), {"action": END_PHASE}), 429, "too-many")
    refused(two.post(f"{MATCHES}/{match_id}/actions", {"action": END_PHASE}), 429, "too-many")
    assert ask(one, match_id, last, {"type": CONCEDE})["refused"] is None


def test_a_judge_asks_for_anybody_anywhere(hall: Hall, table: Table) -> None:
    one, _, match_id = table
    last = version_of(one, match_id)
    judge = hall.person("Judge", "judge", place=place_of_match(match_id))
    sent = {"action": END_PHASE, "actor": "P2"}
    refused(judge.post(path_of(match_id, last), sent), 403, "forbidden")
    good(judge.post(f"{MATCHES}/{match_id}/inspections", BECAUSE))
    for index in range(last + 1):
        found = ask(judge, match_id, index, END_PHASE, actor="P2")
        assert (found["viewer"], found["index"]) == ("judge", index)
        assert found["refused"]["rule"] in found["rules"]
    for actor in ("system", "P9", "x" * 64):
        assert ask(judge, match_id, last, END_PHASE, actor=actor)["refused"] is not None
    refused(judge.post(path_of(match_id, last), {"action": END_PHASE}), 422, "invalid")
    refused(judge.post(path_of(match_id, last + 1), sent), 404, "not-found")
    assert ask(judge, match_id, last, {"type": CONCEDE}, actor="P2")["refused"] is None
    assert hall.installation.refusals.counts(match_id) == {}


def test_as_with_play_the_match_has_to_go_on(hall: Hall, table: Table) -> None:
    one, _, match_id = table
    judge = judge_of(hall, match_id)
    good(judge.post(f"{MATCHES}/{match_id}/hold", BECAUSE))
    last = version_of(one, match_id)
    refused(one.post(path_of(match_id, last), {"action": END_PHASE}), 409, "held")
    good(judge.post(f"{MATCHES}/{match_id}/release", {}))
    good(one.post(f"{MATCHES}/{match_id}/actions", {"action": {"type": CONCEDE}}))
    last = version_of(one, match_id)
    assert ask(hall.anybody, match_id, last, END_PHASE, actor="P1")["viewer"] == "judge"
    assert ask(one, match_id, last, END_PHASE)["refused"]["rule"] == "HS-104"
    opened = hall.open(one, {"P1": one.person, "P2": "open"})
    refused(one.post(path_of(opened, 1), {"action": END_PHASE}), 409, "conflict")


def test_after_a_closed_end_a_seat_has_nothing_to_ask(hall: Hall) -> None:
    one, two = hall.person("One"), hall.person("Two")
    match_id = hall.begin("formation", [one, two], policy={"after_end": "seats"})
    good(one.post(f"{MATCHES}/{match_id}/actions", {"action": {"type": CONCEDE}}))
    last = version_of(one, match_id)
    refused(one.post(path_of(match_id, last), {"action": END_PHASE}), 409, "closed")
    refused(hall.anybody.post(path_of(match_id, last), {"action": END_PHASE}), 403, "forbidden")


# What may come, and what never comes out.


def test_no_explanation_names_what_its_viewer_may_not_see(planted: Planted) -> None:
    """Of no event, in no language; and how much the other seat could have done is told nowhere."""
    last = version_of(planted.one, planted.match_id)
    for seq in range(1, last + 1):
        for who in (planted.one, planted.hall.anybody):
            answer = who.get(path_of(planted.match_id, seq), lang=("ja", "en")[seq % 2])
            body = good(answer, 200)
            assert secrets_in(answer) == set(), seq
            assert texts_in(answer).isdisjoint(planted.hidden), seq
            is_own = body["event"]["actor"] == "P1" and who is planted.one
            assert (body["alternatives"] is not None) == (
                is_own and body["event"]["type"] == "action_played"
            )
    own = planted.two.get(path_of(planted.match_id, last))
    assert good(own, 200)["viewer"] == "P2"
    assert any(
        secrets_in(planted.two.get(path_of(planted.match_id, seq))) for seq in range(1, last + 1)
    )


@QUICK
@given(data=st.data())
def test_any_json_may_be_asked_about(
    hall: Hall, running: tuple[Caller, dict[str, str]], data: st.DataObject
) -> None:
    """Asking is answered as playing would be: refused for the same rule, or accepted."""
    one, matches = running
    game = data.draw(st.sampled_from(CATALOGUE.names()))
    names = sorted(CATALOGUE.game(game).display["actions"].keys() - {CONCEDE})
    fields = st.dictionaries(st.text(max_size=6), ANYTHING, max_size=3)
    action = data.draw(
        ANYTHING
        | st.tuples(st.sampled_from(names), fields).map(lambda two: {**two[1], "type": two[0]})
    )
    hall.installation.refusals.forget("9999")
    log = hall.installation.log
    last, stored = log.version_of(matches[game]), log.last_position()
    answer = one.post(path_of(matches[game], last), {"action": action})
    assert log.last_position() == stored
    played = one.post(f"{MATCHES}/{matches[game]}/actions", {"action": action})
    if answer.status_code != 200:
        assert answer.status_code == played.status_code
        assert answer.get_json()["type"] == played.get_json()["type"]
        return
    told = answer.get_json()["refused"]
    assert (told is None) == (played.status_code == 201)
    if told is not None:
        wrong = played.get_json()
        assert told == {"rule": wrong["rule"], "reason": wrong["reason"]}
