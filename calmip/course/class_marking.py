"""The marking of a class: workers, a journal, copies, changes since the last time, and pages.

All files are read before the first program runs, and each is marked as it was then. What this
machine could not do is no mark of anybody: it is not kept, so that it is done again.
"""

from __future__ import annotations

import csv
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from calmip._base.errors import InputError, SolverFailed, clip, join_words
from calmip._base.files import make_folder, scratch_folder, write_atomically
from calmip._base.limits import Limits
from calmip._base.shards import WHOLE, Shard
from calmip._base.version import __version__
from calmip.course import archives, notebooks
from calmip.course.assignments import FROM_ROSTER, assign, owners_of, read_assigned
from calmip.course.checks import PUZZLES, Check, Example, MachineFault
from calmip.course.classroom import Student, Submission, read_roster
from calmip.course.exercises import FUNCTIONS, MAX_BYTES, checks_of, read_submission
from calmip.course.machine import describe_error
from calmip.course.references import ReferenceModels
from calmip.course.variants import Assignment
from calmip.mip.display import renderers
from calmip.mip.files.text_source import read_source
from calmip.processes.workers import share, workers_of
from calmip.puzzle.documents.reader import read_instance
from calmip.puzzle.instance import Instance, Placement
from calmip.puzzle.tasks.journal import Journal, check_integer


@dataclass(frozen=True)
class Book:
    """The students of a class, and the puzzle of each if puzzles were drawn.

    Parameters
    ----------
    students
        The roster; None without one.
    puzzles
        The puzzles by the names in lower case; None where all have the same.
    notes
        What the instructor should know about it.
    reference
        What models are compared with; None for an exercise of the course.
    """

    students: tuple[Student, ...] | None = None
    puzzles: Mapping[str, Assignment] | None = None
    notes: tuple[str, ...] = ()
    reference: ReferenceModels | None = None

    @classmethod
    def read(cls, exercise: str, roster: Path | None, assigned: Path | None) -> Book:
        """Return the class of a roster and of a table of puzzles; each may be missing.

        Raises
        ------
        InputError
            If one cannot be read, or a student on the roster has no puzzle in the table.
        """
        students = None if roster is None else read_roster(roster)
        if assigned is None:
            if students is None or exercise not in FROM_ROSTER:
                return cls(students)
            drawn = assign(exercise, [one.name for one in students])
            note = (
                "the puzzles are drawn from the names and the order of the roster; "
                "with --assigned sheets/assigned.csv a changed roster changes no puzzle"
            )
            return cls(students, {name.casefold(): one for name, one in drawn.items()}, (note,))
        puzzles = read_assigned(assigned, exercise)
        if students is None:
            return cls(tuple(Student(one.student) for one in puzzles.values()), puzzles)
        missing = [one.name for one in students if one.name.casefold() not in puzzles]
        if missing:
            command = f"calmip grade assign {exercise} {roster} -o {assigned.parent}"
            raise InputError(
                f"has no puzzle of {join_words(missing, most=5)}; draw it first: "
                f"{clip(command, 400)}",
                path=assigned,
            )
        return cls(students, puzzles)

    def puzzle_of(self, student: str) -> Assignment | None:
        """Return the puzzle that was drawn for a student, if any was."""
        return None if self.puzzles is None else self.puzzles.get(student.casefold())


@dataclass(frozen=True)
class Marked:
    """The checks of a submission, and notes for the instructor.

    Parameters
    ----------
    checks
        The checks.
    notes
        The notes.
    failed
        Why this machine could not mark it; None if it could.
    """

    checks: tuple[Check, ...]
    notes: tuple[str, ...] = ()
    failed: SolverFailed | None = None

    @property
    def marks(self) -> int:
        """The earned marks."""
        return sum(check.marks for check in self.checks)


def read_files(
    exercise: str, submissions: Sequence[Submission], named: Iterable[Path], book: Book
) -> list[Submission]:
    """Return the submissions with the contents of their files; of those named none has vanished."""
    own = set(named)
    return [
        _read(one, _most_bytes(exercise, book, one.path), named=one.path in own)
        for one in submissions
    ]


