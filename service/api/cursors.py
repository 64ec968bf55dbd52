"""Opaque places in lists: what stands in `next` and comes back as `after`."""

from __future__ import annotations

import base64
import binascii

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from schemas.strict import Json, canonical, read_json
from service.aggregates.world import Invalid
from service.api.wiring import installation

KEY_NAME = "web"
KEY_BYTES = 64
PURPOSE = b"kifu cursors 1"


def cursor_of(place: Json, *, of: str) -> str:
    """Return a place of a list as it is shown: encrypted, the same place always alike.

    of: name of the list; a cursor is no good for another one.
    """
    sealed = _cipher().encrypt(canonical(place), [of.encode()])
    return base64.urlsafe_b64encode(sealed).decode().rstrip("=")


def place_of(cursor: str, *, of: str) -> Json:
    """Return the place that a cursor of the list stands for; raises `Invalid` at `after`."""
    try:
        sealed = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        return read_json(_cipher().decrypt(sealed, [of.encode()]))
    except (InvalidTag, binascii.Error, ValueError) as fault:
        raise Invalid({"after": ["this is no `next` of this list"]}) from fault


def _cipher() -> AESSIV:
    key = installation().keys.key(KEY_NAME)
    return AESSIV(HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=PURPOSE).derive(key))
