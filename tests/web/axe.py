"""Accessibility, as far as axe-core can tell; the context of the page must bypass the policy."""

from __future__ import annotations

import importlib.resources
from typing import Any

import axe_playwright_python
from playwright.sync_api import Page

SCRIPT = (importlib.resources.files(axe_playwright_python) / "axe.min.js").read_text()


def violations_on(page: Page) -> list[tuple[str, list[Any]]]:
    """Return the rules that a page violates, each with the places."""
    page.evaluate(SCRIPT)
    found = page.evaluate("axe.run()")["violations"]
    return [(fault["id"], [node["target"] for node in fault["nodes"]]) for fault in found]
