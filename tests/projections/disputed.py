"""Disputes in the log whose texts can be looked for."""

from __future__ import annotations

from dataclasses import dataclass, field

from service.aggregates.attachments import Attached, Text
from service.aggregates.disputes.events import (
    Audience,
    Cited,
    CommentAdded,
    DisputeEvent,
    DisputeOpened,
    DisputeRuled,
    DisputeWithdrawn,
    EventRef,
    Remedy,
    RulingAppealed,
)
from service.aggregates.events import TableGame
from service.installation import Installation

NOW = "2026-01-02T03:04:05.000006Z"
NEVER = "9999"


@dataclass(slots=True, kw_only=True)
class Disputed:
    """A dispute about a match, to which events are added."""

    here: Installation
    dispute: str
    match_id: str = "m"
    game: str = "hi-story"
    table: TableGame | None = None
    texts: dict[str, Text] = field(default_factory=dict)

    def open(self, claim: str, *rules: str) -> Disputed:
        self._add(
            DisputeOpened(
                event=EventRef(match=self.match_id, seq=1, hash="ab" * 32),
                game=self.game,
                table=self.table,
                rules=[Cited(rule=rule, edition=f"{self.game}@1") for rule in rules],
                claim=self._digest(claim),
                by="ann",
                seat="P1",
                time=NOW,
            )
        )
        return self

    def comment(self, text: str, audience: Audience = "parties") -> Disputed:
        digest = self._digest(text)
        self._add(CommentAdded(by="bob", text=digest, audience=audience, evidence=[], time=NOW))
        return self

    def rule(self, ja: str | None = None, en: str | None = None, *rules: str) -> Disputed:
        self._add(
            DisputeRuled(
                number=1,
                outcome="upheld",
                kind="no_action",
                rules=[Cited(rule=rule, edition=f"{self.game}@1") for rule in rules],
                text_ja=None if ja is None else self._digest(ja),
                text_en=None if en is None else self._digest(en),
                authority="judge",
                remedy=Remedy(),
                by="judy",
                time=NOW,
            )
        )
        return self

    def appeal(self, reason: str) -> Disputed:
        self._add(RulingAppealed(number=1, by="ann", reason=self._digest(reason), time=NOW))
        return self

    def withdraw(self) -> Disputed:
        self._add(DisputeWithdrawn(by="ann", time=NOW))
        return self

    def erase(self, text: str) -> None:
        """Erase a text where texts lie."""
        with self.here.database.transaction() as tables:
            tables.execute("DELETE FROM texts WHERE digest = ?", self.texts[text].digest)

    def _digest(self, body: str) -> str:
        self.texts[body] = self.here.salted(body)
        return self.texts[body].digest

    def _add(self, event: DisputeEvent) -> None:
        stream = f"dispute/{self.dispute}"
        before = self.here.log.public_events(stream)
        self.here.log.append_public(
            stream,
            [event],
            version=len(before),
            head=before[-1][1] if before else "",
            attached=Attached(texts=tuple(self.texts.values())),
        )
