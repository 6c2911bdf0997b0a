"""What programs read in small model files: measured, and written as tables.

    python -m benchmarks.dialects                    # read every file with every reader: 2 minutes
    python -m benchmarks.dialects --readers calmip   # these readers alone
    python -m benchmarks.dialects --readers          # none, and new files by all

New files are read by all readers. --written also measures how the files that the programs write
are read: 10 minutes more.

The readings are kept in readings.json; docs/reference/dialects.csv and dialects-written.csv have
them for readers. CBC and GLPK are
read through their libraries (coinor-libcbc3 and libglpk40 on Debian), which their programs use.
"""

from __future__ import annotations

import argparse
import datetime
import json
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.dialects.cases import FOLDER, Case, read_cases
from benchmarks.dialects.page import CASES, WRITTEN, cases_text, written_text
from benchmarks.dialects.readers import ONLY_MPS, READERS
from benchmarks.dialects.written import measure_written

READINGS = FOLDER / "readings.json"
TIME_LIMIT = 60


def ask(reader: str, path: Path) -> dict[str, Any]:
    """Return one reader's reading of a file, from a process of its own."""
    command = [sys.executable, "-m", "benchmarks.dialects.readers", reader, str(path)]
    root = Path(__file__).parents[2]
    try:
        done = subprocess.run(
            command, cwd=root, capture_output=True, text=True, timeout=TIME_LIMIT, check=False
        )
    except subprocess.TimeoutExpired:
        return {"crash": f"no answer within {TIME_LIMIT} seconds"}
    if done.returncode or not done.stdout.strip():
        # CBC's library ends by an assertion or an exception where its program reports an error.
        if done.returncode == -signal.SIGABRT and reader == "CBC":
            return {"refused": True}
        return {"crash": f"signal {-done.returncode}"}
    found: dict[str, Any] = json.loads(done.stdout)
    if "refused" in found:
        return {"refused": True}
    if "facets" in found and "warning" in done.stderr.lower():
        found["warned"] = True
    return found


def measure(cases: list[Case], readers: list[str], known: dict[str, Any]) -> None:
    """Read the cases by these readers, and add their readings to the known ones."""
    with tempfile.TemporaryDirectory() as folder:
        jobs = []
        for case in cases:
            path = Path(folder, f"{case.anchor}.{case.kind}")
            path.write_text(case.text, encoding="utf-8")
            jobs += [
                (case.anchor, reader, path)
                for reader in (readers if case.anchor in known["cases"] else READERS)
                if case.kind == "mps" or reader not in ONLY_MPS
            ]
        with ThreadPoolExecutor(2) as pool:
            answers = pool.map(lambda job: ask(job[1], job[2]), jobs)
            for (anchor, reader, _), found in zip(jobs, answers, strict=True):
                if "absent" in found:
                    sys.exit(f"{reader} is not installed: {found['absent']}")
                version = found.pop("version", None)
                if version:
                    known["versions"][reader] = version
                    known["dates"][reader] = datetime.date.today().isoformat()
                known["cases"].setdefault(anchor, {})[reader] = found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--written", action="store_true", help="also what programs write")
    parser.add_argument("--readers", nargs="*", choices=READERS, default=list(READERS))
    options = parser.parse_args()
    readers = options.readers
    known: dict[str, Any] = {"versions": {}, "dates": {}, "cases": {}, "written": {}}
    if READINGS.exists():
        known = json.loads(READINGS.read_text(encoding="utf-8"))
    cases = read_cases()
    measure(cases, readers, known)
    if options.written:
        known["written"] = measure_written(ask)
    anchors = {case.anchor for case in cases}
    known["cases"] = {
        anchor: {
            reader: known["cases"][anchor][reader]
            for reader in READERS
            if reader in known["cases"][anchor]
        }
        for anchor in sorted(anchors)
    }
    written = ",\n".join(
        f"{json.dumps(name)}: {json.dumps(one)}" for name, one in known["written"].items()
    )
    lines = [
        f'"versions": {json.dumps(known["versions"])}',
        f'"dates": {json.dumps(known["dates"])}',
        f'"written": {{\n{written}\n}}',
        '"cases": {\n'
        + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in known["cases"].items())
        + "\n}",
    ]
    READINGS.write_text("{" + ",\n".join(lines) + "}\n", encoding="utf-8")
    CASES.write_text(cases_text(cases, known), encoding="utf-8")
    WRITTEN.write_text(written_text(known), encoding="utf-8")


if __name__ == "__main__":
    main()
