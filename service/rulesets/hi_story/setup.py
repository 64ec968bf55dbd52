"""Before the first turn: decks, opening hands, mulligans, the first player (5, 7.1-7.4, 21)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service.engine.contract import Setup
from service.engine.setups import expect_seats, one_of, with_keys
from service.engine.values import SYSTEM, Action, Actor, Json, Position, is_list_of_strings
from service.rulesets.hi_story.cards import deck_fault, expand
from service.rulesets.hi_story.filters import is_person
from service.rulesets.hi_story.flow import begin_turn
from service.rulesets.hi_story.standing import Scene
from service.rulesets.hi_story.step import Step
from service.rulesets.hi_story.table import PLAYERS, definition

OPENING_HAND = 5
MULLIGANS_MAX = 2
DIE_SIDES = 6
INITIAL_OF: Mapping[str, str] = {"P1": "a", "P2": "b"}


def has_started(position: Position) -> bool:
    """Tell whether the decks of a match are on the table."""
    return bool(position["cards"])


def are_settled(position: Position) -> bool:
    """Tell whether both hands are settled."""
    return all(position["players"][player]["settled"] for player in PLAYERS)


def start_game_fault(scene: Scene, actor: Actor, action: Action) -> str | None:
    """Return the rule that refuses the start of a game, or None.

    action: `decks`: {P1, P2: list of ids or "id*n"}, for exactly two players (HS-001). Rejections:
    HS-214 not the moment, HS-221 other players, then those of the decks, P1's first (HS-110 f.).
    """
    if scene.position["phase"] != "setup" or has_started(scene.position) or actor != SYSTEM:
        return "HS-214"
    decks = action.get("decks")
    if not isinstance(decks, dict) or decks.keys() != set(PLAYERS):
        return "HS-221"
    if not all(isinstance(decks[player], list) for player in PLAYERS):
        return "HS-110"
    faults = (deck_fault(scene.pool, decks[player]) for player in PLAYERS)
    return next((fault for fault in faults if fault is not None), None)


def start_game(step: Step, actor: Actor, action: Action) -> None:
    """Lay out the decks, shuffle them and draw the opening hands (HS-201, HS-211)."""
    for player in PLAYERS:
        ids = expand(action["decks"][player])
        cards = {f"{INITIAL_OF[player]}{number}": card for number, card in enumerate(ids, start=1)}
        step.emit(
            "deck_accepted",
            ["HS-110", "HS-111", "HS-112", "HS-113", "HS-115"],
            player=player,
            cards=cards,
            order=list(cards),
        )
    for player in PLAYERS:
        step.shuffle(player, "deck", "HS-211")
    for player in PLAYERS:
        step.draw(player, OPENING_HAND, "HS-201", "opening")


def mulligan_fault(scene: Scene, actor: Actor, action: Action) -> str | None:
    """Return the rule that keeps a player from redrawing, or None.

    action: `cards` of the own hand to lay aside, at least one (HS-940). Rejections: HS-207 no
    player, HS-204 two taken, HS-203 rank 0 in hand, HS-212 settled, HS-205 the cards.
    """
    if actor not in PLAYERS:
        return "HS-207"
    side = scene.position["players"][actor]
    if side["settled"] and side["mulligans"] >= MULLIGANS_MAX:
        return "HS-204"
    if holds_rank_0(scene, actor):
        return "HS-203"
    if side["settled"]:
        return "HS-212"
    if side["mulligans"] >= MULLIGANS_MAX:
        return "HS-204"
    return None if _are_of_hand(action.get("cards"), side["hand"]) else "HS-205"


def holds_rank_0(scene: Scene, player: str) -> bool:
    """Tell whether a hand holds a card of rank 0; an incident has no rank (HS-203, HS-116)."""
    printed = [
        definition(scene.pool, scene.position, card)
        for card in scene.position["players"][player]["hand"]
    ]
    return any(is_person(card) and card["rank"] == 0 for card in printed)


def _are_of_hand(cards: Json, hand: list[str]) -> bool:
    if not is_list_of_strings(cards) or not cards or len(set(cards)) != len(cards):
        return False
    return all(card in hand for card in cards)


def mulligan(step: Step, actor: Actor, action: Action) -> None:
    """Lay cards aside and draw as many; the second one settles the hand (HS-204, HS-205)."""
    number = step.position["players"][actor]["mulligans"] + 1
    cards = action["cards"]
    step.emit("cards_set_aside", ["HS-205"], player=actor, cards=cards, number=number)
    step.draw(actor, len(cards), "HS-205", "mulligan")
    if number == MULLIGANS_MAX:
        _settle(step, actor, "HS-204")


def keep_hand_fault(scene: Scene, actor: Actor, action: Action) -> str | None:
    """Return the rule that keeps a player from keeping the hand, or None (HS-207, HS-212)."""
    if actor not in PLAYERS:
        return "HS-207"
    return "HS-212" if scene.position["players"][actor]["settled"] else None


def keep_hand(step: Step, actor: Actor, action: Action) -> None:
    """Keep the hand, which settles it (HS-212, HS-936)."""
    _settle(step, actor, "HS-212")


def _settle(step: Step, player: str, rule: str) -> None:
    """Shuffle the cards laid aside back into the deck; the hand is settled (HS-206)."""
    aside = step.position["players"][player]["aside"]
    if aside:
        step.emit("aside_returned", ["HS-206"], player=player, cards=aside)
        step.shuffle(player, "deck", "HS-206")
    step.emit("hand_settled", [rule], player=player)


def decide_first_fault(scene: Scene, actor: Actor, action: Action) -> str | None:
    """Return HS-213 unless the system decides who is first and both hands are settled, or None.

    action: `player` if it was found at the table.
    """
    is_known = "player" not in action or action["player"] in PLAYERS
    return None if actor == SYSTEM and are_settled(scene.position) and is_known else "HS-213"


def decide_first(step: Step, actor: Actor, action: Action) -> None:
    """Decide who is first, by a die unless it is given, and begin turn 1 (HS-213, HS-902)."""
    if "player" in action:
        player = action["player"]
        step.emit("first_player_decided", ["HS-213"], player=player, method="given")
    else:
        die = step.draws.die(DIE_SIDES)
        player = PLAYERS[0] if die % 2 else PLAYERS[1]
        rules = ["HS-213", "HS-902"]
        step.emit("first_player_decided", rules, player=player, method="die", die=die)
    begin_turn(step, player, 1, {})


def automatic(position: Position, setup: Setup) -> Action | None:
    """Return the action that `system` must do now, or None (21)."""
    if position["phase"] != "setup":
        return None
    if not has_started(position):
        return {"type": "start_game", "decks": setup["decks"]}
    if not are_settled(position):
        return None
    first = setup.get("first")
    return {"type": "decide_first", **({"player": first} if first else {})}


def prepared(setup: Json, seats: Sequence[str]) -> Setup:
    """Return the setup of a match between two people; who is first is thrown unless it is named.

    setup: {first?: P1 | P2}. Raises `SetupFault`.
    """
    given = with_keys(setup, ("first",))
    expect_seats(seats, PLAYERS)
    return {"first": one_of(given["first"], PLAYERS, "first")} if "first" in given else {}
