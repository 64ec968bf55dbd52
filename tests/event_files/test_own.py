"""Our own JSON and CSV: what is written is read again as it was."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from schemas.strict import Unreadable
from service.event_files.own import (
    read_profile,
    written_event_csv,
    written_event_json,
    written_profile,
    written_table_csv,
)
from service.event_files.reading import read_event
from service.standings.profiles import PROFILES, Criterion, Profile
from service.standings.records import Event, Player
from service.standings.tables import table_of
from tests.event_files import made_up
from tests.standings.events import event, grown

seeds = st.integers(0, 10**6)
plain = st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=30)
names = plain | plain.map("=".__add__) | plain.map("'+".__add__) | plain.map("@".__add__)


@given(seed=seeds)
def test_an_event_comes_back(seed: int) -> None:
    one = grown(seed)
    cut = made_up.with_cut(made_up.swiss(seed), ["P001", "P002", "P003", "P004"], seed)
    seeded = replace(cut, players=(replace(cut.players[0], seed=3), *cut.players[1:]))
    for given_event in (one, seeded):
        assert read_event(written_event_json(given_event)).event == given_event
        assert read_event(written_event_csv(given_event).encode()).event == given_event


@given(names=st.lists(names, unique=True, max_size=5), title=names)
def test_every_name_comes_back(names: list[str], title: str) -> None:
    one = Event(name=title, players=tuple(Player(id=name, name=name) for name in names), phases=())
    assert read_event(written_event_json(one)).event == one
    text = written_event_csv(one)
    assert read_event(text.encode()).event == one
    for row in csv.reader(io.StringIO(text)):
        assert not any(cell.startswith(("=", "+", "-", "@")) for cell in row)


def test_a_table_as_csv() -> None:
    one = event("A =B C", "A-=B 2-1, C bye", "A-C 2-0")
    text = written_table_csv(table_of(one, PROFILES["mtr-2024"]))
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["rank"], row["player"]) for row in rows] == [("1", "A"), ("2", "C"), ("3", "'=B")]
    assert (rows[0]["omw"], rows[0]["omw_exact"]) == ("0.415000000", "83/200")
    assert float(rows[2]["gw"]) == pytest.approx(1 / 3, abs=1e-9)
    tom = written_table_csv(table_of(one, PROFILES["pokemon-tom"]))
    assert "h2h" in tom.splitlines()[0]


@pytest.mark.parametrize("name", PROFILES)
def test_profiles_come_back(name: str) -> None:
    assert read_profile(written_profile(PROFILES[name])) == PROFILES[name]


def test_an_own_profile() -> None:
    body = json.dumps(
        {
            "name": "club",
            "version": "3",
            "win": 2,
            "draw": "1",
            "criteria": [
                {"kind": "points"},
                {"kind": "omw", "name": "strength", "floor": "1/4"},
                {"kind": "bh", "cut_low": 2},
                {"kind": "gd"},
            ],
        }
    ).encode()
    own = read_profile(body)
    assert own == Profile(
        name="club",
        version="3",
        win=Fraction(2),
        criteria=(
            Criterion(kind="points"),
            Criterion(kind="omw", name="strength", floor=Fraction(1, 4)),
            Criterion(kind="bh", cut_low=2),
            Criterion(kind="gd"),
        ),
    )
    (best, *_) = table_of(event("A B", "A-B 2-1"), own).rows
    assert best.values == {"points": 2, "strength": Fraction(1, 4), "bh": 0, "gd": 1}


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (b"[]", "object"),
        (b'{"name": "a", "version": "1", "criteria": []}', "profile 'a': criteria"),
        (b'{"name": "a", "version": "1", "criteria": [{"kind": "elo"}]}', "$.criteria[0].kind"),
        (b'{"name": "a", "version": "1", "criteria": [], "wins": 3}', "unknown field `wins`"),
        (b'{"name": "a", "version": "1", "criteria": [], "win": 0.5}', "$.win"),
        (b'{"name": "a", "version": "1", "criteria": [], "win": "1/0"}', "$.win"),
        (b'{"name": "a", "version": "1", "criteria": [], "win": "1e9"}', "$.win"),
        (b'{"name": "a", "version": "1", "criteria": [], "win": true}', "$.win"),
        (b"{" * 10**5, "JSON"),
        (b'{"criteria": ' + b"[" * 10**5, "$.criteria"),
        (b"\xff", "JSON"),
    ],
)
def test_a_fault_of_a_profile_names_its_place(body: bytes, place: str) -> None:
    with pytest.raises(Unreadable) as fault:
        read_profile(body)
    assert place in str(fault.value)


GOOD = written_event_json(event("A B", "A-B 2-1"))
GOOD_CSV = written_event_csv(event("A B", "A-B 2-1")).encode()


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (GOOD.replace(b'"kifu_event":1', b'"kifu_event":2'), "version 2"),
        (GOOD.replace(b'"second":"B"', b'"second":"C"'), "round 1: C is no player"),
        (GOOD.replace(b'"winner":"first"', b'"winner":"A"'), "$.event.phases[0].rounds[0]"),
        (GOOD.replace(b"[2,1,0]", b"[2,1000,0]"), "round 1: more than 999 games"),
        (GOOD.replace(b"[2,1,0]", b"[2,-1,0]"), "round 1: A: a negative number"),
        (GOOD.replace(b'"name":"made up"', b'"name":""'), "the event: a name"),
        (GOOD_CSV.replace(b"result,", b"outcome,"), "line 7: no place for a 'outcome'"),
        (GOOD_CSV.replace(b"phase,1", b"result,1"), "line 5: no place for a 'result'"),
        (GOOD_CSV.replace(b"2-1-0", b"2-x-0"), "$.phases[0].rounds[0].results[0].games[1]"),
        (GOOD_CSV.replace(b"round,1,1", b"round,1,one"), "line 6: 'one' is no number"),
        (GOOD_CSV.replace(b"2-1-0", b"2-1-0,,"), "line 7: 12 columns"),
        (GOOD_CSV.replace(b"made up", b'"made "up'), "no CSV"),
        (GOOD_CSV.replace(b"share", b"shares"), "line 1"),
        (GOOD_CSV.replace(b"made up", b"\xff"), "no UTF-8"),
        (b"", "no event"),
        (b"{}", "JSON without"),
        (b'{"rounds"', "JSON"),
    ],
)
def test_a_fault_of_an_event_names_its_place(body: bytes, place: str) -> None:
    with pytest.raises(Unreadable) as fault:
        read_event(body)
    assert place in str(fault.value)
