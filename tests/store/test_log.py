"""The event store: order, versions, what is saved together, snapshots, bytes."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from schemas.strict import canonical, read_json
from service.aggregates.attachments import Attached, Command, Text
from service.aggregates.matches import ActionPlayed, Match, MatchOpened
from service.aggregates.world import Conflict, NotFound
from service.installation import Installation, open_installation
from service.settings import Settings
from service.store.mapper import EVENTS, UnknownTag, decoded, encoded
from tests.conftest import SEEDS, import_log, log_of
from tests.long_match import store_long_match

GOLDEN = Path(__file__).parent.parent / "golden" / "events"


def opened() -> MatchOpened:
    event = decoded("match.match_opened.1", (GOLDEN / "match.match_opened.1.json").read_bytes())
    assert isinstance(event, MatchOpened)
    return event


def played(number: int) -> ActionPlayed:
    return ActionPlayed(
        actor="P1", action={"type": "x", "n": number}, draws=[], facts=[], played_at="t"
    )


@pytest.mark.parametrize("tag", EVENTS)
def test_a_golden_event_of_each_version_reads_and_writes_the_same(tag: str) -> None:
    body = (GOLDEN / f"{tag}.json").read_bytes()
    assert encoded(decoded(tag, body)) == body


def test_an_unknown_tag_or_field_is_refused() -> None:
    with pytest.raises(UnknownTag, match=r"match\.dreamt\.1"):
        decoded("match.dreamt.1", b"{}")
    body = read_json((GOLDEN / "match.match_closed.1.json").read_bytes())
    with pytest.raises(msgspec.ValidationError):
        decoded("match.match_closed.1", canonical(body | {"more": 1}))


def test_a_log_with_an_unknown_tag_does_not_open(settings: Settings) -> None:
    open_installation(settings).log.close()
    path = settings.database_url.removeprefix("sqlite:///")
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO events VALUES (1, 's', 1, 'match.dreamt.7', '{}')")
    with pytest.raises(UnknownTag, match=r"match\.dreamt\.7"):
        open_installation(settings)


def test_what_is_stored_is_what_was_encoded(installation: Installation) -> None:
    log = installation.log
    log.append("m", [opened(), played(1)], expected_version=0)
    rows = log.rows("SELECT tag, body FROM events ORDER BY position")
    assert [(tag, bytes(body)) for tag, body in rows] == [
        ("match.match_opened.1", encoded(opened())),
        ("match.action_played.1", encoded(played(1))),
    ]


def test_a_second_writer_at_one_version_loses_and_nothing_is_written(
    installation: Installation,
) -> None:
    log = installation.log
    log.append("m", [opened()], expected_version=0)
    log.append("m", [played(1)], expected_version=1)
    with pytest.raises(Conflict) as refused:
        log.append("m", [played(2), played(3)], expected_version=1)
    assert refused.value.version == 2
    assert log.version_of("m") == 2


def test_positions_are_one_order_over_all_streams(installation: Installation) -> None:
    log = installation.log
    for number in range(3):
        log.append(f"m{number}", [opened()], expected_version=0)
        log.append(f"m{number}", [played(number)], expected_version=1)
    page = log.page(0)
    assert [place for place, _, _, _ in page] == [1, 2, 3, 4, 5, 6]
    assert [stream for _, stream, _, _ in page] == ["m0", "m0", "m1", "m1", "m2", "m2"]
    assert [place for place, _, _, _ in log.page(4)] == [5, 6]
    assert log.last_position() == 6


def test_what_is_attached_is_saved_with_the_events_or_not_at_all(
    installation: Installation,
) -> None:
    log = installation.log
    name = Text(salt=b"salt", body="名前")
    attached = Attached(
        command=Command(id="c1", body_digest="d"),
        draw_key=b"key",
        texts=[name],
        documents={"digest": b"body"},
    )
    log.append("m", [opened()], expected_version=0, attached=attached)
    assert log.text(name.digest) == "名前"
    assert log.document("digest") == b"body"
    assert log.draw_key("m") == b"key"
    other = Attached(
        command=Command(id="c1", body_digest="d"), texts=[Text(salt=b"s", body="other")]
    )
    with pytest.raises(Conflict):
        log.append("m", [played(1)], expected_version=1, attached=other)
    assert log.version_of("m") == 1
    assert log.text(other.texts[0].digest) is None


def test_nothing_of_what_is_not_there(installation: Installation) -> None:
    with pytest.raises(NotFound):
        installation.log.match("nowhere")
    with pytest.raises(NotFound):
        installation.log.draw_key("nowhere")
    assert installation.log.document("none") is None


def states(installation: Installation, match_id: str, indexes: list[int]) -> list[Match]:
    return [installation.log.match(match_id, version=index) for index in indexes]


def test_snapshots_change_no_state(installation: Installation) -> None:
    match_id = store_long_match(installation, installation.catalogue.game("hi-story"), 350)
    indexes = [1, 2, 99, 100, 101, 199, 250, 300, 301, 349, 350]
    with_snapshots = states(installation, match_id, indexes)
    assert installation.log.rows("SELECT COUNT(*) FROM snapshots") == [(3,)]
    path = installation.log.env["SQLITE_DBNAME"]
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM snapshots")
    assert states(installation, match_id, indexes) == with_snapshots


@pytest.mark.parametrize(
    "damage",
    ["UPDATE snapshots SET tag = 'match.snapshot.other'", "UPDATE snapshots SET body = '{}'"],
)
def test_a_snapshot_that_does_not_load_is_passed_over(
    installation: Installation, damage: str
) -> None:
    match_id = store_long_match(installation, installation.catalogue.game("hi-story"), 250)
    before = states(installation, match_id, [150, 250])
    with sqlite3.connect(installation.log.env["SQLITE_DBNAME"]) as connection:
        connection.execute(damage)
    assert states(installation, match_id, [150, 250]) == before


SEEK = """
import sys
from pathlib import Path
from hashlib import sha256
from schemas.strict import canonical
from service.installation import open_installation
from service.settings import Settings
url, seeds, match_id = sys.argv[1:]
found = open_installation(Settings(database_url=url, seeds=Path(seeds), host="", port=0))
last = found.log.match(match_id).version
for index in range(1, last + 1):
    position = found.log.match(match_id, version=index).position
    print(sha256(canonical(position)).hexdigest())
"""


def test_seeking_is_stepping_also_in_another_process(
    installation: Installation, settings: Settings
) -> None:
    """Law of replay 2: seek(n) = step-by-step(n), for every n."""
    from hashlib import sha256

    match_id = import_log(installation, log_of("hi-story", 1))
    replayed = installation.replay(match_id, "judge", "ja")
    ruleset, last = replayed.ruleset, replayed.match.version
    position, stepped = ruleset.new_position(), []
    for event in installation.log.events_of(match_id, after=0, to=last):
        for fact in event.facts if isinstance(event, ActionPlayed) else []:
            position = ruleset.evolve(position, fact)
        stepped.append(sha256(canonical(position)).hexdigest())
    arguments = [settings.database_url, str(SEEDS), match_id]
    out = subprocess.run(
        [sys.executable, "-c", SEEK, *arguments], capture_output=True, text=True, check=True
    )
    assert out.stdout.split() == stepped
