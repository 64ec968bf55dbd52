"""Grants of roles: in the installation and in tournaments, and in a match."""

from __future__ import annotations

from typing import Any

from schemas.persons import GrantBody, GrantRequest, GrantsBody, GrantsQuery
from service.aggregates.access import Place, Role, RoleGranted, RoleRevoked, place_of_match
from service.aggregates.permissions import GRANTING
from service.aggregates.world import Invalid, NotFound
from service.api.identity import check, permit
from service.api.persons import caller_id
from service.api.routing import noun, route
from service.api.seeing import SeenMatch
from service.api.wiring import installation
from service.commands.access import grant_role, revoke_role
from service.engine.values import Json
from service.installation import clock

GRANTS = noun("grants", prefix="/api/v1")
MATCH = "/matches/<match_id>/grants"


def _asked(query: dict[str, Any], *_: Any) -> Place:
    place: Place = query["place"]
    return place


@route(GRANTS, "/grants", action="read_grants", answer=GrantsBody, query=GrantsQuery, place=_asked)
def list_grants(query: dict[str, Any]) -> dict[str, Json]:
    """List who has which role in the installation or in a tournament."""
    return _granted_at(query["place"])


@route(
    GRANTS,
    "/grants",
    action="grant_office",
    answer=GrantBody,
    method="POST",
    query=GrantsQuery,
    takes=GrantRequest,
    status=201,
    place=_asked,
)
def create_grant(query: dict[str, Any], body: dict[str, Any]) -> dict[str, Json]:
    """Give a person a role in the installation or in a tournament; operators give `organizer`."""
    permit(GRANTING[body["role"]], query["place"])
    return _grant(query["place"], body)


@route(
    GRANTS,
    "/grants/<role>/<person_id>",
    action="grant_office",
    answer=None,
    method="DELETE",
    query=GrantsQuery,
    status=204,
    place=_asked,
)
def delete_grant(query: dict[str, Any], role: str, person_id: str) -> None:
    """Take a role from a person in the installation or in a tournament."""
    permit(GRANTING[_role(role)], query["place"])
    _revoke(query["place"], _role(role), person_id)


@route(GRANTS, MATCH, action="read_grants", answer=GrantsBody)
def list_match_grants(query: dict[str, Any], seen: SeenMatch) -> dict[str, Json]:
    """List who has which role in this match alone; its seats see that too."""
    return _granted_at(place_of_match(seen.match.id))


@route(
    GRANTS,
    MATCH,
    action="grant_office",
    answer=GrantBody,
    method="POST",
    takes=GrantRequest,
    status=201,
)
def create_match_grant(
    query: dict[str, Any], body: dict[str, Any], seen: SeenMatch
) -> dict[str, Json]:
    """Give a person a role in this match alone; operators give `organizer`."""
    check(GRANTING[body["role"]], seen.relations)
    return _grant(place_of_match(seen.match.id), body)


@route(
    GRANTS,
    f"{MATCH}/<role>/<person_id>",
    action="grant_office",
    answer=None,
    method="DELETE",
    status=204,
)
def delete_match_grant(query: dict[str, Any], seen: SeenMatch, role: str, person_id: str) -> None:
    """Take a role from a person in this match."""
    check(GRANTING[_role(role)], seen.relations)
    _revoke(place_of_match(seen.match.id), _role(role), person_id)


def _grant(place: Place, body: dict[str, Any]) -> dict[str, Json]:
    """Give a role, which changes nothing if it is there; raises `Invalid` at `person`."""
    here, person = installation(), body["person"]
    names = here.persons.names([person])
    if person not in names:
        raise Invalid({"person": ["there is no such person"]})
    event = RoleGranted(person=person, role=body["role"], place=place, by=caller_id(), time=clock())
    grant_role(here.access, event)
    return {"person": person, "name": names[person], "role": body["role"]}


def _revoke(place: Place, role: Role, person_id: str) -> None:
    event = RoleRevoked(person=person_id, role=role, place=place, by=caller_id(), time=clock())
    revoke_role(installation().access, event)


def _granted_at(place: Place) -> dict[str, Json]:
    here = installation()
    granted = here.access.at(place).granted
    names = here.persons.names({person for person, _ in granted})
    in_order = sorted(granted, key=lambda one: (one[1], one[0]))
    return {
        "place": place,
        "items": [
            {"person": person, "name": names.get(person), "role": role} for person, role in in_order
        ],
    }


def _role(text: str) -> Role:
    """Return a role that is given over HTTP; raises `NotFound`."""
    for role in GRANTING:
        if role == text:
            return role
    raise NotFound(f"no role {text}")
