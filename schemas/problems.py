"""The one list of errors of the API: problem details after RFC 9457."""

from __future__ import annotations

from dataclasses import dataclass

from marshmallow import Schema, fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A kind of error. `type` of an answer is `/problems/<code>`."""

    code: str
    status: int
    ja: str
    en: str


PROBLEMS = {
    problem.code: problem
    for problem in (
        Problem(
            code="invalid", status=422, ja="入力に誤りがあります。", en="The input has faults."
        ),
        Problem(
            code="forbidden",
            status=403,
            ja="許可されていません。",
            en="That is not allowed to you.",
        ),
        Problem(code="not-found", status=404, ja="見つかりません。", en="There is nothing here."),
        Problem(
            code="method-not-allowed",
            status=405,
            ja="この操作はできません。",
            en="That cannot be done here.",
        ),
        Problem(
            code="not-acceptable",
            status=406,
            ja="その形式では返せません。",
            en="There is no such form of the answer.",
        ),
        Problem(
            code="too-large",
            status=413,
            ja="データが大きすぎます。",
            en="That is too large.",
        ),
        Problem(
            code="bug",
            status=500,
            ja="サーバーの不具合です。番号を添えてお知らせください。",
            en="This is a fault of the service; please report its number.",
        ),
    )
}


class ProblemBody(Schema):
    """Body of an error. errors: path of each fault → what is wrong; id: of a bug, as in the log."""

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String()
    errors = fields.Dict(keys=fields.String(), values=fields.List(fields.String()))
    id = fields.String()
