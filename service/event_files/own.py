"""Events and tables in forms of our own: JSON and CSV, and profiles as JSON."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from schemas.strict import Unreadable
from service.event_files.forms import ReadEvent, checked
from service.standings.profiles import Profile, fault_of
from service.standings.records import Event, Result
from service.standings.tables import Table

VERSION = 1
CSV_HEAD = (
    "record",
    "phase",
    "number",
    "name",
    "first",
    "second",
    "kind",
    "winner",
    "games",
    "share",
)
_PART = re.compile(r"-?[0-9]{1,9}(/[0-9]{1,9})?")
# What a spreadsheet takes for a formula is written behind an apostrophe.
_FORMULA = re.compile(r"'*[=+\-@\t]")

Form = TypeVar("Form")


class EventFile(Struct, frozen=True, kw_only=True):
    """An event as JSON."""

    kifu_event: int
    event: Event


def read_event_json(body: bytes) -> ReadEvent:
    """Return an event of our own JSON; raises `Unreadable` with the place of a fault."""
    file = _read(body, EventFile)
    if file.kifu_event != VERSION:
        raise Unreadable(f"kifu_event: version {file.kifu_event} is not {VERSION}")
    return checked(ReadEvent(format="kifu", event=file.event))


def written_event_json(event: Event) -> bytes:
    """Return an event as JSON."""
    return msgspec.json.encode(EventFile(kifu_event=VERSION, event=event), enc_hook=_as_text)


def read_profile(body: bytes) -> Profile:
    """Return an own profile from JSON; raises `Unreadable` with the place of a fault."""
    profile = _read(body, Profile)
    fault = fault_of(profile)
    if fault is not None:
        raise Unreadable(f"profile {profile.name!r}: {fault}")
    return profile


def written_profile(profile: Profile) -> bytes:
    """Return a profile as JSON."""
    return msgspec.json.encode(profile, enc_hook=_as_text)


def written_table_csv(table: Table) -> str:
    """Return a table as CSV: rank, player, name, every value with nine decimals and exactly."""
    labels = [criterion.label for criterion in table.profile.criteria]
    rows: list[Sequence[str]] = [
        ("rank", "player", "name", *labels, *(f"{label}_exact" for label in labels))
    ]
    for row in table.rows:
        values = [row.values.get(label) for label in labels]
        rows.append(
            (
                str(row.rank),
                _plain(row.player),
                _plain(row.name),
                *("" if value is None else f"{float(value):.9f}" for value in values),
                *("" if value is None else str(value) for value in values),
            )
        )
    return _csv(rows)


def written_event_csv(event: Event) -> str:
    """Return an event as CSV: the event, its players, its phases and rounds with their results."""
    rows: list[Sequence[str]] = [CSV_HEAD, _row("event", name=event.name)]
    for player in event.players:
        rows.append(
            _row(
                "player",
                number=str(player.entered),
                name=player.name,
                first=player.id,
                second="" if player.dropped_after is None else str(player.dropped_after),
                kind="" if player.seed is None else str(player.seed),
                share="" if player.game_wins is None else str(player.game_wins),
            )
        )
    for index, phase in enumerate(event.phases, start=1):
        rows.append(_row("phase", phase=str(index), kind=phase.kind))
        for one in phase.rounds:
            rows.append(_row("round", phase=str(index), number=str(one.number), name=one.name))
            rows += [_result_row(index, one.number, result) for result in one.results]
    return _csv(rows)


def read_event_csv(body: bytes) -> ReadEvent:
    """Return an event of our own CSV; raises `Unreadable` with the line of a fault."""
    try:
        lines = list(csv.reader(io.StringIO(body.decode("utf-8-sig"), newline=""), strict=True))
    except UnicodeDecodeError as fault:
        raise Unreadable(f"no UTF-8 at byte {fault.start}") from fault
    except csv.Error as fault:
        raise Unreadable(f"no CSV: {fault}") from fault
    if not lines or tuple(lines[0]) != CSV_HEAD:
        raise Unreadable("line 1: not the head of an event")
    records = []
    for at, line in enumerate(lines[1:], start=2):
        if len(line) != len(CSV_HEAD):
            raise Unreadable(f"line {at}: {len(line)} columns, not {len(CSV_HEAD)}")
        records.append((at, dict(zip(CSV_HEAD, map(_unplain, line), strict=True))))
    return checked(ReadEvent(format="csv", event=_event_of(records)))


def _event_of(records: Iterable[tuple[int, dict[str, str]]]) -> Event:
    """Gather the rows; each round and result belongs to the phase and round before it."""
    name, players, phases = "", [], list[dict[str, Any]]()
    for at, row in records:
        record = row["record"]
        if record == "event":
            name = row["name"]
        elif record == "player":
            players.append(_player(row))
        elif record == "phase":
            phases.append({"kind": row["kind"], "rounds": []})
        elif record == "round" and phases:
            phases[-1]["rounds"].append(
                {"number": _number(row["number"], at), "name": row["name"], "results": []}
            )
        elif record == "result" and phases and phases[-1]["rounds"]:
            phases[-1]["rounds"][-1]["results"].append(_result(row))
        else:
            raise Unreadable(f"line {at}: no place for a {record[:20]!r}")
    return _converted({"name": name, "players": players, "phases": phases}, Event)


def _player(row: dict[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = {"id": row["first"], "name": row["name"], "entered": row["number"]}
    given = {"dropped_after": row["second"], "seed": row["kind"], "game_wins": row["share"]}
    return found | {key: text for key, text in given.items() if text}


def _result(row: dict[str, str]) -> dict[str, Any]:
    return {
        "first": row["first"],
        "second": row["second"] or None,
        "kind": row["kind"],
        "winner": row["winner"] or None,
        "games": row["games"].split("-"),
    }


def _number(text: str, at: int) -> int:
    if not re.fullmatch("[0-9]{1,6}", text):
        raise Unreadable(f"line {at}: {text[:20]!r} is no number")
    return int(text)


def _result_row(phase: int, number: int, result: Result) -> Sequence[str]:
    return _row(
        "result",
        phase=str(phase),
        number=str(number),
        first=result.first,
        second=result.second or "",
        kind=result.kind,
        winner=result.winner or "",
        games="-".join(map(str, result.games)),
    )


def _row(record: str, **cells: str) -> Sequence[str]:
    return (record, *(_plain(cells.get(column, "")) for column in CSV_HEAD[1:]))


def _csv(rows: Iterable[Sequence[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _plain(text: str) -> str:
    return f"'{text}" if _FORMULA.match(text) else text


def _unplain(text: str) -> str:
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


def _read(body: bytes, form: type[Form]) -> Form:
    try:
        return msgspec.json.decode(body, type=form, dec_hook=_from_text)
    except RecursionError as fault:
        raise Unreadable("nested too deeply") from fault
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise Unreadable(f"JSON: {fault}") from fault


def _converted(value: object, form: type[Form]) -> Form:
    try:
        return msgspec.convert(value, form, strict=False, dec_hook=_from_text)
    except msgspec.ValidationError as fault:
        raise Unreadable(str(fault)) from fault


def _as_text(value: object) -> str:
    assert isinstance(value, Fraction)
    return str(value)


def _from_text(form: type, value: object) -> Fraction:
    """Return a fraction: a whole number, or text such as `1/3`."""
    assert form is Fraction
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= 10**9:
        return Fraction(value)
    if isinstance(value, str) and _PART.fullmatch(value) and not value.endswith("/0"):
        numerator, _, denominator = value.partition("/")
        if not denominator or int(denominator):
            return Fraction(int(numerator), int(denominator or 1))
    raise ValueError(f'{str(value)[:20]!r} is no fraction such as "1/3"')
