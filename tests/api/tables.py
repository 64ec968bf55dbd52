"""People at a table over HTTP: persons with tokens, matches they open, ready and play."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.accounts.tokens import NewToken
from service.aggregates.access import INSTALLATION, SCOPES, Place, Role, RoleGranted
from service.aggregates.fairness import seed_commitment
from service.api.application import api_app
from service.commands.access import grant_role
from service.engine.templates import CONCEDE, instance
from service.engine.values import Action, Json
from service.installation import Installation, clock

MATCHES = "/api/v1/matches"
NO_LIMIT = "1000000 per minute"
PLAYED_MAX = 3_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Somebody who asks: a person with a token, or anybody without one."""

    client: FlaskClient
    person: str = ""
    token: str = ""

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def get(self, path: str, **query: Any) -> TestResponse:
        return self.client.get(path, query_string=query, headers=self.headers)

    def post(self, path: str, body: Json, *, key: str | None = None, **query: Any) -> TestResponse:
        more = {} if key is None else {"Idempotency-Key": key}
        return self.client.post(
            path, json=body, query_string=query, headers={**self.headers, **more}
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Hall:
    """Where matches are played: an installation, its app, and whoever comes in."""

    installation: Installation
    client: FlaskClient
    random: random.Random = field(default_factory=lambda: random.Random(1))

    def person(self, name: str, *roles: Role, place: Place = INSTALLATION) -> Caller:
        """Let somebody in, with all scopes and these roles."""
        here, now = self.installation, clock()
        person = here.persons.create(name, now)
        for role in roles:
            grant_role(
                here.access,
                RoleGranted(person=person.id, role=role, place=place, by=None, time=now),
            )
        return self.with_scopes(person.id, *SCOPES)

    def with_scopes(self, person: str, *scopes: str, place: Place | None = None) -> Caller:
        """Return the same person with another token."""
        wanted = NewToken(person=person, scopes=scopes, days=1, narrowed_to=place)
        _, text = self.installation.persons.create_token(wanted, None, clock())
        return Caller(client=self.client, person=person, token=text)

    @property
    def anybody(self) -> Caller:
        return Caller(client=self.client)

    def open(self, opener: Caller, seats: Mapping[str, str], **more: Json) -> str:
        """Open a match; return its id."""
        body = {"game": "hi-story", "seats": dict(seats), **more}
        return str(good(opener.post(MATCHES, body))["match"])

    def begin(
        self, game: str, players: Sequence[Caller], decks: Sequence[Json] = (), **more: Json
    ) -> str:
        """Open a match between people, ready everybody with seeds, and open these."""
        seats = {f"P{number}": one for number, one in enumerate(players, start=1)}
        persons = {seat: one.person for seat, one in seats.items()}
        match_id = self.open(players[0], persons, game=game, **more)
        chosen = list(decks) or [self.deck_of(game)] * len(players)
        seeds = {seat: self.random.randbytes(32) for seat in seats}
        for (seat, one), deck in zip(seats.items(), chosen, strict=True):
            sealed = seed_commitment(match_id, seat, seeds[seat])
            body = {"deck": deck, "seed_commitment": sealed}
            good(one.post(f"{MATCHES}/{match_id}/readiness", body))
        for seat, one in seats.items():
            good(one.post(f"{MATCHES}/{match_id}/seeds", {"seed": seeds[seat].hex()}))
        return match_id

    def ready(self, one: Caller, match_id: str, seed: bytes | None = None) -> None:
        """Ready a caller with a deck of the sample, and with this seed, if there is one."""
        path = f"{MATCHES}/{match_id}"
        shown = good(one.get(path), 200)
        body: dict[str, Json] = {"deck": self.deck_of(shown["game"])}
        if seed is not None:
            body["seed_commitment"] = seed_commitment(match_id, shown["seat"], seed)
        good(one.post(f"{path}/readiness", body))

    def beside(self) -> Hall:
        """Return the same hall for another thread, as a client belongs to one."""
        return replace(self, client=self.client.application.test_client())

    def deck_of(self, game: str) -> str:
        """Return the name of a deck for players in the sample of a game."""
        decks = self.installation.catalogue.game(game).sample.cards["decks"]
        if isinstance(decks, dict):
            return f"@{min(decks)}"
        return f"@{min(deck['id'] for deck in decks if 'beast_deck' not in deck)}"

    def choose(self, one: Caller, match_id: str) -> tuple[int, Action | None]:
        """Return the version and a random legal action of a caller's seat, None if not awaited."""
        listed = good(one.get(f"{MATCHES}/{match_id}/legal-actions"), 200)
        entries = [entry for entry in listed["actions"] if entry["type"] != CONCEDE]
        if not entries or listed["seat"] not in listed["awaited"]:
            return listed["version"], None
        entry = self.random.choice(entries)
        return listed["version"], instance(entry, self.random.randrange)

    def play_one(self, players: Sequence[Caller], match_id: str) -> bool:
        """Let whoever is awaited play a random action; tell whether the match goes on."""
        for one in players:
            version, action = self.choose(one, match_id)
            if action is None:
                continue
            body = {"action": action, "expected_version": version}
            answer = one.post(f"{MATCHES}/{match_id}/actions", body)
            assert answer.status_code in (201, 422), answer.get_data(as_text=True)
            return True
        return False

    def play(self, players: Sequence[Caller], match_id: str, most: int = PLAYED_MAX) -> int:
        """Play on with random actions; return how many there were."""
        for number in range(most):
            if not self.play_one(players, match_id):
                return number
        return most


def hall_of(installation: Installation) -> Hall:
    """Return a hall without a limit on requests."""
    client = api_app(installation, rate_limit=NO_LIMIT).test_client()
    return Hall(installation=installation, client=client)


def good(answer: TestResponse, status: int = 201) -> Any:
    """Return the body of a good answer."""
    assert answer.status_code == status, answer.get_data(as_text=True)
    return answer.get_json()


def refused(answer: TestResponse, status: int, code: str) -> Any:
    """Return the body of a problem of this kind."""
    assert answer.status_code == status, answer.get_data(as_text=True)
    assert answer.content_type == "application/problem+json"
    body = answer.get_json()
    assert (body["type"], body["status"]) == (f"/problems/{code}", status), body
    return body
