"""Mark answers to the exercises of the course."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from calmip._base.errors import InputError, SolverFailed
from calmip._base.limits import Limits, Progress
from calmip._base.shards import WHOLE, Shard, read_shard
from calmip.course.archives import is_archive
from calmip.course.assignments import write_sheets
from calmip.course.checks import Check
from calmip.course.class_marking import (
    Book,
    Marked,
    Pages,
    changed,
    earlier_marks,
    mark,
    mark_all,
    notes_on_copies,
    read_files,
    read_marks,
    unmarked,
)
from calmip.course.classroom import (
    Student,
    Submission,
    find_submissions,
    parse_deadline,
    read_roster,
    suffix_words,
)
from calmip.course.exercises import (
    EXERCISES,
    HANDED_IN,
    check_exercise,
    protection_of,
    solution_names,
    write_solutions,
)
from calmip.course.gradebook import Gradebook
from calmip.course.reference_audit import Audit, audit_reference
from calmip.course.references import read_reference
from calmip.course.sandbox import Protection, is_root, protection
from calmip.course.translations import ENGLISH, check_language, translate, translate_checks
from calmip.mip.status import Status
from calmip.puzzle.documents.serialise import describe_fields
from calmip.puzzle.files.chosen_options import read_column_names
from calmip.puzzle.tasks.interface import public
from calmip.puzzle.tasks.results import Result

__all__ = [
    "Audit",
    "ClassMarks",
    "Marks",
    "Written",
    "check_exercise",
    "grade",
    "grade_assign",
    "grade_files",
    "grade_folder",
    "grade_model",
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
        The checks, in order.
    file
        The submitted file; empty for a student without one.
    student
        The student: on the roster, or else as the file or its folder is named. Empty if the
        file belongs to no student of the roster.
    time
        When the file was last written.
    late
        The seconds after the deadline, 0 if it was met; None without a deadline or a file.
    before
        The marks of an earlier marking; None without one.
    notes
        What only the instructor should know.
    person
        The student's row on the roster.
    failed
        Whether this machine could not mark it, so that nothing is decided.
    sheet
        The member of a group whose puzzle it was marked by; empty without a group.
    language
        The language of the title and the checks, by its two letters.
    """

    KEYS = (
        "exercise",
        "title",
        "file",
        "student",
        "time",
        "late",
        "marks",
        "most",
        "before",
        "notes",
        "checks",
    )

    exercise: str
    title: str
    checks: tuple[Check, ...]
    file: str = ""
    student: str = ""
    time: datetime | None = None
    late: int | None = None
    before: int | None = None
    notes: tuple[str, ...] = ()
    person: Student | None = None
    failed: bool = False
    sheet: str = ""
    language: str = ENGLISH

    @property
    def whose(self) -> str:
        """The student, with the full name if the roster has it."""
        full = "" if self.person is None else self.person.full
        return f"{full} ({self.student})" if full else self.student

    @property
    def marks(self) -> int:
        """The earned marks."""
        return sum(check.marks for check in self.checks)

    @property
    def most(self) -> int:
        """The marks for a right answer."""
        return sum(check.worth for check in self.checks)

    @property
    def undecided(self) -> int:
        """The marks of checks that were not decided."""
        return sum(check.worth for check in self.checks if check.undecided)

    @property
    def status(self) -> Status:
        """Accepted for full marks, refused for fewer, unknown if only undecided ones lack.

        Failed if this machine could not mark the submission.
        """
        if self.failed:
            return Status.FAILED
        if self.marks == self.most:
            return Status.ACCEPTED
        return Status.UNKNOWN if self.marks + self.undecided == self.most else Status.REFUSED

    def describe(self) -> dict[str, Any]:
        """Return the marks as plain data, with the keys in their documented order."""
        checks = [
            {
                "what": check.what,
                "marks": check.marks,
                "most": check.worth,
                "passed": check.passed,
                "undecided": check.undecided,
                "fault": check.fault,
                "board": check.board,
            }
            for check in self.checks
        ]
        when = None if self.time is None else self.time.isoformat(timespec="seconds")
        keys = [key for key in self.KEYS if key != "checks"]
        found = describe_fields(self, keys) | {"time": when, "checks": checks}
        return found | {"marks": None} if self.failed else found

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
        The marks of each, in the order of the roster, or without one of the files' names.
    notes
        Notes on all of them.
    trouble
        What this machine could not write meanwhile.
    missing
        How many submissions other shards have to mark.
    shard
        The shard that is marked, without those of the others.
    """

    KEYS = ("exercise", "title", "submissions")

    exercise: str
    title: str
    submissions: tuple[Marks, ...]
    notes: tuple[str, ...] = ()
    trouble: tuple[str, ...] = ()
    missing: int = 0
    shard: Shard = WHOLE

    @property
    def _failed(self) -> bool:
        return bool(self.trouble) or any(one.failed for one in self.submissions)

    @property
    def unfinished(self) -> bool:
        """Whether another run has to mark or write the rest: other shards, or after a fault."""
        return self._failed or self.missing > 0

    @property
    def known(self) -> bool:
        """Whether there are the marks of all shards."""
        return not self.missing

    @property
    def status(self) -> Status:
        """Accepted if all have full marks, else refused; unknown if only undecided ones lack.

        Failed if this machine could not mark one, or could not write what it was to. Done if a
        shard is marked.
        """
        if self._failed:
            return Status.FAILED
        if self.missing:
            return Status.DONE
        found = {one.status for one in self.submissions}
        if Status.REFUSED in found:
            return Status.REFUSED
        return Status.UNKNOWN if Status.UNKNOWN in found else Status.ACCEPTED

    def __str__(self) -> str:
        if self.known:
            return super().__str__()
        done = len(self.submissions)
        marked = f"shard {self.shard}: {done} of {done + self.missing} submissions are marked"
        return "; ".join([marked, *self.notes])

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

    status = Status.DONE

    def _summary(self) -> str:
        return f"{len(self.files)} files"


def grade_assign(
    exercise: str,
    roster: Path | str,
    folder: Path | str,
    *,
    term: str = "",
    statement: bool = False,
) -> Written:
    """Draw a puzzle for each student, and write their sheets.

    The table assigned.csv in this folder keeps who has which puzzle. Students who are in it
    already keep theirs.

    Parameters
    ----------
    exercise
        The exercise's name.
    roster
        The CSV file of the class: with a column ``student``, or exported from Canvas or Moodle.
    folder
        Write the sheets to this folder, which is made if it is missing.
    term
        Draw other puzzles than for another TERM, which is any text.
    statement
        Add the statement of the exercise to each sheet.

    Raises
    ------
    InputError
        If the exercise is the same for all, the roster cannot be read, or a file cannot be
        written.
    """
    students = [one.name for one in read_roster(Path(roster))]
    return Written(write_sheets(exercise, students, Path(folder), term=term, whole=statement))


def grade_solutions(folder: Path | str) -> Written:
    """Write a correct answer to each exercise into a folder.

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
    roster: Path | None = None,
    assigned: Path | None = None,
    deadline: str | None = None,
    time_limit: float | None = None,
    workers: int = 1,
    before: Path | None = None,
    feedback: Path | None = None,
    into: Path | None = None,
    into_column: str | None = None,
    language: str = ENGLISH,
    journal: Path | None = None,
    resume: bool = False,
    shard: str | None = None,
    unprotected: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Marks | ClassMarks:
    """Mark a submitted file of an exercise of the course, or those of a class.

    A failed check shows a counter-example, drawn as a board. A Python file runs in a
    process of its own with limits of time and memory; its output is ignored. Several
    files, or a folder, give a table with a line for each student. The format csv has a column
    for every check, nbgrader has the columns of nbgrader's export, and gradescope is the file
    results.json of one submission.

    Parameters
    ----------
    exercise
        The exercise's name.
    files
        The submitted file, or files, folders and zip archives of a class.
    assigned
        Mark by the puzzles in this assigned.csv; grade assign wrote it beside the sheets.
    time_limit
        Stop each Python file after this many seconds; 60 by default.
    roster, deadline, workers, before, feedback, into, into_column, language, journal, resume, shard
        As for `grade_model`.
    unprotected
        As for `grade_model`.
    progress
        As for `grade_folder`.

    Raises
    ------
    InputError, SolverFailed
        As `grade` for one file, and `grade_folder` for several.
    """
    if into is None and is_one(files):
        return grade(
            exercise,
            files[0],
            time_limit=time_limit,
            roster=roster,
            assigned=assigned,
            deadline=deadline,
            before=before,
            feedback=feedback,
            language=language,
            progress=progress,
        )
    if before is None and journal is not None:
        before = _replaced(journal, exercise)
    return grade_folder(
        exercise,
        files,
        time_limit=time_limit,
        roster=roster,
        assigned=assigned,
        deadline=deadline,
        workers=workers,
        before=before,
        feedback=feedback,
        into=into,
        into_column=into_column,
        language=language,
        journal=journal,
        resume=resume,
        shard=shard,
        unprotected=unprotected,
        progress=progress,
    )


