"""Health and metrics, asked as those who start and watch the service ask."""

from __future__ import annotations

import socket
from urllib.request import urlopen

import pytest
from flask.testing import FlaskClient

from projections import matches
from projections.places import PARKED
from service.api.application import api_app
from service.api.metrics import serve_metrics
from service.installation import PROJECTIONS, Installation
from tests.conftest import import_log, log_of
from tests.servers import redis_server

DATABASES = ("sqlite", "postgresql")


def test_a_good_installation_is_ready(client: FlaskClient, match_id: str) -> None:
    assert client.get("/healthz").get_json() == {"status": "alive"}
    answer = client.get("/readyz")
    assert answer.status_code == 200
    body = answer.get_json()
    assert (body["status"], body["database"]) == ("ready", "ok")
    assert (body["signing"], body["redis"]) == ("off", "unused")


def test_the_lag_counts_what_was_not_seen(
    client: FlaskClient, installation: Installation, match_id: str
) -> None:
    body = client.get("/readyz").get_json()
    assert set(body["lag"].values()) == {installation.log.last_position()}
    assert body["behind"] == sorted(one.name for one in PROJECTIONS)
    assert all(0 <= seconds < 300 for seconds in body["lag_s"].values())
    installation.catch_up()
    body = client.get("/readyz").get_json()
    assert set(body["lag"].values()) == set(body["lag_s"].values()) == {0}
    assert (body["behind"], body["parked"]) == ([], {})


def test_a_parked_match_is_told_and_stops_nothing_else(
    client: FlaskClient, installation: Installation, match_id: str
) -> None:
    broken = import_log(installation, log_of("hagmi", 6))
    with installation.database.transaction() as tables:
        last = "(SELECT MAX(version) FROM events WHERE stream = ?)"
        tables.execute(
            f"UPDATE events SET body = ? WHERE stream = ? AND version = {last}",
            *(b"{}", broken, broken),
        )
    assert [one["id"] for one in client.get("/api/v1/matches").get_json()["items"]] == [match_id]
    answer = client.get("/readyz")
    assert answer.status_code == 200
    body = answer.get_json()
    assert (body["status"], body["parked"][matches.NAME], body["behind"]) == ("ready", 1, [])


def test_what_is_read_of_a_parked_match_is_not_served(
    client: FlaskClient, installation: Installation, match_id: str
) -> None:
    path = f"/api/v1/matches/{match_id}"
    assert client.get(path).status_code == 200
    with installation.database.transaction() as tables:
        tables.execute(
            f"INSERT INTO {PARKED} VALUES (?, ?, 1, 1, 'a fault')", matches.NAME, match_id
        )
    answer = client.get(path)
    assert (answer.status_code, answer.get_json()["type"]) == (503, "/problems/parked")
    assert client.get(f"{path}/events").status_code == 200


def test_without_a_database_it_lives_but_is_not_ready(
    client: FlaskClient, installation: Installation
) -> None:
    installation.close()
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.get_json()["database"] == "away"
    assert client.get("/healthz").status_code == 200


@pytest.mark.parametrize("is_there", [True, False])
def test_redis_is_told_of_and_not_needed(installation: Installation, is_there: bool) -> None:
    url = redis_server() if is_there else f"redis://127.0.0.1:{free_port()}"
    answer = api_app(installation, redis_url=url).test_client().get("/readyz")
    assert answer.status_code == 200
    assert answer.get_json()["redis"] == ("ok" if is_there else "away")


def test_nobody_needs_to_sign_in_for_it(client: FlaskClient) -> None:
    for path in ("/healthz", "/readyz"):
        assert client.get(path, headers={"Authorization": "Bearer nothing"}).status_code == 200


def test_metrics_name_patterns_and_never_a_match(
    client: FlaskClient, installation: Installation, match_id: str
) -> None:
    port = free_port()
    serve_metrics(installation, host="127.0.0.1", port=port)
    client.get(f"/api/v1/rulesets/{match_id}")
    client.get(f"/{match_id}")
    client.post("/api/v1/verify", data=b"what", content_type="application/x-ndjson")
    with urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        told = answer.read().decode()
    assert match_id not in told
    route = 'route="/api/v1/rulesets/<game>"'
    assert f'kifu_requests_total{{method="GET",{route},status="404"}}' in told
    assert f"kifu_request_seconds_count{{{route}}}" in told
    assert 'kifu_commands_total{action="verify_file",outcome="accepted"}' in told
    lag = float(installation.log.last_position())
    for projection in PROJECTIONS:
        assert f'kifu_projection_lag_events{{projection="{projection.name}"}} {lag}' in told
        assert f'kifu_projection_lag_seconds{{projection="{projection.name}"}}' in told
        assert f'kifu_projection_parked_streams{{projection="{projection.name}"}} 0.0' in told


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
