"""Persons, tokens, refusals, failed sign-ins and keys, on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from cryptography.fernet import Fernet
from hypothesis import given
from hypothesis import strategies as st

from projections.tables import Database
from service.accounts.keys import KEY_BYTES, InstallationKeys
from service.accounts.names import display_name
from service.accounts.persons import TOKENS_MAX, Persons
from service.accounts.refusals import Refusals
from service.accounts.sign_ins import FailedSignIns, block_of
from service.accounts.tokens import NewToken
from service.aggregates.access import Principal, Scope
from service.aggregates.world import Forbidden, Invalid, NotFound, Refused, Unauthenticated
from service.store.wrapping import Wrapping, WrongKey
from service.times import moved

DATABASES = ("sqlite", "postgresql")
NOW = "2026-01-02T03:04:05.000006Z"
TODAY, TOMORROW = "2026-01-02", "2026-01-03"
PLAYING: tuple[Scope, ...] = ("read", "seat", "act")


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    found = Database(database_url)
    yield found
    found.close()


@pytest.fixture
def persons(database: Database) -> Persons:
    return Persons(database)


@pytest.fixture
def ann(persons: Persons) -> str:
    return persons.create("Ann", NOW).id


def after(**wait: float) -> str:
    return moved(NOW, round(timedelta(**wait).total_seconds()))


def principal(person: str, *scopes: Scope, narrowed_to: str | None = None) -> Principal:
    return Principal(
        person=person, scopes=frozenset(scopes), token="0123456789abcdef", narrowed_to=narrowed_to
    )


def token_for(persons: Persons, person: str, days: int = 30) -> tuple[str, str]:
    token, text = persons.create_token(
        NewToken(person=person, scopes=PLAYING, days=days), None, NOW
    )
    return token.id, text


def test_a_person_has_a_name_until_it_is_erased(persons: Persons, ann: str) -> None:
    token_id, text = token_for(persons, ann)
    assert persons.find(ann).name == "Ann"
    assert persons.rename(ann, "Anna").name == "Anna"
    assert persons.names([ann, "nobody"]) == {ann: "Anna"}
    persons.erase(ann)
    assert persons.names([ann]) == {}
    for asked in (persons.find, persons.erase, lambda one: persons.rename(one, "Ann")):
        with pytest.raises(NotFound):
            asked(ann)
    with pytest.raises(NotFound):
        persons.token(token_id)
    with pytest.raises(Unauthenticated):
        persons.principal_of(text, NOW)
    with pytest.raises(NotFound):
        token_for(persons, ann)


def test_persons_are_listed_a_page_at_a_time(persons: Persons) -> None:
    made = sorted(persons.create(f"Person {number}", NOW).id for number in range(5))
    first = persons.listed(limit=3)
    rest = persons.listed(after=first[-1].id, limit=3)
    assert [one.id for one in [*first, *rest]] == made


@pytest.mark.parametrize("asked", ["", "\0", "' OR 1=1 --", "a" * 5000, "名前"])
def test_what_is_no_person_is_not_found(persons: Persons, ann: str, asked: str) -> None:
    with pytest.raises(NotFound):
        persons.find(asked)
    assert persons.tokens_of(asked, NOW) == []


def test_a_token_tells_who_comes(persons: Persons, ann: str) -> None:
    token_id, text = token_for(persons, ann)
    found = persons.principal_of(text, NOW)
    assert found == Principal(
        person=ann, scopes=frozenset(PLAYING), token=token_id, narrowed_to=None
    )
    secret = text.partition(".")[2]
    assert secret not in repr(persons.token(token_id))


def test_tokens_that_are_not_good(persons: Persons, ann: str) -> None:
    token_id, text = token_for(persons, ann, days=1)
    secret = text.partition(".")[2]
    other_id, other_text = token_for(persons, ann)
    persons.revoke(other_id, NOW)
    bad = [
        *("", ".", "\0", text + "\0", " " + text, text[:-1], token_id, secret, f"{token_id}."),
        f"{token_id}.{secret[::-1]}",
        f"{'0' * 16}.{secret}",
        f"{other_id}.{secret}",
        other_text,
        text.upper(),
    ]
    for one in bad:
        with pytest.raises(Unauthenticated):
            persons.principal_of(one, NOW)
    assert persons.principal_of(text, after(hours=23)).person == ann
    with pytest.raises(Unauthenticated):
        persons.principal_of(text, after(days=1))


def test_a_token_is_revoked_by_its_owner_and_from_the_shell(persons: Persons, ann: str) -> None:
    bob = persons.create("Bob", NOW).id
    first, _ = token_for(persons, ann)
    second, _ = token_for(persons, ann)
    with pytest.raises(NotFound):
        persons.revoke(first, NOW, owner=bob)
    assert {one.id for one in persons.tokens_of(ann, NOW)} == {first, second}
    persons.revoke(first, NOW, owner=ann)
    persons.revoke(second, NOW)
    assert persons.tokens_of(ann, NOW) == []
    for owner in (ann, None):
        with pytest.raises(NotFound):
            persons.revoke(first, NOW, owner=owner)


def test_a_person_has_so_many_tokens_that_hold(persons: Persons, ann: str) -> None:
    for _ in range(TOKENS_MAX):
        token_for(persons, ann, days=1)
    with pytest.raises(Refused):
        token_for(persons, ann)
    wanted = NewToken(person=ann, scopes=["read"], days=1)
    token, _ = persons.create_token(wanted, None, after(days=1))
    assert persons.tokens_of(ann, after(days=1)) == [token]


def test_a_session_holds_half_a_day_and_ends_with_its_token(persons: Persons, ann: str) -> None:
    token_id, text = token_for(persons, ann)
    session, shown = persons.open_session(text, NOW)
    assert session.expires_at == after(hours=12)
    assert persons.principal_of(shown, after(hours=11)).scopes == frozenset(PLAYING)
    assert [one.id for one in persons.tokens_of(ann, NOW)] == [token_id]
    with pytest.raises(Unauthenticated):
        persons.open_session(shown, NOW)
    kept, _ = persons.create_token(
        NewToken(person=ann, scopes=["read"], days=1), session.principal, NOW
    )
    persons.revoke(token_id, NOW)
    with pytest.raises(Unauthenticated):
        persons.principal_of(shown, NOW)
    assert persons.token(kept.id).revoked_at is None


def test_a_session_outlives_no_token(persons: Persons, ann: str) -> None:
    _, text = token_for(persons, ann, days=1)
    session, _ = persons.open_session(text, after(hours=20))
    assert session.expires_at == after(days=1)


def test_sessions_are_forgotten(persons: Persons, ann: str) -> None:
    token_id, text = token_for(persons, ann, days=1)
    session, _ = persons.open_session(text, NOW)
    persons.forget_sessions(after(hours=12))
    assert persons.token(session.id) == session
    persons.forget_sessions(after(days=2))
    assert persons.token(token_id).id == token_id
    with pytest.raises(NotFound):
        persons.token(session.id)


@pytest.mark.parametrize(
    ("scopes", "days", "narrowed_to", "place"),
    [
        ((), 1, None, "scopes"),
        (("read", "everything"), 1, None, "scopes"),
        (PLAYING, 0, None, "days"),
        (PLAYING, 366, None, "days"),
        (PLAYING, 1, "installation", "narrowed_to"),
        (PLAYING, 1, "match/", "narrowed_to"),
        (PLAYING, 1, "match/m\0", "narrowed_to"),
        (PLAYING, 1, "match/m\n", "narrowed_to"),
    ],
)
def test_tokens_that_cannot_be_made(
    persons: Persons,
    ann: str,
    scopes: tuple[str, ...],
    days: int,
    narrowed_to: str | None,
    place: str,
) -> None:
    wanted = NewToken(person=ann, scopes=scopes, days=days, narrowed_to=narrowed_to)
    with pytest.raises(Invalid) as fault:
        persons.create_token(wanted, None, NOW)
    assert list(fault.value.errors) == [place]


def test_a_token_makes_none_that_can_do_more(persons: Persons, ann: str) -> None:
    wide = NewToken(person=ann, scopes=["read", "act"], days=1)
    here = NewToken(person=ann, scopes=["read"], days=1, narrowed_to="match/m")
    there = NewToken(person=ann, scopes=["read"], days=1, narrowed_to="match/n")
    narrow = principal(ann, "read", "act", narrowed_to="match/m")
    assert persons.create_token(wide, principal(ann, "read", "act", "seat"), NOW)
    assert persons.create_token(here, narrow, NOW)
    for wanted, maker in ((wide, principal(ann, "read")), (wide, narrow), (there, narrow)):
        with pytest.raises(Forbidden):
            persons.create_token(wanted, maker, NOW)


def test_the_first_use_of_a_day_is_told_by_every_process(
    database: Database, persons: Persons, ann: str
) -> None:
    token_id, _ = token_for(persons, ann)
    assert persons.is_first_use(token_id, TODAY)
    assert persons.is_first_use(token_id, TODAY)
    persons.note_use(token_id, TODAY)
    for process in (persons, Persons(database)):
        assert not process.is_first_use(token_id, TODAY)
        assert not process.is_first_use(token_id, TODAY)
        assert process.is_first_use(token_id, TOMORROW)


def test_refusals_are_counted_by_seat_and_forgotten(database: Database) -> None:
    refusals = Refusals(database)
    for number in range(3):
        refusals.add("m", "P1", rule="HS-301", time=after(seconds=number))
    refusals.add("m", "P2", rule="HS-301", time=NOW)
    refusals.add("other", "P1", rule="HS-301", time=NOW)
    assert refusals.counts("m") == {"P1": 3, "P2": 1}
    assert refusals.count_since("m", "P1", after(seconds=1)) == 2
    refusals.forget(after(seconds=1))
    assert refusals.counts("m") == {"P1": 2}


def test_failed_sign_ins_are_summed_by_block_and_hour(database: Database) -> None:
    sign_ins = FailedSignIns(database)
    for address in ("192.0.2.1", "192.0.2.77", "::ffff:192.0.2.9", "2001:db8:1:2::3", None):
        sign_ins.add(address, NOW)
    sign_ins.add("192.0.2.1", after(hours=1))
    assert sign_ins.past(NOW) == []
    assert sign_ins.past(after(hours=1)) == [
        ("192.0.2.0/24", "2026-01-02T03", 3),
        ("2001:db8:1::/48", "2026-01-02T03", 1),
        ("unknown", "2026-01-02T03", 1),
    ]
    sign_ins.forget_past(after(hours=1))
    assert sign_ins.past(after(hours=2)) == [("192.0.2.0/24", "2026-01-02T04", 1)]


@pytest.mark.parametrize("address", ["", "localhost", "1.2.3", "192.0.2.1\n", "a.b.c.d"])
def test_what_is_no_address_has_no_block(address: str) -> None:
    assert block_of(address) == "unknown"


def test_a_key_is_made_once(database: Database) -> None:
    wrapping = Wrapping(Fernet.generate_key())
    first = InstallationKeys(database, wrapping)
    web = first.key("web")
    assert len(web) == KEY_BYTES
    assert web != first.key("other")
    assert InstallationKeys(database, wrapping).key("web") == web
    with pytest.raises(WrongKey):
        InstallationKeys(database, Wrapping(None)).key("web")


@pytest.mark.parametrize(
    ("given_name", "kept"),
    [("Ann", "Ann"), (" 山田 太郎 ", "山田 太郎"), ("か\u3099", "が"), ("x" * 80, "x" * 80)],
)
def test_names_that_can_be_shown(given_name: str, kept: str) -> None:
    assert display_name(given_name) == kept


@pytest.mark.parametrize(
    "given_name", ["", "  ", "x" * 81, "a\0b", "a\nb", "a\u2028b", "a\u202eb", "a\u2066b", "\ud800"]
)
def test_names_that_cannot_be_shown(given_name: str) -> None:
    with pytest.raises(Invalid):
        display_name(given_name)


@given(st.text(max_size=100))
def test_a_name_that_is_kept_stays_as_it_is(text: str) -> None:
    try:
        name = display_name(text)
    except Invalid:
        return
    assert display_name(name) == name
