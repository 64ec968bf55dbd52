"""Search on both databases: what a plain scan finds, in what order, and who finds what."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from projections.parties import SEATS, WHOLE, Reach
from projections.runner import catch_up, drop
from projections.search import COUNT_MAX, Found, Wanted, found
from projections.search_entries import NAME, WORDS, Entry, Indexed, Kind, write
from projections.search_index import PROJECTION
from projections.search_language import holding
from projections.tables import SQLITE, Tables
from schemas.strict import canonical
from service.aggregates.attachments import Attached
from service.aggregates.editions import EditionRegistered, TextsRevised
from service.aggregates.events import TableGame
from service.engine.bigrams import Unsearchable, normalised, read_query, widened, words_of
from service.installation import Installation, open_installation
from service.store.databases import migrate
from tests.conftest import CATALOGUE, import_log, log_of, settings_in
from tests.projections.disputed import NEVER, NOW, Disputed
from tests.servers import empty_schema

DATABASES = ("sqlite", "postgresql")
LANGUAGES = ("ja", "en")
KANA_AND_KANJI = re.compile(r"[々-〇ぁ-ゖァ-ヺーヽヾ㐀-䶵一-鿌]+")
LATIN = re.compile(r"(?<![0-9a-z])[0-9a-z]{1,2}(?![0-9a-z])")
MIXED = re.compile(r"(?<![0-9a-z])[0-9a-z][ぁ-ゖァ-ヺー㐀-䶵一-鿌]")
WORD_START = "(?<![0-9a-z])"

QUERIES = (
    *("トゲトゲ", "山札切れ", "墓地", "先攻の決め方", "バトルフェイズ", "召喚台", "同時に"),
    *("プレイヤー", "ダメージデッキ", "コストとして払った", "行動不能", "している", "ことがで"),
    *("できない", "カードの効果", "無効にされ", "攻撃宣言", "1枚", "P1", "2体以上", "HS-104"),
    *("ﾄｹﾞﾄｹﾞ", "ﾌﾟﾚｲﾔｰ", "ﾊﾞﾘｱｶｳﾝﾀｰ", "ＭＵＬＴＩ", "ｆｉｒｓｔ　ｓｔｒｉｋｅ", "Ｐ１"),
    *("first strike", "graveyard", "GRAVEYARD", "discard pile", "pierc", "un", "deck hand"),
    *("player's turn", "battle phase", "multi-hit", "armour damage", "Question", "the"),
    *(
        "山札 手札",
        "攻撃 防衛 燃料",
        "ターン 1",
        "プレイヤーの手札",
        "戦場　ユニット",
        "種族連鎖 属性",
    ),
)


RULES = tuple(
    (game, rule["id"], rule[f"term_{lang}"], rule[f"text_{lang}"])
    for game in CATALOGUE.names()
    for rule in CATALOGUE.game(game).rules.values()
    for lang in LANGUAGES
)
"""Game, id, title and text of every rule in each language."""

SCANNED = tuple((rule, normalised(f"{title}\n{body}\n{rule}")) for _, rule, title, body in RULES)


def find_in(tables: Tables, text: str, **more: Any) -> Found:
    asked: dict[str, Any] = {"kind": "rules", "limit": 1_000, "now": NEVER, "reach": WHOLE, **more}
    return found(tables, Wanted(query=read_query(text), **asked))


def find(here: Installation, text: str, kind: Kind = "rules", **more: Any) -> Found:
    here.catch_up()
    with here.database.reading() as tables:
        return find_in(tables, text, kind=kind, **more)


def refs(found: Found) -> list[str]:
    return [entry.ref for entry in found.entries]


@pytest.fixture(scope="module", params=DATABASES)
def rulebooks(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Installation]:
    """An installation with all rulebooks, which nobody changes."""
    plain = settings_in(tmp_path_factory.mktemp("rulebooks"))
    is_file = request.param == "sqlite"
    with nullcontext(plain.database_url) if is_file else empty_schema() as url:
        migrate(url)
        here = open_installation(dataclasses.replace(plain, database_url=url))
        here.register_editions()
        here.catch_up()
        with here.database.transaction() as tables:
            tables.execute(f"ANALYZE {WORDS}")  # as PostgreSQL does by itself after a while
        yield here
        here.close()


# What a plain scan finds.


def scanned(text: str) -> set[str]:
    """Return the rules in which a plain scan finds every term, as its words begin."""
    patterns = [
        re.compile((WORD_START if re.match("[0-9a-z]", term) else "") + re.escape(term))
        for term in normalised(text).split()
    ]
    return {rule for rule, text in SCANNED if all(one.search(text) for one in patterns)}


def test_queries_find_what_a_scan_finds(rulebooks: Installation) -> None:
    assert len(QUERIES) == 46
    for text in QUERIES:
        found = set(refs(find(rulebooks, text)))
        assert found, text
        assert found == scanned(text), (text, found ^ scanned(text))


def short_terms() -> dict[str, set[int]]:
    """Return every term of one or two characters in the rulebooks, and the texts that hold it.

    Kana and kanji stand anywhere; what begins with a letter or a digit begins a word.
    """
    found: dict[str, set[int]] = {}
    for number, (_, text) in enumerate(SCANNED):
        for run in KANA_AND_KANJI.findall(text):
            for place in range(len(run)):
                for term in {run[place], run[place : place + 2]}:
                    found.setdefault(term, set()).add(number)
        for word in re.findall(f"{WORD_START}[0-9a-z]+", text):
            for term in {word[0], word[:2]}:
                found.setdefault(term, set()).add(number)
        for term in MIXED.findall(text):
            found.setdefault(term, set()).add(number)
    return found


def entries_by_term(tables: Tables, terms: Iterable[str]) -> dict[str, set[int]]:
    """Return the entries that each term finds."""
    found: dict[str, set[int]] = {}
    shapes: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for term in terms:
        part = holding(tables.dialect, read_query(term), "rules")
        if tables.dialect is SQLITE:
            rows = tables.rows(f"SELECT {NAME}.id {part.text}", *part.parameters)
            found[term] = {entry for (entry,) in rows}
        else:
            shapes.setdefault(part.text, []).append((term, part.parameters))
    # To plan a statement takes PostgreSQL longer than to carry it out: one for all of a shape.
    for text, asked in shapes.items():
        columns = [list(column) for column in zip(*(values for _, values in asked), strict=True)]
        for number in range(len(columns)):
            text = text.replace("?", f"asked.p{number}", 1)
        named = ", ".join(["term", *(f"p{number}" for number in range(len(columns)))])
        lists = ", ".join(["?::text[]"] * (len(columns) + 1))
        rows = tables.rows(
            f"SELECT asked.term, held.id FROM unnest({lists}) AS asked ({named}) "
            f"CROSS JOIN LATERAL (SELECT {NAME}.id {text}) AS held",
            [term for term, _ in asked],
            *columns,
        )
        for term, entry in rows:
            found.setdefault(term, set()).add(entry)
    return found


def test_short_terms_find_what_a_scan_finds(rulebooks: Installation) -> None:
    terms = short_terms()
    assert len(terms) > 7_000
    with rulebooks.database.reading() as tables:
        rows = tables.rows(f"SELECT id, title, body FROM {NAME}")
        numbers = {(title, body): number for number, (_, _, title, body) in enumerate(RULES)}
        by_id = {entry: numbers[title, body] for entry, title, body in rows}
        found = entries_by_term(tables, terms)
    for term, scan in terms.items():
        numbers_found = {by_id[entry] for entry in found[term]}
        assert numbers_found >= scan, term
        # A space or symbol between a letter and a kana counts for nothing.
        assert numbers_found == scan or MIXED.fullmatch(term), term


# In what order.


def test_the_rule_with_the_heading_comes_first(rulebooks: Installation) -> None:
    """Two rules of a game may have the same heading: then either of them does."""
    with rulebooks.database.reading() as tables:
        for game, rule, title, _ in RULES:
            first = find_in(tables, title, game=game, limit=2).entries
            equal = [one.ref for one in first if words_of(one.title) == words_of(title)]
            assert rule in equal, title
            assert first[0].ref in equal, title


def test_headings_come_before_texts(rulebooks: Installation) -> None:
    found = find(rulebooks, "墓地", game="hi-story", lang="ja")
    fits = [
        (one.title != "墓地", not one.title.startswith("墓地"), "墓地" not in one.title)
        for one in found.entries
    ]
    assert fits == sorted(fits)
    assert len(set(fits)) == 3
    (one,) = find(rulebooks, "hs-310", limit=1).entries
    assert one.ref == "HS-310"


def test_a_rule_is_found_once_and_in_pages(rulebooks: Installation) -> None:
    found = find(rulebooks, "p")
    assert len(found.entries) == len(set(refs(found))) == found.count > 10
    pages = [refs(find(rulebooks, "p", limit=7, after=start)) for start in range(0, found.count, 7)]
    assert [ref for page in pages for ref in page] == refs(found)
    for lang in LANGUAGES:
        assert {one.lang for one in find(rulebooks, "p", lang=lang).entries} == {lang}


ALIKE = {"ﾄｹﾞﾄｹﾞ": "トゲトゲ", "ＭＵＬＴＩ": "multi", "Graveyard": "ＧＲＡＶＥＹＡＲＤ", "Ｐ１": "p1"}


def test_widths_and_cases_are_alike(rulebooks: Installation) -> None:
    for one, other in ALIKE.items():
        assert refs(find(rulebooks, one)) == refs(find(rulebooks, other)) != []


def test_synonyms_find_more(rulebooks: Installation) -> None:
    synonyms = CATALOGUE.synonyms("hagmi")
    plain, wide = {}, {}
    for word in ("廃棄", "捨て札", "墓地"):
        plain[word] = set(refs(find(rulebooks, word, game="hagmi")))
        query = widened(read_query(word), synonyms)
        wanted = Wanted(query=query, kind="rules", game="hagmi", limit=500, now=NEVER)
        wide[word] = set(refs(rulebooks.texts(wanted)))
    assert wide["廃棄"] == wide["捨て札"] == wide["墓地"]
    assert wide["廃棄"] >= plain["廃棄"] | plain["捨て札"] | plain["墓地"]
    assert wide["廃棄"] > plain["捨て札"]


# Any text, any query.


def put(here: Installation, text: str, title: str = "") -> None:
    """Put a text where rules are, in place of the one before."""
    entry = Entry(
        id=1, kind="rules", ref="X", number=1, game="x", time=NOW, title=title, body="", lang="ja"
    )
    with here.database.transaction() as tables:
        write(tables, [Indexed(entry=entry, text=text)])


def is_found(here: Installation, text: str) -> bool:
    with here.database.reading() as tables:
        return find_in(tables, text, game="x").count > 0


SYNTAX = """'"*^:()-+|&!<>\\{}[]%_?;$`#~,.@=/ \t\0"""
HOSTILE = st.text(SYNTAX + "あ亜a1ｶﾞAND OR NOT NEAR(", max_size=60) | st.text(max_size=40)


