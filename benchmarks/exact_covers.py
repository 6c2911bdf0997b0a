"""Counts of exact covers in files, and their least costs: calmip against other programs.

    python -m benchmarks.exact_covers [--pairs 7] [--groups coloured-covers] [--cases ...] [--keep]

The groups are plain covers, and covers with colours, with multiplicities and with costs. The peers
are a plain C program of dancing links, with colours; miniexact, xcover and pyxcc of PyPI; and
CP-SAT for costs. Those of PyPI that are not there are left out. All are whole processes on one
core, in turn, in CPU seconds; all results must be the known ones. A run that takes more than
``--seconds`` is ended, and the program is not run again: the table has a bound. It needs Linux and
a C compiler (cc, gcc, clang or the package ziglang).
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import os
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.compare import pin
from benchmarks.exact_cover_cases import (
    CASES,
    COLOURED,
    COSTLY,
    MULTIPLE,
    Cases,
    Cover,
    dlx_text,
    miniexact_text,
)
from benchmarks.tables import Table, add_option
from calmip.mip.model import Model

GROUPS: dict[str, Cases] = {
    "exact-covers": CASES,
    "coloured-covers": COLOURED,
    "multiple-covers": MULTIPLE,
    "covers-with-costs": COSTLY,
}

Program = tuple[list[str], Callable[[Cover], str]]
"""A command, and the text that it reads of a cover."""

Run = tuple[float, int | None]
"""CPU seconds, and the number that a program printed; None if it was ended, or failed: then the
seconds are infinite."""


LAST = 1000
"""The bytes at the end of a program's output in which its count is."""


def compiler() -> list[str]:
    """Return the command of a C compiler."""
    for name in ("cc", "gcc", "clang"):
        if shutil.which(name):
            return [name]
    if importlib.util.find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "cc"]
    raise SystemExit("this benchmark needs a C compiler; pip install ziglang")


def programs_in(folder: Path, group: str) -> dict[str, Program]:
    """Return the programs for a group of cases; the plain one is compiled here."""
    own = [sys.executable, "-m", "calmip", "enumerate", "-", "--suffix", ".dlx"]
    if group == "covers-with-costs":
        peer = [sys.executable, "benchmarks/peer_cpsat_all.py"]
        return {"calmip": ([*own, "--best", "1"], dlx_text), "CP-SAT": (peer, _cpsat_text)}
    found: dict[str, Program] = {"calmip": ([*own, "--count"], dlx_text)}
    multiple = group == "multiple-covers"
    if not multiple:
        program = folder / "dancing_links"
        source = Path(__file__).with_name("dancing_links.c")
        subprocess.run([*compiler(), "-O3", "-o", str(program), str(source)], check=True)
        found["dancing links in C"] = [str(program)], dlx_text
    if miniexact := shutil.which("miniexact"):
        method = {"exact-covers": "-x", "coloured-covers": "-c"}.get(group, "-m")
        found["miniexact"] = [miniexact, method, "-e", "/dev/stdin"], miniexact_text
    for package in () if multiple else ("xcover", "pyxcc"):
        if importlib.util.find_spec(package):
            command = [sys.executable, "-W", "ignore", "benchmarks/peer_xcover.py", package]
            found[package] = command, dlx_text
    return found


def _cpsat_text(cover: Cover) -> str:
    """Return a cover with costs as the model that CP-SAT reads."""
    from calmip.mip.files.boolean import read_dlx
    from calmip.mip.files.text_source import TextFile

    return peer_text(read_dlx(TextFile("cover.dlx", dlx_text(cover).splitlines())))


def peer_text(model: Model) -> str:
    """Return a binary model as `peer_cpsat_all.py` reads it; bounds are finite there."""
    sums = []
    for terms, low, high in model.whole_rows():
        ends = (int(max(min(end, 10**9), -(10**9))) for end in (low, high))
        sums.append([list(terms), list(terms.values()), *ends])
    given = {"columns": len(model.columns), "rows": [], "sums": sums}
    if model.costs:
        given["costs"] = [int(model.costs.get(c, 0)) for c in range(len(model.columns))]
    return json.dumps(given)


def run(command: list[str], path: Path, seconds: int) -> Run:
    """Return what a whole process takes and what it counts; it may take so many CPU seconds."""
    with path.open("rb") as given:
        process = subprocess.Popen(command, stdin=given, stdout=subprocess.PIPE)
    resource.prlimit(process.pid, resource.RLIMIT_CPU, (seconds, seconds))
    assert process.stdout is not None
    text = b""
    while more := os.read(process.stdout.fileno(), 1 << 16):
        text = (text + more)[-LAST:]
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    ended = process.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
    found = re.search(rb"objective ([\d,]+):|([\d,]+) solution|^(\d+) [\d.e-]+$", text)
    if not ended and found is None:
        return math.inf, None
    number = None
    if not ended and found is not None:
        number = int(next(filter(None, found.groups())).replace(b",", b""))
    return used.ru_utime + used.ru_stime, number


def compare(
    case: tuple[str, Callable[[], Cover], int],
    folder: Path,
    programs: dict[str, Program],
    options: argparse.Namespace,
) -> list[str]:
    """Return the row of a case: the medians of all, and calmip's ratio to the fastest peer."""
    name, make, expected = case
    cover = make()
    runs: dict[str, list[Run]] = {one: [] for one in programs}
    for _ in range(options.pairs):
        for one, (command, text) in programs.items():
            own = runs[one]
            path = folder / f"cover-{text.__name__}"
            if not own:
                path.write_text(text(cover))
            if own and own[-1][1] is None:  # it was ended
                own.append(own[-1])
                continue
            own.append(run(command, path, options.seconds))
            if own[-1][1] not in (None, expected):
                raise SystemExit(f"{name}: {own[-1][1]} by {one}, not {expected}")
    medians = {one: statistics.median(seconds for seconds, _ in own) for one, own in runs.items()}
    ended = {one for one, own in runs.items() if own[-1][1] is None}
    fastest = min(list(programs)[1:], key=lambda one: (one in ended, medians[one]))
    pairs = zip(runs["calmip"], runs[fastest], strict=True)
    ratios = sorted(one / other for (one, _), (other, _) in pairs)
    low, middle, high = (
        f"{one:.2g}" if one < 10 else f"{one:.0f}"
        for one in (ratios[0], statistics.median(ratios), ratios[-1])
    )
    ratio = f"{'under ' * (fastest in ended)}{middle} ({low} to {high})"
    seconds = [
        "fails" if math.isinf(medians[one]) else f"{'over ' * (one in ended)}{medians[one]:.2g} s"
        for one in programs
    ]
    return [f"{name} ({expected:,})", *seconds, "-" if "calmip" in ended else ratio]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--groups", nargs="+", default=list(GROUPS), choices=list(GROUPS))
    every = dict.fromkeys(case for cases in GROUPS.values() for case in cases)
    parser.add_argument("--cases", nargs="+", choices=list(every))
    parser.add_argument("--seconds", type=int, default=120, help="the CPU seconds of a run")
    add_option(parser)
    options = parser.parse_args()
    pin()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for group in options.groups:
            programs = programs_in(folder, group)
            what = "least cost of" if group == "covers-with-costs" else "solutions of"
            table = Table(group, [what, *programs, "ratio to the fastest peer"])
            for case, (make, expected) in GROUPS[group].items():
                if case in (options.cases or GROUPS[group]):
                    table.add(*compare((case, make, expected), folder, programs, options))
            if options.keep:
                table.keep("benchmarks.exact_covers")


if __name__ == "__main__":
    main()
