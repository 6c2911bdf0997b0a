"""The answers for the OpenSSF Best Practices badge name files that are there."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILE = ROOT / ".bestpractices.json"
NAMED = re.compile(r"(?<![\w/])\.?\w[\w./-]*/[\w./-]*\w|\b[A-Z]+(?:\.md)\b")
"""Paths in a sentence, with a folder or in capitals."""

pytestmark = pytest.mark.skipif(not FILE.is_file(), reason="in the repository only")


def missing(text: str) -> list[str]:
    """Return the files that a sentence names and that are not there."""
    sentence = re.sub(r"https?:\S+", "", text)
    return [name for name in NAMED.findall(sentence) if not (ROOT / name).exists()]


def test_every_criterion_has_an_answer_and_its_evidence() -> None:
    answers = json.loads(FILE.read_text(encoding="utf-8"))
    criteria = {name.removesuffix("_status") for name in answers if name.endswith("_status")}
    assert len(criteria) == 67  # of the level "passing"
    assert set(answers) == {
        f"{one}_{part}" for one in criteria for part in ("status", "justification")
    }
    assert {answers[f"{one}_status"] for one in criteria} == {"Met", "N/A", "?"}
    for one in criteria:
        reason = answers[f"{one}_justification"]
        assert reason
        assert not missing(reason), one


def test_a_file_that_is_not_there_is_missing() -> None:
    assert missing("See docs/nowhere.md and GONE.md, not README.md.") == [
        "docs/nowhere.md",
        "GONE.md",
    ]
