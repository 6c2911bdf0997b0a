"""One submission as an autograder marks it, and the archive that Gradescope takes as one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from calmip._base.errors import InputError, join_words
from calmip._base.files import read_bytes, write_atomically
from calmip._base.limits import Limits
from calmip.course.autograder import archive
from calmip.course.class_marking import Book, Marked, mark, whole
from calmip.course.classroom import (
    UNNAMED,
    Submission,
    find_submissions,
    keys_of,
    student_by,
    suffix_words,
)
from calmip.course.exercises import (
    EXERCISES,
    HANDED_IN,
    check_exercise,
    protection_of,
    solution_names,
)
from calmip.course.grade import Marks, Written
from calmip.course.translations import ENGLISH, check_language, translate, translate_checks

__all__ = ["grade_autograder", "grade_submission"]

MAX_BYTES = 1 << 24
"""The most bytes of a table, or of the description of a submission."""


def grade_submission(
    exercise: str,
    path: Path | str,
    *,
    student: str | None = None,
    metadata: Path | str | None = None,
    roster: Path | str | None = None,
    assigned: Path | str | None = None,
    language: str = ENGLISH,
    time_limit: float | None = None,
) -> Marks:
    """Mark the one submission in a folder, as autograders do.

    A fault of the submission gives no marks and a reason: a missing file, several files, one
    that is too large or cannot be read. Only a fault of this machine or of the assignment is an
    error, so that no student has marks for it.

    Parameters
    ----------
    exercise
        The exercise's name.
    path
        The file, or the folder with it.
    student
        Mark by the puzzle of this student: the name, or another that the roster has.
    metadata
        Take the student from Gradescope's submission_metadata.json; of a group any of them.
    roster
        Take the students from this CSV file; your own, or an export of Canvas or Moodle.
    assigned
        Mark by the puzzles in assigned.csv, which grade assign wrote beside the sheets.
    language
        Write feedback in this language.
    time_limit
        Stop each Python file after this many seconds; 60 by default.

    Raises
    ------
    InputError
        If there is no such exercise or path, a table cannot be read, or no student in the table of
        puzzles has the name.
    SolverFailed
        If the program cannot be run on this machine.
    """
    check_exercise(exercise)
    check_language(language)
    limits = Limits(time_limit)
    path = Path(path)
    if not path.exists():
        raise InputError("there is no such file or folder", path=path)
    protection_of(exercise)  # a fault of this machine is an error before all else
    book = Book.read(
        exercise,
        None if roster is None else Path(roster),
        None if assigned is None else Path(assigned),
    )
    names = ([] if student is None else [student]) + _names(metadata)
    people: list[str] = []
    if book.students is not None:
        keys = keys_of(book.students)
        found = [student_by([name], keys) for name in names]
        people = list(dict.fromkeys(one.name for one in found if one is not None))
        if not people and book.puzzles is not None:
            raise InputError(
                f"there is no puzzle of {join_words(names, most=3) or 'this student'}: no student "
                "has this name"
            )
    # Of a group, the sheet of any member may be answered.
    people = people if book.puzzles is not None and student is None else people[:1]
    who = next(iter([*people, *names]), "")
    file, fault = _chosen(exercise, path)
    if fault:
        marked = whole("the submission is one file", fault, book)
    else:
        assert file is not None
        try:
            who, marked = _best(exercise, file, limits.time_limit, book, people or [who])
        except InputError as error:
            if error.path != file:
                raise
            marked = whole("the file can be read", error.message, book)
    sheet = who if len(people) > 1 and not fault else ""
    return Marks(
        exercise,
        translate(EXERCISES[exercise], language),
        translate_checks(marked.checks, language),
        str(file or ""),
        who,
        notes=marked.notes,
        sheet=sheet,
        language=language,
    )


def _best(
    exercise: str, file: Path, time_limit: float | None, book: Book, people: Sequence[str]
) -> tuple[str, Marked]:
    """Return whose puzzle a file answers best, the first with full marks, and the outcome."""
    best: tuple[str, Marked] | None = None
    for one in people:
        marked = mark(exercise, file, time_limit, book, one)
        if best is None or marked.marks > best[1].marks:
            best = one, marked
        if all(check.passed for check in marked.checks):
            break
    assert best is not None
    return best


def _chosen(exercise: str, path: Path) -> tuple[Path | None, str]:
    """Return the submitted file, or why there is none: several may be, but one named as ours."""
    if path.is_file():
        return path, ""
    suffix = HANDED_IN[exercise]
    found = [one for one in find_submissions([path], suffix, ()) if one.path is not None]
    regular = [one for one in found if not one.fault]
    ours = [one for one in regular if one.path and one.path.stem.lower() in _ours(exercise)]
    chosen: list[Submission] = regular if len(regular) == 1 else ours
    if len(chosen) == 1:
        return chosen[0].path, ""
    names = join_words([one.path.name for one in found if one.path is not None], most=5)
    if not found:
        return None, f"there is no file {suffix_words(suffix)}; hand in one"
    if not regular:
        return None, f"{names}: {found[0].fault}"
    return None, f"hand in one file {suffix_words(suffix)}; found {names}"


def _ours(exercise: str) -> set[str]:
    return {*UNNAMED, *(name for name in solution_names() if name.startswith(f"{exercise}-"))}


def _names(metadata: Path | str | None) -> list[str]:
    """Return the names of the student in Gradescope's description of a submission."""
    if metadata is None:
        return []
    data = read_bytes(Path(metadata), MAX_BYTES)
    try:
        users = json.loads(data)["users"]
        return [
            str(user[key]) for key in ("sid", "email", "name") for user in users if user.get(key)
        ]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError("is not Gradescope's submission_metadata.json", path=metadata) from None


def grade_autograder(
    exercise: str,
    output: Path | str,
    *,
    roster: Path | str | None = None,
    assigned: Path | str | None = None,
    wheels: Path | str | None = None,
    language: str = ENGLISH,
    time_limit: float | None = None,
) -> Written:
    """Write the autograder of an exercise for Gradescope.

    The archive has setup.sh, run_autograder and calmip as a wheel.

    Parameters
    ----------
    exercise
        The exercise's name.
    output
        Write the archive to this file.
    roster
        Put this roster into it.
    assigned
        Put assigned.csv into it, so that each student is marked by the own puzzle.
    wheels
        Put the wheels of this folder into it, of all packages that calmip needs; without it
        setup.sh downloads them.
    language
        Write feedback in this language.
    time_limit
        Stop each Python file after this many seconds; 60 by default.

    Raises
    ------
    InputError
        If there is no such exercise, a file cannot be read, or the archive cannot be written.
    """
    check_exercise(exercise)
    check_language(language)
    Limits(time_limit)
    if Path(output).suffix.lower() != ".zip":
        raise InputError("an autograder is an archive; name it NAME.zip", path=Path(output))
    given = {"roster": roster, "assigned": assigned}
    tables = {name: Path(path) for name, path in given.items() if path is not None}
    Book.read(exercise, tables.get("roster"), tables.get("assigned"))
    found: list[Path] = []
    if wheels is not None:
        found = sorted(Path(wheels).glob("*.whl"))
        if not found:
            raise InputError(
                "has no wheels; fill it on the system of the autograder, with: pip download "
                "--dest DIR click highspy numpy packaging pulp pyomo pyyaml rich",
                path=Path(wheels),
            )
    data = archive(
        exercise,
        time_limit=time_limit,
        tables={name: read_bytes(path, MAX_BYTES) for name, path in tables.items()},
        wheels=found,
        language=language,
    )
    write_atomically(Path(output), data)
    return Written((Path(output),))
