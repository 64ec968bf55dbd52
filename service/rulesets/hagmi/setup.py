"""Starting a game (HG-201, HG-905, HG-949, HG-950; spec 8.1, 14 and 16)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from service.engine.contract import Rejection, Setup, SetupFault
from service.engine.draws import Draws
from service.engine.setups import expect_seats, flag, one_of, with_keys
from service.engine.values import Action, Json, Position
from service.rulesets.hagmi.course import Course
from service.rulesets.hagmi.decks import copies, is_legal_beast_deck, is_legal_deck, spell_out
from service.rulesets.hagmi.definitions import MAIN_KINDS, Pool
from service.rulesets.hagmi.logistics import draw
from service.rulesets.hagmi.table import MACHINE_BEAST, MB, MODES, PLAYERS, VERSUS
from service.rulesets.hagmi.turn import begin_turn

AUTO, ALWAYS = "auto", "always"
WINDOWS = (AUTO, ALWAYS)
DEFAULT_OPTIONS: Mapping[str, Json] = {"facility_sacrifice": False, "windows": AUTO}
START_KEYS = ("mode", "decks", "first", "options", "mothership", "beast_deck")
BEAST_KEYS = ("mothership", "beast_deck")
SETUP_KEYS = ("mode", "first", "options", *BEAST_KEYS)
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


def prepared(pool: Pool, setup: Json, seats: Sequence[str]) -> Setup:
    """Return the setup of a match between people, by default in versus with every window opened.

    setup: {mode?, first?: player | draw, options?: {facility_sacrifice?, windows?}}; against the
    beasts also mothership, and beast_deck as `"@name"` or {card id: copies}. Raises `SetupFault`.
    """
    given = with_keys(setup, SETUP_KEYS)
    mode = one_of(given.get("mode", VERSUS), MODES, "mode")
    is_versus = mode == VERSUS
    count = VERSUS_SEATS if is_versus else min(max(len(seats), 1), len(PLAYERS))
    players = PLAYERS[:count]
    expect_seats(seats, players)
    options = with_keys(given.get("options", {}), DEFAULT_OPTIONS, "options")
    whole = {**DEFAULT_OPTIONS, "windows": ALWAYS, **options}
    return {
        "mode": mode,
        "first": one_of(given.get("first", DRAWN), (*players, DRAWN), "first"),
        "options": {
            "facility_sacrifice": flag(whole["facility_sacrifice"], "options.facility_sacrifice"),
            "windows": one_of(whole["windows"], WINDOWS, "options.windows"),
        },
        **_prepared_beasts(pool, given, is_versus=is_versus),
    }


def _prepared_beasts(
    pool: Pool, given: Mapping[str, Json], *, is_versus: bool
) -> Mapping[str, Json]:
    """Return the side of the beasts, of which versus has none."""
    if is_versus:
        for key in BEAST_KEYS:
            if key in given:
                raise SetupFault(key, "only a match against the beasts has one")
        return {}
    motherships = [name for name, card in pool.cards.items() if card.kind == "mothership"]
    mothership = one_of(given.get("mothership"), motherships, "mothership")
    named = spell_out(pool, {"type": "start_game", "beast_deck": given.get("beast_deck")})
    if not is_legal_beast_deck(pool, named["beast_deck"]):
        raise SetupFault("beast_deck", "is no deck of beasts (HG-905)")
    return {"mothership": mothership, "beast_deck": named["beast_deck"]}


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
    setup = {"mode": mode, "decks": decks, "options": {"windows": ALWAYS}}
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
