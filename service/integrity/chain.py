"""Sealed events: one chain that every viewer can check (integrity 2).

An event has a form for each viewer. A seal is a salted hash of a form; the hash of an event covers
its header and the seals of all forms, so that whoever sees one form checks the whole chain.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping, Sequence

from msgspec import Struct, to_builtins

from schemas.strict import encoded
from service.engine.hashes import joined, tagged_hash
from service.engine.patches import Operation, applied, patch
from service.engine.values import JUDGE, SPECTATOR, Actor, Json, Viewer

SALT_BYTES = 16


class Header(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What everybody sees of an event; nothing in it depends on hidden values.

    type: the tag under which the event is stored. time: UTC, never before the event before.
    """

    match: str
    seq: int
    type: str
    actor: Actor | None
    time: str
    edition: str
    viewers: list[Viewer]


class Sealed(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An event as it is stored: the judge's form, how the others differ from it, seals, hash.

    deltas: viewer → JSON Patch from the judge's form, for those that differ. seals, hash: hex.
    """

    header: Header
    form: dict[str, Json]
    deltas: dict[Viewer, list[Operation]]
    seals: dict[Viewer, str]
    hash: str


def viewers_in_order(seats: Sequence[str]) -> list[Viewer]:
    """Return the viewers of a match in the order of their seals."""
    return [JUDGE, *sorted(seats), SPECTATOR]


def genesis(origin: str, match_id: str) -> str:
    """Return what stands for the hash before the first event: H("kifu-match-v1", origin, match)."""
    return tagged_hash("kifu-match-v1", origin.encode(), match_id.encode()).hex()


def salt_of(salt_key: bytes, seq: int, viewer: Viewer) -> bytes:
    """Return the salt of a form: the first 16 bytes of HMAC(salt key, "form", seq, viewer)."""
    parts = joined(b"form", str(seq).encode(), viewer.encode())
    return hmac.digest(salt_key, parts, "sha256")[:SALT_BYTES]


def seal(header: Header, viewer: Viewer, salt: bytes, form: Mapping[str, Json]) -> str:
    """Return H("kifu-form-v1", match, seq, viewer, salt, canonical form)."""
    return tagged_hash(
        "kifu-form-v1",
        header.match.encode(),
        str(header.seq).encode(),
        viewer.encode(),
        salt,
        encoded(form),
    ).hex()


def event_hash(previous: str, header: Header, seals: Mapping[Viewer, str]) -> str:
    """Return H("kifu-event-v1", previous hash, SHA-256 of the header, the seals in order)."""
    digest = hashlib.sha256(encoded(to_builtins(header))).digest()
    in_order = [bytes.fromhex(seals[viewer]) for viewer in header.viewers]
    return tagged_hash("kifu-event-v1", bytes.fromhex(previous), digest, *in_order).hex()


def sealed(
    header: Header,
    forms: Mapping[Viewer, dict[str, Json]],
    salts: Mapping[Viewer, bytes],
    previous: str,
) -> Sealed:
    """Seal the forms of an event behind the hash of the one before it."""
    full = forms[header.viewers[0]]
    seals = {viewer: seal(header, viewer, salts[viewer], form) for viewer, form in forms.items()}
    deltas = {viewer: patch(full, form) for viewer, form in forms.items()}
    return Sealed(
        header=header,
        form=full,
        deltas={viewer: operations for viewer, operations in deltas.items() if operations},
        seals=seals,
        hash=event_hash(previous, header, seals),
    )


def form_for(sealed: Sealed, viewer: Viewer) -> dict[str, Json]:
    """Return the form that was sealed for a viewer."""
    form: dict[str, Json] = applied(sealed.form, sealed.deltas.get(viewer, []))
    return form


def position_hash(view: Json) -> str:
    """Return the SHA-256 of a position as a viewer sees it."""
    return hashlib.sha256(encoded(view)).hexdigest()
