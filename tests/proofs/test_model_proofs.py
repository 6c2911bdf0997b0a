"""Proofs of the number of solutions of binary models: written, checked, altered and refused."""

from __future__ import annotations

import copy
import itertools
import json
import math
import random
import subprocess
import sys
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pulp
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import binary_models

import calmip
from benchmarks.altered_proofs import altered, other_types, places, try_one
from calmip._base.errors import InputError, ProofRefused
from calmip._base.limits import Deadline
from calmip.cli import main
from calmip.mip.files.boolean import constraints_of
from calmip.mip.files.model_files import read_model, write_model
from calmip.mip.model import Model
from calmip.mip.pool import NodeRelaxation
from calmip.mip.pool.relaxation import NodeClaim
from calmip.mip.proof import check_model as checker
from calmip.mip.proof.check_model import TreeRefused, check_model
from calmip.mip.proof.model_tree import Multipliers, _Search, explore_model, model_lines
from calmip.proofs import prove

INF = math.inf

HALVES = binary_models(5, unit=0.5)


def brute_force(model: Model) -> int:
    """Return the number of solutions by trying all points."""
    ones = range(len(model.columns))
    every = (some for size in range(len(ones) + 1) for some in itertools.combinations(ones, size))
    return sum(model.violated(some) is None for some in every)


def proof_of(model: Model) -> dict[str, Any]:
    """Return the proof of a model without relaxations."""
    nodes: list[list[Any]] = []
    every = [constraint for _, constraint in constraints_of(model)]
    found, _ = explore_model(len(model.columns), every, nodes.append)
    return {"tree": nodes, "solutions": found}


@pytest.mark.long
@given(model=HALVES)
def test_the_number_of_solutions_is_that_of_all_points(model: Model) -> None:
    proof = proof_of(model)
    found, nodes = check_model("".join(model_lines(model)), proof)
    assert found == proof["solutions"] == brute_force(model)
    assert nodes == sum(node[0] != "fix" for node in proof["tree"])


