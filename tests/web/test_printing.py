"""Pages for the wall of a tournament: by name, by table, the standings; in both languages."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from service.app import app_of
from service.installation import Installation
from service.settings import Settings
from tests.api.cups import Cup, cup_of
from tests.api.tables import hall_of


@pytest.fixture
def cup(installation: Installation) -> Cup:
    """Return a tournament of five, called oddly, in its second round."""
    cup = cup_of(hall_of(installation), players=4, name="春の杯 <b>")
    cup.enter("五郎 & <i>")
    first = cup.begin()
    cup.finish(first)
    cup.begin()
    return cup


@pytest.fixture
def pages(installation: Installation, settings: Settings) -> FlaskClient:
    return app_of(installation, settings).test_client()


def test_a_round_is_printed_by_name_and_by_table(cup: Cup, pages: FlaskClient) -> None:
    page = pages.get(f"/tournaments/{cup.id}/rounds/2/print?lang=en").get_data(as_text=True)
    assert "春の杯 &lt;b&gt;" in page
    assert "五郎 &amp; &lt;i&gt;" in page
    assert "Round 2" in page
    assert "Standings before this round" in page
    assert page.count('<td class="slip">') == 2
    assert page.count("Bye") == 1
    japanese = pages.get(f"/tournaments/{cup.id}/rounds/2/print?lang=ja").get_data(as_text=True)
    assert "第2回戦" in japanese
    assert "不戦勝" in japanese
    assert "Standings" not in japanese


def test_standings_are_printed_and_marked_while_they_may_change(
    cup: Cup, pages: FlaskClient
) -> None:
    page = pages.get(f"/tournaments/{cup.id}/standings/print?lang=en").get_data(as_text=True)
    assert "OMW" in page
    assert "provisional" in page
    assert page.count("Player 1") == 2


def test_what_is_not_there_is_a_page_too(cup: Cup, pages: FlaskClient) -> None:
    for path in (f"{cup.id}/rounds/3/print", f"{cup.id}/rounds/x/print", "none/standings/print"):
        answer = pages.get(f"/tournaments/{path}")
        assert answer.status_code in (404, 422)
        assert answer.mimetype == "text/html"
