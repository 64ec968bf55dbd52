"""The world says no: what a command meets when no rule of a game is concerned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


class WorldFault(Exception):
    """Base of the refusals that are no rule of a game."""


class NotFound(WorldFault):
    """Nothing of this name, or nothing that the caller may know of."""


class Conflict(WorldFault):
    """Somebody else wrote first. version: the present one."""

    def __init__(self, text: str, *, version: int) -> None:
        """Keep the present version."""
        super().__init__(text)
        self.version = version


class Invalid(WorldFault):
    """Input of the right form that does not fit. errors: path of each fault → what is wrong."""

    def __init__(self, errors: Mapping[str, Sequence[str]]) -> None:
        """Keep the places."""
        super().__init__("; ".join(f"{path}: {texts[0]}" for path, texts in errors.items()))
        self.errors = errors


class Unauthenticated(WorldFault):
    """Nobody is signed in, and this needs somebody; or a token that is not good."""


class Forbidden(WorldFault):
    """The caller may not see or do this."""


class KeyReused(WorldFault):
    """The key of an earlier command came with another body."""


class TooMany(WorldFault):
    """Too often in a short time. wait_s: after how many seconds to try again."""

    def __init__(self, text: str, *, wait_s: int) -> None:
        """Keep the time to wait."""
        super().__init__(text)
        self.wait_s = wait_s


class Full(WorldFault):
    """There is no room at the moment. wait_s: after how many seconds to try again."""

    def __init__(self, text: str, *, wait_s: int) -> None:
        """Keep the time to wait."""
        super().__init__(text)
        self.wait_s = wait_s


class Held(WorldFault):
    """The match is held by a judge."""


class Closed(WorldFault):
    """The match takes no further actions."""


class Refused(WorldFault):
    """The match is not in a state for this."""


class Parked(WorldFault):
    """What is read of a stream has stopped, as one of its events cannot be applied."""
