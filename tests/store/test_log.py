"""The event store, the same for both databases: order, versions, what is saved together, bytes."""

from __future__ import annotations

import subprocess
import sys
from hashlib import sha256

import msgspec
import pytest

from schemas.strict import canonical
from service.aggregates.attachments import Answered, Attached, Command, Saved, Text
from service.aggregates.events import ActionPlayed
from service.aggregates.matches import Match
from service.aggregates.world import Conflict, NotFound
from service.installation import Installation, open_installation
from service.integrity.sealing import UnknownTag, match_event_of
from service.settings import Settings
from service.store.mapper import decoded, encoded
from tests.conftest import SEEDS, import_log, log_of
from tests.long_match import store_long_match
from tests.store.streams import SECRETS, append, noted, open_match, opened

DATABASES = ("sqlite", "postgresql")

MEBIBYTE = 2**20


def changed(installation: Installation, statement: str, *parameters: object) -> None:
    """Change the database behind the back of the log."""
    with installation.database.transaction() as tables:
        tables.execute(statement, *parameters)


def test_an_unknown_tag_or_field_is_refused(installation: Installation) -> None:
    open_match(installation.log, "m")
    ((body,),) = installation.log.rows("SELECT body FROM events")
    stored = msgspec.json.decode(body)
    dreamt = stored | {"header": stored["header"] | {"type": "match.dreamt.1"}}
    with pytest.raises(UnknownTag, match=r"match\.dreamt\.1"):
        match_event_of(decoded(canonical(dreamt)))
    with pytest.raises(msgspec.ValidationError):
        decoded(canonical(stored | {"more": 1}))


def test_a_log_with_an_unknown_tag_does_not_open(
    installation: Installation, settings: Settings
) -> None:
    changed(
        installation,
        "INSERT INTO events (stream, version, tag, body) VALUES (?,?,?,?)",
        *("s", 1, "match.dreamt.7", b"{}"),
    )
    with pytest.raises(UnknownTag, match=r"match\.dreamt\.7"):
        open_installation(settings)


def test_what_is_stored_is_what_was_encoded(installation: Installation) -> None:
    log = installation.log
    first = opened()
    log.append("m", None, [first, noted(1)], secrets=SECRETS)
    rows = log.rows("SELECT tag, body FROM events ORDER BY position")
    assert [tag for tag, _ in rows] == ["match.match_opened.2", "match.seed_opened.1"]
    for (_, body), event in zip(rows, log.events_of("m", after=0, to=2), strict=True):
        assert encoded(decoded(body)) == body
        assert match_event_of(decoded(body)) == event
    assert match_event_of(decoded(rows[0][1])) == first


def test_a_second_writer_at_one_version_loses_and_nothing_is_written(
    installation: Installation,
) -> None:
    log = installation.log
    open_match(installation.log, "m")
    before = log.match("m")
    log.append("m", before, [noted(1)])
    with pytest.raises(Conflict) as refused:
        log.append("m", before, [noted(2), noted(3)])
    assert refused.value.version == 2
    assert log.version_of("m") == 2


def test_positions_are_one_order_over_all_streams(installation: Installation) -> None:
    log = installation.log
    for number in range(3):
        open_match(installation.log, f"m{number}")
        append(log, f"m{number}", noted(number))
    page = log.page(0)
    assert [one.place for one in page] == [1, 2, 3, 4, 5, 6]
    assert [one.stream for one in page] == ["m0", "m0", "m1", "m1", "m2", "m2"]
    assert [one.place for one in log.page(4)] == [5, 6]
    assert [one.place for one in log.page(1, 2)] == [2, 3]
    assert log.last_position() == 6


def test_what_is_attached_is_saved_with_the_events_or_not_at_all(
    installation: Installation,
) -> None:
    log = installation.log
    name = Text(salt=b"salt", body="名前")
    attached = Attached(
        command=Command(id="c1", body_digest="d"), texts=[name], documents={"digest": b"body"}
    )
    open_match(installation.log, "m", attached=attached)
    assert log.text(name.digest) == "名前"
    assert log.document("digest") == b"body"
    assert log.secrets("m") == SECRETS
    other = Attached(
        command=Command(id="c1", body_digest="other"), texts=[Text(salt=b"s", body="other")]
    )
    with pytest.raises(Conflict):
        append(log, "m", noted(1), attached=other)
    assert log.version_of("m") == 1
    assert log.text(other.texts[0].digest) is None


def test_a_command_that_was_saved_is_known_and_not_saved_again(
    installation: Installation,
) -> None:
    log = installation.log
    open_match(installation.log, "m")
    attached = Attached(command=Command(id="c1", body_digest="d"))
    assert log.answered("c1") is None
    saved = append(log, "m", noted(1), noted(2), attached=attached)
    assert saved == Saved(stream="m", since=1, version=3)
    append(log, "m", noted(3))
    assert log.answered("c1") == Answered(saved=saved, body_digest="d")
    with pytest.raises(Conflict) as refused:
        append(log, "m", noted(1), noted(2), attached=attached)
    assert refused.value.version == log.version_of("m") == 4


def test_nothing_of_what_is_not_there(installation: Installation) -> None:
    with pytest.raises(NotFound):
        installation.log.match("nowhere")
    with pytest.raises(NotFound):
        installation.log.secrets("nowhere")
    assert installation.log.document("none") is None
    assert installation.log.page(0) == []
    assert installation.log.last_position() == 0


def test_a_large_event_is_read_back(installation: Installation) -> None:
    open_match(installation.log, "m")
    large = ActionPlayed(
        actor="P1",
        action={"type": "concede", "text": "棋" * MEBIBYTE},
        draws=[],
        facts=[],
        time="2026-01-01T00:00:00.000000Z",
    )
    append(installation.log, "m", large)
    (read,) = installation.log.events_of("m", after=1, to=2)
    assert isinstance(read, ActionPlayed)
    assert read.action == large.action


def test_a_database_that_is_opened_again_goes_on(
    installation: Installation, settings: Settings
) -> None:
    open_match(installation.log, "m")
    append(installation.log, "m", noted(1))
    before = installation.log.page(0)
    name = installation.log.installation()
    installation.close()
    again = open_installation(settings)
    try:
        assert again.log.page(0) == before
        assert again.log.installation() == name
        assert append(again.log, "m", noted(2)).version == 3
    finally:
        again.close()


def states(installation: Installation, match_id: str, indexes: list[int]) -> list[Match]:
    return [installation.log.match(match_id, version=index) for index in indexes]


def test_snapshots_change_no_state(installation: Installation) -> None:
    match_id = store_long_match(installation, installation.catalogue.game("hi-story"), 350)
    indexes = [1, 2, 99, 100, 101, 199, 250, 300, 301, 349, 350]
    with_snapshots = states(installation, match_id, indexes)
    assert installation.log.rows("SELECT COUNT(*) FROM snapshots") == [(3,)]
    changed(installation, "DELETE FROM snapshots")
    assert states(installation, match_id, indexes) == with_snapshots


@pytest.mark.parametrize("damage", [("tag", "match.snapshot.other"), ("body", b"{}")])
def test_a_snapshot_that_does_not_load_is_passed_over(
    installation: Installation, damage: tuple[str, object]
) -> None:
    match_id = store_long_match(installation, installation.catalogue.game("hi-story"), 250)
    before = states(installation, match_id, [150, 250])
    column, value = damage
    changed(installation, f"UPDATE snapshots SET {column} = ?", value)
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
    match_id = import_log(installation, log_of("hi-story", 1))
    replayed = installation.replay(installation.log.match(match_id), "judge", "ja")
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
