"""The worked examples of every game, and what they reach of its rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from schemas.strict import read_yaml
from service.catalogue import LoadedGame
from service.engine.examples import faults_of, play
from service.engine.values import Json
from tests.conftest import CATALOGUE

UNCITED = read_yaml((Path(__file__).parent / "uncited.yaml").read_bytes()) or {}


def examples_of(game: LoadedGame) -> list[Json]:
    content = read_yaml((game.folder / "examples.yaml").read_bytes())
    return list(content["examples"] if isinstance(content, dict) else content)


def all_examples() -> list[object]:
    return [
        pytest.param(name, example, id=example["id"])
        for name in CATALOGUE.names()
        for example in examples_of(CATALOGUE.game(name))
    ]


@pytest.mark.parametrize(("name", "example"), all_examples())
def test_example(name: str, example: Json) -> None:
    game = CATALOGUE.game(name)
    assert faults_of(example, game.sample.ruleset) == []
    assert [rule for rule in example["rules"] if rule not in game.rules] == []


def test_ids_are_unique(game: LoadedGame) -> None:
    ids = [example["id"] for example in examples_of(game)]
    assert len(ids) == len(set(ids))


def cited_by_examples(game: LoadedGame) -> set[str]:
    cited: set[str] = set()
    for example in examples_of(game):
        run = play(example, game.sample.ruleset)
        if run.refused is not None:
            cited.add(run.refused.rule)
        for fact in run.facts:
            cited |= set(rules_in(fact))
    return cited


def rules_in(value: Json) -> Iterator[str]:
    """Yield every rule cited in a fact, at any depth."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key in ("rules", "rule"):
                yield from part if isinstance(part, list) else [part]
            else:
                yield from rules_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from rules_in(part)


def test_every_rule_of_the_engine_is_cited_or_shown(game: LoadedGame) -> None:
    """A rule without a fact or refusal of its own stands in `uncited.yaml`, with its example."""
    enforced = {rule for rule, entry in game.rules.items() if entry["enforced_by"] == "engine"}
    shown = {example["id"]: example["rules"] for example in examples_of(game)}
    listed = {rule: example for rule, example in UNCITED.items() if rule in game.rules}
    cited = cited_by_examples(game)
    assert sorted(enforced - cited - set(listed)) == [], "no example reaches a citation of these"
    assert sorted(set(listed) & cited) == [], "these are cited: take them out of uncited.yaml"
    wrong = [rule for rule, example in listed.items() if rule not in shown.get(example, [])]
    assert wrong == [], "the example named does not exercise the rule"
