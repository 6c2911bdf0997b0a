"""What the table of translations leaves in English."""

import re
from collections.abc import Iterable
from functools import cache

from calmip.course import translations
from calmip.course.checks import Check
from calmip.course.translations import FIELD, Sentences, read_rows

WORDS = re.compile(
    r"\b(?:and|are|at|be|by|for|from|has|have|in|is|it|no|not|of|than|that|the|there|these|this|to|"
    r"was|were|with|without)\b"
)
"""Words of an English sentence, which names of models, rows and people are not."""


@cache
def rows() -> list[tuple[str, ...]]:
    """Return the rows of the table."""
    return read_rows(translations.TABLE.read_text(encoding="utf-8"))


@cache
def _without_words() -> Sentences:
    """Return a table in whose other language a sentence is what stands in it, and no word."""

    def fields(english: str) -> str:
        found = [one for one in FIELD.finditer(english) if one[2] != "?"]
        return " | ".join(one[0] if one[2] is None else f"{{{one[1]}}}" for one in found)

    return Sentences((english, fields(english)) for english, *_ in rows())


def left_in_english(text: str) -> list[str]:
    """Return the English words of a sentence that no row has; quotes and brackets do not count."""
    hidden, _ = translations._hide(_without_words().translate(text, 1))
    return WORDS.findall(hidden)


def assert_translated(checks: Iterable[Check]) -> None:
    """Assert that a student reads all of some checks in another language."""
    for check in checks:
        for text in (check.what, check.fault):
            assert not left_in_english(text), f"calmip/course/translations.txt lacks: {text}"
