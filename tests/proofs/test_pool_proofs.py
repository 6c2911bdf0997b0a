"""Proofs that pools of mixed-integer models are complete: written, checked, altered and refused."""

from __future__ import annotations

import copy
import json
import math
import random
import subprocess
import sys
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from battery import seeds
from pool_referee import SmallModel, draw_model

import calmip
from benchmarks.altered_proofs import altered, other_types, places
from calmip._base.errors import InputError, ProofRefused, SolverFailed
from calmip._base.limits import NO_LIMITS
from calmip.cli import main
from calmip.mip.model import Model
from calmip.mip.pool import PoolSearch
from calmip.mip.proof import check_pool as checker
from calmip.mip.proof import pool_tree
from calmip.mip.proof.check_pool import PoolRefused, check_pool, read_proof

INF = math.inf
Solutions = dict[tuple[int, ...], Fraction]

KNAPSACK = """Maximize
 obj: 5 a + 4 b + 3 c + 0.5 y
Subject To
 weight: 2 a + 3 b + c + y <= 5.5
 pair: b + c <= 1
 flow: y - 3 a <= 0
Bounds
 0 <= a <= 2
 y <= 2.25
General
 a
Binaries
 b c
End
"""
"""Its best objective is 13.25, and the next ones are 10.75, 9.25 and 9.125."""


@pytest.fixture
def knapsack(tmp_path: Path) -> Path:
    path = tmp_path / "knapsack.lp"
    path.write_text(KNAPSACK)
    return path


def claimed(proof: Mapping[str, Any], names: list[str]) -> Solutions:
    """Return the objectives of the solutions of a proof, by the values of some columns."""
    place = {name: number for number, (name, _, _) in enumerate(proof["model"]["columns"], start=1)}
    found = {}
    for objective, pairs in proof["solutions"]:
        values = dict(map(tuple, pairs))
        found[tuple(values.get(place[name], 0) for name in names)] = Fraction(objective)
    assert len(found) == len(proof["solutions"])
    return found


def wanted(small: SmallModel, names: list[str], goal: Any) -> Solutions:
    """Return the best objectives that a goal wants, by the values of some integer columns."""
    sign = -1 if small.maximise else 1
    best: Solutions = {}
    for key, one in small.completions().items():
        assert one is not None
        point = dict(zip(small.whole, key, strict=True))
        part = tuple(point[int(name[1:])] for name in names)
        best[part] = min(best.get(part, one), one, key=lambda x: sign * x)
    if goal is None or not best:
        return best
    kind, size = goal
    first = min(sign * one for one in best.values())
    extra = Fraction(size) * (abs(first) if kind == "gap" else 1)
    return {part: one for part, one in best.items() if sign * one <= first + extra}


def goals(seed: int, small: SmallModel) -> list[dict[str, Any]]:
    """Return options of `calmip.prove` for a seed."""
    draw = random.Random(seed)
    some = [f"x{column}" for column in small.whole if draw.random() < 0.5]
    found: list[dict[str, Any]] = [
        {},
        {"optimal": True},
        {"gap": draw.choice(["1/4", "1%", "200%"])},
        {"within": draw.choice(["1.5", "3", "1e-9"])},
    ]
    return [*found, {"distinct": some, **draw.choice(found)}] if some else found


def decidable(small: SmallModel) -> bool:
    """Return whether the referee finds all solutions: no column and no objective is endless."""
    endless = any(None in (low, high) for low, high, integer in small.columns if integer)
    return bool(small.whole) and not endless and None not in small.completions().values()


