"""Bodies that want to break a match: refused with the place, and nothing is stored."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from service.aggregates.events import ActionPlayed
from service.api.routing import Route
from service.engine.values import Fact, Json
from service.installation import Installation
from service.store.databases import migrate
from tests.api.hostile import ANYTHING, CLAIMS, GOOD, POSTS, mixed, part_of
from tests.api.tables import MATCHES, Caller, Hall, hall_of
from tests.api.test_frame import UNREADABLE, WRONG
from tests.conftest import CATALOGUE, import_log, log_of, opened, settings_in

JSON = "application/json"
TEN_MIB = 10 * 2**20
quick = settings(max_examples=40, suppress_health_check=list(HealthCheck))


@dataclass(frozen=True, slots=True, kw_only=True)
class Arena:
    """A hall with a running match of each game, whoever plays them, and all offices in one."""

    hall: Hall
    one: Caller
    two: Caller
    staff: Caller
    running: dict[str, str]
    facts: dict[str, list[Fact]]

    def path(self, one: Route, game: str = "hi-story") -> str:
        return one.rule.replace("<match_id>", self.running[game])

    def good(self, one: Route) -> dict[str, Json]:
        """Return a body that the schema of a route takes."""
        text = json.dumps(GOOD[part_of(one)])
        marks = {"{one}": self.one.person, "{two}": self.two.person}
        for mark, value in marks.items():
            text = text.replace(mark, value)
        body: dict[str, Json] = json.loads(text)
        return body

    @property
    def stored(self) -> int:
        """The position of the last event of the log."""
        return self.hall.installation.log.last_position()

    def callers(self) -> tuple[Caller, ...]:
        return self.one, self.staff, self.hall.anybody


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    settings = settings_in(tmp_path_factory.mktemp("arena"))
    migrate(settings.database_url)
    hall = hall_of(opened(settings))
    hall.installation.register_editions()
    one, two = hall.person("One"), hall.person("Two")
    staff = hall.person("Staff", "operator", "organizer", "head_judge", "auditor")
    running = {game: hall.begin(game, [one, two]) for game in CATALOGUE.names()}
    for caller in (one, two, staff):
        caller.get("/api/v1/persons/me")
    facts = {game: facts_of(hall.installation, game) for game in running}
    yield Arena(hall=hall, one=one, two=two, staff=staff, running=running, facts=facts)
    hall.installation.close()


def facts_of(installation: Installation, game: str) -> list[Fact]:
    """Return the first fact of each kind in a recorded match."""
    found: dict[str, Fact] = {}
    match_id = import_log(installation, log_of(game))
    for event in installation.log.events_of(match_id, after=0, to=10_000):
        for fact in event.facts if isinstance(event, ActionPlayed) else []:
            found.setdefault(fact["fact"], fact)
    return list(found.values())


def name_of(one: Route) -> str:
    return part_of(one) or "matches"


def sent(one: Caller, path: str, body: bytes, content_type: str = JSON) -> TestResponse:
    return one.client.post(path, data=body, content_type=content_type, headers=one.headers)


def is_refused(answer: TestResponse) -> str:
    """Return the code of a problem that names what is wrong."""
    assert 400 <= answer.status_code < 500, answer.get_data(as_text=True)[:300]
    assert answer.content_type == "application/problem+json"
    body = answer.get_json()
    assert body["type"].startswith("/problems/")
    code = str(body["type"]).removeprefix("/problems/")
    if code == "invalid":
        assert body["errors"]
        assert all(place and texts for place, texts in body["errors"].items())
    elif code == "rule":
        assert body["rule"]
        assert body["reason"]
    else:
        assert body.get("detail") or code in ("too-large", "unsupported-media"), body
    return code


def test_every_post_route_of_matches_is_attacked() -> None:
    assert {part_of(one) for one in POSTS} == set(GOOD)


@pytest.mark.parametrize("route", POSTS, ids=name_of)
def test_what_cannot_be_read_is_refused_to_everybody(arena: Arena, route: Route) -> None:
    path, before = arena.path(route), arena.stored
    for one in arena.callers():
        for kind, body in UNREADABLE.items():
            assert is_refused(sent(one, path, body)) == "malformed-json", kind
        for kind, body in WRONG.items():
            assert is_refused(sent(one, path, body)) == "invalid", kind
        for wrong in ("", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
            assert is_refused(sent(one, path, b"{}", wrong)) == "unsupported-media", wrong
        assert is_refused(sent(one, path, b" " * TEN_MIB)) == "too-large"
        chunked = one.client.post(
            path,
            input_stream=BytesIO(b'{"reason":"' + b"x" * TEN_MIB + b'"}'),
            content_type=JSON,
            headers=one.headers,
            environ_overrides={"wsgi.input_terminated": True},
        )
        assert is_refused(chunked) == "too-large"
    assert arena.stored == before


@pytest.mark.parametrize("route", POSTS, ids=name_of)
def test_nobody_says_who_he_is_in_a_body(arena: Arena, route: Route) -> None:
    path, before, body = arena.path(route), arena.stored, arena.good(route)
    for field, value in CLAIMS.items():
        if field in body:
            continue
        answer = arena.one.post(path, {**body, field: value})
        assert is_refused(answer) == "invalid"
        assert list(answer.get_json()["errors"]) == [field]
    assert arena.stored == before


@pytest.mark.parametrize("route", POSTS, ids=name_of)
def test_no_field_takes_what_is_of_another_kind(arena: Arena, route: Route) -> None:
    """Every field in turn holds every kind of JSON; whatever is accepted, nothing breaks."""
    path, body = arena.path(route), arena.good(route)
    kinds: list[Json] = [None, True, 0, -1, 2**53 - 1, "", "x" * 10_001, [], {}, [[]], {"": {}}]
    for field in body:
        for kind in kinds:
            for one in (arena.hall.anybody, arena.hall.person("Stranger")):
                answer = one.post(path, {**body, field: kind})
                assert is_refused(answer) in (
                    *("invalid", "unauthenticated", "forbidden", "conflict", "malformed-json"),
                )


@quick
@given(data=st.data())
def test_no_body_breaks_a_route_or_is_stored_half(arena: Arena, data: st.DataObject) -> None:
    route = data.draw(st.sampled_from(POSTS))
    body = data.draw(mixed(arena.good(route)) | ANYTHING)
    one = data.draw(st.sampled_from(arena.callers()))
    game = data.draw(st.sampled_from(CATALOGUE.names()))
    before = arena.stored
    answer = one.post(arena.path(route, game), body)
    if answer.status_code == 201:
        hall = arena.hall
        shown = hall.anybody.get(f"{MATCHES}/{arena.running[game]}").get_json()
        if shown["state"] in ("closed", "cancelled"):
            arena.running[game] = hall.begin(game, [arena.one, arena.two])
        if shown["state"] == "held":
            arena.staff.post(f"{MATCHES}/{arena.running[game]}/release", {})
    else:
        is_refused(answer)
        assert arena.stored == before


@pytest.mark.parametrize("game", CATALOGUE.names())
@quick
@given(data=st.data())
def test_any_json_may_come_as_an_action(arena: Arena, game: str, data: st.DataObject) -> None:
    names = sorted(CATALOGUE.game(game).display["actions"])
    named = st.dictionaries(st.text(max_size=6), ANYTHING, max_size=3)
    action = data.draw(
        ANYTHING
        | st.tuples(st.sampled_from(names), named).map(lambda two: {**two[1], "type": two[0]})
    )
    before = arena.stored
    arena.hall.installation.refusals.forget("9999")
    path = f"{MATCHES}/{arena.running[game]}/actions"
    answer = arena.one.post(path, {"action": action})
    if answer.status_code != 201:
        assert is_refused(answer) in ("rule", "invalid", "malformed-json", "closed")
        assert arena.stored == before
    elif arena.hall.anybody.get(path.removesuffix("/actions")).get_json()["state"] == "closed":
        arena.running[game] = arena.hall.begin(game, [arena.one, arena.two])


@pytest.mark.parametrize("game", CATALOGUE.names())
@quick
@given(deck=ANYTHING, setup=ANYTHING)
def test_any_json_may_come_as_a_deck_or_a_setup(
    arena: Arena, game: str, deck: Json, setup: Json
) -> None:
    seats = {"P1": arena.one.person, "P2": arena.two.person}
    organizer, before = arena.staff, arena.stored
    body: dict[str, Json] = {"game": game, "seats": seats, "setup": setup}
    answer = organizer.post(MATCHES, body)
    if answer.status_code != 201:
        assert is_refused(answer) in ("invalid", "malformed-json")
        assert arena.stored == before
        answer = organizer.post(MATCHES, {**body, "setup": {}})
    path = f"{MATCHES}/{answer.get_json()['match']}"
    before = arena.stored
    readied = arena.one.post(f"{path}/readiness", {"deck": deck})
    if readied.status_code != 201:
        assert is_refused(readied) in ("rule", "invalid", "malformed-json")
        assert arena.stored == before
    organizer.post(f"{path}/cancellation", {"reason": "because"})


@pytest.mark.parametrize("game", CATALOGUE.names())
@quick
@given(data=st.data())
def test_any_json_may_come_as_facts(arena: Arena, game: str, data: st.DataObject) -> None:
    path = f"{MATCHES}/{arena.running[game]}"
    spoilt = st.sampled_from(arena.facts[game]).flatmap(
        lambda fact: st.fixed_dictionaries(
            {key: st.just(value) | ANYTHING for key, value in fact.items() if key != "fact"}
        ).map(lambda rest: [{**rest, "fact": fact["fact"]}])
    )
    facts = data.draw(spoilt | ANYTHING)
    proposed = arena.one.post(f"{path}/proposals", {"facts": facts, "reason": "because"})
    if proposed.status_code != 201:
        is_refused(proposed)
        return
    seq, before = proposed.get_json()["version"], arena.stored
    answer = arena.two.post(f"{path}/proposals/answers", {"proposed": seq, "accepted": True})
    if answer.status_code != 201:
        assert is_refused(answer) == "invalid"
        assert arena.stored == before
        arena.two.post(f"{path}/proposals/answers", {"proposed": seq, "accepted": False})
    elif arena.hall.anybody.get(path).get_json()["state"] == "closed":
        arena.running[game] = arena.hall.begin(game, [arena.one, arena.two])
