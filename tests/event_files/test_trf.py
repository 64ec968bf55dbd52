"""TRF16: what is read is written again as it was, and lines that do not fit are refused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.strict import Unreadable
from service.event_files.differences import differences
from service.event_files.forms import ReadEvent
from service.event_files.reading import read_event
from service.event_files.trf import written_trf
from service.standings.profiles import PROFILES
from service.standings.records import Event, Player
from tests.standings.events import event, grown

seeds = st.integers(0, 10**6)
CHESS = PROFILES["sonneborn-berger"]


@given(seed=seeds)
@settings(max_examples=80)
def test_what_is_read_is_written_again(seed: int) -> None:
    """A loss that was assigned is lost on the way; everything else that TRF16 can say stays."""
    first = through_trf(grown(seed))
    if first is not None:
        second = through_trf(first.event)
        assert second is not None
        assert second.event == first.event
        assert through_trf(second.event) == second


def through_trf(one: Event) -> ReadEvent | None:
    return read_event(written_trf(one).encode()) if one.players else None


@given(seed=seeds)
@settings(max_examples=40)
def test_the_points_and_ranks_that_were_written_are_computed_again(seed: int) -> None:
    first = through_trf(grown(seed))
    if first is not None:
        read = through_trf(first.event)
        assert read is not None
        assert differences(read, PROFILES["buchholz"]) == []


def line(number: int, points: str, *cells: str, name: str = "") -> str:
    head = f"001 {number:>4}      {name or f'P{number}':<33}"
    return f"{head:<80}{points:>4}       {''.join(f'{cell:<10}' for cell in cells)}".rstrip()


def test_a_file_as_lichess_writes_it() -> None:
    """No ranks: the lines are in the order of the table. Who is absent has a dash."""
    body = "\n".join(
        [
            "012 an event.trf",
            "XXR 3",
            "XXC white1",
            line(1, "2.5", "   3 w 1  ", "   2 b 1  ", "       H  "),
            line(2, "2.0", "       U  ", "   1 w 0  ", "   3 b 1  "),
            line(3, "0.0", "   1 b 0  ", "       -  ", "   2 w 0  ", "0000   -  "),
        ]
    )
    read = read_event(body.encode())
    assert read.event.name == "an event.trf"
    assert [len(one.results) for one in read.event.phases[0].rounds] == [2, 2, 2]
    assert read.notes == ()
    early = read_event(body.replace("XXR 3", "XXR 9").encode())
    assert early.notes == ("3 of 9 rounds",)
    assert differences(read, CHESS) == []
    turned = body.replace("2.5  ", "1.5  ")
    assert {one.field for one in differences(read_event(turned.encode()), CHESS)} == {"points"}


def test_states_of_a_player() -> None:
    body = "\n".join(
        [
            line(1, "3.0", "   2 w 1  ", "   4 w +  ", "   3 b 1  "),
            line(2, "0.0", "   1 b 0  "),
            line(3, "0.5", "       H  ", "       F  ", "   1 w 0  "),
            line(4, "0.0", "       Z  ", "   1 b -  ", "0000 - -  "),
        ]
    )
    read = read_event(body.encode())
    assert [(one.entered, one.dropped_after) for one in read.event.players] == [
        (1, None), (1, 1), (2, None), (2, 2)
    ]  # fmt: skip
    kinds = [[result.kind for result in one.results] for one in read.event.phases[0].rounds]
    assert kinds == [
        ["played", "half_bye", "zero_bye"],
        ["forfeit", "zero_bye", "awarded_bye"],
        ["zero_bye", "played", "absence"],
    ]


def test_ids_are_names_where_they_tell_players_apart() -> None:
    body = "\n".join(line(number, "0.0", name=name) for number, name in enumerate("XYX", start=1))
    assert [player.id for player in read_event(body.encode()).event.players] == ["#1", "Y", "#3"]


def test_what_the_record_cannot_say_is_told() -> None:
    rated = line(1, "0.0")
    rated = f"{rated[:10]}GM {rated[13:48]}2500 NOR{rated[56:]}"
    read = read_event(f"XXA    1  1.0\n013 team\n{rated}\n".encode())
    assert read.notes == (
        "accelerated points are left out", "federations are left out", "ratings are left out",
        "teams are left out", "titles are left out",
    )  # fmt: skip


def test_too_many_players_for_the_format() -> None:
    players = tuple(Player(id=str(number), name=str(number)) for number in range(10_000))
    with pytest.raises(Unreadable, match="9999"):
        written_trf(Event(name="large", players=players, phases=()))
    last = written_trf(event(" ".join(map(str, range(9_999))), ""))
    assert last.splitlines()[-1].startswith("001 9999")


def two(one: str, other: str) -> bytes:
    return f"{line(1, '0.0', one)}\n{line(2, '0.0', other)}\n".encode()


@pytest.mark.parametrize(
    ("body", "place"),
    [
        (two("   2 w 1  ", "   1 b 1  "), "line 1, round 1: the results '1' and '1'"),
        (two("   2 w =  ", "   1 b 0  "), "line 1, round 1: the results '=' and '0'"),
        (two("   2 w 1  ", "       U  "), "line 1, round 1: 2 does not name 1"),
        (two("   1 w 1  ", "       U  "), "line 1, round 1: 1 does not name 1"),
        (two("   9 w 1  ", "   1 b 0  "), "line 1, round 1: 9 does not name 1"),
        (two("       U  ", "   x b 0  "), "line 2, round 1: opponent"),
        (two("       ?  ", "       U  "), "line 1, round 1: the result '?'"),
        (two("       1  ", "       U  "), "line 1, round 1: the result '1'"),
        (two("       U  ", "       U  ").replace(b" 0.0", b" a.0", 1), "line 1: the points"),
        (two("       U  ", "       U  ").replace(b" 0.0", b" NaN", 1), "line 1: points"),
        (two("       U  ", "       U  ").replace(b"   2 ", b"   1 ", 1), "there twice"),
        (two("       U  ", "       U  ").replace(b"   2 ", b"   \xc2\xb2 ", 1), "line 2: starting"),
        (line(1, "0.0", *["       U  "] * 101).encode(), "line 1: more than 100 rounds"),
        (b"001 \n", "line 1: starting number"),
        (b"001    1 \xff", "no UTF-8"),
    ],
)
def test_a_fault_names_its_line(body: bytes, place: str) -> None:
    with pytest.raises(Unreadable) as fault:
        read_event(body)
    assert place in str(fault.value)
