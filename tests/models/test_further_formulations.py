"""The packing and the cell-assignment model against brute force and against each other."""

from __future__ import annotations

import gzip
from pathlib import Path

import brute_force
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import calmip
from calmip import ExactCover, InputError
from calmip.cli import main
from calmip.mip.files.model_files import read_model
from calmip.models import FORMULATIONS, PACKING, build, pose
from calmip.puzzle.documents.reader import read_instance
from calmip.puzzle.lattice import POLYOMINOES
from calmip.puzzle.search.exact_cover.search import Search
from calmip.puzzle.tasks.enumeration import Enumeration
from calmip.puzzle.tiling import Packing, Tiling
from calmip.solvers import Limits, Status, solver_named

SMALL = ("I1", "I2", "I3", "V3", "L4", "T4", "S4", "O4")


@st.composite
def boards(draw: st.DrawFn) -> calmip.Instance:
    """A board of up to twelve cells and pieces of its area, which may or may not tile it."""
    height, width = draw(st.sampled_from([(2, 3), (2, 4), (3, 3), (2, 5)]))
    left = height * width
    chosen = []
    while left:
        fits = [name for name in SMALL if "".join(POLYOMINOES[name]).count("#") <= left]
        # Few pieces: the brute force below tries every subset of them.
        chosen.append(draw(st.sampled_from(fits[-6:] if left > 2 else fits[-1:])))
        left -= "".join(POLYOMINOES[chosen[-1]]).count("#")
    pieces = tuple(
        calmip.Piece.from_rows(f"{name}{chr(97 + n)}", POLYOMINOES[name])
        for n, name in enumerate(chosen)
    )
    board = calmip.Board.from_text([" ".join("*" * width)] * height)
    return calmip.Instance(calmip.Puzzle("random", board, pieces))


def most_covered(instance: calmip.Instance) -> int:
    """The most cells that pieces can cover, by trying everything."""
    free = frozenset(instance.to_cover)
    sets = [
        brute_force.placements(free, piece.cells, flip=instance.puzzle.flip)
        for piece in instance.puzzle.pieces
    ]

    def best(number: int, left: frozenset[tuple[int, int]]) -> int:
        if number == len(sets):
            return 0
        found = best(number + 1, left)
        for cells in sets[number]:
            if cells <= left:
                found = max(found, len(cells) + best(number + 1, left - cells))
        return found

    return best(0, free)


@settings(max_examples=8, deadline=None)
@given(boards())
def test_the_packing_covers_as_much_as_can_be(instance: calmip.Instance) -> None:
    solution = calmip.solve(instance, formulation="packing")
    most = most_covered(instance)
    if solution.packing is None:
        assert solution.tiling is not None
        assert most == len(instance.to_cover)
    else:
        assert solution.status == "infeasible"
        assert len(solution.packing.owner) == most < len(instance.to_cover)
        assert len(solution.packing.missing) == len(instance.to_cover) - most


@pytest.mark.long
@settings(max_examples=5, deadline=None)
@given(boards())
def test_all_formulations_have_the_same_tilings(instance: calmip.Instance) -> None:
    expected = {Tiling.from_options(c, o) for c in [ExactCover(instance)] for o in Search(c)}
    for formulation in ("packing", "cells"):
        search = Enumeration(instance, method="no-good", formulation=formulation, swaps=0)
        found = set(search)
        assert search.complete
        assert found == expected


def test_labels_of_different_sizes_cannot_take_the_place_of_a_piece(tmp_path: Path) -> None:
    # All cells can be covered with the two-cell label and without the square.
    path = tmp_path / "sizes.yaml"
    path.write_text(
        "grid: ['A A', 'B *']\nuncover: [g]\ngroups: {g: [A, B]}\n"
        "pieces: {domino: ['##'], square: ['#']}\n"
    )
    instance = read_instance(path, free=True)
    model = build("packing", ExactCover(instance))
    assert "a_area" in model.native.rows
    solution = calmip.solve(instance, formulation="packing")
    assert solution.status == "feasible"
    assert solution.tiling is not None
    assert solution.tiling.labels == ("B",)


def test_cells_of_the_assignment_follow_the_placements(tmp_path: Path) -> None:
    cover = ExactCover(read_instance("instances/tiny.yaml"))
    model = build("cells", cover)
    assert model.size[:2] == (5 + 3 * 2, 3 + 2 * 2 + 3 * 2)
    path = tmp_path / "cells.mps"
    model.write(path)
    outcome = solver_named("highs").solve(path, Limits())
    tiling = calmip.Tiling.from_options(
        cover, [cover.option_number[n] for n in outcome.values if n in cover.option_number]
    )
    codes = {"domino": "dom", "square": "squ"}
    told = {f"y{codes[piece]}{r}{c}" for (r, c), piece in tiling.owner.items()}
    assert {name for name in outcome.values if name.startswith("y")} == told


