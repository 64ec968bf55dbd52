"""Editions: what is new gets a number, what is withdrawn opens no match."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest

from schemas.strict import read_json
from service.aggregates.editions import edition_of, newest, placed
from service.aggregates.world import NotFound, Refused
from service.commands.editions import (
    editions_of,
    register_edition,
    usable_edition,
    withdraw_edition,
)
from service.engine.editions import Edition
from service.installation import Installation
from tests.conftest import CATALOGUE, import_log, log_of

EDITION, TEXTS = CATALOGUE.game("hi-story").edition, CATALOGUE.game("hi-story").texts
NOW = "2026-01-02T03:04:05.000006Z"


def registered(installation: Installation, edition: Edition) -> int:
    return register_edition(installation.log, edition, TEXTS, now=NOW).number


def test_the_same_rules_and_cards_are_one_edition(installation: Installation) -> None:
    assert registered(installation, EDITION) == 1
    assert registered(installation, EDITION) == 1
    assert registered(installation, replace(EDITION, texts_digest="other wording")) == 1


@pytest.mark.parametrize("change", [{"engine": 2}, {"rules_digest": "x"}, {"cards_digest": "x"}])
def test_engine_rules_and_cards_make_a_new_number(
    installation: Installation, change: dict[str, object]
) -> None:
    assert registered(installation, EDITION) == 1
    assert registered(installation, replace(EDITION, **change)) == 2  # type: ignore[arg-type]  # fields
    assert registered(installation, EDITION) == 1


def test_a_withdrawn_edition_opens_no_match_and_keeps_those_it_has(
    installation: Installation,
) -> None:
    match_id = import_log(installation, log_of("hi-story"))
    withdraw_edition(installation.log, "hi-story", 1, reason="a misprint", successor=None, now=NOW)
    with pytest.raises(Refused, match="a misprint"):
        usable_edition(installation.log, EDITION, TEXTS, now=NOW)
    with pytest.raises(Refused, match="a misprint"):
        import_log(installation, log_of("hi-story", 2))
    assert installation.log.match(match_id).closed is not None


def test_what_cannot_be_withdrawn(installation: Installation) -> None:
    registered(installation, EDITION)

    def withdraw(number: int, reason: str = "why", successor: int | None = None) -> None:
        withdraw_edition(
            installation.log, "hi-story", number, reason=reason, successor=successor, now=NOW
        )

    for number, successor in ((2, None), (1, 3)):
        with pytest.raises(NotFound):
            withdraw(number, successor=successor)
    with pytest.raises(Refused):
        withdraw(1, reason="  ")
    with pytest.raises(Refused):
        withdraw(1, successor=1)
    withdraw(1)
    with pytest.raises(Refused):
        withdraw(1)


def test_a_pool_that_was_brought_is_named_in_the_edition() -> None:
    assert EDITION.with_pool(EDITION.cards_digest) == EDITION
    other = EDITION.with_pool("0123456789abcdef" * 4)
    assert other.name == f"{EDITION.name}+0123456789ab"
    assert other.cards_digest.startswith(other.pool)


REVISED = replace(EDITION, texts_digest="22" * 32)


def test_other_words_make_a_revision_that_changes_no_edition(installation: Installation) -> None:
    names = [
        register_edition(installation.log, one, TEXTS, now=NOW).wording
        for one in (EDITION, REVISED, EDITION, REVISED, replace(EDITION, texts_digest="33" * 32))
    ]
    assert names == [f"hi-story@{name}" for name in ("1", "1.1", "1", "1.1", "1.2")]
    known = editions_of(installation.log, "hi-story")
    assert (len(known.registered), len(known.revised[1]), known.version) == (1, 2, 3)
    last = newest(known)
    assert last is not None
    assert (last.name, last.wording, last.texts_digest) == ("hi-story@1", "hi-story@1.2", "33" * 32)
    assert edition_of(known, 1, 1) == replace(REVISED, revision=1)
    for number, revision in ((0, 0), (1, 3), (2, 0)):
        assert edition_of(known, number, revision) is None


def test_a_revision_of_an_earlier_edition_stays_with_it(installation: Installation) -> None:
    later = replace(EDITION, engine=2)
    for one in (EDITION, later, REVISED):
        register_edition(installation.log, one, TEXTS, now=NOW)
    known = editions_of(installation.log, "hi-story")
    assert placed(known, REVISED).wording == "hi-story@1.1"
    assert placed(known, later).wording == "hi-story@2"
    assert placed(known, replace(later, engine=3)).wording == "hi-story@3"
    assert placed(known, replace(later, texts_digest="44" * 32)).wording == "hi-story@2.1"
    last = newest(known)
    assert last is not None
    assert last.wording == "hi-story@2"


def test_the_texts_are_kept_with_their_edition(installation: Installation) -> None:
    registered(installation, EDITION)
    kept = installation.log.document(EDITION.texts_digest)
    assert kept == TEXTS
    assert sha256(TEXTS).hexdigest() == EDITION.texts_digest
    rules, display = read_json(TEXTS)
    game = CATALOGUE.game("hi-story")
    assert {rule["id"]: rule for rule in rules} == game.rules
    assert display == game.display
    assert newest(editions_of(installation.log, "hagmi")) is None
