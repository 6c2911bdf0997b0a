"""Instances drawn at random: they have the answer that is said, and the seed tells them all."""

from __future__ import annotations

import contextlib
import csv
import math
import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from processes import wait_until
from requirements import need_solver

import calmip
from calmip import InputError, Status, Tiling
from calmip._base.limits import Progress
from calmip.bench import generate, random_families
from calmip.bench.campaign import runner
from calmip.bench.colouring_proofs import refute
from calmip.bench.random_families import FAMILIES, Drawn, Shape, draw
from calmip.cli import main
from calmip.mip.model import Model
from calmip.mip.one_tree import OneTree
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.lattice import HEXAGONAL, SQUARE
from calmip.puzzle.search.exact_cover.search import Search
from calmip.puzzle.tasks import instance_library


def cover_of(one: Drawn) -> ExactCover:
    assert isinstance(one.model, ExactCover)
    return one.model


@pytest.mark.parametrize("lattice", [SQUARE, HEXAGONAL])
@pytest.mark.parametrize("seed", range(6))
def test_a_feasible_board_has_the_tiling_it_was_made_from(lattice: object, seed: int) -> None:
    size = 8 + 6 * seed
    one = draw("tiling", Shape(size, (3, 6), lattice), "feasible", str(seed))  # type: ignore[arg-type]
    cover = cover_of(one)
    assert one.point is not None
    Tiling.from_options(cover, sorted(one.point))
    assert len(cover.instance.to_cover) == size
    assert refute(cover) is None


@pytest.mark.parametrize("seed", range(8))
def test_what_is_infeasible_is_proved_twice(seed: int) -> None:
    one = draw("tiling", Shape(12 + 3 * seed, (4, 4 + seed % 3)), "infeasible", str(seed))
    assert one.known == ("inf", None)
    for search in (Search(cover_of(one)), OneTree(cover_of(one))):
        assert not list(search)
        assert search.complete
    colouring = refute(cover_of(one))
    assert (colouring is not None) == one.reason.startswith("colouring")


@pytest.mark.long
@pytest.mark.parametrize(("size", "pieces"), [(60, (4, 4)), (100, (4, 6)), (100, (5, 5))])
def test_a_large_infeasible_board_has_a_colouring(size: int, pieces: tuple[int, int]) -> None:
    one = draw("tiling", Shape(size, pieces), "infeasible", "1")
    colouring = refute(cover_of(one))
    assert colouring is not None
    assert str(colouring) in one.reason


@pytest.mark.parametrize("lattice", [SQUARE, HEXAGONAL])
def test_beyond_a_size_an_infeasible_board_has_a_colouring_and_no_search(
    lattice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(random_families, "LARGE_BOARD_CELLS", 16)
    one = draw("tiling", Shape(20, (3, 4), lattice), "infeasible", "1")
    assert len(cover_of(one).instance.to_cover) == 20
    assert one.known == ("inf", None)
    assert one.reason == f"colouring {refute(cover_of(one))}"
    assert not list(Search(cover_of(one)))
    board = [(row, column) for row in range(3) for column in range(4)]
    assert random_families._excess(board) == 0
    assert random_families._excess([*board, (3, 1), (5, 1)]) == 2
    assert random_families._excess([*board, (3, 0)]) == -1


@pytest.mark.parametrize(
    ("family", "size"), [("weighted", 20), ("packing", 16), ("choice", 2), ("arrangement", 4)]
)
def test_the_known_solution_satisfies_the_model(family: str, size: int) -> None:
    one = draw(family, Shape(size), "feasible", "7")
    model = one.model
    assert isinstance(model, Model)
    assert one.point is not None
    point = {column: int(value) for column, value in one.point.items()}
    assert model.violated(point) is None
    word, value = one.known
    assert word == "opt"
    assert sum(model.costs.get(column, 0) * number for column, number in point.items()) == value


@pytest.mark.parametrize(
    ("family", "size", "answer"),
    [
        ("weighted", 16, "feasible"),
        ("weighted", 16, "any"),
        ("packing", 16, "any"),
        ("packing", 16, "feasible"),
        ("arrangement", 4, "feasible"),
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_the_optimum_is_that_of_a_solver(family: str, size: int, answer: str, seed: int) -> None:
    one = draw(family, Shape(size), answer, str(seed))
    assert isinstance(one.model, Model)
    found = calmip.solve(one.model)
    if one.known[0] == "inf":
        assert found.status is Status.INFEASIBLE
    else:
        assert (found.status, one.known[0]) == (Status.OPTIMAL, "opt")
        assert found.objective == pytest.approx(one.known[1])


def test_without_nodes_an_optimum_is_only_the_best_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_families, "MAX_NODES", 0)
    one = draw("weighted", Shape(30), "feasible", "1")
    assert one.known[0] == "best"
    assert draw("packing", Shape(30), "any", "1").known[0] in ("best", "unkn")


def test_without_effort_a_board_is_not_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_families, "quick_count", lambda _: None)
    monkeypatch.setattr(random_families, "refute", lambda _: None)
    monkeypatch.setattr(random_families, "MAX_DRAWS", 20)
    assert draw("tiling", Shape(20), "any", "1").known == ("unkn", None)
    with pytest.raises(InputError, match="no instance of"):
        draw("tiling", Shape(8), "infeasible", "1")


def test_a_colouring_that_a_count_contradicts_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_families, "quick_count", lambda _: 3)
    with pytest.raises(AssertionError, match="3 tilings, and none by"):
        draw("tiling", Shape(30, (4, 4)), "infeasible", "1")


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in "ab":
        calmip.generate("tiling", tmp_path / name, size=14, number=3, seed=5)
    calmip.generate("tiling", tmp_path / "c", size=14, number=3, seed=6)
    files = {path.name for path in (tmp_path / "a").iterdir()}
    assert len(files) == 3 * 3 + 7
    for name in files:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    one, other = (sorted((tmp_path / name).glob("*.mps"))[0].read_bytes() for name in "ac")
    assert one != other


