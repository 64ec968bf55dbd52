"""Small streams for the tests of the store: a match that opens, and seeds that need no rule."""

from __future__ import annotations

from service.aggregates.attachments import Attached, Saved, Text
from service.aggregates.events import MatchEvent, MatchOpened, SeedOpened
from service.aggregates.fairness import Secrets
from service.commands.matches import OpenMatch, Seated
from service.commands.matches import opened as opened_by
from service.commands.ports import NOTHING
from service.engine.contract import Ruleset
from service.installation import clock
from service.store.log import Log
from tests.conftest import CATALOGUE

GAME = "hi-story"
SECRETS = Secrets(salt_key=b"salt")


def open_log(url: str) -> Log:
    """Open a log whose matches are all of one game."""
    return Log(url, ruleset_of)


def ruleset_of(opened: MatchOpened) -> Ruleset:
    """Return the ruleset of a match below."""
    return CATALOGUE.game(opened.game).sample.ruleset


def opened() -> MatchOpened:
    """Return the first event of a match."""
    command = OpenMatch(
        match_id="m",
        edition=CATALOGUE.game(GAME).edition,
        cards="sample",
        kind="live",
        seats={seat: Seated(name=Text(salt=b"salt", body=seat)) for seat in ("P1", "P2")},
        secrets=SECRETS,
        documents={},
    )
    return opened_by(command, clock())


def noted(number: int) -> SeedOpened:
    """Return an event that tells its number."""
    return SeedOpened(seat="P1", seed=f"{number:064x}", time=clock())


def open_match(log: Log, match_id: str, *, attached: Attached = NOTHING) -> Saved:
    """Store the first event of a match."""
    return log.append(match_id, None, [opened()], secrets=SECRETS, attached=attached)


def append(log: Log, match_id: str, *events: MatchEvent, attached: Attached = NOTHING) -> Saved:
    """Store events behind the present state of a match."""
    return log.append(match_id, log.match(match_id), events, attached=attached)
