"""What is searched: rules, and the texts of disputes, and who may find them (rulings 5)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from projections.runner import Page, Projection
from projections.search_entries import (
    CREATE,
    NAME,
    WORDS,
    Entry,
    Indexed,
    known_claims,
    remove,
    write,
)
from projections.tables import Tables
from service.aggregates.disputes.events import (
    CommentAdded,
    DisputeOpened,
    DisputeRuled,
    DisputeWithdrawn,
    RulingAppealed,
)
from service.aggregates.editions import EditionRegistered, TextsRevised
from service.aggregates.events import MatchOpened
from service.engine.texts import LANGUAGES
from service.engine.values import Json
from service.integrity.logged import Logged

MATCHES = f"{NAME}_matches"
DISPUTE = "dispute/"
ENTRIES_PER_EVENT_MAX = 10_000
UNKNOWN_POLICY = "nothing"
REGISTERED = (EditionRegistered, TextsRevised)
DISPUTED = (DisputeOpened, CommentAdded, DisputeRuled, RulingAppealed, DisputeWithdrawn)


def apply(tables: Tables, page: Page) -> None:
    """Write a page of events."""
    kinds = {one.kind for one in page}
    if MatchOpened in kinds:
        _note_matches(tables, page)
    if not kinds.isdisjoint(REGISTERED):
        _index_rules(tables, page)
    if not kinds.isdisjoint(DISPUTED):
        _index_disputes(tables, page)


def _note_matches(tables: Tables, page: Page) -> None:
    """Note what the opening of a match fixes."""
    opened = [
        (one.stream, one.event.policy.after_end)
        for one in page
        if one.kind is MatchOpened and isinstance(one.event, MatchOpened)
    ]
    tables.upsert(MATCHES, ("match_id", "after_end"), opened)


def _index_rules(tables: Tables, page: Page) -> None:
    """Put the last registered wording of a game's rules in place of the one before."""
    for one in page:
        if one.kind not in REGISTERED:
            continue
        event = one.event
        assert isinstance(event, EditionRegistered | TextsRevised)
        ((newest,),) = tables.rows(
            f"SELECT MAX(number) FROM {NAME} WHERE kind = 'rules' AND game = ?", event.game
        )
        if event.number < (newest or 0):
            continue
        documents = "SELECT body FROM documents WHERE digest = ?"
        for (body,) in tables.rows(documents, event.texts_digest):
            rules, _ = msgspec.json.decode(bytes(body))
            remove(tables, "kind = 'rules' AND game = ?", event.game)
            write(tables, list(_of_rules(one.place, event, rules)))


def _of_rules(
    place: int, event: EditionRegistered | TextsRevised, rules: Sequence[Mapping[str, Json]]
) -> Iterator[Indexed]:
    texts = ((rule, lang) for rule in rules for lang in LANGUAGES)
    for count, (rule, lang) in enumerate(texts):
        entry = Entry(
            id=place * ENTRIES_PER_EVENT_MAX + count,
            kind="rules",
            ref=rule["id"],
            number=event.number,
            game=event.game,
            lang=lang,
            time=event.time,
            title=rule[f"term_{lang}"],
            body=rule[f"text_{lang}"],
        )
        yield Indexed(entry=entry, text=entry.body, rules=(entry.ref,))


def _index_disputes(tables: Tables, page: Page) -> None:
    """Write the texts of disputes; a dispute that is withdrawn leaves."""
    events = [one for one in page if one.kind in DISPUTED]
    claims = known_claims(tables, {_dispute_of(one) for one in events})
    policies = _policies(tables, events)
    entries: dict[int, Entry] = {}
    rules: dict[int, tuple[str, ...]] = {}
    for one in events:
        dispute, event = _dispute_of(one), one.event
        if isinstance(event, DisputeWithdrawn):
            claims.pop(dispute, None)
            entries = {key: entry for key, entry in entries.items() if entry.ref != dispute}
            remove(tables, "kind <> 'rules' AND ref = ?", dispute)
            continue
        if isinstance(event, DisputeOpened):
            claims[dispute] = _claim(one, event, policies.get(event.event.match, UNKNOWN_POLICY))
        if dispute in claims:
            made = list(_entries_of(one, claims[dispute]))
            entries.update((entry.id, entry) for entry in made)
            rules.update((entry.id, _rules_of(one.event)) for entry in made)
    texts = _texts(tables, entries.values())
    write(
        tables,
        [
            Indexed(entry=one, text=texts.get(one.digest or ""), rules=rules[one.id])
            for one in entries.values()
        ],
    )


def _claim(one: Logged, event: DisputeOpened, after_end: str) -> Entry:
    return Entry(
        id=one.place * ENTRIES_PER_EVENT_MAX,
        kind="disputes",
        ref=_dispute_of(one),
        number=one.version,
        game=event.game,
        match_id=event.event.match,
        tournament=None if event.table is None else event.table.tournament,
        time=event.time,
        digest=event.claim,
        is_open=int(after_end == "all"),
    )


def _entries_of(one: Logged, claim: Entry) -> Iterator[Entry]:
    """Yield what an event of a dispute brings; what only judges may read is never indexed."""
    event, place = one.event, one.place * ENTRIES_PER_EVENT_MAX
    if isinstance(event, DisputeOpened):
        yield claim
    if isinstance(event, DisputeRuled):
        for count, (lang, digest) in enumerate(
            zip(LANGUAGES, (event.text_ja, event.text_en), strict=True)
        ):
            if digest is not None:
                yield replace(
                    claim,
                    id=place + count,
                    kind="rulings",
                    number=event.number,
                    lang=lang,
                    time=event.time,
                    digest=digest,
                    is_open=1,
                )
    said = None
    if isinstance(event, CommentAdded) and event.audience != "judges":
        said = event.text
    if isinstance(event, RulingAppealed):
        said = event.reason
    if said is not None:
        yield replace(
            claim, id=place, kind="comments", number=one.version, time=one.time, digest=said
        )


def _dispute_of(one: Logged) -> str:
    return one.stream.removeprefix(DISPUTE)


def _rules_of(event: object) -> tuple[str, ...]:
    """Return the ids of the rules that an event of a dispute cites."""
    if isinstance(event, DisputeOpened | DisputeRuled):
        return tuple(dict.fromkeys(cited.rule for cited in event.rules))
    return ()


def _policies(tables: Tables, events: Sequence[Logged]) -> dict[str, str]:
    """Return what the matches of new disputes show after their end."""
    opened = {one.event.event.match for one in events if isinstance(one.event, DisputeOpened)}
    return dict(
        tables.rows_among(f"SELECT match_id, after_end FROM {MATCHES} WHERE match_id IN", opened)
    )


def _texts(tables: Tables, entries: Collection[Entry]) -> dict[str, str]:
    """Return the texts of entries by their digests; those that were erased are missing."""
    digests = {entry.digest for entry in entries}
    return dict(tables.rows_among("SELECT digest, body FROM texts WHERE digest IN", digests))


PROJECTION = Projection(
    name=NAME,
    tables=(NAME, WORDS, MATCHES),
    create=(
        *CREATE,
        f"CREATE TABLE {MATCHES} (match_id TEXT PRIMARY KEY, after_end TEXT NOT NULL)",
    ),
    apply=apply,
)
