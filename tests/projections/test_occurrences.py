"""Which events cite a rule: as the spectator sees them, the same however the log is read."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from projections import matches
from projections.occurrences import NAME, PLAYED, PROJECTION, Cited, citing, citing_count
from projections.runner import drop
from service.aggregates.events import VisibilitySet
from service.engine.values import JUDGE, SPECTATOR, Json
from service.installation import Installation, clock
from service.integrity.chain import form_for, sealed
from service.integrity.logged import Logged
from service.store.mapper import encoded
from tests.conftest import CATALOGUE, import_log, log_of

DATABASES = ("sqlite", "postgresql")
EVERYTHING = Cited(rules=("HS-312",), everything=True)


def rows(installation: Installation) -> list[object]:
    installation.catch_up()
    with installation.database.reading() as tables:
        return [
            tables.rows(f"SELECT * FROM {NAME} ORDER BY rule, match_id"),
            tables.rows(f"SELECT * FROM {PLAYED} ORDER BY match_id"),
        ]


def rules_in(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield from part if key == "rules" else rules_in(part)
            yield from [part] if key == "rule" else []
    elif isinstance(value, list):
        for part in value:
            yield from rules_in(part)


def cited_in(installation: Installation, match_id: str) -> dict[str, list[int]]:
    """Return rule → numbers of the events that cite it, from what the spectator was sealed."""
    found: dict[str, list[int]] = {}
    for stored in installation.log.sealed_of(match_id, after=0, to=10_000):
        for rule in set(rules_in(form_for(stored, SPECTATOR).get("facts", []))):
            found.setdefault(rule, []).append(stored.header.seq)
    return found


def test_every_event_that_a_spectator_sees_cite_a_rule(installation: Installation) -> None:
    for game in ("formation", "hagmi"):
        match_id = import_log(installation, log_of(game))
        expected = cited_in(installation, match_id)
        rules = tuple(CATALOGUE.game(game).rules)
        assert set(expected) <= set(rules)
        (found,) = installation.citing(Cited(rules=rules, everything=True), 10)
        assert (found.row.id, found.seqs) == (match_id, expected)
        with installation.database.reading() as tables:
            for rule in rules[::7]:
                wanted = Cited(rules=(rule,), everything=True)
                count = citing_count(tables, wanted, 9)
                assert count == len(citing(tables, wanted, 9)) == (rule in expected)


def test_what_grew_equals_what_is_built_anew_and_what_is_applied_twice(
    installation: Installation,
) -> None:
    for number in (1, 9):
        import_log(installation, log_of("hi-story", number))
        grown = rows(installation)
    page = installation.log.page(0, 10_000)
    drop(installation.database, PROJECTION)
    assert rows(installation) == grown
    with installation.database.transaction() as tables:
        PROJECTION.apply(tables, page)
        PROJECTION.apply(tables, page[-7:])
    assert rows(installation) == grown
    for size in (1, 50):
        with installation.database.transaction() as tables:
            for name in PROJECTION.tables:
                tables.execute(f"DELETE FROM {name}")
            for start in range(0, len(page), size):
                PROJECTION.apply(tables, page[start : start + size])
        assert rows(installation) == grown


def test_what_a_spectator_may_not_see_is_in_no_row(installation: Installation) -> None:
    """A rule that only the judge's form cites is not there, nor is the event."""
    match_id = import_log(installation, log_of("hi-story"))
    last = next(
        one for one in reversed(installation.log.page(0, 500)) if "facts" in one.sealed.form
    )
    planted = last.sealed.form | {
        "facts": [
            {"fact": "secret", "rules": ["HS-997"]},
            {"fact": "open", "rules": ["HS-998", "?", None], "trace": [{"rule": "HS-999"}]},
            {"fact": "open", "rules": ["no rule"]},
        ]
    }
    shown = planted | {"facts": [None, *planted["facts"][1:]]}
    forms = {JUDGE: planted, SPECTATOR: shown}
    header = replace(last.sealed.header, viewers=[JUDGE, SPECTATOR])
    made = sealed(header, forms, dict.fromkeys(forms, b""), "00" * 32)
    event = Logged(
        place=last.place + 1,
        stream=match_id,
        version=last.version + 1,
        tag=last.tag,
        body=encoded(made),
    )
    assert form_for(event.sealed, JUDGE) == planted
    installation.catch_up()
    with installation.database.transaction() as tables:
        PROJECTION.apply(tables, [event])
        count = {
            rule: citing_count(tables, Cited(rules=(rule,), everything=True), 9)
            for rule in ("HS-997", "HS-998", "HS-999", "no rule", "?")
        }
    assert count == {"HS-997": 0, "HS-998": 1, "HS-999": 1, "no rule": 0, "?": 0}


def test_matches_are_listed_in_pages_for_those_who_may_know_of_them(
    installation: Installation,
) -> None:
    ids = [import_log(installation, log_of("hi-story", number)) for number in (1, 9)]
    first = installation.citing(EVERYTHING, 1)
    before = replace(EVERYTHING, before=first[-1].row.place)
    assert [one.row.id for one in [*first, *installation.citing(before, 9)]] == ids[::-1]
    match = installation.log.match(ids[0])
    hidden = VisibilitySet(visibility="participants", by="somebody", time=clock())
    installation.log.append(ids[0], match, [hidden])
    for wanted, count in (
        (Cited(rules=("HS-312",)), 1),
        (Cited(rules=("HS-312", "HS-313", "HS-301")), 1),
        (EVERYTHING, 2),
        (Cited(rules=("HS-312",), edition="hi-story@1"), 1),
        (Cited(rules=("HS-312",), edition="hi-story@2"), 0),
        (Cited(rules=("HS-312",), known_to="somebody"), 1),
        (Cited(rules=("HS-312",), whole_by="9999"), 1),
        (Cited(rules=("HS-312",), behind_at=clock()), 0),
        (Cited(rules=()), 0),
    ):
        assert len(installation.citing(wanted, 9)) == count, wanted
        assert installation.citing_count(wanted, 9) == count, wanted
    assert installation.citing_count(EVERYTHING, 1) == 1


def test_a_person_finds_those_in_which_he_takes_part(installation: Installation) -> None:
    match_id = import_log(installation, log_of("hi-story"))
    match = installation.log.match(match_id)
    hidden = VisibilitySet(visibility="link", by="somebody", time=clock())
    installation.log.append(match_id, match, [hidden])
    installation.catch_up()
    with installation.database.transaction() as tables:
        tables.upsert(matches.PERSONS, ("match_id", "person"), [(match_id, "one")], keys=2)
    with installation.database.reading() as tables:
        for person, count in (("one", 1), ("two", 0), (None, 0)):
            assert len(citing(tables, Cited(rules=("HS-312",), known_to=person), 9)) == count
