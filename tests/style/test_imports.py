"""Modules that `make test` does not run can be imported: what they name is still there."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType

import pytest

import tests.bench
import tests.soak


@pytest.mark.parametrize("package", [tests.bench, tests.soak], ids=lambda found: found.__name__)
def test_every_module_of_bench_and_soak_can_be_imported(package: ModuleType) -> None:
    found = [
        importlib.import_module(f"{package.__name__}.{module.name}")
        for module in pkgutil.iter_modules(package.__path__)
    ]
    assert found
