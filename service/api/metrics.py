"""Numbers for Prometheus, on a port of their own; none of them names a match or a person."""

from __future__ import annotations

from functools import partial

from prometheus_client import Counter, Gauge, Histogram, start_http_server

from service.api.health import lags_of
from service.installation import PROJECTIONS, Installation

REQUESTS = Counter(
    "kifu_requests", "Requests, by pattern of the route.", ("method", "route", "status")
)
SECONDS = Histogram("kifu_request_seconds", "Time until an answer began.", ("route",))
COMMANDS = Counter("kifu_commands", "Commands that came in good form.", ("action", "outcome"))
LAG = Gauge("kifu_projection_lag_events", "Events that a read model has not seen.", ("projection",))


def count_request(method: str, route: str, status: int, seconds: float) -> None:
    """Count a request that was answered."""
    REQUESTS.labels(method, route, str(status)).inc()
    SECONDS.labels(route).observe(seconds)


def count_command(action: str, status: int) -> None:
    """Count a command by what became of it."""
    COMMANDS.labels(action, "accepted" if status < 400 else "refused").inc()


def serve_metrics(installation: Installation, *, host: str, port: int) -> None:
    """Answer to Prometheus from a thread of its own; raises `OSError` if the port is taken."""
    for projection in PROJECTIONS:
        LAG.labels(projection.name).set_function(partial(_lag, installation, projection.name))
    start_http_server(port, addr=host)


def _lag(installation: Installation, name: str) -> float:
    return lags_of(installation)[name]
