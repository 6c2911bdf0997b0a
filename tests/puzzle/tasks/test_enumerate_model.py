"""All solutions of a model file on the command line."""

import gzip
import itertools
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from processes import HANG_SECONDS, wait_until

import calmip
from calmip.cli import main
from calmip.puzzle.tasks.enumeration import TILINGS_PER_MEMORY_CHECK, Enumeration

FREE = """\
Minimize
 cost: 3 a - 2 b
Subject To
 one: a + b + c >= 1
 knapsack: 2 a + 3 b - c <= 3
Binaries
 a b c d
End
"""
# By hand: a b c without d; d is in no row and takes both values.
SOLUTIONS = {
    frozenset(ones) | extra
    for ones in ("a", "b", "c", "ac", "bc")
    for extra in (frozenset(), frozenset("d"))
}

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "free.lp"
    path.write_text(FREE)
    return path


def run(capsys: Capture, *arguments: object) -> tuple[int, str, str]:
    code = main(["enumerate", *map(str, arguments)])
    out, err = capsys.readouterr()
    return code, out, err


def test_all_solutions_as_text_json_and_lines(capsys: Capture, model: Path) -> None:
    code, out, err = run(capsys, model)
    *lines, last = out.splitlines()
    assert (code, err) == (0, "")
    assert {frozenset(line.split()[1:]) for line in lines} == SOLUTIONS
    assert [line.split()[0] for line in lines] == [f"{n}." for n in range(1, len(lines) + 1)]
    assert last.startswith("10 solutions, proved complete (one-tree, ")
    code, out, err = run(capsys, model, "--format", "json", "--method", "one-tree")
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert list(found) == [
        "model",
        "status",
        "complete",
        "stopped",
        "method",
        "seconds",
        "count",
        "solutions",
    ]
    assert found["model"] == {"file": str(model), "name": "model", "columns": 4, "rows": 2}
    assert (found["status"], found["complete"], found["stopped"]) == ("feasible", True, "")
    assert {frozenset(point["ones"]) for point in found["solutions"]} == SOLUTIONS
    assert found["count"] == len(found["solutions"]) == 10
    code, out, err = run(capsys, model, "--format", "jsonl")
    assert code == 0
    assert [json.loads(line) for line in out.splitlines()] == found["solutions"]
    assert "10 solutions, proved complete" in err


def test_a_limit_is_never_complete(capsys: Capture, model: Path) -> None:
    for limit, code, words in (
        (3, 3, "solution limit reached"),
        (10, 3, "limit"),
        (11, 0, "proved"),
    ):
        found, out, _ = run(capsys, model, "--limit", limit)
        assert found == code
        assert words in out
        assert len(out.splitlines()) == min(limit, 10) + 1
    code, out, _ = run(capsys, model, "--time-limit", "1e-9", "--format", "json")
    found = json.loads(out)
    assert (code, found["status"], found["stopped"]) == (3, "unknown", "time")