@pytest.mark.parametrize("suffix", [".mps", ".lp", ".lp.gz"])
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_the_size_is_that_of_what_was_written(
    formulation: str, suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the message, the head of the file and the index of a library; with cuts too."""
    for name, more in (("instances/tiny.yaml", []), ("a-puzzle-a-day", ["--date", "2024-02-29"])):
        path = tmp_path / f"model{suffix}"
        assert main(["export", name, *more, "--formulation", formulation, "-o", str(path)]) == 0
        model = read_model(path)
        sizes = [len(model.columns), len(model.rows), model.nonzeros]
        said = "{} columns, {} rows, {} nonzeros".format(*sizes)
        assert said in capsys.readouterr().err
        head = path.read_bytes()
        assert said in (gzip.decompress(head) if suffix.endswith("gz") else head).decode()
    cover = ExactCover(read_instance("instances/tiny.yaml"))
    cut = build(formulation, cover)
    for options in Search(cover):
        cut.forbid(options, most=len(options) - 1)
    path = tmp_path / f"cut{suffix.removesuffix('.gz')}"
    cut.write(path)
    model = read_model(path)
    assert cut.size == (len(model.columns), len(model.rows), model.nonzeros)


def test_the_index_of_a_library_has_the_sizes_of_its_files(tmp_path: Path) -> None:
    puzzle = read_instance("instances/tiny.yaml").puzzle
    library = calmip.export.dates(puzzle, tmp_path / "l", formulation="cells")
    for entry in library.entries:
        model = read_model(tmp_path / "l" / f"{entry.name}.mps")
        sizes = (len(model.columns), len(model.rows), model.nonzeros)
        assert (entry.columns, entry.rows, entry.nonzeros) == sizes


def test_a_cut_forbids_in_both(tmp_path: Path) -> None:
    cover = ExactCover(read_instance("instances/tiny.yaml"))
    for formulation in ("packing", "cells"):
        model = build(formulation, cover)
        for options in Search(cover):
            model.forbid(options, most=len(options) - 1)
        path = tmp_path / "model.mps"
        model.write(path)
        outcome = solver_named("highs").solve(path, Limits())
        if formulation == PACKING:
            assert outcome.status is Status.OPTIMAL
            chosen = [cover.option_number[name] for name in outcome.values]
            assert len(Packing.from_options(cover, chosen).missing) == 1
        else:
            assert outcome.status is Status.INFEASIBLE


def test_the_program_shows_the_best_packing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "six.yaml"
    path.write_text(
        "grid: ['* * *', '* * *']\nuncover: []\npieces: {I: ['##'], T: ['###', '.#.']}\n"
    )
    assert main(["solve", str(path), "--formulation", "packing"]) == 1
    out = capsys.readouterr().out
    assert out.count("?") == 2
    assert "a packing covers 4 of 6 cells (highs: none covers more)" in out
    assert main(["solve", str(path), "--formulation", "packing", "--format", "json"]) == 1
    assert '"missing": [' in capsys.readouterr().out


def test_the_answer_to_an_exported_assignment_model_is_checked(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    model, answer = tmp_path / "tiny.mps", tmp_path / "tiny.sol"
    assert main(["export", "instances/tiny.yaml", "--formulation", "cells", "-o", str(model)]) == 0
    outcome = solver_named("highs").solve(model, Limits())
    answer.write_text("=obj= 0\n" + "".join(f"{n} {v:g}\n" for n, v in outcome.values.items()))
    assert main(["check", "instances/tiny.yaml", str(answer)]) == 0
    assert "verified: it is a tiling" in capsys.readouterr().out


def test_a_packing_is_an_objective_of_the_cover() -> None:
    """The word asks for it; the cover carries it, and keeps every option."""
    cover = ExactCover(read_instance("a-puzzle-a-day", reveal="Feb,29"))
    packing = pose("packing", cover)
    assert [packing.packs, cover.packs, pose("matrix", cover).packs] == [True, False, False]
    assert packing.reduced() is packing
    assert cover.reduced().columns < cover.columns
    written = [build("packing", cover), build("packing", packing), build("matrix", packing)]
    assert len({(tuple(m.native.cost), tuple(m.native.lower)) for m in written}) == 1
    assert min(written[0].native.cost) == -6.0  # the largest piece
    for formulation in ("pulp", "pyomo", "cells"):
        with pytest.raises(InputError, match=f"{formulation} cannot express a packing"):
            build(formulation, packing)


def test_an_unknown_formulation_is_refused() -> None:
    with pytest.raises(InputError, match="unknown formulation"):
        pose("nosuch", ExactCover(read_instance("instances/tiny.yaml")))
