"""Verifying on the command line: keys, files, receipts, editions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run, objects
from tests.conftest import log_of


@pytest.fixture
def key(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A key with which the log of this test signs; gives the public one."""
    path = tmp_path / "log.key"
    public = run("keys", "new", "-o", path).stdout.strip()
    assert run("keys", "show", path).stdout.strip() == public
    monkeypatch.setenv("KIFU_LOG_KEY", str(path))
    return public


@pytest.fixture
def match_id(run: Run, key: str) -> str:
    (body,) = objects(run("import", log_of("hi-story"), "--json"))
    return str(body["match"])


def exported(run: Run, match_id: str, path: Path, viewer: str = "judge") -> Path:
    assert run("export", match_id, "--as", viewer, "-o", path).exit_code == 0
    return path


def test_a_file_is_verified_with_the_key_of_its_log(
    run: Run, key: str, match_id: str, tmp_path: Path
) -> None:
    path = exported(run, match_id, tmp_path / "match.kifu.jsonl")
    trusted = run("verify", path, "--trust", key)
    assert (trusted.exit_code, "exact" in trusted.stdout) == (0, True)
    other = run("keys", "new", "-o", tmp_path / "other.key").stdout.strip()
    assert run("verify", path, "--trust", other).exit_code == 1
    assert "no trusted key" in run("verify", path).stdout


def test_a_seat_holds_a_partial_file(run: Run, match_id: str, tmp_path: Path) -> None:
    path = exported(run, match_id, tmp_path / "p1.kifu.jsonl", "P1")
    (report,) = objects(run("verify", path, "--json"))
    assert (report["overall"], report["viewer"]) == ("partial", "P1")
    assert run("export", match_id, "--as", "P3").exit_code == 2


def test_what_is_wrong_is_named(run: Run, match_id: str, tmp_path: Path) -> None:
    path = exported(run, match_id, tmp_path / "match.kifu.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:40] + lines[41:]))
    (report,) = objects(run("verify", path, "--json"))
    assert (report["overall"], report["first_bad"]) == ("tampered", 39)
    assert report["checks"]["chain"]["expected"] == "39"
    path.write_bytes(b"{}\n")
    assert run("verify", path).exit_code == 2


def test_a_receipt_must_be_honoured(run: Run, match_id: str, tmp_path: Path) -> None:
    path = exported(run, match_id, tmp_path / "match.kifu.jsonl")
    receipt = tmp_path / "receipt.json"
    receipt.write_text(run("receipt", match_id).stdout)
    assert run("verify", path, "--receipt", receipt).exit_code == 0
    body = json.loads(receipt.read_text())
    body["receipt"]["seq"] += 1
    receipt.write_text(json.dumps(body))
    assert run("verify", path, "--receipt", receipt).exit_code == 1
    receipt.write_text("{")
    assert run("verify", path, "--receipt", receipt).exit_code == 2


def test_a_file_of_another_installation_is_imported(
    run: Run, match_id: str, tmp_path: Path
) -> None:
    path = exported(run, match_id, tmp_path / "match.kifu.jsonl")
    (body,) = objects(run("import", path, "--json"))
    assert (body["overall"], body["match"] is None) == ("exact", False)
    redacted = exported(run, match_id, tmp_path / "p2.kifu.jsonl", "P2")
    assert run("import", redacted).exit_code == 1


def test_keys_are_never_overwritten(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.key"
    assert run("keys", "new", "-o", path).exit_code == 0
    assert path.stat().st_mode & 0o077 == 0
    assert run("keys", "new", "-o", path).exit_code == 2
    path.write_text("no key")
    assert run("keys", "show", path).exit_code == 2


def test_editions_are_listed_and_withdrawn(run: Run, match_id: str) -> None:
    assert "hi-story@1  engine" in run("editions", "list", "hi-story").stdout
    (body,) = objects(run("editions", "show", "hi-story@1"))
    assert body["withdrawn"] is None
    assert run("editions", "withdraw", "hi-story@1", "--reason", "a misprint").exit_code == 0
    assert "withdrawn" in run("editions", "list").stdout
    refused = run("import", log_of("hi-story", 2))
    assert refused.exit_code == 2
    assert "a misprint" in refused.stderr
    assert run("editions", "show", "hi-story@9").exit_code == 2
    assert run("editions", "show", "hi-story").exit_code == 2
