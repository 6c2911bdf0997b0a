"""Campaigns measured by BenchExec: a runexec that measures, one that lies, and none."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from processes import HANG_SECONDS, assert_gone, wait_until
from test_bench import TINY, campaign, fake_cbc, needs_fork

import calmip
from calmip import SolverFailed, SolverMissing
from calmip.bench import benchexec
from calmip.bench.campaign.store import read_runs
from calmip.cli import main

pytestmark = [pytest.mark.long, needs_fork]

RUNEXEC = """#!{python}
import os, signal, subprocess, sys
if "--version" in sys.argv:
    print("runexec 9.9")
    sys.exit()
cut = sys.argv.index("--")
options = dict(word[2:].partition("=")[::2] for word in sys.argv[1:cut])
open(options["output"], "w").write("a header")
one = subprocess.Popen(sys.argv[cut + 1:], cwd=options["dir"], preexec_fn=os.setpgrp)
def stop(*_):
    os.killpg(one.pid, signal.SIGKILL)
    open({stopped!r}, "w").close()
signal.signal(signal.SIGTERM, stop)
code = one.wait()
said = {{"walltime": "2.5s", "cputime": "1.25s", "memory": "1048576B", "returnvalue": code}}
said.update({lies})
print("2026-01-01 - WARNING - Cannot measure it here.", file=sys.stderr)
for name, value in said.items():
    if value is not None:
        print(f"{{name}}={{value}}")
"""
"""It says the same of each run, and after that what a test wants."""

NO_LIES = "{}"


def fake_runexec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lies: str = NO_LIES) -> Path:
    """Put a runexec first on the search path; return the file that it makes when it is stopped."""
    stopped = tmp_path / "stopped"
    program = tmp_path / "bin" / "runexec"
    program.parent.mkdir(exist_ok=True)
    program.write_text(RUNEXEC.format(python=sys.executable, stopped=str(stopped), lies=lies))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    return stopped


def source(tmp_path: Path, more: str = "") -> Path:
    text = f"instances: [{{puzzle: {TINY}}}]\nsolvers: [cbc]\nreference_every: 0\n{more}"
    return campaign(tmp_path, text)


@pytest.mark.parametrize(
    ("lies", "killed", "status"),
    [
        (NO_LIES, None, 0),
        ("{'terminationreason': 'walltime', 'returnvalue': None, 'exitsignal': 9}", "time", -9),
        ("{'terminationreason': 'cputime', 'returnvalue': None, 'exitsignal': 9}", "time", -9),
        ("{'terminationreason': 'memory'}", "memory", 0),
        ("{'returnvalue': 3}", None, 3),
    ],
)
def test_what_it_prints_is_the_end_of_a_run(
    lies: str, killed: str | None, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_runexec(tmp_path, monkeypatch, lies)
    command = [sys.executable, "-c", "print('its own words')"]
    found = benchexec._measure(command, tmp_path, [], {})
    assert (tmp_path / "output.txt").read_text() == "its own words\n"
    assert found == {
        "killed": killed,
        "status": status,
        "cpu": 1.25,
        "memory": 1048576,
        "waited": None,
        "wall": 2.5,
    }


def test_a_campaign_has_its_seconds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They count as those of another machine, so both lie in one file and are not compared."""
    fake_runexec(tmp_path, monkeypatch, "{'pressure-cpu-some': '0.5s'}")
    path = tmp_path / "r.db"
    one = source(tmp_path).with_name("one.yaml")
    one.write_text(source(tmp_path).read_text().replace("cbc", "exact-cover"))
    calmip.bench.run(one, path, measure="benchexec")
    (row,) = read_runs(path).runs
    assert (row["status"], row["cpu"], row["memory"], row["waited"]) == (
        "solved",
        1.25,
        1 << 20,
        0.5,
    )
    assert row["machine"].endswith(", measured by BenchExec 9.9")
    assert 0 < row["start_cpu"] < 60
    assert calmip.bench.run(one, path).kept == 0
    assert calmip.bench.run(one, path, measure="benchexec").kept == 1
    assert [run["machine"] for run in read_runs(path).runs].count(row["machine"]) == 1


