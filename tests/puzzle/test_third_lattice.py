"""A lattice is one constant: one that is registered here goes all the way."""

from __future__ import annotations

import json
import math
from pathlib import Path

import brute_force
import pytest

import calmip
from calmip import Tiling
from calmip.cli import main
from calmip.models import FORMULATIONS
from calmip.puzzle.documents.serialise import puzzle_text
from calmip.puzzle.lattice import LATTICES, CellKind, Lattice
from calmip.puzzle.search.exact_cover.search import solutions

# Rhombs of 60 and 120 degrees. They touch as squares do, but only a half turn and the
# mirror images in the two diagonals carry the lattice onto itself.
RHOMBIC = Lattice(
    name="rhombic",
    kinds=(
        CellKind(steps=((-1, 0), (0, 1), (1, 0), (0, -1)), rim=((0, 0), (2, 0), (3, 1), (1, 1))),
    ),
    turn=((-1, 0, 0), (0, -1, 0)),
    order=2,
    mirror=((0, 1, 0), (1, 0, 0)),
    place=((1, 2), (1, 0)),
    unit=(0.5, math.sqrt(3.0) / 2.0),
)

PUZZLE = """
lattice: rhombic
grid:
- "1 2 3 4"
- "5 6 7 8"
- ". 9 10 ."
uncover: [day]
pieces: {L: ["##", "#."], J: ["##", ".#"], bar: ["###"]}
"""


@pytest.fixture
def puzzle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(LATTICES, RHOMBIC.name, RHOMBIC)
    monkeypatch.setattr(brute_force, "ROTATIONS", (lambda r, c: (r, c), lambda r, c: (-r, -c)))
    monkeypatch.setattr(brute_force, "REFLECTIONS", (lambda r, c: (c, r), lambda r, c: (-c, -r)))
    path = tmp_path / "rhombs.yaml"
    path.write_text(PUZZLE)
    return path


@pytest.mark.parametrize("flip", [True, False])
def test_its_tilings_are_those_of_brute_force(puzzle: Path, flip: bool) -> None:
    for label in range(1, 11):
        instance = calmip.read_instance(puzzle, reveal=[str(label)], flip=flip)
        pieces = {piece.name: piece.cells for piece in instance.puzzle.pieces}
        expected = brute_force.tilings(instance.to_cover, pieces, flip=flip)
        found = [
            Tiling.from_options(cover, s)
            for cover in [calmip.ExactCover(instance)]
            for s in solutions(cover)
        ]
        assert {
            frozenset((p.piece, frozenset(p.cells)) for p in tiling.placements) for tiling in found
        } == expected


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_every_formulation_solves_it(puzzle: Path, formulation: str) -> None:
    instance = calmip.read_instance(puzzle, reveal="1")
    found = calmip.solve(instance, formulation=formulation)
    assert found.status == "feasible"
    assert "<svg" in found.tilings[0]._repr_svg_()


def test_the_program_prints_and_draws_it(
    puzzle: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    reveal = ["--reveal", "1"]
    assert main(["solve", str(puzzle), *reveal, "--format", "json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert sorted(len(p["cells"]) for p in said["tilings"][0]["placements"]) == [3, 3, 3]
    # Characters cannot show which cells touch; each cell says its piece, as the file's grid.
    assert main(["solve", str(puzzle), *reveal]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[0] == "1"
    assert {name for line in lines[:3] for name in line.split()} == {"1", ".", "L", "J", "bar"}
    for command in (
        ["puzzles", str(puzzle)],
        ["count", str(puzzle)],
        ["hint", str(puzzle), *reveal],
        ["solve", str(puzzle), *reveal, "-o", str(tmp_path / "a.svg")],
        ["export", str(puzzle), *reveal, "-o", str(tmp_path / "a.mps")],
    ):
        assert main(command) == 0, command
        capsys.readouterr()


@pytest.mark.trade("proofs")
def test_its_proofs_are_refused_by_a_checker_that_does_not_know_it(
    puzzle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = ["prove", str(puzzle), "--reveal", "1"]
    assert main([*call, "-o", str(tmp_path / "proof")]) == 0
    assert main(["prove", "check", str(tmp_path / "proof"), *call[1:]]) == 4
    said = capsys.readouterr().err
    assert "the lattice is 'rhombic'; known here are square, hexagonal," in said


def test_its_pieces_have_no_names_of_shapes_and_are_written_as_read(
    puzzle: Path, tmp_path: Path
) -> None:
    again = tmp_path / "again.yaml"
    again.write_text(puzzle_text(calmip.read_puzzle(puzzle)))
    assert calmip.read_puzzle(again).pieces == calmip.read_puzzle(puzzle).pieces
    puzzle.write_text(PUZZLE.replace('bar: ["###"]', "bar: I3"))
    with pytest.raises(calmip.InputError, match="shape 'I3' is unknown; the shapes are none, or"):
        calmip.read_puzzle(puzzle)
    puzzle.write_text(PUZZLE[: PUZZLE.index("pieces")] + "pieces: [['##', '#.'], ['###'], ['###']]")
    assert [piece.name for piece in calmip.read_puzzle(puzzle).pieces] == ["A", "B", "C"]