def _read(submission: Submission, most: int, *, named: bool) -> Submission:
    if submission.path is None or submission.fault:
        return submission
    try:
        return replace(submission, data=read_submission(submission.path, most))
    except MachineFault as error:
        return replace(submission, lost=str(error))
    except InputError as error:
        if named or submission.path.exists() or archives.archive_of(submission.path):
            return replace(submission, fault=error.message)
        return replace(submission, lost=str(MachineFault("the file has vanished")))


def _most_bytes(exercise: str, book: Book, path: Path | None) -> int:
    if path is not None and _is_notebook(path):
        return notebooks.MOST_BYTES
    return MAX_BYTES[exercise] if book.reference is None else book.reference.most_bytes


def _is_notebook(path: Path) -> bool:
    return path.suffix.lower() == notebooks.SUFFIX


def mark(
    exercise: str,
    path: Path,
    time_limit: float | None,
    book: Book,
    student: str,
    *,
    data: bytes | None = None,
) -> Marked:
    """Return the checks of a file; one that fails may solve the puzzle of another student.

    A copy is marked: of what the file contains, or of the data that it contained.

    Raises
    ------
    InputError
        If the file cannot be read.
    SolverFailed
        If this machine failed.
    """
    if data is None:
        data = read_submission(path, _most_bytes(exercise, book, path))
    name = path.name
    if _is_notebook(path):
        functions = FUNCTIONS[exercise] if book.reference is None else ("build",)
        try:
            data = notebooks.program_of(data, functions).encode()
        except InputError as error:
            raise InputError(error.message, path=path) from None
        name = f"{path.stem}.py"
    try:
        with scratch_folder() as folder:
            copy = folder / name
            copy.write_bytes(data)
            fault, found = None, Marked(())
            try:
                found = _mark(exercise, copy, time_limit, book, student)
            except InputError as error:
                if error.path != copy:
                    raise
                fault = InputError(error.message, path=path, line=error.line)
            if copy.read_bytes() != data:
                raise MachineFault("the copy that was marked has been changed meanwhile")
            if fault is not None:
                raise fault
    except InputError as error:
        if error.path == path:
            raise
        raise MachineFault(str(error)) from error
    except (OSError, MemoryError) as error:
        raise MachineFault(describe_error(error)) from error
    before = str(path).removesuffix(path.name)
    checks = (
        replace(one, fault=one.fault.replace(f"{copy.parent}{os.sep}", clip(before, 4000)))
        for one in found.checks
    )
    return replace(found, checks=tuple(checks))


def _mark(exercise: str, path: Path, time_limit: float | None, book: Book, student: str) -> Marked:
    if book.reference is not None:
        return Marked(*book.reference.checks_of(path, time_limit))
    mine = book.puzzle_of(student)
    task = None if mine is None else mine.task
    checks = checks_of(exercise, path, time_limit=time_limit, task=task)
    if mine is None or book.puzzles is None or all(check.passed for check in checks):
        return Marked(checks)
    others = [one for one in book.puzzles.values() if one is not mine]
    owners = owners_of(path, others)
    if not owners:
        return Marked(checks)
    return Marked(checks, (f"it solves the puzzle of {join_words(owners, most=3)}",))


def whole(what: str, fault: str, book: Book) -> Marked:
    """Return the outcome of a submission that cannot be marked."""
    most = 10 if book.reference is None else book.reference.most
    return Marked((Check(what, most, fault),))


def _not_marked(error: SolverFailed, book: Book) -> Marked:
    """Return the outcome of a submission that this machine could not mark: nothing is decided."""
    (check,) = whole("the submission is marked", str(error), book).checks
    return Marked((replace(check, undecided=True),), failed=error)


