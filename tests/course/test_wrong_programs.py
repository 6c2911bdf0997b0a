"""The marker on programs as students write them: wrong ones by their mistakes, and right ones.

``programs.txt`` has one entry for each: ``== EXERCISE: NAME``, with ``(fast)`` after it
where it belongs to the fast suite and ``(long)`` where to the long one; the marks, and after a
colon some words of the first fault; and what is changed in the reference solution, lines with
``-`` for what is there and lines with ``+`` for what comes in its place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

import pytest

from calmip.course.checks import Check
from calmip.course.exercises import SUFFIXES, write_solutions
from calmip.course.grade import grade

TITLE = re.compile(r"== (\d+): (.+?)(?: \((fast|long)\))?")
CALMIPS = re.compile(r"\b\w+_[a-h]\d\d\b|\b[pc]_(?:[A-Z]|\d\d)\b|\d\.(?:mps|lp)\b")
"""Names of columns, rows and files that no page of exercises 1 to 5 has."""


@dataclass
class Program:
    exercise: str
    name: str
    kind: str
    marks: int = 10
    words: str = ""
    changes: list[tuple[list[str], list[str]]] = field(default_factory=list)

    def text(self, reference: str) -> str:
        for old, new in self.changes:
            assert "\n".join(old) in reference, (self.name, old)
            reference = reference.replace("\n".join(old), "\n".join(new))
        return reference


def programs() -> list[Program]:
    found: list[Program] = []
    for line in (Path(__file__).parent / "programs.txt").read_text().splitlines():
        if title := TITLE.fullmatch(line):
            found.append(Program(title.group(1), title.group(2), title.group(3) or "slow"))
        elif line.startswith("marks "):
            marks, _, found[-1].words = line.removeprefix("marks ").partition(": ")
            found[-1].marks = int(marks)
        elif line.startswith("-"):
            if not found[-1].changes or found[-1].changes[-1][1]:
                found[-1].changes.append(([], []))
            found[-1].changes[-1][0].append(line[2:])
        elif line.startswith("+"):
            found[-1].changes[-1][1].append(line[2:])
        else:
            assert not line
    return found


PROGRAMS = programs()

STRICT_PULP = int(version("pulp").partition(".")[0]) >= 4


@pytest.fixture(scope="module")
def references(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    written = write_solutions(tmp_path_factory.mktemp("solutions"))
    return {path.name.partition("-")[0]: path.read_text() for path in written}


def test_the_list_is_long_and_every_program_another() -> None:
    wrong = [one for one in PROGRAMS if one.marks < 10]
    assert sum(one.exercise in ("2", "5") for one in wrong) >= 60
    assert {one.exercise for one in wrong} >= set("12456")
    assert len({(one.exercise, one.name) for one in PROGRAMS}) == len(PROGRAMS)
    assert all(bool(one.words) == (one.marks < 10) for one in PROGRAMS)


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            one,
            id=f"{one.exercise}: {one.name}",
            marks=() if one.kind == "fast" else (getattr(pytest.mark, one.kind),),
        )
        for one in PROGRAMS
    ],
)
def test_a_program_has_the_marks_that_it_earns(
    program: Program, references: dict[str, str], tmp_path: Path
) -> None:
    reference = references[program.exercise]
    if program.name.startswith("Pyomo, "):
        reference += "\n\nbuild = build_in_pyomo\n"
    path = tmp_path / f"answer{SUFFIXES[program.exercise]}"
    path.write_text(program.text(reference))
    assert path.read_text() != reference
    result = grade(program.exercise, path, time_limit=2 if "took longer" in program.words else 300)
    failed: list[Check] = [check for check in result.checks if not check.passed]
    if STRICT_PULP and any(re.search("PulpError|no longer exists", one.fault) for one in failed):
        # PuLP 4 itself refuses names that come twice, and columns of another problem.
        assert result.marks <= program.marks
        return
    assert result.marks == program.marks, [check.fault for check in failed]
    assert result.most == 10
    if failed:
        assert program.words in failed[0].fault, failed[0].fault
    if program.exercise in ("2", "5"):
        for check in failed:
            assert not CALMIPS.search(check.fault), check.fault
