"""Results of campaigns in a SQLite file: one row per run, safe once it is written."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from calmip._files import check_target, lock
from calmip._version import __version__
from calmip.errors import InputError, listed, shown
from calmip.tasks.campaign.document import GOALS
from calmip.tasks.campaign.problems import STATUSES

__all__ = ["COLUMNS", "Store", "Stored", "read_runs"]

VERSION = 1
"""Of the tables; raise it with every change of them."""

APPLICATION = 0x63616C6D
"""What SQLite keeps in the file's head, so that no other program's file is taken for one."""


class _Kind(NamedTuple):
    """What a column may hold: its declaration, a test of a value, and that in words."""

    sql: str
    holds: Callable[[Any], bool]
    words: str


def _number(low: float, high: float) -> Callable[[Any], bool]:
    return lambda value: type(value) in (int, float) and low <= value <= high


def _whole(high: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and 0 <= value <= high


def _word(words: Collection[str]) -> _Kind:
    return _Kind("TEXT NOT NULL", lambda value: value in words, f"one of {listed(list(words))}")


def _or_nothing(kind: _Kind) -> _Kind:
    return _Kind(
        kind.sql.removesuffix(" NOT NULL"),
        lambda value: value is None or kind.holds(value),
        f"{kind.words}, or nothing",
    )


def _is_text(value: Any) -> bool:
    # What is no UTF-8 in the file has become half a surrogate pair.
    return type(value) is str and not any("\ud800" <= mark <= "\udfff" for mark in value)


TEXT = _Kind("TEXT NOT NULL", _is_text, "a text in UTF-8")
SECONDS = _Kind("REAL NOT NULL", _number(0, 1e9), "seconds from 0 on")
WHOLE = _Kind("INTEGER NOT NULL", _whole(2**62), "a whole number from 0 on")
FINITE = _Kind("REAL NOT NULL", _number(-1e300, 1e300), "a finite number")
TRUTH = _Kind("INTEGER NOT NULL", _whole(1), "0 or 1")

KINDS = {
    "key": TEXT._replace(sql="TEXT PRIMARY KEY"),
    "instance": TEXT,
    "formulation": TEXT,
    "goal": _word(GOALS),
    "solver": TEXT,
    "version": TEXT,
    "options": TEXT,
    "seed": _Kind("INTEGER NOT NULL", _whole(2**31), "a seed"),
    "status": _word(STATUSES),
    "correct": _or_nothing(TRUTH),
    "wall": SECONDS,
    "cpu": _or_nothing(SECONDS),
    "memory": _or_nothing(WHOLE),
    "nodes": _or_nothing(WHOLE),
    "answer": TEXT,
    "objective": _or_nothing(FINITE),
    "bound": _or_nothing(FINITE),
    "sense": _word(("min", "max")),
    "count": _or_nothing(WHOLE),
    "detail": TEXT,
    "time_limit": SECONDS,
    "memory_limit": _or_nothing(WHOLE),
    "model": TEXT,
    "machine": TEXT,
    "host": TEXT,
    "overhead": _or_nothing(FINITE),
    "calmip": TEXT,
    "finished": TEXT,
}

COLUMNS = {name: kind.sql for name, kind in KINDS.items()}
"""The columns of the table ``runs``: seconds, bytes, and times of day as ISO 8601 in UTC."""

REFERENCE = {
    "finished": TEXT,
    "host": TEXT,
    "wall": _or_nothing(SECONDS),
    "cpu": _or_nothing(SECONDS),
}

DOUBTS = "CREATE TABLE IF NOT EXISTS doubts (text TEXT PRIMARY KEY)"
"""Where an answer that was given, of a ``.solu`` file for example, is refuted."""


class Store:
    """The results in a file, open to be added to; use it in a ``with`` statement.

    Parameters
    ----------
    path
        The file; made if it is missing.

    Raises
    ------
    InputError
        If the file is no database of results, one of another version, or another
        campaign is writing to it.
    """

    def __init__(self, path: Path) -> None:
        check_target(path)
        self._path = path
        new = not path.exists() or path.stat().st_size == 0
        self._lock = _locked(path)
        self._base = sqlite3.connect(path, isolation_level=None)
        try:
            with _complaints(path):
                if new:
                    self._make()
                _check(self._base, path)
                self._base.execute("PRAGMA journal_mode = WAL")
                self._base.execute("PRAGMA synchronous = NORMAL")
                self._base.execute(DOUBTS)
                self._runs = _rows(self._base, path, "runs", KINDS)
        except BaseException:
            self.__exit__()
            raise

    def _make(self) -> None:
        runs = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
        reference = ", ".join(f"{name} {kind.sql}" for name, kind in REFERENCE.items())
        # All at once, for whoever is killed here leaves an empty file.
        self._base.executescript(
            f"BEGIN; PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION}; "
            f"CREATE TABLE runs ({runs}); CREATE TABLE reference ({reference}); COMMIT;"
        )

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self._base.close()
        self._lock.close()
        with contextlib.suppress(OSError):
            _lock_of(self._path).unlink()

    def keys(self) -> set[str]:
        """Return the keys of the runs that are there; one that got no processor is done again."""
        return {run["key"] for run in self._runs if run["status"] != "starved"}

    def add(self, run: Mapping[str, Any]) -> None:
        """Write a run; one that is there already stays as it is, unless it got no processor."""
        with _complaints(self._path):
            self._base.execute(
                "DELETE FROM runs WHERE key = ? AND status = 'starved'", [run["key"]]
            )
        self._insert("runs", {name: run.get(name) for name in COLUMNS})

    def add_doubt(self, text: str) -> None:
        """Write down that an answer that was given is refuted, and by what."""
        self._insert("doubts", {"text": text})

    def add_reference(self, job: Mapping[str, Any]) -> None:
        """Write what a reference job took."""
        self._insert("reference", {name: job.get(name) for name in REFERENCE})

    def _insert(self, table: str, row: Mapping[str, Any]) -> None:
        marks = ", ".join("?" * len(row))
        with _complaints(self._path):
            self._base.execute(
                f"INSERT OR IGNORE INTO {table} ({', '.join(row)}) VALUES ({marks})",  # noqa: S608
                list(row.values()),
            )


class Stored(NamedTuple):
    """What a file of results holds: runs, reference jobs, and given answers that are refuted."""

    runs: list[dict[str, Any]]
    reference: list[dict[str, Any]]
    doubts: list[str]


def read_runs(path: Path) -> Stored:
    """Return what a file of results holds, the runs in the order of their names.

    Raises
    ------
    InputError
        If there is no such file, it is no database of results of this version, or a row
        holds what no campaign writes.
    """
    if not path.is_file():
        raise InputError("no such file of results", path=shown(path, 200))
    with _complaints(path):
        base = _opened(path)
        try:
            _check(base, path)
            runs = _rows(base, path, "runs", KINDS)
            reference = _rows(base, path, "reference", REFERENCE)
            told = base.execute("SELECT name FROM sqlite_master WHERE name = 'doubts'").fetchone()
            doubts = _rows(base, path, "doubts", {"text": TEXT}) if told else []
        finally:
            base.close()
    order = ("instance", "goal", "formulation", "solver", "version", "options", "seed", "key")
    runs.sort(key=lambda run: [run[name] for name in order])
    reference.sort(key=lambda job: str(job["finished"]))
    for run in runs:
        run["correct"] = None if run["correct"] is None else bool(run["correct"])
        if run["status"] == "solved" and run["correct"] is None:
            run["status"] = "unverified"  # which older versions did not tell apart
    return Stored(runs, reference, sorted(str(doubt["text"]) for doubt in doubts))


def _opened(path: Path) -> sqlite3.Connection:
    """Return a connection for reading, also where nothing can be written, as on a share."""
    # A file in WAL mode has two others beside it while it is open, unless it cannot change.
    written = path.with_name(f"{path.name}-wal").exists()
    if written or (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        return sqlite3.connect(path, isolation_level=None)
    return sqlite3.connect(f"{path.resolve().as_uri()}?immutable=1", uri=True)


def _rows(
    base: sqlite3.Connection, path: Path, table: str, kinds: Mapping[str, _Kind]
) -> list[dict[str, Any]]:
    """Return the rows of a table, each value checked."""
    base.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
    found = base.execute(f"SELECT {', '.join(kinds)} FROM {table}")  # noqa: S608
    rows = [dict(zip(kinds, row, strict=True)) for row in found]
    for number, row in enumerate(rows, start=1):
        for name, kind in kinds.items():
            if not kind.holds(row[name]):
                which = f"run {shown(row['key'], 100)}" if "key" in row else f"row {number}"
                raise InputError(
                    f"{which} of the table {table} holds {shown(repr(row[name]))} as {name}; "
                    f"it is {kind.words}: the file is damaged, take a copy or do the campaign "
                    "again under another name",
                    path=shown(path, 200),
                )
    return rows


def _check(base: sqlite3.Connection, path: Path) -> None:
    (application,) = base.execute("PRAGMA application_id").fetchone()
    (version,) = base.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION:
        raise InputError(
            "is a database of another program, not one of results; choose another name",
            path=shown(path, 200),
        )
    if version != VERSION:
        raise InputError(
            f"holds results in version {version} of their tables; calmip {__version__} knows "
            f"version {VERSION}: read it with the calmip that wrote it, or choose another name",
            path=shown(path, 200),
        )


@contextlib.contextmanager
def _complaints(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError, OverflowError, MemoryError) as error:
        raise InputError(
            f"cannot be used as a database of results: {shown(error, 200)}", path=shown(path, 200)
        ) from None


def _lock_of(path: Path) -> Path:
    return path.with_name(path.name + ".lock")


def _locked(path: Path) -> Any:
    """Return an open file that is locked as long as this campaign lives, where there are locks."""
    file = _lock_of(path).open("ab")
    try:
        lock(file)
    except BlockingIOError:
        file.close()
        raise InputError(
            "another campaign is writing to this file; wait for its end, or choose another name",
            path=shown(path, 200),
        ) from None
    return file
