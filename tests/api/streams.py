"""A spectator at a real server: reads Server-Sent Events from a socket, as a browser does."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from itertools import islice
from typing import Any
from urllib.parse import urlencode, urlsplit

from flask import Flask
from werkzeug.serving import WSGIRequestHandler, make_server

WAIT_S = 60


class Silent(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"

    def log(self, type: str, message: str, *args: Any) -> None:
        """Write nothing."""


@contextmanager
def served(app: Flask) -> Iterator[str]:
    """Serve an app with a thread for each connection; lend its address."""
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Silent)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        app.extensions["kifu_live"].stop()
        server.shutdown()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """An event of a stream. text: its data as it came."""

    kind: str
    id: int | None
    text: str

    @property
    def body(self) -> Any:
        return json.loads(self.text)


@dataclass(kw_only=True)
class Spectator:
    """A connection to a stream. headers: a token, `Last-Event-ID`."""

    url: str
    match_id: str
    query: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._connection = HTTPConnection(urlsplit(self.url).netloc, timeout=WAIT_S)
        path = f"/api/v1/matches/{self.match_id}/live?{urlencode(self.query)}"
        self._connection.request("GET", path, headers=self.headers)
        self.answer = self._connection.getresponse()
        self.status = self.answer.status

    def __enter__(self) -> Spectator:
        return self

    def __exit__(self, *_: object) -> None:
        self.answer.close()
        self._connection.close()

    def problem(self) -> Any:
        return json.loads(self.answer.read())

    def events(self) -> Iterator[Sent]:
        """Yield events until the stream ends; what comes between them is passed over."""
        fields: dict[str, str] = {}
        for line in iter(self.answer.readline, b""):
            name, _, value = line.decode().rstrip("\n").partition(":")
            if name:
                fields[name] = value.strip()
            elif "data" in fields:
                number = int(fields["id"]) if "id" in fields else None
                yield Sent(kind=fields["event"], id=number, text=fields["data"])
                fields = {}

    def take(self, count: int) -> list[Sent]:
        """Return so many events."""
        return list(islice(self.events(), count))

    def frames(self, count: int) -> list[int]:
        """Return the numbers of the next so many frames."""
        found = self.take(count)
        assert [one.kind for one in found] == ["frame"] * count
        return [one.id or 0 for one in found]

    def rest(self) -> list[Sent]:
        """Return everything until the stream ends."""
        return list(self.events())
