"""Inputs of the fuzz campaign: what people write, and what has gone wrong with it.

Every case is a function of its number and the seed alone.
"""

from __future__ import annotations

import contextlib
import functools
import gzip
import io
import json
import os
import random
import sqlite3
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

__all__ = ["KINDS", "Case", "make_case"]

ROOT = Path(__file__).parents[1]

NASTY = [
    "", " ", "no", "010", "12:30", "2026-02-30", "~", "null", "*", ".", "..", "/", "-", "--",
    "%", "@",
    "\x00", "\x1b[31m", "\u202e", "\ufeff", "\ud800", "\U0001f4c5", "é" * 70, "a" * 5_000,
    "9" * 5_000,
    "-1", "0", "1e400", "nan", "inf", "0x10", "1_000", "٣", "../../x", "/etc/passwd", "$(id)",
    "[" * 3_000,
    "<b>", "=1+1", "'", '"', "\\", "\n", "\r\n", "\t", "[red]", "{}", "[]", "!!python/object",
    "&a",
    "*a", "<<", "? x", "---", "...", "#", "##", "# #", "#" * 200, "Jan Jan", "free",
]  # fmt: skip

TOKENS = [
    b"nan", b"inf", b"-inf", b"1e309", b"0.4999", b"0.5", b"1.0000005", b"-1", b"2", b"1e-7",
    b"", b"x",
    b"U_b30", b"c_00", b"\x00", b"\xff\xfe", b"=infeas=", b"Infeasible", b"optimal", b"<xml>",
    b"<!DOCTYPE a [",
    b"ENDATA", b"End", b"RANGES", b"'MARKER'", b"'INTEND'", b"Maximize", b"[ x ^ 2 ]", b"free",
    b">=", b"<=", b"=",
    b"99999999999999999999", b"# Columns 1000000000", b"# Columns -3",
    b"Columns:    2147483647", b"\r", b"\n\n",
]  # fmt: skip

COMMANDS: dict[str, list[str]] = {
    "solve": ["--solver", "--formulation", "--time-limit", "--seed", "--threads", "--format",
    "-q",
              "-v", "--reveal", "--date", "--no-flip", "--model"],
    "enumerate": ["--method", "--limit", "--no-good-cut", "--swaps", "--format", "-q", "--reveal",
    "--date",
                  "--model"],
    "count": ["--any-cells", "--format", "--reveal", "--date"],
    "export": ["-o", "--formulation", "--suffix", "--force", "--no-count"],
    "check": ["--names", "--limit", "--format", "--reveal"],
    "year": ["--year", "--format", "--time-limit", "--theme", "-o"],
    "calendar": ["--year", "--seed", "--format", "--theme", "--resume", "-o"],
    "hint": ["--placed", "--reveal", "--format", "--time-limit"],
    "explain": ["--placed", "--reveal", "--tries", "--format"],
    "rearrange": ["--starts", "--seed"],
    "compare": ["--formulation", "--format", "--seed"],
    "prove": ["-o", "--proofs", "--workers"],
    "grade": ["--format"],
    "puzzles": [],
    "solvers": [],
}  # fmt: skip

FIXED = {"compare": ["--solver", "highs", "--time-limit", "2"], "rearrange": ["--starts", "1"]}
"""What keeps a command quick; the last of an option that is given twice counts."""

VALUES = [
    "square:1", "domino:1+2", "domino:1+2 square:3", "domino:1,0+1,1", "tree", "drat", "veripb",
    "svg", "html", "pdf", "dark", "2027", "out.svg", "out.html", "out.json",
    "1-placements", "2-pulp",
    "highs", "cbc", "matrix", "pulp", "pyomo", "json", "text", "jsonl", "csv", "exact-cover",
    "one-tree", "no-good",
    "k-1", "k-2", "day=4", "4", "day=free", "month=Feb,day=29", "Feb,29", "2024-02-29",
    "today", "1", "2", "0", "-1",
    "1e9", "0.001", "99999999999999999999", ".mps", ".lp.gz", "out.mps", "out.lp", "out", ".",
    "tiny.yaml", "nosuch.yaml", "a-puzzle-a-day", "tiny.mps", "tiny.sol",
]  # fmt: skip


