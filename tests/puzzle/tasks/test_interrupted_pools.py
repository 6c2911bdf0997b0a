"""Pools that Ctrl-C or SIGTERM ends: within a second, with what was printed and a count."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from battery import every_pair
from processes import HANG_SECONDS

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not Path("/proc/self/stat").is_file(), reason="the system has no /proc"),
]

KINDS = [signal.SIGINT, signal.SIGTERM]
WORK_CPU_SECONDS = 2.0
"""The CPU seconds before the signal: some ten thousand solutions."""


def model(folder: Path, *, mixed: bool) -> Path:
    """Write a model with more solutions than any search finds, most of them within 90 %."""
    names = [f"x{n}" for n in range(60)]
    cost = " + ".join(f"{n % 5 + 1} {name}" for n, name in enumerate(names))
    slack = " - y" if mixed else ""
    rows = "".join(f" r{n}: {' + '.join(names[n::7])}{slack} >= 2\n" for n in range(7))
    path = folder / "many.lp"
    path.write_text(
        f"Minimize\n cost: {cost}{' + y' if mixed else ''}\nSubject To\n{rows}"
        f"Bounds\n{' y <= 3' if mixed else ''}\nBinaries\n {' '.join(names)}\nEnd\n"
    )
    return path


def cpu_of(pid: int) -> float:
    """Return the CPU seconds of a process and its workers so far."""
    ticks = 0
    for place in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it may have ended
            fields = place.read_text().rpartition(")")[2].split()
            if str(pid) in (place.parent.name, fields[1]):
                ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def interrupted(
    kind: signal.Signals, *arguments: object, printed: int = 0
) -> tuple[str, str, float]:
    """Send a signal to a busy enumeration; return its output, and the CPU seconds after it.

    The signal comes after some work, and after this many lines.
    """
    command = [sys.executable, "-m", "calmip", "enumerate", *map(str, arguments)]
    output, errors = (Path(arguments[0]).with_name(name) for name in ("out", "err"))  # type: ignore[arg-type]
    with (
        output.open("wb") as out,
        errors.open("wb") as err,
        subprocess.Popen(command, stdout=out, stderr=err) as program,
    ):
        end = time.monotonic() + HANG_SECONDS
        while program.poll() is None and time.monotonic() < end:
            lines = output.read_bytes().count(b"\n")
            if (before := cpu_of(program.pid)) > WORK_CPU_SECONDS and lines >= printed:
                break
            time.sleep(0.05)
        assert program.poll() is None
        program.send_signal(kind)
        _, status, used = os.wait4(program.pid, 0)
        program.returncode = os.waitstatus_to_exitcode(status)
    assert program.returncode == 130
    return output.read_text(), errors.read_text(), used.ru_utime + used.ru_stime - before


@pytest.mark.parametrize(
    ("kind", "options", "workers"),
    every_pair(KINDS, [[], ["--format", "json"], ["--count"]], [1, 2]),
)
def test_a_pool_with_a_goal_ends_at_once_with_a_count(
    tmp_path: Path, options: list[str], kind: signal.Signals, workers: int
) -> None:
    path = model(tmp_path, mixed=False)
    out, err, seconds = interrupted(kind, path, "--gap", "90%", *options, "--workers", workers)
    assert seconds < 1
    line = next(line for line in err.splitlines() if "solutions" in line)
    count = line.partition(" solutions")[0]
    assert int(count.replace(",", "")) > 1000
    assert "(optimum 16, proved)" in line
    assert "incomplete: interrupted" in line
    assert (f", {count} of them not listed" in line) is ("--count" not in options)
    if "json" in options:
        found = json.loads(out)
        assert (found["count"], found["solutions"]) == (int(count.replace(",", "")), [])
        assert (found["complete"], found["stopped"]) == (False, "interrupt")
    else:
        assert line in out.splitlines()[-1]
        assert len(out.splitlines()) == 1


@pytest.mark.parametrize(("kind", "mixed", "workers"), every_pair(KINDS, [False, True], [1, 2]))
def test_all_solutions_are_printed_as_found_until_the_signal(
    tmp_path: Path, mixed: bool, kind: signal.Signals, workers: int
) -> None:
    path = model(tmp_path, mixed=mixed)
    out, err, seconds = interrupted(kind, path, "--workers", workers, printed=101)
    assert seconds < 1
    *lines, last = out.splitlines()
    assert [line.partition(".")[0] for line in lines] == [str(n) for n in range(1, len(lines) + 1)]
    count = int(last.partition(" ")[0].replace(",", ""))
    assert count - 1 <= len(lines) <= count  # the signal may come in the middle of a line
    assert len(lines) > 100
    assert "not listed" not in last + err


def test_json_lists_what_it_can_and_counts_the_rest(tmp_path: Path) -> None:
    path = model(tmp_path, mixed=False)
    out, err, seconds = interrupted(signal.SIGTERM, path, "--format", "json")
    assert seconds < 1
    found = json.loads(out)
    before, some, _ = err.partition(" of them not listed")
    # Nothing is said of the rest where all that was found is listed in time.
    rest = int(before.rpartition(" ")[2].replace(",", "")) if some else 0
    assert found["count"] == len(found["solutions"]) + rest
    assert found["stopped"] == "interrupt"
    assert found["solutions"]