@given(model=binary_models(4, unit=0.5))
@pytest.mark.long
def test_a_written_proof_is_accepted(
    model: Model, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("proof")
    proof = calmip.prove(model, folder)
    assert proof.tilings == brute_force(model)
    checked = calmip.prove.check(folder, model)
    assert (checked.tilings, checked.nodes) == (proof.tilings, proof.nodes)
    assert calmip.prove.check(folder).tilings == proof.tilings


def alter(draw: st.DrawFn, proof: dict[str, Any]) -> dict[str, Any]:
    """Return a proof with one change."""
    found = copy.deepcopy(proof)
    tree = found["tree"]
    number = draw(st.integers(0, len(tree) - 1))
    change = draw(st.sampled_from(["drop", "repeat", "swap", "number", "count", "end"]))
    if change == "drop":
        del tree[number]
    elif change == "repeat":
        tree.insert(number, tree[number])
    elif change == "swap":
        tree[0], tree[number] = tree[number], tree[0]
    elif change == "count":
        found["solutions"] += draw(st.sampled_from([-1, 1]))
    elif change == "end":
        tree[number] = draw(st.sampled_from([["none", []], ["solution", []], ["none", [[1, 1]]]]))
    elif some := [path for path, value in places(tree[number]) if type(value) is int]:
        *path, last = draw(st.sampled_from(some))
        part = tree[number]
        for step in path:
            part = part[step]
        part[last] += draw(st.sampled_from([-2, -1, 1, 2]))
    return found


@pytest.mark.long
@given(data=st.data(), model=HALVES)
def test_an_altered_proof_is_refused_or_right(data: st.DataObject, model: Model) -> None:
    proof = alter(data.draw, proof_of(model))  # type: ignore[arg-type]
    try:
        found, _ = check_model("".join(model_lines(model)), proof)
    except TreeRefused:
        return
    assert found == brute_force(model)


@pytest.mark.long
@given(data=st.data(), model=HALVES, other=HALVES)
def test_the_proof_of_another_model_is_refused_or_right(
    data: st.DataObject, model: Model, other: Model
) -> None:
    try:
        found, _ = check_model("".join(model_lines(other)), proof_of(model))
    except TreeRefused:
        return
    assert found == brute_force(other)


PAIRS = [("all", {0: 1.0, 1: 1.0, 2: 1.0}, 2.0, INF)] + [
    (f"pair{a}{b}", {a: 1.0, b: 1.0}, -INF, 1.0) for a, b in ((0, 1), (0, 2), (1, 2))
]
"""Two of three, and at most one of each pair: the relaxation alone refutes it."""


def test_a_relaxation_refutes_the_root(tmp_path: Path) -> None:
    proof = calmip.prove(Model.from_rows(["x", "y", "z"], PAIRS), tmp_path)
    assert (proof.status, proof.tilings, proof.nodes) == ("infeasible", 0, 1)
    ((kind, multipliers),) = json.loads((tmp_path / "proof.json").read_text())["tree"]
    assert (kind, sorted(multipliers)) == ("none", [[1, 2], [2, 1], [3, 1], [4, 1]])


class Liar(NodeRelaxation):
    """A relaxation that calls every node infeasible, with multipliers that prove nothing."""

    def solve(self, *_: Any) -> NodeClaim:
        return NodeClaim("infeasible", None, [1.0, -0.25, 1e300, 0.5])


def test_false_multipliers_refute_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calmip.mip.pool.NodeRelaxation", Liar)
    rows = [("all", {0: 1.0, 1: 1.0, 2: 1.0}, 1.0, INF), *PAIRS[1:]]
    proof = calmip.prove(Model.from_rows(["x", "y", "z"], rows), tmp_path)
    assert proof.tilings == calmip.prove.check(tmp_path).tilings == 3


@pytest.mark.parametrize(
    ("status", "multipliers", "tried"),
    [
        ("infeasible", [1.0, 0.5], True),
        ("infeasible", [0.0, 0.0], False),
        ("infeasible", [0.0, float("inf")], False),
        ("infeasible", [float("nan"), 1.0], False),
        ("infeasible", None, False),
        ("optimal", [1.0, 0.5], False),
    ],
)
def test_multipliers_are_tried_if_a_relaxation_is_said_to_be_infeasible(
    monkeypatch: pytest.MonkeyPatch, status: Any, multipliers: Any, tried: bool
) -> None:
    claim = NodeClaim(status, None, multipliers)
    monkeypatch.setattr(NodeRelaxation, "solve", lambda *_: claim)
    rows = [("r", {0: 1.0, 1: 1.0}, 1.0, INF), ("s", {0: 1.0, 1: -1.0}, 0.0, 0.0)]
    refute = prove._multipliers(Model.from_rows(["x", "y"], rows), Deadline())
    assert refute is not None
    assert bool(list(refute([-1, -1]))) is tried


def test_numbers_of_any_size_are_exact(tmp_path: Path) -> None:
    path = tmp_path / "m.lp"
    path.write_text(
        "Minimize\n obj: x\nSubject To\n big: 10000000000000000001 x - 10000000000000000000 y"
        " - z = 0\n small: 1e-30 x + 1.1e-30 y >= 1e-30\nBinaries\n x y z\nEnd\n"
    )
    model = read_model(path)
    assert calmip.prove(model, tmp_path / "proof").tilings == brute_force(model) == 1
    assert calmip.prove.check(tmp_path / "proof", model).tilings == 1


def test_a_variable_in_no_row_counts(tmp_path: Path) -> None:
    model = Model.from_rows(["x", "y", "free"], [("r", {0: 1.0, 1: 1.0}, 1.0, 1.0)])
    assert calmip.prove(model, tmp_path).tilings == 4
    smaller = Model.from_rows(["x", "y"], [("r", {0: 1.0, 1: 1.0}, 1.0, 1.0)])
    with pytest.raises(ProofRefused, match=r"model\.opb: is not the model"):
        calmip.prove.check(tmp_path, smaller)


def test_bounds_are_constraints(tmp_path: Path) -> None:
    rows = [("r", {0: 1.0, 1: 1.0, 2: 1.0}, 1.0, INF)]
    fixed = Model.from_rows(
        ["x", "y", "z"],
        rows,
        column_lower=array("d", [0, 1, 0]),
        column_upper=array("d", [1, 1, 0]),
    )
    assert calmip.prove(fixed, tmp_path / "fixed").tilings == 2
    empty = fixed.changed(column_lower=array("d", [0, 1, 1]))
    assert calmip.prove(empty, tmp_path / "empty").status == "infeasible"


def test_an_object_is_proved(tmp_path: Path) -> None:
    problem = pulp.LpProblem("pick")
    x = [problem.add_variable(f"x[{n}]", cat="Binary") for n in range(3)]
    problem += pulp.lpSum(x) <= 1
    assert calmip.prove(problem, tmp_path).tilings == 4
    assert calmip.prove.check(tmp_path, problem).checks[0] == ("model.opb", "is the model")


def test_the_checker_needs_no_calmip(tmp_path: Path) -> None:
    source = Path(checker.__file__).read_text(encoding="utf-8")
    assert "calmip." not in source.partition('"""\n\nfrom')[2].replace("`calmip", "")
    program = tmp_path / "check.py"
    program.write_text(source, encoding="utf-8")
    calmip.prove(Model.from_rows(["x", "y", "z"], PAIRS[1:]), tmp_path / "proof")

    def run() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-I", str(program), str(tmp_path / "proof")]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    assert run().stdout == "4 solutions, and no others\n"
    path = tmp_path / "proof" / "proof.json"
    path.write_text(path.read_text().replace('"solutions": 4', '"solutions": 5'))
    assert (run().returncode, run().stderr) == (1, "refused: the tree has 4 solutions, not 5\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "does not begin"),
        ("* #variable= 1 #constraint= 1\n", "has 0 constraints, but says 1"),
        ("* #variable= 1 #constraint= 1\n+1 x2 >= 1 ;\n", "line 2: there is no variable x2"),
        ("* #variable= 1 #constraint= 1\n+1 x1 <= 1 ;\n", "line 2: is no constraint"),
        ("* #variable= 1 #constraint= 1\nmin: +1 x1 ;\n+1 x1 >= 1 ;\n", "line 2: is no constraint"),
        ("* #variable= 1 #constraint= 1\n+1 x1 +1 ~x1 >= 1 ;\n", "line 2: is no constraint"),
    ],
)
def test_a_model_file_of_another_kind_is_refused(text: str, message: str) -> None:
    with pytest.raises(TreeRefused, match=message):
        check_model(text, {"tree": [], "solutions": 0})


