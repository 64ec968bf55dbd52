"""The document of the API against the API, for callers of every role."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.specs.openapi.schemas import OpenApiSchema

from service.aggregates.access import ROLES
from service.api.routing import Route
from service.exchange import report_on
from service.store.databases import migrate
from tests.api.tables import Caller, Hall, hall_of
from tests.api.test_document import ANSWERING, CHECKED, Sent
from tests.conftest import CATALOGUE, opened, settings_in

FEW, MANY = 1, 100
CALLERS = ("anybody", "person", "P1", "P2", "opener", *ROLES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A running match of each game, its callers by what they are to it, and the document."""

    hall: Hall
    callers: dict[str, Caller]
    matches: list[str]
    described: OpenApiSchema


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    here = settings_in(tmp_path_factory.mktemp("http"))
    migrate(here.database_url)
    hall = hall_of(opened(here))
    one, two, opener = hall.person("One"), hall.person("Two"), hall.person("Opener", "organizer")
    callers = {"anybody": hall.anybody, "person": hall.person("Person"), "P1": one, "P2": two}
    callers |= {"opener": opener} | {role: hall.person(role, role) for role in ROLES}
    yield Place(
        hall=hall,
        callers=callers,
        matches=[hall.begin(game, [one, two]) for game in CATALOGUE.names()],
        described=schemathesis.openapi.from_wsgi("/api/v1/openapi.json", hall.client.application),
    )
    hall.installation.close()


def call(place: Place, caller: str, route: Route, examples: int) -> None:
    """Call a route as the document describes it, and check that it answers so."""
    operation = place.described[route.rule.replace("<", "{").replace(">", "}")][route.method]
    headers = place.callers[caller].headers

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
    @given(operation.as_strategy())
    def is_as_said(case: Sent) -> None:
        if "match_id" in case.path_parameters:
            chosen = len(str(case.body)) % len(place.matches)
            case.path_parameters["match_id"] = place.matches[chosen]
        case.call_and_validate(headers=headers, checks=CHECKED)

    is_as_said()


def call_all(place: Place, caller: str, examples: int) -> None:
    for route in ANSWERING:
        call(place, caller, route, examples)
    for match_id in place.matches:
        match = place.hall.installation.log.match(match_id)
        assert report_on(place.hall.installation, match, "judge").first_bad is None


@pytest.mark.parametrize("caller", CALLERS)
def test_the_api_answers_as_it_says(place: Place, caller: str) -> None:
    call_all(place, caller, FEW)


@pytest.mark.soak
@pytest.mark.parametrize("caller", CALLERS)
def test_the_api_answers_as_it_says_for_long(place: Place, caller: str) -> None:
    call_all(place, caller, MANY)
