"""Campaigns: each run gets the verdict that it deserves, and nothing is lost or done twice."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
from cpu_marks import marked_long
from processes import HANG_SECONDS, assert_gone, wait_until
from requirements import need_solver

import calmip
from calmip import InputError, SolverFailed, SolverMissing
from calmip.bench import server
from calmip.bench.campaign.campaign_file import ModelFile, bundled_suites, read_campaign
from calmip.bench.campaign.jobs import _judge_answer, problem_of_file
from calmip.bench.campaign.store import read_runs
from calmip.cli import main
from calmip.mip.status import Status
from calmip.puzzle.cover import ExactCover
from calmip.solvers import SOLVERS, Limits, Outcome, solver_named

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
pytestmark = needs_fork

TINY = Path("instances/tiny.yaml").resolve()
NONE = Path("instances/chessboard.yaml").resolve()
SMALL = f"""
instances:
- {{puzzle: {TINY}}}
- {{puzzle: {NONE}}}
- {{puzzle: {TINY}, goal: count, name: counted}}
formulations: [matrix, pulp]
solvers:
- highs
- exact-cover
- {{name: highs, settings: calmip, options: {{dives: 0, presolve: 'off'}}}}
seeds: [0, 1]
time_limit: 600
reference_every: 10
"""
KNAPSACK = (
    "Maximize\n value: 3 x + 4 y + 2 z\nSubject To\n w: 2 x + 3 y + z <= 3\nBinaries\n x y z\nEnd\n"
)
TIMES = (
    "wall",
    "cpu",
    "start_wall",
    "start_cpu",
    "waited",
    "memory",
    "overhead",
    "finished",
)


def campaign(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "campaign.yaml"
    path.write_text(text)
    return path


def records(path: Path) -> list[dict[str, Any]]:
    """Return the runs in a file up to times."""
    return [{k: v for k, v in run.items() if k not in TIMES} for run in read_runs(path)[0]]


@pytest.mark.long
def test_a_campaign_is_every_combination_once_and_checked(tmp_path: Path) -> None:
    source, results = campaign(tmp_path, SMALL), tmp_path / "results.db"
    found = calmip.bench.run(source, results)
    assert (len(found.runs), found.kept, found.status) == (3 * 2 * 3 * 2, 0, "done")
    rows, reference, *_ = read_runs(results)
    assert len(rows) == 36
    assert len(reference) == 12  # before each three, as there are ten or more
    cells = {(r["instance"], r["formulation"], r["solver"], r["options"], r["seed"]) for r in rows}
    assert len(cells) == 36
    for row in rows:
        assert (row["status"], row["correct"]) == ("solved", True), row
        assert (
            row["answer"]
            == {
                "Two-by-two": "optimal",
                "tiny": "optimal",
                "chessboard": "infeasible",
                "counted": "done",
            }[row["instance"]]
        )
        assert row["count"] == (2 if row["goal"] == "count" else None)
        assert row["version"]
        assert row["machine"]
        assert 0 < row["cpu"] < 60
        assert row["memory"] > 1e6
    # Again there is nothing to do, and another seed is done alone.
    again = calmip.bench.run(source, results)
    assert (len(again.runs), again.kept) == (0, 36)
    source.write_text(SMALL.replace("[0, 1]", "[0, 1, 2]"))
    assert (len(calmip.bench.run(source, results, workers=2).runs)) == 18
    assert len(read_runs(results)[0]) == 54


@pytest.mark.long
def test_instances_with_the_same_model_have_runs_of_their_own(tmp_path: Path) -> None:
    one = f"- {{puzzle: {TINY}}}\n"
    text = f"instances:\n{one}{one}- {{puzzle: {TINY}, name: twin}}\n"
    source = campaign(tmp_path, f"{text}solvers: [exact-cover]\nreference_every: 0\n")
    found = calmip.bench.run(source, tmp_path / "r.db")
    assert sorted(run["instance"] for run in found.runs) == ["tiny", "twin"]
    assert len({run["model"] for run in found.runs}) == 1
    assert calmip.bench.run(source, tmp_path / "r.db").kept == 2
    # The first one has the key that it has alone.
    source.write_text(f"instances:\n{one}solvers: [exact-cover]\nreference_every: 0\n")
    again = calmip.bench.run(source, tmp_path / "r.db")
    assert (again.kept, len(again.runs)) == (1, 0)
    assert str(again) == f"{tmp_path / 'r.db'}: 0 runs, and 1 done before"


@pytest.mark.long
def test_the_order_is_drawn_by_its_seed(tmp_path: Path) -> None:
    def order(shuffle: int, name: str) -> list[str]:
        text = (
            f"instances: [{{puzzle: {TINY}}}]\nsolvers: [exact-cover]\nseeds: [0, 1, 2, 3, 4, 5]\n"
        )
        source = campaign(tmp_path, f"{text}reference_every: 0\nshuffle: {shuffle}\n")
        return [run["key"] for run in calmip.bench.run(source, tmp_path / name).runs]

    first = order(1, "a.db")
    assert first != sorted(first)
    assert order(1, "b.db") == first
    assert order(2, "c.db") != first
    assert sorted(order(3, "d.db")) == sorted(first)


FAKE = """#!{python}
import os, signal, subprocess, sys, time
if "-quit" in sys.argv:
    print("Version: 1.0")
    sys.exit()
