"""`calmip enumerate` as a whole process, and the exact-cover search alone, against others.

    python -m benchmarks.enumerate [--pairs 7] [--peer-python PYTHON] [--ssxcc PROGRAM]

The peer of the processes is a CP-SAT script that lists all tilings; it needs ortools,
with --peer-python or the interpreter that CALMIP_PEER_PYTHON names. The peer of the
search is Knuth's SSXCC, where a program made of his ssxcc.w is given. Times are CPU
seconds; that of calmip's search includes making the bit masks, and starting is apart.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

import calmip
from benchmarks.compare import Pairs, cpu_of, pin, report
from calmip import Board, Instance, Piece, Puzzle
from calmip.puzzle.files.covers import dlx_lines
from calmip.puzzle.search.exact_cover.search import Search

FEB29 = "instances/feb29.yaml"
SHAPES = {
    "F": ".##/##./.#.",
    "I": "#####",
    "L": "####/#...",
    "N": "##../.###",
    "P": "##/##/#.",
    "T": "###/.#./.#.",
    "U": "#.#/###",
    "V": "#../#../###",
    "W": "#../##./.##",
    "X": ".#./###/.#.",
    "Y": "####/.#..",
    "Z": "##./.#./.##",
}


def pentominoes() -> calmip.ExactCover:
    """Return the 8 x 8 board without its middle, 520 tilings."""
    rows = ["* " * 8] * 3 + ["* * * . . * * *"] * 2 + ["* " * 8] * 3
    pieces = tuple(Piece.from_rows(name, drawn.split("/")) for name, drawn in SHAPES.items())
    return calmip.ExactCover(Instance(Puzzle("8x8", Board.from_text(rows), pieces)))


def processes(pairs: int, peer: str, folder: Path) -> None:
    cover = calmip.ExactCover(calmip.read_instance(FEB29))
    model = folder / "model.json"
    model.write_text(json.dumps({"columns": cover.columns, "rows": cover.options_of()}))
    print(f"{'whole processes, CPU seconds':<34} {'calmip':>9}    {'CP-SAT':>9}      ratio")
    for method in ("exact-cover", "one-tree"):
        ours = [sys.executable, "-m", "calmip", "enumerate", FEB29, "--method", method]
        theirs = [peer, "benchmarks/peer_cpsat_all.py"]
        times: Pairs = [(cpu_of(ours)[0], cpu_of(theirs, model)[0]) for _ in range(pairs)]
        report(f"all 64 tilings, {method}", times)
        print(
            f"    {cpu_of(ours)[1]:.0f} MB against {cpu_of(theirs, model)[1]:.0f} MB at their peak"
        )


def search(pairs: int, ssxcc: str | None, folder: Path) -> None:
    cover = pentominoes()

    def ours() -> float:
        started = time.process_time()
        found = sum(1 for _ in Search(cover))
        assert found == 520
        return time.process_time() - started

    own = [ours() for _ in range(pairs)]
    print(f"\npentominoes, 8 x 8 with a hole, all 520: {statistics.median(own):.3f} s")
    if ssxcc is not None:
        given = folder / "pentominoes.dlx"
        given.write_text("".join(dlx_lines(cover)))
        report("against SSXCC", [(ours(), cpu_of([ssxcc], given)[0]) for _ in range(pairs)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=7)
    default = os.environ.get("CALMIP_PEER_PYTHON", sys.executable)
    parser.add_argument("--peer-python", default=default)
    parser.add_argument("--ssxcc", help="a program made of Knuth's ssxcc.w")
    options = parser.parse_args()
    pin()
    with tempfile.TemporaryDirectory() as folder:
        processes(options.pairs, options.peer_python, Path(folder))
        search(options.pairs, options.ssxcc, Path(folder))


if __name__ == "__main__":
    main()
