"""How often one may ask: counted in memory, in a real Redis, and while Redis is away."""

from __future__ import annotations

import random
from ipaddress import ip_address

import pytest
import redis
from flask.testing import FlaskClient

from service.accounts.tokens import NewToken
from service.api.application import api_app
from service.installation import Installation, clock
from tests.servers import redis_server, started_redis

RULESETS = "/api/v1/rulesets"
BAD = {"Authorization": "Bearer 0123456789abcdef." + "x" * 43}


def anywhere() -> dict[str, str]:
    """An address of its own, so that tests beside this one are not counted with it."""
    return {"REMOTE_ADDR": str(ip_address(random.SystemRandom().getrandbits(32)))}


@pytest.fixture(params=["memory", "redis"])
def redis_url(request: pytest.FixtureRequest) -> str | None:
    return redis_server() if request.param == "redis" else None


def client_of(installation: Installation, redis_url: str | None, rate: str) -> FlaskClient:
    return api_app(installation, redis_url=redis_url, rate_limit=rate).test_client()


def token_of(installation: Installation, name: str) -> str:
    person = installation.persons.create(name, clock())
    wanted = NewToken(person=person.id, scopes=["read"], days=1)
    return installation.persons.create_token(wanted, None, clock())[1]


def test_a_caller_is_limited_over_all_routes(
    installation: Installation, redis_url: str | None
) -> None:
    client, here = client_of(installation, redis_url, "3 per minute"), anywhere()
    paths = [RULESETS, "/api/v1/matches", f"{RULESETS}/hi-story"]
    assert [client.get(path, environ_overrides=here).status_code for path in paths] == [200] * 3
    refused = client.get(RULESETS, environ_overrides=here)
    assert refused.status_code == 429
    assert refused.content_type == "application/problem+json"
    assert refused.get_json()["type"] == "/problems/too-many"
    assert 0 < int(refused.headers["Retry-After"]) <= 60
    assert client.get(RULESETS, environ_overrides=anywhere()).status_code == 200


def test_who_is_signed_in_is_counted_by_himself(
    installation: Installation, redis_url: str | None
) -> None:
    client, here = client_of(installation, redis_url, "2 per minute"), anywhere()
    for name in ("one", "two"):
        headers = {"Authorization": f"Bearer {token_of(installation, name)}"}
        asked = [
            client.get(RULESETS, headers=headers, environ_overrides=here).status_code
            for _ in range(3)
        ]
        assert asked == [200, 200, 429]


def test_whoever_guesses_tokens_is_stopped(
    installation: Installation, redis_url: str | None
) -> None:
    client, here = client_of(installation, redis_url, "1000 per minute"), anywhere()
    asked = [
        client.get(RULESETS, headers=BAD, environ_overrides=here).status_code for _ in range(12)
    ]
    assert asked == [401] * 10 + [429] * 2
    assert client.get(RULESETS, headers=BAD, environ_overrides=anywhere()).status_code == 401


def test_neighbours_of_one_who_guesses_are_let_in(installation: Installation) -> None:
    client, here = client_of(installation, None, "1000 per minute"), anywhere()
    for _ in range(11):
        client.get(RULESETS, headers=BAD, environ_overrides=here)
    good = {"Authorization": f"Bearer {token_of(installation, 'one')}"}
    assert client.get(RULESETS, headers=good, environ_overrides=here).status_code == 200


def test_a_header_does_not_change_who_is_counted(installation: Installation) -> None:
    client, here = client_of(installation, None, "1 per minute"), anywhere()
    asked = [
        client.get(
            RULESETS, headers={"X-Forwarded-For": f"10.0.0.{number}"}, environ_overrides=here
        ).status_code
        for number in range(2)
    ]
    assert asked == [200, 429]


def test_nothing_stops_when_redis_goes_away(installation: Installation) -> None:
    server = started_redis()
    client = client_of(installation, server.connection_url, "3 per minute")
    here = anywhere()
    assert client.get(RULESETS, environ_overrides=here).status_code == 200
    with redis.Redis.from_url(server.connection_url) as counted:
        assert counted.keys("LIMITS*")
    server.stop()
    assert client.get(RULESETS, headers=BAD, environ_overrides=here).status_code == 401
    asked = [client.get(RULESETS, environ_overrides=here).status_code for _ in range(4)]
    assert asked == [200, 200, 200, 429]
    assert client.get("/readyz").get_json()["redis"] == "away"


@pytest.mark.parametrize("rate", ["often", "", "10"])
def test_a_limit_that_is_none_is_refused_at_once(installation: Installation, rate: str) -> None:
    with pytest.raises(ValueError):
        api_app(installation, rate_limit=rate)
