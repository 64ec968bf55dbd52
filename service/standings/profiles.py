"""Profiles: by which criteria, in which order and with which parameters players are ranked.

A profile is data. The ones here have names that everybody may use; an organizer's own profile is
the same structure, read from a file. `fault_of` names what is wrong with one.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType

CriterionKind: TypeAlias = Literal[
    "points", "omw", "oomw", "gw", "ogw", "wp", "ow", "oow", "bh", "sb", "h2h", "gd", "cum", "wins",
    "lot",
]  # fmt: skip
Unplayed: TypeAlias = Literal["dummy", "virtual", "none"]

CRITERIA_MAX = 12
CUT_MAX = 3
NAME_LENGTH_MAX = 64
PART_MAX = 10**6
RESERVED = frozenset(["rank", "player", "name", "exact", "tied", "code", "table_rank", "reached"])
GROUP_STAGES = frozenset({"h2h", "lot"})

ZERO, ONE = Fraction(0), Fraction(1)
HALF, THIRD, QUARTER = Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)


class Criterion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One criterion with its parameters; the formulas are in `measures`.

    name: its short name in tables, the kind unless given. floor, cap: bounds of each percentage
    that is averaged, or of the own one for gw and wp. dropped_cap: the cap for who left before the
    last round. cut_low, cut_high: how many of the lowest and highest opponents bh leaves out.
    unplayed: what stands for an opponent where none was met, in bh and sb. tied_max: h2h looks at
    groups of at most so many. orders: False for a value that is shown and ranks nobody.
    """

    kind: CriterionKind
    name: str | UnsetType = UNSET
    floor: Fraction = ZERO
    cap: Fraction = ONE
    dropped_cap: Fraction | None = None
    cut_low: int = 0
    cut_high: int = 0
    unplayed: Unplayed = "dummy"
    tied_max: int | None = None
    orders: bool = True

    @property
    def label(self) -> str:
        """The short name."""
        return self.kind if self.name is UNSET else self.name


