"""Mark an answer to one of the exercises of the course."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calmip._files import walk_folder
from calmip._limits import Limits, Progress, checked_seconds
from calmip.course.exercises import (
    EXERCISES,
    SUFFIXES,
    Assignment,
    assigned,
    checks_of,
    protection_of,
    read_roster,
    student_of,
    write_sheets,
    write_solutions,
)
from calmip.course.marks import Check
from calmip.course.sandbox import is_root
from calmip.documents.description import described
from calmip.errors import InputError, shown
from calmip.problem.shown import renderers
from calmip.problem.status import Status
from calmip.tasks._result import Result

__all__ = [
    "ClassMarks",
    "Marks",
    "Written",
    "grade",
    "grade_assign",
    "grade_class",
    "grade_files",
    "grade_solutions",
    "is_one",
]


@dataclass(frozen=True, repr=False)
class Marks(Result):
    """The marks of one submission.

    Parameters
    ----------
    exercise, title
        The exercise.
    checks
        What was looked at, in order.
    file
        The submitted file.
    student
        Whose it is, where each student has a puzzle of their own; else empty.
    """

    KEYS = ("exercise", "title", "file", "student", "marks", "most", "checks")

    exercise: str
    title: str
    checks: tuple[Check, ...]
    file: str = ""
    student: str = ""

    @property
    def marks(self) -> int:
        """The marks that were earned."""
        return sum(check.marks for check in self.checks)

    @property
    def most(self) -> int:
        """The marks that there are."""
        return sum(check.worth for check in self.checks)

    @property
    def status(self) -> Status:
        """Accepted for full marks, refused for fewer."""
        return Status.ACCEPTED if self.marks == self.most else Status.REFUSED

    def describe(self) -> dict[str, Any]:
        """Return the marks as plain data, with the keys in their documented order."""
        checks = [
            {
                "what": check.what,
                "marks": check.marks,
                "most": check.worth,
                "passed": check.passed,
                "fault": check.fault,
                "board": renderers.notebook().board(check),
            }
            for check in self.checks
        ]
        keys = [key for key in self.KEYS if self.student or key != "student"]
        return described(self, keys) | {"checks": checks}

    def _summary(self) -> str:
        return f"exercise {self.exercise}, {self.marks} of {self.most} marks"


@dataclass(frozen=True, repr=False)
class ClassMarks(Result):
    """The marks of many submissions of one exercise.

    Parameters
    ----------
    exercise, title
        The exercise.
    submissions
        The marks of each, in the order of the files' names.
    """

    exercise: str
    title: str
    submissions: tuple[Marks, ...]

    @property
    def status(self) -> Status:
        """Accepted if all have full marks, refused otherwise."""
        whole = all(one.status is Status.ACCEPTED for one in self.submissions)
        return Status.ACCEPTED if whole else Status.REFUSED

    def _summary(self) -> str:
        return f"exercise {self.exercise}, {len(self.submissions)} submissions"


@dataclass(frozen=True, repr=False)
class Written(Result):
    """Files for a class: the students' sheets, or a right answer to each exercise.

    Parameters
    ----------
    files
        The files, in order.
    """

    files: tuple[Path, ...]

    @property
    def status(self) -> Status:
        """Always done."""
        return Status.DONE

    def describe(self) -> dict[str, Any]:
        """Return the files' paths."""
        return {"files": [str(path) for path in self.files]}

    def _summary(self) -> str:
        return f"{len(self.files)} files"


def grade_assign(exercise: str, roster: Path | str, output: Path | str) -> Written:
    """Draw a puzzle for each student of a class, and write their sheets to a folder.

    Parameters
    ----------
    exercise
        The exercise's name.
    roster
        The CSV file of the class.
    output
        The folder of the sheets; made if it is missing.

    Raises
    ------
    InputError
        If the exercise is the same for all, the roster cannot be read, or a file cannot be
        written.
    """
    return Written(write_sheets(exercise, read_roster(Path(roster)), Path(output)))


def grade_solutions(folder: Path | str) -> Written:
    """Write a right answer to each exercise into a folder, and mark nothing.

    Parameters
    ----------
    folder
        The folder; made if it is missing.

    Raises
    ------
    InputError
        If the folder cannot be made, or a file cannot be written.
    """
    return Written(write_solutions(Path(folder)))


