"""Numbers for Prometheus, on a port of their own; none of them names a match or a person."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from prometheus_client import Counter, Gauge, Histogram, start_http_server

from projections.standing import Standing
from service.api.health import standings_of
from service.installation import PROJECTIONS, Installation

REQUESTS = Counter(
    "kifu_requests", "Requests, by pattern of the route.", ("method", "route", "status")
)
SECONDS = Histogram("kifu_request_seconds", "Time until an answer began.", ("route",))
COMMANDS = Counter("kifu_commands", "Commands that came in good form.", ("action", "outcome"))
LAG = Gauge("kifu_projection_lag_events", "Events that a read model has not seen.", ("projection",))
LAG_S = Gauge(
    "kifu_projection_lag_seconds", "How long the first of them has waited.", ("projection",)
)
PARKED = Gauge(
    "kifu_projection_parked_streams", "Streams that a read model passes over.", ("projection",)
)
OF_STANDINGS: tuple[tuple[Gauge, Callable[[Standing], int]], ...] = (
    (LAG, lambda one: one.lag),
    (LAG_S, lambda one: one.lag_s),
    (PARKED, lambda one: len(one.parked)),
)


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
        for gauge, number in OF_STANDINGS:
            gauge.labels(projection.name).set_function(
                partial(_number, installation, projection.name, number)
            )
    start_http_server(port, addr=host)


def _number(installation: Installation, name: str, number: Callable[[Standing], int]) -> float:
    return number(standings_of(installation)[name])
