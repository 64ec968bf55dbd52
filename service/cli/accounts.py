"""Commands on persons, tokens and grants. Whoever has the shell of the installation is operator."""

from __future__ import annotations

import click

from service.accounts.tokens import DAYS_MAX, NewToken, Token
from service.aggregates.access import (
    INSTALLATION,
    ROLES,
    SCOPES,
    Place,
    Role,
    RoleGranted,
    RoleRevoked,
    place_of_match,
)
from service.cli.base import Context, Function, json_option, say
from service.commands.access import grant_role, revoke_role
from service.engine.values import Json
from service.installation import Installation, clock

FROM_THE_SHELL = None
"""What stands in the log for the person who gave a role, when it was given here."""
DAYS_DEFAULT = 30


def place_option(function: Function) -> Function:
    """Add `--match M` and `--tournament T`."""
    in_match = click.option("--match", "match_id", help="In this match alone.")
    return in_match(click.option("--tournament", help="In this tournament alone.")(function))


@click.group("persons")
def persons_group() -> None:
    """Who plays and who has an office; names lie outside the log."""


@persons_group.command("add")
@click.argument("name")
@click.pass_obj
def add_person(context: Context, name: str) -> None:
    """Add a person; print the id."""
    click.echo(context.installation().persons.create(name, clock()).id)


@persons_group.command("list")
@json_option
@click.pass_obj
def list_persons(context: Context, as_json: bool) -> None:
    """List the persons."""
    persons, after = context.installation().persons, ""
    while page := persons.listed(after=after):
        for one in page:
            if as_json:
                say({"id": one.id, "name": one.name, "created_at": one.created_at})
            else:
                click.echo(f"{one.id}  {one.name}")
        after = page[-1].id


@persons_group.command("rename")
@click.argument("person")
@click.argument("name")
@click.pass_obj
def rename_person(context: Context, person: str, name: str) -> None:
    """Change the display name of a person."""
    click.echo(f"{person} is {context.installation().persons.rename(person, name).name}")


@persons_group.command("erase")
@click.argument("person")
@click.confirmation_option(prompt="Erase name, tokens and notes? They cannot be brought back.")
@click.pass_obj
def erase_person(context: Context, person: str) -> None:
    """Erase a person's name, tokens and notes; what he did stays in the log under his opaque id."""
    context.installation().persons.erase(person)
    click.echo(f"{person} is erased")


@click.group("token")
def token_group() -> None:
    """Tokens, with which persons and programs call the API and sign in."""


@token_group.command("create")
@click.argument("person")
@click.option(
    "--scope", "scopes", multiple=True, required=True, type=click.Choice(SCOPES), help="Repeatable."
)
@click.option(
    "--expires",
    "days",
    type=click.IntRange(1, DAYS_MAX),
    default=DAYS_DEFAULT,
    show_default=True,
    help="Days until it ends.",
)
@place_option
@click.pass_obj
def create_token(
    context: Context,
    person: str,
    scopes: tuple[str, ...],
    days: int,
    match_id: str | None,
    tournament: str | None,
) -> None:
    """Make a token for a person; it is printed this once."""
    installation = context.installation()
    place = _place(installation, match_id, tournament)
    narrowed_to = None if place == INSTALLATION else place
    wanted = NewToken(person=person, scopes=scopes, days=days, narrowed_to=narrowed_to)
    token, text = installation.persons.create_token(wanted, None, clock())
    click.echo(text)
    click.echo(f"holds until {token.expires_at}; it is not shown again", err=True)


@token_group.command("list")
@click.argument("person")
@json_option
@click.pass_obj
def list_tokens(context: Context, person: str, as_json: bool) -> None:
    """List the tokens of a person that hold."""
    persons = context.installation().persons
    for token in persons.tokens_of(persons.find(person).id, clock()):
        if as_json:
            say(_token_body(token))
        else:
            where = "" if token.narrowed_to is None else f"  only {token.narrowed_to}"
            scopes = ",".join(sorted(token.scopes))
            click.echo(f"{token.id}  {scopes}{where}  until {token.expires_at}")


@token_group.command("revoke")
@click.argument("token")
@click.pass_obj
def revoke_token(context: Context, token: str) -> None:
    """End a token, by its id, and the sessions that were opened with it."""
    context.installation().persons.revoke(token, clock())
    click.echo(f"{token} is revoked")


@click.group("grant")
def grant_group() -> None:
    """Who has which role where; each grant and its end are on record."""


@grant_group.command("add")
@click.argument("person")
@click.argument("role", type=click.Choice(ROLES))
@place_option
@click.pass_obj
def add_grant(
    context: Context, person: str, role: Role, match_id: str | None, tournament: str | None
) -> None:
    """Give a person a role, in the whole installation unless a place is named."""
    installation = context.installation()
    place = _place(installation, match_id, tournament)
    event = RoleGranted(
        person=installation.persons.find(person).id,
        role=role,
        place=place,
        by=FROM_THE_SHELL,
        time=clock(),
    )
    grant_role(installation.access, event)
    click.echo(f"{person} is {role} at {place}")


@grant_group.command("remove")
@click.argument("person")
@click.argument("role", type=click.Choice(ROLES))
@place_option
@click.pass_obj
def remove_grant(
    context: Context, person: str, role: Role, match_id: str | None, tournament: str | None
) -> None:
    """Take a role from a person where it was given."""
    installation = context.installation()
    place = _place(installation, match_id, tournament)
    event = RoleRevoked(person=person, role=role, place=place, by=FROM_THE_SHELL, time=clock())
    revoke_role(installation.access, event)
    click.echo(f"{person} is no longer {role} at {place}")


@grant_group.command("list")
@place_option
@json_option
@click.pass_obj
def list_grants(
    context: Context, match_id: str | None, tournament: str | None, as_json: bool
) -> None:
    """List who has which role in the installation, or at a place."""
    installation = context.installation()
    place = _place(installation, match_id, tournament)
    granted = installation.access.at(place).granted
    names = installation.persons.names({person for person, _ in granted})
    for person, role in sorted(granted, key=lambda one: (one[1], one[0])):
        if as_json:
            say({"person": person, "name": names.get(person), "role": role, "place": place})
        else:
            click.echo(f"{role}  {person}  {names.get(person, '(erased)')}")


def _place(installation: Installation, match_id: str | None, tournament: str | None) -> Place:
    """Return the place that was named; raises `NotFound` for a match that is not there."""
    if match_id is not None and tournament is not None:
        raise click.UsageError("name a match or a tournament, not both")
    if match_id is not None:
        return place_of_match(installation.log.match(match_id).id)
    return INSTALLATION if tournament is None else f"tournament/{tournament}"


def _token_body(token: Token) -> dict[str, Json]:
    names = ("id", "person", "narrowed_to", "created_at", "expires_at", "last_day")
    return {name: getattr(token, name) for name in names} | {"scopes": sorted(token.scopes)}


COMMANDS = (persons_group, token_group, grant_group)
