"""The table of permissions: every action of the API, who may do it, with which scope."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec import Struct

from service.aggregates.access import Principal, Relation, Role, Scope


class Permission(Struct, frozen=True, kw_only=True):
    """Who may do something. scopes: one of them must be the token's; none: no scope is needed."""

    scopes: frozenset[Scope]
    relations: frozenset[Relation]


def _to(*relations: Relation, scopes: tuple[Scope, ...] = ()) -> Permission:
    return Permission(scopes=frozenset(scopes), relations=frozenset(relations))


PERMISSIONS: Mapping[str, Permission] = {
    "read_rules": _to("anybody"),
    "search": _to("anybody"),
    # What belongs to matches that are not open to everybody.
    "search_all": _to("judge", "head_judge", "organizer", scopes=("judge", "organize")),
    "adjudicate": _to("anybody"),
    "verify_file": _to("anybody"),
    "read_job": _to("person"),
    "sign_in": _to("anybody"),
    "sign_out": _to("person"),
    "read_self": _to("person"),
    "rename_self": _to("member", scopes=("act", "judge", "organize", "operate")),
    "list_matches": _to("anybody"),
    # Who may see a match at all is decided by its visibility.
    "read_match": _to("anybody"),
    "explain": _to("anybody"),
    # By a seat for itself, or by who sees the match as a judge; which of both is asked again.
    "explain_refusal": _to("anybody"),
    "open_match": _to("member", scopes=("act", "organize")),
    "take_seat": _to("member", scopes=("act",)),
    "ready_seat": _to("seat", scopes=("act",)),
    "open_seed": _to("seat", scopes=("act",)),
    "play": _to("seat", scopes=("act",)),
    "propose": _to("seat", scopes=("act",)),
    "agree": _to("seat", scopes=("act",)),
    "read_own_seat": _to("seat", scopes=("seat",)),
    "cancel_match": _to("opener", "seat", "organizer", scopes=("act", "organize")),
    "set_visibility": _to("opener", "organizer", scopes=("act", "organize")),
    "hold_match": _to("judge", "head_judge", scopes=("judge",)),
    "release_match": _to("judge", "head_judge", scopes=("judge",)),
    "close_match": _to("judge", "head_judge", "organizer", scopes=("judge", "organize")),
    "inspect": _to("judge", "head_judge", "auditor", scopes=("judge", "read")),
    "read_inspections": _to(
        "seat", "judge", "head_judge", "organizer", "auditor", "operator", scopes=("read",)
    ),
    "list_disputes": _to("anybody"),
    # Those of a running match are there for its seats and officials alone.
    "read_dispute": _to("anybody"),
    "open_dispute": _to(
        *("seat", "judge", "head_judge", "organizer"), scopes=("act", "judge", "organize")
    ),
    "comment_dispute": _to(
        *("seat", "judge", "head_judge", "organizer"), scopes=("act", "judge", "organize")
    ),
    "withdraw_dispute": _to(
        *("seat", "judge", "head_judge", "organizer"), scopes=("act", "judge", "organize")
    ),
    "appeal_ruling": _to("seat", "organizer", scopes=("act", "organize")),
    "assign_judge": _to("judge", "head_judge", scopes=("judge",)),
    "rule_on_dispute": _to("judge", "head_judge", scopes=("judge",)),
    "review_correction": _to("judge", "head_judge", scopes=("judge",)),
    "read_refusals": _to("judge", "head_judge", scopes=("judge",)),
    "write_note": _to("member", scopes=("act",)),
    "read_own_notes": _to("member", scopes=("read", "act")),
    # By its author, or by an office if it is not private; which of both is asked again.
    "remove_note": _to("member", scopes=("act", "judge", "organize", "operate")),
    "moderate_notes": _to(
        *("judge", "head_judge", "organizer", "operator"), scopes=("judge", "organize", "operate")
    ),
    "import_match": _to("organizer", "operator", scopes=("organize",)),
    "list_tournaments": _to("anybody"),
    "read_tournament": _to("anybody"),
    # Who may not is not told that there is any.
    "read_draft": _to("judge", "head_judge", "organizer", scopes=("judge", "organize")),
    "read_deck": _to(
        *("player", "judge", "head_judge", "organizer"), scopes=("seat", "judge", "organize")
    ),
    "open_tournament": _to("organizer", scopes=("organize",)),
    "run_tournament": _to("head_judge", "organizer", scopes=("judge", "organize")),
    "rule_on_table": _to("judge", "head_judge", "organizer", scopes=("judge", "organize")),
    # Of a player his own, of staff all.
    "read_penalties": _to(
        *("player", "judge", "head_judge", "organizer"), scopes=("read", "judge", "organize")
    ),
    "play_table": _to("player", scopes=("act",)),
    # By a player for himself, or by staff; which of both is asked again for the table concerned.
    "register_deck": _to(
        *("player", "head_judge", "organizer"), scopes=("act", "judge", "organize")
    ),
    "drop_player": _to(*("player", "head_judge", "organizer"), scopes=("act", "judge", "organize")),
    "serve_table": _to(
        *("player", "judge", "head_judge", "organizer"), scopes=("act", "judge", "organize")
    ),
    "create_person": _to("operator", "organizer", scopes=("operate", "organize")),
    "read_person": _to("person"),
    # Tokens of his own; a new one has no scope that the present one lacks.
    "create_token": _to("person"),
    "read_tokens": _to("person"),
    "revoke_token": _to("person"),
    "grant_organizer": _to("operator", scopes=("operate",)),
    "grant_office": _to("organizer", "operator", scopes=("organize", "operate")),
    "read_grants": _to(
        *("seat", "opener", "judge", "head_judge", "organizer", "auditor", "operator"),
        scopes=("read",),
    ),
    "read_access_log": _to("operator", "auditor", scopes=("operate", "read")),
    "read_operations": _to("operator", "auditor", scopes=("operate", "read")),
}

GRANTING: Mapping[Role, str] = {
    "organizer": "grant_organizer",
    "head_judge": "grant_office",
    "judge": "grant_office",
    "auditor": "grant_office",
}
"""Role → the action of giving and taking it. An operator is made from the shell alone."""


def allowed(principal: Principal, action: str, relations: Collection[Relation]) -> bool:
    """Tell whether somebody with these relations to a resource may do something with it.

    Raises LookupError for an action that is not in the table.
    """
    permission = PERMISSIONS[action]
    has_scope = not permission.scopes or bool(permission.scopes & principal.scopes)
    return has_scope and not permission.relations.isdisjoint(relations)
