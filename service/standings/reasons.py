"""Why a player stands where he stands: each value as a sum, with the opponents behind it."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from service.standings.measures import measure_of, total
from service.standings.profiles import GROUP_STAGES, Criterion, Profile
from service.standings.records import Event
from service.standings.tables import Row, table_of
from service.standings.tallies import NOBODY, Sheet, sheet_of


class Part(Struct, frozen=True, kw_only=True):
    """A part of a value. round: 0 for one over all rounds; opponent: null for none.

    counted: false for what a cut left out.
    """

    round: int
    opponent: str | None
    value: Fraction
    counted: bool


class Reason(Struct, frozen=True, kw_only=True):
    """A value: the sum of the counted parts through the divisor."""

    criterion: str
    value: Fraction
    divisor: int
    parts: tuple[Part, ...]


class Why(Struct, frozen=True, kw_only=True):
    """A row and the reason for each value in it."""

    row: Row
    reasons: tuple[Reason, ...]


def why(
    event: Event, profile: Profile, player: str, *, phase: int = 0, lots: str | None = None
) -> Why | None:
    """Return the reasons for a player's row in a table, or None if he is not in it."""
    table = table_of(event, profile, phase=phase, lots=lots)
    row = next((row for row in table.rows if row.player == player), None)
    if row is None:
        return None
    ranked = {row.player for row in table.rows}
    sheet = sheet_of(
        [one for one in event.players if one.id in ranked],
        event.phases[phase].rounds if event.phases else (),
        profile,
    )
    reasons = [
        _reason(sheet, criterion, sheet.index[player])
        for criterion in profile.criteria
        if criterion.kind not in GROUP_STAGES
    ]
    return Why(row=row, reasons=tuple(reasons))


def _reason(sheet: Sheet, criterion: Criterion, player: int) -> Reason:
    terms, divisor = measure_of(sheet, criterion).parts(player)
    counted = [term.value for term in terms if term.counted]
    return Reason(
        criterion=criterion.label,
        value=total(counted, divisor),
        divisor=divisor,
        parts=tuple(
            Part(
                round=term.round,
                opponent=None if term.opponent == NOBODY else sheet.players[term.opponent].id,
                value=Fraction(*term.value),
                counted=term.counted,
            )
            for term in terms
        ),
    )