@given(text=HOSTILE)
@settings(max_examples=40)
def find_itself(here: Installation, text: str) -> None:
    try:
        read_query(text)
    except Unsearchable:
        return
    put(here, text)
    assert is_found(here, text)


def test_every_text_is_found_in_itself(installation: Installation) -> None:
    installation.catch_up()
    find_itself(installation)


QUERIES_OF_ENEMIES = (
    *('"', "a' OR '1'='1", '山札" OR "', "NEAR(山札 手札, 2)", "heading : 山札", "山札 NOT 手札"),
    *("^山札", "山*", "-山札", "山札 <-> 手札", "'山札':*A", "!山札", "山\\札'", "a\0b", "AND"),
    *("?", "%s", "%(x)s", "$1", "{}", "\ud800山札", "🎴山札", "\ue000rules", "a;DROP TABLE x"),
)


def test_no_query_is_read_as_a_language(rulebooks: Installation) -> None:
    """Symbols say nothing: with them there is no more to be found than without."""
    for text in QUERIES_OF_ENEMIES:
        plain = re.sub(r"[^\w\s]", " ", text)
        if plain.strip():
            assert set(refs(find(rulebooks, text))) <= set(refs(find(rulebooks, plain))), text
        else:
            with pytest.raises(Unsearchable):
                read_query(text)


