"""The results of campaigns in a SQLite file: one row per run, safe once it is written."""

from __future__ import annotations

import contextlib
import os
import re
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from calmip._base.errors import InputError, clip, join_words
from calmip._base.files import check_target, lock
from calmip._base.version import __version__
from calmip.bench.campaign.campaign_file import GOALS, SETTINGS
from calmip.bench.campaign.jobs import STATUSES

SCHEMA_VERSION = 2
"""The version of the tables, to be raised with every change of them."""

APPLICATION_ID = 0x63616C6D
"""The number in the head of a SQLite file that marks it as a file of results."""


SIDES = ("", "before", "after")
"""The sides of a campaign in pairs; a run of another campaign has none."""


class _Kind(NamedTuple):
    """The values of a column: its declaration, a test of a value, and the words for a message."""

    sql: str
    holds: Callable[[Any], bool]
    words: str


def _number(sql: str, low: float, high: float, words: str) -> _Kind:
    types = (int,) if sql == "INTEGER" else (int, float)
    return _Kind(f"{sql} NOT NULL", lambda v: type(v) in types and low <= v <= high, words)


def _word(words: Collection[str]) -> _Kind:
    return _Kind("TEXT NOT NULL", lambda value: value in words, f"one of {join_words(words)}")


def _or_null(kind: _Kind) -> _Kind:
    return _Kind(
        kind.sql.removesuffix(" NOT NULL"),
        lambda value: value is None or kind.holds(value),
        f"{kind.words}, or nothing",
    )


def _is_text(value: Any) -> bool:
    # Bytes that are not UTF-8 in the file have become halves of surrogate pairs.
    return type(value) is str and (value.isascii() or SURROGATE.search(value) is None)


SURROGATE = re.compile("[\ud800-\udfff]")

TEXT = _Kind("TEXT NOT NULL", _is_text, "a text in UTF-8")
SECONDS = _number("REAL", 0, 1e9, "seconds from 0 on")
WHOLE = _or_null(_number("INTEGER", 0, 2**62, "a whole number from 0 on"))
FINITE = _or_null(_number("REAL", -1e300, 1e300, "a finite number"))

KINDS = {
    "key": TEXT._replace(sql="TEXT PRIMARY KEY"),
    "instance": TEXT,
    "formulation": TEXT,
    "goal": _word(GOALS),
    "solver": TEXT,
    "version": TEXT,
    "settings": _word(SETTINGS),
    "chosen": TEXT,
    "options": TEXT,
    "seed": _number("INTEGER", 0, 2**31, "a seed"),
    "status": _word(STATUSES),
    "correct": _or_null(_number("INTEGER", 0, 1, "0 or 1")),
    "wall": SECONDS,
    "cpu": _or_null(SECONDS),
    "start_wall": _or_null(SECONDS),
    "start_cpu": _or_null(SECONDS),
    "waited": _or_null(SECONDS),
    "memory": WHOLE,
    "nodes": WHOLE,
    "answer": TEXT,
    "objective": FINITE,
    "bound": FINITE,
    "sense": _word(("min", "max")),
    "count": WHOLE,
    "detail": TEXT,
    "time_limit": SECONDS,
    "cpu_limit": _or_null(SECONDS),
    "memory_limit": WHOLE,
    "side": _word(SIDES),
    "round": _number("INTEGER", 0, 10**9, "a number of a round"),
    "model": TEXT,
    "machine": TEXT,
    "host": TEXT,
    "overhead": FINITE,
    "calmip": TEXT,
    "finished": TEXT,
}

ADDED: dict[str, str] = {
    # Then HiGHS, CBC and GLPK had calmip's options, and no other solver.
    "settings": "CASE WHEN solver IN ('highs', 'cbc', 'glpk') THEN 'calmip' ELSE 'stock' END",
    "chosen": "options",
    "start_wall": "NULL",
    "start_cpu": "NULL",
    "waited": "NULL",
    "cpu_limit": "NULL",
    "side": "''",
    "round": "0",
}
"""The columns that version 1 did not have, and their values for its runs."""

COLUMNS = {name: kind.sql for name, kind in KINDS.items()}
"""The columns of the table ``runs``: seconds, bytes, and times of day as ISO 8601 in UTC."""

REFERENCE = {
    "finished": TEXT,
    "host": TEXT,
    "wall": _or_null(SECONDS),
    "cpu": _or_null(SECONDS),
}

DOUBTS = "CREATE TABLE IF NOT EXISTS doubts (text TEXT PRIMARY KEY)"
"""The table of answers, of a ``.solu`` file for example, that a run refutes."""