ONE = "* #variable= 2 #constraint= 2\n+1 x1 +1 x2 >= 1 ;\n+1 x1 +1 x2 = 1 ;\n"


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ([["branch", 3]], "x3 is no free variable"),
        ([["branch", True]], "xTrue is no free variable"),
        ([["branch", 1], ["branch", 1]], "x1 is no free variable"),
        ([["fix", 1, 2, [[2, 1]]]], "x1 is 0 or 1, not 2"),
        ([["fix", 1, 1.0, [[2, 1]]]], r"x1 is 0 or 1, not 1\.0"),
        ([["fix", 1, True, [[2, 1]]]], "x1 is 0 or 1, not True"),
        (["none"], "none is no node"),
        ([["none", {"1": 1}]], "are no multipliers"),
        ([["none", ["11"]]], "are no multipliers"),
        ([["fix", 1, 1, [[2, 1]]]], "refute nothing"),
        ([["none", [[1, -1]]]], "constraint 1 cannot be multiplied by -1"),
        ([["none", [[3, 1]]]], "there is no constraint 3"),
        ([["none", [[1, 0.5]]]], "cannot be multiplied by 0.5"),
        ([["solution", [1]]], "is not the solution at this place"),
        ([["branch", 1], ["branch", 2], ["solution", []]], "a solution violates constraint 1"),
        ([["guess", 1]], "'guess' is no kind of node"),
        ([["branch", 1]], "cut or malformed"),
        ([], "cut or malformed"),
        (None, "cut or malformed"),
    ],
)
def test_each_false_node_is_named(tree: Any, message: str) -> None:
    with pytest.raises(TreeRefused, match=message):
        check_model(ONE, {"tree": tree, "solutions": 0})


def test_nothing_follows_the_end_of_a_tree() -> None:
    tree: list[Any] = [["branch", 1], ["fix", 2, 1, [[1, 1]]], ["solution", [2]]]
    tree += [["fix", 2, 0, [[2, -1]]], ["solution", [1]]]
    assert check_model(ONE, {"tree": tree, "solutions": 2}) == (2, 3)
    with pytest.raises(TreeRefused, match="the tree goes on after its end"):
        check_model(ONE, {"tree": [*tree, ["none", [[1, 1]]]], "solutions": 2})