def test_long_texts_are_found_to_their_end(installation: Installation) -> None:
    """PostgreSQL itself keeps 255 places of a token, and none behind 16,383."""
    installation.catch_up()
    many = "です" * 300 + "すです手札"
    put(installation, many)
    assert is_found(installation, "すです手札")
    assert not is_found(installation, "です札")
    far = "".join(chr(0x4E00 + number % 5000) for number in range(17_000)) + "山札を引く"
    put(installation, far)
    assert is_found(installation, "山札を引く")
    assert not is_found(installation, "札を山札")
    put(installation, "x" * 10_000 + " 가나다" * 100)
    for text in ("x" * 150, "가나", "가나다 가"):
        assert is_found(installation, text)


# Texts of disputes.


def test_texts_of_disputes_are_found_newest_first(installation: Installation) -> None:
    one = Disputed(here=installation, dispute="d1")
    one.open("山札の効果", "HS-104").comment("山札を見た").rule("山札へ戻す", "Return to the deck")
    one.appeal("山札ではない")
    Disputed(here=installation, dispute="d2").open("山札が違う")
    claims = find(installation, "山札", "disputes")
    assert [(one.ref, one.number, one.body) for one in claims.entries] == [
        ("d2", 1, "山札が違う"),
        ("d1", 1, "山札の効果"),
    ]
    assert (claims.count, claims.capped) == (2, False)
    comments = find(installation, "山札", "comments").entries
    assert [(one.ref, one.number) for one in comments] == [("d1", 4), ("d1", 2)]
    rulings = find(installation, "山札", "rulings").entries
    assert [(one.ref, one.lang, one.match_id) for one in rulings] == [("d1", "ja", "m")]
    assert [one.lang for one in find(installation, "deck", "rulings").entries] == ["en"]
    assert refs(find(installation, "HS-104", "disputes")) == ["d1"]
    assert find(installation, "山札", "disputes", game="hagmi").count == 0
    assert find(installation, "山札", "rulings", lang="en").count == 0
    assert find(installation, "山札", "disputes", lang="en").count == 2, "nobody said the language"


