"""Reading of model files: calmip against highspy, in CPU seconds and memory of whole processes.

    python -m benchmarks.files [--rounds 7] [--seed 1] [--keep]

The models are random: nine coefficients a column, two fifths of them decimals, a third of the
columns integer. Both readers run in turn, on one core. It needs Linux, whose unit of memory is KiB.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.compare import pin
from benchmarks.tables import Table, add_option

SIZES = ((".mps", 40_000), (".mps", 135_000), (".lp", 40_000))
"""The suffix and the columns of each file."""

PROGRAMS = {
    "calmip": "import calmip, sys; calmip.read_model(sys.argv[1])",
    "highspy": "import highspy, sys; model = highspy.Highs(); "
    "model.setOptionValue('output_flag', False); model.readModel(sys.argv[1])",
}


def mps_lines(columns: int, seed: int) -> Iterator[str]:
    """Yield the lines of a random model."""
    draw = random.Random(seed)
    rows = columns // 4
    yield from ("NAME          RANDOM", "ROWS", " N  OBJ")
    yield from (f" {draw.choice('LGE')}  row_{row}" for row in range(rows))
    yield from ("COLUMNS", "    MARKER    'MARKER'                 'INTORG'")
    for column in range(columns):
        if column == columns // 3:
            yield "    MARKER    'MARKER'                 'INTEND'"
        yield f"    x_{column}  OBJ  {draw.randint(-50, 50)}"
        for row in sorted(draw.sample(range(rows), 9)):
            decimals = (round(draw.uniform(-9, 9), 4), draw.uniform(-1, 1))
            number = draw.choice((1, -1, draw.randint(2, 99), *decimals))
            yield f"    x_{column}  row_{row}  {number}"
    yield "RHS"
    yield from (f"    RHS  row_{row}  {draw.randint(1, 1000)}" for row in range(rows))
    yield "BOUNDS"
    yield from (f" UP BND  x_{column}  {draw.randint(1, 10)}" for column in range(columns))
    yield "ENDATA"


def run(reader: str, path: Path) -> tuple[float, float]:
    """Return the CPU seconds and the MB of a process that reads a file."""
    command = [sys.executable, "-c", PROGRAMS[reader], str(path)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{reader} cannot read {path}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seed", type=int, default=1)
    add_option(parser)
    options = parser.parse_args()
    pin()
    table = Table("files", ["file", "calmip", "highspy", "ratio"])
    with tempfile.TemporaryDirectory() as folder:
        for suffix, columns in SIZES:
            path = Path(folder, "model.mps")
            with path.open("w", encoding="utf-8") as file:
                # Whole, they would be memory of the readers, too, which start as a copy of this.
                file.writelines(f"{line}\n" for line in mps_lines(columns, options.seed))
            if suffix != ".mps":
                source, path = path, path.with_suffix(suffix)
                command = (sys.executable, "-m", "calmip", "export", source, "-o", path, "-q")
                subprocess.run(command, check=True)
            rounds = [[run(reader, path) for reader in PROGRAMS] for _ in range(options.rounds)]
            ratios = sorted(mine[0] / other[0] for mine, other in rounds)
            cells = []
            for place in range(len(PROGRAMS)):
                seconds, memory = (
                    statistics.median(one[place][part] for one in rounds) for part in range(2)
                )
                cells.append(f"{seconds:.2f} s, {memory:.0f} MB")
            middle = statistics.median(ratios)
            name = f"{suffix[1:].upper()}, {path.stat().st_size / 1e6:.0f} MB"
            table.add(name, *cells, f"{middle:.1f} ({ratios[0]:.1f} to {ratios[-1]:.1f})")
    if options.keep:
        table.keep("benchmarks.files")


if __name__ == "__main__":
    main()
