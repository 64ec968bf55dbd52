"""Commands on editions: list, show, withdraw."""

from __future__ import annotations

import click
import msgspec

from service.aggregates.world import WorldFault
from service.cli.base import Context, say
from service.commands.editions import editions_of, withdraw_edition
from service.engine.values import Json
from service.installation import Installation, clock


@click.group("editions")
def editions_group() -> None:
    """What matches pin when they open: rules, cards and the engine that decides."""


@editions_group.command("list")
@click.argument("game", required=False)
@click.pass_obj
def list_editions(context: Context, game: str | None) -> None:
    """List the editions of every game, or of one."""
    installation = context.installation()
    for name in installation.catalogue.names() if game is None else [game]:
        for body in _bodies(installation, name):
            state = "withdrawn" if body["withdrawn"] else "in use"
            click.echo(f"{body['edition']}  engine {body['engine']}  {state}  {body['time']}")
            for revised in body["revisions"]:
                click.echo(f"{revised['edition']}  other words  {revised['time']}")


@editions_group.command("show")
@click.argument("edition", metavar="GAME@NUMBER")
@click.pass_obj
def show_edition(context: Context, edition: str) -> None:
    """Show an edition with its digests."""
    game, number = _parted(edition)
    bodies = [one for one in _bodies(context.installation(), game) if one["number"] == number]
    if not bodies:
        raise click.UsageError(f"no edition {edition}")
    say(bodies[0])


@editions_group.command("withdraw")
@click.argument("edition", metavar="GAME@NUMBER")
@click.option("--reason", required=True, help="Said wherever the edition is met.")
@click.option("--successor", type=int, help="The number to use instead.")
@click.pass_obj
def withdraw(context: Context, edition: str, reason: str, successor: int | None) -> None:
    """Let no new match use an edition; those that are open finish under it."""
    game, number = _parted(edition)
    log = context.installation().log
    try:
        withdraw_edition(log, game, number, reason=reason, successor=successor, now=clock())
    except WorldFault as fault:
        raise click.UsageError(str(fault)) from fault
    click.echo(f"{edition} is withdrawn")


def _parted(edition: str) -> tuple[str, int]:
    game, _, number = edition.partition("@")
    if not number.isdigit():
        raise click.UsageError(f"{edition!r} is not GAME@NUMBER")
    return game, int(number)


def _bodies(installation: Installation, game: str) -> list[dict[str, Json]]:
    known = editions_of(installation.log, game)
    return [
        {
            **msgspec.to_builtins(one),
            "edition": f"{game}@{one.number}",
            "revisions": [
                {
                    "edition": f"{game}@{one.number}.{revised.revision}",
                    "texts_digest": revised.texts_digest,
                    "time": revised.time,
                }
                for revised in known.revised.get(one.number, ())
            ],
            "withdrawn": msgspec.to_builtins(known.withdrawn.get(one.number)),
        }
        for one in known.registered
    ]


COMMANDS = (editions_group,)