def answer(text):
    open(sys.argv[-1], "w").write(text + "\\n")
{body}
"""
ONE = "answer('Optimal - objective value 0\\n0 ' + {name!r} + ' 1 0')"
PIDS = """
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"],
                         start_new_session=True)
open({pids!r}, "w").write(f"{{os.getpid()}} {{child.pid}}")
"""
LIARS = {
    "denies": ("answer('Infeasible - objective value 0')", "wrong", "there is a tiling"),
    "half": (ONE, "wrong", "violates row"),
    "garbage": ("answer('Who knows')", "crash", "cannot be read"),
    "silent": ("pass", "crash", "wrote no solution file"),
    "crashes": ("os.kill(os.getpid(), signal.SIGSEGV)", "crash", "signal 11"),
    "hangs": (PIDS + "time.sleep(600)", "time", "killed"),
    "eats": (PIDS + "a = []\nwhile True: a.append(b'x' * 10_000_000)", "memory", "killed"),
    "gives up": (
        "answer('Stopped on iterations (no integer solution - continuous used)"
        " - objective value 0')",
        "unknown",
        "Stopped",
    ),
}


def fake_cbc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> Path:
    pids = tmp_path / "pids"
    name = ExactCover(calmip.read_instance(TINY)).option_names[0]
    program = tmp_path / "fake-cbc"
    text = body.format(name=name, pids=str(pids)) if "{" in body else body
    program.write_text(FAKE.format(python=sys.executable, body=text))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("CALMIP_CBC", str(program))
    return pids


@pytest.mark.long
@pytest.mark.parametrize(
    "kind", marked_long(LIARS, {"denies", "half", "hangs", "eats", "silent", "gives up"})
)
def test_each_kind_of_bad_solver_gets_its_verdict_and_leaves_nothing(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body, status, detail = LIARS[kind]
    pids = fake_cbc(tmp_path, monkeypatch, body)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    for limit in (2, 10, 60) if status == "time" else (600,):
        text = f"instances: [{{puzzle: {TINY}}}]\nsolvers: [cbc, exact-cover]\n"
        text += f"time_limit: {limit}\nmemory_limit: 300MB\nreference_every: 0\n"
        results = tmp_path / f"results{limit}.db"
        calmip.bench.run(campaign(tmp_path, text), results)
        honest, bad = sorted(read_runs(results)[0], key=lambda r: -len(r["solver"]))
        # On a busy machine a short time is over before anything is done in it.
        if not {honest["status"], bad["status"]} & {"starved"} and honest["status"] != "time":
            break
    assert (honest["solver"], honest["status"]) == ("exact-cover", "solved")
    assert (bad["status"], bad["correct"]) == (status, False if status == "wrong" else None)
    assert detail in bad["detail"]
    assert bad["version"] == "1.0"
    assert list(scratch.iterdir()) == []
    if status == "memory":
        assert bad["memory"] > 200e6
    if pids.exists():
        for pid in map(int, pids.read_text().split()):
            assert_gone(pid)


@pytest.mark.long
def test_what_a_solver_says_of_a_file_is_held_against_its_solu_file(tmp_path: Path) -> None:
    library = tmp_path / "lib"
    for reveal in ("Feb,29", "Oct,6"):
        instance = calmip.read_instance("a-puzzle-a-day", reveal=reveal)
        library.mkdir(exist_ok=True)
        calmip.export(instance, library / f"{reveal.replace(',', '')}.mps")
    (library / "known.solu").write_text("=inf= Feb29\n=opt= Oct6 0\n")
    text = "instances: [{files: 'lib/*.mps'}]\nsolvers: [exact-cover]\nreference_every: 0\n"
    calmip.bench.run(campaign(tmp_path, text), tmp_path / "results.db")
    # A solution that every row agrees to is right, whatever is written beside the file.
    runs = records(tmp_path / "results.db")
    assert sorted((run["instance"], run["status"], run["correct"]) for run in runs) == [
        ("Feb29", "solved", True),
        ("Oct6", "solved", True),
    ]
    (library / "known.solu").write_text("=feas= Feb29\n=opt= Oct6\n")
    with pytest.raises(InputError, match=r"known.solu:2: .*=opt= NAME VALUE"):
        calmip.bench.run(campaign(tmp_path, text), tmp_path / "results.db")


@pytest.mark.long
def test_an_optimum_is_held_against_the_solu_file(tmp_path: Path) -> None:
    (tmp_path / "knapsack.lp").write_text(
        "Maximize\n value: 3 x + 4 y + 2 z\nSubject To\n w: 2 x + 3 y + z <= 4\n"
        "Binaries\n x y z\nEnd\n"
    )
    text = "instances: [{files: '*.lp'}]\nsolvers: [highs]\nreference_every: 0\n"
    source = campaign(tmp_path, text)
    verdicts = {}
    for value in ("6", "7", None):
        (tmp_path / "k.solu").write_text(f"=opt= knapsack {value}\n" if value else "# nothing\n")
        calmip.bench.run(source, tmp_path / f"{value}.db")
        (row,) = read_runs(tmp_path / f"{value}.db")[0]
        verdicts[value] = (row["status"], row["correct"], row["objective"])
    assert verdicts == {
        "6": ("solved", True, 6.0),
        "7": ("solved", True, 6.0),
        None: ("solved", True, 6.0),
    }
    doubt = "knapsack: k.solu says =opt= 7, but a search proves that none is better than 6"
    assert read_runs(tmp_path / "6.db").doubts == []
    assert read_runs(tmp_path / "7.db").doubts == [doubt]
    report = calmip.bench.report(tmp_path / "7.db")
    assert f"refuted: {doubt}\n" in str(report) + "\n"
    assert report.describe()["summary"]["doubts"] == [doubt]


RUN = [sys.executable, "-m", "calmip", "bench", "run"]


@pytest.mark.slow
def test_a_campaign_that_is_killed_again_and_again_ends_as_an_undisturbed_one(
    tmp_path: Path,
) -> None:
    source = campaign(tmp_path, SMALL)
    calmip.bench.run(source, tmp_path / "calm.db")
    killed, before = 0, 0
    for attempt in range(40):
        results = tmp_path / "killed.db"
        process = subprocess.Popen(
            [*RUN, str(source), "-o", str(results)], stdout=subprocess.DEVNULL
        )
        wanted = before + 1 + attempt % 4
        while process.poll() is None and rows_in(results) < wanted:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        killed += process.wait() == -signal.SIGKILL
        assert rows_in(results) >= before
        before = rows_in(results)
        if before == 36:
            break
    assert killed >= 10
    assert (len(calmip.bench.run(source, tmp_path / "killed.db").runs), before) == (
        36 - before,
        before,
    )
    assert records(tmp_path / "killed.db") == records(tmp_path / "calm.db")


def rows_in(path: Path) -> int:
    if not path.exists():
        return 0
    base = sqlite3.connect(path)
    try:
        return int(base.execute("SELECT count(*) FROM runs").fetchone()[0])
    except sqlite3.Error:
        return 0
    finally:
        base.close()


@pytest.mark.long
def test_a_killed_campaign_leaves_no_process_and_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    pids = fake_cbc(tmp_path, monkeypatch, PIDS + "time.sleep(600)")
    source = campaign(tmp_path, f"instances: [{{puzzle: {TINY}}}]\nsolvers: [cbc]\n")
    process = subprocess.Popen([*RUN, str(source), "-o", str(tmp_path / "r.db")])
    wait_until(lambda: pids.exists() and len(pids.read_text().split()) == 2, process)
    process.kill()
    process.wait()
    for pid in map(int, pids.read_text().split()):
        assert_gone(pid)
    # The process that watches the run removes its folder; the rest is left for the next campaign.
    command = [sys.executable, "-m", "calmip", "solve", str(TINY)]
    end = time.monotonic() + HANG_SECONDS
    while True:
        assert subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode == 0
        if not list(scratch.iterdir()):
            break
        assert time.monotonic() < end, list(scratch.iterdir())


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.parametrize("times", [1, 2])
def test_a_run_whose_helper_is_killed_is_done_again_once(
    times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With all that it has started, and the campaign goes on."""
    body = PIDS + (
        "import pathlib\n"
        "here = pathlib.Path({pids!r} + '.tries')\n"
        "tries = int(here.read_text()) if here.exists() else 0\n"
        f"if tries < {times}:\n"
        "    here.write_text(str(tries + 1))\n"
        # calmip's run has forked off from the helper.
        "    run = int(open(f'/proc/{{os.getppid()}}/stat').read().split()[3])\n"
        "    os.kill(run, signal.SIGKILL)\n"
        "    time.sleep(600)\n"
        "child.kill()\n"
        "answer('Infeasible - objective value 0')\n"
    )
    pids = fake_cbc(tmp_path, monkeypatch, body)
    text = f"instances: [{{puzzle: {TINY}}}]\nsolvers: [cbc, highs]\nreference_every: 0\n"
    found = calmip.bench.run(campaign(tmp_path, text), tmp_path / "r.db")
    by = {run["solver"]: run for run in found.runs}
    assert by["highs"]["status"] == "solved"
    if times == 1:
        assert by["cbc"]["status"] == "wrong"  # the second time it lied, and was heard
    else:
        assert by["cbc"]["status"] == "crash"
        assert "was killed, twice" in by["cbc"]["detail"]
    for pid in map(int, pids.read_text().split()):
        assert_gone(pid)


