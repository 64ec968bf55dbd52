"""The sentences of events that no ruleset words: what happens around the actions of a match.

Placeholders: `seat` is the display name of the seat, `reason` a text that a person gave.
"""

from __future__ import annotations

from collections.abc import Mapping

from service.engine.texts import Language

ERASED: Mapping[Language, str] = {"ja": "（削除済み）", "en": "(erased)"}

EVENT_TEXTS: Mapping[str, Mapping[Language, str]] = {
    "match_opened": {"ja": "対戦の記録を始める。", "en": "The record of the match begins."},
    "seat_taken": {"ja": "{seat}が席に着く。", "en": "{seat} takes a seat."},
    "seat_readied": {"ja": "{seat}の準備ができる。", "en": "{seat} is ready."},
    "seed_opened": {"ja": "{seat}が乱数の種を開く。", "en": "{seat} opens a seed for the draws."},
    "seed_defaulted": {
        "ja": "{seat}の乱数の種は時間内に開かれず、使われない。",
        "en": "The seed of {seat} was not opened in time and does not count.",
    },
    "facts_proposed": {
        "ja": "{seat}が盤面の修正を提案する。",
        "en": "{seat} proposes a correction.",
    },
    "proposal_answered": {
        "ja": "{seat}が提案に答える。",
        "en": "{seat} answers the proposal.",
    },
    "corrected": {"ja": "盤面を修正する。", "en": "The position is corrected."},
    "correction_reviewed": {
        "ja": "ジャッジが合意による修正を確認する。理由：{reason}",
        "en": "A judge reviews a correction by agreement: {reason}",
    },
    "backed_up": {
        "ja": "ジャッジの裁定により、{to}手目まで巻き戻す。",
        "en": "A judge backs the match up to index {to}.",
    },
    "result_amended": {
        "ja": "ジャッジの裁定により、結果を改める。",
        "en": "A judge amends the result.",
    },
    "match_reopened": {
        "ja": "ジャッジの裁定により、対戦を再開する。",
        "en": "A judge lets the closed match go on.",
    },
    "match_held": {
        "ja": "ジャッジが対戦を中断する。理由：{reason}",
        "en": "A judge holds the match: {reason}",
    },
    "match_released": {"ja": "ジャッジが対戦を再開する。", "en": "A judge lets play go on."},
    "visibility_set": {
        "ja": "対戦の公開範囲を変える。",
        "en": "Who may know of the match is changed.",
    },
    "end_offered": {
        "ja": "{seat}が合意による終了を申し出る。",
        "en": "{seat} offers to end the match by agreement.",
    },
    "match_cancelled": {"ja": "対戦を取り消す。", "en": "The match is cancelled."},
    "match_closed": {"ja": "対戦の記録を閉じる。", "en": "The record of the match is closed."},
    "secrets_opened": {"ja": "乱数の根を公開する。", "en": "The roots of the draws are opened."},
}
