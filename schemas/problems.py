"""The one list of errors of the API: problem details after RFC 9457."""

from __future__ import annotations

from dataclasses import dataclass

from marshmallow import Schema, fields


@dataclass(frozen=True, slots=True)
class Problem:
    """A kind of error, with its title in both languages. Its type is `/problems/<code>`."""

    code: str
    status: int
    ja: str
    en: str


PROBLEMS = {
    problem.code: problem
    for problem in (
        Problem("malformed-json", 400, "内容を読み取れません。", "The request cannot be read."),
        Problem(
            "malformed-query",
            400,
            "この言葉では探せません。",
            "That is nothing that can be searched for.",
        ),
        Problem("unauthenticated", 401, "サインインが必要です。", "This needs you to sign in."),
        Problem("forbidden", 403, "許可されていません。", "That is not allowed to you."),
        Problem("not-found", 404, "見つかりません。", "There is nothing here."),
        Problem("method-not-allowed", 405, "この操作はできません。", "That cannot be done here."),
        Problem(
            "not-acceptable",
            406,
            "その形式では返せません。",
            "There is no such form of the answer.",
        ),
        Problem("conflict", 409, "いまの状態ではできません。", "Not in the present state."),
        Problem(
            "held", 409, "審判が対戦を止めています。", "A judge has stopped the match for a while."
        ),
        Problem("closed", 409, "対戦は終わっています。", "The match is over."),
        Problem(
            "precondition-failed",
            412,
            "ほかの変更が先に保存されました。",
            "It was changed since you read it.",
        ),
        Problem("too-large", 413, "データが大きすぎます。", "That is too large."),
        Problem(
            "unsupported-media",
            415,
            "この形式のデータは受け取れません。",
            "Data of this type is not taken here.",
        ),
        Problem("invalid", 422, "入力に誤りがあります。", "The input has faults."),
        Problem("rule", 422, "規則により、この操作はできません。", "A rule does not allow that."),
        Problem(
            "idempotency-key-reused",
            422,
            "このキーは別の内容ですでに使われています。",
            "This key was used before, with another body.",
        ),
        Problem(
            "precondition-required",
            428,
            "読んだ版の指定が必要です。",
            "This needs to know which version you have read.",
        ),
        Problem(
            "too-many",
            429,
            "回数が多すぎます。しばらくお待ちください。",
            "Too often; please wait a while.",
        ),
        Problem(
            "bug",
            500,
            "サーバーの不具合です。番号を添えてお知らせください。",
            "This is a fault of the service; please report its number.",
        ),
        Problem(
            "full",
            503,
            "満員です。しばらくお待ちください。",
            "There is no room at the moment; please wait a while.",
        ),
        Problem(
            "behind",
            503,
            "一覧がまだ最新ではありません。しばらくお待ちください。",
            "The lists are not up to date yet; please wait a while.",
        ),
        Problem(
            "parked",
            503,
            "この一覧は不具合のため止まっています。",
            "This list has stopped because of a fault.",
        ),
    )
}


class ProblemBody(Schema):
    """Body of an error.

    detail: why, in English; reason: why, in the language asked for, where it can be said so.
    errors: path of each fault → what is wrong, in English; reasons: the same in the language asked
    for, null for what cannot be said so. version: the present one, of what has gone on.
    rule, rule_url: the rule that refuses an action, and where it can be read. id: of a bug, as in
    the log.
    """

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String()
    errors = fields.Dict(keys=fields.String(), values=fields.List(fields.String()))
    version = fields.Integer()
    reason = fields.String()
    reasons = fields.Dict(keys=fields.String(), values=fields.List(fields.String(allow_none=True)))
    rule = fields.String()
    rule_url = fields.String()
    id = fields.String()