def _schedstat() -> bool:
    return Path("/proc/self/schedstat").is_file()


@pytest.mark.long
@pytest.mark.skipif(not _schedstat(), reason="needs the scheduler's statistics")
def test_a_run_that_is_stopped_is_starved_and_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twice in the same campaign; and whenever it is run again, until it got the processor."""
    flag = tmp_path / "stops"
    flag.touch()
    body = (
        f"if os.path.exists({str(flag)!r}):\n"
        f"    open({str(tmp_path / 'tries')!r}, 'a').write('x')\n"
        "    os.kill(os.getppid(), signal.SIGSTOP)\n"
        "    time.sleep(600)\n"
        "answer('Infeasible - objective value 0')\n"
    )
    fake_cbc(tmp_path, monkeypatch, body)
    text = f"instances: [{{puzzle: {TINY}}}]\nsolvers: [cbc]\ntime_limit: 2\n"
    source, results = campaign(tmp_path, text), tmp_path / "r.db"
    (run,) = calmip.bench.run(source, results).runs
    assert (run["status"], run["correct"]) == ("starved", None)
    assert (tmp_path / "tries").read_text() == "xxx"
    report = calmip.bench.report(results)
    assert [len(entry.times) for entry in report.entries] == [0]
    assert "starved" in str(report)
    flag.unlink()
    again = calmip.bench.run(source, results)
    assert ([run["status"] for run in again.runs], again.kept) == (["wrong"], 0)
    assert (again.wrong, again.status) == (1, "failed")
    assert [run["status"] for run in read_runs(results).runs] == ["wrong"]
    assert calmip.bench.run(source, results).kept == 1


MISTAKES = {
    "solver": ("instances: [{suite: easy}]\nsolvers: [hihgs]\n", ":2: name: 'hihgs' is not one of"),
    "key": ("instances: [{suite: easy}]\nsolver: [cbc]\n", ":2: unknown key 'solver'"),
    "date": (
        "instances:\n- {suite: easy}\n- puzzle: a-puzzle-a-day\n  dates: [2024-02-29, x]\n",
        ":4: 'x' is not a date",
    ),
    "suite": ("instances: [{suite: eazy}]\n", "did you mean easy?"),
    "files": ("instances:\n- {files: '*.mps'}\n", "no model file"),
    "nothing": ("solvers: [highs]\n", "instances is a list"),
    "memory": ("instances: [{suite: easy}]\nmemory_limit: lots\n", ":2: memory_limit: 'lots'"),
    "time": ("instances: [{suite: easy}]\ntime_limit: 0\n", ":2: time_limit: '0'"),
    "seed": ("instances: [{suite: easy}]\nseeds: [0, -1]\n", ":2: seeds: '-1'"),
    "duplicate": ("instances: [{suite: easy}]\nsolvers: [cbc, cbc]\n", "is a duplicate"),
    "formulation": ("instances: [{suite: easy}]\nformulations: [mps]\n", ":2: formulations: 'mps'"),
    "option": (
        f"instances: [{{puzzle: {TINY}}}]\nsolvers: [{{name: highs, options: {{presolv: 1}}}}]\n",
        "HiGHS has no option presolv",
    ),
}


@pytest.mark.parametrize(("text", "message"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_in_a_campaign_is_one_message(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = campaign(tmp_path, text)
    assert main(["bench", "run", str(source), "-o", str(tmp_path / "r.db")]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert message in said


@pytest.mark.long
def test_a_file_that_is_no_file_of_results_is_refused_and_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, results = campaign(tmp_path, SMALL), tmp_path / "r.db"
    results.write_text("not a database at all, but a text that is long enough to be one" * 100)
    before = results.read_bytes()
    assert main(["bench", "run", str(source), "-o", str(results)]) == 2
    assert "cannot be used as a database" in capsys.readouterr().err
    assert results.read_bytes() == before
    results.unlink()
    with sqlite3.connect(results) as base:
        base.execute("CREATE TABLE runs (x)")
    base.close()
    assert main(["bench", "run", str(source), "-o", str(results)]) == 2
    assert "another program" in capsys.readouterr().err
    results.unlink()
    text = f"instances: [{{puzzle: {TINY}}}]\nsolvers: [exact-cover]\nreference_every: 0\n"
    source.write_text(text)
    assert main(["bench", "run", str(source), "-o", str(results)]) == 0
    with sqlite3.connect(results) as base:
        base.execute("PRAGMA user_version = 9")
    base.close()
    capsys.readouterr()
    assert main(["bench", "run", str(source), "-o", str(results)]) == 2
    assert "version 9 of their tables" in capsys.readouterr().err


@pytest.mark.long
def test_results_are_read_where_nothing_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a share; for root every folder can be written to, so it is only said."""
    results = tmp_path / "r.db"
    calmip.bench.run(campaign(tmp_path, SMALL), results)
    whole = read_runs(results)
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    opened = []

    def connect(name: Any, **more: Any) -> sqlite3.Connection:
        base = sqlite3.dbapi2.connect(name, **more)
        base.execute("SELECT count(*) FROM runs").fetchone()
        opened.append(sorted(file.name for file in tmp_path.glob("r.db*")))
        return base

    monkeypatch.setattr(sqlite3, "connect", connect)
    assert read_runs(results) == whole
    # A reader of a file in WAL mode makes two others beside it, unless the file cannot change.
    assert opened == [["r.db"]]


