# Two words a newcomer needs: `make demo` and `make test`.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/ready

.PHONY: setup demo test check soak bench

setup: $(READY)

# Runs again only when the pinned versions or the project's own description change.
$(READY): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $(READY)

demo: setup
	$(BIN)/kifu --database-url sqlite:///demo.sqlite demo

test: check browser
	$(BIN)/python -m pytest -n auto -m "not soak and not bench"

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

soak: setup browser
	$(BIN)/python -m pytest -n auto -m soak --timeout 3600 --hypothesis-profile search

bench: setup
	$(BIN)/python -m tests.bench

browser:
	tests/web/install-browser
.PHONY: browser
