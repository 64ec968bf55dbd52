"""The command line, as a person uses it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Run, objects
from tests.conftest import CATALOGUE, SEEDS, log_of


def test_audit_tells_verdict_line_and_rule(run: Run) -> None:
    result = run("audit", log_of("hi-story", 1), log_of("hi-story", 11), "--json")
    legal, illegal = objects(result)
    assert result.exit_code == 1
    assert (legal["verdict"], legal["actions"], legal["rule"]) == ("legal", 134, None)
    assert legal["final"]["winner"] == "P1"
    assert legal["position"]["phase"] == "over"
    assert (illegal["verdict"], illegal["line"], illegal["at_action"]) == ("illegal", 178, 176)
    assert (illegal["rule"], illegal["final"]) == ("HS-301", None)
    assert illegal["reason"] == "いまはあなたのターンではありません。"


def test_audit_in_words_and_in_english(run: Run) -> None:
    result = run("audit", log_of("hi-story", 11), "--text", "en")
    assert "illegal line 178 HS-301" in result.stdout
    assert "It is not your turn." in result.stdout


def test_exit_codes(run: Run, tmp_path: Path) -> None:
    broken = tmp_path / "broken.plain.jsonl"
    broken.write_text("{")
    assert run("audit", log_of("hi-story")).exit_code == 0
    assert run("audit", log_of("hi-story", 9)).exit_code == 1
    assert run("audit", broken).exit_code == 2
    assert run("audit", broken, log_of("hi-story", 11)).exit_code == 2
    assert run("audit", "nowhere.jsonl").exit_code == 2
    assert run("show", "nowhere").exit_code == 2
    assert run("rules", "hi-story", "HS-999").exit_code == 2


def test_import_show_and_export_go_round(run: Run, tmp_path: Path) -> None:
    path = log_of("hi-story")
    (imported,) = objects(run("import", path, "--json"))
    (again,) = objects(run("import", path, "--json"))
    assert imported == again
    (audited,) = objects(run("audit", path, "--json"))
    assert {key: imported[key] for key in audited} == audited
    (shown,) = objects(run("show", imported["match"], "--json"))
    assert shown["position"] == imported["position"]
    exported = tmp_path / "out.plain.jsonl"
    assert run("export", imported["match"], "--plain", "-o", exported).exit_code == 0
    (second,) = objects(run("audit", exported, "--json"))
    assert second["position"] == imported["position"]
    (listed,) = objects(run("matches", "--json"))
    assert listed["id"] == imported["match"]


def test_nothing_is_stored_of_what_is_refused(run: Run) -> None:
    (body,) = objects(run("import", log_of("hi-story", 11), "--json"))
    assert body["match"] is None
    assert run("matches").stdout == "no matches\n"
    (partial,) = objects(run("import", "--partial", log_of("hi-story", 11), "--json"))
    assert partial["match"] is not None


def test_an_account_in_words(run: Run) -> None:
    (imported,) = objects(run("import", log_of("hi-story"), "--json"))
    japanese = run("show", imported["match"], "--at", "12.1", "--as", "P1").stdout
    english = run("show", imported["match"], "--at", "12.1", "--as", "P1", "--text", "en").stdout
    assert "ターン1" in japanese
    assert "Turn 1" in english
    for at in ("x", "999", "3.999"):
        assert run("show", imported["match"], "--at", at).exit_code == 2
    assert run("show", imported["match"], "--as", "P3").exit_code == 2


@pytest.mark.parametrize("game", CATALOGUE.names())
def test_simulated_matches_depend_on_the_seed_alone_and_audit_legal(
    run: Run, tmp_path: Path, game: str
) -> None:
    asked = ("simulate", "--ruleset", game, "--games", 1, "--seed", 7, "--json")
    first = run(*asked)
    assert first.exit_code == 0, first.output
    again = run("--database-url", f"sqlite:///{tmp_path / 'other.sqlite'}", *asked)
    assert again.stdout == first.stdout
    assert run(*asked).stdout == first.stdout
    for body in objects(first):
        path = tmp_path / f"{body['match']}.plain.jsonl"
        run("export", body["match"], "--plain", "-o", path)
        (audited,) = objects(run("audit", path, "--json"))
        assert audited["verdict"] == "legal"
        (shown,) = objects(run("show", body["match"], "--json"))
        assert shown["position"] == audited["position"]


def test_examples_count_what_passed_and_failed(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "examples.yaml"
    path.write_text(
        """
- {id: A, title: t, rules: [HS-301], actions: [], expect: {winner: null}}
- {id: B, title: t, rules: [HS-301], actions: [], expect: {winner: P1}}
- {id: C, title: t, rules: [HS-301], actions: [], expect: {winner: null}, colour: red}
- {id: D, title: t, rules: [HS-301], actions: [], expect: {winer: null}}
- {id: E, title: t, rules: [HS-301], actions: [], rng: [3], expect: {winner: null}}
- {id: F, title: t, rules: [HS-999], actions: [], expect: {winner: null}}
- id: G
  title: t
  rules: [HS-301]
  position: {cards: {a1: no-such}}
  actions: []
  expect: {winner: null}
- {id: H, title: t, rules: [HS-301], position: {colour: red}, actions: [], expect: {winner: null}}
- just a text
"""
    )
    result = run("examples", "run", path)
    assert result.stdout.splitlines()[-1] == "1 passed, 8 failed"
    assert result.exit_code == 1


def test_rules_in_both_languages(run: Run) -> None:
    assert "HS-312" in run("rules", "hi-story").stdout
    one = run("rules", "hi-story", "HS-312").stdout
    assert "召喚 / Summon" in one
    assert objects(run("rules", "hi-story", "HS-312", "--json"))[0]["id"] == "HS-312"


def test_every_fault_of_a_card_pool_is_named(run: Run, tmp_path: Path) -> None:
    good = run("cards", "check", SEEDS / "hi-story" / "cards.yaml")
    assert good.exit_code == 0
    path = tmp_path / "cards.yaml"
    path.write_text(
        """
cards:
- {id: one, name_ja: 一, rank: 9}
- {id: two, name_ja: 二, rank: 1, colour: red}
- {id: three, name_ja: 三, rank: 1, effects: [{when: once, do: [{op: fly}]}]}
decks:
  d: {name_ja: で, name_en: D, list: [one*2, missing]}
"""
    )
    result = run("cards", "check", path, "--json")
    assert result.exit_code == 1
    named = " ".join(f"{fault['place']}: {fault['fault']}" for fault in objects(result))
    for part in ("one", "rank", "two", "colour", "three.effects.0.do.0.op", "decks.d.list.1"):
        assert part in named


def test_a_brought_pool_is_kept_with_its_matches(run: Run, tmp_path: Path) -> None:
    pool = tmp_path / "brought.yaml"
    shutil.copy(SEEDS / "hi-story" / "cards.yaml", pool)
    pool.write_text(pool.read_text().replace('name_en: "Kotaro"', 'name_en: "Renamed"'))
    out = run(
        "simulate", "--ruleset", "hi-story", "--seed", 3, "--json", "--cards", f"brought={pool}"
    )
    (body,) = objects(out)
    pool.unlink()
    assert run("show", body["match"]).exit_code == 0
    assert run("show", "x", "--cards", "a=b").exit_code == 2


def test_demo_loads_once(run: Run) -> None:
    assert run("demo", "--load-only").exit_code == 0
    listed = objects(run("matches", "--json"))
    assert {body["game"] for body in listed} == set(CATALOGUE.names())
    assert run("demo", "--load-only").exit_code == 0
    assert objects(run("matches", "--json")) == listed
    assert run("migrate").exit_code == 0
