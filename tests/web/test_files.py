"""Scripts, styles and pictures: at addresses that name their content, fetched once."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from service.app import app_of
from service.installation import Installation
from service.settings import Settings
from service.web.files import FOLDER, files, imports_of
from tests.web.conftest import Site
from tests.web.match_pages import Begin, address

PATH = f"/static/{files().digest}"
NAMED = re.compile(r'"\./([a-z_]+\.js)"')
PRELOADED = re.compile(r'<link rel="modulepreload" href="([^"]+)">')
SCRIPT = "match.js"


@pytest.fixture
def client(installation: Installation, settings: Settings) -> FlaskClient:
    return app_of(installation, settings).test_client()


def names() -> Iterator[str]:
    return (path.name for path in sorted(FOLDER.iterdir()))


def test_files_are_kept_for_a_year_and_packed_where_that_is_understood(
    client: FlaskClient,
) -> None:
    for name in names():
        plain = client.get(f"{PATH}/{name}")
        packed = client.get(f"{PATH}/{name}", headers={"Accept-Encoding": "br, gzip"})
        assert plain.data == gzip.decompress(packed.data) == (FOLDER / name).read_bytes()
        assert plain.content_encoding is None
        assert packed.content_encoding == "gzip"
        for answer in (plain, packed):
            assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
            assert answer.headers["Vary"] == "Accept-Encoding"
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
    refused = client.get(f"{PATH}/{SCRIPT}", headers={"Accept-Encoding": "gzip;q=0"})
    assert refused.content_encoding is None


@pytest.mark.parametrize(
    "path",
    [f"/static/{SCRIPT}", f"/static/0123456789abcdef/{SCRIPT}", f"{PATH}/nothing.js", f"{PATH}/"],
)
def test_other_addresses_are_not_found_and_not_kept(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.headers["Cache-Control"] == "private, no-cache"


def test_answers_to_callers_are_not_packed_and_not_kept(client: FlaskClient) -> None:
    for path in ("/", "/api/v1/matches"):
        answer = client.get(path, headers={"Accept-Encoding": "gzip"})
        assert answer.content_encoding is None
        assert answer.headers["Cache-Control"] == "private, no-cache"
        assert "Cookie" in answer.headers["Vary"]


def test_every_import_is_known_beforehand() -> None:
    for name in names():
        if not name.endswith(".js"):
            continue
        named = set(NAMED.findall((FOLDER / name).read_text()))
        assert named <= set(imports_of([name])), name
        for other in named:
            assert set(imports_of([other])) - {name} <= set(imports_of([name]))
    assert imports_of([SCRIPT, "api.js"]) == [
        one for one in imports_of([SCRIPT]) if one != "api.js"
    ]


def test_a_page_names_all_that_its_scripts_need(client: FlaskClient) -> None:
    page = client.get("/verify").text
    assert PRELOADED.findall(page) == [f"{PATH}/{name}" for name in imports_of(["verify.js"])]
    assert not re.search(r'"/static/(?!' + files().digest + ")", page)


def test_a_page_that_is_opened_again_asks_for_no_file(site: Site, visit: Begin) -> None:
    one = visit()
    first = one.open(address(site, at=60))
    asked = first.evaluate("performance.getEntriesByType('resource').map(({ name }) => name)")
    names_asked = {name.rpartition("/")[2] for name in asked if "/static/" in name}
    assert {SCRIPT, *imports_of([SCRIPT])} <= names_asked
    page = one.open(address(site, at=61))
    sent = page.evaluate(
        "performance.getEntriesByType('resource')"
        ".filter(({ name, transferSize }) => name.includes('/static/') && transferSize > 0)"
        ".map(({ name }) => name)"
    )
    assert sent == []
