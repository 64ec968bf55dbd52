"""Commands that run the service: serve, work, demo, migrate."""

from __future__ import annotations

import logging
import signal
import socket
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from threading import Event, Thread

import click
import structlog
from flask import Flask

from schemas.plain_logs import read_lines
from service.api.metrics import serve_metrics
from service.app import app_of
from service.cli.base import Context, progress
from service.cli.demo_rulings import DemoRuling, judge, read_rulings
from service.cli.demo_tournaments import DemoTournament, read_demo
from service.cli.holding import hold
from service.cli.running_match import play_beside
from service.installation import Installation
from service.server import Server, free_port
from service.settings import Settings
from service.worker import start_thread, work


@click.command("migrate")
@click.pass_obj
def migrate(context: Context) -> None:
    """Bring the tables of the database up to date."""
    context.migrate()
    installation = context.installation()
    installation.register_editions()
    installation.catch_up()
    click.echo("the database is up to date")


@click.command("serve")
@click.option("--host", help="Default KIFU_HOST or 127.0.0.1.")
@click.option("--port", type=click.IntRange(1, 65535), help="Default KIFU_PORT or 8000.")
@click.option("--work/--no-work", "with_work", default=True, help="Also do the background work.")
@click.pass_obj
def serve(context: Context, host: str | None, port: int | None, with_work: bool) -> None:
    """Serve pages and API."""
    settings = context.settings
    _serve(context, host or settings.host, port or settings.port, with_work=with_work)


@click.command("work")
@click.pass_obj
def work_alone(context: Context) -> None:
    """Do the background work: read models and snapshots follow the log."""
    stopped = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopped.set())
    installation = context.installation()
    _check_metrics_port(context.settings)
    measure(installation, context.settings)
    work(installation, stopped)


@click.command("demo")
@click.option("--load-only", is_flag=True, help="Load the matches, do not serve them.")
@click.pass_obj
def demo(context: Context, load_only: bool) -> None:
    """Load the recorded matches of every game, serve them, and play one that can be watched.

    One match of each game is there when the address is printed; the others, and the disputes and
    tournaments of the demo, follow meanwhile.
    """
    installation = context.installation()
    first, rest = demo_logs(installation)
    load_logs(installation, progress([*first, *rest] if load_only else first, "load the demo"))
    installation.catch_up()
    installation.close()
    if load_only:
        return
    host = context.settings.host
    try:
        port = free_port(host, context.settings.port)
    except OSError as fault:
        raise click.UsageError(str(fault)) from fault
    client = context.settings.seeds / "demo" / "client.py"
    show = partial(
        show_demo,
        client=client,
        address=f"http://{host}:{port}/",
        logs=rest,
        rulings=read_rulings(context.settings.seeds),
        tournaments=read_demo(context.settings.seeds),
    )
    _serve(context, host, port, beside=show, with_work=True)


def show_demo(
    installation: Installation,
    *,
    client: Path,
    address: str,
    logs: Iterable[Path],
    rulings: Iterable[DemoRuling],
    tournaments: Iterable[DemoTournament],
) -> None:
    """Have the running match played, print the addresses, load the rest."""
    # A line for each request of the client would drive the addresses off the screen.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    match = play_beside(installation, client, address)
    if match is not None:
        click.echo(f"A match that is being played: {match}")
    click.echo(f"Kifu: {address}")
    load_logs(installation, logs)
    for ruling in rulings:
        judge(installation, ruling)
    for tournament in tournaments:
        hold(installation, tournament)


def demo_logs(installation: Installation) -> tuple[list[Path], list[Path]]:
    """Return the first recorded log of every game that has any, and all the others."""
    games = [installation.catalogue.game(name) for name in installation.catalogue.names()]
    logs = [sorted(game.folder.glob("logs/*.plain.jsonl")) for game in games]
    first = [found[0] for found in logs if found]
    return first, [path for found in logs for path in found[1:]]


def load_logs(installation: Installation, logs: Iterable[Path]) -> None:
    """Import logs; loading again changes nothing."""
    for path in logs:
        with path.open("rb") as file:
            lines = list(read_lines(file))
        if not installation.log.version_of(installation.imported_id(lines)):
            installation.import_lines(lines)


def _serve(
    context: Context,
    host: str,
    port: int,
    *,
    with_work: bool,
    beside: Callable[[Installation], None] | None = None,
) -> None:
    """Serve; `beside` runs once in the serving process, and prints the address if it is there."""
    _check_port(host, port)
    _check_metrics_port(context.settings)
    # What is wrong with the database is said here; the process that serves could only fail.
    context.installation().close()

    def make_app() -> Flask:
        installation = context.installation()
        measure(installation, context.settings)
        app = app_of(installation, context.settings)
        if with_work:
            start_thread(installation)
        if beside is not None:
            Thread(target=beside, args=(installation,), daemon=True).start()
        return app

    def tell(address: str) -> None:
        if beside is None:
            click.echo(f"Kifu: {address}")

    streams = context.settings.live.web.streams
    Server(make_app, host=host, port=port, streams=streams, ready=tell).run()


def _check_metrics_port(settings: Settings) -> None:
    if settings.metrics_port is not None:
        _check_port(settings.host, settings.metrics_port)


def _check_port(host: str, port: int) -> None:
    """Raise a usage error that says why, if one cannot listen there."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as fault:
            raise click.UsageError(f"cannot listen on {host}:{port}: {fault.strerror}") from fault


def measure(installation: Installation, settings: Settings) -> None:
    """Answer Prometheus on a port of its own, if there is to be one."""
    if settings.metrics_port is not None:
        serve_metrics(installation, host=settings.host, port=settings.metrics_port)


COMMANDS = (serve, work_alone, demo, migrate)