@pytest.mark.parametrize("family", FAMILIES)
def test_a_library_is_accepted_by_the_checker(family: str, tmp_path: Path) -> None:
    size = {"choice": 1, "arrangement": 3}.get(family, 12)
    made = calmip.generate(family, tmp_path / "set", size=size, number=2)
    assert (made.status, len(made.entries), made.drawn) == (Status.DONE, 2, 2)
    verdict = calmip.check.folder(tmp_path / "set")
    assert verdict.status is Status.ACCEPTED
    assert str(verdict).endswith("2 models: 2 accepted\n"[:-1])


def test_the_puzzle_beside_a_model_is_its_instance(tmp_path: Path) -> None:
    calmip.generate("tiling", tmp_path / "set", size=20, lattice="hexagonal")
    (path,) = (tmp_path / "set").glob("*.yaml")
    calmip.export(calmip.read_instance(path), tmp_path / "again.mps", count=False)
    own, again = (
        calmip.read_model(path.with_suffix(".mps")),
        calmip.read_model(tmp_path / "again.mps"),
    )
    assert (own.columns, own.rows) == (again.columns, again.rows)


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["tiling", "--size", "3"], "the size of family tiling is from 4 to 2000, not 3"),
        (["choice", "--size", "400"], "the size of family choice is from 1 to 366"),
        (["tiling", "--piece-size", "6-4"], "a number of cells such as 5 or 4-6"),
        (["tiling", "--piece-size", "x"], "a number of cells such as 5 or 4-6"),
        (["arrangement", "--answer", "infeasible"], "always have a solution"),
        (["tiling", "--hardness", "10"], "such as 10s:highs"),
        (["tiling", "--hardness", "10s:none"], "unknown solver 'none'; use one of highs"),
        (["tiling", "--features", "none"], "none"),
        (["tiling", "--number", "0"], "from 1 to 100,000, not 0"),
        (["tiling", "--suffix", ".xyz"], "error: the suffix '.xyz' is unknown"),
        (["weighted", "--size", "8", "--suffix", ".cnf"], "written as .mps or .lp, not .cnf"),
        (["nothing"], "'nothing' is not one of 'tiling'"),
    ],
)
def test_a_wrong_input_has_one_message(
    words: list[str], part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["generate", *words, "-o", str(tmp_path / "set")]) == 2
    said = capsys.readouterr().err
    assert part in said
    assert said.count("error") == 1
    assert not (tmp_path / "set").exists() or not list((tmp_path / "set").glob("*.mps"))


