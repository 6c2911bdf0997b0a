"""Pairwise timings: A and B in turn, the ratio of each pair, median and spread."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

__all__ = ["Pairs", "cpu_of", "pin", "process_seconds", "report", "seconds_of"]

Pairs = list[tuple[float, float]]


def pin(cores: int = 1) -> None:
    """Keep this process and its children on a number of cores, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])


def _cpu() -> float:
    """Return the CPU seconds of this process and of those that it has waited for."""
    used = os.times()
    return time.process_time() + used.children_user + used.children_system


def seconds_of(work: Callable[[], object]) -> float:
    """Return the CPU seconds of one call; what else the machine does hardly changes them."""
    started = _cpu()
    work()
    return _cpu() - started


def process_seconds(command: Sequence[str], *, expect: int = 0) -> float:
    """Return the CPU seconds of a whole process; its output is thrown away."""
    started = _cpu()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    seconds = _cpu() - started
    if done.returncode != expect:
        raise SystemExit(f"{command} ended with {done.returncode}: {done.stderr.decode()[-2000:]}")
    return seconds


def cpu_of(command: Sequence[str], given: Path = Path(os.devnull)) -> tuple[float, float]:
    """Return the CPU seconds and the peak megabytes of a whole process, its output thrown away."""
    with given.open("rb") as text:
        process = subprocess.Popen(
            command, stdin=text, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command} ended with {process.returncode}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def report(name: str, pairs: Pairs) -> float:
    """Print the medians of A and B and their pairwise ratio with its spread; return the ratio."""
    ratios = sorted(a / b for a, b in pairs)
    median = statistics.median(ratios)
    ours = statistics.median(a for a, _ in pairs)
    theirs = statistics.median(b for _, b in pairs)
    print(
        f"{name:<34} {ours:9.4f} s  {theirs:9.4f} s   "
        f"{median:6.2f}x  ({ratios[0]:.2f} to {ratios[-1]:.2f}, {len(pairs)} pairs)",
        flush=True,
    )
    return median
