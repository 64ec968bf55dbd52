"""The command that makes the tables on PostgreSQL, where no other command does."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.servers import empty_schema

KIFU = "from service.cli import main; main()"


def run(url: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", KIFU, "--database-url", url, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_commands_ask_for_it_until_it_was_run() -> None:
    with empty_schema() as url:
        refused = run(url, "matches", "--json")
        assert refused.returncode == 2
        assert "run `kifu migrate`" in refused.stderr
        assert run(url, "migrate").returncode == 0
        listed = run(url, "matches", "--json")
        assert (listed.returncode, listed.stdout, listed.stderr) == (0, "", "")


@pytest.mark.parametrize("command", ["migrate", "matches"])
def test_a_database_that_cannot_be_used_is_told_in_a_sentence(command: str) -> None:
    refused = run("postgresql://127.0.0.1:1/kifu", command)
    assert refused.returncode == 2
    assert "Error: the database cannot be used" in refused.stderr
    assert "Traceback" not in refused.stderr
