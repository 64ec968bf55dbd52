"""Rules: how they are asked for, what is answered about them, their examples and occurrences."""

from __future__ import annotations

from marshmallow import Schema, fields, validate

from schemas.adjudications import AdjudicatedStepBody, RejectedBody
from schemas.queries import LanguageQuery, PageQuery
from schemas.seeds import KINDS

RULE_ID = validate.Regexp(r"^[A-Z]{2}-[0-9]{3}$", error="the id of a rule, as HS-310")
EDITION = validate.Regexp(
    r"^([a-z0-9][a-z0-9_-]{0,39}@)?[1-9][0-9]{0,5}(\.[0-9]{1,5})?(\+[0-9a-f]{1,64})?$",
    error="an edition, as hi-story@3, hi-story@3.2, 3 or 3.2",
)


class RulesQuery(PageQuery):
    """Rules of a game. topic: the heading of the source, or what an assumption is about.

    edition: as `hi-story@3`, `hi-story@3.2` for its second revision, `3` or `3.2`; without it the
    present one.
    """

    topic = fields.String(validate=validate.Length(1, 200))
    kind = fields.String(validate=validate.OneOf(KINDS))
    edition = fields.String(validate=EDITION)


class RulesDifferenceQuery(LanguageQuery):
    """Two editions or revisions to be compared."""

    from_ = fields.String(data_key="from", required=True, validate=EDITION)
    to = fields.String(required=True, validate=EDITION)


class ExamplesQuery(PageQuery):
    """Worked examples. rule: only those that show it."""

    rule = fields.String(validate=RULE_ID)


class RuleNameBody(Schema):
    """A rule by its id and its terms."""

    id = fields.String(required=True)
    term_ja = fields.String(required=True)
    term_en = fields.String(required=True)


class RuleTextBody(RuleNameBody):
    """What a rule says, in both languages. heading: of its source.

    topic, question, answer, why: of an assumption, where the source is silent.
    """

    kind = fields.String(required=True, validate=validate.OneOf(KINDS))
    enforced_by = fields.String(required=True)
    text_ja = fields.String(required=True)
    text_en = fields.String(required=True)
    heading = fields.String(required=True)
    topic = fields.String()
    question = fields.String()
    answer = fields.String()
    why = fields.String()


class RuleBody(RuleTextBody):
    """A rule of an edition. see: the rules that it names."""

    game = fields.String(required=True)
    edition = fields.String(required=True)
    see = fields.List(fields.Nested(RuleNameBody), required=True)


class WithdrawnBody(Schema):
    """Why no new match may use an edition. successor: the one to use instead, or null."""

    reason = fields.String(required=True)
    successor = fields.String(required=True, allow_none=True)


class EditionBody(Schema):
    """An edition, or a revision of it, and when it was registered."""

    edition = fields.String(required=True)
    time = fields.String(required=True)


class EditionsBody(Schema):
    """The registered editions of a game. present: the one by which matches open, if registered."""

    game = fields.String(required=True)
    present = fields.String(required=True)
    items = fields.List(fields.Nested(EditionBody), required=True)


class RulesBody(Schema):
    """A page of the rules of an edition, in the order of its rulebook.

    newer: the last edition, if it is another one. next: for `after`, null at the end.
    """

    game = fields.String(required=True)
    edition = fields.String(required=True)
    newer = fields.String(required=True, allow_none=True)
    withdrawn = fields.Nested(WithdrawnBody, required=True, allow_none=True)
    items = fields.List(fields.Nested(RuleBody), required=True)
    next = fields.String(required=True, allow_none=True)


class TermLinkBody(Schema):
    """A part of a text that names another rule. start, end: characters (code points) from 0."""

    start = fields.Integer(required=True)
    end = fields.Integer(required=True)
    rule = fields.String(required=True)


class TermLinksBody(Schema):
    """The links of a text in both languages, in their order; none overlaps another."""

    ja = fields.List(fields.Nested(TermLinkBody), required=True)
    en = fields.List(fields.Nested(TermLinkBody), required=True)


class ExampleNameBody(Schema):
    """A worked example."""

    id = fields.String(required=True)
    title = fields.String(required=True)


class CountBody(Schema):
    """How many there are. capped: there may be more."""

    count = fields.Integer(required=True)
    capped = fields.Boolean(required=True)