def test_what_propagation_calls_violated_is_refuted() -> None:
    """At every partial point of small models with equations and inequalities."""
    for seed in range(60):
        draw = random.Random(seed)
        constraints: list[Any] = [
            (
                {c: draw.choice([-3, -1, 1, 2]) for c in range(3) if draw.random() < 0.8},
                draw.choice(["=", ">="]),
                draw.randint(-3, 4),
            )
            for _ in range(3)
        ]
        search = _Search(3, constraints, lambda _: None)
        while True:
            conflict = search.propagate()
            if conflict:
                assert search.refutes(conflict)
            full = [value for value in search.value if value >= 0]
            if conflict or len(full) == 3:
                break
            search.set(search.choose(), draw.randint(0, 1))
        sums = [sum(a * search.value[c] for c, a in terms.items()) for terms, _, _ in constraints]
        holds = all(
            total == side if relation == "=" else total >= side
            for total, (_, relation, side) in zip(sums, constraints, strict=True)
        )
        assert conflict or holds


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, folder = tmp_path / "m.mps", str(tmp_path / "proof")
    write_model(path, Model.from_rows(["x", "y", "z"], PAIRS[1:]))
    assert main(["prove", str(path), "-o", folder]) == 0
    assert capsys.readouterr().out.startswith("4 solutions, and no others (")
    assert main(["prove", "check", folder, str(path)]) == 0
    first, *_, last = capsys.readouterr().out.splitlines()
    assert (first, last.partition(" (")[0]) == (
        "model.opb: is the model",
        "4 solutions, and no others",
    )
    assert main(["prove", "check", folder, str(path), "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["solutions"], list(found["checks"])) == (4, ["model.opb", "proof.json"])
    assert main(["prove", "check", folder, "instances/tiny.yaml"]) == 4
    assert "is about a model, not a puzzle" in capsys.readouterr().err
    write_model(path, Model.from_rows(["x", "y", "z"], PAIRS))
    assert main(["prove", "check", folder, str(path)]) == 4
    assert "model.opb: is not the model" in capsys.readouterr().err
    assert main(["prove", str(path), "-o", folder]) == 1
    assert capsys.readouterr().out.startswith("no solution (1 node")


def wrong(arguments: Sequence[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["prove", *arguments, "-o", str(tmp_path / "proof")]) == 2
    assert not (tmp_path / "proof").exists()
    return capsys.readouterr().err


def test_wrong_input_is_one_clear_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "m.lp"
    path.write_text("Minimize\n obj: x\nSubject To\n r: x + y >= 1\nGenerals\n x\nEnd\n")
    assert "the integer column x " in wrong([str(path)], tmp_path, capsys)
    assert "leave out --proofs" in wrong([str(path), "--proofs", "drat"], tmp_path, capsys)
    with pytest.raises(InputError, match="leave out its formats"):
        calmip.prove(Model.from_rows(["x"], []), tmp_path / "proof", proofs=["tree"])


def test_multipliers_are_checked_before_they_are_written() -> None:
    model = Model.from_rows(["x", "y", "z"], PAIRS[1:])
    every = [constraint for _, constraint in constraints_of(model)]

    def refute(_: Sequence[int]) -> Iterator[Multipliers]:
        yield [(0, 1), (1, 1)]
        yield [(0, -1)]

    nodes: list[list[Any]] = []
    assert explore_model(3, every, nodes.append, refute)[0] == 4
    assert check_model("".join(model_lines(model)), {"tree": nodes, "solutions": 4})[0] == 4


FORGED = """Minimize
 o: a
Subject To
 one: b >= 1
 two: 36028797018963969 b + a + d >= 36028797018963968
 three: a + b + c >= 1
Binaries
 a b c d
End
"""


def test_a_float_that_swallows_the_last_digit_is_refused(tmp_path: Path) -> None:
    """With b = 1.0 the sum of row two would lose its last digits."""
    (tmp_path / "m.lp").write_text(FORGED)
    model = read_model(tmp_path / "m.lp")
    folder = tmp_path / "proof"
    assert calmip.prove(model, folder).tilings == brute_force(model) == 8
    forged = {"tree": [["fix", 2, 1.0, [[1, 1]]], ["none", [[2, 1]]]], "solutions": 0}
    (folder / "proof.json").write_text(json.dumps(forged))
    for source in (None, model):
        with pytest.raises(ProofRefused, match=r"x2 is 0 or 1, not 1\.0"):
            calmip.prove.check(folder, source)


@given(model=binary_models(3, unit=0.5))
@settings(max_examples=20)
def test_another_type_at_any_place_is_refused(model: Model) -> None:
    text, proof = "".join(model_lines(model)), proof_of(model)
    check_model(text, proof)
    for path, value in places(proof):
        for other in other_types(value):
            with pytest.raises(TreeRefused):
                check_model(text, altered(proof, path, other))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace('"solutions"', '"solutions": 4, "solutions"'), "duplicate key"),
        (lambda text: text.replace('"solutions"', '"tilings": 5, "solutions"'), "keys"),
        (lambda text: text.replace("4", "4.0"), "not 4.0"),
        (lambda text: text.replace("4", "NaN"), "not nan"),
        (lambda text: text[:-9], "JSON"),
        (lambda text: "[" * 100_000, "JSON"),
        (lambda text: text.replace("4", "4" * 5000), "JSON"),
    ],
)
def test_a_file_that_two_readers_may_read_differently_is_refused(
    change: Any, message: str, tmp_path: Path
) -> None:
    calmip.prove(Model.from_rows(["x", "y", "z"], PAIRS[1:]), tmp_path)
    path = tmp_path / "proof.json"
    path.write_text(change(path.read_text()))
    with pytest.raises(ProofRefused, match=message):
        calmip.prove.check(tmp_path)
    done = subprocess.run(
        [sys.executable, "-I", checker.__file__, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr[:9]) == (1, "refused: "), done.stderr


def test_names_are_part_of_what_is_checked(tmp_path: Path) -> None:
    model = Model.from_rows(["x", "y", "z"], PAIRS[1:])
    model = model.changed(comments=("a model", "x1 = z", "pair01"))
    calmip.prove(model, tmp_path)
    path = tmp_path / "model.opb"
    text = path.read_text()
    assert "* a model\n* pair01\n* x1 = x\n" in text
    for comments in ((), ("another head",)):
        assert calmip.prove.check(tmp_path, model.changed(comments=comments)).tilings == 4
    for old, new in (
        ("* x1 = x\n", "* x1 = y\n"),
        ("* x1 = x\n", ""),
        ("* x1 = x\n", "* x1 = x\n* more\n"),
        ("* a model\n", "* x1 = z\n"),
        ("* pair01\n-", "* pair02\n-"),
        ("* pair01\n-", "-"),
        ("* a model\n", "+1 x1 >= 0 ;\n"),
        ("variable= 3", "variable= 4"),
    ):
        path.write_text(text.replace(old, new))
        assert path.read_text() != text
        with pytest.raises(ProofRefused, match=r"model\.opb: is not the model"):
            calmip.prove.check(tmp_path, model)
    renamed = model.changed(columns=("x", "z", "y"))
    path.write_text(text)
    with pytest.raises(ProofRefused, match=r"model\.opb: is not the model"):
        calmip.prove.check(tmp_path, renamed)
    # Without a model, a variable has one name at least.
    path.write_text(text.replace("* a model\n", "* x1 = z\n"))
    with pytest.raises(ProofRefused, match="names x1 once more"):
        calmip.prove.check(tmp_path)


def test_a_comment_holds_no_constraint(tmp_path: Path) -> None:
    """What ends a line for Python only, hides no constraint in a comment."""
    calmip.prove(Model.from_rows(["x", "y"], []), tmp_path)
    path = tmp_path / "model.opb"
    text = path.read_text()
    for mark in ("\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\r"):
        path.write_text(
            text.replace("constraint= 0\n", f"constraint= 1\n* a{mark}+1 x1 >= 1 ;\n"),
            encoding="utf-8",
            newline="",
        )
        with pytest.raises(ProofRefused, match="0 constraints, but says 1"):
            calmip.prove.check(tmp_path)
    path.write_text(text, newline="\r\n")
    assert calmip.prove.check(tmp_path).tilings == 4


def test_numbers_with_too_many_digits_are_refused(tmp_path: Path) -> None:
    calmip.prove(Model.from_rows(["x", "y", "z"], PAIRS[1:]), tmp_path)
    path = tmp_path / "model.opb"
    path.write_text(path.read_text().replace(">= -1", ">= -1" + "0" * 5000, 1))
    with pytest.raises(ProofRefused, match="malformed"):
        calmip.prove.check(tmp_path)


@pytest.mark.long
def test_folders_with_one_change_are_refused_or_right() -> None:
    verdicts = [try_one(random.Random(f"folder {number}")) for number in range(60)]
    assert {verdict for _, verdict in verdicts} <= {"refused", "right", "unchanged"}, verdicts
    assert sum(verdict == "refused" for _, verdict in verdicts) > 30
