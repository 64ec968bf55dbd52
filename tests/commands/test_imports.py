"""Importing plain logs: all or nothing, once, and the same for ever."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from projections.matches import Wanted
from schemas.plain_logs import ReadLine, read_lines
from service.aggregates.world import NotFound
from service.installation import Installation, open_installation
from service.offline import audit_lines
from service.settings import Settings
from tests.conftest import CATALOGUE, log_of

LOGS = {
    "legal": 1,
    "result_differs": 9,
    "legal_but_unfinished": 10,
    "illegal": 11,
}


def lines_of(path: Path) -> list[ReadLine]:
    with path.open("rb") as file:
        return list(read_lines(file))


@pytest.mark.parametrize("number", [1, 9, 10])
def test_a_good_log_becomes_one_closed_match(installation: Installation, number: int) -> None:
    lines = lines_of(log_of("hi-story", number))
    found, match_id = installation.import_lines(lines)
    assert match_id is not None
    match = installation.log.match(match_id)
    assert match.position == found.position
    assert match.version == found.actions + 2
    assert match.closed is not None
    assert match.closed.outcome == found.outcome
    assert match.closed.claimed == found.claimed
    again, same_id = installation.import_lines(lines)
    assert (again.verdict, same_id) == (found.verdict, match_id)
    assert installation.log.version_of(match_id) == match.version
    assert len(installation.matches(Wanted())) == 1


def test_spacing_and_order_of_keys_make_no_other_match(installation: Installation) -> None:
    path = log_of("hi-story")
    _, first = installation.import_lines(lines_of(path))
    spaced = [
        json.dumps(dict(reversed(json.loads(line).items())), indent=1).replace("\n", " ").encode()
        for line in path.read_bytes().splitlines()
    ]
    _, second = installation.import_lines(list(read_lines(spaced)))
    assert second == first


def test_nothing_is_stored_of_an_illegal_log(installation: Installation) -> None:
    found, match_id = installation.import_lines(lines_of(log_of("hi-story", 11)))
    assert found.verdict == "illegal"
    assert match_id is None
    assert installation.log.last_position() == 0


def test_the_legal_part_is_stored_if_asked_for(installation: Installation) -> None:
    lines = lines_of(log_of("hi-story", 11))
    found, match_id = installation.import_lines(lines, partial=True)
    assert match_id is not None
    match = installation.log.match(match_id)
    assert match.closed is not None
    assert (match.closed.cause, match.closed.outcome) == ("partial", None)
    assert match.version == len(found.records) + 2


def test_another_process_finds_the_same(installation: Installation, settings: Settings) -> None:
    _, match_id = installation.import_lines(lines_of(log_of("hi-story")))
    assert match_id is not None
    position = installation.log.match(match_id).position
    installation.log.close()
    assert open_installation(settings).log.match(match_id).position == position


HEADER = b'{"kifu_plain":1,"ruleset":"hi-story","cards":"sample","seats":{"P1":"a","P2":"b"}}'
START = lines_of(log_of("hi-story"))[1].value


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        ([], 1),
        ([b"[]"], 1),
        ([b"{"], 1),
        ([b'{"kifu_plain":2}'], 1),
        ([b'{"kifu_plain":true,"ruleset":"hi-story","cards":"sample","seats":{"P1":"a"}}'], 1),
        ([HEADER.replace(b"hi-story", b"chess")], 1),
        ([HEADER.replace(b'"hi-story"', b"[]")], 1),
        ([HEADER.replace(b"sample", b"real")], 1),
        ([HEADER.replace(b'"P1":"a"', b'"P9":"a"')], 1),
        ([HEADER.replace(b'"P1":"a",', b"")], 1),
        ([HEADER[:-1] + b',"mode":"versus"}'], 1),
        ([HEADER, b"not json"], 2),
        ([HEADER, b"[]"], 2),
        ([HEADER, b'{"actor":"P1"}'], 2),
        ([HEADER, b'{"actor":"P1","action":{"type":"x"},"note":1}'], 2),
        ([HEADER, b'{"actor":1,"action":{"type":"x"}}'], 2),
        ([HEADER, b'{"result":{"winner":"P1"}}'], 2),
        ([HEADER, b'{"result":{"winner":"P1","reason":"x"}}', b"{}"], 3),
        ([HEADER, b""], 2),
    ],
)
def test_malformed_logs_name_their_line(lines: list[bytes], line: int) -> None:
    found = audit_lines(CATALOGUE, {}, list(read_lines(lines)))
    assert (found.verdict, found.line) == ("malformed", line)
    assert found.fault


@pytest.mark.parametrize(
    "draws",
    [
        [],
        START["draws"][:1],
        START["draws"] + [{"die": 1, "sides": 6}],
        START["draws"][::-1],
        [START["draws"][0] | {"order": START["draws"][0]["order"][:-1]}, START["draws"][1]],
    ],
)
def test_draws_must_fit(draws: list[object]) -> None:
    line = json.dumps(START | {"draws": draws}).encode()
    found = audit_lines(CATALOGUE, {}, list(read_lines([HEADER, line])))
    assert (found.verdict, found.line) == ("malformed", 2)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 40) | st.sampled_from(["P1", "a1", "b2", "x", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "card", "field", "deck"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    at=st.integers(1, 120), field=st.sampled_from(["actor", "action", "draws"]), value=JSON_VALUES
)
def test_a_log_with_any_one_value_changed_is_judged_and_never_crashes(
    at: int, field: str, value: object
) -> None:
    lines = [line.value for line in lines_of(log_of("hi-story"))]
    at = min(at, len(lines) - 2)
    lines[at] = lines[at] | {field: value}
    found = audit_lines(CATALOGUE, {}, [ReadLine(n, v, None) for n, v in enumerate(lines, 1)])
    assert found.verdict in {"legal", "illegal", "malformed", "result_differs"}
    if found.verdict in {"illegal", "malformed"}:
        assert found.line is not None


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    action=st.dictionaries(
        st.sampled_from(["type", "card", "field", "target", "cards", "effect"]), JSON_VALUES
    )
)
def test_any_object_as_an_action_is_decided(action: dict[str, object]) -> None:
    lines = [line.value for line in lines_of(log_of("hi-story"))][:60]
    lines.append({"actor": "P1", "action": action})
    found = audit_lines(CATALOGUE, {}, [ReadLine(n, v, None) for n, v in enumerate(lines, 1)])
    assert found.verdict in {"illegal", "legal_but_unfinished", "malformed"}


def test_an_unknown_match_is_not_there(installation: Installation) -> None:
    with pytest.raises(NotFound):
        installation.log.match("nowhere")
