"""Measure everything and write the tables into README.md."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from service.installation import open_installation
from tests.bench import (
    committing,
    games,
    growing,
    live,
    opening,
    pairing,
    projections,
    proving,
    saving,
    search,
    seeking,
    standings,
    tournaments,
)
from tests.conftest import CATALOGUE, settings_in

REPORT = Path(__file__).parent / "README.md"
HEAD = """# Measurements

Written by `make bench` on {date}: Python {python}, {cores} cores. Compare within one table only:
the speed of a disk differs from run to run.
"""


def table(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [f"\n## {title}\n", "| " + " | ".join(headings) + " |", "| --- " * len(headings) + "|"]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)]) + "\n"


def main() -> None:
    """Run the measurements."""
    played = [row for name in CATALOGUE.names() for row in games.rows(CATALOGUE.game(name))]
    game = CATALOGUE.game("hi-story")
    with tempfile.TemporaryDirectory() as folder:
        installation = open_installation(settings_in(Path(folder)))
        saved = saving.rows(installation, game, Path(folder))
        sought = seeking.rows(installation, game)
        proved = [proving.row(installation, CATALOGUE.game(name)) for name in CATALOGUE.names()]
        held = tournaments.rows(installation)
        installation.close()
        committed = committing.rows(Path(folder) / "committing")
        rebuilt = projections.rows(Path(folder) / "projections")
        searched = search.rows(Path(folder) / "search")
        followed = live.rows(Path(folder) / "live")
        browsed = opening.rows(game, Path(folder) / "opening")
    text = HEAD.format(
        date=datetime.now(UTC).date(), python=platform.python_version(), cores=os.cpu_count()
    )
    text += table(
        "Random games without the store, one core, legal actions listed at every step",
        ("game", "games/s", "actions/s", "facts/s"),
        played,
    )
    text += table("Saving, SQLite, every commit durable", ("what", "actions/s", "of raw"), saved)
    text += table(
        "Saving events of callers at the same time, as parts of raw inserts",
        committing.HEADINGS,
        committed,
    )
    text += table(projections.title(), projections.HEADINGS, rebuilt) + projections.NOTE
    text += table(search.TITLE, search.HEADINGS, searched) + search.NOTE
    text += table(live.TITLE, live.HEADINGS, followed) + live.NOTE
    text += table(opening.TITLE, opening.HEADINGS, browsed) + opening.note()
    text += table("Reaching a position", ("what", "median", "of the short match"), sought)
    text += table("What integrity costs, SQLite", proving.HEADINGS, proved)
    text += table(
        "Deciding and folding an action, early and late in a match",
        ("game", "first third", "last third", "ratio"),
        [growing.length_row(CATALOGUE.game(name)) for name in CATALOGUE.names()],
    )
    text += table(
        "A battle turn of Summoner's Pieces as lines grow",
        ("units a side", "battle turn", "per unit of a line"),
        growing.battle_rows(CATALOGUE.game("formation")),
    )
    text += table(standings.TITLE, standings.HEADINGS, standings.rows())
    text += table(tournaments.TITLE, tournaments.HEADINGS, held) + tournaments.NOTE
    text += table(pairing.TITLE, pairing.HEADINGS, pairing.rows()) + pairing.NOTE
    REPORT.write_text(text)
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
