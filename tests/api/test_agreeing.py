"""Facts on which the seats agree: proposed, answered, folded, shown and verified."""

from __future__ import annotations

from typing import Any

import pytest

from service.cli.logs import plain_values
from service.engine.draws import Draws, KeyedSource
from service.engine.play import perform, written
from service.engine.templates import CONCEDE, instance
from service.engine.values import Fact, Json
from service.offline import verify_lines
from tests.api.tables import MATCHES, Caller, Hall, good, refused
from tests.conftest import CATALOGUE

WHY = "the card says so: 効果未実装"


@pytest.fixture(params=CATALOGUE.names())
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def facts_that_fit(hall: Hall, match_id: str) -> list[Fact]:
    """Return what a legal action would bring about: facts that are sound at this position."""
    match = hall.installation.log.match(match_id)
    ruleset = hall.installation.pool_of(match.opened).ruleset
    for actor, entries in ruleset.legal_actions(match.position).items():
        for entry in entries:
            if entry["type"] != CONCEDE:
                action = written(ruleset, instance(entry, lambda _: 0))
                draws = Draws(KeyedSource(bytes(32), {}))
                record = perform(ruleset, match.position, actor, action, draws)
                facts: list[Fact] = getattr(record, "facts", [])
                if facts:
                    return facts
    raise AssertionError("some action is legal")


def facts_that_do_not_fit(hall: Hall, match_id: str) -> list[Fact]:
    """Return facts in the words of the game about a card that is not there."""
    fit = facts_that_fit(hall, match_id)
    return [{"fact": fact["fact"], "rules": fact["rules"], "player": "P9"} for fact in fit]


def proposal(facts: Json, **more: Json) -> dict[str, Json]:
    return {"facts": facts, "reason": WHY, **more}


def events_for(one: Caller, path: str, viewer: str) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = good(one.get(f"{path}/events", **{"as": viewer}), 200)["items"]
    return items


@pytest.fixture
def table(hall: Hall, game: str) -> tuple[Hall, Caller, Caller, str]:
    one, two = hall.person("One"), hall.person("Two")
    return hall, one, two, hall.begin(game, [one, two])


Table = tuple[Hall, Caller, Caller, str]


def test_accepted_facts_are_folded_and_verified(table: Table) -> None:
    hall, one, two, match_id = table
    path = f"{MATCHES}/{match_id}"
    facts = facts_that_fit(hall, match_id)
    proposed = good(one.post(f"{path}/proposals", proposal(facts)))
    seq = proposed["version"]
    assert good(hall.anybody.get(path), 200)["proposal"] == seq
    for viewer, caller, is_shown in (
        ("P1", one, True),
        ("P2", two, True),
        ("spectator", hall.anybody, False),
    ):
        content = events_for(caller, path, viewer)[-1]["content"]
        assert (content["facts"] is not None, content["reason"] == WHY) == (is_shown, is_shown)
    refused(two.post(f"{path}/proposals", proposal(facts)), 409, "conflict")
    answer: dict[str, Json] = {"proposed": seq, "accepted": True}
    refused(one.post(f"{path}/proposals/answers", answer), 409, "conflict")
    for wrong in (seq - 1, seq + 1):
        body = {"proposed": wrong, "accepted": True}
        refused(two.post(f"{path}/proposals/answers", body), 404, "not-found")
    for accepted in ("true", 1, 0, None, "yes"):
        body = {"proposed": seq, "accepted": accepted}
        refused(two.post(f"{path}/proposals/answers", body), 422, "invalid")
    saved = good(two.post(f"{path}/proposals/answers", answer))
    types = [event["type"] for event in saved["events"]]
    assert types[:2] == ["proposal_answered", "corrected"]
    corrected = events_for(hall.anybody, path, "spectator")[seq + 1]
    assert corrected["type"] == "corrected"
    assert len(corrected["facts"]) == len(facts)
    assert corrected["action"] is None
    assert good(hall.anybody.get(path), 200)["proposal"] is None
    refused(two.post(f"{path}/proposals/answers", answer), 404, "not-found")
    for _ in range(2):
        hall.play_one([one, two], match_id)
    for who, winner in ((one, "draw"), (two, "draw")):
        good(who.post(f"{path}/end-offers", {"winner": winner}))
    file = hall.anybody.get(f"{path}/export", **{"as": "judge"}).get_data()
    report = verify_lines(hall.installation.catalogue, file.splitlines(keepends=True))
    assert report.overall == "exact"
    assert "corrections that people made: 1 agreed" in report.checks["legal"].text
    with pytest.raises(ValueError, match="corrections"):
        list(plain_values(hall.installation, hall.installation.log.match(match_id)))


