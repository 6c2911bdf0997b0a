"""Start-up, and building the exact cover and writing its model file.

    python -m benchmarks.build [--runs 20]

Budgets: `import calmip` and `calmip --help` 0.25 s as processes; building and
writing 30 ms by matrix, 60 ms by PuLP, 100 ms by Pyomo, imports apart.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

import calmip
from benchmarks.compare import process_seconds, seconds_of
from calmip.models import FORMULATIONS, build


def show(name: str, runs: list[float]) -> None:
    print(
        f"{name:<28} {statistics.median(runs) * 1000:8.1f} ms  "
        f"({min(runs) * 1000:.1f} to {max(runs) * 1000:.1f}, {len(runs)} runs)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20)
    runs = parser.parse_args().runs
    for name, command in (
        ("python -c pass", ["-c", "pass"]),
        ("import numpy", ["-c", "import numpy"]),
        ("import calmip", ["-c", "import calmip"]),
        ("calmip --help", ["-m", "calmip", "--help"]),
    ):
        show(name, [process_seconds([sys.executable, *command]) for _ in range(runs)])
    instance = calmip.read_instance("instances/feb29.yaml")
    with tempfile.TemporaryDirectory() as folder:
        for formulation in FORMULATIONS:

            def work(formulation: str = formulation) -> None:
                model = build(formulation, calmip.ExactCover(instance))
                model.write(Path(folder) / "model.mps")

            work()
            show(f"build and write, {formulation}", [seconds_of(work) for _ in range(runs)])


if __name__ == "__main__":
    main()
