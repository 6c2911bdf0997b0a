"""An option that would change nothing is refused, not passed over."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from calmip.cli import main
from calmip.solvers import SOLVERS, solver_named

TINY = "instances/tiny.yaml"
ENUMERATE = ["enumerate", TINY]
RUN = ["bench", "run", "easy", "-o", "{}/some.db"]


@pytest.mark.parametrize(
    ("command", "option"),
    [
        *(
            ([*ENUMERATE, *method], option)
            for method in ([], ["--method", "one-tree"])
            for option in (
                ["--solver", "highs"],
                ["--formulation", "pulp"],
                ["--seed", "0"],
                ["--threads", "1"],
                ["--no-good-cut", "near"],
                ["--swaps", "5"],
                ["--verbose"],
            )
        ),
        (ENUMERATE, ["--no-reduce"]),
        (ENUMERATE, ["--reduce"]),
        ([*ENUMERATE, "--method", "no-good", "--formulation", "packing"], ["--no-reduce"]),
        ([*ENUMERATE, "--method", "no-good", "--solver", "glpk"], ["--threads", "2"]),
        (ENUMERATE, ["--theme", "dark"]),
        (["solve", TINY, "--solver", "exact-cover"], ["--threads", "2"]),
        (["solve", TINY, "--solver", "exact-cover"], ["--seed", "0"]),
        (["solve", TINY, "--solver", "exact-cover"], ["--formulation", "pulp"]),
        ([*ENUMERATE, "--method", "no-good", "--solver", "exact-cover"], ["--formulation", "pulp"]),
        (["solve", TINY, "--formulation", "packing"], ["--no-reduce"]),
        (["solve", TINY, "--solver", "glpk"], ["--seed", "0"]),
        (["solve", TINY, "--solver", "scip"], ["--threads", "2"]),
        (["solve", TINY, "--solver", "z3"], ["--threads", "2"]),
        (["solve", TINY], ["--theme", "light"]),
        (["relax", TINY], ["--rounds", "5"]),
        (["check", TINY, "{}/a.sol"], ["--limit", "9"]),
        (["check", TINY, "{}/a.sol"], ["--names", "{}/names"]),
        (["check", "some.mps"], ["--time-limit", "9"]),
        (["check", "some.mps"], ["--limit", "9"]),
        ([*RUN, "--dask", "tcp://localhost:1"], ["--workers", "2"]),
        (["count", TINY, "--dask", "tcp://localhost:1"], ["--workers", "2"]),
        (
            ["design", "a-puzzle-a-day", "--pool", "pentominoes", "--dask", "tcp://localhost:1"],
            ["--workers", "2"],
        ),
    ],
    ids=" ".join,
)
def test_an_option_without_effect_is_refused(
    command: list[str],
    option: list[str],
    tmp_path: pytest.TempPathFactory,
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = [word.format(tmp_path) for word in [*command, *option]]
    assert main(words) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert option[0] in said
    assert "goes with" in said or "leave out" in said
    assert not list(tmp_path.iterdir())  # type: ignore[attr-defined]


def test_options_with_an_effect_are_taken(capsys: pytest.CaptureFixture[str]) -> None:
    for command in (
        [*ENUMERATE, "--method", "no-good", "--seed", "3", "--threads", "1", "--swaps", "0", "-v"],
        [*ENUMERATE, "--method", "one-tree", "--no-reduce"],
        [*ENUMERATE, "--format", "svg", "--theme", "dark"],
        ["solve", TINY, "--seed", "1", "--threads", "1"],
        ["solve", TINY, "--solver", "exact-cover", "--no-reduce"],
        ["relax", TINY, "--cuts", "clique", "--rounds", "2"],
    ):
        assert main(command) == 0, capsys.readouterr().err


def test_every_solver_says_what_it_does_not_heed() -> None:
    for name in SOLVERS:
        assert set(solver_named(name).unused) <= {"seed", "threads", "formulation"}


def test_the_solvers_that_heed_an_option_are_a_list_in_words(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["solve", TINY, "--solver", "exact-cover", "--formulation", "pulp"]
    assert main(words) == 2
    said = capsys.readouterr().err
    assert said.count(" or ") == 1
    assert "--solver highs, cbc, " in said


CHOICES = (
    ["--limit", "2"],
    ["--count"],
    ["--optimal"],
    ["--gap", "40%"],
    ["--within", "2"],
    ["--best", "3"],
    ["--distinct", "x"],
    ["--diverse", "2"],
)
"""Options of which each changes what `enumerate` prints of the model below."""


@pytest.mark.long
def test_no_two_options_of_an_enumeration_pass_over_each_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each pair is refused, or prints another result than either option alone."""
    model = tmp_path / "model.lp"
    model.write_text(
        "max x + y\nst\n c: x + y <= 3\n d: z <= 1\n"
        "bounds\n x <= 3\n y <= 3\ngeneral\n x y z\nend\n"
    )

    def result(*words: str) -> tuple[int, str]:
        code = main(["enumerate", str(model), "--format", "json", *words])
        said = capsys.readouterr()
        if code == 2:
            assert "exclude" in said.err or "goes with" in said.err, words
            return code, ""
        found = json.loads(said.out)
        found.pop("seconds")
        return code, json.dumps(found)

    alone = {tuple(one): result(*one) for one in CHOICES}
    assert len({result(), *alone.values()}) == len(CHOICES) + 1
    refused = 0
    for one, other in itertools.combinations(CHOICES, 2):
        both = result(*one, *other)
        refused += both[0] == 2
        assert both not in (alone[tuple(one)], alone[tuple(other)]), (one, other)
    assert refused >= 10
