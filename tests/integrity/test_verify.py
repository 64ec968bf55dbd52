"""What a file proves, and that no change of it goes unnoticed."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from projections.matches import Wanted
from schemas.strict import canonical
from service.engine.values import Json
from service.exchange import import_file, receipt_of
from service.integrity.chain import Header, event_hash, genesis, seal
from service.integrity.files import Statement, file_digest, last_line
from service.integrity.signing import LogKey, Receipt, SignedReceipt, new_key
from service.offline import verify_lines
from tests.conftest import CATALOGUE, opened, settings_in
from tests.integrity.conftest import Lines, Signed

quick = settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def viewers(signed: Signed, match_id: str) -> list[str]:
    return ["spectator", *signed.installation.log.match(match_id).seats]


def test_the_judges_file_of_an_imported_match_is_exact(signed: Signed, game_name: str) -> None:
    report = signed.verify(signed.lines(signed.imported[game_name]))
    assert (report.overall, report.genuine, report.first_bad) == ("exact", True, None)
    assert report.checks["fair"].verdict == "supplied"


def test_the_judges_file_of_a_simulated_match_is_exact_and_fair(
    signed: Signed, game_name: str
) -> None:
    report = signed.verify(signed.lines(signed.simulated[game_name]))
    assert (report.overall, report.first_bad) == ("exact", None)
    assert report.checks["fair"].verdict == "joint"


def test_redacted_files_are_partial_and_say_why(signed: Signed, game_name: str) -> None:
    for match_id in (signed.imported[game_name], signed.simulated[game_name]):
        heads = set()
        for viewer in viewers(signed, match_id):
            lines = signed.lines(match_id, viewer)
            report = signed.verify(lines)
            assert report.overall == "partial"
            assert report.first_bad is None
            assert "hidden parts" in report.checks["legal"].text
            heads.add(json.loads(lines[-1])["statement"]["head"])
        assert len(heads) == 1, "every viewer's file verifies against one chain"


OFFLINE = """
import socket, sqlite3, sys
from service.cli import main
def refuse(*_, **__):
    raise AssertionError("verification works alone")
socket.socket = sqlite3.connect = refuse
sys.argv = ["kifu", "verify", *sys.argv[1:]]
main()
"""


def test_verifying_needs_no_network_and_no_database(signed: Signed, tmp_path: Path) -> None:
    path = tmp_path / "match.kifu.jsonl"
    path.write_bytes(b"".join(signed.lines(signed.simulated["hi-story"])))
    out = subprocess.run(
        [sys.executable, "-c", OFFLINE, str(path), "--trust", signed.key.public],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (out.returncode, out.stdout.partition(":")[0]) == (0, path.name), out.stderr
    assert "exact" in out.stdout


@quick
@given(data=st.data())
def test_no_byte_can_be_changed(signed: Signed, data: st.DataObject) -> None:
    lines = list(signed.lines(signed.simulated["hi-story"]))
    at = data.draw(st.integers(0, len(lines) - 1))
    place = data.draw(st.integers(0, len(lines[at]) - 1))
    old = lines[at][place]
    new = data.draw(st.integers(0, 255).filter(lambda byte: byte != old))
    lines[at] = lines[at][:place] + bytes([new]) + lines[at][place + 1 :]
    report = signed.verify(lines)
    assert report.overall in ("tampered", "malformed")
    assert report.first_bad is not None or report.line is not None


@quick
@given(data=st.data())
def test_without_a_key_no_byte_can_be_changed_either(signed: Signed, data: st.DataObject) -> None:
    lines = unsigned(signed.lines(signed.imported["hi-story"]))
    at = data.draw(st.sampled_from([0, 1, 2, len(lines) - 2, len(lines) - 1]))
    place = data.draw(st.integers(0, len(lines[at]) - 1))
    new = data.draw(st.integers(32, 126).filter(lambda byte: byte != lines[at][place]))
    lines[at] = lines[at][:place] + bytes([new]) + lines[at][place + 1 :]
    report = verify_lines(CATALOGUE, lines)
    assert report.overall in ("tampered", "malformed")


@quick
@given(data=st.data())
def test_no_line_can_be_dropped_doubled_or_moved(signed: Signed, data: st.DataObject) -> None:
    lines = list(signed.lines(signed.simulated["hi-story"]))
    at = data.draw(st.integers(0, len(lines) - 2))
    change = data.draw(st.sampled_from(["drop", "double", "swap"]))
    if change == "drop":
        del lines[at]
    elif change == "double":
        lines.insert(at, lines[at])
    else:
        lines[at], lines[at + 1] = lines[at + 1], lines[at]
    report = signed.verify(lines)
    assert report.overall in ("tampered", "malformed")


@quick
@given(data=st.data())
def test_a_file_that_is_cut_is_not_exact(signed: Signed, data: st.DataObject) -> None:
    lines = signed.lines(signed.simulated["hi-story"])
    end = data.draw(st.integers(3, len(lines) - 1))
    report = signed.verify(lines[:end])
    assert report.overall == "partial"
    assert report.first_bad == end - 1, "the first event that is missing"
    without_events = [*lines[: end - 1], lines[-1]]
    report = signed.verify(without_events)
    assert (report.overall, report.first_bad) == ("tampered", end - 2)


def unsigned(lines: Lines) -> Lines:
    statement = Statement(**json.loads(lines[-1])["statement"])
    return [*lines[:-1], last_line(lines[:-1], statement, None)]


def changed(line: bytes, change: Callable[[Json], object]) -> bytes:
    value = json.loads(line)
    change(value)
    return canonical(value) + b"\n"


def rechained(lines: Lines, key: LogKey | None = None) -> Lines:
    """Seal a changed file anew, consistently: what somebody without the log's key can do."""
    header = json.loads(lines[0])
    head = genesis(header["origin"], header["match"])
    made = list(lines[:2])
    for line in lines[2:-1]:
        body = json.loads(line)
        event_header = Header(**body["header"])
        salt = bytes.fromhex(body["salts"]["judge"])
        body["seals"]["judge"] = seal(event_header, "judge", salt, body["form"])
        head = body["hash"] = event_hash(head, event_header, body["seals"])
        made.append(canonical(body) + b"\n")
    statement = Statement(**{**json.loads(lines[-1])["statement"], "head": head})
    return [*made, last_line(made, statement, key)]


