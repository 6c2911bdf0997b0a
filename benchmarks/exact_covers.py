"""Counts of exact covers in files: calmip against a plain C program of dancing links and miniexact.

    python -m benchmarks.exact_covers [--pairs 7] [--cases dominoes soma ...] [--keep]

All are whole processes on one core, in turn, in CPU seconds; all counts must be the known ones.
A run that takes more than ``--seconds`` is ended, and the program is not run again: the table has a
bound. It needs Linux and a C compiler (cc, gcc, clang or the package ziglang). miniexact, a program
of PyPI that lists all solutions, is left out if it is not on the path.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.compare import pin
from benchmarks.exact_cover_cases import CASES, dlx_text
from benchmarks.tables import Table, add_option

Run = tuple[float, int | None]
"""CPU seconds, and the number that a program printed; None if it was ended."""


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


def programs_in(folder: Path) -> dict[str, list[str]]:
    """Return the commands of all programs, which read stdin; the plain one is compiled here."""
    program = folder / "dancing_links"
    source = Path(__file__).with_name("dancing_links.c")
    subprocess.run([*compiler(), "-O3", "-o", str(program), str(source)], check=True)
    found = {
        "calmip": [sys.executable, "-m", "calmip", "enumerate", "-", "--suffix", ".dlx", "--count"],
        "dancing links in C": [str(program)],
    }
    if miniexact := shutil.which("miniexact"):
        found["miniexact"] = [miniexact, "-x", "-e", "/dev/stdin"]
    return found


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
    found = re.search(rb"([\d,]+) solution|^(\d+) \d+$", text)
    if not ended and found is None:
        raise SystemExit(f"{command} ended with {process.returncode}")
    number = None if ended or found is None else int((found[1] or found[2]).replace(b",", b""))
    return used.ru_utime + used.ru_stime, number


def compare(
    name: str, folder: Path, programs: dict[str, list[str]], options: argparse.Namespace
) -> list[str]:
    """Return the row of a case: the medians of all, and calmip's ratio to the fastest peer."""
    cover, expected = CASES[name][0](), CASES[name][1]
    path = folder / "cover.dlx"
    path.write_text(dlx_text(cover))
    runs: dict[str, list[Run]] = {one: [] for one in programs}
    for _ in range(options.pairs):
        for one, command in programs.items():
            own = runs[one]
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
    seconds = [f"{'over ' * (one in ended)}{medians[one]:.2g} s" for one in programs]
    return [f"{name} ({expected:,})", *seconds, "-" if "calmip" in ended else ratio]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--cases", nargs="+", default=list(CASES), choices=list(CASES))
    parser.add_argument("--seconds", type=int, default=120, help="the CPU seconds of a run")
    add_option(parser)
    options = parser.parse_args()
    pin()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        programs = programs_in(folder)
        table = Table("exact-covers", ["solutions of", *programs, "ratio to the fastest peer"])
        for case in options.cases:
            table.add(*compare(case, folder, programs, options))
    if options.keep:
        table.keep("benchmarks.exact_covers")


if __name__ == "__main__":
    main()