def test_what_only_judges_may_read_is_not_indexed(installation: Installation) -> None:
    one = Disputed(here=installation, dispute="d").open("何か")
    one.comment("極秘", "judges").comment("公開")
    assert find(installation, "極秘", "comments").count == 0
    assert find(installation, "公開", "comments").count == 1
    assert "極秘" not in words_in(installation)


def words_in(here: Installation) -> str:
    with here.database.reading() as tables:
        return str(tables.rows(f"SELECT heading, body, also FROM {WORDS}"))


def test_a_withdrawn_dispute_leaves(installation: Installation) -> None:
    one = Disputed(here=installation, dispute="d").open("蝸牛前")
    one.comment("蝸牛前")
    at_once = Disputed(here=installation, dispute="e").open("蝸牛前")
    at_once.withdraw()
    assert find(installation, "蝸牛", "disputes").count == 1
    one.withdraw()
    at_once.comment("蝸牛後")
    for kind in ("disputes", "comments"):
        assert find(installation, "蝸牛", kind).count == 0
    assert "蝸牛" not in words_in(installation)


def test_an_erased_text_is_neither_found_nor_shown(installation: Installation) -> None:
    one = Disputed(here=installation, dispute="d").open("蛞蝓の言葉")
    one.rule("蛞蝓の裁定", "It stays")
    assert find(installation, "蛞蝓", "disputes").count == 1
    for text in ("蛞蝓の言葉", "蛞蝓の裁定"):
        one.erase(text)
    for kind in ("disputes", "rulings"):
        nothing = find(installation, "蛞蝓", kind)
        assert (nothing.count, nothing.entries) == (0, [])
    assert [ruling.body for ruling in find(installation, "stays", "rulings").entries] == [
        "It stays"
    ]
    installation.forget_erased()
    assert "蛞蝓" not in words_in(installation)
    one.comment("まだ話せる")
    assert find(installation, "話せる", "comments").count == 1, "the dispute is known by its claim"


def test_who_finds_what_is_part_of_the_query(installation: Installation) -> None:
    """An imported match is closed, listed and shown whole; another one is not there at all."""
    match_id = import_log(installation, log_of("hi-story"))
    cup = TableGame(tournament="cup", phase=1, round=1, table=1, game=1)
    Disputed(here=installation, dispute="open", match_id=match_id).open("主張")
    Disputed(here=installation, dispute="cup", match_id="m1", table=cup).open("主張")
    Disputed(here=installation, dispute="other", match_id="m2").open("主張")
    installation.catch_up()
    with installation.database.transaction() as tables:
        tables.upsert(SEATS, ("match_id", "person"), [("m2", "ann")], keys=2)
    for reach, disputes in (
        (Reach(), {"open"}),
        (Reach(person="ann"), {"open", "other"}),
        (Reach(person="bob"), {"open"}),
        (Reach(tournaments=("cup", "x")), {"open", "cup"}),
        (Reach(tournaments=("cup",), barred=("cup",)), {"open"}),
        (Reach(matches=("m1", "m2")), {"open", "cup", "other"}),
        (Reach(matches=("m1", "m2"), barred=("cup",)), {"open", "other"}),
        (Reach(everything=True), {"open", "cup", "other"}),
        (Reach(everything=True, barred=("cup",)), {"open", "other"}),
    ):
        there = find(installation, "主張", "disputes", reach=reach)
        assert (set(refs(there)), there.count) == (disputes, len(disputes)), reach
    assert find(installation, "主張", "disputes", reach=Reach(), now="2000").count == 0