def mark_all(
    exercise: str,
    submissions: Sequence[Submission],
    book: Book,
    limits: Limits,
    journal: Path | None = None,
    *,
    resume: bool = False,
    shard: Shard = WHOLE,
    trouble: Callable[[str], object] = lambda _: None,
) -> Iterator[tuple[int, Marked]]:
    """Yield the number of each submission and its outcome, as they are found.

    The time limit is that of each program. A journal keeps the outcomes, and is read with resume.
    Of a shard there are those outcomes alone, and those of the journal.
    If it cannot be written any longer, ``trouble`` is called with the reason, and the rest goes on.
    """
    head = {"grade": exercise, "time_limit": limits.time_limit, "version": __version__}
    if book.reference is not None:
        head["reference"] = book.reference.digest
    digests = {number: _digest(one, book) for number, one in enumerate(submissions)}
    with _kept(Journal(journal, head, resume=resume, work="marking of a class"), trouble) as (
        lines,
        keep,
    ):
        known: dict[str, tuple[str, Marked]] = {}

        def parse(entry: dict[str, Any]) -> tuple[str, str, Marked]:
            return str(entry["file"]), str(entry["digest_of_file"]), _outcome(entry, exercise, book)

        for _, (file, digest, outcome) in lines.read(parse):
            known[file] = digest, outcome
        left: list[int] = []
        for number, one in enumerate(submissions):
            outcome_of_none = unmarked(one, book)
            digest, kept = known.get(str(one.path), ("", None))
            if outcome_of_none is not None:
                yield number, outcome_of_none
            elif kept is not None and digest and digest == digests[number]:
                yield number, kept
            else:
                left.append(number)

        def do(number: int) -> Marked:
            own = submissions[number]
            assert own.path is not None
            try:
                return mark(exercise, own.path, limits.time_limit, book, own.student, data=own.data)
            except InputError as error:
                return whole("the file can be read", error.message, book)
            except SolverFailed as error:
                return _not_marked(error, book)

        for number, outcome in _shared(_of_shard(left, submissions, shard), do, limits):
            if outcome.failed is None:
                keep(
                    {
                        "file": str(submissions[number].path),
                        "digest_of_file": digests[number],
                        **_plain(outcome, exercise, book),
                    }
                )
            yield number, outcome


@contextmanager
def _kept(
    journal: Journal, trouble: Callable[[str], object]
) -> Iterator[tuple[Journal, Callable[[Mapping[str, Any]], None]]]:
    """Yield a journal, and what writes to it until that fails for the first time."""
    broken = False

    def fail(error: InputError) -> None:
        nonlocal broken
        if not broken:
            trouble(f"{error}; what is marked from now on is not kept for --resume")
        broken = True

    def keep(entry: Mapping[str, Any]) -> None:
        try:
            if not broken:
                journal.add(entry)
        except InputError as error:
            fail(error)

    try:
        yield journal, keep
    finally:
        try:
            journal.__exit__()
        except InputError as error:
            fail(error)


def _of_shard(left: Sequence[int], submissions: Sequence[Submission], shard: Shard) -> list[int]:
    """Return the submissions of a shard, by the names of their files and folders."""
    paths = {number: submissions[number].path or Path() for number in left}
    return [number for number in left if shard.has("/".join(paths[number].parts[-2:]))]


def _shared(
    left: Sequence[int], do: Callable[[int], Marked], limits: Limits
) -> Iterator[tuple[int, Marked]]:
    if limits.workers == 1 or len(left) < 2:
        yield from ((number, do(number)) for number in left)
        return
    # Most of the work is done by programs in processes of their own.
    with workers_of(limits, "more than one worker") as workers:
        yield from share(workers, ((number, (do, number)) for number in left))


def unmarked(submission: Submission, book: Book) -> Marked | None:
    """Return the outcome of a submission that is not marked, or None for the others."""
    if submission.path is None:
        return whole("a file is handed in", submission.fault, book)
    if submission.lost:
        return _not_marked(SolverFailed(submission.lost), book)
    if submission.fault:
        return whole("the file can be read", submission.fault, book)
    if book.students is not None and submission.person is None:
        fault = "neither its name nor that of a folder above it is a student's on the roster"
        return whole("the file is a student's", fault, book)
    return None


