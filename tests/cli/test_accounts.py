"""Persons, tokens and grants on the command line: how an installation begins."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Run, objects
from tests.conftest import log_of


@pytest.fixture
def ann(run: Run) -> str:
    return run("persons", "add", "Ann").stdout.strip()


def test_a_person_is_added_renamed_and_erased(run: Run, ann: str) -> None:
    (listed,) = objects(run("persons", "list", "--json"))
    assert (listed["id"], listed["name"]) == (ann, "Ann")
    assert run("persons", "rename", ann, "杏").exit_code == 0
    assert run("persons", "list").stdout == f"{ann}  杏\n"
    assert run("persons", "erase", ann).exit_code == 1
    assert run("persons", "erase", ann, "--yes").exit_code == 0
    assert run("persons", "list").stdout == ""


def test_a_token_is_printed_once(run: Run, ann: str) -> None:
    made = run("token", "create", ann, "--scope", "read", "--scope", "act", "--expires", "3")
    assert made.exit_code == 0
    token_id, _, secret = made.stdout.strip().partition(".")
    assert (len(token_id), len(secret)) == (16, 43)
    listed = run("token", "list", ann, "--json")
    assert secret not in listed.output
    (body,) = objects(listed)
    assert (body["id"], body["scopes"], body["narrowed_to"]) == (token_id, ["act", "read"], None)
    assert f"{token_id}  act,read  until " in run("token", "list", ann).stdout
    assert run("token", "revoke", token_id).exit_code == 0
    assert run("token", "list", ann).stdout == ""
    assert run("token", "revoke", token_id).exit_code == 2


def test_a_token_can_be_narrowed(run: Run, ann: str) -> None:
    (imported,) = objects(run("import", log_of("hi-story"), "--json"))
    arguments = ("token", "create", ann, "--scope", "read")
    assert run(*arguments, "--match", imported["match"]).exit_code == 0
    assert run(*arguments, "--tournament", "t").exit_code == 0
    narrowed = [one["narrowed_to"] for one in objects(run("token", "list", ann, "--json"))]
    assert narrowed == [f"match/{imported['match']}", "tournament/t"]


def test_roles_are_given_and_taken(run: Run, ann: str) -> None:
    (imported,) = objects(run("import", log_of("hi-story"), "--json"))
    here = ("--match", imported["match"])
    assert run("grant", "add", ann, "operator").stdout == f"{ann} is operator at installation\n"
    assert run("grant", "add", ann, "judge", *here).exit_code == 0
    assert run("grant", "list").stdout == f"operator  {ann}  Ann\n"
    assert objects(run("grant", "list", *here, "--json")) == [
        {"person": ann, "name": "Ann", "role": "judge", "place": f"match/{imported['match']}"}
    ]
    assert run("grant", "remove", ann, "judge").exit_code == 2
    assert run("grant", "remove", ann, "judge", *here).exit_code == 0
    assert run("grant", "list", *here).stdout == ""
    run("persons", "erase", ann, "--yes")
    assert run("grant", "list").stdout == f"operator  {ann}  (erased)\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("persons", "add", ""),
        ("persons", "add", "x" * 81),
        ("persons", "rename", "nobody", "Name"),
        ("persons", "erase", "nobody", "--yes"),
        ("token", "create", "nobody", "--scope", "read"),
        ("token", "create", "ANN"),
        ("token", "create", "ANN", "--scope", "everything"),
        ("token", "create", "ANN", "--scope", "read", "--expires", "366"),
        ("token", "create", "ANN", "--scope", "read", "--match", "nowhere"),
        ("token", "create", "ANN", "--scope", "read", "--tournament", "a b"),
        ("token", "list", "nobody"),
        ("grant", "add", "nobody", "judge"),
        ("grant", "add", "ANN", "king"),
        ("grant", "add", "ANN", "judge", "--match", "nowhere"),
        ("grant", "add", "ANN", "judge", "--match", "m", "--tournament", "t"),
        ("grant", "add", "ANN", "operator", "--tournament", "t"),
        ("grant", "remove", "ANN", "judge"),
    ],
)
def test_what_cannot_be_done_is_said(run: Run, ann: str, arguments: tuple[str, ...]) -> None:
    result = run(*(ann if one == "ANN" else one for one in arguments))
    assert result.exit_code == 2
    assert "Error: " in result.stderr
    assert result.stdout == ""
