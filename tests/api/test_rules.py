"""The rulebook over HTTP: rules of any edition, what two say differently, what cites a rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service.aggregates.events import VisibilitySet
from service.commands.editions import withdraw_edition
from service.engine.rulebook import has_changed
from service.engine.values import Json
from service.installation import Installation, clock, open_installation
from service.store.databases import migrate
from tests.api.planted import Planted, planted_match, secrets_in
from tests.api.tables import MATCHES, Caller, Hall, good, hall_of, refused
from tests.conftest import CATALOGUE, import_log, log_of, settings_in
from tests.later_seeds import (
    CHANGED,
    GONE,
    NEW,
    REWORDED,
    later_seeds,
    with_other_meaning,
    with_other_words,
)

RULES, HI_STORY = "/api/v1/rules", "/api/v1/rulesets/hi-story"


@dataclass(frozen=True, slots=True, kw_only=True)
class Editions:
    """An installation whose games have gone on. match_id: played under the first edition."""

    hall: Hall
    match_id: str
    events: Json

    def get(self, path: str, **query: Json) -> Any:
        return good(self.hall.anybody.get(path, **query), 200)


@pytest.fixture(scope="module")
def editions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editions]:
    """Return what is there after edition 1, its revision 1.1, and edition 2."""
    folder = tmp_path_factory.mktemp("editions")
    first_settings = settings_in(folder)
    migrate(first_settings.database_url)
    first = open_installation(first_settings)
    match_id = import_log(first, log_of("hi-story"))
    events = events_of(hall_of(first), match_id)
    first.close()
    second = replace(first_settings, seeds=later_seeds(folder / "2", with_other_words))
    opened = open_installation(second)
    opened.register_editions()
    opened.close()
    third = replace(first_settings, seeds=later_seeds(folder / "3", with_other_meaning))
    display = third.seeds / "hi-story" / "display.yaml"
    display.write_text(display.read_text().replace("{card:card}を", "《{card:card}》を"))
    here = open_installation(third)
    here.register_editions()
    yield Editions(hall=hall_of(here), match_id=match_id, events=events)
    here.close()


def events_of(hall: Hall, match_id: str) -> Json:
    return good(hall.anybody.get(f"{MATCHES}/{match_id}/events", to=50), 200)


# Rules and editions.


def test_a_rule_leads_on(client: FlaskClient, match_id: str) -> None:
    body = client.get(f"{RULES}/HS-312").get_json()
    assert (body["term_en"], body["term_ja"], body["game"]) == ("Summon", "召喚", "hi-story")
    assert (body["edition"], body["newer"], body["withdrawn"]) == ("hi-story@1", None, None)
    assert {"id": "HS-222", "term_ja": "召喚酔い", "term_en": "Summoning sickness"} in body["see"]
    assert "HS-302" in {rule["id"] for rule in body["seen_by"]}
    assert {one["id"] for one in body["examples"]} >= {"HS-E035", "HS-E039"}
    (link,) = body["links"]["en"]
    assert body["text_en"][link["start"] : link["end"]] == "rank"
    assert body["occurrences"] == {
        "count": 1,
        "capped": False,
        "url": "/api/v1/rules/HS-312/occurrences",
    }
    assert body["rulings"] == "/api/v1/rulings?rule=HS-312"


def test_an_assumption_is_shown_as_such(client: FlaskClient) -> None:
    body = client.get(f"{RULES}/HS-901").get_json()
    assert body["kind"] == "assumption"
    assert body["question"]
    assert body["answer"]
    assert body["why"]


@pytest.mark.parametrize("game", CATALOGUE.names())
def test_all_rules_of_a_game_in_pages(client: FlaskClient, game: str) -> None:
    path, found, query = f"/api/v1/rulesets/{game}/rules", [], {"limit": 60}
    while True:
        page = client.get(path, query_string=query).get_json()
        found += [rule["id"] for rule in page["items"]]
        if page["next"] is None:
            break
        query["after"] = page["next"]
    assert found == list(CATALOGUE.game(game).rules)


def test_rules_are_filtered(client: FlaskClient) -> None:
    def ids(**query: Json) -> list[str]:
        body = client.get(f"{HI_STORY}/rules", query_string={"limit": 500, **query}).get_json()
        return [rule["id"] for rule in body["items"]]

    rules = CATALOGUE.game("hi-story").rules
    kinds = [rule for rule, entry in rules.items() if entry["kind"] == "visibility"]
    assert ids(kind="visibility") == kinds
    assert "HS-312" in ids(topic="召喚")
    assert ids(topic="nothing") == []
    assert ids(edition="1") == ids(edition="hi-story@1") == list(rules)
    for query in ({"kind": "x"}, {"edition": "x"}, {"limit": 0}, {"after": "x"}, {"game": "x"}):
        refused(client.get(f"{HI_STORY}/rules", query_string=query), 422, "invalid")
    for edition in ("2", "1.1", "hagmi@1"):
        path = f"{HI_STORY}/rules?edition={edition}"
        refused(client.get(path), 404, "not-found")
    refused(client.get("/api/v1/rulesets/chess/rules"), 404, "not-found")


def test_a_rule_of_each_edition(editions: Editions) -> None:
    texts = {
        name: editions.get(f"{RULES}/{REWORDED}{name}")
        for name in ("", "@1", "@hi-story@1.1", "@2", "@hi-story@2")
    }
    assert texts[""] == texts["@2"] | {"occurrences": texts[""]["occurrences"]}
    named = {name: (body["edition"], body["newer"]) for name, body in texts.items()}
    assert named["@1"] == ("hi-story@1", "hi-story@2")
    assert named["@hi-story@1.1"] == ("hi-story@1.1", "hi-story@2")
    assert named[""] == named["@hi-story@2"] == ("hi-story@2", None)
    assert texts["@hi-story@1.1"]["text_ja"] == "言いかえた文。"
    assert texts["@1"]["term_en"] != texts[""]["term_en"] == "Whose turn it is"
    same = editions.get(f"{RULES}/HS-101@1")
    assert (same["edition"], same["newer"]) == ("hi-story@1", None)


def test_a_rule_that_is_gone_is_there_in_its_edition(editions: Editions) -> None:
    anybody = editions.hall.anybody
    refused(anybody.get(f"{RULES}/{GONE}"), 404, "not-found")
    assert editions.get(f"{RULES}/{GONE}@1")["newer"] == "hi-story@2"
    assert editions.get(f"{RULES}/{NEW}")["see"][0]["id"] == CHANGED
    refused(anybody.get(f"{RULES}/{NEW}@1"), 404, "not-found")
    body = editions.get(f"{HI_STORY}/rules", edition="1.1", limit=1)
    assert (body["edition"], body["newer"]) == ("hi-story@1.1", "hi-story@2")


def test_what_two_editions_say_differently(editions: Editions) -> None:
    body = editions.get(f"{HI_STORY}/rules/diff", **{"from": "hi-story@1", "to": "2"})
    ids = {
        name: [change["id"] for change in body[name]]
        for name in ("added", "removed", "meaning", "wording")
    }
    assert ids["added"] == [NEW]
    assert ids["removed"] == [GONE]
    assert ids["meaning"] == [CHANGED]
    assert REWORDED in ids["wording"]
    (change,) = body["meaning"]
    assert change["after"]["text_en"] == "Summon as you like."
    assert change["before"]["text_en"] == CATALOGUE.game("hi-story").rules[CHANGED]["text_en"]
    assert (body["added"][0]["before"], body["removed"][0]["after"]) == (None, None)
    assert (body["engine"], body["cards"], body["display"]) == (False, False, True)
    assert body["matches"] == {
        "items": [{"match": editions.match_id, "rules": [CHANGED]}],
        "count": 1,
        "capped": False,
    }


def test_other_words_affect_no_match(editions: Editions) -> None:
    body = editions.get(f"{HI_STORY}/rules/diff", **{"from": "1", "to": "1.1"})
    assert [change["id"] for change in body["wording"]] == [REWORDED]
    assert (body["meaning"], body["removed"], body["matches"]["count"]) == ([], [], 0)
    back = editions.get(f"{HI_STORY}/rules/diff", **{"from": "2", "to": "1"})
    assert (back["meaning"][0]["id"], back["matches"]["count"]) == (CHANGED, 0)
    anybody = editions.hall.anybody
    for query in ({"from": "1"}, {"from": "1", "to": "x"}, {}):
        refused(anybody.get(f"{HI_STORY}/rules/diff", **query), 422, "invalid")
    for other in ("3", "hagmi@1"):
        answer = anybody.get(f"{HI_STORY}/rules/diff", **{"from": "1", "to": other})
        refused(answer, 404, "not-found")


def test_a_match_keeps_the_words_of_its_edition(editions: Editions) -> None:
    assert events_of(editions.hall, editions.match_id) == editions.events
    here = editions.hall.installation
    words = here.catalogue.game("hi-story").sample.words
    old = here.pool_of(here.log.match(editions.match_id).opened).words
    assert old.display["facts"] != words.display["facts"]
    assert old.terms[GONE]
    assert old.terms[REWORDED] != words.terms[REWORDED]


def test_rules_by_the_name_of_an_edition(editions: Editions) -> None:
    books = editions.hall.installation.rulebooks
    old, new = books.rules_of("hi-story@1+0a1b2c3d4e5f"), books.rules_of("hi-story@2")
    assert books.rules_of("hi-story@1") is old
    assert has_changed(CHANGED, old, new)
    assert has_changed(GONE, old, new)
    assert not has_changed(REWORDED, old, new)


def test_a_withdrawn_edition_can_be_read(installation: Installation, client: FlaskClient) -> None:
    import_log(installation, log_of("hi-story"))
    withdraw_edition(
        installation.log, "hi-story", 1, reason="a misprint", successor=None, now=clock()
    )
    said = {"reason": "a misprint", "successor": None}
    assert client.get(f"{RULES}/HS-312").get_json()["withdrawn"] == said
    assert client.get(f"{HI_STORY}/rules").get_json()["withdrawn"] == said
    assert client.get(f"{RULES}/HS-312/occurrences").get_json()["count"] == 1


HOSTILE = st.text(max_size=12) | st.from_regex(r"[A-Z]{2}-[0-9]{3}(@[a-z0-9@.+-]{0,12})?")


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(first=HOSTILE, second=HOSTILE)
def test_no_id_makes_a_bug(client: FlaskClient, first: str, second: str) -> None:
    for path in (
        f"{RULES}/{first}",
        f"{RULES}/{first}/occurrences",
        f"{HI_STORY}/examples/{first}",
    ):
        assert client.get(quoted(path)).status_code in (200, 308, 404, 405)
    for path, query in (
        (f"{HI_STORY}/rules", {"edition": first, "topic": second}),
        (f"{HI_STORY}/rules/diff", {"from": first, "to": second}),
        (f"{HI_STORY}/examples", {"rule": first}),
    ):
        assert client.get(path, query_string=query).status_code in (200, 404, 422)


def quoted(path: str) -> str:
    return quote(path, safe="/")


# Worked examples.


@pytest.mark.parametrize("game", CATALOGUE.names())
def test_examples_run(client: FlaskClient, game: str) -> None:
    path = f"/api/v1/rulesets/{game}/examples"
    ids = [one["id"] for one in client.get(path, query_string={"limit": 500}).get_json()["items"]]
    assert ids == list(CATALOGUE.examples(game))
    for example_id in ids[::24]:
        body = client.get(f"{path}/{example_id}", query_string={"lang": "en"}).get_json()
        assert (body["passed"], body["faults"]) == (True, [])
        assert body["edition"] == f"{game}@1"
        example = CATALOGUE.examples(game)[example_id]
        count = len(body["steps"]) + (body["rejected"] is not None)
        assert count == len(example["actions"]) or body["rejected"] is not None
        assert all(fact["text"] for step in body["steps"] for fact in step["facts"])


def test_an_example_tells_what_it_shows(client: FlaskClient) -> None:
    listed = client.get(f"{HI_STORY}/examples", query_string={"rule": "HS-623"}).get_json()
    assert "HS-E060" in [one["id"] for one in listed["items"]]
    assert all("HS-623" in one["rules"] for one in listed["items"])
    body = client.get(f"{HI_STORY}/examples/HS-E060", query_string={"lang": "ja"}).get_json()
    assert body["steps"][0]["position"] != body["position"]
    assert body["expect"] == CATALOGUE.examples("hi-story")["HS-E060"]["expect"]
    refused_one = client.get(f"{HI_STORY}/examples/HS-E039").get_json()
    assert refused_one["rejected"]["rule_url"] == f"{RULES}/{refused_one['rejected']['rule']}"
    refused(client.get(f"{HI_STORY}/examples/HS-E999"), 404, "not-found")
    refused(client.get("/api/v1/rulesets/chess/examples"), 404, "not-found")


# What cites a rule.


def occurrences(one: Caller, rule: str = "HS-312", **query: Json) -> Any:
    return good(one.get(f"{RULES}/{rule}/occurrences", **query), 200)


def test_occurrences_in_pages(hall: Hall) -> None:
    here = hall.installation
    ids = [import_log(here, log_of("hi-story", number)) for number in (1, 9)]
    first = occurrences(hall.anybody, limit=1)
    second = occurrences(hall.anybody, limit=1, after=first["next"])
    assert [one["match"] for one in first["items"] + second["items"]] == ids[::-1]
    assert (first["count"], first["capped"], second["next"]) == (2, False, None)
    for one in first["items"]:
        assert one["count"] == len(one["seqs"]) > 0
    assert occurrences(hall.anybody, "HS-312@1")["count"] == 2
    refused(hall.anybody.get(f"{RULES}/HS-301/occurrences", after=first["next"]), 422, "invalid")
    assert occurrences(hall.anybody, "HS-004") == {
        "rule": "HS-004",
        "items": [],
        "next": None,
        "count": 0,
        "capped": False,
    }


def test_only_who_may_know_of_a_match_learns_that_it_cites_a_rule(hall: Hall) -> None:
    here, match_id = hall.installation, import_log(hall.installation, log_of("hi-story"))
    hidden = VisibilitySet(visibility="participants", by="somebody", time=clock())
    here.log.append(match_id, here.log.match(match_id), [hidden])
    operator = hall.person("O", "operator")
    for one, count in ((hall.anybody, 0), (hall.person("S"), 0), (operator, 1)):
        found = occurrences(one)
        assert (len(found["items"]), found["count"]) == (count, count)
        told = good(one.get(f"{RULES}/HS-312"), 200)["occurrences"]
        assert told["count"] == count


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Planted]:
    folder = tmp_path_factory.mktemp("planted")
    migrate(settings_in(folder).database_url)
    made = planted_match(settings_in(folder), folder, policy={"delay_events": 6})
    yield made
    made.hall.installation.close()


def cited_in_events(one: Caller, path: str) -> dict[str, list[int]]:
    """Return rule → numbers of the events that a caller is shown as a spectator."""
    found: dict[str, list[int]] = {}
    for event in good(one.get(f"{path}/events", **{"as": "spectator"}), 200)["items"]:
        for rule in {rule for rule in CATALOGUE.game("hi-story").rules if cites(event, rule)}:
            found.setdefault(rule, []).append(event["seq"])
    return found


def cites(event: Json, rule: str) -> bool:
    return f"'{rule}'" in str([fact["fact"] for fact in event["facts"]])


def test_a_delay_holds_back_what_cites_a_rule(planted: Planted) -> None:
    """What anybody learns is what he sees of the match as a spectator, and no event more."""
    hall = planted.hall
    shown: dict[str, dict[str, list[int]]] = {}
    for name, one in (
        ("anybody", hall.anybody),
        ("stranger", hall.person("Stranger")),
        ("P1", planted.one),
        ("P2", planted.two),
    ):
        expected = shown[name] = cited_in_events(one, planted.path)
        for rule in [*expected, "HS-312", "HS-604", "HS-004"]:
            answer = one.get(f"{RULES}/{rule}/occurrences")
            found = good(answer, 200)
            seqs = {one["match"]: one["seqs"] for one in found["items"]}
            assert seqs.get(planted.match_id, []) == expected.get(rule, []), (name, rule)
            assert found["count"] == len(found["items"])
            assert secrets_in(answer) == set()
    assert shown["anybody"] == shown["stranger"]
    assert shown["P1"] == shown["P2"] != shown["anybody"]