def test_two_campaigns_do_not_write_to_one_file(tmp_path: Path) -> None:
    from calmip.bench.campaign.store import Store

    source = campaign(tmp_path, SMALL)
    with Store(tmp_path / "r.db"), pytest.raises(InputError, match="another campaign is writing"):
        calmip.bench.run(source, tmp_path / "r.db")


def test_a_solver_that_is_missing_is_said_before_anything_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CALMIP_CBC", str(tmp_path / "nowhere"))
    source = campaign(tmp_path, f"instances: [{{puzzle: {TINY}}}]\nsolvers: [highs, cbc]\n")
    with pytest.raises(SolverMissing, match="cbc was not found on this machine"):
        calmip.bench.run(source, tmp_path / "r.db")


@pytest.mark.long
def test_without_fork_each_run_starts_a_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"instances: [{{puzzle: {TINY}}}]\nsolvers: [highs, exact-cover]\ntime_limit: 600\n"
    source = campaign(tmp_path, text)
    calmip.bench.run(source, tmp_path / "forked.db")
    monkeypatch.setattr(server, "FORKS", False)
    calmip.bench.run(source, tmp_path / "started.db")
    assert records(tmp_path / "started.db") == records(tmp_path / "forked.db")
    # The suites have memory limits, which hold there too.
    for limit, killed in (("4GB", False), ("1MB", True)):
        limited = campaign(tmp_path, f"{text}memory_limit: {limit}\n")
        calmip.bench.run(limited, tmp_path / f"{limit}.db")
        assert {row["status"] == "memory" for row in records(tmp_path / f"{limit}.db")} == {killed}