@pytest.mark.long
def test_features_are_measured(tmp_path: Path) -> None:
    calmip.generate(
        "tiling", tmp_path / "set", size=12, number=2, features=["highs", "exact-cover"]
    )
    with (tmp_path / "set" / "features.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2
    for row in rows:
        assert int(row["columns"]) * int(row["rows"]) * float(row["density"]) == pytest.approx(
            int(row["nonzeros"]), rel=1e-3
        )
        assert int(row["symmetries"]) >= 1
        assert (row["bound"], row["gap"]) == ("0", "0")
        assert row["nodes_exact-cover"].isdigit()


def test_a_hardness_is_reached_by_draws_of_other_sizes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a solver whose seconds depend on the size alone: real ones depend on the machine."""

    def timed(model: ExactCover, *_: object, **__: object) -> dict[str, object]:
        return {"ended": True, "cpu": 1.2 ** len(model.items) / 1_000, "nodes": None}

    monkeypatch.setattr(generate, "_run", timed)
    made = calmip.generate("tiling", tmp_path / "set", number=2, hardness="0.5s:glpk")
    assert len(made.seconds) == 2
    assert all(0.25 <= seconds <= 1 for seconds in made.seconds.values())
    assert made.drawn > 2
    assert "cpu" in (tmp_path / "set" / "answers.csv").read_text()


@pytest.mark.parametrize("start", [None, 0.0, 0.5])
@pytest.mark.parametrize("used", [None, 0.0, 1.5])
def test_seconds_that_were_not_measured_are_none(
    used: float | None, start: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = {"answer": None, "cpu": used, "start_cpu": start}
    monkeypatch.setattr(runner, "execute", lambda _: run)
    found = generate._run(Model.from_rows(["x"], []), "glpk", 9.0, cpu=True)
    assert found == {"ended": False, "cpu": (used or 0) - (start or 0), "nodes": None}


@pytest.mark.parametrize(
    ("answer", "ended"),
    [("optimal", True), ("infeasible", True), ("feasible", False), ("unknown", False), ("", False)],
)
def test_only_a_run_that_has_ended_has_a_hardness(
    monkeypatch: pytest.MonkeyPatch, answer: str, ended: bool
) -> None:
    """The seconds of its start do not count, and what was not finished is too hard."""

    def execute(job: Any) -> dict[str, Any]:
        jobs.append(job.cpu)
        told = {"status": answer, "nodes": 7} if answer else None
        return {"answer": told, "cpu": 1.5, "start_cpu": 0.5}

    jobs: list[float | None] = []
    monkeypatch.setattr(runner, "execute", execute)
    model = Model.from_rows(["x"], [("r", {0: 1.0}, 0.0, 1.0)])
    for cpu in (True, False):
        found = generate._run(model, "glpk", 9.0, cpu=cpu)
        assert found == {"ended": ended, "cpu": 1.0, "nodes": 7 if answer else None}
    assert jobs == [9.0, None]
    wanted = generate._Hardness("0.5s:glpk")
    one = Drawn(model, ("opt", 0.0), "")
    assert wanted.factor("m", one) == (2.0 if ended else float("inf"))
    # A run that was cut off says nothing of a longer one.
    for again, known in (("0.5s:glpk", True), ("0.4s:glpk", True), ("1s:glpk", ended)):
        other = generate._Hardness(again)
        other.recall([dict(zip(generate.DRAWN, map(str, wanted.rows[0]), strict=True))])
        jobs.clear()
        other.factor("m", one)
        assert bool(jobs) is not known


@pytest.mark.long
def test_a_hardness_is_that_of_the_solver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is found within some draws, however long a busy machine takes for them.

    So it is several times what the machine takes for a model of one column.
    """
    need_solver("glpk")
    run, runs = generate._run, []
    (tmp_path / "one.lp").write_text("min\n x\nst\n c: x >= 1\nbinary\n x\nend\n")
    one = calmip.read_model(tmp_path / "one.lp")
    wanted = max(0.05, *(6 * run(one, "glpk", 60, cpu=True)["cpu"] for _ in range(3)))

    def counted(*given: Any, **further: Any) -> dict[str, Any]:
        runs.append(run(*given, **further))
        assert len(runs) <= 100
        return runs[-1]

    monkeypatch.setattr(generate, "_run", counted)
    hardness = f"{wanted:.3f}s:glpk"
    made = calmip.generate("weighted", tmp_path / "set", number=2, hardness=hardness)
    assert not made.stopped
    assert len(made.seconds) == len(made.entries) == 2
    assert all(0.49 * wanted <= seconds <= 2.01 * wanted for seconds in made.seconds.values())
    assert set(made.seconds.values()) <= {found["cpu"] for found in runs}
    assert made.drawn == len(runs) >= 2


def test_when_the_time_is_over_what_was_found_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = [0]

    def progress(_: object) -> None:
        calls[0] += 1

    monkeypatch.setattr("calmip._base.limits.perf_counter", lambda: 0.3 * calls[0])
    made = calmip.generate(
        "tiling", tmp_path / "set", size=12, number=50, time_limit=0.5, progress=progress
    )
    assert made.stopped
    assert made.status is Status.UNKNOWN
    assert len(made.entries) == calls[0] == 2
    monkeypatch.undo()
    assert calmip.check.folder(tmp_path / "set").status is Status.ACCEPTED
    words = ["generate", "tiling", "--time-limit", "0.001", "--number", "100000"]
    assert main([*words, "-o", str(tmp_path / "other")]) == 3
    assert "the time limit was reached" in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
def test_ctrl_c_keeps_what_was_found(tmp_path: Path) -> None:
    words = [
        "generate",
        "tiling",
        "--size",
        "30",
        "--number",
        "100000",
        "-o",
        str(tmp_path / "set"),
    ]
    with subprocess.Popen(
        [sys.executable, "-m", "calmip", *words], stderr=subprocess.PIPE, text=True
    ) as running:
        wait_until(lambda: len(list((tmp_path / "set").glob("*.mps"))) > 2, running)
        os.kill(running.pid, signal.SIGINT)
        said = running.communicate()[1]
    assert running.returncode == 130, said
    assert "Traceback" not in said
    lines = (tmp_path / "set" / "index.csv").read_text().splitlines()
    assert len(lines) > 2
    assert len(list((tmp_path / "set").glob("*.mps"))) == len(lines) - 1
    assert (tmp_path / "set" / "SHA256SUMS").is_file()


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.long
@pytest.mark.parametrize(
    ("family", "more"),
    [
        ("tiling", {"size": 12}),
        ("packing", {"size": 12, "suffix": ".lp.gz"}),
        ("tiling", {"size": 12, "features": ["glpk", "highs"]}),
        ("tiling", {"hardness": "0.5s:glpk"}),
    ],
    ids=["plain", "packed", "features", "hardness"],
)
def test_after_ctrl_c_the_same_command_continues(
    family: str, more: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_solver("glpk")
    runs: list[str] = []

    def timed(model: ExactCover, solver: str, *_: object, **__: object) -> dict[str, object]:
        """Measure what depends on the size, and a little on the moment, as clocks do."""
        runs.append(solver)
        cpu = 1.2 ** len(model.items) / 1_000 * (1 + len(runs) / 10_000)
        return {"ended": cpu < 1, "cpu": cpu, "nodes": len(runs)}

    monkeypatch.setattr(generate, "_run", timed)

    def interrupted_after(number: int) -> Callable[[Progress], None]:
        def progress(now: Progress) -> None:
            if now.done == number:
                raise KeyboardInterrupt

        return progress

    def make(name: str, number: int = 7, **others: Any) -> dict[str, bytes]:
        with contextlib.suppress(KeyboardInterrupt):
            calmip.generate(family, tmp_path / name, number=number, **more, **others)
        return contents(tmp_path / name)

    expected = make("whole")
    usual = len(runs)
    runs.clear()
    seen: set[int] = set()
    # The third is interrupted earlier than the second, and takes nothing away.
    for number in (1, 4, 2, 6):
        found = make("parts", progress=interrupted_after(number))
        assert calmip.check.folder(tmp_path / "parts").status is Status.ACCEPTED
        seen.add(len(found))
    assert make("parts") == expected
    assert len(seen) == 3
    assert len(runs) == usual
    # What stands there is no part of another library, or of a smaller one.
    for others in ({"seed": 1}, {"number": 3}):
        with pytest.raises(InputError, match="exists already, with another content"):
            make("parts", **others)
        assert expected.items() <= contents(tmp_path / "parts").items()
    (tmp_path / "hand").mkdir()
    make("hand", progress=interrupted_after(3))
    (tmp_path / "hand" / "README.md").write_text("mine")
    with pytest.raises(InputError, match=r"README\.md: exists already, with another content"):
        make("hand")
    assert (tmp_path / "hand" / "README.md").read_text() == "mine"


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
@pytest.mark.parametrize("suffix", [".mps", ".sol", ".yaml"])
def test_an_interrupt_while_a_model_is_written_comes_after_its_line(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put = instance_library._put

    def interrupted(path: Path, *arguments: object, **more: object) -> str:
        if path.suffix == suffix and len(list(path.parent.glob("*.mps"))) <= 2:
            signal.raise_signal(signal.SIGINT)
        return put(path, *arguments, **more)

    monkeypatch.setattr(instance_library, "_put", interrupted)
    words = ["generate", "tiling", "--size", "12", "--number", "5", "-o", str(tmp_path / "set")]
    assert main(words) == 130
    assert "interrupted" in capsys.readouterr().err
    assert len(list((tmp_path / "set").glob("*.mps"))) == 1
    assert len((tmp_path / "set" / "index.csv").read_text().splitlines()) == 2
    assert calmip.check.folder(tmp_path / "set").status is Status.ACCEPTED


@pytest.mark.parametrize("ended", [True, False])
@pytest.mark.parametrize("best", [None, 2.0])
@pytest.mark.parametrize("low", [1.0, 3.0])
def test_features_of_a_model_are_its_bound_and_gap(
    ended: bool, best: float | None, low: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = {"nodes": 7, "ended": ended, "cpu": 0.25}
    monkeypatch.setattr(generate, "_run", lambda *_, **__: run)
    model = Model.from_rows(["x", "y"], [("r", {0: 1.0, 1: 1.0}, low, math.inf)], [1.0, 2.0])
    answer = ("inf", None) if low > 2 else ("opt", best)
    names = generate._feature_names(["one", "two"])[1:]
    values = generate._features(Drawn(model, answer, "by hand"), ["one", "two"])
    found = dict(zip(names, values, strict=True))
    assert [found[name] for name in ("columns", "rows", "nonzeros", "density")] == [2, 1, 2, "1"]
    assert found["symmetries"] == ""
    assert found["bound"] == ("infeasible" if low > 2 else "1")
    assert found["gap"] == ("0.5" if low < 2 and best else "")
    assert found["nodes_one"] == found["nodes_two"] == (7 if ended else "")
    assert found["cpu_two"] == "0.25"


KNAPSACK = "Maximize\n o: 2 x + 3 y\nSubject To\n c: x + y <= 1\n{}Binaries\n x y\nEnd\n"


@pytest.mark.parametrize(
    ("row", "nodes", "point", "known"),
    [
        ("", 1000, None, ("opt", -3.0)),
        (" d: x + y >= 2\n", 1000, None, ("inf", None)),
        ("", 0, None, ("unkn", None)),
        ("", 0, {0: 1.0}, ("best", -2.0)),
        ("", 1000, {0: 1.0}, ("opt", -3.0)),
    ],
)
def test_an_optimum_is_known_where_the_search_has_ended(
    row: str,
    nodes: int,
    point: dict[int, float] | None,
    known: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Otherwise only the best solution is, or nothing."""
    (path := tmp_path / "m.lp").write_text(
        KNAPSACK.format(row).replace("Maximize", "Minimize").replace("2 x + 3 y", "- 2 x - 3 y")
    )
    monkeypatch.setattr(random_families, "MAX_NODES", nodes)
    found = random_families._with_optimum(calmip.read_model(path), point)
    assert found.known == known


def test_the_best_of_some_nodes_is_no_optimum(monkeypatch: pytest.MonkeyPatch) -> None:
    class Search:
        complete, best = False, 7

        def __init__(self, *_: object, **__: object) -> None:
            pass

        def __iter__(self) -> Iterator[Any]:
            return iter(())

        def recall(self, _: object) -> None:
            pass

    monkeypatch.setattr("calmip.mip.pool.PoolSearch", Search)
    model: Any = SimpleNamespace(costs={0: 9})
    assert random_families._with_optimum(model, None).known == ("best", 7.0)
    # A worse point that was planted tells nothing; one that is as good is an example.
    assert random_families._with_optimum(model, {0: 1.0}).known == ("best", 7.0)
    model.costs[0] = 7
    planted = random_families._with_optimum(model, {0: 1.0})
    assert (planted.known, planted.reason) == (("best", 7.0), "made from a tiling")


def test_a_board_has_so_many_pieces_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_families, "MAX_PIECES", 2)
    cells = [(0, 0)], [(0, 1)], [(0, 2)]
    shape = Shape(3)
    assert len(random_families._puzzle(cells[:2], cells[:2], shape).pieces) == 2
    with pytest.raises(InputError, match="there would be 3 pieces; at most 2"):
        random_families._puzzle(cells, cells, shape)


def test_a_board_without_room_for_another_colour_is_left_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Around it there is no even cell: that is so for triangles, where odd ones have only these."""
    pieces = [[(0, 0), (0, 1)]]
    asked: list[Any] = []

    def puzzle(board: Any, *_: object) -> None:
        asked.append(board)
        raise InputError("a piece fits nowhere")

    monkeypatch.setattr(random_families, "_cut", lambda *_: pieces)
    monkeypatch.setattr(random_families, "_puzzle", puzzle)
    lattice = SimpleNamespace(
        orientations=lambda one, *, flip: [one], neighbours=lambda _: set(), is_connected=bool
    )
    shape: Any = SimpleNamespace(lattice=lattice)
    assert random_families._uneven(random.Random(1), shape) is None
    assert asked == [[[(0, 0), (0, 1)]]]
