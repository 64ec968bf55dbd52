"""The match of the demo that can be watched: two persons, played for by the example client."""

from __future__ import annotations

import atexit
import subprocess
import sys
from pathlib import Path

from projections.matches import Wanted
from service.accounts.persons import Person
from service.accounts.tokens import NewToken
from service.installation import Installation, clock

GAME = "hi-story"
PLAYERS = ("葵 (demo)", "Rin (demo)")
SCOPES = ("seat", "act")
TOKEN_DAYS = 1
PAUSE_S = 2.5
END_WAIT_S = 5


def play_beside(installation: Installation, client: Path, address: str) -> str | None:
    """Have a match played until this process ends; return its address once it has begun.

    The players of the demo go on with the one they left, or begin another. client: the program that
    plays for them, in a process of its own. None if it could not begin; it has said why.
    """
    players = players_in(installation)
    command = [sys.executable, str(client), address, GAME, "--pause", str(PAUSE_S)]
    if (match_id := running_match_of(installation, players[0])) is not None:
        command += ["--match", match_id]
    # It needs nothing of this environment, least of all a proxy on the way to this server.
    playing = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={"no_proxy": "*"},
    )
    atexit.register(_end, playing)
    assert playing.stdin is not None
    assert playing.stdout is not None
    with playing.stdin as tokens:
        tokens.write("\n".join(token_for(installation, one) for one in players))
    return playing.stdout.readline().strip() or None


def players_in(installation: Installation) -> list[Person]:
    """Return the players of the demo, who are made when they are first needed."""
    known: dict[str, Person] = {}
    after = ""
    while page := installation.persons.listed(after=after):
        known |= {one.name: one for one in page if one.name in PLAYERS}
        after = page[-1].id
    return [known.get(name) or installation.persons.create(name, clock()) for name in PLAYERS]


def running_match_of(installation: Installation, player: Person) -> str | None:
    """Return the match that a player of the demo left, if he has not come to its end."""
    wanted = Wanted(game=GAME, person=player.id)
    found = [row for row, _ in installation.matches(wanted) if row.state == "running"]
    return found[0].id if found else None


def token_for(installation: Installation, player: Person) -> str:
    """Return a token for a player of the demo instead of the last one: its text is kept nowhere."""
    for old in installation.persons.tokens_of(player.id, clock()):
        installation.persons.revoke(old.id, clock())
    wanted = NewToken(person=player.id, scopes=SCOPES, days=TOKEN_DAYS)
    return installation.persons.create_token(wanted, None, clock())[1]


def _end(playing: subprocess.Popen[str]) -> None:
    playing.terminate()
    playing.wait(END_WAIT_S)