@pytest.mark.parametrize("name", bundled_suites())
def test_every_suite_is_a_campaign(name: str) -> None:
    suite = read_campaign(name)
    names = [(item.what.name, item.goal) for item in suite.instances]
    assert len(set(names)) == len(names) > 0


def test_the_hard_suite_is_infeasible_where_it_says_so_for_the_reason_it_gives() -> None:
    """A weight of 0 or 1 on each cell, and what each placement weighs, leave no tiling."""
    given = {item.what.name: item.what for item in read_campaign("hard").instances if item.known}
    assert len(given) == 6
    for name, instance in given.items():
        assert isinstance(instance, calmip.Instance)
        cover = ExactCover(instance)
        domino = name.startswith("chessboard")
        weigh = {cell: sum(cell) % 2 if domino else cell[0] % 2 for cell in instance.to_cover}
        weights = {
            sum(weigh[cell] for cell in cover.option(number).cells)
            for number in range(cover.columns)
        }
        pieces, needed = len(instance.puzzle.pieces), sum(weigh.values())
        if domino:
            assert weights == {1}
            assert needed != pieces
        else:
            assert all(weight % 2 for weight in weights)
            assert (pieces % 2, needed % 2) == (1, 0)


@pytest.mark.long
def test_an_entry_carries_its_answer_and_the_reason(tmp_path: Path) -> None:
    """It is the witness where the searches are too slow, and refuted where they are not."""
    box = "{grid: ['* * *', '* * *'], pieces: [I3, I3]}"
    text = (
        f"instances: [{{puzzle: {box}, answer: infeasible, reason: it looks so}}]\n"
        "solvers: [highs, exact-cover]\nreference_every: 0\n"
    )
    found = calmip.bench.run(campaign(tmp_path, text), tmp_path / "r.db")
    assert [run["status"] for run in found.runs] == ["solved", "solved"]
    assert len(found.doubts) == 1
    assert "the campaign says =inf=, but a checked solution" in found.doubts[0]
    assert f"refuted: {found.doubts[0]}" in str(found)
    for more, message in (
        ("answer: infeasible", "an answer needs its reason"),
        ("reason: nothing", "reason needs an answer; give the key answer too"),
        ("answer: none, reason: x", "answer: 'none' is not one of feasible, infeasible"),
    ):
        source = campaign(tmp_path, f"instances: [{{puzzle: {TINY}, {more}}}]\n")
        with pytest.raises(InputError, match=f":1: {message}"):
            calmip.bench.run(source, tmp_path / "s.db")


def test_an_error_in_a_puzzle_of_a_campaign_has_its_line(tmp_path: Path) -> None:
    text = "instances:\n- puzzle:\n    grid: ['1 2']\n    pieces:\n    - I1\n    - J9\n"
    with pytest.raises(InputError, match=r":6: shape 'J9' is unknown"):
        calmip.bench.run(campaign(tmp_path, text), tmp_path / "r.db")


