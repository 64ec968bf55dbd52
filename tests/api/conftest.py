"""A client of the API over an installation with imported matches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from flask.testing import FlaskClient

from service.api.application import api_app
from service.installation import Installation
from tests.api.tables import Hall, hall_of
from tests.conftest import import_log, log_of, opened_in


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """An installation with an imported match, and its client, which leaves it as it is."""

    installation: Installation
    client: FlaskClient
    match_id: str


@pytest.fixture(scope="session")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reading]:
    found = opened_in(tmp_path_factory.mktemp("reading"))
    match_id = import_log(found, log_of("hi-story"))
    yield Reading(installation=found, client=hall_of(found).client, match_id=match_id)
    found.close()


@pytest.fixture(scope="module")
def wide_hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    """A hall for all tests of a module that look only at what they brought along."""
    found = opened_in(tmp_path_factory.mktemp("hall"))
    yield hall_of(found)
    found.close()


@pytest.fixture
def client(installation: Installation) -> FlaskClient:
    return api_app(installation).test_client()


@pytest.fixture
def hall(installation: Installation) -> Hall:
    return hall_of(installation)


@pytest.fixture
def match_id(installation: Installation) -> str:
    return import_log(installation, log_of("hi-story"))
