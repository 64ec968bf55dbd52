"""Served installations for the pages of rules and of search."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from werkzeug.serving import make_server

from service.app import app_of
from service.installation import Installation
from service.settings import Settings


@contextmanager
def served(installation: Installation, settings: Settings) -> Iterator[str]:
    """Serve an installation as long as one is inside; give its address."""
    server = make_server("127.0.0.1", 0, app_of(installation, settings), threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.port}"
    server.shutdown()