def _digest(submission: Submission, book: Book) -> str:
    """Return a digest of a file and of the puzzle it is marked by; empty if it is not readable."""
    if submission.data is None:
        return ""
    assignment = book.puzzle_of(submission.student)
    text = b"" if assignment is None else assignment.text.encode()
    return hashlib.sha256(text + b"\0" + submission.data).hexdigest()


def notes_on_copies(submissions: Sequence[Submission]) -> list[tuple[str, ...]]:
    """Return for each submission a note that names the students with an identical file."""
    groups: dict[bytes, list[int]] = {}
    for number, one in enumerate(submissions):
        if one.data is not None:
            groups.setdefault(hashlib.sha256(one.data).digest(), []).append(number)
    notes: list[tuple[str, ...]] = [()] * len(submissions)
    for group in groups.values():
        for number in group:
            others = [
                submissions[one].student or clip(submissions[one].path, 200)
                for one in group
                if one != number
            ]
            if others:
                notes[number] = (f"identical to the file of {join_words(others, most=5)}",)
    return notes


def _instances(exercise: str, book: Book) -> list[Instance]:
    """Return the instances that the examples of an exercise show."""
    drawn = [] if book.puzzles is None else [one.task for one in book.puzzles.values()]
    leap = [read_instance("a-puzzle-a-day", reveal="Feb,29")] if exercise == "6" else []
    return [*PUZZLES, *leap, *(one for one in drawn if isinstance(one, Instance))]


def _plain(outcome: Marked, exercise: str, book: Book) -> dict[str, Any]:
    """Return an outcome as plain data, for a journal."""
    instances = _instances(exercise, book)
    known = {id(one): number for number, one in enumerate(instances)}

    def shown(example: Example) -> dict[str, Any]:
        number = known.get(id(example.instance))
        return {
            "instance": instances.index(example.instance) if number is None else number,
            "placements": [[p.piece, [list(cell) for cell in p.cells]] for p in example.placements],
            "labels": list(example.labels),
        }

    return {
        "checks": [
            [
                one.what,
                one.worth,
                one.fault,
                [shown(example) for example in one.examples],
                one.undecided,
                one.table,
            ]
            for one in outcome.checks
        ],
        "notes": list(outcome.notes),
    }


def _outcome(entry: Mapping[str, Any], exercise: str, book: Book) -> Marked:
    """Return the outcome of a line of a journal."""
    instances = _instances(exercise, book)

    def example(data: Mapping[str, Any]) -> Example:
        placements = tuple(
            Placement(str(piece), tuple((int(row), int(column)) for row, column in cells))
            for piece, cells in data["placements"]
        )
        number = check_integer(data["instance"], 0, len(instances) - 1)
        return Example(instances[number], placements, tuple(map(str, data["labels"])))

    checks = tuple(
        Check(
            str(what),
            check_integer(worth, 0, 10_000),
            str(fault),
            tuple(map(example, examples)),
            undecided is True,
            tuple(tuple(map(str, row)) for row in table),
        )
        for what, worth, fault, examples, undecided, table in entry["checks"]
    )
    return Marked(checks, tuple(map(str, entry["notes"])))


def earlier_marks(path: Path, exercise: str) -> Callable[[str], int | None]:
    """Return what finds a student's marks in a file of earlier ones, `read_marks`.

    The name may have changed its case if no other student has it.
    """
    found = read_marks(path, exercise)
    folded: dict[str, list[int]] = {}
    for name, marks in found.items():
        folded.setdefault(name.casefold(), []).append(marks)

    def marks_of(student: str) -> int | None:
        alike = folded.get(student.casefold(), [])
        return found.get(student, alike[0] if len(alike) == 1 else None)

    return marks_of


