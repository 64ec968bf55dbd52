"""The glossary of a game: groups of words for the same thing, which a game may do without."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from schemas.seeds import glossary_faults
from service.catalogue import GLOSSARY, Catalogue, SeedRefused
from service.engine.bigrams import phrase_of
from service.engine.values import Json
from tests.conftest import CATALOGUE, SEEDS


@pytest.mark.parametrize(
    ("glossary", "place"),
    [
        (None, ""),
        ({"a": ["b", "c"]}, ""),
        (["ab"], "0"),
        ([["a", "b"], ["a"]], "1"),
        ([["a"] * 21], "0"),
        ([["a", ""]], "0"),
        ([["a", " "]], "0"),
        ([["a", 1]], "0"),
        ([["a", ["b"]]], "0"),
        ([["a", "x" * 41]], "0"),
        ([["a", "a"]], "0"),
    ],
)
def test_faults_are_found_at_their_place(glossary: Json, place: str) -> None:
    assert place in [where for where, _ in glossary_faults(glossary)]


def test_groups_of_words_have_no_faults() -> None:
    assert glossary_faults([]) == []
    assert glossary_faults([["廃棄", "捨て札", "discard pile"], ["a", "b"]]) == []


@pytest.mark.parametrize("name", CATALOGUE.names())
def test_every_word_can_be_looked_for(name: str) -> None:
    for group in CATALOGUE.game(name).glossary:
        phrases = [phrase_of(word) for word in group]
        assert None not in phrases
        assert len(set(phrases)) == len(phrases), group


def test_a_game_may_have_none(tmp_path: Path) -> None:
    shutil.copytree(SEEDS / "hagmi", tmp_path / "hagmi")
    (tmp_path / "hagmi" / GLOSSARY).unlink()
    assert list(Catalogue(tmp_path).game("hagmi").glossary) == []
    (tmp_path / "hagmi" / GLOSSARY).write_text("- [a, a]\n")
    with pytest.raises(SeedRefused, match=r"hagmi/glossary\.yaml: 0: 'a' stands there twice"):
        Catalogue(tmp_path).game("hagmi")
