"""The running decision: the position so far, the facts that led to it, the draws (10)."""

from __future__ import annotations

from collections.abc import Sequence

from service.engine.draws import Draws
from service.engine.values import Fact, Json, Position
from service.rulesets.hi_story.cards import Pool
from service.rulesets.hi_story.evolve import evolve
from service.rulesets.hi_story.standing import Scene
from service.rulesets.hi_story.table import PLAYERS, other


class Step:
    """One decision while it is made. The position before it is never touched."""

    def __init__(self, scene: Scene, draws: Draws) -> None:
        """Begin in the position of `scene`, with `draws` for whatever is left to chance."""
        self.draws = draws
        self.facts: list[Fact] = []
        self._scene = scene

    @property
    def pool(self) -> Pool:
        """The definitions."""
        return self._scene.pool

    @property
    def position(self) -> Position:
        """The position after the facts so far."""
        return self._scene.position

    @property
    def scene(self) -> Scene:
        """That position as the rules read it."""
        return self._scene

    def emit(self, fact: str, rules: Sequence[str], /, **fields: Json) -> None:
        """Add a fact, whose position is the present one from here on."""
        stated = {"fact": fact, **fields, "rules": list(rules)}
        self.facts.append(stated)
        self._scene = self._scene.after(evolve(self.position, stated))

    def shuffle(self, player: str, zone: str, rule: str) -> None:
        """Shuffle a pile that is not empty."""
        cards = self.position["players"][player][zone]
        if cards:
            order = self.draws.shuffle(f"{player}.{zone}", cards)
            self.emit("zone_shuffled", [rule], player=player, zone=zone, order=order)

    def draw(self, player: str, number: int, rule: str, reason: str) -> None:
        """Let a player draw cards from the top, at most what the deck holds (HS-941).

        No fact if none moves; a hand may hold any number (HS-202).
        """
        cards = self.position["players"][player]["deck"][:number]
        if cards:
            self.emit("cards_drawn", [rule], player=player, cards=cards, reason=reason)

    def mill(self, player: str, number: int, rule: str) -> None:
        """Send cards from the top of a deck to the graveyard, face down (HS-641, HS-941).

        At most what the deck holds; no fact if none moves.
        """
        cards = self.position["players"][player]["deck"][:number]
        if cards:
            self.emit("cards_milled", [rule, "HS-710"], player=player, cards=cards)

    def test_decks(self) -> None:
        """End the game if a deck, the life of its player, is empty (HS-101, HS-102, HS-103).

        Whatever the cause (HS-901); both decks at once make a draw (HS-904).
        """
        lost = [player for player in PLAYERS if not self.position["players"][player]["deck"]]
        if len(lost) == len(PLAYERS):
            self._end("draw", ["HS-101", "HS-104", "HS-904"])
        elif lost:
            self._end(other(lost[0]), ["HS-101", "HS-104"])

    def _end(self, winner: str, rules: Sequence[str]) -> None:
        self.emit("game_ended", rules, winner=winner, reason="deck_out")

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.position["result"] is not None
