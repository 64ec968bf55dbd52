"""A wire to PostgreSQL that can be cut just after a commit, before the client hears of it."""

from __future__ import annotations

import select
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from threading import Event, Thread

import psycopg

from tests.servers import with_options

CHUNK = 65536


class Wire:
    """Passes bytes between clients and a server. is_armed: the next commit cuts it, once."""

    def __init__(self, host: str, port: int) -> None:
        """Listen on a port of its own. host: a name, or the folder of a socket."""
        self.is_armed = Event()
        self.cuts = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self._server = (host, port)
        Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            Thread(target=self._pass_on, args=(client,), daemon=True).start()

    def _connected(self) -> socket.socket:
        host, port = self._server
        if not host.startswith("/"):
            return socket.create_connection((host, port))
        server = socket.socket(socket.AF_UNIX)
        server.connect(f"{host}/.s.PGSQL.{port}")
        return server

    def _pass_on(self, client: socket.socket) -> None:
        is_cut = False
        with closing(client), closing(self._connected()) as server, suppress(ConnectionError):
            while True:
                for source in select.select([client, server], [], [])[0]:
                    sent = source.recv(CHUNK)
                    if not sent or (is_cut and source is server):
                        return
                    if source is client and b"COMMIT" in sent and self.is_armed.is_set():
                        self.is_armed.clear()
                        self.cuts += 1
                        is_cut = True
                    (server if source is client else client).sendall(sent)


@contextmanager
def wire_to(url: str) -> Iterator[tuple[str, Wire]]:
    """Lend a wire to the server of an address, and the address that leads over it."""
    with psycopg.connect(url) as connection:
        wire = Wire(connection.info.host, connection.info.port)
    with closing(wire.listener) as listener:
        port = listener.getsockname()[1]
        yield with_options(url, host="127.0.0.1", port=str(port), sslmode="disable"), wire
