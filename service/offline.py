"""What needs the games but no database: audits of plain logs, verifications of exchange files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from schemas.plain_logs import ReadLine
from service.catalogue import SAMPLE, Catalogue, Pool, SeedRefused, UnknownGame
from service.engine.contract import Ruleset
from service.engine.plain_logs import Audit, Line, audit
from service.engine.values import Json
from service.integrity.report import Report
from service.integrity.signing import SignedReceipt
from service.integrity.verify import verify

Pools = Mapping[str, Path]
"""Name → file of the card pools that an organizer brought."""


def named_pool(catalogue: Catalogue, pools: Pools, game: str, name: str) -> Pool:
    """Return a game's pool: its sample, or a brought one; raises LookupError, `SeedRefused`."""
    if name in pools:
        return catalogue.read_pool(game, pools[name])
    if name == SAMPLE:
        return catalogue.game(game).sample
    raise LookupError(f"the card pool {name!r} is not here (give it with --cards {name}=FILE)")


def audit_lines(
    catalogue: Catalogue, pools: Pools, lines: Sequence[ReadLine], pool: Pool | None = None
) -> Audit:
    """Audit a plain log; nothing is stored. pool: the cards, if they came along."""

    def find(header: Mapping[str, Json]) -> Ruleset:
        if pool is not None:
            return pool.ruleset
        if not isinstance(header["ruleset"], str) or not isinstance(header["cards"], str):
            raise LookupError("ruleset and cards are names")
        try:
            return named_pool(catalogue, pools, header["ruleset"], header["cards"]).ruleset
        except (UnknownGame, SeedRefused) as fault:
            raise LookupError(str(fault)) from fault

    return audit((Line(*line) for line in lines), find)


def verify_lines(
    catalogue: Catalogue,
    lines: Sequence[bytes],
    *,
    trusted: Sequence[str] = (),
    receipt: SignedReceipt | None = None,
) -> Report:
    """Verify an exchange file with the cards that it brings; they are used for it alone."""

    def bind(game: str, engine: int, cards: Json) -> Ruleset:
        return foreign_pool(catalogue, game, engine, cards).ruleset

    return verify(lines, bind, trusted=trusted, receipt=receipt)


def foreign_pool(catalogue: Catalogue, game: str, engine: int, cards: Json) -> Pool:
    """Bind a game to cards of a foreign file, which are not registered.

    Raises LookupError if the game, its engine or the cards cannot be used here.
    """
    try:
        loaded = catalogue.game(game)
    except UnknownGame as fault:
        raise LookupError(f"the game {game!r} is not here") from fault
    if not loaded.game.oldest_engine <= engine <= loaded.edition.engine:
        raise LookupError(f"engine {engine} of {game} is no longer here")
    faults = loaded.game.pool_faults(cards)
    if faults:
        raise LookupError(f"cards that cannot be used: {faults[0].place}: {faults[0].text}")
    return loaded.bound(cards)
