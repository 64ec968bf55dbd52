"""The world says no: what a command meets when no rule of a game is concerned."""

from __future__ import annotations


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


class Closed(WorldFault):
    """The match takes no further actions."""


class Refused(WorldFault):
    """The match is not in a state for this."""
