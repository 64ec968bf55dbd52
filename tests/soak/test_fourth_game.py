"""The laws that every game keeps, kept by a fourth one: two folders are added, nothing else."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PARTS = ("service", "projections", "schemas", "seeds", "tests")
FOURTH = ROOT / "tests" / "fourth"
FOLDERS = shutil.ignore_patterns("__pycache__")


@pytest.mark.soak
def test_a_fourth_game_keeps_the_laws(tmp_path: Path) -> None:
    for part in PARTS:
        shutil.copytree(ROOT / part, tmp_path / part, ignore=FOLDERS)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    rulesets = tmp_path / "service" / "rulesets"
    shutil.copytree(FOURTH / "code", rulesets, dirs_exist_ok=True, ignore=FOLDERS)
    shutil.copytree(FOURTH / "seeds", tmp_path / "seeds", dirs_exist_ok=True)
    arguments = ["-q", "-n", "0", "-k", "high-card or HC-", "tests/contract"]
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *arguments], cwd=tmp_path, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stdout
    assert "passed" in ran.stdout
