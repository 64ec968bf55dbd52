"""Recompute what a file publishes and list every difference."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from msgspec import Struct

from service.event_files.forms import Published, ReadEvent
from service.standings.cuts import bracket_pairs, final_placing
from service.standings.profiles import Profile
from service.standings.records import Event
from service.standings.tables import Table, table_of

# Platforms publish seven digits or more.
NEAR = Fraction(2, 10**6)

# First and last place that a player may have: a tie that no criterion resolves has several.
Span: TypeAlias = tuple[int, int]


class Difference(Struct, frozen=True, kw_only=True):
    """Something that the file says otherwise. field: a short name, place, seed or cut."""

    player: str
    field: str
    published: str
    computed: str


def bracket_of(event: Event) -> int | None:
    """Return the index of the phase that is a bracket, or None."""
    found = (
        index for index, phase in enumerate(event.phases) if phase.kind == "single_elimination"
    )
    return next(found, None)


def differences(read: ReadEvent, profile: Profile) -> list[Difference]:
    """Return what differs between the file and its event computed under a profile.

    Places are compared with the table and with the final placing; the one that differs less is
    what the platform means, and the other is passed over. A place inside a tie that the profile
    leaves open does not differ.
    """
    table = table_of(read.event, profile)
    spans = {row.player: (row.rank, row.rank + row.tied - 1) for row in table.rows}
    found = [*_of_values(read, table), *_of_places(read, table, spans)]
    found += [
        Difference(
            player=player.id,
            field="seed",
            published=str(player.seed),
            computed=_shown(spans[player.id]),
        )
        for player in read.event.players
        if player.seed is not None and not _inside(player.seed, spans[player.id])
    ]
    return [*found, *_of_cut(read.event, table)]


def _of_values(read: ReadEvent, table: Table) -> Iterator[Difference]:
    rows = {row.player: row for row in table.rows}
    for published in read.published:
        row = rows.get(published.player)
        if row is None:
            yield Difference(
                player=published.player, field="player", published="listed", computed="unknown"
            )
            continue
        stated = dict(published.values)
        if published.points is not None:
            stated["points"] = published.points
        for name, value in stated.items():
            own = row.points if name == "points" else row.values.get(name)
            if own is not None and abs(own - value) > NEAR:
                yield Difference(
                    player=published.player,
                    field=name,
                    published=f"{float(value):.9g}",
                    computed=f"{float(own):.9g} ({own})",
                )


def _of_places(read: ReadEvent, table: Table, spans: Mapping[str, Span]) -> Sequence[Difference]:
    listed = defaultdict(list)
    for row in read.published:
        if row.place is not None and row.player in spans:
            listed[row.division].append(row)
    found = [_places_differ(listed.values(), spans)]
    bracket = bracket_of(read.event)
    if bracket is not None:
        final = {
            place.player: (place.place, place.place + place.tied - 1)
            for place in final_placing(read.event, table, bracket=bracket)
        }
        found.append(_places_differ(listed.values(), final))
    return min(found, key=len)


def _places_differ(
    lists: Iterable[Sequence[Published]], spans: Mapping[str, Span]
) -> list[Difference]:
    found = []
    for rows in lists:
        own = _among({row.player: spans[row.player] for row in rows})
        found += [
            Difference(
                player=row.player,
                field="place",
                published=str(row.place),
                computed=_shown(own[row.player]),
            )
            for row in rows
            if row.place is not None and not _inside(row.place, own[row.player])
        ]
    return found


def _among(spans: Mapping[str, Span]) -> dict[str, Span]:
    """Return the places as they are if only these players are counted."""
    groups = defaultdict(list)
    for player, (first, _) in spans.items():
        groups[first].append(player)
    found: dict[str, Span] = {}
    for first in sorted(groups):
        span = (len(found) + 1, len(found) + len(groups[first]))
        found |= dict.fromkeys(groups[first], span)
    return found


def _of_cut(event: Event, table: Table) -> Iterator[Difference]:
    """Compare the first round of a bracket with the pairs of its seeds; ties are left alone."""
    bracket = bracket_of(event)
    if not bracket or not event.phases[bracket].rounds:
        return
    results = event.phases[bracket].rounds[0].results
    meets = {result.first: result.second for result in results}
    meets |= {result.second: result.first for result in results if result.second is not None}
    rows = [row for row in table.rows if row.player in meets]
    tied = {row.player for row in rows if row.tied > 1}
    for first, second in bracket_pairs([row.player for row in rows]):
        if meets[first] != second and not tied & {first, second, meets[first]}:
            yield Difference(
                player=first,
                field="cut",
                published=meets[first] or "nobody",
                computed=second or "nobody",
            )


def _inside(place: int, span: Span) -> bool:
    return span[0] <= place <= span[1]


def _shown(span: Span) -> str:
    return str(span[0]) if span[0] == span[1] else f"{span[0]} to {span[1]}"
