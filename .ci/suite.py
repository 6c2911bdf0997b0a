"""Run the tests as CI does: .ci/suite.py [ARGUMENTS OF PYTEST].

The inputs of the property tests are random; CALMIP_SEED=N draws those of an earlier run. If a few
tests failed, and all of them are tests of the page, these run again, one after the other: a
machine that others use, too, can starve a browser. No other test runs again, and none does after
a process has crashed: what fails once is a fault until it is explained. The last lines name what
ran again.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

MAX_RETRIED_TESTS = 3
"""The most tests of the page that may fail among all others, if they pass alone."""

PAGE = "tests/page/"
CRASH = re.compile(r"worker '\w+' crashed|node down: ")
"""What pytest-xdist prints where a process with tests has ended by itself."""


def run(command: list[str]) -> tuple[int, bool]:
    """Run a command; return its exit code, and whether one of its processes crashed."""
    crashed = False
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as program:
        assert program.stdout is not None
        for line in program.stdout:
            crashed = crashed or CRASH.search(line) is not None
            sys.stdout.write(line)
            sys.stdout.flush()
    return program.returncode, crashed


def suite(arguments: list[str]) -> int:
    """Run the tests, and a few of the page again; return the exit code."""
    seed = os.environ.setdefault("CALMIP_SEED", str(random.randrange(32_768)))
    print(f"random inputs: CALMIP_SEED={seed} draws them again", flush=True)
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, "-m", "pytest", "-q", "-o", f"cache_dir={cache}"]
        command += [f"--hypothesis-seed={seed}", "-n", "auto", *arguments]
        code, crashed = run(command)
        record = Path(cache, "v", "cache", "lastfailed")
        failed = json.loads(record.read_text(encoding="utf-8")) if record.is_file() else {}
        # Another code says that the run did not come to its end.
        if code != 1 or crashed or not 0 < len(failed) <= MAX_RETRIED_TESTS:
            return code
        if not all(name.startswith(PAGE) for name in failed):
            return code
        code, _ = run([*command, "-n", "0", "--last-failed", "--last-failed-no-failures", "none"])
    for name in sorted(failed):
        print(f"run again, {'failed' if code else 'passed'} alone: {name}", flush=True)
    return code


if __name__ == "__main__":
    sys.exit(suite(sys.argv[1:]))
