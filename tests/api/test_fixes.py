"""Partial fixes beforehand: what a judge would give in words, and what he is offered."""

from __future__ import annotations

import random
from typing import Any

import pytest

from service.engine.templates import CHOOSE, instance
from service.engine.values import Json
from service.installation import Installation
from tests.api.tables import good, refused
from tests.api.test_judging import Court, court_of, last_action
from tests.conftest import CATALOGUE

BECAUSE = {"reason": "a dispute"}


def asked(court: Court, **body: Json) -> Any:
    return good(court.judge.post(f"{court.path}/fixes", body, lang="en"), 200)


@pytest.mark.parametrize("game", CATALOGUE.names())
def test_a_judge_is_offered_facts_in_words_and_orders_them(
    installation: Installation, game: str
) -> None:
    court, chance = court_of(installation, game), random.Random(5)
    good(court.judge.post(f"{court.path}/inspections", BECAUSE))
    offered = asked(court)
    assert (offered["told"], offered["fault"]) == ([], None)
    assert offered["items"]
    for item in offered["items"]:
        check_item(item)
    facts: list[Json] = [
        instance(chance.choice(item["entries"]), chance.randrange) for item in offered["items"]
    ]
    facts = [fact for fact in facts if asked(court, facts=[fact])["fault"] is None][:1]
    pile = offered["shuffles"][0]["name"]
    found = asked(court, facts=facts, shuffles=[pile])
    assert [one["fact"] for one in found["told"]][:-1] == facts
    assert found["told"][-1]["text"] == offered["shuffles"][0]["text"]
    assert not any("?" in one["text"] or "…" in one["text"] for one in found["told"])
    dispute = court.dispute(court.players[1], last_action(court)["seq"])
    fixing = {"kind": "partial_fix", "facts": facts, "shuffles": [pile]}
    good(court.rule(court.judge, dispute, **fixing))
    events = court.events(court.judge, "judge")
    corrected = [one for one in events if one["type"] == "corrected"][-1]
    told = [one["text"] for one in corrected["facts"]]
    assert len(told) == len(found["told"])


def check_item(item: Json) -> None:
    """Every value that may be chosen has its words."""
    assert all(one["text"] for field in item["fields"] for one in field["values"])
    known = {field["name"]: [one["value"] for one in field["values"]] for field in item["fields"]}
    for entry in item["entries"]:
        for name, values in known.items():
            chosen = entry[CHOOSE][name]["from"] if name in entry.get(CHOOSE, {}) else [entry[name]]
            assert all(value in values for value in chosen)


def test_a_fall_asks_for_a_line_that_closes(installation: Installation) -> None:
    court = court_of(installation, "formation", played=12)
    good(court.judge.post(f"{court.path}/inspections", BECAUSE))
    items = {one["fact"]: one for one in asked(court)["items"]}
    fallen = items["unit_fell"]["entries"][0]
    found = asked(court, facts=[fallen])
    assert "vacated square" in found["fault"]
    closing = {one["fact"]: one for one in found["items"]}["ranks_closed"]["entries"][0]
    assert asked(court, facts=[fallen, closing])["fault"] is None


def test_it_is_for_judges_who_look_into_the_match(installation: Installation) -> None:
    court = court_of(installation, "hi-story")
    path = f"{court.path}/fixes"
    refused(court.players[0].post(path, {}), 403, "forbidden")
    refused(court.judge.post(path, {}), 403, "forbidden")
    good(court.judge.post(f"{court.path}/inspections", BECAUSE))
    unknown = {"facts": [{"fact": "no such", "rules": ["HS-101"]}]}
    found = refused(court.judge.post(path, unknown), 422, "invalid")
    assert list(found["errors"]) == ["facts.0.fact"]
    found = refused(court.judge.post(path, {"shuffles": ["P1.hand"]}), 422, "invalid")
    assert list(found["errors"]) == ["shuffles.0"]
    good(court.players[0].post(f"{court.path}/actions", {"action": {"type": "concede"}}))
    good(court.judge.post(f"{court.path}/inspections", BECAUSE))
    refused(court.judge.post(path, {}), 409, "closed")
