"""A class: its roster, and which file is whose.

A roster is a CSV file of the instructor's own, or an export of Canvas, Moodle or Gradescope.
The student of a file is known by its name or the nearest folder. In files downloaded from Canvas
or Moodle the platform's part of the name counts before that which the student chose.
"""

from __future__ import annotations

import csv
import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, time
from pathlib import Path

from calmip._base.errors import InputError, clip, join_words
from calmip._base.files import walk_folder
from calmip.course.archives import is_archive, members, time_of_member
from calmip.course.checks import MachineFault
from calmip.course.machine import fault_of_machine
from calmip.mip.files.text_source import read_source

NAME = re.compile(r"\w[\w.@+-]*")
"""A student's name, which is that of files as well."""

ID_COLUMNS = ("student", "student_id", "username", "sid", "id", "email", "email address")
"""The columns that may name the students; the first one present is used."""

PLATFORMS: tuple[tuple[str, ...], ...] = (
    ("sis user id", "sis login id", "id"),
    ("id number", "username", "email address"),
)
"""The columns that name the students in exports of Canvas and Moodle: where one is empty, the
next."""

FULL_NAMES = ("student", "name", "full name")
FIRST_NAMES, LAST_NAMES = ("first name", "first_name"), ("last name", "last_name", "surname")
EMAILS = ("email address", "email")
LOGINS = ("sis login id", "sis user id", "id number", "username", "sid", "student_id", "student")

NO_STUDENTS = ("points possible", "student, test")
"""The rows of an export of Canvas that are not students."""

CANVAS = re.compile(r"(?P<name>[^_]+)(?:_(?P<late>LATE))?_(?P<id>\d+)_\d+_(?P<own>.+)")
"""A file downloaded from Canvas: ``adamsana_LATE_123_456_s007``."""

MOODLE_ID = "moodle id "
"""What the key of a number in Moodle begins with."""