@pytest.mark.parametrize(
    ("lies", "words"),
    [
        ("{'cputime': None}", "measured no cputime: Cannot measure it here; give your user"),
        ("{'memory': None}", "measured no memory"),
        ("{'cputime': 'nans'}", "prints cputime=nans"),
        ("{'cputime': '-1s'}", "prints cputime=-1s"),
        ("{'memory': '5MB'}", "prints memory=5MB"),
        ("{'cputime': '1e9s'}", "prints cputime=1e9s"),
        ("{'cputime': '99999s'}", r"says 99999 CPU seconds in 2.5 s on \d+ cores"),
        ("{'pressure-cpu-some': 'x'}", "prints pressure-cpu-some=x"),
    ],
)
def test_one_that_measures_nothing_is_refused_before_the_first_run(
    lies: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake_runexec(tmp_path, monkeypatch, lies)
    with pytest.raises(SolverMissing, match=f"runexec cannot measure here: runexec {words}"):
        calmip.bench.run(source(tmp_path), tmp_path / "r.db", measure="benchexec")
    assert not (tmp_path / "r.db").exists()


def test_one_that_fails_later_ends_the_campaign_and_keeps_what_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first time it is tried, then it measures a run."""
    times = str(tmp_path / "times")
    count = f"open({times!r}, 'a').write('x')"
    lies = f"({count}, {{'cputime': 'x'}} if os.path.getsize({times!r}) > 2 else {{}})[1]"
    fake_runexec(tmp_path, monkeypatch, lies)
    fake_cbc(tmp_path, monkeypatch, "answer('Infeasible - objective value 0')")
    with pytest.raises(SolverFailed, match="runexec prints cputime=x"):
        calmip.bench.run(
            source(tmp_path, "seeds: [0, 1]\n"), tmp_path / "r.db", measure="benchexec"
        )
    assert len(read_runs(tmp_path / "r.db").runs) == 1


def test_without_it_there_is_one_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    command = ["bench", "run", str(source(tmp_path)), "-o", str(tmp_path / "r.db")]
    assert main([*command, "--measure", "benchexec"]) == 4
    error = capsys.readouterr().err
    assert "needs the program runexec" in error
    assert "pip install benchexec" in error


def test_ctrl_c_lets_it_end_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It gets the chance to remove its control groups."""
    stopped = fake_runexec(tmp_path, monkeypatch)
    pid = tmp_path / "pid"
    write = f"open({str(pid) + '.part'!r}, 'w').write(str(os.getpid()))\n"
    fake_cbc(
        tmp_path,
        monkeypatch,
        f"{write}os.rename({str(pid) + '.part'!r}, {str(pid)!r})\ntime.sleep(900)",
    )
    command = [
        sys.executable,
        "-m",
        "calmip",
        "bench",
        "run",
        source(tmp_path, "time_limit: 900\n"),
    ]
    program = subprocess.Popen([*command, "-o", tmp_path / "r.db", "--measure", "benchexec"])
    wait_until(pid.exists, program)
    program.send_signal(signal.SIGINT)
    assert program.wait(HANG_SECONDS) == 130
    assert stopped.exists()
    assert_gone(int(pid.read_text()))


@pytest.mark.skipif(shutil.which("runexec") is None, reason="needs BenchExec")
def test_the_real_one_agrees_with_the_own_measure(tmp_path: Path) -> None:
    try:
        benchexec.version()
    except SolverMissing as error:
        pytest.skip(str(error))
    path = tmp_path / "r.db"
    limits = "cpu_limit: 600\nmemory_limit: 2GB\n"
    text = (
        f"instances: [{{puzzle: a-puzzle-a-day, dates: [2024-02-29]}}]\nsolvers: [glpk]\n{limits}"
    )
    for measure in ("calmip", "benchexec"):
        calmip.bench.run(campaign(tmp_path, text), path, measure=measure)
    one, two = read_runs(path).runs
    assert one["status"] == two["status"] == "solved"
    used = [run["cpu"] - run["start_cpu"] for run in (one, two)]
    assert 0 < min(used) <= max(used) < 3 * min(used)
