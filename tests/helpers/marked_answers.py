"""Answers to an exercise as students have them: the reference, changed; what they are worth."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

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
    return sum(check.marks for check in checks), [check.fault for check in checks if check.fault]