def grade_files(
    exercise: str,
    files: Sequence[Path],
    *,
    time_limit: float | None = None,
    roster: Path | None = None,
    unprotected: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Marks | ClassMarks:
    """Mark a submitted file of one of the six exercises of the course, or those of a class.

    What failed is said with a counter-example drawn as a board. A Python file is run in a
    process of its own with limits of time and memory; what it prints is not read. Several
    files, or a folder, make a table with a line for each. Of the formats, csv has a column
    for every check, nbgrader the columns of nbgrader's export, and gradescope is the file
    results.json for one submission.

    Parameters
    ----------
    exercise
        The exercise's name.
    files
        The submitted file, or files and folders of a class.
    time_limit
        How long each Python file may run; 60 seconds unless given.
    roster
        Mark each file by its student's own puzzle, drawn from this CSV file of the class.
        The student is known by the file's name.
    unprotected
        Run the programs of a class as root although nothing protects this machine from them.
    progress
        As for `calmip.solvers.Limits`. Of a class the latest one is what protects this machine,
        if programs are run, and then the marks of each submission.

    Raises
    ------
    InputError, SolverFailed
        As `grade` for one file, and `grade_class` for several.
    """
    if is_one(files):
        return grade(exercise, files[0], time_limit=time_limit, roster=roster)
    if (protection := protection_of(exercise)) is not None:
        Limits(progress=progress).report(0, latest=protection)
    return grade_class(
        exercise, files, time_limit=time_limit, roster=roster, unprotected=unprotected,
        progress=progress,
    )  # fmt: skip


def is_one(files: Sequence[Path]) -> bool:
    """Return whether these are a single submission, not those of a class."""
    return len(files) == 1 and not files[0].is_dir()


def grade(
    exercise: str,
    path: Path | str,
    *,
    time_limit: float | None = None,
    roster: Path | str | None = None,
) -> Marks:
    """Mark one submission.

    A Python file is run in a process of its own with limits of time and memory;
    what it prints is not read.

    Parameters
    ----------
    exercise
        The exercise's name, ``"1"`` to ``"6"``.
    path
        The submitted file.
    time_limit
        The seconds that a Python file may run; 60 if None.
    roster
        The CSV file of the class whose students each work on a puzzle drawn for
        them (`calmip.course.exercises`); None if all work on the same.

    Raises
    ------
    InputError
        If there is no such exercise, or no such file, the time limit is not a
        number of seconds above 0, or the roster cannot be read or is for an
        exercise that is the same for all.
    """
    checked_seconds(time_limit)
    return _marked(exercise, Path(path), time_limit, _drawn(exercise, roster))


def grade_class(
    exercise: str,
    paths: Iterable[Path | str],
    *,
    time_limit: float | None = None,
    roster: Path | str | None = None,
    unprotected: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> ClassMarks:
    """Mark many submissions of one exercise, each by itself.

    A file that cannot be read has no marks, and the others are marked all the same.
    So has a link, a folder that cannot be read, and what else is passed over.

    Parameters
    ----------
    exercise
        The exercise's name, ``"1"`` to ``"6"``.
    paths
        Files, and folders: of a folder all files with the exercise's suffix
        (`calmip.course.exercises.SUFFIXES`) at any depth, but hidden ones.
    time_limit
        The seconds that each Python file may run; 60 if None.
    roster
        As for `grade`.
    unprotected
        Whether to run programs as root where nothing protects this machine from them
        (`calmip.course.sandbox.Protection`).
    progress
        As for `calmip.solvers.Limits`. The latest one is the marks of a submission.

    Raises
    ------
    InputError
        If there is no such exercise, or no file, the time limit is not a number
        of seconds above 0, for the roster as `grade`, or if programs were to be run
        as root without protection.
    SolverFailed
        If programs cannot be run on this machine: that is nobody's fault, and there
        are no marks.
    """
    if exercise not in EXERCISES:
        raise InputError(f"there is no exercise '{shown(exercise)}'")
    limits = Limits(time_limit, progress=progress)
    files = sorted({file for path in paths for file in _files(Path(path), SUFFIXES[exercise])})
    if not files:
        raise InputError(f"there is no file {SUFFIXES[exercise]} to grade")
    drawn = _drawn(exercise, roster)
    _check_protection(exercise, unprotected)
    done = []
    for file, fault in files:
        try:
            if fault:
                raise InputError(fault, path=file)
            marks = _marked(exercise, file, time_limit, drawn)
        except InputError as error:
            if error.path != file:  # it is no fault of the file
                raise
            check = Check("the file can be read", 10, error.message)
            marks = Marks(exercise, EXERCISES[exercise], (check,), str(file))
        done.append(marks)
        limits.report(len(done), len(files), latest=marks)
    return ClassMarks(exercise, EXERCISES[exercise], tuple(done))


def _check_protection(exercise: str, unprotected: bool) -> None:
    """Refuse to run the programs of a class as root where nothing protects this machine."""
    found = protection_of(exercise)
    if found is not None and not found and is_root() and not unprotected:
        raise InputError(
            "these programs would run as root, and nothing protects this machine from them: "
            "install bubblewrap, run calmip grade as another user or in a container, or choose "
            "--unprotected"
        )


def _drawn(exercise: str, roster: Path | str | None) -> dict[str, Assignment] | None:
    return None if roster is None else assigned(exercise, read_roster(Path(roster)))


def _marked(
    exercise: str, path: Path, time_limit: float | None, drawn: dict[str, Assignment] | None
) -> Marks:
    title = EXERCISES[exercise]
    if drawn is None:
        return Marks(exercise, title, checks_of(exercise, path, time_limit=time_limit), str(path))
    student = student_of(path, drawn)
    if student is None:
        fault = "neither its name nor that of a folder above it is a student's on the roster"
        return Marks(exercise, title, (Check("the file is a student's", 10, fault),), str(path))
    checks = checks_of(exercise, path, time_limit=time_limit, instance=drawn[student].instance)
    return Marks(exercise, title, checks, str(path), student)


def _files(path: Path, suffix: str) -> Iterator[tuple[Path, str]]:
    """Yield a file, or the files of a folder that have a suffix, and why one is not opened."""
    if not path.is_dir():
        yield path, ""
        return
    for entry in walk_folder(path):
        found = Path(os.fsdecode(entry.filename if isinstance(entry, OSError) else entry.path))
        if any(part.startswith(".") for part in found.relative_to(path).parts):
            continue
        if isinstance(entry, OSError):
            yield found, f"this folder cannot be read: {entry.strerror}"
        elif entry.is_symlink():
            # Path.is_dir() raises an error where links lead in a circle.
            if entry.name.endswith(suffix) or os.path.isdir(found):  # noqa: PTH112
                yield found, "is a link, which is not followed; put the file itself here"
        elif entry.name.endswith(suffix) and not entry.is_dir(follow_symlinks=False):
            yield found, "" if entry.is_file(follow_symlinks=False) else "is not a regular file"