def _replaced(journal: Path, exercise: str) -> Path | None:
    """Return the file that the marks will replace, if it has marks of this exercise."""
    path = journal.with_name(journal.name.removesuffix(".part"))
    with suppress(InputError):
        return path if path.is_file() and read_marks(path, exercise) else None
    return None


def is_one(files: Sequence[Path]) -> bool:
    """Return whether these are a single submission, not those of a class."""
    return len(files) == 1 and not (files[0].is_dir() or is_archive(files[0]))


@public
def grade(
    exercise: str,
    path: Path | str,
    *,
    time_limit: float | None = None,
    roster: Path | str | None = None,
    assigned: Path | str | None = None,
    deadline: str | None = None,
    before: Path | str | None = None,
    feedback: Path | str | None = None,
    language: str = ENGLISH,
    progress: Callable[[Progress], None] | None = None,
) -> Marks:
    """Mark one submission.

    A Python file has limits of time and memory; its output is not read.

    Parameters
    ----------
    exercise
        The exercise's name, such as ``"2"``.
    path
        The submitted file; a Python file is run in a process of its own.
    time_limit
        The seconds for a Python file; 60 if None.
    roster
        The CSV file of the class. In an exercise that is drawn for each student the file is
        marked by its student's own puzzle.
    assigned
        The table of puzzles that `grade_assign` wrote; if None, they are drawn from the
        roster.
    deadline
        A date, or a date and a time; the file's own time is compared with it.
    before
        A file of earlier marks, CSV or JSON.
    feedback
        Write a page for the student to this folder, as HTML and as text.
    language
        Write feedback in this language.
    progress
        As for `calmip.solvers.Limits`. The latest one is the protection of this machine, if a
        program is run as root and nothing protects this machine from it.

    Raises
    ------
    InputError
        If there is no such exercise, or no such file, the time limit is not a
        number of seconds above 0, or the roster or another file cannot be read.
    SolverFailed
        If this machine fails, so that nothing is decided.
    """
    check_exercise(exercise)
    check_language(language)
    limits = Limits(time_limit, progress=progress)
    book = _book(exercise, roster, assigned)
    return _grade_one(
        exercise,
        Path(path),
        book,
        limits,
        protection_of(exercise),
        deadline=deadline,
        before=before,
        feedback=feedback,
        language=language,
    )


