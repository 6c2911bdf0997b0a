"""Counts of exact covers in files: calmip against a plain C program of dancing links.

    python -m benchmarks.exact_covers [--pairs 7] [--cases dominoes soma ...] [--keep]

Both are whole processes on one core, in turn, in CPU seconds; both counts must be the known ones.
A run of the peer that takes more than ``--seconds`` is ended and not repeated: the table has a
bound. It needs Linux, and the peer a C compiler (cc, gcc, clang or the package ziglang).
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


def compiler() -> list[str]:
    """Return the command of a C compiler."""
    for name in ("cc", "gcc", "clang"):
        if shutil.which(name):
            return [name]
    if importlib.util.find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "cc"]
    raise SystemExit("this benchmark needs a C compiler; pip install ziglang")


def peer_in(folder: Path) -> list[str]:
    """Return the command of the peer, which is compiled here."""
    program = folder / "dancing_links"
    source = Path(__file__).with_name("dancing_links.c")
    subprocess.run([*compiler(), "-O3", "-o", str(program), str(source)], check=True)
    return [str(program)]


def run(command: list[str], path: Path, seconds: int) -> Run:
    """Return what a whole process takes and prints first; it may take so many CPU seconds."""
    with path.open("rb") as given:
        process = subprocess.Popen(command, stdin=given, stdout=subprocess.PIPE)
    resource.prlimit(process.pid, resource.RLIMIT_CPU, (seconds, seconds))
    assert process.stdout is not None
    found = re.match(r"[\d,]+", process.stdout.read().decode())
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    ended = process.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
    if not ended and (process.returncode not in (0, 1) or found is None):
        raise SystemExit(f"{command} ended with {process.returncode}")
    number = None if ended or found is None else int(found[0].replace(",", ""))
    return used.ru_utime + used.ru_stime, number


def compare(name: str, folder: Path, peer: list[str], options: argparse.Namespace) -> list[str]:
    """Return the row of a case: the medians of both, and their ratio with its spread."""
    cover, expected = CASES[name][0](), CASES[name][1]
    path = folder / "cover.dlx"
    path.write_text(dlx_text(cover))
    ours = [sys.executable, "-m", "calmip", "enumerate", str(path), "--count"]
    pairs: list[tuple[float, float]] = []
    ended = False
    for _ in range(options.pairs):
        mine, number = run(ours, path, options.seconds)
        theirs, other = (pairs[0][1], None) if ended else run(peer, path, options.seconds)
        ended = ended or other is None
        if number != expected or other not in (None, expected):
            raise SystemExit(f"{name}: {number} by calmip, {other} by the peer, not {expected}")
        pairs.append((mine, theirs))
    a, b = (statistics.median(side) for side in zip(*pairs, strict=True))
    ratios = sorted(one / other for one, other in pairs)
    over, under = ("over ", "under ") if ended else ("", "")
    low, middle, high = (
        f"{one:.2g}" if one < 10 else f"{one:.0f}"
        for one in (ratios[0], statistics.median(ratios), ratios[-1])
    )
    ratio = f"{under}{middle} ({low} to {high})"
    return [f"{name} ({expected:,})", f"{a:.2g} s", f"{over}{b:.2g} s", ratio]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--cases", nargs="+", default=list(CASES), choices=list(CASES))
    parser.add_argument("--seconds", type=int, default=120, help="the CPU seconds of a run")
    add_option(parser)
    options = parser.parse_args()
    pin()
    table = Table("exact-covers", ["solutions of", "calmip", "dancing links in C", "ratio"])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        peer = peer_in(folder)
        for case in options.cases:
            table.add(*compare(case, folder, peer, options))
    if options.keep:
        table.keep("benchmarks.exact_covers")


if __name__ == "__main__":
    main()