def prove_and_judge(seed: int, folder: Path) -> int:
    """Prove pools of a random model, and compare the claims with brute force in fractions."""
    _, small = draw_model(seed)
    if not decidable(small):
        return 0
    path = folder / "small.mps"
    path.write_text(small.mps())
    mixed = 0
    for goal in goals(seed, small):
        proof = calmip.prove(calmip.read_model(path), folder / "proof", **goal)
        checked = calmip.prove.check(folder / "proof", calmip.read_model(path))
        shown = proof.tilings, proof.nodes, proof.scope, proof.objectives
        assert shown == (checked.tilings, checked.nodes, checked.scope, checked.objectives)
        data = json.loads((folder / "proof" / "proof.json").read_text())
        if "model" not in data:  # a binary model without a goal
            assert proof.tilings == len(small.completions())
            continue
        names = goal.get("distinct", [f"x{column}" for column in small.whole])
        expected = wanted(small, names, data["goal"])
        assert claimed(data, names) == expected, (seed, goal)
        if expected:
            ends = min(expected.values()), max(expected.values())
            assert proof.objectives == (ends[::-1] if small.maximise else ends)
        mixed += 1
    return mixed


@pytest.mark.long
@pytest.mark.parametrize("first", seeds(2, range(0, 4000, 20)))
def test_pools_are_those_of_brute_force(first: int, tmp_path: Path) -> None:
    assert sum(prove_and_judge(seed, tmp_path) for seed in range(first, first + 20)) > 20


@pytest.mark.long
def test_many_pools_are_those_of_brute_force(tmp_path: Path) -> None:
    assert sum(prove_and_judge(seed, tmp_path) for seed in range(10_000, 10_600)) > 1000


def claim_is_right(small: SmallModel, names: list[str], proof: Any) -> bool:
    """Return whether the solutions of a proof are those that its goal wants."""
    goal = proof["goal"]
    return claimed(proof, names) == wanted(small, names, goal)


@pytest.mark.long
@pytest.mark.parametrize("seed", [3, 14, 25, 36])
def test_an_altered_proof_is_refused_or_right(seed: int, tmp_path: Path) -> None:
    """Each whole number outside the model is changed; parts are lost, doubled and moved."""
    models = (draw_model(number)[1] for number in range(seed, 4000))
    small = next(filter(decidable, models))
    (tmp_path / "small.mps").write_text(small.mps())
    calmip.prove(calmip.read_model(tmp_path / "small.mps"), tmp_path, gap="1/4")
    proof = read_proof((tmp_path / "proof.json").read_text())
    names = [f"x{column}" for column in small.whole]
    refused = 0
    for other in alterations(proof, random.Random(seed)):
        try:
            check_pool(other)
        except PoolRefused:
            refused += 1
            continue
        assert claim_is_right(small, names, other)
    assert refused > 3


def alterations(proof: Any, draw: random.Random) -> Any:
    """Yield proofs with one change."""
    for key in ("goal", "solutions", "tree"):
        for path, value in list(places(proof[key], (key,))):
            if type(value) is int:
                for step in (-1, 1, draw.choice([-7, 100])):
                    yield altered(proof, path, value + step)
            elif isinstance(value, str) and "/" in value:
                yield altered(proof, path, f"{value}0")
    for key in ("solutions", "tree"):
        for number in range(len(proof[key])):
            for change in ("drop", "double", "first"):
                other = copy.deepcopy(proof)
                entries = other[key]
                if change == "drop":
                    del entries[number]
                elif change == "double":
                    entries.insert(number, entries[number])
                else:
                    entries.insert(0, entries.pop(number))
                yield other


def part(proof: Any, kind: str) -> int:
    """Return the place of the first node of a kind."""
    return next(n for n, node in enumerate(proof["tree"]) if node[0] == kind)


def without_a_member(proof: Any) -> None:
    """Remove a solution, and call its place in the tree refuted by the same multipliers."""
    del proof["solutions"][-1]
    gone = len(proof["solutions"]) + 1
    for number, node in enumerate(proof["tree"]):
        if node[0] == "solution" and node[1] == gone:
            proof["tree"][number] = ["none", node[2]]


def without_a_branch(proof: Any) -> None:
    """Take a node with its first branch alone."""
    place = part(proof, "branch")
    del proof["tree"][place]
    end = next(n for n, node in enumerate(proof["tree"][place:], place) if node[0] != "narrow")
    del proof["tree"][end + 1 :]


def with_another_multiplier(proof: Any) -> None:
    """Turn the multipliers of a refuted node around."""
    for pair in proof["tree"][part(proof, "none")][1]:
        pair[1] = -pair[1]


