"""What a viewer sees of a position (FM-721, FM-916)."""

from __future__ import annotations

from service.engine.values import JUDGE, Json, Position, View, Viewer
from service.rulesets.formation.cards import Cards
from service.rulesets.formation.position import PLAYERS, place_of


def view(position: Position, viewer: Viewer) -> View:
    """Return a position without the hands of others and the order of the decks.

    Because an id tells the card, hidden places hold null and `pieces` leaves hidden pieces out.
    """
    if viewer == JUDGE:
        return position
    seen = {player: _seen(position[player], is_own=player == viewer) for player in PLAYERS}
    visible = {piece for player in PLAYERS for piece in _visible(seen[player])}
    pieces = {piece: entry for piece, entry in position["pieces"].items() if piece in visible}
    return position | seen | {"pieces": pieces}


def _seen(own: Json, *, is_own: bool) -> Json:
    hand = own["hand"] if is_own else hidden(own["hand"])
    return own | {"hand": hand, "deck": hidden(own["deck"])}


def hidden(pieces: Json) -> list[None]:
    """Return a list of as many nulls."""
    return [None] * len(pieces)


def _visible(seen: Json) -> list[str]:
    on_board = [entry["piece"] for entry in seen["board"].values()]
    in_line = [unit["id"] for unit in seen["line"] if unit is not None]
    in_hand = [piece for piece in seen["hand"] if piece is not None]
    return [*on_board, *in_line, *in_hand, *seen["fallen"], *seen["removed"]]


def definition_of(cards: Cards, seen: View, reference: Json) -> str | None:
    """Return the card that a piece, a unit, a definition id or an entry with `card` stands for.

    None for what is hidden from this view or unknown.
    """
    if isinstance(reference, dict):
        reference = reference.get("card", reference.get("piece"))
    if not isinstance(reference, str):
        return None
    if reference in seen["pieces"]:
        return str(seen["pieces"][reference]["card"])
    place = place_of(seen, reference)
    if place is not None:
        player, index = place
        return str(seen[player]["line"][index]["card"])
    return reference if reference in cards else None
