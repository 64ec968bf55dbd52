"""Who may do what where: grants of roles, looks of judges, first uses of tokens (integrity 6)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal, TypeAlias, get_args

from msgspec import Struct
from msgspec.structs import replace

from service.aggregates.world import Forbidden, NotFound, Refused

Role = Literal["operator", "organizer", "head_judge", "judge", "auditor"]
Scope = Literal["read", "seat", "act", "judge", "organize", "operate"]
Relation = Literal[
    "anybody",
    "person",
    "member",
    "seat",
    "player",
    "opener",
    "judge",
    "head_judge",
    "organizer",
    "auditor",
    "operator",
]
"""What a caller is to a resource. person: signed in; member: with a token that holds here.

player: of a tournament.
"""

Place: TypeAlias = str
"""Where a grant holds: `installation`, `tournament/<id>`, `match/<id>`."""

ROLES: Sequence[Role] = get_args(Role)
SCOPES: Sequence[Scope] = get_args(Scope)
INSTALLATION: Place = "installation"
OFFICES: frozenset[Relation] = frozenset({"organizer", "judge", "head_judge", "auditor"})
"""Offices that look into a match or decide on it; nobody holds one in a match that he plays."""


class Principal(Struct, frozen=True, kw_only=True):
    """Who asks. person: None for one who is not signed in; token: its id; narrowed_to: its place.

    A token that is narrowed to no place holds everywhere.
    """

    person: str | None
    scopes: frozenset[Scope]
    token: str | None
    narrowed_to: Place | None


ANYBODY = Principal(person=None, scopes=frozenset(), token=None, narrowed_to=None)


class RoleGranted(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A person got a role. by: the person who gave it, null from the shell of the installation."""

    person: str
    role: Role
    place: Place
    by: str | None
    time: str


class RoleRevoked(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A person lost a role. by: as in `RoleGranted`."""

    person: str
    role: Role
    place: Place
    by: str | None
    time: str


class MatchInspected(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A person opened the judge's view of a match. reason: digest of a text; until: UTC."""

    person: str
    match: str
    reason: str
    until: str
    time: str


class TokenUsed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A token was used for the first time on a day. day: yyyy-mm-dd, UTC."""

    person: str
    token: str
    day: str
    time: str


class SignInsFailed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Somebody came with tokens that are not good. block: of addresses; hour: yyyy-mm-ddThh."""

    block: str
    hour: str
    count: int
    time: str


PlaceEvent: TypeAlias = RoleGranted | RoleRevoked | MatchInspected
"""Events of a stream `access/<place>`."""

UseEvent: TypeAlias = TokenUsed | SignInsFailed
"""Events of a stream `access/use/<day>`."""

AccessEvent: TypeAlias = PlaceEvent | UseEvent


class Access(Struct, frozen=True, kw_only=True):
    """The grants and looks at a place. head: hash of the last event."""

    place: Place
    version: int = 0
    head: str = ""
    granted: frozenset[tuple[str, Role]] = frozenset()
    inspections: tuple[MatchInspected, ...] = ()


class Uses(Struct, frozen=True, kw_only=True):
    """What a day's stream holds already. failures: (block, hour)."""

    day: str
    version: int = 0
    head: str = ""
    tokens: frozenset[str] = frozenset()
    failures: frozenset[tuple[str, str]] = frozenset()


def place_of_match(match_id: str) -> Place:
    """Return the place that a match is."""
    return f"match/{match_id}"


def place_of_tournament(tournament_id: str) -> Place:
    """Return the place that a tournament is."""
    return f"tournament/{tournament_id}"


def evolve(access: Access, event: PlaceEvent, head: str) -> Access:
    """Return the state after one event, whose hash is `head`."""
    access = replace(access, version=access.version + 1, head=head)
    if isinstance(event, MatchInspected):
        return replace(access, inspections=(*access.inspections, event))
    if isinstance(event, RoleGranted):
        return replace(access, granted=access.granted | {(event.person, event.role)})
    return replace(access, granted=access.granted - {(event.person, event.role)})


def evolve_uses(uses: Uses, event: UseEvent, head: str) -> Uses:
    """Return the state of a day after one event, whose hash is `head`."""
    uses = replace(uses, version=uses.version + 1, head=head)
    if isinstance(event, TokenUsed):
        return replace(uses, tokens=uses.tokens | {event.token})
    return replace(uses, failures=uses.failures | {(event.block, event.hour)})


def grant(access: Access, event: RoleGranted) -> list[PlaceEvent]:
    """Give a role, or nothing if it is there; raises `Refused` for an operator of less than all."""
    if event.role == "operator" and event.place != INSTALLATION:
        raise Refused("an operator runs the whole installation")
    return [] if (event.person, event.role) in access.granted else [event]


def revoke(access: Access, event: RoleRevoked) -> list[PlaceEvent]:
    """Take a role away; raises `NotFound` if the person has not got it at this very place."""
    if (event.person, event.role) not in access.granted:
        raise NotFound(f"{event.person} is no {event.role} at {access.place}")
    return [event]


def inspect(
    event: MatchInspected,
    offices: Collection[Relation],
    *,
    seats: Mapping[str, str | None],
    is_closed: bool,
) -> list[PlaceEvent]:
    """Open the judge's view of a match to one who has the office; raises `Forbidden`, `Refused`.

    offices: his relations to the match; seats: seat → person. Auditors look after the end only.
    Looking again is another event: every reason is on record.
    """
    if event.person in seats.values():
        raise Forbidden("nobody inspects a match that he plays")
    if not {"judge", "head_judge"} & set(offices) and not (is_closed and "auditor" in offices):
        raise Forbidden("judges inspect a match, and auditors one that is closed")
    if not event.reason:
        raise Refused("a look into a match needs a reason")
    return [event]


def use(uses: Uses, events: Iterable[UseEvent]) -> list[UseEvent]:
    """Return what of these events the day does not hold already."""
    return [
        event
        for event in events
        if (
            event.token not in uses.tokens
            if isinstance(event, TokenUsed)
            else (event.block, event.hour) not in uses.failures
        )
    ]


def open_inspection(
    access: Access, person: str | None, now: str, *, closed_at: str | None = None
) -> MatchInspected | None:
    """Return a person's look into a match that still holds, the last one, or None.

    closed_at: when the match closed; looks from before hold no longer.
    """
    for one in reversed(access.inspections):
        is_ended = one.until <= now or (closed_at is not None and one.time <= closed_at)
        if one.person == person and not is_ended:
            return one
    return None


def roles_of(access: Access, person: str) -> frozenset[Role]:
    """Return the roles that a person has at this very place."""
    return frozenset(role for holder, role in access.granted if holder == person)


def relations(
    principal: Principal,
    places: Sequence[Access],
    *,
    seats: Mapping[str, str | None] | None = None,
    opener: str | None = None,
) -> frozenset[Relation]:
    """Return what a principal is to a resource.

    places: the accesses of the installation and of the resource itself; seats: seat → person;
    opener: the person who opened the match. A token that is narrowed to another place makes its
    holder no more than a person. Who plays a match holds no office in it.
    """
    person = principal.person
    if person is None:
        return frozenset({"anybody"})
    found: set[Relation] = {"anybody", "person"}
    if principal.narrowed_to not in (None, *(access.place for access in places)):
        return frozenset(found)
    found.add("member")
    for access in places:
        found |= roles_of(access, person)
    if person == opener:
        found.add("opener")
    if person in (seats or {}).values():
        found = (found - OFFICES) | {"seat"}
    return frozenset(found)