LITTLE = b"""name: Little
grid:
- "Jan Feb 1"
- "2 3 *"
uncover: [month, day]
pieces:
  domino: ["##"]
  other: ["##"]
"""
"""A puzzle that everything is quick with."""

INSTANCE = b"puzzle: little.yaml\nreveal: {month: Jan, day: 2}\n"

CAMPAIGN = b"""instances: [{puzzle: in.yaml}]
solvers: [exact-cover]
time_limit: 5
"""

DESIGN = ("design", "little.yaml", "--pool", "polyominoes<=3", "--pieces", "2", "--repeat")


@dataclass(frozen=True)
class Case:
    """A command line, and the files that lie in the folder where it runs.

    Parameters
    ----------
    arguments
        What follows ``calmip``.
    files
        Their contents by name.
    outputs
        The names of files that the command may make.
    """

    arguments: tuple[str, ...]
    files: dict[str, bytes]
    outputs: tuple[str, ...] = ()


def make_case(kind: str, rng: random.Random) -> Case:
    """Return a random case of a kind."""
    return KINDS[kind](rng)


def _damaged(data: bytes, rng: random.Random) -> bytes:
    """Return bytes with one to four faults: flipped, cut, doubled, put in, thrown away."""
    for _ in range(rng.choice([1, 1, 2, 4])):
        place = rng.randrange(len(data) + 1)
        length = rng.choice([1, 1, 3, 20, 200])
        fault = rng.randrange(6)
        if fault == 0 and data:
            place = rng.randrange(len(data))
            data = data[:place] + bytes([data[place] ^ (1 << rng.randrange(8))]) + data[place + 1 :]
        elif fault == 1:
            data = data[:place]
        elif fault == 2:
            data = (
                data[:place] + data[place : place + length] * rng.choice([2, 3, 50]) + data[place:]
            )
        elif fault == 3:
            data = data[:place] + rng.choice(TOKENS) + data[place:]
        elif fault == 4:
            data = data[:place] + data[place + length :]
        else:
            words = data.split(b" ")
            words[rng.randrange(len(words))] = rng.choice(TOKENS)
            data = b" ".join(words)
    return data


def _deranged(node: Any, rng: random.Random) -> Any:
    """Return a document with a fault at one place of its tree."""
    if isinstance(node, dict) and node and rng.random() < 0.8:
        key = rng.choice(list(node))
        fault = rng.randrange(8)
        if fault == 0:
            return {k: v for k, v in node.items() if k != key}
        if fault == 1:
            return {**node, rng.choice(NASTY): node[key]}
        if fault == 2:
            return {(rng.choice(NASTY) if k == key else k): v for k, v in node.items()}
        return {**node, key: _deranged(node[key], rng)}
    if isinstance(node, list) and node and rng.random() < 0.8:
        place = rng.randrange(len(node))
        fault = rng.randrange(6)
        if fault == 0:
            return node[:place] + node[place + 1 :]
        if fault == 1:
            return [*node, node[place]] * rng.choice([1, 1, 30])
        return [*node[:place], _deranged(node[place], rng), *node[place + 1 :]]
    fault = rng.randrange(5)
    if fault == 0:
        return rng.choice([[], {}, [[]], {"a": {"b": []}}, [node] * 3, None])
    if fault == 1 and isinstance(node, str) and node:
        return _damaged(node.encode(errors="replace"), rng).decode(errors="replace")
    if fault == 2:
        deep: Any = node
        for _ in range(rng.choice([3, 30, 300])):
            deep = [deep]
        return deep
    return rng.choice(NASTY)


def _sources() -> list[Path]:
    return sorted([*ROOT.glob("instances/*.yaml"), *ROOT.glob("calmip/puzzles/*.yaml")])