MOODLE = re.compile(r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_[a-z]+_?(?P<own>.*)")
"""A file or a folder downloaded from Moodle: ``Ana Adams_123_assignsubmission_file_s007``."""

COPY = re.compile(r"(?P<own>.+?) ?\((?P<number>\d{1,4})\)")
"""What browsers add to a name that is there already: ``s007 (1)``."""

AGAIN = re.compile(r"(?P<own>.+)-(?P<number>\d{1,3})")
"""What Canvas adds to the name of a further version: ``s007-1``."""

UNNAMED = ("starter", "answer", "main", "solution", "submission", "exercise", "untitled")
"""File names that name no student, besides those of the reference solutions (``2-pulp``)."""


@dataclass(frozen=True)
class Student:
    """A student of a roster.

    Parameters
    ----------
    name
        The name in every table: the one that no other student has.
    first, last, email
        As far as the roster has them.
    keys
        The further names by which files of learning platforms call the student.
    full
        The first name and the last, in the order in which they are spoken.
    """

    name: str
    first: str = ""
    last: str = ""
    email: str = ""
    keys: tuple[str, ...] = ()
    full: str = ""

    @property
    def moodle(self) -> str:
        """The number of Moodle's worksheet; empty if it is not known."""
        own = (key for key in self.keys if key.startswith(MOODLE_ID))
        return next(own, "").removeprefix(MOODLE_ID)


@dataclass(frozen=True)
class Submission:
    """A submitted file, and whose it is.

    Parameters
    ----------
    path
        The file; None for a student without one.
    fault
        Why it is not read; empty if it is.
    student
        The student's name; empty if no student of the roster is known to be its author.
    person
        The student on the roster, if there is one.
    time
        When the file was last written.
    notes
        What the instructor should know: earlier files of the same student, for example.
    sure
        Whether it names one student only.
    data
        What the file contains, once it has been read.
    lost
        Why this machine could not read it; empty if it could.
    """

    path: Path | None
    fault: str = ""
    student: str = ""
    person: Student | None = None
    time: datetime | None = None
    notes: tuple[str, ...] = ()
    sure: bool = True
    data: bytes | None = None
    lost: str = ""


def read_roster(path: Path) -> tuple[Student, ...]:
    """Return the students of a roster, in its order.

    Raises
    ------
    InputError
        If it cannot be read, has no column that names the students, or a name is empty,
        appears twice, or cannot be the name of a file.
    """
    lines = read_source(path).lines
    rows = csv.reader(lines, delimiter=delimiter_of(lines[0] if lines else ""))
    try:
        header = [" ".join(name.lower().split()) for name in next(rows)]
        choose = _chooser(header)
        if choose is None:
            raise InputError(
                f"a roster has a column named one of {join_words(ID_COLUMNS)}; or export it from "
                f"Canvas or Moodle, with SIS User ID or ID number; found {clip(','.join(header))}",
                path=path,
                line=1,
            )
        students: dict[str, Student] = {}
        for row in rows:
            cells = {
                name: cell.strip() for name, cell in reversed([*zip(header, row, strict=False)])
            }
            if not any(cells.values()) or _of_canvas(cells):
                continue
            name = unicodedata.normalize("NFC", choose(cells))
            if NAME.fullmatch(name) is None:
                raise InputError(
                    f"'{clip(name)}' cannot be the name of a student's file; use letters, "
                    "digits, and . _ - @ + after the first",
                    path=path,
                    line=rows.line_num,
                )
            if other := students.get(_key(name)):
                alike = "" if name == other.name else f", as '{other.name}'"
                remedy = "capitals and ß are not told from small letters and ss; write a number"
                message = f"'{name}' appears twice{alike and f'{alike}: {remedy}'}"
                raise InputError(message, path=path, line=rows.line_num)
            students[_key(name)] = _student(name, cells)
    except csv.Error as error:
        raise InputError(f"is not CSV: {error}", path=path, line=rows.line_num) from None
    if not students:
        raise InputError("there is no student on this roster", path=path)
    return tuple(students.values())


def delimiter_of(header: str) -> str:
    """Return what separates the cells of a CSV file with this first line."""
    return max(",;\t", key=header.count)


def moodle_id(identifier: str) -> str:
    """Return the key of ``Participant 501``, a student in Moodle; empty without a number."""
    number = re.fullmatch(r"\D*(\d+)", identifier)
    return f"{MOODLE_ID}{number[1]}" if number else ""


def _chooser(header: Sequence[str]) -> Callable[[dict[str, str]], str] | None:
    """Return what finds the name in a row; None if no column has it."""
    own = next((name for name in ID_COLUMNS if name in header), None)
    known = next((names for names in PLATFORMS if names[0] in header), None)
    if known is not None:
        return lambda cells: next(filter(None, (cells.get(name, "") for name in known)), "")
    return None if own is None else lambda cells: cells.get(own, "")


def _of_canvas(cells: dict[str, str]) -> bool:
    return "sis user id" in cells and cells.get("student", "").lower() in NO_STUDENTS


def _student(name: str, cells: dict[str, str]) -> Student:
    def one(names: Iterable[str]) -> str:
        return next(filter(None, (cells.get(each, "") for each in names)), "")

    first, last = one(FIRST_NAMES), one(LAST_NAMES)
    fulls = (cells.get(each, "") for each in FULL_NAMES)
    full = next((each for each in fulls if each not in ("", name)), "")
    before, comma, after = full.partition(",")
    if comma and not last:  # as Canvas sorts them
        last, first = before.strip(), after.strip()
    email = one(EMAILS)
    keys = {email, full, *(cells.get(each, "") for each in LOGINS)}
    if first and last:
        keys |= {f"{first} {last}", f"canvas {_squeeze(last + first)}"}
    elif full:
        keys.add(f"canvas {_squeeze(full)}")
    if "sis user id" in cells and cells.get("id"):
        keys.add(f"canvas id {cells['id']}")
    keys.add(moodle_id(cells.get("identifier", "")))
    spoken = f"{first} {last}".strip() or full
    return Student(name, first, last, email, tuple(sorted(map(_key, filter(None, keys)))), spoken)


def _key(text: str) -> str:
    return _exact(text.casefold())


def _exact(text: str) -> str:
    # Archives of macOS write é as two characters.
    return " ".join(unicodedata.normalize("NFC", text).split())


def _squeeze(text: str) -> str:
    """Return a name as Canvas writes it in a file's name."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFC", text).casefold()))


def find_submissions(
    paths: Iterable[Path],
    suffix: str | tuple[str, ...],
    students: Sequence[Student] | None = None,
    *,
    unnamed: Iterable[str] = (),
) -> list[Submission]:
    """Return a submission for each student, the last in time if there are several files.

    Without a roster they are sorted by the files' names. With one they are in its order, a
    student without a file among them, and the files of other persons come last.

    Parameters
    ----------
    paths
        Files, folders and zip archives: of a folder or an archive all files with the suffix at any
        depth, but hidden ones.
    suffix
        The suffix, or several.
    students
        The roster, if there is one.
    unnamed
        Further names of files that name no student.

    Raises
    ------
    MachineFault
        If this machine cannot read a folder.
    """
    paths = list(paths)
    every = {file[0]: file for path in paths for file in _files(path, suffix)}
    files = [every[path] for path in sorted(every)]
    same = _exact if students is None else _key  # "ss", "SS" and "\u00df" are three students
    owners: Iterable[tuple[str, Student | None, str]]
    if students is None:
        names = _names_by_files(files, {*UNNAMED, *unnamed})
        owners = [(name, None, "") for name in names]
    else:
        keys = keys_of(students)
        owners = [_owner(path, keys) for path, _, _ in files]
    groups: dict[str, list[Submission]] = {}
    for number, ((path, fault, given), (name, person, other_name)) in enumerate(
        zip(files, owners, strict=True)
    ):
        mark = CANVAS.fullmatch(path.stem)
        notes = ["Canvas marks it as late"] if mark and mark["late"] else []
        notes += [f"{clip(path, 200)} names {other_name} too"] if other_name else []
        moment, note = time_of(path, given)
        notes += [note] * bool(note)
        submission = Submission(path, fault, name, person, moment, tuple(notes), not other_name)
        groups.setdefault(same(name) or f"\0{number}", []).append(submission)
    last = [_last(group) for group in groups.values()]
    if students is None:
        return last
    by_name = {_key(one.student): one for one in last if one.student}
    missing = [student for student in students if _key(student.name) not in by_name]
    others = _others(paths, suffix, missing, keys_of(students)) if missing else {}
    for student in missing:
        fault = f"there is no file {suffix_words(suffix)} of this student"
        seen = ", ".join(clip(name, 100) for name in others.get(student.name, [])[:5])
        fault += f"; found {seen}" if seen else ""
        by_name[_key(student.name)] = Submission(None, fault, student.name, student)
    return [
        *(by_name[_key(student.name)] for student in students),
        *(one for one in last if not one.student),
    ]


def suffix_words(suffix: str | tuple[str, ...]) -> str:
    """Return one suffix or several in words."""
    return suffix if isinstance(suffix, str) else " or ".join(suffix)


def _others(
    paths: Iterable[Path],
    suffix: str | tuple[str, ...],
    missing: Iterable[Student],
    keys: dict[str, Student],
) -> dict[str, list[str]]:
    """Return the names of the files with other suffixes of students without a right one."""
    names = {one.name for one in missing}
    found: dict[str, list[str]] = {}
    for folder in paths:
        for path, _, _ in _files(folder, "") if folder.is_dir() or is_archive(folder) else ():
            name = _owner(path, keys)[0]
            if name in names and not path.name.lower().endswith(suffix):
                found.setdefault(name, []).append(path.name)
    return {name: sorted(files) for name, files in found.items()}


def _last(group: Sequence[Submission]) -> Submission:
    """Return the last of a student's files that can be read, with a note on the others."""
    *earlier, last = sorted(group, key=_order)
    if not earlier:
        return last
    when = "" if last.time is None else f", of {last.time:%Y-%m-%d %H:%M:%S}"
    places = [Path(*one.path.parts[-2:]) for one in earlier[-5:] if one.path is not None]
    names = ", ".join(clip(place, 100) for place in places)
    note = f"{len(group)} files; the last one counts{when}; not marked: {names}"
    return replace(last, notes=(*last.notes, note))


def _order(submission: Submission) -> tuple[bool, bool, float, int, str]:
    assert submission.path is not None
    match = COPY.fullmatch(submission.path.stem) or AGAIN.fullmatch(submission.path.stem)
    moment = submission.time.timestamp() if submission.time else 0.0
    copy = int(match["number"]) if match else 0
    return not submission.fault, submission.sure, moment, copy, str(submission.path)


STAMP = "timestamp.txt"
"""The file in which nbgrader keeps when it received a submission."""

COURSE = ("nbgrader_config.py", "gradebook.db")
"""What nbgrader has in the folder of a course, beside ``submitted/STUDENT/ASSIGNMENT``."""


def time_of(path: Path, given: Path | None = None) -> tuple[datetime | None, str]:
    """Return when a file was last written, or when nbgrader received it, and a note.

    A student may hand in a ``timestamp.txt``, so that only the one in nbgrader's own tree counts.

    Parameters
    ----------
    path
        The file.
    given
        The folder to grade in which it was found; None for a file that was named itself.
    """
    trusted = _stamp_of(path, Path.cwd() if given is None else given.absolute())
    if trusted is not None and (moment := _read_stamp(trusted)) is not None:
        return moment, ""
    written = time_of_member(path)
    with suppress(OSError, ValueError, OverflowError):
        written = datetime.fromtimestamp(os.lstat(path).st_mtime).astimezone()
    beside = path.absolute().parent / STAMP
    stated = None if trusted == beside else _read_stamp(beside)
    if stated is None or (written and abs(stated - written).total_seconds() < 1):
        return written, ""
    return written, f"{STAMP} beside it says {stated:%Y-%m-%d %H:%M:%S}, and is not nbgrader's own"


def _stamp_of(path: Path, folder: Path) -> Path | None:
    """Return nbgrader's time stamp of a file, if a folder or one above it is that of a course."""
    for root in (folder, *folder.parents):
        if any((root / name).is_file() for name in COURSE):
            with suppress(ValueError):
                parts = path.absolute().relative_to(root).parts
                if len(parts) > 3 and parts[0] == "submitted":
                    return Path(root, *parts[:3], STAMP)
    return None


def _read_stamp(stamp: Path) -> datetime | None:
    """Return the moment in nbgrader's file; None if it is not such a file."""
    with suppress(OSError, ValueError):
        if stamp.is_file() and not stamp.is_symlink() and stamp.stat().st_size < 100:
            day, *zone = stamp.read_text(encoding="utf-8").split()
            clock, *zone = zone
            if zone in ([], ["UTC"]):
                return datetime.fromisoformat(f"{day} {clock}+00:00").astimezone()
    return None


def parse_deadline(text: str) -> datetime:
    """Return the moment of a deadline; a date alone is its last second, in this machine's zone.

    Raises
    ------
    InputError
        If the text is neither a date nor a date and a time.
    """
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise InputError(
            f"the deadline is a date, or a date and a time, such as 2026-11-20 or "
            f"2026-11-20T18:00 or 2026-11-20T18:00+01:00; found '{clip(text)}'"
        ) from None
    if re.fullmatch(r"[\d-]+|\d+-?W[\d-]+", text.strip()):
        moment = datetime.combine(moment, time(23, 59, 59))
    return moment.astimezone()


def keys_of(students: Iterable[Student]) -> dict[str, Student]:
    """Return the students by all their names; one that two have is left out."""
    found: dict[str, Student | None] = {}
    every = list(students)
    for student in every:
        for key in student.keys:
            found[key] = student if found.get(key, student) is student else None
    names = {_key(student.name): student for student in every}
    return {key: student for key, student in found.items() if student is not None} | names


def student_by(names: Iterable[str], keys: Mapping[str, Student]) -> Student | None:
    """Return the student that one of some names means, by `keys_of`; None if none does."""
    return next((keys[_key(name)] for name in names if _key(name) in keys), None)


def _owner(path: Path, keys: dict[str, Student]) -> tuple[str, Student | None, str]:
    """Return the name of a file's student, the student, and the name of another that it names."""
    named = [keys[key] for key in _calls(path) if key in keys]
    if not named:
        return "", None, ""
    other = next((one.name for one in named if one is not named[0]), "")
    return named[0].name, named[0], other


def _calls(path: Path) -> Iterator[str]:
    """Yield the keys of a file: those of a platform, its name, and its folders, nearest first."""
    parts = (path.stem, *reversed(path.parent.parts))
    own: list[str] = []
    for part in parts:
        match = CANVAS.fullmatch(part)
        if match:
            yield f"canvas id {match['id']}"
            yield f"canvas {_squeeze(match['name'])}"
            own.append(match["own"])
            continue
        match = MOODLE.fullmatch(part)
        if match:
            yield f"{MOODLE_ID}{match['id']}"
            yield _key(match["name"])
            own.append(match["own"])
            continue
        own.append(part)
    for part in own:
        yield _key(part)
        for form in (COPY, AGAIN):
            match = form.fullmatch(part)
            if match:
                yield _key(match["own"])


def _names_by_files(
    files: Sequence[tuple[Path, str, Path | None]], unnamed: set[str]
) -> Iterator[str]:
    """Yield a name for each file, without a roster.

    That of a platform; else the file's own, or where several files have it the nearest folder
    whose name differs among them.
    """
    stems: list[str] = []
    for path, _, _ in files:
        match = CANVAS.fullmatch(path.stem) or MOODLE.fullmatch(path.stem)
        match = match or MOODLE.fullmatch(path.parent.name)
        copy = COPY.fullmatch(path.stem)
        stems.append(match["name"] if match else copy["own"] if copy else path.stem)
    groups: dict[str, set[Path]] = {}
    for (path, _, _), stem in zip(files, stems, strict=True):
        groups.setdefault(_key(stem), set()).add(path.parent)
    for (path, _, folder), stem in zip(files, stems, strict=True):
        group = groups[_key(stem)]
        inner = path.parent.name.lower() not in {"", *unnamed} and path.parent != folder
        if len(group) == 1 and not (inner and stem.lower() in unnamed):
            yield stem
            continue
        if len(group) == 1:
            yield path.parent.name
            continue
        levels = range(max(len(one.parts) for one in group))
        level = next((n for n in levels if len({_part(one, n) for one in group}) > 1), 0)
        yield _part(path.parent, level) or stem


def _part(folder: Path, level: int) -> str:
    """Return the name of the folder ``level`` levels above a folder, 0 for its own."""
    parts = folder.parts
    return parts[-1 - level] if level < len(parts) else ""


def _files(path: Path, suffix: str | tuple[str, ...]) -> Iterator[tuple[Path, str, Path | None]]:
    """Yield a file, or those of a folder with a suffix, why it is refused, and the folder."""
    if is_archive(path):
        yield from ((one, "", path) for one in members(path) if one.name.lower().endswith(suffix))
        return
    if not path.is_dir():
        yield path, "", None
        return
    for entry in walk_folder(path):
        named = (entry.filename or path) if isinstance(entry, OSError) else entry.path
        found = Path(os.fsdecode(named))
        # relative_to would compare the folder with all those above a file, each as a whole path.
        if any(part.startswith(".") for part in found.parts[len(path.parts) :]):
            continue
        if isinstance(entry, OSError):
            if why := fault_of_machine(entry):  # whose files are in it is not known
                raise MachineFault(f"{clip(found, 200)}: {why}")
            yield found, f"this folder cannot be read: {entry.strerror}", path
        elif entry.name.lower() == STAMP:
            continue
        elif entry.is_symlink():
            # Path.is_dir() raises an error where links lead in a circle.
            if entry.name.lower().endswith(suffix) or os.path.isdir(found):  # noqa: PTH112
                fault = "is a link, which is not followed; put the file itself here"
                yield found, fault, path
        elif entry.name.lower().endswith(suffix) and not entry.is_dir(follow_symlinks=False):
            regular = entry.is_file(follow_symlinks=False)
            yield found, "" if regular else "is not a regular file", path
