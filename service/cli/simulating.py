"""The command `simulate`: random legal matches, several at once."""

from __future__ import annotations

import hashlib
import time
import uuid
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import click

from schemas.strict import canonical
from service.aggregates.matches import Match
from service.catalogue import SAMPLE, Pool
from service.cli.base import Context, cards_option, json_option, progress, say
from service.cli.games import game_named
from service.commands.simulations import (
    simulate,
    simulated_seat,
    simulated_secrets,
    simulated_setup,
    simulation_key,
)
from service.engine.values import Json
from service.installation import NAMESPACE, Installation, clock

PLAYED_AT_ONCE = 4
"""Matches played side by side, so that their actions share durable commits."""


@click.command("simulate")
@click.option("--ruleset", "game", required=True, help="The game.")
@click.option("--games", type=click.IntRange(1), default=1, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--mode", help="A mode of the game.")
@click.option("--seats", type=click.IntRange(1, 4), help="Number of players.")
@cards_option
@json_option
@click.pass_obj
def simulate_matches(
    context: Context,
    game: str,
    games: int,
    seed: int,
    mode: str | None,
    seats: int | None,
    cards: Sequence[tuple[str, Path]],
    as_json: bool,
) -> None:
    """Play random legal matches and store them; the output depends on the seed alone."""
    installation = context.installation(dict(cards))
    game_named(installation.catalogue, game)
    pool_name = cards[0][0] if cards else SAMPLE
    options = {"mode": mode, "seats": seats}
    chosen = {key: value for key, value in options.items() if value is not None}
    pool = installation.named_pool(game, pool_name)
    begun, actions = time.monotonic(), 0

    def play(number: int) -> Match:
        return simulated_match(installation, pool, seed, number, chosen, pool_name)

    with ThreadPoolExecutor(PLAYED_AT_ONCE) as players:
        matches = players.map(play, range(games))
        try:
            for number, match in enumerate(progress(matches, f"simulate {game}", total=games)):
                actions += match.actions
                _tell(number, match, as_json=as_json)
        except ValueError as fault:
            players.shutdown(cancel_futures=True)
            raise click.UsageError(str(fault)) from fault
    seconds = time.monotonic() - begun
    click.echo(
        f"{games / seconds:.1f} games/s, {actions / seconds:.0f} actions/s, stored", err=True
    )


def simulated_match(
    installation: Installation,
    pool: Pool,
    seed: int,
    number: int,
    options: Mapping[str, Json],
    pool_name: str,
) -> Match:
    """Play a simulated match of an installation, or find it played; return its last state."""
    game = pool.ruleset.game
    key = simulation_key(game, seed, number)
    setup = simulated_setup(pool.ruleset, key, options)
    label = canonical([game, pool.digest, seed, number, dict(options)]).decode()
    seats = sorted(setup["decks"])
    command = installation.open_command(
        str(uuid.uuid5(NAMESPACE, f"simulation {label}")),
        pool,
        cards=pool_name,
        kind="simulated",
        seats=installation.named_seats({seat: f"Simulated {seat}" for seat in seats}),
        secrets=simulated_secrets(key),
    )
    fixed = {name: value for name, value in setup.items() if name != "decks"}
    clients = [
        simulated_seat(key, seat, setup["decks"][seat], canonical(setup["decks"][seat]))
        for seat in seats
    ]
    return simulate(
        installation.log, replace(command, setup=fixed, source=label), clients, clock=clock
    )


def _tell(number: int, match: Match, *, as_json: bool) -> None:
    assert match.closed is not None
    outcome = match.outcome
    assert outcome is not None
    body = {
        "game": number,
        "match": match.id,
        "actions": match.actions,
        "winner": outcome["winner"],
        "reason": outcome["reason"],
        "position_digest": hashlib.sha256(canonical(match.position)).hexdigest(),
    }
    if as_json:
        say(body)
    else:
        click.echo("  ".join(str(value) for value in body.values()))


COMMANDS = (simulate_matches,)
