"""The command that serves spectators alone: `kifu live`."""

from __future__ import annotations

import resource
from types import FrameType

import click

from service.cli.base import Context

STOPPED_S = 3
WAITING_MAX = 4_096
"""Connections that wait to be accepted: spectators come at once when a final begins."""


@click.command("live")
@click.option("--host", help="Default KIFU_LIVE_HOST or 127.0.0.1.")
@click.option("--port", type=click.IntRange(1, 65535), help="Default KIFU_LIVE_PORT or 8001.")
@click.pass_obj
def live(context: Context, host: str | None, port: int | None) -> None:
    """Serve the live streams of matches to many spectators, without tokens."""
    try:
        import uvicorn

        from service.asgi import asgi_app
    except ModuleNotFoundError as fault:
        raise click.UsageError("`kifu live` needs `pip install 'kifu[live]'`") from fault
    settings = context.settings.live
    app, followed = asgi_app(context.installation(), settings.spectators)

    class Server(uvicorn.Server):
        """A server that says where it listens, and ends the streams when it is told to stop."""

        async def startup(self, *given: object, **more: object) -> None:
            """Listen."""
            await super().startup(*given, **more)  # type: ignore[arg-type]  # as it was given
            click.echo(f"Kifu live: http://{self.config.host}:{self.config.port}/")

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            """Stop."""
            followed.stop()
            super().handle_exit(sig, frame)

    allow_files()
    Server(
        uvicorn.Config(
            app,
            host=host or settings.host,
            port=port or settings.port,
            log_level="warning",
            access_log=False,
            # A header like `X-Forwarded-For` is whatever its sender wrote.
            proxy_headers=False,
            backlog=WAITING_MAX,
            timeout_graceful_shutdown=STOPPED_S,
        )
    ).run()


def allow_files() -> None:
    """Let the process have as many connections as the system lets it have."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


COMMANDS = (live,)
