"""The disputes of the demo: a match is played, disputed, taken back by a judge and played on."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct, convert

from schemas.strict import read_yaml
from service.aggregates.attachments import Attached
from service.aggregates.disputes.deciding import JUDGES, OpenDispute
from service.aggregates.disputes.events import Cited, EventRef
from service.aggregates.disputes.ruling import RuleOnDispute
from service.aggregates.matches import Match
from service.catalogue import SAMPLE
from service.cli.simulating import simulated_match
from service.commands.dispute_book import stream_of
from service.commands.disputes import Bracket, open_new, rule_on
from service.engine.texts import Language
from service.installation import NAMESPACE, Installation, clock

FILE = Path("demo") / "rulings.yaml"
JUDGE = "demo"
ID_LENGTH = 16


class DemoRuling(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A dispute and its ruling. seed: of the match; back: how many events follow the disputed."""

    id: str
    game: str
    seed: int
    back: int
    seat: str
    rules: tuple[str, ...]
    claim: str
    text: dict[Language, str]

    @property
    def dispute_id(self) -> str:
        """The id of the dispute, the same in every installation."""
        return uuid.uuid5(NAMESPACE, f"demo ruling {self.id}").hex[:ID_LENGTH]


class DemoRulings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file of the demo."""

    rulings: tuple[DemoRuling, ...]


def read_rulings(seeds: Path) -> Sequence[DemoRuling]:
    """Return the disputes of the demo; raises `Unreadable`, `msgspec.ValidationError`."""
    return convert(read_yaml((seeds / FILE).read_bytes()), DemoRulings).rulings


def judge(installation: Installation, demo: DemoRuling) -> Match:
    """Have a match played, disputed and taken back, as far as it was not, and played on."""
    pool = installation.named_pool(demo.game, SAMPLE)

    def played() -> Match:
        return simulated_match(installation, pool, demo.seed, 0, {}, SAMPLE)

    match = played()
    if installation.log.version_of(stream_of(demo.dispute_id)) == 0:
        _dispute(installation, demo, match)
    if not installation.disputes.dispute(demo.dispute_id).rulings:
        _rule(installation, demo, match)
    return played()


def _dispute(installation: Installation, demo: DemoRuling, match: Match) -> None:
    claim, seq = installation.salted(demo.claim), match.version - demo.back
    (event,) = installation.log.sealed_of(match.id, after=seq - 1, to=seq)
    command = OpenDispute(
        dispute_id=demo.dispute_id,
        by=f"{JUDGE} {demo.seat}",
        event=EventRef(match=match.id, seq=seq, hash=event.hash),
        rules=_cited(match, demo.rules),
        claim=claim.digest,
    )
    attached = Attached(texts=[claim])
    open_new(installation.log, command, now=clock(), attached=attached)


def _rule(installation: Installation, demo: DemoRuling, match: Match) -> None:
    texts = {language: installation.salted(text) for language, text in demo.text.items()}
    digests: Mapping[Language, str] = {name: text.digest for name, text in texts.items()}
    command = RuleOnDispute(
        dispute_id=demo.dispute_id,
        by=JUDGE,
        offices=JUDGES,
        outcome="upheld",
        kind="full_backup",
        rules=_cited(match, demo.rules),
        text_ja=digests.get("ja"),
        text_en=digests.get("en"),
        authority="head_judge",
        to=match.version - demo.back - 1,
    )
    attached = Attached(texts=list(texts.values()))
    bracket = Bracket()
    rule_on(installation.books, command, now=clock(), attached=attached, bracket=bracket)


def _cited(match: Match, rules: Sequence[str]) -> list[Cited]:
    return [Cited(rule=rule, edition=match.opened.edition) for rule in rules]