def _yaml_case(rng: random.Random) -> Case:
    text = rng.choice(_sources()).read_bytes()
    if rng.random() < 0.5:
        data = _damaged(text, rng)
    else:
        tree = _deranged(yaml.load(text, Loader=yaml.BaseLoader), rng)
        dumped: str = yaml.dump(tree, allow_unicode=rng.random() < 0.5, sort_keys=False)
        data = dumped.encode("utf-8", "surrogatepass")
    command = rng.choice(
        [
            ("solve", "in.yaml", "--time-limit", "2"),
            ("solve", "in.yaml", "--time-limit", "2", "--formulation", "pulp", "--date", "today"),
            ("enumerate", "in.yaml", "--limit", "2", "--time-limit", "2", "--format", "jsonl"),
            (
                "export",
                "in.yaml",
                "--no-count",
                "-o",
                f"out{rng.choice(['.mps', '.lp', '.opb', '.json'])}",
            ),
            ("export", "in.yaml", "--no-count", "-o", "out.lp", "--date", "2024-02-29"),
            ("puzzles", "in.yaml"),
            ("hint", "in.yaml", "--time-limit", "2", "--placed", "U:15+16"),
            ("explain", "in.yaml", "--time-limit", "2", "--tries", "1"),
            ("count", "in.yaml", "--time-limit", "2"),
            ("year", "in.yaml", "--time-limit", "2", "--format", "csv"),
        ]
    )
    return Case(command, {"in.yaml": data}, tuple(a for a in command if a.startswith("out")))


def _solution_case(rng: random.Random) -> Case:
    path = rng.choice(sorted((ROOT / "tests/data/solutions").glob("[!R]*")))
    data = path.read_bytes()
    packed = path.suffix == ".gz"
    if packed and rng.random() < 0.8:
        data = gzip.decompress(data)
        packed = False
    data = _damaged(data, rng)
    if not packed and rng.random() < 0.1:
        data = gzip.compress(data)
    if rng.random() < 0.02:
        data = _bomb()
    instance = (ROOT / "instances" / f"{path.name.split('.')[0]}.yaml").read_bytes()
    form = rng.choice(["text", "json"])
    files = {"in.yaml": instance, "answer.sol": data}
    return Case(("check", "in.yaml", "answer.sol", "--format", form), files)


@functools.cache
def _bomb() -> bytes:
    """Return some kilobytes that unpack to two hundred megabytes."""
    return gzip.compress(b"U_b30 1\n" * 25_000_000, compresslevel=1)


@functools.cache
def _proof() -> dict[str, bytes]:
    """Return the files of a small proof, by name."""
    from calmip.cli import main

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "proof"
        with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
            main(["prove", str(ROOT / "instances/tiny.yaml"), "-o", str(folder)])
        return {f"proof/{path.name}": path.read_bytes() for path in sorted(folder.iterdir())}


def _proof_case(rng: random.Random) -> Case:
    files = dict(_proof())
    name = rng.choice(list(files))
    files[name] = _damaged(files[name], rng)
    if rng.random() < 0.1:
        del files[rng.choice(list(files))]
    files["in.yaml"] = (ROOT / "instances/tiny.yaml").read_bytes()
    instance = rng.choice([("in.yaml",), ()])
    return Case(("prove", "check", "proof", *instance), files)


def _model_case(rng: random.Random) -> Case:
    from calmip import ExactCover, read_instance
    from calmip.puzzle.tasks.instance_library import model_text

    name = rng.choice(["tiny", "tiny", "tiny", "feb29"])
    instance = ROOT / "instances" / f"{name}.yaml"
    suffix = rng.choice([".mps", ".lp"])
    formulation = rng.choice(["matrix", "matrix", "pulp"])
    cover = ExactCover(read_instance(instance))
    written = model_text(cover, suffix, formulation)
    data = _damaged("".join(written.parts).encode(), rng)
    if rng.random() < 0.1:
        data, suffix = gzip.compress(data), suffix + ".gz"
    file = f"model{suffix}"
    command = rng.choice(
        [
            ("solve", file, "--time-limit", "2"),
            ("solve", file, "--time-limit", "2", "--solver", "cbc"),
            ("check", "in.yaml", file, "--time-limit", "2"),
            ("enumerate", file, "--time-limit", "2", "--limit", "3"),
            ("grade", "6", file),
        ]
    )
    return Case(command, {"in.yaml": instance.read_bytes(), file: data})


