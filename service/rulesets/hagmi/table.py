"""The table: sides, battlefields and where cards lie (HG-207, HG-208, HG-230; spec 1 and 3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from service.engine.values import Json, Position
from service.rulesets.hagmi.definitions import Definition, Effect, Pool

PLAYERS = ("P1", "P2", "P3", "P4")
MB = "MB"
VERSUS = "versus"
MACHINE_BEAST = "machine_beast"
MODES = (VERSUS, MACHINE_BEAST)
InPlay: TypeAlias = tuple[str, str, Json]
"""Side, card and entry of a card on a battlefield."""

BEAST_PILES = ("deck", "charge_units")
PILES = ("hand", "discard", "secret", "weapon_deck", "operation_deck", "damage_deck", "removed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One modification at work on some cards, of a static skill or for a while (HG-940)."""

    cards: frozenset[str]
    stat: str
    by: int = 0
    times: int | None = None
    replaces: int | None = None


@dataclass(slots=True, kw_only=True)
class Table:
    """A position with the pool it is played with."""

    pool: Pool
    position: Position
    known_changes: Sequence[Change] | None = None

    @property
    def changes(self) -> Sequence[Change]:
        """The changes at work in the position, as far as they are known."""
        return self.known_changes or ()


def is_versus(position: Position) -> bool:
    """Tell whether two players play against each other."""
    return bool(position["mode"] == VERSUS)


def living(position: Position) -> list[str]:
    """Return the players who have not lost, in `order`."""
    players = position["players"]
    return [player for player in position["order"] if not players[player]["lost"]]


def active_first(position: Position) -> list[str]:
    """Return the living players, the active one first; the others keep their order."""
    active = position["active"]
    return sorted(living(position), key=lambda player: player != active)


def battlefields(position: Position) -> list[tuple[str, dict[str, Json]]]:
    """Return sides and battlefields that count; a fallen comrade's cards are gone (HG-958)."""
    players = position["players"]
    if is_versus(position):
        return [(player, players[player]["field"]) for player in position["order"]]
    found = [(player, players[player]["field"]) for player in living(position)]
    return [*found, (MB, position["beast"]["field"])]


def sides(position: Position) -> list[str]:
    """Return the sides whose battlefields count."""
    return [side for side, _ in battlefields(position)]


def opponents(position: Position, side: str) -> list[str]:
    """Return the opponents of a side: the other player, the beasts, or all living players."""
    if is_versus(position):
        return [player for player in position["order"] if player != side]
    return living(position) if side == MB else [MB]


def field_of(position: Position, side: str) -> dict[str, Json]:
    """Return the battlefield of a side: card id → entry."""
    field: dict[str, Json] = _place_of(position, side)["field"]
    return field


def pile_of(position: Position, side: str, zone: str) -> list[str]:
    """Return a pile of a side, top first; one that the side does not have is empty."""
    pile: list[str] = _place_of(position, side).get(zone, [])
    return pile


def _place_of(position: Position, side: str) -> Json:
    return position["beast"] if side == MB else position["players"][side]


def controller_of(position: Position, card: str) -> str | None:
    """Return the side on whose battlefield a card lies, held by nobody; or None."""
    return next((side for side, field in battlefields(position) if card in field), None)


def entry_of(position: Position, card: str) -> Json:
    """Return the entry of a card that lies on a battlefield, held by nobody; or None."""
    return next((field[card] for _, field in battlefields(position) if card in field), None)


def owner_of(position: Position, card: str) -> str:
    """Return the owner of a card (HG-934)."""
    return str(position["cards"][card]["owner"])


def definition_of(table: Table, card: str) -> Definition:
    """Return the definition of an instance."""
    return table.pool.cards[table.position["cards"][card]["card"]]


def effect_of(table: Table, card: str, effect: str) -> Effect:
    """Return an effect of a card; a skill of a mothership may outlive the turning of its face."""
    definition = definition_of(table, card)
    if effect not in definition.effects:
        definition = table.pool.cards[table.pool.fronts[definition.id]]
    return definition.effects[effect]


