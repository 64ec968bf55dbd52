"""Static skills and passing changes at work in a position (HG-412, HG-935, HG-940; spec 6.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from service.engine.values import Json, Position
from service.rulesets.hagmi.conditions import holds, number
from service.rulesets.hagmi.definitions import Pool
from service.rulesets.hagmi.selection import Context, selected
from service.rulesets.hagmi.table import Change, Table, in_order, lying, with_borne


@dataclass(slots=True, kw_only=True)
class Board(Table):
    """A table that finds the changes at work in its position when they are first asked for."""

    @property
    def changes(self) -> Sequence[Change]:
        """The changes of static skills by `seq` of their bearers, then the passing ones."""
        if self.known_changes is None:
            self.known_changes = _changes_in(self.pool, self.position)
        return self.known_changes


def _changes_in(pool: Pool, position: Position) -> list[Change]:
    """Find all changes; what a static skill looks at is judged without static skills."""
    passing = [_passing(mod) for mod in position["mods"] if "stat" in mod]
    bare = Table(pool=pool, position=position, known_changes=passing)
    return [*_static_changes(bare), *passing]


def _passing(mod: Json) -> Change:
    return Change(
        cards=frozenset((mod["card"],)),
        stat=mod["stat"],
        by=mod.get("by", 0),
        times=mod.get("times"),
        replaces=mod.get("set"),
    )


def _static_changes(bare: Table) -> Iterator[Change]:
    with_statics = bare.pool.with_statics
    found = with_borne(lying(bare.position))
    bearers = [item for item in found if item[2]["card"] in with_statics and not item[2]["down"]]
    for side, card, entry in in_order(bearers):
        context = Context(source=card, player=side)
        for effect in bare.pool.cards[entry["card"]].effects_when("static"):
            if holds(bare, context, effect.condition):
                for operation in effect.operations:
                    if holds(bare, context, operation.get("if")):
                        yield _static(bare, context, operation)


def _static(bare: Table, context: Context, operation: Json) -> Change:
    return Change(
        cards=frozenset(selected(bare, context, operation["what"])),
        stat=operation["stat"],
        by=number(bare, context, operation.get("by", 0)),
        times=number(bare, context, operation["times"]) if "times" in operation else None,
        replaces=number(bare, context, operation["set"]) if "set" in operation else None,
    )
