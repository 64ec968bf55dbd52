"""Serves an installation with a fourth game, in which a match was played and another goes on.

`python -m tests.fourth.serving FOLDER`: there lie `code` with the games beside those of the
checkout, and `seeds` with the data of all. The first line of the output tells where it is served.
"""

from __future__ import annotations

import json
import logging
import sys
from dataclasses import replace
from pathlib import Path

from werkzeug.serving import make_server

from service import rulesets
from service.app import app_of
from service.installation import open_installation
from service.store.databases import migrate
from service.worker import verify_stored
from tests.api.tables import NO_LIMIT, hall_of
from tests.conftest import import_log, settings_in

GAME = "high-card"


def serve(root: Path) -> None:
    """Play over HTTP, then serve."""
    settings = replace(settings_in(root), seeds=root / "seeds", rate_limit=NO_LIMIT)
    migrate(settings.database_url)
    here = open_installation(settings)
    here.register_editions()
    log = next((root / "seeds" / GAME / "logs").glob("*.plain.jsonl"))
    hall = hall_of(here)
    players = [hall.person("勅使河原 凜太郎"), hall.person("長谷川・マクシミリアン・健太")]
    played, running = (hall.begin(GAME, players) for _ in range(2))
    hall.play(players, played)
    verify_stored(here, played)
    server = make_server("127.0.0.1", 0, app_of(here, settings), threaded=True)
    told = {
        "url": f"http://127.0.0.1:{server.port}",
        "imported": import_log(here, log),
        "played": played,
        "running": running,
        "token": players[0].token,
    }
    sys.stdout.write(f"{json.dumps(told)}\n")
    sys.stdout.flush()
    server.serve_forever()


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    games = Path(sys.argv[1])
    rulesets.__path__.append(str(games / "code"))
    serve(games)