def by_seq(field: Mapping[str, Json]) -> list[tuple[str, Json]]:
    """Return the entries of a map of cards in the order of their entering."""
    return sorted(field.items(), key=_seq)


def _seq(item: tuple[str, Json]) -> int:
    return int(item[1]["seq"])


def lying(position: Position) -> list[InPlay]:
    """Return all cards on the battlefields, held by nobody, in no order."""
    return [
        (side, card, entry)
        for side, field in battlefields(position)
        for card, entry in field.items()
    ]


def in_play(position: Position) -> list[InPlay]:
    """Return all cards on the battlefields, held by nobody, by `seq`."""
    return in_order(lying(position))


def skill_bearers(position: Position) -> list[InPlay]:
    """Return the cards whose skills are in play, by `seq`: what lies there and what units bear."""
    return in_order(with_borne(lying(position)))


def with_borne(found: Sequence[InPlay]) -> list[InPlay]:
    """Return cards on the battlefields and the armaments that they bear."""
    borne = [
        (side, armament, held)
        for side, _, entry in found
        for armament, held in entry["armaments"].items()
    ]
    return [*found, *borne]


def in_order(found: Iterable[InPlay]) -> list[InPlay]:
    """Return cards in the order of their entering, by `seq`."""
    return sorted(found, key=_entered)


def _entered(item: InPlay) -> int:
    return int(item[2]["seq"])


def bearer_of(position: Position, armament: str) -> str | None:
    """Return the unit that bears an armament on a battlefield, or None (HG-217)."""
    bearers = (card for _, card, entry in lying(position) if armament in entry["armaments"])
    return next(bearers, None)


def skill_entry(position: Position, card: str) -> tuple[str, Json] | None:
    """Return controller and entry of a card whose skills are in play, or None."""
    for side, field in battlefields(position):
        if card in field:
            return side, field[card]
    for side, bearer, entry in with_borne(lying(position)):
        if bearer == card:
            return side, entry
    return None


def held_as(position: Position, card: str) -> str | None:
    """Tell how a card is held on a battlefield: armaments, fuel or stored; None if it is not."""
    return next(
        (
            kind
            for _, _, entry in lying(position)
            for kind, held in held_under(entry)
            if held == card
        ),
        None,
    )


def held_under(entry: Json) -> Iterator[tuple[str, str]]:
    """Yield (kind of holding, card) for everything that an entry holds, at any depth (HG-423)."""
    for card in entry["fuel"]:
        yield "fuel", card
    for kind in ("stored", "armaments"):
        for card, held in entry[kind].items():
            yield kind, card
            yield from held_under(held)


def pile_with(position: Position, card: str) -> str | None:
    """Return the pile of its owner in which a card lies, or None."""
    owner = owner_of(position, card)
    return next((zone for zone in PILES if card in pile_of(position, owner, zone)), None)


def cards_in(pool: Pool, position: Position) -> dict[str, Json]:
    """Return every card that lies somewhere: its definition and its owner.

    A mothership is known by its front face. Tokens are made and vanish (HG-271, HG-272), so they
    are left out.
    """
    found = {}
    for card in _lying_anywhere(position) if position else ():
        known = position["cards"][card]
        if pool.cards[known["card"]].kind != "token":
            found[card] = {**known, "card": pool.fronts.get(known["card"], known["card"])}
    return found


def _lying_anywhere(position: Position) -> Iterator[str]:
    for side in (*position["players"], MB):
        for zone in (*PILES, *BEAST_PILES):
            yield from pile_of(position, side, zone)
        for card, entry in field_of(position, side).items():
            yield card
            yield from (held for _, held in held_under(entry))
    for link in position["chain"]:
        if link["t"] == "play":
            yield from (link["card"], *link["pay"])


def is_unit(table: Table, card: str) -> bool:
    """Tell whether a card on a battlefield can fight; facilities cannot (HG-222, HG-930)."""
    return entry_of(table.position, card) is not None and definition_of(table, card).is_unit


def is_own_unit(table: Table, side: str, card: str) -> bool:
    """Tell whether a card is a unit on the battlefield of a side."""
    return card in field_of(table.position, side) and definition_of(table, card).is_unit
