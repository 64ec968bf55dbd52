"""Grants, looks and permissions: given events, when asked, then events, or who may do what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.aggregates.access import (
    ANYBODY,
    INSTALLATION,
    ROLES,
    SCOPES,
    Access,
    AccessEvent,
    MatchInspected,
    PlaceEvent,
    Principal,
    Relation,
    Role,
    RoleGranted,
    RoleRevoked,
    Scope,
    SignInsFailed,
    TokenUsed,
    Uses,
    evolve,
    evolve_uses,
    grant,
    inspect,
    open_inspection,
    place_of_match,
    relations,
    revoke,
    roles_of,
    use,
)
from service.aggregates.permissions import GRANTING, PERMISSIONS, allowed
from service.aggregates.world import Forbidden, NotFound, Refused
from service.integrity.sealing import EVENTS, event_of
from service.store.mapper import decoded

GOLDEN = Path(__file__).parent.parent / "golden" / "events"
NOW, SOON, LATER = (f"2026-01-02T0{hour}:00:00.000000Z" for hour in (3, 4, 6))
HERE = place_of_match("m")


def granted(person: str, role: Role, place: str = HERE) -> RoleGranted:
    return RoleGranted(person=person, role=role, place=place, by="olga", time=NOW)


def revoked(person: str, role: Role, place: str = HERE) -> RoleRevoked:
    return RoleRevoked(person=person, role=role, place=place, by="olga", time=NOW)


def inspected(person: str = "judy", *, time: str = NOW, until: str = SOON) -> MatchInspected:
    return MatchInspected(person=person, match="m", reason="ab" * 32, until=until, time=time)


def access(*events: PlaceEvent, place: str = HERE) -> Access:
    found = Access(place=place)
    for number, event in enumerate(events, start=1):
        found = evolve(found, event, f"hash {number}")
    return found


def signed_in(person: str, *scopes: Scope, narrowed_to: str | None = None) -> Principal:
    return Principal(
        person=person,
        scopes=frozenset(scopes or SCOPES),
        token="0123456789abcdef",
        narrowed_to=narrowed_to,
    )


def related(person: str, *granted_here: Role, scopes: Sequence[Scope] = SCOPES) -> set[Relation]:
    here = access(*(granted(person, role) for role in granted_here))
    return set(relations(signed_in(person, *scopes), [Access(place=INSTALLATION), here]))


def test_a_role_that_is_there_changes_nothing() -> None:
    event = granted("judy", "judge")
    assert grant(access(), event) == [event]
    assert grant(access(event), event) == []
    assert grant(access(event, revoked("judy", "judge")), event) == [event]
    assert grant(access(event), granted("judy", "head_judge")) != []


def test_what_is_not_there_cannot_be_revoked() -> None:
    event = revoked("judy", "judge")
    assert revoke(access(granted("judy", "judge")), event) == [event]
    for before in (
        access(),
        access(granted("judy", "auditor")),
        access(granted("otto", "judge")),
        access(granted("judy", "judge"), event),
    ):
        with pytest.raises(NotFound):
            revoke(before, event)


def test_an_operator_runs_the_whole_installation() -> None:
    everything = Access(place=INSTALLATION)
    assert grant(everything, granted("olga", "operator", INSTALLATION)) != []
    with pytest.raises(Refused):
        grant(access(), granted("olga", "operator"))


def test_the_state_knows_its_place_in_the_stream() -> None:
    found = access(granted("judy", "judge"), inspected())
    assert (found.version, found.head) == (2, "hash 2")
    assert roles_of(found, "judy") == {"judge"}
    assert roles_of(found, "otto") == frozenset()


@pytest.mark.parametrize(
    ("offices", "is_closed"),
    [(["judge"], False), (["head_judge"], False), (["judge"], True), (["auditor"], True)],
)
def test_who_may_look_into_a_match(offices: list[Relation], is_closed: bool) -> None:
    seats = {"P1": "ann", "P2": None}
    assert inspect(inspected(), offices, seats=seats, is_closed=is_closed) == [inspected()]


@pytest.mark.parametrize(
    ("person", "offices", "is_closed"),
    [
        ("ann", ["judge"], False),
        ("ann", ["auditor"], True),
        ("judy", ["auditor"], False),
        ("judy", ["organizer", "operator", "opener"], True),
        ("judy", [], True),
    ],
)
def test_who_may_not(person: str, offices: list[Relation], is_closed: bool) -> None:
    with pytest.raises(Forbidden):
        inspect(inspected(person), offices, seats={"P1": "ann"}, is_closed=is_closed)


def test_a_look_holds_until_its_time_or_the_end_of_the_match() -> None:
    here = access(inspected("otto"), inspected("judy", until=SOON), granted("ann", "judge"))
    assert open_inspection(here, "judy", NOW) == inspected()
    assert open_inspection(here, "judy", SOON) is None
    assert open_inspection(here, "ann", NOW) is None
    assert open_inspection(here, None, NOW) is None
    assert open_inspection(here, "judy", NOW, closed_at=NOW) is None
    again = inspected(time=SOON, until=LATER)
    assert open_inspection(evolve(here, again, ""), "judy", SOON, closed_at=NOW) == again


def test_a_day_holds_the_first_use_of_a_token_and_an_hour_of_a_block_once() -> None:
    used = TokenUsed(person="ann", token="t1", day="2026-01-02", time=NOW)
    failed = SignInsFailed(block="192.0.2.0/24", hour="2026-01-02T03", count=3, time=SOON)
    other = SignInsFailed(block="192.0.2.0/24", hour="2026-01-02T04", count=1, time=SOON)
    day = Uses(day="2026-01-02")
    assert use(day, [used, failed]) == [used, failed]
    for event in (used, failed):
        day = evolve_uses(day, event, "hash")
    assert (day.version, day.head) == (2, "hash")
    assert use(day, [used, failed, other]) == [other]


def test_nobody_who_is_not_signed_in_has_an_office() -> None:
    here = access(granted("ann", "judge"))
    assert relations(ANYBODY, [here], seats={"P1": None}, opener=None) == {"anybody"}


def test_what_a_person_is_to_a_match() -> None:
    everything = access(granted("olga", "organizer", INSTALLATION), place=INSTALLATION)
    here, other = access(granted("olga", "judge")), access(granted("ann", "judge"), place="match/n")
    seats = {"P1": "ann", "P2": None}

    def of(person: str) -> set[Relation]:
        found = relations(signed_in(person), [everything, here], seats=seats, opener="otto")
        return set(found) - {"anybody", "person", "member"}

    assert of("olga") == {"organizer", "judge"}
    assert of("ann") == {"seat"}
    assert of("otto") == {"opener"}
    assert of("judy") == set()
    assert "judge" not in relations(signed_in("olga"), [everything, other])


def test_who_plays_a_match_is_neither_its_judge_nor_its_auditor() -> None:
    here = access(*(granted("ann", role) for role in ("judge", "head_judge", "auditor")))
    assert relations(signed_in("ann"), [here], seats={"P2": "ann"}) == {
        *("anybody", "person", "member", "seat")
    }


def test_a_narrowed_token_holds_at_its_place_alone() -> None:
    everything = access(granted("olga", "organizer", INSTALLATION), place=INSTALLATION)
    here, there = access(granted("olga", "judge")), access(place="match/n")
    narrowed = signed_in("olga", narrowed_to=HERE)
    assert {"member", "organizer", "judge"} <= relations(narrowed, [everything, here])
    for places in ([everything], [everything, there]):
        found = relations(narrowed, places, seats={"P1": "olga"}, opener="olga")
        assert found == {"anybody", "person"}
        can = {action for action in PERMISSIONS if allowed(narrowed, action, found)}
        assert {action for action in can if PERMISSIONS[action].scopes} == set()


def test_the_table_of_permissions_names_what_exists() -> None:
    for action, permission in PERMISSIONS.items():
        assert permission.relations, action
        assert permission.relations <= set(get_args(Relation)), action
        assert permission.scopes <= set(SCOPES), action


MAY: Sequence[tuple[str, Iterable[Relation], Iterable[Scope]]] = (
    ("read_match", ["anybody"], []),
    ("read_rules", ["anybody"], []),
    ("sign_out", ["anybody", "person"], []),
    ("open_match", ["member"], ["act"]),
    ("open_match", ["member"], ["organize"]),
    ("play", ["seat"], ["act"]),
    ("read_own_seat", ["seat"], ["seat"]),
    ("cancel_match", ["opener"], ["act"]),
    ("close_match", ["organizer"], ["organize"]),
    ("inspect", ["auditor"], ["read"]),
    ("inspect", ["judge"], ["judge"]),
    ("read_refusals", ["head_judge"], ["judge"]),
    ("create_person", ["organizer"], ["organize"]),
    ("read_access_log", ["operator"], ["operate"]),
    ("read_access_log", ["auditor"], ["read"]),
)
MAY_NOT: Sequence[tuple[str, Iterable[Relation], Iterable[Scope]]] = (
    ("sign_out", ["anybody"], SCOPES),
    ("open_match", ["person"], SCOPES),
    ("open_match", ["member"], ["read", "seat", "judge", "operate"]),
    ("take_seat", ["person"], SCOPES),
    ("play", ["judge", "organizer", "operator", "opener"], SCOPES),
    ("play", ["seat"], ["read", "seat", "judge", "organize", "operate"]),
    ("read_own_seat", ["seat"], ["read", "act", "judge", "organize", "operate"]),
    ("read_own_seat", ["judge", "head_judge", "organizer", "operator"], SCOPES),
    ("hold_match", ["organizer", "seat", "operator"], SCOPES),
    ("close_match", ["seat", "opener", "operator", "auditor"], SCOPES),
    ("inspect", ["organizer", "operator", "seat"], SCOPES),
    ("read_refusals", ["seat", "auditor"], SCOPES),
    ("import_match", ["member", "judge"], SCOPES),
    ("grant_organizer", ["organizer", "head_judge"], SCOPES),
    ("read_access_log", ["organizer", "judge"], SCOPES),
)


@pytest.mark.parametrize(("action", "related_by", "scopes"), MAY)
def test_what_is_allowed(
    action: str, related_by: Iterable[Relation], scopes: Iterable[Scope]
) -> None:
    principal = Principal(person="ann", scopes=frozenset(scopes), token=None, narrowed_to=None)
    assert allowed(principal, action, set(related_by))


@pytest.mark.parametrize(("action", "related_by", "scopes"), MAY_NOT)
def test_what_is_not(action: str, related_by: Iterable[Relation], scopes: Iterable[Scope]) -> None:
    principal = Principal(person="ann", scopes=frozenset(scopes), token=None, narrowed_to=None)
    assert not allowed(principal, action, set(related_by))


def test_an_action_that_is_not_in_the_table_is_a_bug() -> None:
    with pytest.raises(LookupError):
        allowed(ANYBODY, "fly", {"anybody"})


@pytest.mark.parametrize(
    ("giver", "given_roles"),
    [
        ("operator", {"organizer", "head_judge", "judge", "auditor"}),
        ("organizer", {"head_judge", "judge", "auditor"}),
        ("head_judge", set()),
        ("judge", set()),
        ("auditor", set()),
    ],
)
def test_who_gives_which_role(giver: Role, given_roles: set[Role]) -> None:
    found = related("olga", giver)
    given = {role: action for role, action in GRANTING.items() if role in ROLES}
    may = {role for role, action in given.items() if allowed(signed_in("olga"), action, found)}
    assert may == given_roles
    one = signed_in("olga", "act", "read")
    assert not any(allowed(one, action, found) for action in given.values())


@given(st.lists(st.tuples(st.booleans(), st.sampled_from(["ann", "bob"]), st.sampled_from(ROLES))))
def test_a_revoked_role_gives_nothing(steps: list[tuple[bool, str, Role]]) -> None:
    here, expected = Access(place=INSTALLATION), set[tuple[str, Role]]()
    for is_given, person, role in steps:
        if is_given:
            events = grant(here, granted(person, role, INSTALLATION))
            expected.add((person, role))
        elif (person, role) in expected:
            events = revoke(here, revoked(person, role, INSTALLATION))
            expected.remove((person, role))
        else:
            continue
        for event in events:
            here = evolve(here, event, "")
    for person in ("ann", "bob"):
        found = relations(signed_in(person), [here])
        assert found & set(ROLES) == {role for holder, role in expected if holder == person}


ACCESS_TAGS = [tag for tag, kind in EVENTS.items() if kind in get_args(AccessEvent)]


@pytest.mark.parametrize("tag", ACCESS_TAGS)
def test_recorded_events_load_for_ever(tag: str) -> None:
    assert isinstance(event_of(decoded((GOLDEN / f"{tag}.json").read_bytes())), AccessEvent)
