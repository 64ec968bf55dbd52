"""The recorded logs of every game audit as expected."""

from __future__ import annotations

from pathlib import Path

import pytest

from schemas.plain_logs import read_lines
from schemas.strict import read_json
from service.engine.plain_logs import FIRST_LINE
from service.engine.values import Json, same
from service.offline import audit_lines
from tests.conftest import CATALOGUE


def all_logs() -> list[object]:
    found: list[object] = []
    for name in CATALOGUE.names():
        folder = CATALOGUE.game(name).folder / "logs"
        for expected in read_json((folder / "expected.json").read_bytes()):
            path = folder / expected["file"]
            found.append(pytest.param(path, expected, id=f"{name}-{path.name.partition('.')[0]}"))
    return found


@pytest.mark.parametrize(("path", "expected"), all_logs())
def test_log(path: Path, expected: dict[str, Json]) -> None:
    with path.open("rb") as file:
        found = audit_lines(CATALOGUE, {}, list(read_lines(file)))
    assert found.verdict == expected["verdict"]
    if found.verdict == "illegal":
        assert found.refused is not None
        assert found.line == expected["line"] == expected["at_action"] + FIRST_LINE
        assert found.refused.rule == expected["rule"]
    elif found.verdict == "malformed":
        assert found.line == expected["line"]
    else:
        assert found.actions == expected["actions"]
        assert same(found.claimed, expected.get("claimed", found.claimed))
        if "final" in expected:
            assert same(found.summary, expected["final"])
