"""The tournaments of the demo: commands as data."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct, convert

from schemas.strict import read_yaml
from service.aggregates.tournaments.events import Credit, Phase
from service.engine.hashes import tagged_hash
from service.installation import NAMESPACE

FILE = Path("demo") / "tournament.yaml"


class Player(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player. deck: its name in the pool; enters: before which round."""

    id: str
    name: str
    deck: str
    enters: int = 1


class Drop(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player leaves."""

    player: str
    after_round: int
    reason: str


class Claim(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The first player of a table reports a game before its log is there.

    confirmed: the second says the same. amended: why staff puts what the log says in its place.
    """

    round: int
    table: int
    winner: Literal["first", "second"]
    confirmed: bool = False
    amended: str | None = None


class DemoTournament(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A tournament as commands. seed: of everything that is drawn in it."""

    id: str
    name: str
    game: str
    profile: str
    late: Credit
    seed: int
    phases: tuple[Phase, ...]
    players: tuple[Player, ...]
    drops: tuple[Drop, ...] = ()
    claims: tuple[Claim, ...] = ()

    @property
    def tournament_id(self) -> str:
        """The id under which it is held, the same in every installation."""
        return str(uuid.uuid5(NAMESPACE, f"demo tournament {self.id}"))

    def drawn(self, label: str) -> str:
        """Return a seed for one purpose, 32 bytes in hexadecimal."""
        parts = (self.id.encode(), str(self.seed).encode(), label.encode())
        return tagged_hash("kifu-demo-tournament", *parts).hex()


class DemoFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file of the demo."""

    tournaments: tuple[DemoTournament, ...]


def read_demo(seeds: Path) -> Sequence[DemoTournament]:
    """Return the tournaments of the demo; raises `Unreadable`, `msgspec.ValidationError`."""
    return convert(read_yaml((seeds / FILE).read_bytes()), DemoFile).tournaments
