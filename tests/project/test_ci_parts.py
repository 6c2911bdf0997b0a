"""The parts of CI run side by side: what one of them does, the whole says."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from processes import assert_gone, wait_until

ROOT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.skipif(not (ROOT / ".ci").is_dir(), reason="in the repository only"),
    pytest.mark.skipif(os.name != "posix", reason="processes are ended by their group"),
]

DRIVER = f"""
import os, sys
sys.path.insert(0, {str(ROOT / ".ci")!r})
import parts
from parts import Part
parts.copy = lambda tree: tree.mkdir(parents=True)
parts.prepare = lambda work: dict(os.environ)
parts.parts = lambda **_: [%s]
parts.TERMINATION_SECONDS, parts.PART_SECONDS = 2, float(os.environ.get("LIMIT", "900"))
sys.exit(parts.main(sys.argv[1:]))
"""


def drive(given: str, *names: str, folder: Path) -> subprocess.Popen[str]:
    """Run these parts instead of those of CI."""
    return subprocess.Popen(
        [sys.executable, "-c", DRIVER % given, *names],
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "TMPDIR": str(folder)},
    )


def driven(given: str, *names: str, folder: Path) -> tuple[int, str]:
    """Return the exit code and what is printed."""
    program = drive(given, *names, folder=folder)
    said, _ = program.communicate()
    assert list(folder.iterdir()) == [], said
    return program.returncode, said


WAIT = "until [ -e ../../second.done ]; do sleep 0.05; done"
"""The first part ends after the second."""


def test_the_logs_are_whole_and_in_order_and_the_last_line_is_that_of_the_readme(
    tmp_path: Path,
) -> None:
    code, said = driven(
        f"Part('first', script='echo one; {WAIT}; echo two; echo 5 passed in 1.0s'),"
        "Part('second', script='echo three; touch ../../second.done; "
        'echo "run again, passed alone: x"; echo 1 failed, 7 passed, 2 skipped in 0.1s;'
        "echo 1 passed in 2s'),"
        "Part('readme', script='echo four; echo 9 passed in 3.0s')",
        folder=tmp_path,
    )
    lines = [re.sub(r" +", " ", line) for line in said.splitlines()]
    assert code == 0
    assert lines[:12] == [
        "=== first: .ci/run first",
        "one",
        "two",
        "5 passed in 1.0s",
        "=== second: .ci/run second",
        "three",
        "run again, passed alone: x",
        "1 failed, 7 passed, 2 skipped in 0.1s",
        "1 passed in 2s",
        "=== readme: .ci/run readme",
        "four",
        "part CPU s wall s tests again alone",
    ]
    rows = [re.sub(r"\d+\.\d", "N", line) for line in lines[12:16]]
    assert rows == [
        "first N N 5 .ci/run first",
        "second N N 8 1 .ci/run second",
        "readme N N 9 .ci/run readme",
        "together N N",
    ]
    assert lines[16:] == ["second: run again, passed alone: x", "9 passed in 3.0s"]


@pytest.mark.parametrize("fault", ["exit 3", "kill -9 $$", "false | true", "nosuch"])
def test_a_part_that_fails_makes_the_whole_fail_and_the_others_run(
    fault: str, tmp_path: Path
) -> None:
    code, said = driven(
        f"Part('bad', script='echo begun; {fault}; echo never'),"
        "Part('needy', script='echo needed', after=('bad',)),"
        "Part('further', script='echo needed too', after=('needy',)),"
        "Part('good', script='echo ran'),"
        "Part('readme', script='echo 9 passed in 3.0s')",
        folder=tmp_path,
    )
    assert code == 1
    lines = said.splitlines()
    assert lines[-1] == "failed: bad, needy, further"
    assert "begun" in lines
    assert "ran" in lines
    assert "9 passed in 3.0s" in lines
    assert not {"never", "needed", "needed too"} & set(lines)
    assert "not run, as it needs bad" in lines
    assert [line.split()[0] for line in lines if line.endswith("  FAILED")] == [
        "bad",
        "needy",
        "further",
    ]


def test_a_part_awaits_another_that_may_fail_and_runs_without_it(tmp_path: Path) -> None:
    given = (
        "Part('readme', script='sleep 0.3; touch ../../passed; exit 1'),"
        "Part('rest', script='ls ../..', follows='readme')"
    )
    code, said = driven(given, folder=tmp_path)
    assert (code, said.splitlines()[-1]) == (1, "failed: readme")
    assert "passed" in said.splitlines()
    code, said = driven(given, "rest", folder=tmp_path)
    assert code == 0
    assert "passed" not in said.splitlines()


def test_a_part_runs_alone_with_what_it_needs(tmp_path: Path) -> None:
    given = (
        "Part('base', script='echo base'), Part('other', script='echo other'),"
        "Part('top', script='echo top', after=('base',))"
    )
    code, said = driven(given, "top", folder=tmp_path)
    assert code == 0
    assert [line for line in said.splitlines() if line in ("base", "other", "top")] == [
        "base",
        "top",
    ]
    code, said = driven(given, "nosuch", folder=tmp_path)
    assert (code, said) == (1, "there is no part 'nosuch'; the parts are base, other, top\n")


@pytest.mark.long
def test_the_cpu_seconds_are_those_of_all_processes_of_a_part(tmp_path: Path) -> None:
    work = f"{sys.executable} -c 'import time\\nwhile time.process_time() < 1: pass'"
    code, said = driven(f'Part("busy", script="""{work}; {work}""")', folder=tmp_path)
    assert code == 0
    (used,) = re.findall(r"^busy +([\d.]+)", said, re.MULTILINE)
    assert 2 <= float(used) < 8


IMPORT_HANGS = """
import threading

