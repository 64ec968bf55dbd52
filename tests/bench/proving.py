"""What integrity costs: sealing an event, verifying a file, bytes per event."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from service.aggregates.matches import Match, evolve
from service.catalogue import LoadedGame
from service.cli.simulating import simulated_match
from service.exchange import export_lines
from service.installation import Installation
from service.integrity.chain import Sealed
from service.integrity.linking import check_chain
from service.integrity.reading import read_file
from service.integrity.sealing import Chain, match_event_of
from service.offline import verify_lines
from tests.bench.timing import median_seconds, milliseconds

HEADINGS = (
    "game",
    "sealing an event",
    "of folding it",
    "reading and chain, events/s",
    "whole verification, actions/s",
    "stored event, bytes",
    "position, bytes",
)


def row(installation: Installation, game: LoadedGame) -> list[str]:
    """Return the costs for a simulated match of a game."""
    match = simulated_match(installation, game.sample, 3, 0, {}, "sample")
    lines = export_lines(installation, match, "judge")
    stored = list(installation.log.sealed_of(match.id, after=0, to=match.version))
    fold = median_seconds(lambda: _folded(game, match, stored), runs=3)
    seal = median_seconds(lambda: _sealed(installation, game, match, stored), runs=3)
    chain = median_seconds(lambda: check_chain(read_file(lines)), runs=3)
    whole = median_seconds(_verifying(installation, lines), runs=3)
    sizes = installation.log.rows("SELECT AVG(LENGTH(body)) FROM events WHERE stream = ?", match.id)
    position = installation.log.rows(
        "SELECT MAX(LENGTH(body)) FROM snapshots WHERE stream = ?", match.id
    )
    events = len(stored)
    return [
        game.edition.game,
        milliseconds(seal / events),
        f"{seal / fold:.1f}",
        f"{events / chain:.0f}",
        f"{match.actions / whole:.0f}",
        f"{sizes[0][0]:.0f}",
        f"{position[0][0]}",
    ]


def _folded(game: LoadedGame, match: Match, stored: Sequence[Sealed]) -> None:
    state = None
    for one in stored:
        state = evolve(state, match_event_of(one), game.sample.ruleset, match_id=match.id)


def _sealed(
    installation: Installation, game: LoadedGame, match: Match, stored: Sequence[Sealed]
) -> None:
    chain = Chain(
        match.id,
        None,
        game.sample.ruleset,
        origin=installation.log.installation(),
        salt_key=bytes(32),
    )
    for one in stored:
        chain.add(match_event_of(one))


def _verifying(installation: Installation, lines: list[bytes]) -> Callable[[], object]:
    return lambda: verify_lines(installation.catalogue, lines)