class Profile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How an event is scored and its players are ranked.

    win, draw, loss: match points of a played result; a full bye is a win, a half one a draw, an
    assigned loss a loss. bye_games, loss_games: games that a full bye and an assigned loss stand
    for (won, lost, drawn). tie_is_double_loss: a draw counts as a loss of both.
    digits: if given, a row is also printed as one number with so many digits for each ordering
    criterion, points as they are and shares in parts of it (2, 3, 3: XXYYYZZZ).
    """

    name: str
    version: str
    criteria: tuple[Criterion, ...]
    win: Fraction = Fraction(3)
    draw: Fraction = ONE
    loss: Fraction = ZERO
    bye_games: tuple[int, int, int] = (2, 0, 0)
    loss_games: tuple[int, int, int] = (0, 2, 0)
    tie_is_double_loss: bool = False
    digits: tuple[int, ...] = ()


def fault_of(profile: Profile) -> str | None:
    """Return what is wrong with a profile, or None."""
    for text in (profile.name, profile.version):
        if not (0 < len(text) <= NAME_LENGTH_MAX and text.isprintable()):
            return f"name and version: 1 to {NAME_LENGTH_MAX} printable characters"
    if not 0 < len(profile.criteria) <= CRITERIA_MAX:
        return f"criteria: 1 to {CRITERIA_MAX} of them"
    labels = [criterion.label for criterion in profile.criteria]
    if len(set(labels)) != len(labels):
        return "criteria: the same short name twice"
    fault = _fault_of_points(profile)
    if fault is not None:
        return fault
    if len(profile.digits) > len(profile.criteria) or not {*profile.digits} <= {*range(1, 10)}:
        return "digits: 1 to 9 for a criterion"
    for criterion in profile.criteria:
        fault = _fault_of_criterion(criterion)
        if fault is not None:
            return f"{criterion.label}: {fault}"
    return None


def _fault_of_points(profile: Profile) -> str | None:
    if not profile.win > ZERO or not profile.loss <= profile.draw <= profile.win:
        return "match points: loss, draw and win are not in order, or a win gives nothing"
    games = (*profile.bye_games, *profile.loss_games)
    if profile.loss < 0 or min(games) < 0:
        return "match points or games below zero"
    points = (profile.win, profile.draw, profile.loss)
    if any(_is_large(part) for part in points) or max(games) > PART_MAX:
        return f"match points: numerators and denominators up to {PART_MAX}"
    return None


def _fault_of_criterion(criterion: Criterion) -> str | None:
    name = criterion.label
    if not (0 < len(name) <= 16 and name.isascii() and name.replace("_", "a").isalnum()):
        return "a short name has 1 to 16 letters, digits or _"
    if name in RESERVED or (name == "points" and criterion.kind != "points"):
        return "this name has another meaning in a row"
    bounds = [criterion.floor, criterion.cap]
    bounds += [] if criterion.dropped_cap is None else [criterion.dropped_cap]
    if any(not ZERO <= bound <= ONE or _is_large(bound) for bound in bounds):
        return f"floor and caps are from 0 to 1, in parts up to {PART_MAX}"
    if criterion.floor > min(bounds[1:]):
        return "the floor is above a cap"
    if not (0 <= criterion.cut_low <= CUT_MAX and 0 <= criterion.cut_high <= CUT_MAX):
        return f"cut_low and cut_high are from 0 to {CUT_MAX}"
    return None


def _is_large(part: Fraction) -> bool:
    return abs(part.numerator) > PART_MAX or part.denominator > PART_MAX


POINTS = Criterion(kind="points")


def _percentages(name: str, floor: Fraction, *, own_floor: bool, more: str) -> Profile:
    """Return a profile of match points, OMW, GW, OGW."""
    return Profile(
        name=name,
        version=more,
        criteria=(
            POINTS,
            Criterion(kind="omw", floor=floor),
            Criterion(kind="gw", floor=floor if own_floor else ZERO),
            Criterion(kind="ogw", floor=floor),
        ),
    )


def _chess(name: str, *criteria: Criterion) -> Profile:
    """Return a profile of the chess world: 1, 1/2, 0."""
    return Profile(
        name=name,
        version="C.07-2024",
        criteria=(POINTS, *criteria),
        win=ONE,
        draw=HALF,
        bye_games=(1, 0, 0),
        loss_games=(0, 1, 0),
    )


PROFILES = {
    profile.name: profile
    for profile in (
        _percentages("mtr-2024", Fraction(33, 100), own_floor=True, more="2024"),
        _percentages("melee-floor", THIRD, own_floor=True, more="2024"),
        _percentages("melee-raw", THIRD, own_floor=False, more="2025"),
        _percentages("topdeck", Fraction(33, 100), own_floor=False, more="2024"),
        Profile(
            name="pokemon-tom",
            version="1.80",
            criteria=(
                POINTS,
                Criterion(kind="wp", floor=QUARTER, dropped_cap=3 * QUARTER, orders=False),
                Criterion(kind="ow", floor=QUARTER, dropped_cap=3 * QUARTER),
                Criterion(kind="oow", floor=QUARTER, dropped_cap=3 * QUARTER),
                Criterion(kind="h2h", tied_max=2),
                Criterion(kind="lot"),
            ),
        ),
        Profile(
            name="ygo-kts",
            version="2024",
            criteria=(POINTS, Criterion(kind="omw"), Criterion(kind="oomw")),
            tie_is_double_loss=True,
            digits=(2, 3, 3),
        ),
        _chess("buchholz", Criterion(kind="bh")),
        _chess("median-buchholz", Criterion(kind="bh", name="mbh", cut_low=1, cut_high=1)),
        _chess("buchholz-cut1", Criterion(kind="bh", name="bh1", cut_low=1)),
        _chess("sonneborn-berger", Criterion(kind="sb")),
        _chess("sonneborn-berger-virtual", Criterion(kind="sb", unplayed="virtual")),
        _chess("sonneborn-berger-played", Criterion(kind="sb", unplayed="none")),
        Profile(name="head-to-head", version="1", criteria=(POINTS, Criterion(kind="h2h"))),
        Profile(name="game-difference", version="1", criteria=(POINTS, Criterion(kind="gd"))),
        Profile(name="cumulative", version="1", criteria=(POINTS, Criterion(kind="cum"))),
    )
}
