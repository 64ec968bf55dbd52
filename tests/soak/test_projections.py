"""Projections under hard use: killed many times, fed and rebuilt by many at once."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from projections.generations import drop_unread, rebuild, switch
from projections.runner import Generation
from service.aggregates.world import Refused
from service.cli.simulating import simulated_match
from service.installation import PROJECTIONS, Installation
from tests.conftest import CATALOGUE
from tests.projections.feeding import fed, fill, rows_of
from tests.projections.test_runner_killed import check, kill_after

DATABASES = ("sqlite", "postgresql")

KILLS = 30
PAGES_MAX = 100
MATCHES = 20
WRITERS = 3
ROUNDS = 10
NEVER = 2**31


@pytest.mark.soak
def test_killed_again_and_again(installation: Installation, database_url: str) -> None:
    fill(installation)
    chance = random.Random(11)
    for _ in range(KILLS):
        kill_after(database_url, chance.randint(1, PAGES_MAX), NEVER)
    check(installation)


@pytest.mark.soak
def test_rebuilt_and_switched_under_load(installation: Installation) -> None:
    game = CATALOGUE.game("hi-story")

    def play(writer: int) -> None:
        for number in range(MATCHES):
            simulated_match(installation, game.sample, writer, number, {}, "sample")
            installation.catch_up()

    with ThreadPoolExecutor(WRITERS) as writers:
        playing = [writers.submit(play, writer) for writer in range(WRITERS)]
        for _ in range(ROUNDS):
            renew(installation)
        for run in playing:
            run.result()
    installation.catch_up()
    with installation.database.reading() as tables:
        numbers = dict(tables.live_numbers())
    for one in PROJECTIONS:
        live = Generation(projection=one, number=numbers[one.name])
        whole = fed(installation, one, ROUNDS + 2)
        assert rows_of(installation.database, live) == rows_of(installation.database, whole)


def renew(installation: Installation) -> None:
    """Rebuild every projection, have the new one read, drop the other."""
    for _ in rebuild(installation.database, installation.log, PROJECTIONS)[1]:
        pass
    for one in PROJECTIONS:
        try:
            switch(installation.database, installation.log, one)
        except Refused:
            continue
        drop_unread(installation.database, one.name, {each.name for each in PROJECTIONS})
