"""Files of matches, made once: an imported and a simulated match of each game, signed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest

from service.cli.simulating import simulated_match
from service.exchange import export_lines
from service.installation import Installation
from service.integrity.report import Report
from service.integrity.signing import LogKey, new_key
from service.offline import verify_lines
from tests.conftest import CATALOGUE, import_log, log_of, opened, settings_in

Lines = list[bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Signed:
    """An installation that signs, and the matches in it: game → imported, simulated."""

    installation: Installation
    key: LogKey
    imported: dict[str, str]
    simulated: dict[str, str]

    def lines(self, match_id: str, viewer: str = "judge") -> Lines:
        return export_lines(self.installation, self.installation.log.match(match_id), viewer)

    def verify(self, lines: Lines) -> Report:
        return verify_lines(CATALOGUE, lines, trusted=[self.key.public])


@pytest.fixture(scope="session")
def signed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Signed]:
    folder = tmp_path_factory.mktemp("signed")
    key_file = folder / "log.key"
    key_file.write_text(new_key())
    installation = opened(replace(settings_in(folder), log_key=key_file))
    pools = {name: CATALOGUE.game(name).sample for name in CATALOGUE.names()}
    yield Signed(
        installation=installation,
        key=LogKey(key_file.read_text()),
        imported={name: import_log(installation, log_of(name)) for name in pools},
        simulated={
            name: simulated_match(installation, pool, 11, 0, {}, "sample").id
            for name, pool in pools.items()
        },
    )
    installation.log.close()


@pytest.fixture(params=CATALOGUE.names())
def game_name(request: pytest.FixtureRequest) -> str:
    return str(request.param)