def wait_for_ever():
    threading.Event().wait()

threading.Thread(target=wait_for_ever).start()
input()
"""


@pytest.mark.long
def test_a_part_that_hangs_ends_with_the_stacks_of_its_tests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no test runs, none is ended: tests that are imported here wait for ever."""
    work = tmp_path / "work"
    work.mkdir()
    (tmp_path / "test_some.py").write_text(IMPORT_HANGS)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    monkeypatch.setenv("LIMIT", "5")
    pytest_here = f"cd {tmp_path}; {sys.executable} -m pytest -s -n 0 test_some.py < <(sleep 900)"
    code, said = driven(
        f"Part('hangs', script='{pytest_here}'), Part('good', script='echo ran')", folder=work
    )
    assert code == 1
    assert "hangs takes more than 5.0 s: it hangs" in said
    stacks = re.findall(r'^  File ".*", line \d+ in (\S+)$', said, re.MULTILINE)
    assert "wait_for_ever" in stacks
    assert "<module>" in stacks
    assert "ran" in said.splitlines()
    assert said.splitlines()[-1] == "failed: hangs"


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_all_parts(how: signal.Signals, tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    pids = [tmp_path / name for name in ("one", "two")]
    program = drive(
        ",".join(
            f"Part('{path.name}', script='trap \"\" TERM INT; sleep 900 & echo $! > {path}; wait')"
            for path in pids
        )
        + ",Part('never', script='echo never', after=('one',))",
        folder=work,
    )
    wait_until(lambda: all(path.exists() and path.read_text() for path in pids), program)
    program.send_signal(how)
    said, _ = program.communicate()
    assert program.returncode == 128 + how
    assert "never" not in said
    assert list(work.iterdir()) == []
    for path in pids:
        assert_gone(int(path.read_text()))


def test_every_session_of_ci_is_a_part_and_every_part_a_session() -> None:
    jobs = (ROOT / "noxfile.py").read_text(encoding="utf-8")
    tagged = set(re.findall(r'tags=\["ci"\].*\)\ndef (\w+)\(', jobs))
    assert len(tagged) >= 8
    program = (
        "import parts; print(*(' '.join(part.nox) for part in parts.parts(whole=True)), sep='\\n')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT / ".ci",
        capture_output=True,
        text=True,
        check=True,
    )
    run = [line.split() for line in done.stdout.splitlines() if line]
    assert {words[1] for words in run} == tagged
    (table,) = re.findall(r"^PARTS = \{(.*?)^\}", jobs, re.DOTALL | re.MULTILINE)
    named = set(re.findall(r'^    "(\w+)":', table, re.MULTILINE))
    assert {words[-1] for words in run if "--" in words} == named
    assert len(named) >= 4
