"""The programs of the page "One model in many languages": lines, building, solving.

    python -m benchmarks.languages [--runs 3] [--python PYTHON] [PROGRAM ...]

Each Python program is run up to the line marked "# solve" and then to its end;
the seconds are CPU time of the process, imports not counted (median of the
runs). For MathProg and MiniZinc the whole command counts as solving. What is
not installed is passed over; --python names another environment's Python.
"""

from __future__ import annotations

import argparse
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "explanation" / "languages.md"

TIMED = """
import sys, time
source = open(sys.argv[1]).read()
head, mark, tail = source.partition("# solve")
first, line = head.rsplit("\\n", 1)
names = {}
for module in [line for line in first.splitlines() if line.startswith(("import", "from"))]:
    exec(module, names)
start = time.process_time()
exec(first, names)
built = time.process_time()
exec(line + tail, names)
print("TIMES", built - start, time.process_time() - built)
"""

COMMANDS = {
    "tiling.mod": ["glpsol", "--math", "tiling.mod", "--data", "feb29.dat", "--clique"],
    "tiling.mzn": ["minizinc", "tiling.mzn", "feb29.dzn"],
}


def programs() -> dict[str, str]:
    """Return the programs of the page by their files' names."""
    text = PAGE.read_text(encoding="utf-8")
    found = re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", text, re.DOTALL)
    return dict(found)


def seconds(name: str, folder: Path, python: str) -> tuple[float, float] | None:
    """Return the CPU seconds of building and of solving, or None if it does not run here."""
    if name in COMMANDS:
        if shutil.which(COMMANDS[name][0]) is None:
            return None
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(COMMANDS[name], cwd=folder, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return 0.0, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    command = [python, "timed.py", name]
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    found = re.search(r"TIMES (\S+) (\S+)", done.stdout)
    return (float(found[1]), float(found[2])) if found else None


def main() -> None:
    """Print a table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", nargs="*")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--python", default=sys.executable)
    options = parser.parse_args()
    sources = programs()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "timed.py").write_text(TIMED)
        for file, text in sources.items():
            (folder / file).write_text(text)
        for file in ("data.json", "feb29.dat", "feb29.dzn"):
            command = [sys.executable, "-m", "calmip", "export", "feb29", "-o", file]
            subprocess.run(command, cwd=folder, check=True, capture_output=True)
        print("| program | lines | build, s | solve, s |\n|---|---|---|---|")
        for file, text in sources.items():
            if file == "data.py" or (options.programs and file not in options.programs):
                continue
            lines = sum(bool(line.strip()) for line in text.splitlines())
            runs = [seconds(file, folder, options.python) for _ in range(options.runs)]
            known = [run for run in runs if run is not None]
            if known:
                build, solve = (statistics.median(part) for part in zip(*known, strict=True))
                print(f"| `{file}` | {lines} | {build:.3f} | {solve:.2f} |", flush=True)


if __name__ == "__main__":
    main()
