"""The results of campaigns in a SQLite file: one row per run, safe once it is written."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping
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
    return type(value) is str and not any("\ud800" <= mark <= "\udfff" for mark in value)


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

LOG = _Kind("BLOB NOT NULL", lambda value: type(value) is bytes, "a compressed log")


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
        new = not path.exists() or path.stat().st_size == 0
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
                self._runs = _rows(self._base, path, "runs", KINDS)
        except BaseException:
            self.__exit__()
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

    def __exit__(self, *_: object) -> None:
        self._base.close()
        self._lock.close()
        with contextlib.suppress(OSError):
            _lock_of(self._path).unlink()

    def keys(self) -> set[str]:
        """Return the keys of the stored runs, except those that got no processor."""
        return {run["key"] for run in self._runs if run["status"] != "starved"}

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


def read_runs(path: Path) -> Stored:
    """Return the contents of a file of results, the runs in the order of their names.

    Raises
    ------
    InputError
        If there is no such file, it is not a database of results of this version, or a
        row is not one of a campaign.
    """
    if not path.is_file():
        raise InputError("no such file of results", path=clip(path, 200))
    with _complaints(path):
        base = _connect(path)
        try:
            version = _check(base, path)
            runs = _rows(base, path, "runs", KINDS, version)
            reference = _rows(base, path, "reference", REFERENCE)
            tables = {name for (name,) in base.execute("SELECT name FROM sqlite_master")}
            doubts = _rows(base, path, "doubts", {"text": TEXT}) if "doubts" in tables else []
            logs = _rows(base, path, "logs", {"key": TEXT, "log": LOG}) if "logs" in tables else []
            pairs = {"instance": TEXT, "tag": TEXT}
            tagged = _rows(base, path, "tags", pairs) if "tags" in tables else []
        finally:
            base.close()
    order = (
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
    runs.sort(key=lambda run: [run[name] for name in order])
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
    rows = [dict(zip(kinds, row, strict=True)) for row in found]
    for number, row in enumerate(rows, start=1):
        for name, kind in kinds.items():
            if not kind.holds(row[name]):
                which = f"run {clip(row['key'], 100)}" if "key" in row else f"row {number}"
                raise InputError(
                    f"{which} of the table {table} holds {clip(repr(row[name]))} as {name}; "
                    f"it is {kind.words}: the file is damaged, take a copy or do the campaign "
                    "again under another name",
                    path=clip(path, 200),
                )
    return rows


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
