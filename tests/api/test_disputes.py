"""Disputes over HTTP: who may know of them, what is told to whom, and who may not judge."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from service.aggregates.access import place_of_match
from service.engine.values import Json
from service.installation import Installation, open_installation
from service.store.databases import migrate
from tests.api.tables import Caller, good, refused
from tests.api.test_judging import Court, court_of, last_action
from tests.conftest import settings_in

CLAIM, PRIVATE, OPEN = "claimed-words", "words-for-judges", "words-for-both"


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    folder = tmp_path_factory.mktemp("disputes")
    migrate(settings_in(folder).database_url)
    made = open_installation(settings_in(folder))
    yield made
    made.close()


def disputed(installation: Installation, **more: Json) -> tuple[Court, str]:
    """Return a running match with a dispute by P2, who told the judges something more."""
    court = court_of(installation, "hi-story", **more)
    dispute = court.dispute(court.players[1], last_action(court)["seq"], CLAIM)
    for text, audience in ((PRIVATE, "judges"), (OPEN, "parties")):
        body = {"text": text, "audience": audience}
        good(court.players[1].post(f"/api/v1/disputes/{dispute}/comments", body))
    return court, dispute


def told_to(caller: Caller, court: Court, dispute: str) -> set[str]:
    """Return which of the texts a caller reads anywhere."""
    paths = (
        f"/api/v1/disputes/{dispute}",
        f"{court.path}/disputes",
        f"{court.path}/events",
        f"{court.path}/export",
    )
    answers = [*map(caller.get, paths), caller.get("/api/v1/disputes", match=court.match)]
    read = "".join(answer.get_data(as_text=True) for answer in answers)
    return {text for text in (CLAIM, PRIVATE, OPEN) if text in read}


def test_a_dispute_of_a_running_match_is_for_its_seats_and_judges(here: Installation) -> None:
    court, dispute = disputed(here)
    one, two = court.players
    assert told_to(two, court, dispute) == {CLAIM, PRIVATE, OPEN}
    assert told_to(court.judge, court, dispute) == {CLAIM, PRIVATE, OPEN}
    assert told_to(one, court, dispute) == {CLAIM, OPEN}
    stranger, anybody = court.hall.person("Stranger"), court.hall.anybody
    for caller in (stranger, anybody):
        assert told_to(caller, court, dispute) == set()
        refused(caller.get(f"/api/v1/disputes/{dispute}"), 404, "not-found")
        refused(caller.get(f"{court.path}/disputes"), 404, "not-found")
        refused(
            caller.post(f"/api/v1/disputes/{dispute}/comments", {"text": "x"}), 404, "not-found"
        )
        listed = good(caller.get("/api/v1/disputes", match=court.match), 200)
        assert listed == {"items": [], "next": None}


@pytest.mark.parametrize(("after_end", "told"), [("all", {CLAIM, OPEN}), ("seats", set())])
def test_after_the_end_texts_are_told_where_nothing_is_hidden(
    here: Installation, after_end: str, told: set[str]
) -> None:
    court, dispute = disputed(here, policy={"after_end": after_end})
    good(court.rule(court.head, dispute, kind="no_action", text={"en": "As played."}))
    good(court.players[0].post(f"{court.path}/actions", {"action": {"type": "concede"}}))
    anybody = court.hall.anybody
    assert told_to(anybody, court, dispute) == told
    shown = good(anybody.get(f"/api/v1/disputes/{dispute}"), 200)
    assert (shown["state"], shown["given"][0]["text"]) == ("final", "As played.")
    found = good(anybody.get("/api/v1/rulings", match=court.match), 200)["items"]
    assert [one["id"] for one in found] == [f"{dispute}.1"]
    assert good(anybody.get(f"/api/v1/rulings/{dispute}.1"), 200)["standing"] == "in_force"


def test_what_a_backup_cost_in_secrets_is_for_judges_until_the_end(here: Installation) -> None:
    court, dispute = disputed(here)
    to = last_action(court)["seq"] - 1
    good(court.rule(court.head, dispute, kind="full_backup", to=to))

    def learned(caller: Caller) -> Json:
        given = good(caller.get(f"/api/v1/disputes/{dispute}"), 200)["given"]
        return given[0]["remedy"]["cost"]["learned"]

    assert learned(court.players[0]) is None
    assert learned(court.judge) is not None
    refused(court.players[0].get(f"{court.path}/backup-cost", to=to), 403, "forbidden")


def test_a_dispute_is_about_the_event_that_was_seen(here: Installation) -> None:
    court = court_of(here, "hi-story")
    event, two = last_action(court), court.players[1]
    body = {"seq": event["seq"], "hash": event["hash"], "claim": "no"}
    refused(two.post(f"{court.path}/disputes", {**body, "hash": "ab" * 32}), 409, "conflict")
    refused(two.post(f"{court.path}/disputes", {**body, "seq": 10_000}), 422, "invalid")
    unknown = refused(
        two.post(f"{court.path}/disputes", {**body, "rules": ["HS-000"]}), 422, "invalid"
    )
    assert list(unknown["errors"]) == ["rules.0"]
    stranger = court.hall.person("Stranger")
    refused(stranger.post(f"{court.path}/disputes", body), 403, "forbidden")
    first = good(two.post(f"{court.path}/disputes", body, key="k1"))
    assert good(two.post(f"{court.path}/disputes", body, key="k1")) == first
    refused(
        two.post(f"{court.path}/disputes", {**body, "claim": "other"}, key="k1"),
        422,
        "idempotency-key-reused",
    )
    listed = good(two.get(f"{court.path}/disputes"), 200)["items"]
    assert [one["id"] for one in listed] == [first["id"]]


def test_who_plays_does_not_judge(here: Installation) -> None:
    court = court_of(here, "hi-story")
    hall, one = court.hall, court.players[0]
    playing = hall.person("Playing judge", "judge", "head_judge")
    match = hall.begin("hi-story", (playing, one))
    hall.play((playing, one), match, 4)
    other = Court(
        hall=hall, match=match, players=(playing, one), judge=court.judge, head=court.head
    )
    dispute = other.dispute(one, last_action(other)["seq"])
    refused(other.rule(playing, dispute, kind="no_action"), 403, "forbidden")
    refused(playing.post(f"/api/v1/disputes/{dispute}/assignment", {}), 403, "forbidden")
    refused(playing.post(f"{other.path}/inspections", {"reason": "x"}), 403, "forbidden")
    refused(playing.get(f"{other.path}/backup-cost"), 403, "forbidden")
    named = {"judge": playing.person}
    refused(other.judge.post(f"/api/v1/disputes/{dispute}/assignment", named), 422, "invalid")
    what_if = {"match": match, "at": 7, "actions": []}
    for caller in (playing, one):
        path = "/api/v1/rulesets/hi-story/adjudications"
        refused(caller.post(path, what_if), 403, "forbidden")


def test_two_judges_at_once_rule_once(here: Installation) -> None:
    court, dispute = disputed(here)
    version = good(court.judge.get(f"/api/v1/disputes/{dispute}"), 200)["version"]
    seen = {"kind": "no_action", "expected_version": version}
    good(court.rule(court.judge, dispute, **seen))
    refused(court.rule(court.head, dispute, **seen), 409, "conflict")
    refused(court.rule(court.head, dispute, kind="no_action"), 409, "conflict")


def test_a_fix_that_does_not_fit_leaves_nothing_behind(here: Installation) -> None:
    court, dispute = disputed(here)
    before = court.shown(court.judge)
    bad = [{"fact": "card_summoned", "rules": ["HS-302"], "player": "P1", "card": "zz", "field": 1}]
    answer = court.rule(court.judge, dispute, kind="partial_fix", facts=bad)
    assert list(refused(answer, 422, "invalid")["errors"]) == ["facts.0"]
    assert court.shown(court.judge) == before
    assert good(court.judge.get(f"/api/v1/disputes/{dispute}"), 200)["given"] == []
    fixed = good(court.rule(court.judge, dispute, kind="partial_fix", shuffles=["P2.deck"]))
    event = court.events(court.judge)[fixed["given"][0]["remedy"]["event"] - 1]
    assert (event["type"], event["draws"]) == ("corrected", [None])


def test_agreed_facts_are_reviewed_by_a_judge(here: Installation) -> None:
    court = court_of(here, "hi-story")
    facts = [{"fact": "hand_settled", "player": "P1", "rules": ["HS-212"]}]
    one, two = court.players
    good(one.post(f"{court.path}/proposals", {"facts": facts, "reason": "a real card"}))
    proposed = court.shown(one)["proposal"]
    good(two.post(f"{court.path}/proposals/answers", {"proposed": proposed, "accepted": True}))
    (waiting,) = court.shown(one)["unreviewed"]
    review = {"corrected": waiting, "approved": True, "reason": "as the card says"}
    refused(one.post(f"{court.path}/reviews", review), 403, "forbidden")
    good(court.judge.post(f"{court.path}/reviews", review))
    assert court.shown(one)["unreviewed"] == []
    refused(court.judge.post(f"{court.path}/reviews", review), 404, "not-found")


def test_a_judge_of_one_match_is_none_of_another(here: Installation) -> None:
    court, dispute = disputed(here)
    elsewhere = court.hall.person("J", "judge", place=place_of_match("another"))
    refused(elsewhere.get(f"/api/v1/disputes/{dispute}"), 404, "not-found")
    own = court.hall.person("J", "judge", place=place_of_match(court.match))
    good(own.post(f"/api/v1/disputes/{dispute}/assignment", {}))
    publisher = {"kind": "no_action", "authority": "publisher"}
    refused(court.rule(own, dispute, **publisher), 403, "forbidden")
    assert good(court.rule(court.head, dispute, **publisher))["state"] == "final"


def test_a_held_match_goes_on_when_the_judge_says_so(here: Installation) -> None:
    court, dispute = disputed(here)
    good(court.judge.post(f"{court.path}/hold", {"reason": "a dispute"}))
    good(court.rule(court.judge, dispute, kind="no_action", release=True))
    assert court.shown(court.judge)["state"] == "running"
    good(court.judge.post(f"/api/v1/disputes/{dispute}/finalization", {}))
    refused(
        court.players[1].post(f"/api/v1/disputes/{dispute}/comments", {"text": "x"}), 409, "closed"
    )