def test_counts_are_capped_and_pages_go_on(installation: Installation) -> None:
    one = Disputed(here=installation, dispute="d").open("多い")
    installation.catch_up()
    (claim,) = find(installation, "多い", "disputes").entries
    many = [
        replace(claim, id=number, kind="comments", number=number, body="")
        for number in range(1, COUNT_MAX + 2)
    ]
    with installation.database.transaction() as tables:
        write(tables, [Indexed(entry=entry, text="多い") for entry in many])
    found = find(installation, "多い", "comments", limit=20)
    assert (found.count, found.capped) == (COUNT_MAX, True)
    assert [entry.id for entry in found.entries] == list(range(1001, 981, -1))
    rest = find(installation, "多い", "comments", limit=20, after=found.entries[-1].id)
    assert [entry.id for entry in rest.entries] == list(range(981, 961, -1))
    with installation.database.transaction() as tables:
        tables.execute(f"DELETE FROM {NAME} WHERE id = 1")
    exactly = find(installation, "多い", "comments", limit=1)
    assert (exactly.count, exactly.capped) == (COUNT_MAX, False)
    one.erase("多い")
    assert find(installation, "多い", "comments").count == 0


# The read model.


def test_the_last_wording_is_searched(installation: Installation) -> None:
    def texts(word: str) -> bytes:
        rule = {"id": "XX-001", "term_ja": word, "term_en": word, "text_ja": word, "text_en": word}
        return canonical([[rule], {}])

    def append(event: EditionRegistered | TextsRevised, body: bytes) -> None:
        before = installation.log.public_events("editions/x")
        installation.log.append_public(
            "editions/x",
            [event],
            version=len(before),
            head=before[-1][1] if before else "",
            attached=Attached(documents={event.texts_digest: body}),
        )

    def registered(number: int, word: str) -> None:
        digest = sha256(texts(word)).hexdigest()
        append(
            EditionRegistered(
                game="x",
                number=number,
                engine=1,
                rules_digest=digest,
                cards_digest=digest,
                texts_digest=digest,
                time=NOW,
            ),
            texts(word),
        )

    def revised(number: int, revision: int, word: str) -> None:
        digest = sha256(texts(word)).hexdigest()
        append(
            TextsRevised(game="x", number=number, revision=revision, texts_digest=digest, time=NOW),
            texts(word),
        )

    registered(1, "初版")
    assert find(installation, "初版").count == 1
    revised(1, 1, "改訂")
    assert [find(installation, word).count for word in ("初版", "改訂")] == [0, 1]
    registered(2, "第二")
    revised(1, 2, "古い改訂")
    assert [find(installation, word).count for word in ("改訂", "第二", "古い")] == [0, 1, 0]
    assert find(installation, "第二").entries[0].number == 2


def test_rebuilt_equals_grown(installation: Installation) -> None:
    one = Disputed(here=installation, dispute="d")
    one.open("主張")
    installation.catch_up()
    one.comment("意見")
    installation.catch_up()
    one.rule("裁定")
    installation.catch_up()
    grown = [rows_of(installation, table) for table in PROJECTION.tables if table != WORDS]
    words = words_in(installation)
    drop(installation.database, PROJECTION)
    assert catch_up(installation.database, installation.log, [PROJECTION]) > 0
    assert [rows_of(installation, table) for table in PROJECTION.tables if table != WORDS] == grown
    assert sorted(words_in(installation)) == sorted(words)


def rows_of(here: Installation, table: str) -> list[tuple[Any, ...]]:
    with here.database.reading() as tables:
        return sorted(tables.rows(f"SELECT * FROM {table}"), key=repr)
