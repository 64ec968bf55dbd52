"""The words of the vocabulary of effects (9): triggers, zones, keywords, durations, bans."""

from __future__ import annotations


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


ACTIVATED = _words("summoned once")
AUTOMATIC = _words(
    "own_turn_start opponent_turn_start attacks blocks wins_battle dies own_turn_end"
    " opponent_turn_end phase_start phase_end after_attack after_block rested leaves kept_down"
    " watch would_leave"
)
TRIGGERS = (*ACTIVATED, "always", *AUTOMATIC, "played")
PHASES = _words("draw summon effect set attack")
EVENTS = _words("attack attack_end block summon rest leave play")
ZONES = _words("field under hand deck graveyard")
STATES = _words("active rest set face_up")
ICONS = _words("sword shield")
MEASURES = _words("rank power")
KEYWORDS = (
    *ICONS,
    *_words("immune keep keep_all no_discard no_rest no_down no_loss unblockable no_refresh"),
    *_words("no_turn_up no_cover no_summoned no_once"),
)
DURATIONS = _words(
    "attack field source turn next_own_turn next_opponent_turn until_own_turn"
    " through_opponent_turn next_turns"
)
MOMENTS = _words("turn_end next_own_start next_own_end next_opponent_start next_opponent_end")
FORBIDDEN = _words(
    "attack attack_deck block substitute set summon activate direct turn_up play mill"
)
LIMITED = _words("attack attack_deck set summon activate play")
DUTIES = _words("attack block")
DONE = _words("attack set set_by_effect summon direct turn_up activate play")
DEFENSES = _words("block substitute incident take")
SET_ORDERS = _words("rank on_any on_this on_other empty")