def test_declined_facts_change_nothing(table: Table) -> None:
    hall, one, two, match_id = table
    path = f"{MATCHES}/{match_id}"
    facts = facts_that_fit(hall, match_id)
    before = hall.installation.log.match(match_id).position
    for who in (two, one):
        seq = good(one.post(f"{path}/proposals", proposal(facts)))["version"]
        body = {"proposed": seq, "accepted": False}
        good(who.post(f"{path}/proposals/answers", body))
        assert hall.installation.log.match(match_id).position == before
        assert good(hall.anybody.get(path), 200)["proposal"] is None
        refused(two.post(f"{path}/proposals/answers", body), 404, "not-found")


def test_facts_that_do_not_fit_are_told_when_all_agree(table: Table) -> None:
    hall, one, two, match_id = table
    path = f"{MATCHES}/{match_id}"
    seq = good(one.post(f"{path}/proposals", proposal(facts_that_do_not_fit(hall, match_id))))[
        "version"
    ]
    answer: dict[str, Json] = {"proposed": seq, "accepted": True}
    for _ in range(2):
        body = refused(two.post(f"{path}/proposals/answers", answer), 422, "invalid")
        (texts,) = body["errors"].values()
        assert texts == ["does not fit the position"], "more could tell where a card lies"
        assert hall.installation.log.version_of(match_id) == seq
    good(two.post(f"{path}/proposals/answers", {"proposed": seq, "accepted": False}))


def test_an_action_takes_a_proposal_back(table: Table) -> None:
    hall, one, two, match_id = table
    path = f"{MATCHES}/{match_id}"
    seq = good(one.post(f"{path}/proposals", proposal(facts_that_fit(hall, match_id))))["version"]
    hall.play_one([one, two], match_id)
    answer: dict[str, Json] = {"proposed": seq, "accepted": True}
    refused(two.post(f"{path}/proposals/answers", answer), 404, "not-found")


def test_words_that_the_game_has_not_are_refused_with_their_place(table: Table) -> None:
    hall, one, _, match_id = table
    path = f"{MATCHES}/{match_id}/proposals"
    fit = facts_that_fit(hall, match_id)[0]
    version = hall.installation.log.version_of(match_id)
    for body, place in (
        (proposal([]), "facts"),
        (proposal(None), "facts"),
        (proposal({}), "facts"),
        (proposal([fit, 1]), "facts.1"),
        (proposal([fit, {**fit, "fact": "no such fact"}]), "facts.1.fact"),
        (proposal([{**fit, "rules": ["ZZ-999"]}]), "facts.0.rules"),
        (proposal([{**fit, "rules": []}]), "facts.0.rules"),
        ({"facts": [fit]}, "reason"),
        (proposal([fit]) | {"reason": ""}, "reason"),
        (proposal([fit]) | {"reason": "x" * 10_001}, "reason"),
        (proposal([fit], seat="P2"), "seat"),
        (proposal([fit], by="P2"), "by"),
    ):
        assert list(refused(one.post(path, body), 422, "invalid")["errors"]) == [place]
    refused(hall.person("Stranger").post(path, proposal([fit])), 403, "forbidden")
    assert hall.installation.log.version_of(match_id) == version
