"""A long test whose examples are drawn runs always, with a few of them; another one does not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]

DRAWN = """
import pytest
from hypothesis import given, settings, strategies as st

@pytest.mark.long
@settings(max_examples=30)
@given(st.integers())
def test_explicit(n): print("explicit")

@pytest.mark.long
@given(st.integers())
def test_usual(n): print("usual")

@pytest.mark.long
def test_other(): print("other")
"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("options", "numbers"), [([], [3, 3, 0]), (["--long"], [30, 100, 1])], ids=["daily", "whole"]
)
def test_a_few_examples_are_drawn_every_day(
    options: list[str], numbers: list[int], tmp_path: Path
) -> None:
    shutil.copy(TESTS / "conftest.py", tmp_path)
    (tmp_path / "test_drawn.py").write_text(DRAWN)
    paths = [str(TESTS / "helpers"), str(TESTS), str(TESTS.parent)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "CI": ""}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", *options, "."],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    words = ("explicit", "usual", "other")
    assert [done.stdout.count(f"{word}\n") for word in words] == numbers