def test_an_exported_suite_knows_what_its_text_proves(tmp_path: Path) -> None:
    row = "* * * * * *\n"
    text = (
        "instances:\n- name: l4\n  puzzle:\n    grid: |\n"
        + f"      {row}" * 6
        + "    pieces: [L4, L4, L4, L4, L4, L4, L4, L4, L4]\n"
        + "  answer: infeasible\n  reason: parity\n"
    )
    calmip.export.suite(str(campaign(tmp_path, text)), tmp_path / "lib")
    assert (tmp_path / "lib" / "index.solu").read_text() == "=inf= l4\n"


DUMMY = """NAME          d
ROWS
 N  obj
 E  one
 L  r
COLUMNS
    MARKER                 'MARKER'                 'INTORG'
    x         obj               -1   r                  1
    y         obj               -1   r                  1
    MARKER                 'MARKER'                 'INTEND'
    ONE       one                1   obj                5
RHS
    RHS       one                1   r                  1
BOUNDS
 BV BND       x
 BV BND       y
ENDATA
"""
"""As Pyomo writes the constant 5 of an objective."""


@pytest.mark.long
def test_a_model_with_other_variables_has_no_count(tmp_path: Path) -> None:
    (tmp_path / "m.lp").write_text("Minimize\n x\nSubject To\n c: x <= 2\nGenerals\n x\nEnd\n")
    text = "instances: [{files: '*.lp', goal: count}]\nsolvers: [highs]\nreference_every: 0\n"
    (run,) = calmip.bench.run(campaign(tmp_path, text), tmp_path / "r.db").runs
    assert run["status"] == "unfit"
    assert "a count needs binary variables" in run["detail"]


@pytest.mark.long
def test_solvers_of_models_with_any_variables_are_compared(tmp_path: Path) -> None:
    """A claim of one is refuted by the better point of another, or by a file."""
    path = tmp_path / "m.lp"
    path.write_text(
        "Minimize\n 3 x + y\nSubject To\n c: 2 x + 3 y >= 2.5\n d: y <= 0.3\nGenerals\n x\nEnd\n"
    )
    problem = problem_of_file(ModelFile(path, "m"), "solve")
    claims = [
        (Status.OPTIMAL, {"x": 1.0, "y": 0.3}, "wrong", None),
        (Status.OPTIMAL, {"x": 1.0, "y": 1 / 6}, "solved", 3 + 1 / 6),
        (Status.FEASIBLE, {"x": 2.0}, "unknown", 6.0),
        (Status.OPTIMAL, {"x": 0.5, "y": 0.3}, "wrong", None),
        (Status.UNBOUNDED, {}, "wrong", None),
        (Status.INFEASIBLE, {}, "wrong", None),
    ]
    for status, values, verdict, objective in claims:
        answer = Outcome(status, values, "sure").describe()
        found = _judge_answer(problem, "liar", status.value, answer)
        assert found[0] == verdict, found
        assert found[1] == objective, found
    (tmp_path / "known.solu").write_text("=opt= m 3\n")
    problem = problem_of_file(ModelFile(path, "m"), "solve")
    answer = Outcome(Status.OPTIMAL, {"x": 1.0, "y": 1 / 6}, "sure").describe()
    assert _judge_answer(problem, "honest", "optimal", answer)[0] == "solved"
    assert "a search proves that none is better" in problem.evidence.doubt


@pytest.mark.parametrize("optimum", [0, 1, 2])
@pytest.mark.parametrize("found", [0, 1, 2])
@pytest.mark.parametrize("status", [Status.OPTIMAL, Status.FEASIBLE])
def test_a_solution_that_no_solver_calls_optimal_is_one_if_its_objective_is(
    status: Status, found: int, optimum: int, tmp_path: Path
) -> None:
    path = tmp_path / "m.lp"
    bounds = f"{optimum} <= x <= 9\nGenerals\n x"
    path.write_text(f"Minimize\n o: x\nSubject To\n c: x <= 9\nBounds\n {bounds}\nEnd\n")
    (tmp_path / "known.solu").write_text(f"=opt= m {optimum}\n")
    problem = problem_of_file(ModelFile(path, "m"), "solve")
    answer = Outcome(status, {"x": float(found)}, "sure").describe()
    verdict = "unknown" if status is Status.FEASIBLE else "wrong"
    verdict = "wrong" if found < optimum else "solved" if found == optimum else verdict
    assert _judge_answer(problem, "any", status.value, answer)[0] == verdict
    path.write_text(path.read_text().replace("o: x", "o: 0 x"))
    problem = problem_of_file(ModelFile(path, "other"), "solve")
    judged = _judge_answer(problem, "any", status.value, answer)[0]
    assert judged == ("wrong" if found < optimum else "solved")


