"""The tables of the store, as numbered steps that are never changed once released."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from service.store.fitness import UnfitDatabase


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """What the two databases write differently in a step.

    binary: the type of bytes. position: numbers that grow and are never given twice. random_id: 32
    random hexadecimal digits. keyed: the rows of a table lie in the order of its key.
    """

    binary: str
    position: str
    random_id: str
    keyed: str


SQLITE = Dialect(
    binary="BLOB",
    position="INTEGER PRIMARY KEY AUTOINCREMENT",
    random_id="lower(hex(randomblob(16)))",
    keyed="WITHOUT ROWID",
)
POSTGRESQL = Dialect(
    binary="BYTEA",
    position="BIGINT PRIMARY KEY GENERATED ALWAYS AS IDENTITY",
    random_id="replace(gen_random_uuid()::text, '-', '')",
    keyed="",
)

STEPS: Sequence[Sequence[str]] = (
    (
        "CREATE TABLE installation (id TEXT NOT NULL)",
        "INSERT INTO installation SELECT {random_id}",
        """CREATE TABLE events (
            position {position},
            stream TEXT NOT NULL,
            version BIGINT NOT NULL,
            tag TEXT NOT NULL,
            body {binary} NOT NULL,
            UNIQUE (stream, version))""",
        """CREATE TABLE snapshots (
            stream TEXT NOT NULL,
            version BIGINT NOT NULL,
            tag TEXT NOT NULL,
            body {binary} NOT NULL,
            PRIMARY KEY (stream, version)) {keyed}""",
        """CREATE TABLE commands (
            command_id TEXT PRIMARY KEY,
            stream TEXT NOT NULL,
            version BIGINT NOT NULL,
            body_digest TEXT NOT NULL) {keyed}""",
        """CREATE TABLE match_secrets (
            stream TEXT PRIMARY KEY,
            key_id TEXT NOT NULL,
            body {binary} NOT NULL) {keyed}""",
        """CREATE TABLE texts (
            digest TEXT PRIMARY KEY,
            salt {binary} NOT NULL,
            body TEXT NOT NULL) {keyed}""",
        """CREATE TABLE documents (
            digest TEXT PRIMARY KEY,
            body {binary} NOT NULL) {keyed}""",
    ),
    (
        """CREATE TABLE persons (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL,
            created_at TEXT NOT NULL) {keyed}""",
        """CREATE TABLE tokens (
            id TEXT PRIMARY KEY,
            person TEXT NOT NULL,
            digest TEXT NOT NULL,
            kind TEXT NOT NULL,
            scopes TEXT NOT NULL,
            narrowed_to TEXT,
            made_with TEXT,
            created_at TEXT NOT NULL,
            expires_at TEXT NOT NULL,
            revoked_at TEXT,
            last_day TEXT) {keyed}""",
        "CREATE INDEX tokens_by_person ON tokens (person, created_at)",
        """CREATE TABLE failed_sign_ins (
            block TEXT NOT NULL,
            hour TEXT NOT NULL,
            count BIGINT NOT NULL,
            PRIMARY KEY (block, hour)) {keyed}""",
        """CREATE TABLE refusals (
            match_id TEXT NOT NULL,
            seat TEXT NOT NULL,
            time TEXT NOT NULL,
            rule TEXT NOT NULL)""",
        "CREATE INDEX refusals_by_seat ON refusals (match_id, seat, time)",
        """CREATE TABLE installation_keys (
            name TEXT PRIMARY KEY,
            key_id TEXT NOT NULL,
            body {binary} NOT NULL) {keyed}""",
        """CREATE TABLE jobs (
            id TEXT PRIMARY KEY,
            kind TEXT NOT NULL,
            made_by TEXT,
            body {binary} NOT NULL,
            answer TEXT,
            created_at TEXT NOT NULL) {keyed}""",
        "CREATE INDEX jobs_waiting ON jobs (created_at) WHERE answer IS NULL",
        "ALTER TABLE commands ADD COLUMN since BIGINT NOT NULL DEFAULT 0",
    ),
    (
        """CREATE TABLE notes (
            id TEXT PRIMARY KEY,
            match_id TEXT NOT NULL,
            seq BIGINT NOT NULL,
            author TEXT NOT NULL,
            audience TEXT NOT NULL,
            body TEXT NOT NULL,
            time TEXT NOT NULL) {keyed}""",
        "CREATE INDEX notes_by_match ON notes (match_id, seq, time, id)",
        "CREATE INDEX notes_by_author ON notes (author, match_id)",
    ),
)


def missing_statements(done: int, dialect: Dialect) -> Iterator[str]:
    """Yield the statements of the steps behind the first `done`."""
    for step in STEPS[done:]:
        for statement in step:
            yield statement.format_map(asdict(dialect))


def check_steps(done: int) -> None:
    """Raise `UnfitDatabase` unless exactly the steps of this program were carried out."""
    refuse_newer(done)
    if done < len(STEPS):
        raise UnfitDatabase(
            f"the database has {done} of {len(STEPS)} steps of its tables: run `kifu migrate`"
        )


def refuse_newer(done: int) -> None:
    """Raise `UnfitDatabase` if more steps were carried out than this program knows."""
    if done > len(STEPS):
        raise UnfitDatabase(
            f"the database has {done} steps of its tables, this program knows {len(STEPS)}: "
            "it was used by a newer program, run that one"
        )
