"""The command line on a database of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from service.cli import main
from service.engine.values import Json
from tests.conftest import CATALOGUE

Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def invoke(*arguments: object) -> Result:
        url = f"sqlite:///{tmp_path / 'kifu.sqlite'}"
        command = ["--database-url", url, *map(str, arguments)]
        return CliRunner().invoke(main, command, obj=CATALOGUE.without_pools())

    return invoke


def objects(result: Result) -> list[Json]:
    return [json.loads(line) for line in result.stdout.splitlines()]