class OccurrenceCountBody(CountBody):
    """How many matches that the caller may know of cite a rule; url: where they are listed."""

    url = fields.String(required=True)


class OneRuleBody(RuleBody):
    """A rule with all that leads on from it.

    newer: the last edition, if the rule is no more the same there. seen_by: the rules that name it.
    links: where its texts name others. examples: of the present edition. rulings: where those that
    cite it are listed.
    """

    newer = fields.String(required=True, allow_none=True)
    withdrawn = fields.Nested(WithdrawnBody, required=True, allow_none=True)
    seen_by = fields.List(fields.Nested(RuleNameBody), required=True)
    links = fields.Nested(TermLinksBody, required=True)
    examples = fields.List(fields.Nested(ExampleNameBody), required=True)
    occurrences = fields.Nested(OccurrenceCountBody, required=True)
    rulings = fields.String(required=True)


class OccurrenceBody(Schema):
    """A match with events that cite the rule. seats: seat → display name.

    seqs: the first of their numbers, count: how many there are, as far as the match is shown.
    """

    match = fields.String(required=True)
    edition = fields.String(required=True)
    kind = fields.String(required=True)
    state = fields.String(required=True)
    opened_at = fields.String(required=True)
    seats = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    seqs = fields.List(fields.Integer(), required=True)
    count = fields.Integer(required=True)


class OccurrencesBody(CountBody):
    """A page of the matches that cite a rule, the last opened first; count: of all of them."""

    rule = fields.String(required=True)
    items = fields.List(fields.Nested(OccurrenceBody), required=True)
    next = fields.String(required=True, allow_none=True)


class ChangeBody(Schema):
    """A rule in both editions; null where it is not there."""

    id = fields.String(required=True)
    before = fields.Nested(RuleTextBody, required=True, allow_none=True)
    after = fields.Nested(RuleTextBody, required=True, allow_none=True)


class AffectedMatchBody(Schema):
    """A match that was played under the first edition. rules: the changed ones that it cites."""

    match = fields.String(required=True)
    rules = fields.List(fields.String(), required=True)


class AffectedBody(CountBody):
    """Matches that cite a rule which means something else now or is gone; the last opened ones."""

    items = fields.List(fields.Nested(AffectedMatchBody), required=True)


class RulesDifferenceBody(Schema):
    """What two editions say differently. wording: in other words, with the same meaning.

    engine, cards: whether they differ; display: whether facts and refusals are worded anew.
    """

    game = fields.String(required=True)
    from_ = fields.String(data_key="from", required=True)
    to = fields.String(required=True)
    engine = fields.Boolean(required=True)
    cards = fields.Boolean(required=True)
    display = fields.Boolean(required=True)
    added = fields.List(fields.Nested(ChangeBody), required=True)
    removed = fields.List(fields.Nested(ChangeBody), required=True)
    meaning = fields.List(fields.Nested(ChangeBody), required=True)
    wording = fields.List(fields.Nested(ChangeBody), required=True)
    matches = fields.Nested(AffectedBody, required=True)


class ExampleBody(ExampleNameBody):
    """A worked example with the rules that it shows."""

    rules = fields.List(fields.String(), required=True)


class ExamplesBody(Schema):
    """A page of the worked examples of the present edition; there are none of earlier ones."""

    game = fields.String(required=True)
    edition = fields.String(required=True)
    items = fields.List(fields.Nested(ExampleBody), required=True)
    next = fields.String(required=True, allow_none=True)


class PlayedExampleBody(ExampleBody):
    """A worked example as the engine plays it now, by the present edition.

    actions, rng: as the example states them. position: before the actions; seats: seat → display
    name; steps: each accepted action with its facts, the position after it and the patch of each
    fact; rejected: the refusal that ended them. expect: what must come of it; faults: where the
    engine and `expect` differ. cards: definition id → definition, of the cards that are named.
    """

    game = fields.String(required=True)
    edition = fields.String(required=True)
    actions = fields.List(fields.Raw(), required=True)
    rng = fields.List(fields.Raw(), required=True)
    position = fields.Raw(required=True, allow_none=True)
    seats = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    steps = fields.List(fields.Nested(AdjudicatedStepBody), required=True)
    rejected = fields.Nested(RejectedBody, required=True, allow_none=True)
    expect = fields.Raw(required=True)
    passed = fields.Boolean(required=True)
    faults = fields.List(fields.String(), required=True)
    cards = fields.Raw(required=True)
