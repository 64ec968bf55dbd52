"""Editions: what is new gets a number, what is withdrawn opens no match."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.aggregates.world import NotFound, Refused
from service.commands.editions import register_edition, usable_edition, withdraw_edition
from service.engine.editions import Edition
from service.installation import Installation
from tests.conftest import CATALOGUE, import_log, log_of

EDITION = CATALOGUE.game("hi-story").edition
NOW = "2026-01-02T03:04:05.000006Z"


def registered(installation: Installation, edition: Edition) -> int:
    return register_edition(installation.log, edition, now=NOW).number


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
        usable_edition(installation.log, EDITION, now=NOW)
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
