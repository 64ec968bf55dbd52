"""Starting a game (HG-201, HG-905, HG-949, HG-950; spec 8.1, 14 and 16)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from service.engine.contract import Rejection, Setup
from service.engine.draws import Draws
from service.engine.values import Action, Json, Position
from service.rulesets.hagmi.course import Course
from service.rulesets.hagmi.decks import copies, is_legal_beast_deck, is_legal_deck
from service.rulesets.hagmi.definitions import MAIN_KINDS, Pool
from service.rulesets.hagmi.logistics import draw
from service.rulesets.hagmi.table import MACHINE_BEAST, MB, PLAYERS, VERSUS
from service.rulesets.hagmi.turn import begin_turn

DEFAULT_OPTIONS: Mapping[str, Json] = {"facility_sacrifice": False, "windows": "auto"}
START_KEYS = ("mode", "decks", "first", "options", "mothership", "beast_deck")
DRAWN = "draw"
FIRST_HAND = ("weapon_deck", "operation_deck")
FIRST_HAND_EACH = 2
VERSUS_SEATS = 2
MOTHERSHIP = "MBm1"


def automatic(position: Position, setup: Setup) -> Action | None:
    """Return the start of the game, the only action of `system` (spec 16)."""
    if position:
        return None
    given = {key: setup[key] for key in START_KEYS if setup.get(key) is not None}
    return {"type": "start_game", "first": DRAWN, **given}


def deal(pool: Pool, draws: Draws, options: Mapping[str, Json]) -> Setup:
    """Choose decks for a simulated match, played with all windows as by people.

    options: `mode` (default versus), `seats` (versus 2, against the beasts 1 to 4).
    """
    mode = options.get("mode", VERSUS)
    seats = options.get("seats", VERSUS_SEATS)
    if options.keys() - {"mode", "seats"} or not _has_seats(mode, seats):
        raise ValueError(f"hagmi has no match like {dict(options)!r}")
    names = sorted(name for name, deck in pool.decks.items() if "weapon_deck" in deck)
    decks = {p: "@" + draws.shuffle(f"decks.{p}", names)[0] for p in PLAYERS[:seats]}
    setup = {"mode": mode, "decks": decks, "options": {"windows": "always"}}
    if mode == VERSUS:
        return setup
    swarms = sorted(name for name, deck in pool.decks.items() if "beast_deck" in deck)
    swarm = draws.shuffle("decks.MB", swarms)[0]
    return {**setup, "mothership": pool.decks[swarm]["mothership"], "beast_deck": f"@{swarm}"}


def _has_seats(mode: Json, seats: Json) -> bool:
    allowed = {VERSUS: (VERSUS_SEATS,), MACHINE_BEAST: range(1, len(PLAYERS) + 1)}
    is_number = isinstance(seats, int) and not isinstance(seats, bool)
    return isinstance(mode, str) and is_number and seats in allowed.get(mode, ())


def start_game(course: Course, actor: str, action: Action) -> Rejection | None:
    """Begin a game: ids are dealt by lot, decks shuffled, hands drawn, the first turn begins.

    action: {"type": "start_game", "mode", "decks": {player: deck}, "first": player or "draw",
    "options"?, "mothership"?, "beast_deck"?}.
    Facts: game_started, deck_registered, deck_shuffled, cards_drawn, turn_started.
    Rejections: HG-908 begun already, HG-907 not the system, HG-905.
    """
    rule = next(_start_refusals(course, actor, action), None)
    if rule is not None:
        return Rejection(rule)
    players = sorted(action["decks"])
    is_against_beasts = action["mode"] == MACHINE_BEAST
    first = action["first"]
    if first == DRAWN:
        first = course.draws.shuffle("first", players)[0]
    at = players.index(first) if is_against_beasts else 0
    fields = {
        "mode": action["mode"],
        "first": first,
        "order": [*players[at:], *players[:at]],
        "players": players,
        "options": {**DEFAULT_OPTIONS, **action.get("options", {})},
    }
    course.tell("game_started", fields)
    for player in players:
        _register(course, player, action["decks"][player])
    if is_against_beasts:
        _register_beasts(course, action["beast_deck"], action["mothership"])
    _shuffle_and_draw(course, players)
    begin_turn(course, first)
    return None


def _shuffle_and_draw(course: Course, players: Sequence[str]) -> None:
    for player in players:
        for zone in MAIN_KINDS:
            deck = course.position["players"][player][zone]
            _shuffle(course, player, zone, f"{player}.{zone}", deck)
    if course.position["mode"] == MACHINE_BEAST:
        _shuffle(course, MB, "beast_deck", "MB.beast_deck", course.position["beast"]["deck"])
    for player in players:
        for zone in FIRST_HAND:
            draw(course, player, zone, FIRST_HAND_EACH)


def _start_refusals(course: Course, actor: str, action: Action) -> Iterator[str]:
    decks, mode = action["decks"], action["mode"]
    if course.position:
        yield "HG-908"
    if actor != "system":
        yield "HG-907"
    if not _has_seats(mode, len(decks)) or set(decks) != set(PLAYERS[: len(decks)]):
        yield "HG-905"
    if action["first"] != DRAWN and action["first"] not in decks:
        yield "HG-905"
    if not all(is_legal_deck(course.pool, deck) for deck in decks.values()):
        yield "HG-905"
    if mode == MACHINE_BEAST and not _is_legal_swarm(course.pool, action):
        yield "HG-905"


def _is_legal_swarm(pool: Pool, action: Action) -> bool:
    mothership = pool.cards.get(action.get("mothership", ""))
    is_mothership = mothership is not None and mothership.kind == "mothership"
    return is_mothership and is_legal_beast_deck(pool, action.get("beast_deck"))


def _register(course: Course, player: str, deck: Json) -> None:
    """Deal ids to the cards of a player's decks by lot and announce their numbers."""
    cards: dict[str, Json] = {}
    zones: dict[str, list[str]] = {}
    for zone in MAIN_KINDS:
        names = copies(deck.get(zone, {}))
        ids = [f"{player}{zone[0]}{number}" for number in range(1, len(names) + 1)]
        zones[zone] = ids
        lots = course.draws.shuffle(f"{player}.{zone}.labels", ids)
        cards |= _cards(lots, names, player)
    secret = deck.get("secret", [])
    zones["secret"] = [f"{player}s{number}" for number in range(1, len(secret) + 1)]
    cards |= _cards(zones["secret"], secret, player)
    course.tell("deck_registered", {"player": player, "cards": cards, **zones})


def _cards(ids: Sequence[str], names: Sequence[str], owner: str) -> dict[str, Json]:
    pairs = zip(ids, names, strict=True)
    return {card: {"card": name, "owner": owner} for card, name in pairs}


def _register_beasts(course: Course, beast_deck: Mapping[str, int], mothership: str) -> None:
    names = copies(beast_deck)
    ids = [f"MBb{number}" for number in range(1, len(names) + 1)]
    cards = {**_cards(ids, names, MB), **_cards([MOTHERSHIP], [mothership], MB)}
    fields = {"player": MB, "cards": cards, "beast_deck": ids, "mothership": MOTHERSHIP}
    course.tell("deck_registered", fields)


def _shuffle(course: Course, side: str, zone: str, name: str, deck: Sequence[str]) -> None:
    order = course.draws.shuffle(name, deck)
    course.tell("deck_shuffled", {"player": side, "zone": zone, "order": order})