def _command_case(rng: random.Random) -> Case:
    tiny = (ROOT / "instances/tiny.yaml").read_bytes()
    command = rng.choice([*COMMANDS, *COMMANDS, "", "nosuch", "--help", "--version"])
    arguments = [command]
    if rng.random() < 0.8:
        arguments.append(rng.choice(["tiny.yaml", "tiny.yaml", "tiny.yaml", *NASTY[:40]]))
    for _ in range(rng.randrange(4)):
        options = COMMANDS.get(command) or ["--nosuch", "-h", "--format"]
        arguments.append(rng.choice([*options, "--nosuch"]) if rng.random() < 0.95 else "--")
        if rng.random() < 0.8:
            arguments.append(rng.choice([*VALUES, *VALUES, *NASTY[:40]]))
    arguments += FIXED.get(command, [])
    # A year of a real puzzle takes long, and is no fault.
    arguments = ["tiny.yaml" if a == "a-puzzle-a-day" else a for a in arguments]
    clean = [a.replace("\x00", "NUL").encode("utf-8", "replace").decode() for a in arguments]
    named = tuple(a.lstrip("./") for a in clean)
    return Case(tuple(clean), {"tiny.yaml": tiny, "tiny.sol": b"x 1\n"}, named)


def _here(files: dict[str, bytes], *arguments: str) -> dict[str, bytes]:
    """Return the files of a folder after a command has run in it, by name."""
    from calmip.cli import main

    before = Path.cwd()
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        stack.callback(os.chdir, before)
        os.chdir(name)
        for file, data in files.items():
            Path(file).write_bytes(data)
        stack.enter_context(contextlib.redirect_stderr(io.StringIO()))
        stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
        main(list(arguments))
        return {path.name: path.read_bytes() for path in Path().iterdir() if path.is_file()}


@functools.cache
def _results() -> dict[str, bytes]:
    """Return a campaign, what it needs and its results, by name."""
    files = {"little.yaml": LITTLE, "in.yaml": INSTANCE, "campaign.yaml": CAMPAIGN}
    return _here(files, "bench", "run", "campaign.yaml", "-o", "r.db")


VALUE_OF_SQL = [
    None,
    -1,
    0,
    1,
    2**62,
    2**63 - 1,
    -1.5,
    1e308,
    float("inf"),
    b"",
    b"\xff\x00",
    "solved",
    "wrong",
    "count",
    "{}",
    "x" * 100_000,
]


