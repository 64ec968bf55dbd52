"""Plain logs: the actions of a match with their draws, audited line by line (FORMAT 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from service.engine.contract import Outcome, Record, Rejection, Ruleset
from service.engine.draws import DrawFault, Draws, RecordedSource
from service.engine.play import perform, written
from service.engine.values import Action, Json, Position, same

VERSION = 1
HEADER_KEYS = {"kifu_plain", "ruleset", "cards", "seats"}
PLAYERS = ("P1", "P2", "P3", "P4")
HEADER_LINE = 1
FIRST_LINE = 2

Verdict: TypeAlias = Literal[
    "legal", "legal_but_unfinished", "result_differs", "illegal", "malformed"
]
GOOD: tuple[Verdict, ...] = ("legal", "legal_but_unfinished", "result_differs")


class Line(NamedTuple):
    """A line as it was read. number: from 1, the header is 1; fault: why it is no JSON value."""

    number: int
    value: Json
    fault: str | None = None


class Malformed(ValueError):
    """A line that is no line of a plain log. line: its number."""

    def __init__(self, line: int, text: str) -> None:
        """Say what is wrong with line `line`."""
        super().__init__(text)
        self.line = line


@dataclass(slots=True, kw_only=True)
class Audit:
    """What an audit found. line and rule: of the first action refused, or of the malformed line.

    actions: number of action lines read; records: of the accepted ones, in order;
    position: the last one reached, None without a readable header; claimed: the result line.
    """

    verdict: Verdict = "malformed"
    header: Mapping[str, Json] = field(default_factory=dict)
    ruleset: Ruleset | None = None
    actions: int = 0
    records: list[Record] = field(default_factory=list)
    position: Position | None = None
    claimed: Json = None
    line: int | None = None
    refused: Rejection | None = None
    fault: str | None = None

    @property
    def outcome(self) -> Outcome | None:
        """The result that the rules computed, or None."""
        if self.ruleset is None or self.position is None:
            return None
        return self.ruleset.outcome(self.position)

    @property
    def summary(self) -> Json:
        """`final` of expected.json; None unless every action was accepted."""
        if self.verdict not in GOOD or self.ruleset is None:
            return None
        return self.ruleset.summary(self.position or {})


def audit(lines: Iterable[Line], find: Callable[[Mapping[str, Json]], Ruleset]) -> Audit:
    """Decide a plain log from its header on; the first line that is refused or malformed ends it.

    lines: read lazily, one after the other.
    find: the ruleset for a header; raises `LookupError` with the reason if there is none.
    """
    found = Audit()
    try:
        rest = map(_readable, lines)
        first = next(rest, Line(HEADER_LINE, None))
        found.header, found.ruleset = _opened(first, find)
        found.position = found.ruleset.new_position()
        _decide_lines(rest, found, found.ruleset)
    except Malformed as fault:
        found.verdict, found.line, found.fault = "malformed", fault.line, str(fault)
    return found


def _readable(line: Line) -> Line:
    if line.fault is not None:
        raise Malformed(line.number, line.fault)
    return line


def _opened(
    first: Line, find: Callable[[Mapping[str, Json]], Ruleset]
) -> tuple[Mapping[str, Json], Ruleset]:
    line, header = first.number, first.value
    if not isinstance(header, dict) or not same(header.get("kifu_plain"), VERSION):
        raise Malformed(line, 'the first line is no header with "kifu_plain": 1')
    missing = sorted(HEADER_KEYS - set(header))
    if missing:
        raise Malformed(line, f"the header lacks {', '.join(missing)}")
    seats = header["seats"]
    if not isinstance(seats, dict) or not seats or not set(seats) <= set(PLAYERS):
        raise Malformed(line, "seats is an object from P1, P2 … to display names")
    if not all(isinstance(name, str) for name in seats.values()):
        raise Malformed(line, "the display name of a seat is a string")
    try:
        ruleset = find(header)
    except LookupError as fault:
        raise Malformed(line, str(fault.args[0])) from fault
    further = {key: header[key] for key in header if key not in HEADER_KEYS}
    fault_text = ruleset.header_fault({"seats": seats, **further})
    if fault_text is not None:
        raise Malformed(line, fault_text)
    return header, ruleset


def _decide_lines(rest: Iterator[Line], found: Audit, ruleset: Ruleset) -> None:
    position = ruleset.new_position()
    for line, value, _ in rest:
        if isinstance(value, dict) and set(value) == {"result"}:
            _expect_end(rest)
            found.claimed = _result(line, value["result"])
            break
        entry = _action_line(line, value)
        found.actions += 1
        if found.actions == 1:
            _expect_agreement(found.header, ruleset.header_of(entry["action"]))
        source = RecordedSource(entry.get("draws", []))
        try:
            action = written(ruleset, entry["action"])
            outcome = perform(ruleset, position, entry["actor"], action, Draws(source))
            if isinstance(outcome, Rejection):
                found.verdict, found.line, found.refused = "illegal", line, outcome
                return
            source.finish()
        except DrawFault as fault:
            raise Malformed(line, str(fault)) from fault
        found.records.append(outcome)
        found.position = position = outcome.after
    found.verdict = _verdict(found)


def _verdict(found: Audit) -> Verdict:
    if found.claimed is not None and not same(found.claimed, found.outcome):
        return "result_differs"
    return "legal_but_unfinished" if found.outcome is None else "legal"


def _expect_agreement(header: Mapping[str, Json], first: Mapping[str, Json]) -> None:
    """Check that what the header adds for its game is what the first action says."""
    for key, value in first.items():
        if value is not None and not same(header.get(key), value):
            raise Malformed(HEADER_LINE, f"the header's {key} is not that of the first action")


def _action_line(line: int, value: Json) -> Mapping[str, Json]:
    if not isinstance(value, dict):
        raise Malformed(line, "a line is a JSON object")
    unknown = sorted(set(value) - {"actor", "action", "draws"})
    if unknown:
        raise Malformed(line, f"unknown key {unknown[0]!r}")
    if not isinstance(value.get("actor"), str):
        raise Malformed(line, "actor is a string")
    if not isinstance(value.get("action"), dict):
        raise Malformed(line, "action is an object")
    if not isinstance(value.get("draws", []), list):
        raise Malformed(line, "draws is a list")
    return value


def _result(line: int, value: Json) -> Json:
    if not isinstance(value, dict) or set(value) != {"winner", "reason"}:
        raise Malformed(line, "result holds winner and reason")
    return value


def _expect_end(rest: Iterator[Line]) -> None:
    for line in rest:
        raise Malformed(line.number, "a line after the result line")


def plain_lines(
    ruleset: Ruleset,
    records: Iterable[tuple[str, Action, list[Json]]],
    *,
    cards: str,
    seats: Mapping[str, str],
    result: Outcome | None,
) -> Iterator[Json]:
    """Yield the lines of a plain log: header, actions with their draws, result."""
    header: dict[str, Json] = {
        "kifu_plain": VERSION,
        "ruleset": ruleset.game,
        "cards": cards,
        "seats": dict(seats),
    }
    for number, (actor, action, draws) in enumerate(records):
        if number == 0:
            yield header | dict(ruleset.header_of(action))
        line: dict[str, Json] = {"actor": actor, "action": action}
        yield line | ({"draws": draws} if draws else {})
    if result is not None:
        yield {"result": dict(result)}
