"""A fuzz campaign: mutated inputs of every kind, and what the program may never do.

    python -m benchmarks.fuzz --cases 2000 --seed 1 [--seconds 600] [--kind yaml]

A case fails if the program shows a traceback or dies, ends with another code
than 0 to 4, complains in more than one line, takes over 15 s or 1 GB, or
leaves a file that was not asked for. The cases depend on the seed alone;
``--only N`` runs one of them again and keeps its files.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.mutations import KINDS, Case, make_case
from benchmarks.tables import add_option

RUN_SECONDS = 15
"""More than the ten that ``calmip puzzles FILE`` counts at most."""
MEMORY_MEGABYTES = 1024


def case_of(seed: int, number: int, kind: str | None = None) -> tuple[str, Case]:
    """Return a case by its number."""
    rng = random.Random(f"{seed} {number}")
    kind = kind or list(KINDS)[number % len(KINDS)]
    return kind, make_case(kind, rng)


def run_here(case: Case, folder: Path) -> tuple[list[str], Any]:
    """Run a case here, in a folder of its own; return what is wrong, and the exit code."""
    from calmip.cli import main

    for name, data in case.files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(data)
    out, err = io.StringIO(), io.StringIO()
    faults = []
    before = Path.cwd()
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code: Any = main(case.arguments)
    except BaseException:
        faults.append(f"traceback: {traceback.format_exc()[-1500:]}")
        code = 0
    finally:
        os.chdir(before)
    if code not in range(5):
        faults.append(f"exit code {code}")
    complaints = err.getvalue().splitlines()
    if "Traceback" in err.getvalue():
        faults.append(f"traceback on stderr: {err.getvalue()[-500:]}")
    if code in (2, 4) and (len(complaints) != 1 or not complaints[0].startswith("calmip: error: ")):
        faults.append(f"not one clear line: {complaints[:4]}")
    if any(len(line) > 4200 for line in complaints):
        faults.append(f"a line of {max(map(len, complaints))} characters on stderr")
    for where, text in (("stdout", out.getvalue()), ("stderr", err.getvalue())):
        if any(not (mark.isprintable() or mark == "\n") for mark in text):
            faults.append(f"unprintable characters on {where}: {text[:200]!r}")
    made = {path.relative_to(folder).parts[0] for path in folder.rglob("*")}
    made -= {Path(name).parts[0] for name in case.files}
    stray = made - {Path(name).parts[0] for name in case.outputs if name and Path(name).parts}
    if stray:
        faults.append(f"files that were not requested: {sorted(stray)}")
    if any(
        folder.joinpath(name).read_bytes() != data
        for name, data in case.files.items()
        if name not in case.outputs
    ):
        faults.append("an input file was changed")
    return faults, code


def serve() -> None:
    """Run the cases whose numbers come on stdin, and answer each with a line of JSON."""
    import resource  # which Windows lacks; a single case can be run there

    for line in sys.stdin:
        seed, number, kind = json.loads(line)
        _, case = case_of(seed, number, kind)
        started = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            signal.alarm(RUN_SECONDS)
            faults, code = run_here(case, Path(folder))
            signal.alarm(0)
        seconds = time.perf_counter() - started
        megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        if seconds > RUN_SECONDS:
            faults.append(f"{seconds:.1f} s")
        if megabytes > MEMORY_MEGABYTES:
            faults.append(f"{megabytes:.0f} MB")
        answer = {"faults": faults, "code": code, "seconds": seconds, "megabytes": megabytes}
        print(json.dumps(answer), flush=True)


class Worker:
    """A process that runs cases, and is replaced when it dies."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "benchmarks.fuzz", "--serve"]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def run(self, seed: int, number: int, kind: str | None) -> dict[str, Any]:
        """Return the answer to a case; None where the process did not give one."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([seed, number, kind]) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if line:
            answer: dict[str, Any] = json.loads(line)
            return answer
        code = self.process.wait()
        faults = [f"the process died with {code}"]
        return {"faults": faults, "code": None, "seconds": 0.0, "megabytes": 0.0}


def campaign(cases: int, seed: int, seconds: float, kind: str | None) -> Iterator[dict[str, Any]]:
    """Yield the answer to every case until all are done or the time is over."""
    started = time.perf_counter()
    worker = Worker()
    for number in range(cases):
        if time.perf_counter() - started > seconds:
            return
        answer = worker.run(seed, number, kind)
        if answer["faults"]:
            # A fresh process, so that a later case is not blamed for this one.
            worker.process.kill()
            worker = Worker()
        yield {"number": number, "kind": kind or list(KINDS)[number % len(KINDS)], **answer}
    worker.process.kill()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--kind", choices=list(KINDS))
    parser.add_argument("--only", type=int)
    add_option(parser)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve()
        return
    if options.only is not None:
        _, case = case_of(options.seed, options.only, options.kind)
        folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
        print(f"cd {folder}; calmip", *map(repr, case.arguments))
        kept = folder / "kept"
        kept.mkdir()
        for fault in run_here(case, kept)[0]:
            print(fault)
        shutil.copytree(kept, folder, dirs_exist_ok=True)
        return
    started = time.perf_counter()
    done, failed, slowest, largest = Counter[str](), Counter[str](), 0.0, 0.0
    codes = Counter[tuple[str, Any]]()
    for answer in campaign(options.cases, options.seed, options.seconds, options.kind):
        done[answer["kind"]] += 1
        codes[answer["kind"], answer["code"]] += 1
        slowest, largest = max(slowest, answer["seconds"]), max(largest, answer["megabytes"])
        if answer["faults"]:
            failed[answer["kind"]] += 1
            print(f"--only {answer['number']} ({answer['kind']}):", *answer["faults"], sep="\n  ")
    elapsed = time.perf_counter() - started
    for kind in done:
        ends = ", ".join(f"{codes[kind, code]} with {code}" for code in range(5))
        print(f"{kind:>10}  {done[kind]:>6} cases  {failed[kind]:>4} failed; ended {ends}")
    print(
        f"{sum(done.values())} cases in {elapsed:.0f} s; slowest {slowest:.1f} s; "
        f"most memory {largest:.0f} MB"
    )
    if options.keep:
        earlier = kept()["fuzz"]
        of = ", ".join(done) if len(done) < len(KINDS) else f"all {len(KINDS)}"
        numbers = f"{sum(done.values()):,}", f"{elapsed:.0f}", failed.total()
        earlier.add(options.seed, of, *numbers, f"{slowest:.1f} s", f"{largest:.0f} MB")
        earlier.keep("benchmarks.fuzz")
    raise SystemExit(1 if failed else 0)


if __name__ == "__main__":
    main()
