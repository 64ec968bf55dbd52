"""Keys, signed statements and receipts (Ed25519)."""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from msgspec import Struct, to_builtins

from schemas.strict import encoded
from service.engine.hashes import tagged_hash

PREFIX = "kifu-ed25519:"
STATEMENT = "statement"
RECEIPT = "receipt"


class Signature(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """key: the public key as text; signature: base64."""

    key: str
    signature: str


class Receipt(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the log answers to an accepted command: this event stands at this place."""

    match: str
    seq: int
    event_hash: str
    time: str


class SignedReceipt(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A receipt with its signature, null if the log has no key."""

    receipt: Receipt
    signature: Signature | None


class LogKey:
    """The key with which a log signs. text: as `new_key` returns it; raises ValueError."""

    def __init__(self, text: str) -> None:
        """Read a private key."""
        try:
            self._private = Ed25519PrivateKey.from_private_bytes(b64decode(text.strip()))
        except Exception as fault:
            raise ValueError("this is no private key of `kifu keys new`") from fault
        self.public = PREFIX + b64encode(self._private.public_key().public_bytes_raw()).decode()

    def sign(self, kind: str, said: Struct) -> Signature:
        """Sign what the log says; kind separates statements from receipts."""
        signature = self._private.sign(_message(kind, said))
        return Signature(key=self.public, signature=b64encode(signature).decode())


def new_key() -> str:
    """Return a new private key as text."""
    return b64encode(Ed25519PrivateKey.generate().private_bytes_raw()).decode()


def is_signed(kind: str, said: Struct, signature: Signature) -> bool:
    """Tell whether a signature is good for what was said, under the key that it names."""
    try:
        public = Ed25519PublicKey.from_public_bytes(
            b64decode(signature.key.removeprefix(PREFIX), validate=True)
        )
        public.verify(b64decode(signature.signature, validate=True), _message(kind, said))
    except (ValueError, InvalidSignature):
        return False
    return True


def _message(kind: str, said: Struct) -> bytes:
    body: Any = to_builtins(said)
    return tagged_hash("kifu-signed-v1", kind.encode(), encoded(body))