LOGS = "CREATE TABLE IF NOT EXISTS logs (key TEXT PRIMARY KEY, log BLOB NOT NULL)"
"""The table of the solvers' logs, compressed, by the keys of their runs."""

TAGS = "CREATE TABLE IF NOT EXISTS tags (instance TEXT, tag TEXT, PRIMARY KEY (instance, tag))"
"""The table of the instances' tags, those of the latest campaign."""

AMOUNT = _number("INTEGER", 0, 2**62, "a whole number from 0 on")

WORK = {
    "solver": TEXT,
    **dict.fromkeys(("planned", "kept", "done", "running", "solved", "wrong", "workers"), AMOUNT),
    "seconds": SECONDS,
    "started": TEXT,
    "updated": TEXT,
}
"""The columns of the table ``work``: how far the latest campaign is, a row for each solver.

Of the planned runs, those are ``kept`` that were done before, and are among those ``done``.
``seconds`` are those of the others.
"""

FULL = ("SQLITE_FULL", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_SHMSIZE")
"""The errors of a full disk."""

ORDER = (
    "instance",
    "goal",
    "formulation",
    "solver",
    "version",
    "settings",
    "options",
    "seed",
    "round",
    "side",
    "key",
)
"""The columns by which runs are sorted."""

LOG = _Kind("BLOB NOT NULL", lambda value: type(value) is bytes, "a compressed log")


def _table(name: str, kinds: Mapping[str, _Kind]) -> str:
    columns = ", ".join(f"{column} {kind.sql}" for column, kind in kinds.items())
    return f"CREATE TABLE IF NOT EXISTS {name} ({columns})"


class Store:
    """The results in a file, made if it is missing, to which runs are added; a context manager.

    Raises
    ------
    InputError
        If the file is not a database of results, one of another version, or another
        campaign is writing to it.
    """

    def __init__(self, path: Path) -> None:
        check_target(path)
        self._path = path
        self._new = new = not path.exists() or path.stat().st_size == 0
        self._lock = _lock(path)
        self._base = sqlite3.connect(path, isolation_level=None)
        try:
            with _complaints(path):
                if new:
                    self._make()
                if _check(self._base, path) == 1:
                    self._convert()
                self._base.execute("PRAGMA journal_mode = WAL")
                self._base.execute("PRAGMA synchronous = NORMAL")
                self._base.execute(DOUBTS)
                self._base.execute(LOGS)
                self._base.execute(TAGS)
                self._base.execute(_table("work", WORK))
                self._runs = _rows(self._base, path, "runs", KINDS)
        except BaseException as error:
            self.__exit__(type(error))
            raise

    def _make(self) -> None:
        """Make the tables in one transaction, so that a process that is killed leaves no file."""
        runs, reference = (
            ", ".join(f"{name} {kind.sql}" for name, kind in kinds.items())
            for kinds in (KINDS, REFERENCE)
        )
        self._base.executescript(
            f"BEGIN; PRAGMA application_id = {APPLICATION_ID}; "
            f"PRAGMA user_version = {SCHEMA_VERSION}; "
            f"CREATE TABLE runs ({runs}); CREATE TABLE reference ({reference}); COMMIT;"
        )

    def _convert(self) -> None:
        """Give the runs of version 1 the columns of this version, in one transaction."""
        runs = ", ".join(f"{name} {kind.sql}" for name, kind in KINDS.items())
        self._base.executescript(
            f"BEGIN; ALTER TABLE runs RENAME TO old; CREATE TABLE runs ({runs}); "  # noqa: S608
            f"INSERT INTO runs ({', '.join(KINDS)}) SELECT {_expressions(1)} FROM old; "
            f"DROP TABLE old; PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
        )

    def __enter__(self) -> Store:
        return self

    def __exit__(self, kind: type | None = None, *_: object) -> None:
        refused = False
        with contextlib.suppress(sqlite3.Error):
            empty = self._base.execute("SELECT 1 FROM runs").fetchone() is None
            refused = self._new and empty and kind is not None
        self._base.close()
        with contextlib.suppress(OSError):
            if refused:  # a campaign that begins with an error leaves no file
                self._path.unlink()
        self._lock.close()
        with contextlib.suppress(OSError):
            _lock_of(self._path).unlink()

    def keys(self) -> set[str]:
        """Return the keys of the stored runs, except those that got no processor."""
        return {run["key"] for run in self._runs if run["status"] != "starved"}

    def runs_of(self, keys: Collection[str]) -> list[dict[str, Any]]:
        """Return the runs that had these keys when the file was opened."""
        return [run for run in self._runs if run["key"] in keys]

    def add(self, run: Mapping[str, Any]) -> None:
        """Write a run, which replaces one of the same key only if that got no processor."""
        with _complaints(self._path):
            self._base.execute(
                "DELETE FROM runs WHERE key = ? AND status = 'starved'", [run["key"]]
            )
        self._insert("runs", {name: run.get(name) for name in COLUMNS})

    def add_log(self, key: str, log: bytes) -> None:
        """Write the log of a run, which replaces that of an earlier run with the same key."""
        with _complaints(self._path):
            self._base.execute("DELETE FROM logs WHERE key = ?", [key])
        self._insert("logs", {"key": key, "log": log})

    def set_tags(self, tags: Mapping[str, Collection[str]]) -> None:
        """Replace the tags of instances."""
        with _complaints(self._path):
            self._base.executemany("DELETE FROM tags WHERE instance = ?", ([one] for one in tags))
        for instance, own in tags.items():
            for tag in own:
                self._insert("tags", {"instance": instance, "tag": tag})

    def add_doubt(self, text: str) -> None:
        """Write the refutation of a given answer."""
        self._insert("doubts", {"text": text})

    def add_reference(self, job: Mapping[str, Any]) -> None:
        """Write the times of a reference job."""
        self._insert("reference", {name: job.get(name) for name in REFERENCE})

    def set_work(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Write how far the campaign is, a row for each solver, for those who wait for it."""
        with _complaints(self._path):
            self._base.execute("BEGIN")
            self._base.execute("DELETE FROM work")
            for row in rows:
                self._insert("work", row)
            self._base.execute("COMMIT")

    def put(self, stored: Stored) -> None:
        """Write all runs, reference jobs, logs, tags and doubts, in one transaction."""
        with _complaints(self._path):
            self._base.execute("BEGIN")
            self._base.execute("DELETE FROM reference")
            for run in stored.runs:
                self._base.execute("DELETE FROM runs WHERE key = ?", [run["key"]])
                self._insert("runs", {name: run.get(name) for name in COLUMNS})
            for job in stored.reference:
                self.add_reference(job)
            for text in stored.doubts:
                self.add_doubt(text)
            for key, log in stored.logs.items():
                self.add_log(key, log)
            self.set_tags({name: {*tags} for name, tags in stored.tags.items()})
            self._base.execute("COMMIT")

    def _insert(self, table: str, row: Mapping[str, Any]) -> None:
        marks = ", ".join("?" * len(row))
        with _complaints(self._path):
            self._base.execute(
                f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks}) "  # noqa: S608
                "ON CONFLICT DO NOTHING",
                list(row.values()),
            )


class Stored(NamedTuple):
    """The contents of a file: runs, reference jobs, refutations of answers, packed logs, tags."""

    runs: list[dict[str, Any]]
    reference: list[dict[str, Any]]
    doubts: list[str]
    logs: dict[str, bytes]
    tags: dict[str, tuple[str, ...]]


def read_work(path: Path) -> list[dict[str, Any]]:
    """Return how far the latest campaign of a file is, a row for each solver.

    Raises
    ------
    InputError
        As `read_runs`.
    """
    with _reading(path) as (base, _):
        return _rows(base, path, "work", WORK) if "work" in _tables(base) else []


@contextlib.contextmanager
def _reading(path: Path) -> Iterator[tuple[sqlite3.Connection, int]]:
    """Yield a connection to a file of results, and the version of its tables."""
    if not path.is_file():
        raise InputError("no such file of results", path=clip(path, 200))
    with _complaints(path):
        base = _connect(path)
        try:
            yield base, _check(base, path)
        finally:
            base.close()


def _tables(base: sqlite3.Connection) -> set[str]:
    return {name for (name,) in base.execute("SELECT name FROM sqlite_master")}


def read_runs(path: Path) -> Stored:
    """Return the contents of a file of results, the runs in the order of their names.

    Raises
    ------
    InputError
        If there is no such file, it is not a database of results of this version, or a
        row is not one of a campaign.
    """
    with _reading(path) as (base, version):
        runs = _rows(base, path, "runs", KINDS, version)
        reference = _rows(base, path, "reference", REFERENCE)
        tables = _tables(base)
        doubts = _rows(base, path, "doubts", {"text": TEXT}) if "doubts" in tables else []
        logs = _rows(base, path, "logs", {"key": TEXT, "log": LOG}) if "logs" in tables else []
        pairs = {"instance": TEXT, "tag": TEXT}
        tagged = _rows(base, path, "tags", pairs) if "tags" in tables else []
    in_order(runs)
    reference.sort(key=lambda job: str(job["finished"]))
    for run in runs:
        run["correct"] = None if run["correct"] is None else bool(run["correct"])
        if run["status"] == "solved" and run["correct"] is None:
            run["status"] = "unverified"  # older versions did not distinguish it
    texts = sorted(str(doubt["text"]) for doubt in doubts)
    tags: dict[str, tuple[str, ...]] = {}
    for row in sorted(tagged, key=lambda row: str(row["tag"])):
        tags[row["instance"]] = (*tags.get(row["instance"], ()), row["tag"])
    return Stored(runs, reference, texts, {row["key"]: row["log"] for row in logs}, tags)


def in_order(runs: list[dict[str, Any]]) -> None:
    """Sort runs by their names."""
    runs.sort(key=lambda run: [run[name] for name in ORDER])


def _connect(path: Path) -> sqlite3.Connection:
    """Return a read-only connection, which also works in a folder without write access."""
    # A file in WAL mode has two others beside it while it is open, unless it cannot change.
    written = path.with_name(f"{path.name}-wal").exists()
    if written or (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        return sqlite3.connect(path, isolation_level=None)
    return sqlite3.connect(f"{path.resolve().as_uri()}?immutable=1", uri=True)


def _rows(
    base: sqlite3.Connection,
    path: Path,
    table: str,
    kinds: Mapping[str, _Kind],
    version: int = SCHEMA_VERSION,
) -> list[dict[str, Any]]:
    """Return the rows of a table, each value checked."""
    base.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
    what = _expressions(version) if table == "runs" else ", ".join(kinds)
    found = base.execute(f"SELECT {what} FROM {table}")  # noqa: S608
    rows = list(found)
    for (name, kind), column in zip(kinds.items(), zip(*rows, strict=True), strict=bool(rows)):
        # Most columns have few values; 1 and 1.0 are two.
        for _, value in {*zip(map(type, column), column, strict=True)}:
            if not kind.holds(value):
                number = next(n for n, one in enumerate(column) if one is value or one == value)
                row = dict(zip(kinds, rows[number], strict=True))
                which = f"run {clip(row['key'], 100)}" if "key" in row else f"row {number + 1}"
                raise InputError(
                    f"{which} of the table {table} holds {clip(repr(value))} as {name}; "
                    f"it is {kind.words}: the file is damaged, take a copy or do the campaign "
                    "again under another name",
                    path=clip(path, 200),
                )
    return [dict(zip(kinds, row, strict=True)) for row in rows]


def _expressions(version: int) -> str:
    """Return what the columns of the runs are in a file of a version."""
    return ", ".join(ADDED.get(name, name) if version < SCHEMA_VERSION else name for name in KINDS)


def _check(base: sqlite3.Connection, path: Path) -> int:
    """Return the version of the tables."""
    (application,) = base.execute("PRAGMA application_id").fetchone()
    (version,) = base.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID:
        raise InputError(
            "is a database of another program, not of results; choose another name",
            path=clip(path, 200),
        )
    if version not in (1, SCHEMA_VERSION):
        raise InputError(
            f"holds results in version {version} of their tables; calmip {__version__} knows "
            f"version {SCHEMA_VERSION}: read it with the calmip that wrote it, or choose another "
            "name",
            path=clip(path, 200),
        )
    return int(version)


@contextlib.contextmanager
def _complaints(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError, OverflowError, MemoryError) as error:
        if getattr(error, "sqlite_errorname", "") in FULL:
            raise InputError(
                f"cannot be written ({clip(error, 200)}); finished runs are kept: make room on the "
                "disk, and run it again",
                path=clip(path, 200),
            ) from None
        raise InputError(
            f"cannot be used as a database of results: {clip(error, 200)}", path=clip(path, 200)
        ) from None


def _lock_of(path: Path) -> Path:
    return path.with_name(path.name + ".lock")


def _lock(path: Path) -> Any:
    """Return an open file, locked while this campaign runs if the system has locks."""
    file = _lock_of(path).open("ab")
    try:
        lock(file)
    except BlockingIOError:
        file.close()
        raise InputError(
            "another campaign is writing to this file; wait for its end, or choose another name",
            path=clip(path, 200),
        ) from None
    return file
