"""The relaxation: bounds that hold, cuts that no tiling breaks, proofs in whole numbers."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from strategies import solvable_instances

import calmip
from calmip.cli import main
from calmip.mip.lp.linear import FAMILIES, find_cuts
from calmip.mip.model import Model
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.instance import Instance
from calmip.puzzle.search.exact_cover.search import solutions
from calmip.puzzle.tasks.relax import relax

FEB29 = calmip.read_instance("feb29")
SIX = """puzzle:
  grid: ["* * *", "* * *"]
  uncover: []
  pieces: {I: ["##"], T: ["###", ".#."]}
reveal: []
"""


@pytest.fixture
def six(tmp_path: Path) -> Instance:
    path = tmp_path / "six.yaml"
    path.write_text(SIX)
    return calmip.read_instance(path)


@settings(max_examples=30, deadline=None)
@given(instance=solvable_instances())
def test_the_point_satisfies_every_equation(instance: Instance) -> None:
    found = relax(instance, cuts=list(FAMILIES))
    cover = found.cover
    assert found.point is not None
    values = found.point.values[: cover.columns]
    assert np.allclose(cover.matrix @ values, cover.demand, atol=1e-6)
    assert values.min() > -1e-7
    for shares in found.shares().values():
        assert sum(share for _, share in shares) == pytest.approx(1, abs=1e-6)
    for cut in found.cuts:
        assert sum(values[option] for option in cut.options) <= cut.most + 1e-6


@pytest.mark.long
@pytest.mark.usefixtures("highs_way")
def test_no_tiling_breaks_a_cut_and_the_point_before_did() -> None:
    """On two boards, as an odd hole is found at the vertices that a version of HiGHS returns."""
    families = set()
    july = calmip.read_instance("jarringwords", reveal=["Jul", "2"])
    for instance, number in ((FEB29, 64), (july, 10)):
        found = relax(instance, cuts=list(FAMILIES), rounds=3)
        families |= {cut.family for cut in found.cuts}
        tilings = [set(options) for options in solutions(found.cover)]
        assert len(tilings) == number
        for cut in found.cuts:
            assert max(len(tiling.intersection(cut.options)) for tiling in tilings) <= cut.most
            if cut.family == "clique":
                covers = [set(found.cover.items_of(option)) for option in cut.options]
                assert all(a & b for a, b in itertools.combinations(covers, 2))
        first = relax(instance)
        assert first.point is not None
        values = first.point.values.tolist()
        for cut in find_cuts(first.cover, values, list(FAMILIES)):
            assert sum(values[option] for option in cut.options) > cut.most
    assert families == set(FAMILIES)


@pytest.mark.usefixtures("highs_way")
def test_an_odd_hole_is_found_where_there_is_no_clique(tmp_path: Path) -> None:
    """Five options around a circle, each with a half: a clique of two is the largest."""
    path = tmp_path / "ring.yaml"
    ring = 'puzzle:\n  grid: ["* * *", "* . *", "* * *"]\n  uncover: []\n'
    path.write_text(ring + '  pieces: {A: ["##"], B: ["##"], C: ["##"], D: ["##"]}\nreveal: []\n')
    cover = ExactCover(calmip.read_instance(path))
    assert cover.columns == 8
    values = [0.0] * 8
    # Eight dominoes lie around the ring; of seven consecutive ones three fit at most.
    assert not find_cuts(cover, [0.5] * 8, ["odd-hole"])
    assert not find_cuts(cover, values, list(FAMILIES))


def test_a_clique_ends_the_board_of_six_cells(six: Instance) -> None:
    plain, cut = relax(six), relax(six, cuts=["clique"])
    assert (plain.bound, sorted(plain.values.values())) == (0.0, [0.5] * 4)
    assert (cut.status, cut.bound, [dict(one.cuts) for one in cut.rounds]) == (
        "infeasible",
        None,
        [{"clique": 1}, {}],
    )
    assert "infeasible with valid cuts, so there is no tiling (verified in exact" in str(cut)


@pytest.mark.usefixtures("highs_way")
def test_the_bound_is_that_of_the_dual_prices() -> None:
    """Strong duality: prices and reduced costs add up to the bound, and bound every tiling."""
    names = ExactCover(FEB29).option_names
    weights = {name: float(number % 7) for number, name in enumerate(names)}
    found = relax(FEB29, weight=weights)
    assert found.point is not None
    assert found.bound is not None
    cover = found.cover
    prices = np.array([found.prices.get(item, 0.0) for item in range(cover.rows)])
    reduced = -found.point.reduced
    assert prices @ cover.demand + np.maximum(reduced, 0).sum() == pytest.approx(found.bound)
    gains = np.array([weights[name] for name in names])
    assert np.allclose(gains - prices @ cover.matrix, reduced, atol=1e-6)
    best = max(gains[list(options)].sum() for options in solutions(cover))
    assert best <= found.bound + 1e-6


@pytest.mark.parametrize("unit", [1e-8, 1e-30, 1e15])
def test_the_unit_of_the_weights_is_no_matter(unit: float) -> None:
    cover = ExactCover(FEB29)
    steps = {name: float(number % 7 + 1) for number, name in enumerate(cover.option_names)}
    plain = relax(FEB29, weight=steps)
    found = relax(FEB29, weight={name: unit * step for name, step in steps.items()})
    assert plain.bound is not None
    assert found.bound == pytest.approx(unit * plain.bound, rel=1e-6)
    assert found.prices
    gains = np.array([unit * step for step in steps.values()])
    prices = np.array([found.prices.get(item, 0.0) for item in range(cover.rows)])
    assert found.point is not None
    assert np.allclose(gains - prices @ cover.matrix, -found.point.reduced, atol=1e-6 * unit)


def test_a_small_weight_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("relax", "tree"):
        assert main([command, "instances/tiny.yaml", "--weight", "dom_b00=1e-8"]) == 0
        assert "at most 1e-08, integral" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["relax", "tree"])
@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (["dom_b00=1e20"], "a weight of 1e+20 is infinite to a solver"),
        (["dom_b00=-1e300"], "a weight of 1e+300 is infinite to a solver"),
        (["dom_b00=1e-8", "dom_a00=1"], "the weights range from 1e-08 to 1; beside the greatest"),
    ],
)
def test_weights_beyond_floating_point_are_refused(
    command: str, weights: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [word for weight in weights for word in ("--weight", weight)]
    assert main([command, "instances/tiny.yaml", *given]) == 2
    assert message in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize("value", [0, 1])
def test_fixing_a_placement_is_what_brute_force_says(value: int) -> None:
    instance = calmip.read_instance("instances/tiny.yaml")
    cover = ExactCover(instance)
    tilings = [set(options) for options in solutions(cover)]
    model = Model.from_cover(cover)
    assert model.violated(tilings[0]) is None
    for option, name in enumerate(cover.option_names):
        found = relax(instance, fix={name: value})
        possible = any((option in tiling) == bool(value) for tiling in tilings)
        assert (found.status == "optimal") == possible
        if not possible:
            assert found.certificate is not None
            assert "Multiply the equations by" in str(found)


@pytest.mark.usefixtures("highs_way")
def test_an_infeasible_board_is_proved() -> None:
    found = relax(calmip.read_instance("instances/chessboard.yaml"))
    assert found.status == "infeasible"
    assert found.certificate is not None
    assert found.certificate.fault(found.cover) is None


@pytest.mark.usefixtures("highs_way")
def test_the_packing_covers_no_more_than_there_is() -> None:
    assert relax(FEB29, packing=True).bound == pytest.approx(41)
    short = calmip.read_instance("instances/chessboard.yaml")
    bound = relax(short, packing=True).bound
    assert bound is not None
    assert bound < len(short.to_cover)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--cuts", "gomory"], "unknown cuts 'gomory'; there are clique, odd-hole"),
        (["--fix", "dom_a00=2"], "a placement is fixed at 0 or at 1"),
        (["--fix", "dom_a00"], "PLACEMENT=NUMBER is needed, not 'dom_a00'"),
        (["--fix", "nosuch=1"], "'nosuch' is not a placement of this instance"),
        (["--fix", "dom_a00=1", "--fix", "domino:1+2=1"], "is a duplicate"),
        (["--weight", "dom_a00=nan"], "its number is not finite"),
        (["--weight", "dom_a00=1", "--packing"], "a packing has an objective of its own"),
        (["--cuts", "clique", "--rounds", "-1"], "the number of rounds is 0 or more"),
    ],
)
def test_wrong_options_are_said(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["relax", "instances/tiny.yaml", *arguments]) == 2
    assert message in " ".join(capsys.readouterr().err.split())


def test_the_forms_tell_the_same(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    command = ["relax", "instances/feb29.yaml", "--fix", "U:Jan+Mar+Jul+Aug+Sep=0"]
    assert main([*command, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told["fixed"].values()) == [0]
    assert main([*command, "--format", "csv"]) == 0
    rows = [line.split(",") for line in capsys.readouterr().out.splitlines()]
    values = {row[1]: float(row[3]) for row in rows if row[0] == "column" and float(row[3])}
    assert values == {one["column"]: one["value"] for one in told["columns"]}
    picture = tmp_path / "r.svg"
    assert main([*command, "-o", str(picture)]) == 0
    assert "as wide as the shares of the pieces" in picture.read_text()
    assert calmip.relax(FEB29)._repr_mimebundle_()["image/svg+xml"].startswith("<svg")


def test_no_round_is_a_number_of_rounds() -> None:
    found = relax(FEB29, cuts=list(FAMILIES), rounds=0)
    assert not found.cuts
    with pytest.raises(calmip.InputError, match="the number of rounds is 0 or more, not -1"):
        relax(FEB29, rounds=-1)
