"""Facts and the rules that they cite (spec 7), as far as these are always the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service.engine.values import Fact, Json

RULES: Mapping[str, Sequence[str]] = {
    "match_started": ("FM-906",),
    "deck_registered": ("FM-914",),
    "piece_drawn": ("FM-908", "FM-927"),
    "hand_returned": ("FM-909",),
    "round_started": ("FM-905", "FM-906"),
    "summon_turn_started": ("FM-906",),
    "summon_turn_skipped": ("FM-910",),
    "phase_changed": ("FM-905",),
    "board_slid": ("FM-923",),
    "piece_pushed_out": ("FM-923",),
    "unit_summoned": ("FM-101", "FM-924", "FM-925"),
    "spell_cast": ("FM-930",),
    "battle_skipped": ("FM-911",),
    "battle_turn_started": ("FM-905",),
    "actions_started": ("FM-940",),
    "action_begun": ("FM-940", "FM-941"),
    "action_ended": ("FM-940",),
    "attack_charged": ("FM-406", "FM-975"),
    "charge_spent": ("FM-406", "FM-975"),
    "unit_woke": ("FM-724", "FM-969"),
    "reflection_returned": ("FM-603", "FM-956"),
    "ability_used": ("FM-984",),
    "status_blocked": ("FM-973",),
    "status_removed": ("FM-972",),
    "status_expired": ("FM-722", "FM-967"),
    "seal_counted": ("FM-723", "FM-968"),
    "modifier_applied": ("FM-727",),
    "modifiers_removed": ("FM-727", "FM-972"),
    "unit_healed": ("FM-229", "FM-978"),
    "unit_revived": ("FM-974",),
    "ranks_closed": ("FM-105",),
    "battle_turn_ended": ("FM-971",),
    "match_conceded": ("FM-913",),
}


AILMENT_RULES: Mapping[str, str] = {
    "stun": "FM-722",
    "seal": "FM-723",
    "sleep": "FM-724",
    "poison": "FM-725",
    "rot": "FM-725",
}


def fact(name: str, *, rules: Sequence[str] | None = None, **fields: Json) -> Fact:
    """Return a fact with its fields; rules: those of the table unless given."""
    return {"fact": name, **fields, "rules": list(RULES[name] if rules is None else rules)}