def event_lines(lines: Lines, event: str) -> list[int]:
    return [at for at, line in enumerate(lines) if f'"type":"match.{event}.1"'.encode() in line]


def test_a_chain_rewritten_without_the_key_is_never_exact(signed: Signed) -> None:
    lines = rechained(signed.lines(signed.simulated["hi-story"]))
    assert signed.verify(lines).overall == "tampered"
    assert signed.verify(rechained(lines, LogKey(new_key()))).overall == "tampered"
    alone = verify_lines(CATALOGUE, lines)
    assert alone.overall == "exact"
    assert "not checked (no trusted key)" in alone.summary


def test_facts_that_the_rules_do_not_give_diverge_at_their_event(signed: Signed) -> None:
    lines = list(signed.lines(signed.simulated["hi-story"]))
    at = event_lines(lines, "action_played")[30]
    lines[at] = changed(lines[at], lambda body: body["form"]["facts"].pop())
    report = verify_lines(CATALOGUE, rechained(lines))
    assert (report.overall, report.first_bad) == ("diverged", at - 1)
    assert report.checks["legal"].expected is not None


def test_another_position_is_found_by_folding(signed: Signed) -> None:
    lines = list(signed.lines(signed.simulated["hi-story"]))
    at = event_lines(lines, "action_played")[20]
    lines[at] = changed(lines[at], lambda body: body["form"].update(position_hash="0" * 64))
    report = verify_lines(CATALOGUE, rechained(lines))
    assert (report.overall, report.first_bad) == ("tampered", at - 1)
    assert report.checks["fold"].verdict == "failed"


def test_draws_that_do_not_follow_from_roots_and_seeds_are_not_fair(signed: Signed) -> None:
    """Even where play goes on legally from another shuffle, the draws give it away."""
    lines = list(signed.lines(signed.simulated["hi-story"]))
    (at,) = event_lines(lines, "seed_opened")[-1:]
    lines[at] = changed(lines[at], lambda body: body["form"].update(seed="11" * 32))
    report = verify_lines(CATALOGUE, rechained(lines))
    assert report.overall == "tampered"
    assert report.checks["fair"].verdict == "failed"


def test_a_root_that_was_not_sealed_is_refused(signed: Signed) -> None:
    lines = list(signed.lines(signed.simulated["hi-story"]))
    (at,) = event_lines(lines, "secrets_opened")
    lines[at] = changed(lines[at], lambda body: body["form"].update(closed="22" * 32))
    report = verify_lines(CATALOGUE, rechained(lines))
    assert report.checks["fair"].verdict == "failed"
    assert report.first_bad == at - 1


@pytest.mark.parametrize("viewer", ["P1", "P2", "spectator"])
def test_showing_a_viewer_something_else_is_found_by_the_judge(signed: Signed, viewer: str) -> None:
    lines = list(signed.lines(signed.simulated["hi-story"]))
    at = event_lines(lines, "action_played")[3]
    lines[at] = changed(lines[at], lambda body: body["seals"].update({viewer: "0" * 64}))
    report = verify_lines(CATALOGUE, rechained(lines))
    assert (report.overall, report.first_bad) == ("diverged", at - 1)
    assert viewer in report.checks["legal"].text


def test_a_form_of_another_viewer_is_refused(signed: Signed) -> None:
    match_id = signed.simulated["hi-story"]
    lines, other = signed.lines(match_id, "P1"), signed.lines(match_id, "P2")
    at = event_lines(lines, "action_played")[0]
    form = json.loads(other[at])["form"]
    lines[at] = changed(lines[at], lambda body: body.update(form=form))
    report = signed.verify(lines)
    assert (report.overall, report.first_bad) == ("tampered", at - 1)


