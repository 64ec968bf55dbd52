"""Tables: players ranked by a profile, exactly, whatever the order of the input.

Players are split into groups criterion by criterion. What no criterion splits stays a group: the
same rank for all of it (1, 1, 1, 4), and said so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from service.engine.hashes import tagged_hash
from service.standings.measures import measure_of
from service.standings.profiles import GROUP_STAGES, Criterion, Profile
from service.standings.records import Event, Player, Round
from service.standings.tallies import Sheet, sheet_of

Groups = list[list[int]]


class Row(Struct, frozen=True, kw_only=True):
    """A player's place. rank: from 1, the same for a tie; values: by short name of the criterion.

    points: match points. tied: how many share the place because no criterion tells them apart.
    """

    rank: int
    player: str
    name: str
    points: Fraction
    values: dict[str, Fraction]
    tied: int = 1


class Table(Struct, frozen=True, kw_only=True):
    """The rows by rank, a tie by id. provisional: results are missing."""

    profile: Profile
    rows: tuple[Row, ...]
    provisional: bool


def table_of(event: Event, profile: Profile, *, phase: int = 0, lots: str | None = None) -> Table:
    """Return the table of a phase of an event, the first unless another is named.

    In a later phase only those are ranked whom it names. lots: seed of the draw that the criterion
    `lot` makes; without one it resolves nothing.
    """
    rounds = event.phases[phase].rounds if event.phases else ()
    return table(_players_of(event, phase, rounds), rounds, profile, lots=lots)


def table(
    players: Sequence[Player],
    rounds: Sequence[Round],
    profile: Profile,
    *,
    lots: str | None = None,
) -> Table:
    """Return the table of these players over these rounds."""
    sheet = sheet_of(players, rounds, profile)
    values: dict[str, list[Fraction]] = {}
    staged: dict[str, dict[int, Fraction]] = {}
    groups: Groups = [list(range(len(players)))]
    for criterion in profile.criteria:
        if criterion.kind in GROUP_STAGES:
            staged[criterion.label] = {}
            if criterion.orders:
                groups = _staged(sheet, groups, criterion, lots, staged[criterion.label])
            continue
        measure = measure_of(sheet, criterion)
        values[criterion.label] = [measure.value(player) for player in range(len(players))]
        if criterion.orders:
            groups = _split(groups, _comparable(values[criterion.label]))
    return Table(
        profile=profile,
        rows=tuple(_rows(sheet, groups, values, staged)),
        provisional=sheet.unreported > 0,
    )


def code_of(row: Row, profile: Profile) -> str:
    """Return a row as one number for print, as the profile says; it ranks nobody.

    Shares are cut off behind their digits; what has no room is all nines.
    """
    ordering = [criterion for criterion in profile.criteria if criterion.orders]
    code = ""
    for digits, criterion in zip(profile.digits, ordering, strict=False):
        value = row.values.get(criterion.label, Fraction(0))
        scale = 1 if criterion.kind == "points" else 10**digits
        code += str(min(int(value * scale), 10**digits - 1)).zfill(digits)
    return code


def _players_of(event: Event, phase: int, rounds: Sequence[Round]) -> Sequence[Player]:
    if phase == 0:
        return event.players
    named = {
        player
        for one in rounds
        for result in one.results
        for player in (result.first, result.second)
    }
    return [player for player in event.players if player.id in named]


def _comparable(values: Sequence[Fraction]) -> list[int]:
    """Return whole numbers in the same order.

    Two fractions with denominators of at most b bits that differ do so by more than 2^-2b, so that
    the whole parts of their 2^2b-folds differ too, and whole numbers compare fast.
    """
    bits = 2 * max((value.denominator.bit_length() for value in values), default=0)
    return [(value.numerator << bits) // value.denominator for value in values]


def _split(groups: Groups, keys: Sequence[int] | Mapping[int, int]) -> Groups:
    """Return the groups split by their keys, the highest first."""
    found: Groups = []
    for group in groups:
        if len(group) == 1:
            found.append(group)
            continue
        by_key = defaultdict(list)
        for player in group:
            by_key[keys[player]].append(player)
        found += [by_key[key] for key in sorted(by_key, reverse=True)]
    return found


def _staged(
    sheet: Sheet,
    groups: Groups,
    criterion: Criterion,
    lots: str | None,
    values: dict[int, Fraction],
) -> Groups:
    """Return the groups split by a criterion that looks at one tied group as a whole."""
    found: Groups = []
    for group in groups:
        if len(group) == 1:
            found.append(group)
        elif criterion.kind == "h2h":
            found += _by_head_to_head(sheet, group, criterion, values)
        elif lots is None:
            found.append(group)
        else:
            found += _split([group], _lots(sheet, group, lots))
    return found


def _lots(sheet: Sheet, group: Iterable[int], seed: str) -> dict[int, int]:
    """Return a number for each player that follows from the seed and his id alone."""
    return {
        player: int.from_bytes(
            tagged_hash("kifu/lot", seed.encode(), sheet.players[player].id.encode()), "big"
        )
        for player in group
    }


def _by_head_to_head(
    sheet: Sheet, group: list[int], criterion: Criterion, values: dict[int, Fraction]
) -> Groups:
    """Return a tied group split by the points its members took from each other.

    Only if all of them met; groups that are left are looked at again among themselves. A cycle
    splits nothing.
    """
    if len(group) == 1 or len(group) > (criterion.tied_max or len(group)):
        return [group]
    inside = set(group)
    if any(len(inside & {*sheet.tallies[one].opponents}) < len(group) - 1 for one in group):
        return [group]
    points = {
        player: sum(one.points for one in sheet.entries[player] if one.opponent in inside)
        for player in group
    }
    values.update({player: Fraction(points[player], sheet.scoring.units) for player in group})
    parts = _split([group], points)
    if len(parts) == 1:
        return parts
    return [last for part in parts for last in _by_head_to_head(sheet, part, criterion, values)]


def _rows(
    sheet: Sheet,
    groups: Groups,
    values: Mapping[str, Sequence[Fraction]],
    staged: Mapping[str, Mapping[int, Fraction]],
) -> Iterable[Row]:
    """Yield the rows; ranks count all who stand before."""
    id_of: Callable[[int], str] = [player.id for player in sheet.players].__getitem__
    rank = 1
    for group in groups:
        for player in sorted(group, key=id_of):
            own = {label: found[player] for label, found in values.items()}
            own |= {label: found[player] for label, found in staged.items() if player in found}
            yield Row(
                rank=rank,
                player=id_of(player),
                name=sheet.players[player].name,
                points=Fraction(sheet.tallies[player].points, sheet.scoring.units),
                values=own,
                tied=len(group),
            )
        rank += len(group)
