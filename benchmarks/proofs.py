"""Proofs of counts: their sizes, the time to make and to check them, and who counts the same.

    python -m benchmarks.proofs [--limit 60] [--no-drat] [--counters]

Every program runs in a process of its own for at most --limit seconds; one
that is not installed or not ready by then is shown as "-". A program that
counts otherwise ends the run. The model counters (with --counters) are seldom
ready by then. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from calmip import ExactCover, check, count, read_instance
from calmip._base.files import write_text
from calmip.proofs.logs import write_proofs
from calmip.puzzle.files.cover_files import cover_parts

WORK = [
    ("a-puzzle-a-day", "Oct,6", None, 7),
    ("a-puzzle-a-day", "Feb,29", None, 64),
    ("a-puzzle-a-day", "Dec,25", None, 92),
    ("a-puzzle-a-day", "Jan,25", None, 216),
    ("a-puzzle-a-day", "Jan,1", False, 2),
    ("a-puzzle-a-day", "Dec,29", False, 0),
    ("instances/dead-corner.yaml", None, None, 0),
    ("palmetto-whole-year", "May,21", None, 11),
    ("jarringwords", "Jul,2", None, 10),
    ("praxis-rhombus", "weekday=Thu,month=Oct,day=23", None, 201),
    ("praxis-rhombus", "weekday=Fri,month=Feb,day=29", None, 287),
]

READ = "clauses = [[*map(int, l.split()[:-1])] for l in open(sys.argv[1]) if l[0] not in 'cp'];"
PROGRAMS = {
    "xcover": "import sys, json; from xcover import covers;"
    "print(sum(1 for _ in covers(json.load(open(sys.argv[2])))))",
    "python-sat": f"import sys; from pysat.solvers import Solver; {READ}"
    "s = Solver('cadical153', clauses); print(sum(1 for _ in s.enum_models()))",
    "pyganak": f"import sys; from pyganak import Counter; {READ} c = Counter();"
    "c.add_clauses(clauses); print(c.count())",
    "d4": f"import sys, py_d4; {READ} print(py_d4.Solver(clauses,"
    " max(abs(x) for c in clauses for x in c)).count().getResult())",
}
DRATIFY = (
    "import sys, dratify as d; r = d.check_proof(d.parse_dimacs(open(sys.argv[1]).read()),"
    "open(sys.argv[2]).read(), check_rat=False); print(int(r.ok and r.reached_empty))"
)


def answer(code: str, limit: float, *arguments: Path) -> tuple[int | None, float]:
    """Return the number that a program prints, or None, and the seconds that it took."""
    started = time.perf_counter()
    try:
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code, *map(str, arguments)],
            capture_output=True,
            text=True,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None, limit
    found = int(done.stdout.split()[-1]) if done.returncode == 0 else None
    return found, time.perf_counter() - started


def row(
    source: str,
    reveal: str | None,
    flip: bool | None,
    known: int,
    limit: float,
    drat: bool,
    programs: list[str],
) -> list[object]:
    cover = ExactCover(read_instance(source, reveal=reveal, flip=flip))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        started = time.perf_counter()
        proved = write_proofs(cover, folder)
        made = time.perf_counter() - started
        started = time.perf_counter()
        found = check(json.loads((folder / "proof.json").read_text()))
        checked = time.perf_counter() - started
        assert proved.tilings == found == count(cover) == known, (source, reveal, proved, found)
        sizes = [
            (folder / part).stat().st_size for part in ("proof.json", "proof.pbp", "proof.drat")
        ]
        accepted = "-"
        if drat:
            valid, seconds = answer(DRATIFY, limit, folder / "model.cnf", folder / "proof.drat")
            assert valid in (None, 1), (source, reveal)
            accepted = "-" if valid is None else f"{seconds:.1f}"
        formula, rows = folder / "count.cnf", folder / "rows.json"
        write_text(formula, cover_parts(cover, ".cnf", ()))
        rows.write_text(json.dumps([cover.items_of(option) for option in range(cover.columns)]))
        agree = []
        for program in programs:
            counted, seconds = answer(PROGRAMS[program], limit, formula, rows)
            assert counted in (None, known), (program, source, reveal, counted)
            agree.append("-" if counted is None else f"{seconds:.1f}")
    title = " ".join([Path(source).stem, *(reveal or "").split(",")]).strip()
    title += " without flips" if flip is False else ""
    megabytes = [f"{size / 1e6:.2f}" for size in sizes]
    cells = [title, known, f"{proved.nodes:,}", *megabytes, f"{made:.1f}", f"{checked:.1f}"]
    return [*cells, accepted, *agree]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--no-drat", action="store_true")
    parser.add_argument("--counters", action="store_true")
    options = parser.parse_args()
    programs = list(PROGRAMS) if options.counters else ["xcover", "python-sat"]
    head = [
        "instance",
        "tilings",
        "nodes",
        "json MB",
        "pbp MB",
        "drat MB",
        "made s",
        "tree s",
        "dratify s",
        *(f"{name} s" for name in programs),
    ]
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for source, reveal, flip, known in WORK:
        cells = row(source, reveal, flip, known, options.limit, not options.no_drat, programs)
        print("| " + " | ".join(map(str, cells)) + " |", flush=True)


if __name__ == "__main__":
    main()