def test_events_under_another_matchs_header_are_refused(signed: Signed) -> None:
    one = signed.lines(signed.simulated["hi-story"])
    other = signed.lines(signed.imported["hi-story"])
    report = signed.verify([other[0], *one[1:]])
    assert (report.overall, report.first_bad) == ("tampered", 1)


@pytest.mark.parametrize("name", ["edition", "engine", "rules_digest", "cards_digest"])
def test_another_edition_is_refused(signed: Signed, name: str) -> None:
    lines = list(signed.lines(signed.simulated["hi-story"]))
    value: Json = 2 if name == "engine" else "other"
    lines[0] = changed(lines[0], lambda body: body.update({name: value}))
    report = signed.verify(lines)
    assert (report.overall, report.first_bad) == ("tampered", 1)


def test_another_card_definition_is_refused(signed: Signed) -> None:
    lines = list(signed.lines(signed.simulated["hi-story"]))
    lines[1] = changed(lines[1], lambda body: body["cards"]["cards"][5].update(power=9000))
    report = signed.verify(lines)
    assert (report.overall, report.first_bad) == ("tampered", 1)
    assert "card definitions" in report.checks["chain"].text


def test_an_engine_that_is_not_here_is_unverified_never_diverged(signed: Signed) -> None:
    lines = list(signed.lines(signed.simulated["hi-story"]))
    lines[0] = changed(lines[0], lambda body: body.update(engine=999))
    lines[2] = changed(lines[2], lambda body: body["form"].update(engine=999))
    report = verify_lines(CATALOGUE, rechained(lines))
    assert report.overall == "unverified"
    assert "engine 999" in report.checks["legal"].text


def test_receipts_are_honoured(signed: Signed) -> None:
    match_id = signed.simulated["hi-story"]
    lines = signed.lines(match_id)
    receipt = receipt_of(signed.installation, signed.installation.log.match(match_id))

    def verdict(one: SignedReceipt) -> str:
        return verify_lines(CATALOGUE, lines, receipt=one).checks["receipt"].verdict

    assert verdict(receipt) == "good"
    said = receipt.receipt
    for wrong in (
        Receipt(match=said.match, seq=said.seq + 1, event_hash=said.event_hash, time=said.time),
        Receipt(match=said.match, seq=said.seq, event_hash="0" * 64, time=said.time),
    ):
        assert verdict(SignedReceipt(receipt=wrong, signature=receipt.signature)) == "failed"
        promised = SignedReceipt(receipt=wrong, signature=signed.key.sign("receipt", wrong))
        assert verdict(promised) == "failed"


def test_a_file_is_imported_by_another_installation_once(signed: Signed, tmp_path: Path) -> None:
    match_id = signed.simulated["hi-story"]
    here = opened(settings_in(tmp_path))
    report, audit, first = import_file(here, signed.lines(match_id))
    assert report.overall == "exact"
    assert audit is not None
    assert first is not None
    assert here.log.match(first).position == signed.installation.log.match(match_id).position
    assert import_file(here, signed.lines(match_id))[2] == first
    redacted, _, nothing = import_file(here, signed.lines(match_id, "P1"))
    assert (redacted.overall, nothing) == ("partial", None)
    broken = list(signed.lines(match_id))
    del broken[20]
    assert import_file(here, broken)[2] is None
    assert len(here.matches(Wanted())) == 1


@quick
@given(st.lists(st.binary(max_size=80), max_size=4))
def test_any_bytes_are_reported_and_never_crash(lines: Lines) -> None:
    assert verify_lines(CATALOGUE, lines).overall == "malformed"


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(["P1", "judge", "0" * 64, ""]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["seat", "action", "facts"]), inner, max_size=2)
    ),
    max_leaves=4,
)


@quick
@given(data=st.data())
def test_any_form_in_a_consistent_chain_is_reported_and_never_crashes(
    signed: Signed, data: st.DataObject
) -> None:
    lines = list(signed.lines(signed.simulated["hi-story"]))
    at = data.draw(st.sampled_from([2, 3, 4, 5, 6, 7, 20, len(lines) - 3, len(lines) - 2]))
    keys = sorted(json.loads(lines[at])["form"])
    key, value = data.draw(st.sampled_from(keys)), data.draw(JSON_VALUES)
    lines[at] = changed(lines[at], lambda body: body["form"].update({key: value}))
    report = verify_lines(CATALOGUE, rechained(lines))
    assert report.overall in ("tampered", "diverged", "unverified", "exact", "partial")


def test_the_digest_covers_every_line(signed: Signed) -> None:
    lines = signed.lines(signed.imported["hi-story"])
    statement = Statement(**json.loads(lines[-1])["statement"])
    digest = hashlib.sha256(b"".join(lines[:-1]))
    digest.update(canonical(json.loads(lines[-1])["statement"]))
    assert file_digest(lines[:-1], statement) == digest.hexdigest()
