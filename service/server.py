"""The web server: gunicorn around the app; one process, many threads."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from types import FrameType
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication

from service.api.wiring import followed_in

PORTS_TRIED = 50
THREADS = 16
"""For requests that are answered at once; each stream has one of its own."""
CONNECTIONS = 1_000
STOPPING = (signal.SIGTERM, signal.SIGQUIT, signal.SIGINT)


class Server(BaseApplication):
    """Serves the app that `make_app` returns; it is made in the process that serves."""

    def __init__(
        self,
        make_app: Callable[[], Flask],
        *,
        host: str,
        port: int,
        streams: int,
        ready: Callable[[str], None],
    ) -> None:
        """Listen on host and port; `ready` is called with the address once it answers.

        streams: how many may be open beside other requests.
        """
        self._make_app = make_app
        self._options = {
            "bind": f"{host}:{port}",
            "worker_class": "gthread",
            "workers": 1,
            "threads": THREADS + streams,
            "worker_connections": CONNECTIONS + streams,
            "timeout": 120,
            "loglevel": "warning",
            "when_ready": lambda _: ready(f"http://{host}:{port}/"),
        }
        super().__init__()

    def load_config(self) -> None:
        """Give gunicorn its options."""
        for name, value in self._options.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """Make the app; the server's type of an app is narrower than what it takes."""
        app = self._make_app()
        end_streams_first(followed_in(app).stop)
        return app


def end_streams_first(stop: Callable[[], None]) -> None:
    """Have streams ended when the server is told to stop: it would wait for them for long."""
    for number in STOPPING:
        told = signal.getsignal(number)

        def ended(signum: int, frame: FrameType | None, told: Any = told) -> None:
            stop()
            if callable(told):
                told(signum, frame)

        signal.signal(number, ended)


def free_port(host: str, port: int) -> int:
    """Return the first port from `port` on that nobody listens on."""
    for candidate in range(port, port + PORTS_TRIED):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, candidate))
            except OSError:
                continue
            return candidate
    raise OSError(f"no free port from {port} to {port + PORTS_TRIED - 1}")
