"""Served installations for the page tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from service.app import app_of
from service.installation import Installation
from service.settings import Settings
from tests.api.streams import served as served_app


@contextmanager
def served(installation: Installation, settings: Settings) -> Iterator[str]:
    """Serve an installation as long as one is inside; give its address."""
    with served_app(app_of(installation, settings)) as url:
        yield url
