"""Results of campaigns in a SQLite file: one row per run, safe once it is written."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from calmip._files import check_target, lock
from calmip._version import __version__
from calmip.errors import InputError, shown

__all__ = ["COLUMNS", "Store", "read_runs"]

VERSION = 1
"""Of the tables; raise it with every change of them."""

APPLICATION = 0x63616C6D
"""What SQLite keeps in the file's head, so that no other program's file is taken for one."""

COLUMNS = {
    "key": "TEXT PRIMARY KEY",
    "instance": "TEXT NOT NULL",
    "formulation": "TEXT NOT NULL",
    "goal": "TEXT NOT NULL",
    "solver": "TEXT NOT NULL",
    "version": "TEXT NOT NULL",
    "options": "TEXT NOT NULL",
    "seed": "INTEGER NOT NULL",
    "status": "TEXT NOT NULL",
    "correct": "INTEGER",
    "wall": "REAL NOT NULL",
    "cpu": "REAL",
    "memory": "INTEGER",
    "nodes": "INTEGER",
    "answer": "TEXT NOT NULL",
    "objective": "REAL",
    "bound": "REAL",
    "sense": "TEXT NOT NULL",
    "count": "INTEGER",
    "detail": "TEXT NOT NULL",
    "time_limit": "REAL NOT NULL",
    "memory_limit": "INTEGER",
    "model": "TEXT NOT NULL",
    "machine": "TEXT NOT NULL",
    "host": "TEXT NOT NULL",
    "overhead": "REAL",
    "calmip": "TEXT NOT NULL",
    "finished": "TEXT NOT NULL",
}
"""The columns of the table ``runs``: seconds, bytes, and times of day as ISO 8601 in UTC."""

REFERENCE = {"finished": "TEXT NOT NULL", "host": "TEXT NOT NULL", "wall": "REAL", "cpu": "REAL"}


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
        except BaseException:
            self.__exit__()
            raise

    def _make(self) -> None:
        runs = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
        reference = ", ".join(f"{name} {kind}" for name, kind in REFERENCE.items())
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
        """Return the keys of the runs that are there."""
        return {key for (key,) in self._base.execute("SELECT key FROM runs")}

    def add(self, run: Mapping[str, Any]) -> None:
        """Write a run; one that is there already stays as it is."""
        self._insert("runs", {name: run.get(name) for name in COLUMNS})

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


def read_runs(path: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the runs and the reference jobs in a file of results, in the order of their names.

    Raises
    ------
    InputError
        If there is no such file, or it is no database of results of this version.
    """
    if not path.is_file():
        raise InputError("no such file of results", path=shown(path, 200))
    with _complaints(path):
        base = _opened(path)
        try:
            _check(base, path)
            order = "instance, goal, formulation, solver, version, options, seed, key"
            runs = _rows(base, "runs", COLUMNS, order)
            reference = _rows(base, "reference", REFERENCE, "finished")
        finally:
            base.close()
    for run in runs:
        run["correct"] = None if run["correct"] is None else bool(run["correct"])
    return runs, reference


def _opened(path: Path) -> sqlite3.Connection:
    """Return a connection for reading, also where nothing can be written, as on a share."""
    # A file in WAL mode has two others beside it while it is open, unless it cannot change.
    written = path.with_name(f"{path.name}-wal").exists()
    if written or (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        return sqlite3.connect(path, isolation_level=None)
    return sqlite3.connect(f"{path.resolve().as_uri()}?immutable=1", uri=True)


def _rows(
    base: sqlite3.Connection, table: str, names: Mapping[str, str], order: str
) -> list[dict[str, Any]]:
    found = base.execute(f"SELECT {', '.join(names)} FROM {table} ORDER BY {order}")  # noqa: S608
    return [dict(zip(names, row, strict=True)) for row in found]


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
    except sqlite3.DatabaseError as error:
        raise InputError(
            f"cannot be used as a database of results: {error}", path=shown(path, 200)
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