def with_another_value(proof: Any) -> None:
    proof["solutions"][0][0] = "27/2"


def with_another_point(proof: Any) -> None:
    """Complete a solution worse than it could be, and say so."""
    for pair in proof["solutions"][0][1]:
        if pair[0] == 4:
            pair[1] = "1/4"
            proof["solutions"][0][0] = "105/8"


def with_a_wider_goal(proof: Any) -> None:
    proof["goal"] = ["within", 4]


def with_a_narrower_goal(proof: Any) -> None:
    proof["goal"] = ["within", 2]


def with_all_as_goal(proof: Any) -> None:
    proof["goal"] = None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (without_a_member, "refute nothing"),
        (without_a_branch, "malformed|goes on"),
        (with_another_multiplier, "refute nothing|cannot be multiplied"),
        (with_another_value, "the objective of a solution is not 27/2"),
        (with_another_point, "refute nothing"),
        (with_a_wider_goal, "refute nothing"),
        (with_a_narrower_goal, "a solution is worse than the goal allows"),
        (with_all_as_goal, "cannot be multiplied|refute nothing"),
        (lambda proof: proof["solutions"].append(proof["solutions"][0]), "two solutions are alike"),
        (lambda proof: proof["tree"].append(["none", []]), "goes on after its end"),
        (lambda proof: proof.update(complete=True), "its keys are not those of a pool"),
        (lambda proof: proof["tree"].insert(0, ["guess", []]), "'?guess'? is no kind of node"),
        (lambda proof: proof["tree"].insert(0, ["branch", 4, 0]), "there is no integer column 4"),
        (lambda proof: proof["tree"].insert(0, ["none", [[9, 1]]]), "there is no row 9"),
        (lambda proof: proof["model"].update(unit=0), "is not positive"),
        (lambda proof: proof["model"].update(integers=9), "there are not so many columns"),
        (lambda proof: proof.update(goal=["within", -1]), "the goal is below the optimum"),
    ],
)
def test_a_wrong_verdict_is_refused(
    change: Callable[[Any], object], message: str, knapsack: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "proof"
    proof = calmip.prove(calmip.read_model(knapsack), folder, within=3)
    assert (proof.tilings, proof.objectives) == (2, (Fraction(53, 4), Fraction(43, 4)))
    path = folder / "proof.json"
    data = read_proof(path.read_text())
    change(data)
    path.write_text(json.dumps(data))
    with pytest.raises(ProofRefused, match=message):
        calmip.prove.check(folder)


FIXED_CHARGE = """Minimize
 obj: 3 open1 + 4 open2 + x + y
Subject To
 need: x + y >= 2.5
 link1: x - 100 open1 <= 0
 link2: y - 100 open2 <= 0
 room: x + y <= 4
Binaries
 open1 open2
End
"""
"""The bounds of x and y follow from the rows, and 100 may be 4, or less by the cutoff."""


def test_cuts_and_bounds_of_the_root_are_checked(tmp_path: Path) -> None:
    path, folder = tmp_path / "m.lp", tmp_path / "proof"
    path.write_text(FIXED_CHARGE)
    assert calmip.prove(calmip.read_model(path), folder, gap="50%").tilings == 2
    text = (folder / "proof.json").read_text()
    kinds = [node[0] for node in read_proof(text)["tree"]]
    assert kinds.count("cut") >= 2
    assert kinds[0] == "narrow"
    first = kinds.index("cut")
    wrong: list[tuple[Callable[[Any], object], str]] = [
        (lambda tree: tree[first].__setitem__(2, tree[first][2] + 1), "refute nothing"),
        (lambda tree: tree[first][1][0].__setitem__(1, -1), "refute nothing"),
        (lambda tree: tree[first].__setitem__(5, []), "refute nothing"),
        (lambda tree: tree[first].__setitem__(3, 4), "there is no integer column 4"),
        (lambda tree: tree[0][2][0].__setitem__(2, "1/3"), "refute nothing"),
        (lambda tree: tree[0][2][0].__setitem__(0, 5), "there is no column 5"),
        (
            lambda tree: tree.insert(0, ["branch", 1, 0]) or tree.insert(1, tree.pop(first + 1)),
            "cut",
        ),
    ]
    for change, message in wrong:
        proof = read_proof(text)
        change(proof["tree"])
        with pytest.raises(PoolRefused, match=message):
            check_pool(proof)


def test_another_type_at_any_place_is_refused(knapsack: Path, tmp_path: Path) -> None:
    calmip.prove(calmip.read_model(knapsack), tmp_path / "proof", within=3)
    proof = read_proof((tmp_path / "proof" / "proof.json").read_text())
    check_pool(proof)
    for path, value in places(proof):
        if isinstance(value, str) or value is None:
            continue  # a name, a kind of node or a fraction; no bound
        bound = path[:2] in {("model", "columns"), ("model", "rows")} and path[3:] in {(1,), (2,)}
        bound |= (
            path[:1] == ("tree",) and path[2:3] == (2,) and path[4:] in {(1,), (2,)}
        )  # of narrow
        for other in other_types(value):
            if bound and other is None:
                continue
            with pytest.raises(PoolRefused):
                check_pool(altered(proof, path, other))


def test_a_proof_is_of_its_model_alone(knapsack: Path, tmp_path: Path) -> None:
    folder = tmp_path / "proof"
    calmip.prove(calmip.read_model(knapsack), folder, optimal=True)
    for old, new in (("5.5", "5.4"), ("0.5 y", "0.6 y"), ("weight", "heavy"), ("<= 2.25", "<= 2")):
        knapsack.write_text(KNAPSACK.replace(old, new))
        with pytest.raises(ProofRefused, match="is about another model"):
            calmip.prove.check(folder, calmip.read_model(knapsack))
    knapsack.write_text(KNAPSACK.replace(" c\n", " d\n").replace("3 c", "3 d").replace("c ", "d "))
    with pytest.raises(ProofRefused, match="is about another model"):
        calmip.prove.check(folder, calmip.read_model(knapsack))


def test_constructs_do_not_tell_solutions_apart(tmp_path: Path) -> None:
    """At x = 0 the column that linearises the set may have both values."""
    path = tmp_path / "sets.lp"
    path.write_text(
        "Maximize\n obj: x + y + w\nSubject To\n cap: x + y + w <= 2\n"
        "Bounds\n x <= 2\n y <= 2\n w <= 1\nGenerals\n x w\nSOS\n s1: S1 :: x:1 y:2\nEnd\n"
    )
    model = calmip.read_model(path)
    proof = calmip.prove(model, tmp_path / "proof")
    assert proof.tilings == len(calmip.enumerate(model)) == 5
    assert calmip.prove.check(tmp_path / "proof", model).tilings == 5


def test_a_linear_program_has_one_optimum(tmp_path: Path) -> None:
    path = tmp_path / "m.lp"
    path.write_text("Minimize\n obj: x + y\nSubject To\n r: 3 x + 3 y >= 1\nEnd\n")
    proof = calmip.prove(calmip.read_model(path), tmp_path / "proof", optimal=True)
    assert (proof.tilings, proof.objectives) == (1, (Fraction(1, 3), Fraction(1, 3)))
    assert calmip.prove.check(tmp_path / "proof", calmip.read_model(path)).tilings == 1


def test_nothing_is_written_at_the_time_limit(knapsack: Path, tmp_path: Path) -> None:
    folder = tmp_path / "proof"
    proof = calmip.prove(calmip.read_model(knapsack), folder, optimal=True, time_limit=1e-9)
    assert (proof.tilings, proof.stopped, proof.status) == (None, "time", "unknown")
    assert not list(folder.glob("*"))


@pytest.mark.parametrize("complete", [False, True])
def test_a_pool_that_lacks_a_solution_has_no_proof(
    *, complete: bool, knapsack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Short(PoolSearch):
        def points(self) -> Iterator[Any]:
            every = list(super().points())
            self.complete = complete
            yield from every[:-1]

    monkeypatch.setattr(pool_tree, "PoolSearch", Short)
    folder = tmp_path / "proof"
    error, words = (SolverFailed, "not in the pool") if complete else (TimeoutError, "not finished")
    with pytest.raises(error, match=words):
        pool_tree.write_pool_proof(calmip.read_model(knapsack), folder)
    assert not list(folder.glob("*"))


ROOTS: dict[str, Any] = {
    "at most": ([{0: 2, 1: 3}, -INF, 7], [(0, 9), (0, 9)], [[1, 0, 3], [2, 0, 2]]),
    "at least": ([{0: 2, 1: 3}, 7, INF], [(0, 2), (0, 2)], [[1, 1, 2], [2, 1, 2]]),
    "both signs": ([{0: -2, 1: 3}, -INF, -5], [(0, 6), (0, 4)], [[1, 3, 6], [2, 0, 2]]),
    "no upper bound": ([{0: 1, 2: 2}, -INF, 7], [(0, 3), 0, (0, INF)], [[3, 0, "7/2"]]),
    "no lower bound": ([{0: 1, 2: 2}, 7, INF], [(0, 3), 0, (-INF, 50)], [[3, 2, 50]]),
    "two without": ([{0: 1, 2: 2, 3: 1}, -INF, 7], [(0, 3), 0, (0, INF), (-INF, 5)], []),
    "two endless": ([{0: 1, 2: 2, 3: 1}, -INF, 7], [(0, 3), 0, (-INF, 50), (-INF, 5)], []),
    "a tenth less": ([{0: 1, 2: 2}, -INF, 18], [(0, 3), 0, (0, 10)], []),
    "more than a tenth": ([{0: 1, 2: 2}, -INF, 17], [(0, 3), 0, (0, 9.5)], [[3, 0, "17/2"]]),
    "nothing more": ([{0: 1, 1: 1}, -INF, 9], [(0, 9), (0, 9)], []),
}
"""A row, the bounds of two integers and two continuous columns, and what a node narrows."""


@pytest.mark.parametrize("name", ROOTS)
def test_a_row_narrows_bounds_of_the_root_and_no_more(name: str) -> None:
    row, given, changes = ROOTS[name]
    bounds = [one or (0, 1) for one in given] + [(0, 1)] * (4 - len(given))
    tree = root(bounds, [row])
    sign = 1 if row[1] > -INF else -1
    assert list(tree.prepare()) == ([["narrow", [(1, sign)], changes]] if changes else [])
    for column, low, high in changes:
        assert (tree.low[column - 1], tree.high[column - 1]) == (Fraction(low), Fraction(high))


def test_the_objective_narrows_bounds_of_the_root_if_it_has_a_limit() -> None:
    row = [{0: 1, 1: 1}, 2, INF]
    for costs, worst, changes in (
        ([3, 2], Fraction(9), [[1, 0, 3], [2, 0, 4]]),
        ([3, 2], None, []),
        ([0, 0], Fraction(9), []),
    ):
        found = list(root([(0, 9), (0, 9)], [row], costs, worst).prepare())
        assert found == ([["narrow", [(0, -1)], changes]] if changes else [])


@pytest.mark.parametrize(
    ("row", "cut"),
    [
        (
            [{0: 5, 1: 1, 2: 1}, -INF, 6],
            [[[1, -1], [2, -1], [3, -1]], -2, 1, 0, [(2, -1)], [(2, -1), (1, -1)]],
        ),
        (
            [{0: -5, 1: 1, 2: 1}, -INF, 1],
            [[[1, 1], [2, -1], [3, -1]], -1, 1, 0, [(2, -1), (1, -1)], [(2, -1)]],
        ),
        (
            [{0: 5, 1: 1, 2: 1}, 2, INF],
            [[[1, 2], [2, 1], [3, 1]], 2, 1, 0, [(2, -1), (1, 1)], [(2, -1)]],
        ),
        ([{0: 5, 1: 1, 2: 1}, 2, 6], None),
        ([{0: 2, 1: 1, 2: 1}, -INF, 2], None),
        ([{0: 1, 1: 1, 2: 1}, -INF, 3], None),
    ],
)
def test_a_coefficient_of_a_binary_column_becomes_as_small_as_its_row_allows(
    row: Any, cut: list[Any] | None
) -> None:
    found = list(root([(0, 1)] * 3, [row]).prepare())
    assert found == ([] if cut is None else [["cut", *cut]])


def test_a_root_without_values_ends_the_proof(tmp_path: Path) -> None:
    model = rows_model([(0, 2), (0, 1)], [[{0: 2}, 5, 9]])
    assert pool_tree.write_pool_proof(model, tmp_path).solutions == 0
    text = (tmp_path / "proof.json").read_text()
    assert json.loads(text)["tree"][-1] == ["none", []]
    assert check_pool(read_proof(text)).solutions == 0


def rows_model(bounds: Sequence[Any], rows: Sequence[Any], costs: Sequence[float] = ()) -> Model:
    """Return a model of which the first two columns, or three of three, are integers."""
    low, high = zip(*bounds, strict=True)
    return Model.from_rows(
        [f"x{column}" for column in range(len(bounds))],
        [(f"r{number}", *row) for number, row in enumerate(rows)],
        costs or [0] * len(bounds),
        integer=array("b", [1, 1, len(bounds) == 3, 0][: len(bounds)]),
        column_lower=array("d", low),
        column_upper=array("d", high),
    )


def root(
    bounds: Sequence[Any],
    rows: Sequence[Any],
    costs: Sequence[float] = (),
    worst: Fraction | None = None,
) -> Any:
    """Return a tree of a proof before its first node."""
    program = PoolSearch(rows_model(bounds, rows, costs)).settings.program
    return pool_tree._Tree(program, [], worst, NO_LIMITS)


def test_multipliers_are_checked_before_they_are_written(
    knapsack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """HiGHS may claim what it likes: exact multipliers take the place of wrong ones."""
    from calmip.mip.pool.relaxation import NodeClaim, NodeRelaxation

    class Liar(NodeRelaxation):
        def solve(self, *given: Any) -> NodeClaim:
            return NodeClaim("infeasible", None, [1.0, -0.25, 1e300])

    monkeypatch.setattr("calmip.mip.proof.pool_tree.NodeRelaxation", Liar)
    proof = calmip.prove(calmip.read_model(knapsack), tmp_path / "proof", within=3)
    assert proof.tilings == calmip.prove.check(tmp_path / "proof").tilings == 2


@pytest.mark.long
def test_the_checker_needs_no_calmip(knapsack: Path, tmp_path: Path) -> None:
    source = Path(checker.__file__).read_text(encoding="utf-8")
    assert "calmip." not in source.partition('"""\n\nfrom')[2].replace("`calmip", "")
    program, folder = tmp_path / "check.py", tmp_path / "proof"
    program.write_text(source, encoding="utf-8")
    calmip.prove(calmip.read_model(knapsack), folder, within=3)

    def run() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-I", str(program), str(folder)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    words = "2 solutions within 3 of the optimum, objective 53/4 to 43/4, and no others\n"
    assert run().stdout == words
    calmip.prove(calmip.read_model(knapsack), folder, gap="40%", distinct=["a", "b"])
    words = "3 solutions within a gap of 2/5, objective 53/4 to 73/8, told apart by 2 of 3 integer"
    assert run().stdout == f"{words} variables, and no others\n"
    calmip.prove(calmip.read_model(knapsack), folder)
    assert run().stdout == "8 solutions, objective 53/4 to 0, and no others\n"
    calmip.prove(calmip.read_model(knapsack), folder, within=3)
    path = folder / "proof.json"
    path.write_text(path.read_text().replace('"goal": ["within"', '"goal": ["gap"'))
    assert (run().returncode, run().stderr[:9]) == (1, "refused: ")


def test_the_command(knapsack: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "proof")
    for options, words in (
        (["--optimal"], "1 solution with the best objective (objective 13.25), and no others ("),
        (["--gap", "20%"], "2 solutions within a gap of 20 % (13.25 to 10.75), and no"),
        (["--within", "2.5"], "2 solutions within 2.5 of the optimum (13.25 to 10.75), and"),
        ([], "8 solutions (13.25 to 0), and no others ("),
    ):
        assert main(["prove", str(knapsack), *options, "-o", folder]) == 0
        assert capsys.readouterr().out.startswith(words)
        assert main(["prove", "check", folder, str(knapsack)]) == 0
        first, *_, last = capsys.readouterr().out.splitlines()
        assert first == "the model in proof.json: is the model"
        assert last.startswith(words)
    assert main(["prove", str(knapsack), "--optimal", "--distinct", "a", "-o", folder]) == 0
    capsys.readouterr()
    assert main(["prove", "check", folder, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["solutions"], found["scope"], found["objectives"]) == (1, "optimal", [13.25] * 2)
    assert found["checks"]["solutions"] == "differ in a"


def test_a_puzzle_has_no_gap(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a puzzle has no objective"):
        calmip.prove(calmip.read_instance("instances/tiny.yaml"), tmp_path, gap="1%")


def small_proof() -> Any:
    """Return a proof by hand: x + y >= 1 in binary numbers has three solutions."""
    return {
        "model": {
            "columns": [["x", 0, 1], ["y", 0, 1]],
            "distinct": 2,
            "integers": 2,
            "rows": [["r", 1, None, [[1, 1], [2, 1]]]],
            "costs": [[1, 1]],
            "unit": 1,
            "constant": 0,
            "maximise": False,
        },
        "goal": None,
        "solutions": [[1, [[1, 1]]], [0, [[2, 1]]], [1, [[1, 1], [2, 1]]]],
        "tree": [
            ["branch", 1, 1],
            ["branch", 1, 0],
            ["branch", 2, 0],
            ["none", [[1, 1]]],
            ["solution", 2, [[0, -1]]],
            ["branch", 2, 0],
            ["solution", 1, [[0, -1]]],
            ["solution", 3, [[0, -1]]],
            ["none", []],  # x is at least 2
        ],
    }


def test_a_proof_by_hand_holds_and_has_its_nodes() -> None:
    assert check_pool(small_proof()) == (3, 9, 0, 1)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("tree", 3, 1), []),  # no column is empty here
        (("tree", 2), ["branch", 2, 1]),  # y = 1 just reaches the side
        (("tree", 7), ["none", [[1, -1]]]),
        (("model", "rows", 0, 3), [[1, 1], [1, 1]]),
        (("model", "costs"), [[1, 1], [1, 1]]),
        (("model", "costs"), [[3, 1]]),
        (("model", "costs"), [[0, 1]]),
        (("solutions", 0, 1), [[1, 0], [1, 1]]),
        (("solutions", 0), [2, [[1, 1]]]),
        (("tree", 3), ("none", [[1, 1]])),
        (("tree", 3, 1), {"11": 1}),
        (("tree", 4, 2), []),
        (("tree", 4, 1), 1),
        (("tree", 8), ["solution", 0, [[0, -1]]]),
    ],
)
def test_a_proof_by_hand_with_a_fault_is_refused(path: tuple[Any, ...], value: Any) -> None:
    with pytest.raises(PoolRefused):
        check_pool(altered(small_proof(), path, value))


@pytest.mark.parametrize("side", [1, 2])
def test_a_sum_that_its_side_reaches_refutes_nothing(side: int) -> None:
    proof = small_proof()
    proof["model"]["rows"][0][1] = side
    proof.update(solutions=[], tree=[["none", [[1, 1]]]])
    with pytest.raises(PoolRefused, match="refute nothing"):
        check_pool(proof)


def test_no_sum_reaches_a_greater_side() -> None:
    proof = small_proof()
    proof["model"]["rows"][0][1] = 3
    proof.update(solutions=[], tree=[["none", [[1, 1]]]])
    assert check_pool(proof) == (0, 1, None, None)
    for value in ("ab", (1,), {1: 1}, None):
        with pytest.raises(PoolRefused, match="is no list"):
            checker.entries(value)
