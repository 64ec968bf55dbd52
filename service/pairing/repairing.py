"""A published round paired again after a drop or a late entry, with as few new tables as can be."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import msgspec

from service.pairing import exact
from service.pairing.byes import bye_reasons, candidates
from service.pairing.fields import (
    Field,
    Options,
    Pair,
    Pairing,
    Player,
    TableReason,
    Unpairable,
    Why,
    drawn,
    field_of,
)
from service.pairing.objective import score, table_score, units_of
from service.pairing.swiss import explained, parted, refusal

WINDOW = 8
"""How many places around somebody without opponent are looked at if those do not do alone."""
CANDIDATES = 8
"""How many candidates for a bye are looked at beside those in the window."""


class Repair(msgspec.Struct, frozen=True, kw_only=True):
    """A round paired again. fallen: published tables that are no more; new: those that were not.

    Tables that stay are in their order, new ones in the places of fallen ones.
    """

    pairing: Pairing
    fallen: tuple[tuple[str, str], ...]
    new: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A part of the field paired anew, as places. value: what is compared between two changes.

    value: rematches made, byes that who has the bye had before, new tables and new byes.
    """

    tables: list[Pair]
    byes: list[int]
    value: tuple[int, int, int]


def pair_again(
    published: Pairing, players: Iterable[Player], options: Options
) -> Repair | Unpairable:
    """Pair a round again for the players as they are before it, with drops and late entries.

    First no more rematches than must be and no second bye while another has none, then as few new
    tables as can be, then the objective of a round. A published table stays even if it is a
    rematch. Beyond `exact.DENSE_MAX` players it is looked for near those without opponent.
    """
    given, to_pair = parted(players, options)
    refused = refusal(len(to_pair), options.byes_max)
    if refused is not None:
        return refused
    field = field_of(drawn(to_pair, options.seed))
    place_of = {name: place for place, name in enumerate(field.ids)}
    standing = [
        (min(pair), max(pair))
        for pair in (
            (place_of[one], place_of[other])
            for one, other in published.tables
            if one in place_of and other in place_of
        )
    ]
    order = candidates(field, options.seed)
    had_it = [place_of[name] for name in published.byes if name in place_of]
    change = _change(field, standing, order, had_it)
    seated = {place for table in change.tables for place in table}
    kept = [table for table in standing if seated.isdisjoint(table)]
    tables = kept + change.tables
    pairing = explained(field, tables, bye_reasons(field, order, change.byes, "few_changes"), given)
    return _in_place(published, pairing)


def _change(
    field: Field, standing: Sequence[Pair], order: Sequence[int], had_it: Collection[int]
) -> Change:
    """Pair anew, in windows that grow while that helps."""
    seated = {place for table in standing for place in table}
    free = [place for place in field.members() if place not in seated]
    if not free:
        return Change(tables=[], byes=[], value=(0, 0, 0))
    byes = len(field.ids) % 2
    asked = order[: CANDIDATES * byes]
    width = len(field.ids) if len(field.ids) <= exact.DENSE_MAX else 0
    best: Change | None = None
    while True:
        near = {place for middle in free for place in range(middle - width, middle + width + 1)}
        near.update(asked)
        opened = [table for table in standing if not near.isdisjoint(table)]
        members = sorted(free + [place for table in opened for place in table])
        found = _anew(field, members, opened, order, had_it)
        if best is not None and best.value[0] == 0 and found.value >= best.value:
            return best
        best = found
        is_least = found.value == (0, 0, (len(free) - byes) // 2 + byes * (not had_it))
        if is_least or len(members) == len(field.ids) or len(members) > exact.DENSE_MAX:
            return best
        width = max(2 * width, WINDOW)


def _anew(
    field: Field,
    members: Sequence[int],
    opened: Sequence[Pair],
    order: Sequence[int],
    had_it: Collection[int],
) -> Change:
    """Pair these members as one; a table that was opened may come back for nothing."""
    part = field_of(field.players[place] for place in members)
    local = {place: index for index, place in enumerate(members)}
    before = {(local[one], local[other]) for one, other in opened}
    byes = len(field.ids) % 2
    units = units_of(part, byes)

    def price(one: int, other: int) -> int:
        value = table_score(part, one, other)
        if (one, other) in before:
            return units.of(value._replace(rematches=0))
        return units.of(value) + units.new_table

    asked = [place for place in order if place in local]
    prices = {
        local[place]: field.players[place].byes * units.bye_had
        + units.new_table * (place not in had_it)
        + units.candidate * rank
        for rank, place in enumerate(asked)
    }
    tables, chosen = exact.cheapest_round(part, price, prices, byes, before)
    new = [table for table in tables if table not in before]
    rematches = score(part, new).rematches
    places = [members[index] for index in chosen]
    had = sum(field.players[place].byes for place in places)
    moved = sum(place not in had_it for place in places)
    return Change(
        tables=[(members[one], members[other]) for one, other in tables],
        byes=places,
        value=(rematches, had, len(new) + moved),
    )


def _in_place(published: Pairing, pairing: Pairing) -> Repair:
    """Put the tables into the order of the published ones."""
    reasons = {
        frozenset(table): (table, reason)
        for table, reason in zip(pairing.tables, pairing.why.tables, strict=True)
    }
    old = [frozenset(table) for table in published.tables]
    new = [table for table in reasons if table not in set(old)]
    unplaced = iter(new)
    places = [table if table in reasons else next(unplaced, None) for table in old]
    in_order = [table for table in (*places, *unplaced) if table is not None]
    named = {frozenset(table): table for table in published.tables}
    why = [_named_as(named.get(table), *reasons[table]) for table in in_order]
    return Repair(
        pairing=Pairing(
            tables=tuple(table for table, _ in why),
            byes=pairing.byes,
            why=Why(tables=tuple(reason for _, reason in why), byes=pairing.why.byes),
        ),
        fallen=tuple(table for table in published.tables if frozenset(table) not in reasons),
        new=tuple(reasons[table][0] for table in new),
    )


def _named_as(
    published: tuple[str, str] | None, table: tuple[str, str], reason: TableReason
) -> tuple[tuple[str, str], TableReason]:
    """Name the players of a table that stays in the order that was published."""
    if published is None or published == table:
        return table, reason
    return published, msgspec.structs.replace(reason, points=reason.points[::-1])
