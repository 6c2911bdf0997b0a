"""Answers to an exercise as students have them: the reference, changed; what they are worth."""

import json
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from translated import assert_translated

from calmip.course.exercises import SOLUTIONS, SUFFIXES, checks_of, page_of

PAGES = Path(__file__).parents[2] / "docs" / "course"

Changes = tuple[tuple[str, str], ...]


def reference(exercise: str) -> str:
    """Return the text of the right answer that calmip has."""
    return (SOLUTIONS / page_of(exercise)).read_text()


def starter(exercise: str) -> str:
    """Return the text that students begin with."""
    return (PAGES / page_of(exercise) / f"starter{SUFFIXES[exercise]}").read_text()


def changed(exercise: str, changes: Changes | str) -> str:
    """Return the reference with changes, each of which changes something, or another text."""
    if isinstance(changes, str):
        return changes
    text = reference(exercise)
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


def replaced(exercise: str, *path: Any, by: Any) -> str:
    """Return the reference, JSON, with another value at a place; `...` takes the key away."""
    answer = json.loads(reference(exercise))
    place = answer
    for key in path[:-1]:
        place = place[key]
    if by is ...:
        del place[path[-1]]
    else:
        place[path[-1]] = deepcopy(by)
    return json.dumps(answer)


def mark(exercise: str, text: str, folder: Path, **how: Any) -> tuple[int, list[str]]:
    """Return the marks of a text, and the faults that were found; nothing is undecided."""
    path = folder / f"mine{SUFFIXES[exercise]}"
    path.write_text(text)
    checks = checks_of(exercise, path, **how)
    assert sum(check.worth for check in checks) == 10
    assert not any(check.undecided for check in checks), [check.fault for check in checks]
    assert_translated(checks)
    return sum(check.marks for check in checks), [check.fault for check in checks if check.fault]


def answers_battery(
    exercise: str, right: Mapping[str, str], wrong: Mapping[str, tuple[str, int, str]]
) -> type:
    """Return tests of right answers, of the starter, and of wrong ones: marks, the first fault."""

    class Answers:
        def test_the_lists_are_long(self) -> None:
            assert len(right) >= 12
            assert len(wrong) >= 25

        @pytest.mark.parametrize("name", right)
        def test_right_answers_have_full_marks(self, name: str, tmp_path: Path) -> None:
            assert mark(exercise, right[name], tmp_path) == (10, [])

        @pytest.mark.parametrize("name", wrong)
        def test_wrong_answers_have_what_they_are_worth(self, name: str, tmp_path: Path) -> None:
            text, marks, words = wrong[name]
            found, faults = mark(exercise, text, tmp_path)
            assert (found, words in faults[0]) == (marks, True), faults

        def test_the_starter_has_two_marks_at_most(self, tmp_path: Path) -> None:
            assert mark(exercise, starter(exercise), tmp_path)[0] <= 2

    return Answers