def test_no_solution_is_proved(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "none.lp"
    path.write_text("Minimize\n obj: a\nSubject To\n r: a + b >= 3\nBinaries\n a b\nEnd\n")
    code, out, _ = run(capsys, path)
    assert code == 1
    assert out.startswith("0 solutions, proved that there is none")
    path.write_text("Minimize\n obj: a\nSubject To\n r: a + b <= 0\nBinaries\n a b\nEnd\n")
    code, out, _ = run(capsys, path)
    assert code == 0
    assert out.startswith("1. (no column is one)\n1 solution, proved complete")


def test_the_exported_model_has_the_tilings_of_its_instance(
    capsys: Capture, tmp_path: Path
) -> None:
    path, found = tmp_path / "feb29.mps", tmp_path / "found.jsonl"
    assert main(["export", "instances/feb29.yaml", "-o", str(path)]) == 0
    packed = tmp_path / "feb29.mps.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    capsys.readouterr()
    code, out, err = run(capsys, packed, "--format", "jsonl", "-o", found, "-v")
    assert (code, out) == (0, "")
    assert "64 solutions, proved complete" in err
    assert "nodes" in err
    lines = found.read_text().splitlines()
    assert len({frozenset(json.loads(line)["ones"]) for line in lines}) == 64
    assert not (tmp_path / "found.jsonl.part").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Missing argument 'INSTANCE'"),
        (["tiny.yaml", "x.mps"], "unexpected extra argument (x.mps)"),
        (["/nosuch/x.mps"], "/nosuch/x.mps: no such file"),
        (["README.md"], "README.md: .md is not a suffix of a model or an instance"),
        (
            ["MODEL", "--limit", "0"],
            "the limit is a number of solutions from 1 on, not 0",
        ),
        (["MODEL", "--time-limit", "nan"], "above 0, not nan"),
        (["MODEL", "--method", "no-good"], "needs the method one-tree"),
        (["MODEL", "--solver", "cbc"], "leave out --solver"),
        (["MODEL", "--no-good-cut", "k-1"], "leave out --no-good-cut"),
        (["MODEL", "--date", "today"], "leave out --date"),
        (["MODEL", "--no-flip"], "leave out --no-flip"),
        (["GENERAL"], "the integer column a is unbounded along +1 a"),
        (["CUT"], "CUT"),
        (["MODEL", "-o", "/nosuch/x"], "/nosuch/x"),
    ],
)
def test_wrong_usage_is_one_clear_line(
    capsys: Capture, model: Path, tmp_path: Path, arguments: list[str], message: str
) -> None:
    general, cut = tmp_path / "general.lp", tmp_path / "cut.lp"
    general.write_text("Minimize\n obj: a\nSubject To\n r: a >= 1\nGenerals\n a\nEnd\n")
    cut.write_text(FREE.partition("Binaries")[0])
    places = {"MODEL": model, "GENERAL": general, "CUT": cut}
    arguments = [str(places.get(word, word)) for word in arguments]
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert str(places.get(message, message)) in err
    assert err.startswith("calmip: error: ")
    assert err.count("\n") == 1


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="interrupts are sent otherwise there")
@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_what_was_found(tmp_path: Path, kind: signal.Signals) -> None:
    # 2^60 solutions: the program cannot be done before it is told to end.
    names = " ".join(f"x{n}" for n in range(60))
    path, found = tmp_path / "many.lp", tmp_path / "found.jsonl"
    path.write_text(f"Minimize\n obj: x0\nSubject To\n r: x0 >= 0\nBinaries\n {names}\nEnd\n")
    command = [
        sys.executable,
        "-m",
        "calmip",
        "enumerate",
        str(path),
        "--format",
        "jsonl",
        "-o",
        str(found),
    ]
    part = tmp_path / "found.jsonl.part"
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        wait_until(lambda: part.is_file() and part.stat().st_size > 999, program)
        program.send_signal(kind)
        try:
            out, err = program.communicate(timeout=HANG_SECONDS)
        finally:
            program.kill()
    assert program.returncode == 130
    assert out == b""
    assert b"incomplete: interrupted" in err
    lines = found.read_text().splitlines()
    assert len({frozenset(json.loads(line)["ones"]) for line in lines}) == len(lines) > 1


def test_a_pool_of_a_model_is_that_of_the_command(model: Path, capsys: Capture) -> None:
    pool = calmip.enumerate(calmip.read_model(model))
    names = pool.model.columns
    assert {frozenset(names[one] for one in ones) for ones in pool} == SOLUTIONS
    assert (pool.points, pool.tilings) == (pool.solutions, ())
    assert (len(pool), pool.complete, pool.method) == (10, True, "one-tree")
    assert pool.statistics is not None
    assert pool.statistics.solutions == 10
    _, out, _ = run(capsys, model, "--format", "json")
    told, found = json.loads(out), pool.describe()
    assert {**told, "seconds": 0} == {**found, "seconds": 0}
    assert list(told) == list(found)
    assert repr(pool) == "<SolutionPool feasible: 10 solutions, complete, model>"
    with pytest.raises(calmip.NotATiling, match="a duplicate solution"):
        calmip.SolutionPool(pool.model, pool.points[:1] * 2, complete=False)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"method": "no-good"}, "needs the method one-tree"),
        ({"method": "exact-cover"}, "no exact cover: row 'knapsack' has different coefficients"),
        ({"method": "exact-cover", "best": 2, "optimal": True}, "has no best, optimal"),
        ({"up_to_symmetry": True}, "its symmetries are not known"),
        ({"resume": True}, "to resume, name the file that the earlier run wrote"),
        ({"workers": 0}, "the number of workers is from 1 to 1024, not 0"),
        ({"limit": 0}, "a number of solutions from 1 on"),
        ({"method": "nosuch"}, "unknown method 'nosuch'"),
    ],
)
def test_what_a_model_has_no_use_for_is_refused(
    settings: dict[str, Any], message: str, model: Path, tmp_path: Path
) -> None:
    with pytest.raises(calmip.InputError, match=message):
        calmip.enumerate(calmip.read_model(model), **settings)
    assert not list(tmp_path.glob("*.jsonl*"))