@pytest.mark.long
def test_what_cannot_run_is_a_row_and_the_rest_is_run(tmp_path: Path) -> None:
    """An instance that is plainly infeasible, a file of another kind, a goal of another."""
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "good.lp").write_text(KNAPSACK)
    (tmp_path / "lib" / "general.lp").write_text(
        "Minimize\n x\nSubject To\n c: x >= 2\nGenerals\n x\nEnd\n"
    )
    (tmp_path / "lib" / "mixed.lp").write_text(
        "Minimize\n 3 x + y\nSubject To\n c: 2 x + 3 y >= 2.5\nGenerals\n x\nEnd\n"
    )
    (tmp_path / "lib" / "ray.lp").write_text(
        "Maximize\n x + y\nSubject To\n c: x - y <= 2\nGenerals\n x\nEnd\n"
    )
    (tmp_path / "lib" / "dummy.mps").write_text(DUMMY)
    (tmp_path / "lib" / "broken.mps").write_text("this is no model\n")
    (tmp_path / "lib" / "cut.mps.gz").write_bytes(b"\x1f\x8b\x08")
    dead = tmp_path / "dead.yaml"
    dead.write_text("grid: ['* * *', '. * *', '* . .']\npieces: [I3, I3]\n")
    text = (
        f"instances:\n- {{files: 'lib/*'}}\n- {{puzzle: {dead}, name: dead}}\n"
        f"- {{puzzle: {TINY}, goal: count, name: counted}}\n"
        "formulations: [matrix, packing]\nsolvers: [highs, cbc]\nreference_every: 0\n"
        "time_limit: 20\n"
    )
    source, results = campaign(tmp_path, text), tmp_path / "r.db"
    found = calmip.bench.run(source, results)
    assert len(found.runs) == 2 * (7 + 2 + 2)
    by = {
        (run["instance"], run["formulation"], run["solver"]): (run["status"], run["detail"])
        for run in found.runs
    }
    for solver in ("highs", "cbc"):
        for name in ("good", "general", "mixed", "ray"):
            assert by[name, "file", solver][0] == "solved", by[name, "file", solver]
        # The name of a column that calmip substitutes is one of the solver's answer.
        assert by["dummy", "file", solver][0] == "solved", by["dummy", "file", solver]
        for name in ("broken", "cut"):
            status, detail = by[name, "file", solver]
            assert (status, detail[:31]) == ("unfit", "not a model that calmip solves:")
        assert by["dead", "matrix", solver][0] == "infeasible"
        assert by["dead", "matrix", solver][1].startswith("no model to solve: ")
        assert by["dead", "packing", solver][0] != "infeasible"
        assert by["counted", "packing", solver][0] == "unfit"
        assert by["counted", "matrix", solver][0] == "solved"
    assert calmip.bench.run(source, results).kept == len(found.runs)
    # They have a column each, and no time: nothing ran.
    report = calmip.bench.report(results)
    assert sum(len(entry.times) for entry in report.entries) == 2 * 7
    head = str(report).splitlines()[1].split()
    assert ("unfit" in head, "infeasible" in head) == (True, True)
    for form in ("html", "md", "csv", "json", "svg"):
        assert main(["bench", "report", str(results), "-o", str(tmp_path / f"r.{form}")]) == 0


@pytest.mark.long
def test_a_campaign_in_which_nothing_ran_has_a_report(tmp_path: Path) -> None:
    dead = Path("instances/dead-corner.yaml").resolve()
    text = f"instances: [{{puzzle: {dead}}}]\nsolvers: [highs, cbc]\n"
    calmip.bench.run(campaign(tmp_path, text), tmp_path / "r.db")
    for form in ("html", "md", "csv", "json", "svg", "png"):
        words = ["bench", "report", str(tmp_path / "r.db"), "-o", str(tmp_path / f"r.{form}")]
        assert main(words) == 0
    assert main(["bench", "diff", str(tmp_path / "r.db"), str(tmp_path / "r.db")]) == 2