def _altered(data: bytes, rng: random.Random) -> bytes:
    """Return a database with one to three other values, columns or tables."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "r.db"
        path.write_bytes(data)
        base = sqlite3.connect(path, isolation_level=None)
        try:
            base.execute("PRAGMA journal_mode = DELETE")
            for _ in range(rng.choice([1, 1, 3])):
                table = rng.choice(["runs", "runs", "runs", "reference", "doubts"])
                columns = [row[1] for row in base.execute(f"PRAGMA table_info({table})")]
                value = rng.choice([*VALUE_OF_SQL, *NASTY])
                if isinstance(value, str):
                    value = value.encode("utf-8", "replace").decode()
                statement, given = rng.choice(
                    [
                        (f"UPDATE {table} SET {rng.choice(columns or ['x'])} = ?", (value,)),
                        (f"UPDATE {table} SET {rng.choice(columns or ['x'])} = ?", (value,)),
                        (f"UPDATE {table} SET {rng.choice(columns or ['x'])} = ?", (value,)),
                        (f"UPDATE {table} SET {rng.choice(columns or ['x'])} = ?", (value,)),
                        (f"DROP TABLE {table}", ()),
                        (
                            f"ALTER TABLE {table} RENAME COLUMN "
                            f"{rng.choice(columns or ['x'])} TO y",
                            (),
                        ),
                        (f"DELETE FROM {table}", ()),
                        (f"INSERT INTO {table} DEFAULT VALUES", ()),
                        (f"PRAGMA user_version = {rng.randrange(3)}", ()),
                        (f"PRAGMA application_id = {rng.randrange(3)}", ()),
                    ]
                )
                with contextlib.suppress(sqlite3.Error):
                    base.execute(statement, given)
        finally:
            base.close()
        return path.read_bytes()


def _results_case(rng: random.Random) -> Case:
    files = dict(_results())
    good = files["r.db"]
    files["r.db"] = (_damaged if rng.random() < 0.4 else _altered)(good, rng)
    command = rng.choice(
        [
            ("bench", "report", "r.db"),
            ("bench", "report", "r.db"),
            *(("bench", "report", "r.db", "-o", f"out.{form}") for form in ("html", "md", "csv")),
            ("bench", "report", "r.db", "--format", "json"),
            ("bench", "diff", "r.db", "good.db"),
            ("bench", "diff", "good.db", "r.db"),
            ("bench", "run", "campaign.yaml", "-o", "r.db"),
        ]
    )
    files["good.db"] = good
    outputs = tuple(word for word in command if word.startswith("out"))
    return Case(command, files, (*outputs, *(["r.db"] if "run" in command else [])))


JOURNALS: dict[str, tuple[tuple[str, ...], str]] = {
    "count": (("count", "in.yaml", "--parts", "3", "--journal", "journal"), "journal"),
    "design": ((*DESIGN, "-o", "out.yaml", "--resume"), "out.yaml.part"),
    "calendar": (
        ("calendar", "shiura-daily-8p", "--year", "2027", "-o", "out.json", "--resume"),
        "out.json.part",
    ),
    "stream": (("enumerate", "in.yaml", "-o", "out.jsonl", "--resume"), "out.jsonl.part"),
}
"""The commands that keep a file of lines and go on from it, and the name of that file."""


@functools.cache
def _journal(name: str) -> tuple[bytes, ...]:
    """Return the lines that a command writes to its journal."""
    from calmip.puzzle.tasks.journal import Journal

    arguments, _ = JOURNALS[name]
    files = {"little.yaml": LITTLE, "in.yaml": INSTANCE}
    if name == "stream":
        return tuple(_here(files, *arguments)["out.jsonl"].splitlines(keepends=True))
    lines: list[bytes] = []
    write = Journal._write

    def record(self: Journal, line: bytes) -> None:
        lines.append(line)
        write(self, line)

    Journal._write = record  # type: ignore[method-assign]
    try:
        _here(files, *arguments)
    finally:
        Journal._write = write  # type: ignore[method-assign]
    return tuple(lines)


def _journal_case(rng: random.Random) -> Case:
    """Return damaged lines, or false ones whose digests are right."""
    from calmip.puzzle.tasks.journal import Journal

    name = rng.choice(list(JOURNALS))
    arguments, file = JOURNALS[name]
    lines = list(_journal(name))
    if rng.random() < 0.4:
        data = _damaged(b"".join(lines), rng)
    else:
        # Some of the lines, in another order perhaps, and one of them false.
        kept = rng.sample(lines[1:], rng.randrange(len(lines)))
        if rng.random() < 0.7:
            kept.sort(key=lines.index)
        entries = [json.loads(line) for line in (lines[0], *kept)]
        place = rng.randrange(-1, len(entries))
        if name == "stream" or rng.random() < 0.1:
            entries[place] = _deranged(entries[place], rng)
            data = b"".join(json.dumps(entry).encode() + b"\n" for entry in entries)
        else:
            for entry in entries:
                del entry["digest"]
            false = _deranged(entries[place], rng)
            entries[place] = false if isinstance(false, dict) else {"part": false}
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "journal"
                with (
                    contextlib.suppress(ValueError),
                    Journal(path, entries[0], resume=False) as journal,
                ):
                    for entry in entries[1:]:
                        journal.add(entry)
                data = path.read_bytes()
    files = {"little.yaml": LITTLE, "in.yaml": INSTANCE, file: data}
    outputs = tuple(word for word in arguments if word.startswith("out"))
    return Case(arguments, files, (*outputs, file))


def _file_name(rng: random.Random) -> str:
    """Return what may be a file's name; a NUL, a slash and half a surrogate pair may not."""
    words = [
        word for word in NASTY if word.strip(".") and len(word.encode("utf-8", "replace")) < 99
    ]
    parts = rng.sample(
        [
            *words,
            "x",
            "10/10",
            "=HYPERLINK(1)",
            "\uff1d1+1",
            "\x1b]0;x\x07",
            "\x85",
            "\u2028",
            "|",
            "`",
            "<script>",
            "\t=1",
        ],
        rng.randrange(1, 4),
    )
    name = "".join(parts).replace("/", "\u2215").replace("\x00", "")
    return name.encode("utf-8", "replace").decode() or "x"


