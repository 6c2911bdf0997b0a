"""Runs measured by runexec, the program of BenchExec that uses the control groups of Linux."""

from __future__ import annotations

import contextlib
import math
import os
import re
import shutil
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from calmip._base.errors import SolverFailed, SolverMissing, clip
from calmip._base.files import scratch_folder
from calmip.bench.server import ONE_THREAD, when_ended
from calmip.processes import python, run

PROGRAM = "runexec"

UNITS = {"walltime": "s", "cputime": "s", "memory": "B"}
"""What runexec has to measure, and the units in which it prints it."""

KILLED = {"cputime": "time", "cputime-soft": "time", "walltime": "time", "memory": "memory"}
"""Its words for the limit that a run reached."""

CPU_FACTOR = 1.1
"""The factor by which CPU seconds may exceed the wall-clock seconds of all cores."""

TRIAL_SECONDS = 60.0
"""The limits in seconds of the empty program by which runexec is tried."""

REMEDY = (
    "give your user control groups "
    "(https://github.com/sosy-lab/benchexec/blob/main/doc/INSTALL.md), or leave out --measure"
)


def version() -> str:
    """Return the version of runexec, once it has measured an empty program with all limits.

    Raises
    ------
    SolverMissing
        If it is not installed, or cannot measure here.
    """
    try:
        with scratch_folder() as folder:
            version_text = run([_program(), "--version"], folder=folder, seconds=TRIAL_SECONDS).tail
            limits = _limits(TRIAL_SECONDS, 1 << 30, TRIAL_SECONDS)
            _measure([sys.executable, "-c", ""], folder, limits, {})
    except SolverFailed as error:
        raise SolverMissing(f"{PROGRAM} cannot measure here: {error}; {REMEDY}") from None
    found = re.search(r"\d[\w.]*", version_text)
    return found[0] if found else "unknown"


def supervise(
    work: Callable[[Path], None],
    folder: Path,
    seconds: float | None,
    memory: int | None,
    *,
    environment: Mapping[str, str],
    cpu: float | None = None,
) -> dict[str, Any]:
    """Run a function in a new Python below runexec, as `calmip.bench.server.supervise` does.

    Raises
    ------
    SolverFailed
        If runexec does not measure the run, or `calmip.bench.server.end_servers` ends it.
    """
    here = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))
    limits = _limits(seconds, memory, cpu)
    return _measure(python(work), folder, limits, {**ONE_THREAD, **environment, **here})


def _program() -> str:
    found = shutil.which(PROGRAM)
    if found is None:
        raise SolverMissing(
            f"--measure benchexec needs the program {PROGRAM}, which is not on the search path; "
            "pip install benchexec (on Linux), or leave out --measure"
        )
    return found


def _limits(seconds: float | None, memory: float | None, cpu: float | None) -> list[str]:
    """Return the limits as options; runexec takes whole numbers."""
    limits = {"walltimelimit": seconds, "timelimit": cpu, "memlimit": memory}
    return [f"--{name}={math.ceil(x)}" for name, x in limits.items() if x is not None]


def _measure(
    command: Sequence[str], folder: Path, limits: Sequence[str], environment: Mapping[str, str]
) -> dict[str, Any]:
    """Run a command below runexec; return how it ended, and its resources."""
    # The shell keeps the header that runexec writes out of the command's own output.
    redirected = ["sh", "-c", 'exec "$@" > output.txt 2>&1', "sh", *command]
    closing = when_ended()

    def over(pid: int) -> bool:
        if closing():  # then it ends the run, and removes its control groups
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGTERM)
        return False

    options = ["--no-container", "--output=runexec.txt", f"--dir={folder}", *limits]
    ended = run(
        [_program(), *options, "--", *redirected],
        folder=folder,
        environment={**os.environ, **environment},
        over=over,
    )
    if closing():
        raise SolverFailed("the campaign has ended")
    printed = dict(re.findall(r"^([\w-]+)=(.*)$", ended.tail, re.MULTILINE))
    wall, used, held = (_number(printed, name, ended.tail) for name in UNITS)
    cores = os.cpu_count() or 1
    if used > CPU_FACTOR * cores * (wall + 1):
        raise SolverFailed(f"{PROGRAM} says {used:g} CPU seconds in {wall:g} s on {cores} cores")
    limit = printed.get("terminationreason")
    signalled = printed.get("exitsignal")
    status = f"-{signalled}" if signalled else printed.get("returnvalue", "")
    waited = printed.get("pressure-cpu-some")
    return {
        "killed": KILLED.get(limit or ""),
        "status": int(status) if re.fullmatch(r"-?\d{1,3}", status) else None,
        "cpu": used,
        "memory": int(held),
        "waited": None if waited is None else _number(printed, "pressure-cpu-some", ended.tail),
        "wall": wall,
    }


def _number(printed: Mapping[str, str], name: str, output: str) -> float:
    """Return a number that runexec printed."""
    text = printed.get(name, "")
    if re.fullmatch(r"\d{1,15}(\.\d+)?" + UNITS.get(name, "s"), text):
        return float(text[:-1])
    if text:
        raise SolverFailed(f"{PROGRAM} prints {name}={clip(text, 50)}")
    why = re.search(r"(?:WARNING|ERROR|CRITICAL) - (.*?)\.?$", output, re.MULTILINE)
    last = why[1] if why else next(iter(reversed(output.splitlines())), "it prints nothing")
    raise SolverFailed(f"{PROGRAM} measured no {name}: {clip(last, 300)}")