def _grade_one(
    exercise: str,
    path: Path,
    book: Book,
    limits: Limits,
    protected: Protection | None,
    *,
    deadline: str | None,
    before: Path | str | None,
    feedback: Path | str | None,
    language: str,
) -> Marks:
    if protected is not None and not protected and is_root():
        limits.report(0, latest=protected)
    sheet = _sheet(exercise, book, deadline, before, language)
    (one,) = _find(exercise, [path], book, missing=False)
    assert one.path is not None
    outcome = unmarked(one, book) or mark(exercise, one.path, limits.time_limit, book, one.student)
    marks = sheet(one, outcome)
    if feedback is not None:
        pages = Pages(Path(feedback), [one])
        pages.write(0, marks)
        pages.close()
    return marks


@public
def grade_folder(
    exercise: str,
    paths: Iterable[Path | str],
    *,
    time_limit: float | None = None,
    roster: Path | str | None = None,
    assigned: Path | str | None = None,
    deadline: str | None = None,
    workers: int = 1,
    before: Path | str | None = None,
    feedback: Path | str | None = None,
    into: Path | str | None = None,
    into_column: str | None = None,
    language: str = ENGLISH,
    journal: Path | str | None = None,
    resume: bool = False,
    shard: str | None = None,
    unprotected: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> ClassMarks:
    """Mark the submissions of a class, each by itself: of every student the last in time.

    All files are read before the first program runs. A file that cannot be read has no marks,
    nor has a link or a folder that cannot be read. Where this machine fails, nothing is decided:
    the result is `Status.FAILED`, and what was not marked is marked again with ``resume``.
    With a roster, each student has a row, and so has each file of another person.

    Parameters
    ----------
    exercise, time_limit, roster, assigned, deadline, before
        As for `grade`.
    paths
        Files, folders and zip archives: of these all files with one of the exercise's suffixes
        (`calmip.course.exercises.HANDED_IN`) at any depth, but hidden ones.
    workers
        Mark this many submissions at the same time.
    feedback
        Write HTML and text for each student to this folder; to NAME.zip for Moodle.
    into, into_column
        A CSV file of Moodle or Canvas, and its column, into which the marks are filled
        (`calmip.course.gradebook`).
    language
        Write feedback in this language.
    journal
        Keep finished submissions in this file.
    resume
        Whether to take finished submissions from the journal, if the files are the same.
    shard
        Mark part I of N of the submissions, as of `grade_model`.
    unprotected
        Whether to run programs as root where nothing protects this machine from them
        (`calmip.course.sandbox.Protection`).
    progress
        As for `calmip.solvers.Limits`. The latest one is the protection of this machine,
        if programs are run, and then the marks of each submission.

    Raises
    ------
    InputError
        As `grade`, if there is no file, or if programs were to be run as root without
        protection.
    SolverFailed
        If this machine fails for every submission; no student has marks then.
    """
    check_exercise(exercise)
    check_language(language)
    limits = Limits(time_limit, workers=workers, progress=progress)
    protection = protection_of(exercise)
    book = _book(exercise, roster, assigned, into)
    return _grade_many(
        exercise,
        map(Path, paths),
        book,
        limits,
        protection,
        deadline=deadline,
        before=before,
        feedback=feedback,
        language=language,
        gradebook=_gradebook(into, book, into_column),
        journal=journal,
        resume=resume,
        shard=read_shard(shard),
        unprotected=unprotected,
    )


def _check_protection(protection: Protection | None, *, unprotected: bool) -> None:
    """Raise `InputError` if programs of a class would run as root without protection."""
    if protection is not None and not protection and is_root() and not unprotected:
        raise InputError(
            "these programs would run as root, and nothing protects this machine from them: "
            "install bubblewrap (apt install bubblewrap), run calmip grade as another user or in a "
            "container, or choose --unprotected"
        )


def _grade_many(
    exercise: str,
    paths: Iterable[Path],
    book: Book,
    limits: Limits,
    protected: Protection | None,
    *,
    deadline: str | None,
    before: Path | str | None,
    feedback: Path | str | None,
    language: str,
    gradebook: Gradebook | None,
    journal: Path | str | None,
    resume: bool,
    shard: Shard,
    unprotected: bool,
) -> ClassMarks:
    if protected is not None:
        limits.report(0, latest=protected)
    sheet = _sheet(exercise, book, deadline, before, language)
    paths = list(paths)
    submissions = _find(exercise, paths, book)
    _check_protection(protected, unprotected=unprotected)
    submissions = read_files(exercise, submissions, paths, book)
    pages = None if feedback is None else Pages(Path(feedback), submissions)
    copies = notes_on_copies(submissions)
    done: dict[int, Marks] = {}
    failed: list[SolverFailed] = []
    marked = False
    trouble: list[str] = []
    journal_path = None if journal is None else Path(journal)
    for number, outcome in mark_all(
        exercise,
        submissions,
        book,
        limits,
        journal_path,
        resume=resume,
        shard=shard,
        trouble=trouble.append,
    ):
        marks = sheet(submissions[number], outcome)
        done[number] = replace(marks, notes=(*marks.notes, *copies[number]))
        failed += [outcome.failed] if outcome.failed is not None else []
        marked = marked or (outcome.failed is None and unmarked(submissions[number], book) is None)
        if pages is not None and not marks.failed:
            try:
                pages.write(number, marks)
            except InputError as error:
                trouble.append(str(error))
        limits.report(len(done), len(submissions), latest=done[number])
    if failed and not marked:
        raise failed[0]
    if pages is not None:
        try:
            pages.close()
        except InputError as error:
            trouble.append(str(error))
    rows = tuple(done[number] for number in sorted(done))
    notes = [*book.notes, *trouble]
    if before is not None:
        notes.append(
            changed((one.student, one.before, None if one.failed else one.marks) for one in rows)
        )
    missing = len(submissions) - len(done)
    if gradebook is not None and missing:
        notes.append(f"{gradebook.path} is filled when the other shards are marked, too")
    elif gradebook is not None:
        final = {
            one.student: None if one.failed or one.undecided else one.checks
            for one in rows
            if one.person is not None
        }
        try:
            notes.append(gradebook.fill(final, language))
        except InputError as error:
            trouble.append(str(error))
            notes.append(str(error))
    title = _title(exercise, book)
    return ClassMarks(exercise, title, rows, tuple(notes), tuple(trouble), missing, shard)


@public
def grade_model(
    reference: Path | str,
    files: Sequence[Path] = (),
    *,
    audit: bool = False,
    data: Path | str | None = None,
    names: Mapping[str, str] | Path | str | None = None,
    match: bool = False,
    columns: Sequence[str] = (),
    roster: Path | str | None = None,
    deadline: str | None = None,
    time_limit: float | None = None,
    workers: int = 1,
    before: Path | str | None = None,
    feedback: Path | str | None = None,
    into: Path | str | None = None,
    into_column: str | None = None,
    language: str = ENGLISH,
    journal: Path | str | None = None,
    resume: bool = False,
    shard: str | None = None,
    unprotected: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Marks | ClassMarks | Audit:
    """Mark models of your own assignment against a reference.

    The reference is a Python file whose function build(data) returns a model of PuLP, Pyomo,
    highspy, Gurobi or SCIP, and so are the submissions; or all are MPS or LP files. For each
    data set, the solutions and the objective are compared in exact numbers, whatever the
    formulation. A difference is shown by a point in the student's own names. What was not
    decided in time has a mark of its own, ?.

    Parameters
    ----------
    reference
        The Python file or the model file.
    files
        The submitted file, or files and folders of a class.
    audit
        Mark nothing, but list the faults in the reference's rules that no data set tells.
    data
        Take the data sets from this JSON file, or from the JSON files of this folder; by default
        DATA in the Python file.
    names
        Pair variables of other names, by a file of lines REFERENCE,SUBMISSION or as a mapping. A
        ``*`` in both stands for the same text.
    match
        Accept any names if a renaming makes the two models equal.
    columns
        Compare these variables of the reference alone, such as x*; by default all of them.
    roster
        Take the students from this CSV file; your own, or an export of Canvas or Moodle.
    deadline
        Note files written after this date, or date and time.
    time_limit
        Stop each Python file and each comparison after this many seconds; 60 and 20 by default.
    workers
        Mark this many submissions at once.
    before
        Show which marks changed since this file of marks; CSV or JSON, by default since -o FILE.
    feedback
        Write HTML and text for each student to this folder; to NAME.zip for Moodle.
    into
        Fill the marks into this file of Moodle or Canvas; Moodle's gets the faults, too. It is
        the roster if there is no other.
    into_column
        Fill this column of the file; by default Moodle's Grade.
    language
        Write feedback in this language.
    journal
        Keep finished submissions in this file.
    resume
        Continue an interrupted marking from FILE.part.
    shard
        Mark part I of N; a scheduler's variable may give I. The files of all
        shards that end in .part, joined by ``cat``, are that of the class.
    unprotected
        Run the programs of a class as root, unprotected.
    progress
        As for `grade_folder`.

    Raises
    ------
    InputError
        As `grade_folder`, or if the reference has no model of a data set.
    SolverFailed
        If programs cannot be run on this machine; no student has marks then.
    """
    check_language(language)
    limits = Limits(time_limit, workers=workers, progress=progress)
    paths = [Path(one) for one in files]
    if audit and paths:
        raise InputError("an audit is of the reference alone; leave out the files", path=paths[0])
    if not (audit or paths):
        raise InputError("there is no file to grade; name one, or a folder")
    mapping = read_column_names(Path(names)) if isinstance(names, (str, Path)) else names
    model = read_reference(
        Path(reference),
        None if data is None else Path(data),
        names=mapping,
        match=match,
        columns=columns,
        time_limit=time_limit,
    )
    if audit:
        return audit_reference(model, Path(reference), time_limit)
    exercise = model.name
    book = replace(_book("", roster, None, into), reference=model)
    protected = protection("models") if model.programs else None
    if into is None and is_one(paths):
        return _grade_one(
            exercise,
            paths[0],
            book,
            limits,
            protected,
            deadline=deadline,
            before=before,
            feedback=feedback,
            language=language,
        )
    if before is None and journal is not None:
        before = _replaced(Path(journal), exercise)
    return _grade_many(
        exercise,
        paths,
        book,
        limits,
        protected,
        deadline=deadline,
        before=before,
        feedback=feedback,
        language=language,
        gradebook=_gradebook(into, book, into_column),
        journal=journal,
        resume=resume,
        shard=read_shard(shard),
        unprotected=unprotected,
    )


def _gradebook(into: Path | str | None, book: Book, column: str | None) -> Gradebook | None:
    return None if into is None else Gradebook.read(Path(into), book.students or (), column)


def _book(
    exercise: str,
    roster: Path | str | None,
    assigned: Path | str | None,
    into: Path | str | None = None,
) -> Book:
    """Return the class; that of a gradebook, whose puzzles are not drawn, without another one."""
    if roster is None and assigned is None and into is not None:
        return Book(read_roster(Path(into)))
    return Book.read(
        exercise,
        None if roster is None else Path(roster),
        None if assigned is None else Path(assigned),
    )


def _title(exercise: str, book: Book) -> str:
    return EXERCISES[exercise] if book.reference is None else book.reference.title


def _sheet(
    exercise: str,
    book: Book,
    deadline: str | None,
    before: Path | str | None,
    language: str,
) -> Callable[[Submission, Marked], Marks]:
    """Return what makes the marks of a submission from its outcome."""
    end = None if deadline is None else parse_deadline(deadline)
    earlier = (lambda _: None) if before is None else earlier_marks(Path(before), exercise)

    def sheet(submission: Submission, outcome: Marked) -> Marks:
        late = None if end is None or submission.time is None else submission.time - end
        return Marks(
            exercise,
            translate(_title(exercise, book), language),
            translate_checks(outcome.checks, language),
            "" if submission.path is None else str(submission.path),
            submission.student,
            submission.time,
            None if late is None else max(0, math.ceil(late.total_seconds())),
            earlier(submission.student),
            (*submission.notes, *outcome.notes),
            submission.person,
            outcome.failed is not None,
            language=language,
        )

    return sheet


def _find(
    exercise: str, paths: Iterable[Path], book: Book, *, missing: bool = True
) -> list[Submission]:
    """Return the submissions of a class, at least one; without ``missing`` those with a file."""
    suffix = HANDED_IN[exercise] if book.reference is None else book.reference.suffixes
    found = find_submissions(paths, suffix, book.students, unnamed=solution_names())
    if not any(one.path for one in found):
        raise InputError(f"there is no file {suffix_words(suffix)} to grade")
    return [one for one in found if missing or one.path is not None]
