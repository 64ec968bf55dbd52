"""A tournament like that of the demo, as small as one with everything in it can be."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from service.aggregates.tournaments.events import Cut, Phase
from service.cli.demo_tournaments import Claim, DemoTournament, Drop, Player
from service.installation import Installation
from service.integrity.signing import new_key
from tests.conftest import opened, settings_in

SMALL = DemoTournament(
    id="small",
    name="小さな杯 (Small Cup)",
    game="formation",
    profile="mtr-2024",
    late="loss",
    seed=1,
    phases=(
        Phase(format="swiss", rounds=3),
        Phase(format="single_elimination", cut=Cut(top=2)),
    ),
    players=(
        Player(id="ann", name="青木 (Ann)", deck="red_green_charge"),
        Player(id="bob", name="馬場 (Bob)", deck="white_blue_wall"),
        Player(id="cid", name="志度 (Cid)", deck="black_mixed_doom"),
        Player(id="dan", name="段 (Dan)", deck="red_green_charge"),
        Player(id="eve", name="衛部 (Eve)", deck="white_blue_wall", enters=2),
    ),
    drops=(Drop(player="dan", after_round=2, reason="a train"),),
    claims=(
        Claim(round=1, table=1, winner="first", amended="the log shows who won"),
        Claim(round=2, table=1, winner="second", confirmed=True),
    ),
)


def signing_installation(folder: Path) -> tuple[Installation, Path]:
    """Return an installation in a folder that signs, and the file of its key."""
    key = folder / "log.key"
    key.write_text(new_key())
    return opened(replace(settings_in(folder), log_key=key)), key
