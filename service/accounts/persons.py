"""Persons with their display names and tokens."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass

from projections.tables import Database
from service.accounts.names import display_name
from service.accounts.tokens import (
    COLUMNS,
    NewToken,
    Token,
    as_row,
    from_row,
    made_session,
    made_token,
    parted,
)
from service.aggregates.access import Principal
from service.aggregates.world import NotFound, Refused, Unauthenticated

PAGE_SIZE = 500
TOKENS_MAX = 100
TOKEN_MARKS = ",".join("?" * len(COLUMNS.split(", ")))
NOT_GOOD = "this token is not good: it is unknown, expired or revoked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody under an opaque id. name: shown to others; it is nowhere in the log."""

    id: str
    name: str
    created_at: str


class Persons:
    """The persons of an installation and their tokens, in the database of its log."""

    def __init__(self, database: Database) -> None:
        """Keep them in a database whose tables are there."""
        self._database = database
        self._used: tuple[str, set[str]] = ("", set())

    def create(self, name: str, now: str) -> Person:
        """Add a person; raises `Invalid` for a name that cannot be shown."""
        person = Person(id=str(uuid.uuid4()), name=display_name(name), created_at=now)
        with self._database.transaction() as tables:
            tables.execute(
                "INSERT INTO persons (id, name, created_at) VALUES (?,?,?)",
                *(person.id, person.name, person.created_at),
            )
        return person

    def find(self, person_id: str) -> Person:
        """Return a person; raises `NotFound`, also for one who was erased."""
        with self._database.reading() as tables:
            rows = tables.rows(
                "SELECT id, name, created_at FROM persons WHERE id = ?", _searchable(person_id)
            )
        if not rows:
            raise NotFound(f"no person {person_id}")
        return _person_of(rows[0])

    def names(self, person_ids: Collection[str]) -> dict[str, str]:
        """Return the display names of persons; one who was erased has none."""
        with self._database.reading() as tables:
            rows = tables.rows_among("SELECT id, name FROM persons WHERE id IN", set(person_ids))
        return {str(person_id): str(name) for person_id, name in rows}

    def listed(self, *, after: str = "", limit: int = PAGE_SIZE) -> list[Person]:
        """Return persons in the order of their ids, from behind an id."""
        with self._database.reading() as tables:
            rows = tables.rows(
                "SELECT id, name, created_at FROM persons WHERE id > ? ORDER BY id LIMIT ?",
                *(after, limit),
            )
        return [_person_of(row) for row in rows]

    def rename(self, person_id: str, name: str) -> Person:
        """Change a display name; raises `NotFound`, `Invalid`."""
        with self._database.transaction() as tables:
            rows = tables.rows(
                "UPDATE persons SET name = ? WHERE id = ? RETURNING id, name, created_at",
                *(display_name(name), _searchable(person_id)),
            )
        if not rows:
            raise NotFound(f"no person {person_id}")
        return _person_of(rows[0])

    def erase(self, person_id: str) -> None:
        """Forget a person's name, tokens and notes: his opaque id names nobody any more.

        Raises `NotFound`.
        """
        self.find(person_id)
        with self._database.transaction() as tables:
            # The person first: from then on nobody adds a note of his.
            tables.execute("DELETE FROM persons WHERE id = ?", person_id)
            tables.execute("DELETE FROM tokens WHERE person = ?", person_id)
            tables.execute("DELETE FROM notes WHERE author = ?", person_id)

    def create_token(
        self, wanted: NewToken, maker: Principal | None, now: str
    ) -> tuple[Token, str]:
        """Make a token; return it with its text `id.secret`, which is kept nowhere.

        maker: who asks, None from the shell. Raises `NotFound`, `Invalid`, `Forbidden`, and
        `Refused` for more than 100 that hold.
        """
        self.find(wanted.person)
        if len(self.tokens_of(wanted.person, now)) >= TOKENS_MAX:
            raise Refused(f"a person has at most {TOKENS_MAX} tokens: revoke one")
        token, text = made_token(wanted, maker, now)
        self._insert(token)
        return token, text

    def open_session(self, text: str, now: str) -> tuple[Token, str]:
        """Sign in with a token; return the session and its text.

        Raises `Unauthenticated`, also for the text of a session: none follows from another.
        """
        token = self._good(text, now)
        if token.kind != "token":
            raise Unauthenticated(NOT_GOOD)
        session, shown = made_session(token, now)
        self._insert(session)
        return session, shown

    def tokens_of(self, person_id: str, now: str) -> list[Token]:
        """Return a person's tokens that hold, the oldest first; sessions are none."""
        with self._database.reading() as tables:
            rows = tables.rows(
                f"SELECT {COLUMNS} FROM tokens WHERE person = ? AND kind = 'token' "
                "AND revoked_at IS NULL AND expires_at > ? ORDER BY created_at, id",
                *(_searchable(person_id), now),
            )
        return [from_row(row) for row in rows]

    def token(self, token_id: str) -> Token:
        """Return a token or session by its id; raises `NotFound`."""
        with self._database.reading() as tables:
            rows = tables.rows(f"SELECT {COLUMNS} FROM tokens WHERE id = ?", _searchable(token_id))
        if not rows:
            raise NotFound(f"no token {token_id}")
        return from_row(rows[0])

    def revoke(self, token_id: str, now: str, *, owner: str | None = None) -> None:
        """End a token and the sessions that were opened with it.

        owner: the only person whose token it may be, None from the shell. Raises `NotFound`.
        """
        token = self.token(token_id)
        if token.revoked_at is not None or owner not in (None, token.person):
            raise NotFound(f"no token {token_id}")
        with self._database.transaction() as tables:
            tables.execute(
                "UPDATE tokens SET revoked_at = ? WHERE revoked_at IS NULL "
                "AND (id = ? OR (made_with = ? AND kind = 'session'))",
                *(now, token.id, token.id),
            )

    def principal_of(self, text: str, now: str) -> Principal:
        """Return who comes with a token or session; raises `Unauthenticated` if it is not good."""
        return self._good(text, now).principal

    def is_first_use(self, token_id: str, day: str) -> bool:
        """Tell whether a token was not used on a day, yyyy-mm-dd, as far as `note_use` knows."""
        noted_day, noted = self._used
        if noted_day == day and token_id in noted:
            return False
        if self.token(token_id).last_day == day:
            self._remember_use(token_id, day)
            return False
        return True

    def note_use(self, token_id: str, day: str) -> None:
        """Keep that a token was used on a day."""
        with self._database.transaction() as tables:
            tables.execute("UPDATE tokens SET last_day = ? WHERE id = ?", day, token_id)
        self._remember_use(token_id, day)

    def forget_sessions(self, before: str) -> None:
        """Delete the sessions that ended before a time."""
        with self._database.transaction() as tables:
            tables.execute("DELETE FROM tokens WHERE kind = 'session' AND expires_at < ?", before)

    def _remember_use(self, token_id: str, day: str) -> None:
        if self._used[0] != day:
            self._used = (day, set())
        self._used[1].add(token_id)

    def _good(self, text: str, now: str) -> Token:
        parts = parted(text)
        if parts is None:
            raise Unauthenticated(NOT_GOOD)
        token_id, secret = parts
        try:
            token = self.token(token_id)
        except NotFound as fault:
            raise Unauthenticated(NOT_GOOD) from fault
        if not token.is_good(secret, now):
            raise Unauthenticated(NOT_GOOD)
        return token

    def _insert(self, token: Token) -> None:
        with self._database.transaction() as tables:
            tables.execute(f"INSERT INTO tokens ({COLUMNS}) VALUES ({TOKEN_MARKS})", *as_row(token))


def _searchable(value: str) -> str:
    """Return an id as it may be asked for: PostgreSQL takes no text with a zero character."""
    return value.replace("\0", "\ufffd")


def _person_of(row: tuple[str, str, str]) -> Person:
    return Person(id=row[0], name=row[1], created_at=row[2])