def _name_case(rng: random.Random) -> Case:
    name = _file_name(rng)
    form = rng.choice(["text", "csv", "json", "md", "html"])
    placements = (ROOT / "calmip/course/solutions/1-placements").read_bytes()
    model = b"Minimize\n obj: a\nSubject To\n c: a + b = 1\nBinaries\n a b\nEnd\n"
    suffix = rng.choice([".yaml", ".txt", ".lp", ".mps", ".sol", ".jsonl", ".svg", ".dxf", ""])
    given = f"./{name}{suffix}"
    campaign = json.dumps({"instances": [{"files": "models/*"}], "solvers": ["exact-cover"]})
    command = rng.choice(
        [
            ("solve", given),
            ("puzzles", given),
            ("check", "in.yaml", given),
            ("solve", "in.yaml", "-o", given),
            ("enumerate", "in.yaml", "-o", given),
            ("count", "in.yaml", "--journal", given),
            ("export", "in.yaml", "--no-count", "-o", given),
            ("cut", "little.yaml", "-o", given),
            ("prove", "check", given),
            ("grade", "1", given),
            ("grade", "1", "class", "--format", rng.choice(["text", "csv", "json", "nbgrader"])),
            ("grade", "1", "class", "--format", rng.choice(["text", "csv", "json", "nbgrader"])),
            ("bench", "report", given),
            ("bench", "run", "campaign.yaml", "-o", "out.db"),
            ("bench", "report", "r.db", "--format", form),
        ]
    )
    data = rng.choice([placements, LITTLE, INSTANCE, model])
    files = {
        "little.yaml": LITTLE,
        "in.yaml": INSTANCE,
        "r.db": _results()["r.db"],
        "campaign.yaml": campaign.encode(),
        f"models/{name}.lp": model,
        f"class/{name}": placements,
        f"class/{name}.txt": data,
    }
    if not (given in command and "-o" in command):
        files[Path(given).name] = data
    if "report" in command and given not in command:
        files["r.db"] = _renamed(name)
    return Case(command, files, (Path(given).name, "out.db"))


def _renamed(name: str) -> bytes:
    """Return results of an instance with another name."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "r.db"
        path.write_bytes(_results()["r.db"])
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as base:
            base.execute("PRAGMA journal_mode = DELETE")
            base.execute(
                "UPDATE runs SET instance = ?, detail = ?, status = 'wrong', correct = 0",
                (name, name),
            )
        return path.read_bytes()


def _submission_case(rng: random.Random) -> Case:
    from calmip.course.exercises import SUFFIXES

    path = rng.choice(sorted((ROOT / "calmip/course/solutions").glob("*-*")))
    own = path.name.partition("-")[0]
    name = path.name + SUFFIXES[own]
    data = path.read_bytes()
    if name.endswith(".py") and rng.random() < 0.7:
        # A mistake that still runs, more often than one of syntax.
        lines = data.decode().splitlines(keepends=True)
        for _ in range(rng.choice([1, 1, 2])):
            place = rng.randrange(len(lines))
            old, new = rng.choice(SLIPS)
            lines[place] = rng.choice(["", lines[place] * 2, lines[place].replace(old, new)])
        data = "".join(lines).encode()
    else:
        data = _damaged(data, rng)
    exercise = rng.choice([*[own] * 6, "1", "4", "6"])
    form = rng.choice(["text", "csv", "json", "gradescope", "nbgrader"])
    limit = ("--time-limit", "30") if name.endswith(".py") and exercise == own else ()
    return Case(("grade", exercise, name, "--format", form, *limit), {name: data})


SLIPS = [
    ("1", "0"),
    ("0", "1"),
    ("+", "-"),
    ("-", "+"),
    ("==", "!="),
    ("<=", "<"),
    (" not ", " "),
    ("row", "column"),
    ("return", "yield"),
    ("range(", "list("),
    ("sorted", "reversed"),
    ("Binary", "Integer"),
    ("in ", "not in "),
    ("True", "None"),
    ("if ", "while "),
    (":", ""),
    ("(", "(("),
    ("puzzle", "print"),
    ("add", "remove"),
    ("append", "extend"),
]


KINDS: dict[str, Callable[[random.Random], Case]] = {
    "yaml": _yaml_case,
    "solution": _solution_case,
    "model": _model_case,
    "command": _command_case,
    "proof": _proof_case,
    "results": _results_case,
    "journal": _journal_case,
    "name": _name_case,
    "submission": _submission_case,
}
