"""Inputs of the fuzz campaign: what people write, and what has gone wrong with it.

Every case is a function of its number and the seed alone.
"""

from __future__ import annotations

import contextlib
import functools
import gzip
import io
import random
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
    "enumerate": ["--method", "--limit", "--cut", "--swaps", "--format", "-q", "--reveal",
    "--date",
                  "--model"],
    "count": ["--any-two-cells", "--any-cells", "--format", "--reveal", "--date"],
    "export": ["-o", "--formulation", "--suffix", "--force", "--all-dates", "--no-count"],
    "check": ["--model", "--names", "--limit", "--format", "--reveal"],
    "year": ["--year", "--format", "--time-limit", "--theme", "-o"],
    "calendar": ["--year", "--seed", "--format", "--theme", "--resume", "-o"],
    "hint": ["--placed", "--reveal", "--format", "--time-limit"],
    "explain": ["--placed", "--reveal", "--tries", "--format"],
    "rearrange": ["--starts", "--seed"],
    "compare": ["--formulation", "--format", "--seed"],
    "prove": ["-o", "--check", "--part", "--all-dates", "--workers"],
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
    ("export", "in.yaml", "--no-count", "-o",
    f"out{rng.choice(['.mps', '.lp', '.opb', '.json'])}"),
            ("export", "in.yaml", "--no-count", "-o", "out.lp", "--date", "2024-02-29"),
            ("puzzles", "in.yaml"),
            ("hint", "in.yaml", "--time-limit", "2", "--placed", "U:15+16"),
            ("explain", "in.yaml", "--time-limit", "2", "--tries", "1"),
            ("count", "in.yaml", "--time-limit", "2"),
            ("year", "in.yaml", "--time-limit", "2", "--format", "csv"),
        ]
    )  # fmt: skip
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
    return Case(("prove", *instance, "--check", "proof"), files)


def _model_case(rng: random.Random) -> Case:
    from calmip.documents.reader import read_instance
    from calmip.problem.cover import ExactCover
    from calmip.tasks._library import model_text

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
            ("solve", "--model", file, "--time-limit", "2"),
            ("solve", "--model", file, "--time-limit", "2", "--solver", "cbc"),
            ("check", "in.yaml", "--model", file, "--time-limit", "2"),
            ("enumerate", "--model", file, "--time-limit", "2", "--limit", "3"),
            ("grade", "6-second-solver", file),
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


KINDS: dict[str, Callable[[random.Random], Case]] = {
    "yaml": _yaml_case,
    "solution": _solution_case,
    "model": _model_case,
    "command": _command_case,
    "proof": _proof_case,
}
