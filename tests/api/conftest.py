"""A client of the API over an installation with imported matches."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from service.api.application import api_app
from service.installation import Installation
from tests.api.tables import Hall, hall_of
from tests.conftest import import_log, log_of


@pytest.fixture
def client(installation: Installation) -> FlaskClient:
    return api_app(installation).test_client()


@pytest.fixture
def hall(installation: Installation) -> Hall:
    return hall_of(installation)


@pytest.fixture
def match_id(installation: Installation) -> str:
    return import_log(installation, log_of("hi-story"))
