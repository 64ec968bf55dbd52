"""Persons: the caller himself, the names of others, new ones."""

from __future__ import annotations

from typing import Any

from schemas.persons import NameRequest, NewPersonBody, NewPersonRequest, PersonBody, SelfBody
from service.accounts.persons import Person
from service.accounts.tokens import NewToken
from service.aggregates.access import INSTALLATION, roles_of
from service.api.identity import principal
from service.api.routing import noun, route
from service.api.wiring import installation
from service.engine.values import Json
from service.installation import clock

PLAYER_SCOPES = ("read", "seat", "act")
PERSONS = noun("persons", prefix="/api/v1/persons")


@route(PERSONS, "/me", action="read_self", answer=SelfBody)
def show_self(query: dict[str, Any]) -> dict[str, Json]:
    """Show who is calling, and what his token may."""
    here, caller = installation(), principal()
    return body_of(here.persons.find(caller_id())) | {
        "scopes": sorted(caller.scopes),
        "narrowed_to": caller.narrowed_to,
        "roles": sorted(roles_of(here.access.at(INSTALLATION), caller_id())),
    }


@route(
    PERSONS,
    "/me/name",
    action="rename_self",
    answer=PersonBody,
    method="PUT",
    takes=NameRequest,
)
def rename_self(query: dict[str, Any], body: dict[str, Any]) -> dict[str, Json]:
    """Change the display name of the caller."""
    return body_of(installation().persons.rename(caller_id(), body["name"]))


@route(PERSONS, "/<person_id>", action="read_person", answer=PersonBody)
def show_person(query: dict[str, Any], person_id: str) -> dict[str, Json]:
    """Show the name of a person."""
    return body_of(installation().persons.find(person_id))


@route(
    PERSONS,
    "",
    action="create_person",
    answer=NewPersonBody,
    method="POST",
    takes=NewPersonRequest,
    status=201,
)
def create_person(query: dict[str, Any], body: dict[str, Any]) -> dict[str, Json]:
    """Add a person, who can be named in seats and grants, with a first token to play with."""
    persons, now = installation().persons, clock()
    person = persons.create(body["name"], now)
    if "token_days" not in body:
        return body_of(person) | {"token": None}
    wanted = NewToken(person=person.id, scopes=PLAYER_SCOPES, days=body["token_days"])
    _, text = persons.create_token(wanted, None, now)
    return body_of(person) | {"token": text}


def body_of(person: Person) -> dict[str, Json]:
    """Return a person as the API tells him to others."""
    return {"id": person.id, "name": person.name}


def caller_id() -> str:
    """Return the person who calls, where the route lets in nobody else."""
    person = principal().person
    assert person is not None, "the route lets in nobody who is not signed in"
    return person