def read_marks(path: Path, exercise: str) -> dict[str, int]:
    """Return the marks of each student in a file that an earlier marking wrote, CSV or JSON.

    Who has none, as the machine failed, is not among them.

    Raises
    ------
    InputError
        If it cannot be read, or is not such a file of this exercise.
    """
    lines = read_source(path).lines
    try:
        if lines[0].lstrip().startswith("{"):
            found = json.loads("\n".join(lines))
            rows = found.get("submissions", [found])
        else:
            rows = list(csv.DictReader(lines))
        names = ("student", "marks") if "student" in rows[0] else ("student_id", "score")
        of = {
            str(row.get("exercise") or row["assignment"]).removeprefix("exercise-") for row in rows
        }
        marks = {
            str(row[names[0]]).removeprefix("'"): int(row[names[1]])
            for row in rows
            if row[names[0]] and row[names[1]] not in NO_MARKS
        }
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, csv.Error):
        raise InputError(
            "is not a file of marks; give the CSV or JSON file that calmip grade wrote", path=path
        ) from None
    if of - {exercise}:
        raise InputError(
            f"has the marks of exercise {join_words(sorted(of))}, not {exercise}", path=path
        )
    return marks


def changed(pairs: Iterable[tuple[str, int | None, int | None]]) -> str:
    """Return a line on the marks that changed: of each student the earlier and the new ones."""
    found = [
        f"{student} {'-' if before is None else before} -> {'?' if now is None else now}"
        for student, before, now in pairs
        if student and before != now
    ]
    return f"{len(found)} changed: {'; '.join(found)}" if found else "no marks changed"


NO_MARKS = (None, "", "?")
"""The marks of a submission that this machine could not mark: in JSON, for nbgrader, in CSV."""

UNSAFE = re.compile(r"[^\w.@+-]")


class Pages:
    """The students' pages, HTML and text: files in a folder, or the zip that Moodle takes.

    Parameters
    ----------
    target
        The folder, which is made, or the zip.
    submissions
        The submissions.

    Raises
    ------
    InputError
        If the folder cannot be made, or no student has a number of Moodle for a zip.
    """

    def __init__(self, target: Path, submissions: Sequence[Submission]) -> None:
        self.target = target
        self._packed: dict[str, bytes] | None = None
        if target.suffix.lower() == archives.SUFFIX:
            self._packed = {}
            self._names = _moodle_folders(target, submissions)
        else:
            make_folder(target)
            self._names = _page_names(submissions)

    def write(self, number: int, marks: Any) -> None:
        """Write the pages of a submission, if it is a student's; in a zip when it is closed.

        Raises
        ------
        InputError
            If a file cannot be written.
        """
        if number not in self._names:
            return
        reports = renderers.reports()
        marks = replace(marks, notes=())
        for form, suffix in (("html", "html"), ("text", "txt")):
            data = reports.data(marks, form, "auto")
            head = f"{clip(marks.whose, 200)}\n".encode() if form == "text" else b""
            name = self._names[number]
            if self._packed is not None:
                self._packed[f"{name}/exercise-{marks.exercise}.{suffix}"] = head + data
            else:
                write_atomically(self.target / f"{name}.{suffix}", head + data)

    def close(self) -> None:
        """Write the zip, if it is one; raise `InputError` if it cannot be written."""
        if self._packed is not None:
            write_atomically(self.target, archives.pack(self._packed))


def _page_names(submissions: Sequence[Submission]) -> dict[int, str]:
    """Return the name of each student's page."""
    found: dict[int, str] = {}
    taken: set[str] = set()
    for number, one in enumerate(submissions):
        if not one.student:
            continue
        name = UNSAFE.sub("_", one.student).lstrip(".")[:100] or "_"
        while name.casefold() in taken:
            name += "_"
        taken.add(name.casefold())
        found[number] = name
    return found


def _moodle_folders(target: Path, submissions: Sequence[Submission]) -> dict[int, str]:
    """Return the folders of students as Moodle names them, ``Ana Adams_501_assignsubmission_file``.

    It takes the number between the first two underscores.
    """
    found: dict[int, str] = {}
    for number, one in enumerate(submissions):
        if one.person is not None and (identifier := one.person.moodle):
            name = re.sub(r"[_/\\]", " ", one.person.full or one.student)
            found[number] = f"{name}_{identifier}_assignsubmission_file"
    if not found:
        raise InputError(
            "a zip of pages is for Moodle, and no student has a number of its worksheet; give that "
            "file with --into or --roster, or name a folder",
            path=target,
        )
    return found