@pytest.mark.long
def test_a_lone_solver_s_false_word_about_a_file_is_refuted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The judge is that of calmip solve --model."""
    monkeypatch.setattr("calmip.mip.independent_search.WITNESS_SECONDS", 60.0)
    (tmp_path / "k.lp").write_text(KNAPSACK)
    text = "instances: [{files: 'k.lp'}]\nsolvers: [cbc]\nreference_every: 0\n"
    source = campaign(tmp_path, text)
    for number, (body, words) in enumerate(
        (
            ("answer('Infeasible - objective value 0')", "satisfies every row"),
            ("answer('Optimal - objective value 0')", "a point with the objective [345], not 0"),
        )
    ):
        fake_cbc(tmp_path, monkeypatch, body)
        (run,) = calmip.bench.run(source, tmp_path / f"{number}.db").runs
        assert (run["status"], run["correct"]) == ("wrong", False)
        assert re.search(words, run["detail"])
        with pytest.raises(SolverFailed, match=words):
            calmip.solve(calmip.read_model(tmp_path / "k.lp"), solver="cbc")


@pytest.mark.long
def test_an_unverified_answer_has_a_column_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calmip.mip.independent_search.exists", lambda *_, **__: (None, []))
    monkeypatch.setattr("calmip.mip.independent_search._search_pool", lambda *_: (None, {}))
    (tmp_path / "k.lp").write_text(KNAPSACK)
    text = "instances: [{files: 'k.lp'}]\nsolvers: [highs]\nreference_every: 0\n"
    found = calmip.bench.run(campaign(tmp_path, text), tmp_path / "r.db")
    assert "(1 unverified)" in str(found)
    lines = str(calmip.bench.report(tmp_path / "r.db")).splitlines()
    assert lines[1].split()[:4] == ["version", "runs", "solved", "unverified"]
    assert lines[2].split()[2:5] == ["1", "0", "1"]
    assert lines[3].split()[2:5] == ["1", "0", "1"]
    assert "unverified answers count as solved in PAR2" in lines[4]


@pytest.mark.parametrize("name", sorted(set(SOLVERS) - {"z3"}))  # which takes any
def test_an_option_that_a_solver_does_not_know_is_refused(name: str, tmp_path: Path) -> None:
    solver = solver_named(name)
    need_solver(name)
    path = tmp_path / "model.mps"
    calmip.export(calmip.read_instance(TINY), path)
    with pytest.raises(InputError, match=r"(?i)nosuch"):
        solver.solve(path, Limits(30, options=(("nosuch", "1"),)))


KNOWN = {
    "highs": ("presolve", "off"),
    "cbc": ("cuts", "on"),
    "glpk": ("cuts", ""),
    "scip": ("presolving/maxrounds", "0"),
    "cpsat": ("cp_model_presolve", "false"),
    "gurobi": ("Presolve", "0"),
    "z3": ("sat.restart.max", "3"),
}


@pytest.mark.long
@pytest.mark.parametrize("name", KNOWN)
def test_an_option_that_a_solver_knows_leaves_the_answer_as_it_is(
    name: str, tmp_path: Path
) -> None:
    solver = solver_named(name)
    need_solver(name)
    path = tmp_path / "model.mps"
    calmip.export(calmip.read_instance(TINY), path)
    assert solver.solve(path, Limits(30, options=(KNOWN[name],))).status == "optimal"


@pytest.mark.long
def test_a_model_that_a_licence_does_not_take_is_no_crash(tmp_path: Path) -> None:
    need_solver("gurobi")
    names = [f"x{number}" for number in range(2500)]
    (tmp_path / "large.lp").write_text(
        f"Minimize\n {' + '.join(names)}\nSubject To\n c: x1 + x2 >= 1\n"
        f"Binaries\n {' '.join(names)}\nEnd\n"
    )
    text = "instances: [{files: '*.lp'}]\nsolvers: [gurobi]\nreference_every: 0\n"
    calmip.bench.run(campaign(tmp_path, text), tmp_path / "results.db")
    (row,) = records(tmp_path / "results.db")
    # Who has a licence for any size solves it.
    assert row["status"] == "solved" or (row["status"] == "unfit" and "licence" in row["detail"])


@pytest.mark.long
def test_what_is_known_of_an_instance_is_looked_for_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many formulations, solvers and seeds are held against it."""
    from calmip.puzzle.search.exact_cover import search

    asked = []

    class Counted(search.Search):
        def __init__(self, cover: ExactCover, **more: Any) -> None:
            asked.append(cover.instance.name)
            super().__init__(cover, **more)

    monkeypatch.setattr(search, "Search", Counted)
    text = (
        f"instances: [{{puzzle: {TINY}}}, {{puzzle: {NONE}}}]\nformulations: [matrix, pulp]\n"
        "solvers: [highs, cbc]\nseeds: [0, 1]\nreference_every: 0\n"
    )
    calmip.bench.run(campaign(tmp_path, text), tmp_path / "results.db")
    assert len(records(tmp_path / "results.db")) == 16
    # A tiling that a solver found and that was checked answers for itself.
    assert asked == ["chessboard"]


@pytest.mark.long
def test_a_refuted_answer_ends_the_command_with_four(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also one of an earlier run; the answer of eight digits is right."""
    fake_cbc(tmp_path, monkeypatch, "answer('Infeasible - objective value 0')\n")
    text = f"instances: [{{puzzle: {TINY}}}]\nsolvers: [cbc]\nreference_every: 0\n"
    source, results = campaign(tmp_path, text), tmp_path / "r.db"
    assert [main(["bench", "run", str(source), "-o", str(results)]) for _ in "12"] == [4, 4]


@pytest.mark.long
def test_eight_printed_digits_are_no_wrong_answer(tmp_path: Path) -> None:
    need_solver("cbc")
    (tmp_path / "m.lp").write_text(
        "max\n o: flow + y\nst\n c: 3 flow + 7 y <= 1000000\n b: flow - 3 y = 0.125\nend\n"
    )
    text = "instances: [{files: m.lp}]\nsolvers: [cbc]\nreference_every: 0\n"
    source, results = campaign(tmp_path, text), tmp_path / "r.db"
    assert main(["bench", "run", str(source), "-o", str(results)]) == 0
    (run,) = read_runs(results).runs
    assert (run["status"], run["objective"]) == ("solved", 250000.03125)
