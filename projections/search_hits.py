"""What was found as it is told: parts of the texts with what was looked for marked (rulings 5)."""

from __future__ import annotations

from projections.search_entries import Entry
from service.aggregates.disputes.state import ruling_id
from service.engine.bigrams import Query
from service.engine.snippets import Snippet, snippet_of
from service.engine.values import Json

HEADING_LENGTH_MAX = 1_000


def told(entry: Entry, query: Query) -> dict[str, Json]:
    """Return an entry as it is told to whoever looked for it.

    A comment is named `<dispute>/<number of its event>`.
    """
    is_rule = entry.kind == "rules"
    return {
        "id": _id_of(entry),
        "kind": entry.kind,
        "game": entry.game,
        "edition": f"{entry.game}@{entry.number}" if is_rule else None,
        "match": entry.match_id,
        "tournament": entry.tournament,
        "dispute": None if is_rule else entry.ref,
        "number": None if is_rule else entry.number,
        "lang": entry.lang,
        "time": entry.time,
        "heading": _told(snippet_of(entry.title, query, HEADING_LENGTH_MAX)) if is_rule else None,
        "snippet": _told(snippet_of(entry.body, query)),
    }


def _id_of(entry: Entry) -> str:
    if entry.kind == "rulings":
        return ruling_id(entry.ref, entry.number)
    return f"{entry.ref}/{entry.number}" if entry.kind == "comments" else entry.ref


def _told(snippet: Snippet) -> dict[str, Json]:
    return {
        "text": snippet.text,
        "highlights": [span._asdict() for span in snippet.highlights],
        "cut_before": snippet.cut_before,
        "cut_after": snippet.cut_after,
    }
