"""Profiles are data: those that are named here, and what an own one may not be."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from service.standings.profiles import PROFILES, Criterion, Profile, fault_of
from service.standings.records import Event, Phase, Player, Result, Round, laws
from tests.standings.events import event, grown


@pytest.mark.parametrize("name", PROFILES)
def test_named_profiles_are_in_order(name: str) -> None:
    assert fault_of(PROFILES[name]) is None
    assert PROFILES[name].criteria[0].kind == "points"


POINTS = Criterion(kind="points")
GOOD = Profile(name="own", version="1", criteria=(POINTS,))


@pytest.mark.parametrize(
    "change",
    [
        {"name": ""},
        {"version": "\x1b[31m"},
        {"digits": (0,)},
        {"digits": (3, 3)},
        {"criteria": ()},
        {"criteria": (POINTS,) * 2},
        {"criteria": tuple(Criterion(kind="gd", name=f"g{place}") for place in range(13))},
        {"win": Fraction(0)},
        {"draw": Fraction(4)},
        {"loss": Fraction(-1)},
        {"win": Fraction(10**7)},
        {"draw": Fraction(1, 10**7)},
        {"bye_games": (-1, 0, 0)},
        {"loss_games": (0, 0, 10**9)},
        {"criteria": (Criterion(kind="gw", floor=Fraction(2)),)},
        {"criteria": (Criterion(kind="gw", floor=Fraction(1, 2), cap=Fraction(1, 3)),)},
        {"criteria": (Criterion(kind="ow", floor=Fraction(1, 2), dropped_cap=Fraction(0)),)},
        {"criteria": (Criterion(kind="gw", floor=Fraction(1, 10**9)),)},
        {"criteria": (Criterion(kind="bh", cut_low=4),)},
        {"criteria": (Criterion(kind="bh", cut_high=-1),)},
        {"criteria": (Criterion(kind="gw", name="a b"),)},
        {"criteria": (Criterion(kind="gw", name=""),)},
        {"criteria": (Criterion(kind="gw", name="rank"),)},
        {"criteria": (Criterion(kind="gw", name="points"),)},
    ],
)
def test_a_profile_that_cannot_be_is_refused(change: dict[str, Any]) -> None:
    assert fault_of(GOOD) is None
    assert fault_of(replace(GOOD, **change)) is not None


def with_results(*results: Result) -> Event:
    return Event(
        name="made up",
        players=tuple(Player(id=name, name=name) for name in "AB"),
        phases=(Phase(kind="swiss", rounds=(Round(number=1, name="1", results=results),)),),
    )


@pytest.mark.parametrize(
    ("one", "fault"),
    [
        (with_results(Result(first="C", kind="bye")), "no player"),
        (with_results(Result(first="A", kind="bye"), Result(first="A", kind="bye")), "twice"),
        (with_results(Result(first="A", second="A")), "twice"),
        (with_results(Result(first="A")), "number of players"),
        (with_results(Result(first="A", second="B", kind="bye")), "number of players"),
        (with_results(Result(first="A", kind="bye", winner="first")), "no winner"),
        (with_results(Result(first="A", second="B", games=(-1, 0, 0))), "negative"),
        (event("A A"), "same id"),
    ],
)
def test_laws_of_a_record(one: Event, fault: str) -> None:
    assert fault in (laws(one) or "")


def test_rounds_are_in_order() -> None:
    one = grown(5)
    phase = one.phases[0]
    again = replace(one, phases=(phase, phase)) if phase.rounds else one
    assert phase.rounds
    assert "not in order" in (laws(again) or "")
