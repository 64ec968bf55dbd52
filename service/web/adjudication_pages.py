"""The position editor: set up a position, try actions, see what the rules say of them."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from service.api.examples import list_examples, play_example
from service.api.language import language_of_request
from service.api.rulesets import show_ruleset
from service.web.address import number_in
from service.web.rule_pages import all_of
from service.web.texts import script_texts

ADJUDICATION_PAGES = Blueprint("adjudication_pages", __name__)
ID_LENGTH_MAX = 64
DIGITS_MAX = 6


@ADJUDICATION_PAGES.get("/adjudicate/<game>")
def adjudicate(game: str) -> str:
    """Show the editor, beginning from nothing, a deal, a worked example, or a match at an index.

    What the address holds behind `#` changes the position or tries actions: that is for the script.
    """
    show_ruleset({}, game)
    example_id = request.args.get("example")
    return render_template(
        "adjudicate.html",
        game=game,
        example=play_example({}, game, example_id) if example_id else None,
        examples=[
            one for page in all_of(lambda more: list_examples(more, game)) for one in page["items"]
        ],
        match=request.args.get("match", "")[:ID_LENGTH_MAX],
        at=number_in("at", DIGITS_MAX) or 0,
        deal=number_in("deal", DIGITS_MAX),
        script_texts=script_texts(language_of_request()),
    )