# By hand: the first row has one of a, b and c, the second at most one of c and d.
COVER = """\
Maximize
 cost: 3 a - 2 b
Subject To
 one: 2 a + 2 b + 2 c = 2
 most: c + d <= 1
Binaries
 a b c d
End
"""


def test_an_exact_cover_is_searched_as_one(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "cover.lp"
    path.write_text(COVER)
    expected = {frozenset(ones) for ones in ("a", "b", "c", "ad", "bd")}
    for method in ([], ["--method", "exact-cover"], ["--method", "one-tree"], ["--workers", "2"]):
        name = "exact-cover" if not method or "exact-cover" in method else "one-tree"
        code, out, err = run(capsys, path, *method)
        *lines, last = out.splitlines()
        assert (code, err) == (0, "")
        assert {frozenset(line.split()[1:]) for line in lines} == expected
        assert last.startswith(f"5 solutions, proved complete ({name}, ")
        code, out, err = run(capsys, path, "--count", *method)
        name = "one-tree" if "one-tree" in method else "exact-cover"  # a count has workers
        assert out.startswith(f"5 solutions, proved complete ({name}, ")
    assert main(["count", str(path)]) == 0
    assert capsys.readouterr().out == "5 solutions, proved complete (exact-cover)\n"
    code, out, err = run(capsys, path, "--limit", "2")
    assert (code, out.splitlines()[-1].split(" (")[0]) == (
        3,
        "2 solutions, incomplete: solution limit reached, there may be more",
    )
    # What needs the objective, or is continued later, is a matter of the tree.
    assert run(capsys, path, "--optimal")[1].splitlines()[-1].startswith("2 solutions (optimum 3")
    pool = calmip.enumerate(calmip.read_model(path), file=tmp_path / "pool.jsonl")
    assert (pool.method, pool.count) == ("one-tree", 5)


@pytest.mark.parametrize("count", [False, True])
def test_an_exact_cover_stops_at_its_time_limit(count: bool) -> None:
    pairs = list(itertools.combinations(range(40), 2))  # the perfect matchings: some 10^23
    rows = [
        (f"v{v}", {n: 1.0 for n, pair in enumerate(pairs) if v in pair}, 1.0, 1.0)
        for v in range(40)
    ]
    model = calmip.Model.from_rows([f"x{n}" for n in range(len(pairs))], rows)
    for seconds in (0.2, 2, 20):  # a busy machine finds nothing in the first
        search = Enumeration(model, keep=False, count=count, time_limit=seconds)
        listed = list(search)
        assert (search.method, search.complete, search.stopped) == ("exact-cover", False, "time")
        if search.count:
            break
    assert search.count
    assert (listed == []) == count
    assert search.seconds >= 0.2


def test_a_model_is_enumerated_within_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "many.lp"
    names = " ".join(f"x{n}" for n in range(20))
    path.write_text(f"Minimize\n obj: x0\nSubject To\n r: x0 >= 0\nBinaries\n {names}\nEnd\n")
    pool = calmip.enumerate(calmip.read_model(path), memory_limit=1)
    assert (len(pool), pool.complete, pool.stopped) == (TILINGS_PER_MEMORY_CHECK, False, "memory")
