"""Right models written in many ways are accepted, wrong ones refused with a true counter-example.

The models are built here from the pieces' cells alone: a student who does not
know calmip. They go through a file, as theirs would.
"""

import random
import shutil
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from calmip._base.errors import InputError
from calmip._base.limits import Deadline
from calmip.cli import main
from calmip.mip.files.lp import lp_text
from calmip.mip.files.model_files import read_model
from calmip.mip.model import Model
from calmip.puzzle.cover import ExactCover, Placement, Reveal
from calmip.puzzle.documents.reader import read_instance
from calmip.puzzle.files.chosen_options import violations
from calmip.puzzle.instance import Instance
from calmip.puzzle.lattice import SQUARE
from calmip.puzzle.search.equivalence import SameTilings, compare_model

Cells = tuple[tuple[int, int], ...]
FEB29 = read_instance("feb29")
INF = np.inf


def turned(cells: Cells) -> Cells:
    return tuple(SQUARE.normal_form((c, -r) for r, c in cells))


def mirrored(cells: Cells) -> Cells:
    return tuple(SQUARE.normal_form((r, -c) for r, c in cells))


@dataclass
class Sheet:
    """A model as a student has it: columns, and rows of name, coefficients and bounds."""

    columns: list[tuple[str, Cells]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    rows: list[tuple[str, dict[int, float], float, float]] = field(default_factory=list)
    further: list[str] = field(default_factory=list)

    def row(self, name: str, columns: Iterable[int], low: float, high: float) -> None:
        self.rows.append((name, dict.fromkeys(columns, 1.0), low, high))

    def of_cell(self, cell: tuple[int, int]) -> list[int]:
        return [n for n, (_, cells) in enumerate(self.columns) if cell in cells]

    def of_piece(self, piece: str) -> list[int]:
        return [n for n, (name, _) in enumerate(self.columns) if name == piece]

    def place(self, name: str) -> int:
        return next(n for n, (row, *_) in enumerate(self.rows) if row == name)

    def change(self, name: str, **bounds: float) -> None:
        row, terms, low, high = self.rows[self.place(name)]
        self.rows[self.place(name)] = (row, terms, bounds.get("low", low), bounds.get("high", high))

    def drop(self, *names: str) -> None:
        self.rows = [row for row in self.rows if row[0] not in names]

    def model(self) -> Model:
        terms = [sorted(row[1].items()) for row in self.rows]
        return Model(
            columns=(*self.names, *self.further),
            rows=tuple(row[0] for row in self.rows),
            start=np.cumsum([0, *map(len, terms)]).astype(np.int32),
            index=np.array([c for row in terms for c, _ in row], dtype=np.int32),
            value=np.array([v for row in terms for _, v in row], dtype=np.float64),
            lower=np.array([row[2] for row in self.rows], dtype=np.float64),
            upper=np.array([row[3] for row in self.rows], dtype=np.float64),
            cost=np.zeros(len(self.names) + len(self.further)),
        )


def sheet(
    instance: Instance = FEB29, *, everywhere: bool = False, flip: bool = True, start: int = 0
) -> Sheet:
    """Return the model, its columns named ``L_00_01_02_10`` or, everywhere, on all cells."""
    board = instance.puzzle.board
    covered = board.cells if everywhere else instance.to_cover
    found = Sheet()
    for piece in instance.puzzle.pieces:
        shapes = {tuple(SQUARE.normal_form(piece.cells))}
        for _ in range(4):
            shapes |= {turned(shape) for shape in shapes}
        shapes |= {mirrored(shape) for shape in shapes} if flip else set()
        for shape in sorted(shapes):
            for r in range(start, board.shape[0]):
                for c in range(board.shape[1]):
                    cells = tuple((r + dr, c + dc) for dr, dc in shape)
                    if set(cells) <= set(covered):
                        found.columns.append((piece.name, cells))
    found.names = [p + "".join(f"_{r}{c}" for r, c in cells) for p, cells in found.columns]
    for r, c in covered:
        must = 1.0 if (r, c) in instance.to_cover else 0.0
        found.row(f"cell_{r}_{c}", found.of_cell((r, c)), must, must)
    for piece in instance.puzzle.pieces:
        found.row(f"piece_{piece.name}", found.of_piece(piece.name), 1, 1)
    return found


def nameless(theirs: Sheet, seed: int = 0) -> Sheet:
    """Take all names away, and put columns and rows in another order."""
    rng = random.Random(seed)
    order = list(range(len(theirs.columns)))
    rng.shuffle(order)
    new = {old: number for number, old in enumerate(order)}
    rows = [
        (f"R{n}", {new[c]: v for c, v in terms.items()}, low, high)
        for n, (_, terms, low, high) in enumerate(theirs.rows)
    ]
    rng.shuffle(rows)
    columns = [theirs.columns[old] for old in order]
    return Sheet(columns, [f"x{n}" for n in range(len(order))], rows)


def renamed(theirs: Sheet, name: Callable[[str, Cells], str]) -> Sheet:
    theirs.names = [name(piece, cells) for piece, cells in theirs.columns]
    return theirs


def numbered(theirs: Sheet) -> Sheet:
    """Only the rows keep their names."""
    theirs.names = [f"x{n}" for n in range(len(theirs.columns))]
    return theirs


def changed(theirs: Sheet, *changes: Callable[[Sheet], object]) -> Sheet:
    for change in changes:
        change(theirs)
    return theirs


def scaled(theirs: Sheet) -> None:
    factors = [2.0, -1.0, 1 / 3, 0.125, -7.0]
    for n, (name, terms, low, high) in enumerate(theirs.rows):
        factor = factors[n % len(factors)]
        bounds = sorted((factor * low, factor * high))
        theirs.rows[n] = (name, {c: factor * v for c, v in terms.items()}, *bounds)


def split(theirs: Sheet) -> None:
    theirs.rows = [
        half
        for name, terms, low, high in theirs.rows
        for half in ((f"{name}_le", terms, -INF, high), (f"{name}_ge", terms, low, INF))
    ]


def pairs(theirs: Sheet) -> None:
    """At most one of three placements on a cell: follows from the cell's row."""
    for name, terms, _, _ in list(theirs.rows):
        few = sorted(terms)[:3]
        theirs.row(f"clique_{name}", few, -INF, 1)


def total(theirs: Sheet) -> None:
    theirs.row("pieces", range(len(theirs.columns)), 8, 8)


def area(theirs: Sheet) -> None:
    theirs.rows.append(
        ("area", {n: float(len(c)) for n, (_, c) in enumerate(theirs.columns)}, 41.0, 41.0)
    )


def by_halves(theirs: Sheet) -> None:
    """Bounds of whole sums that are no whole numbers."""
    split(theirs)
    theirs.rows = [(name, t, low - 0.5, high + 0.5) for name, t, low, high in theirs.rows]


def assigned(theirs: Sheet) -> None:
    """Columns that say which piece lies on a cell, tied to the placements."""
    for cell in FEB29.to_cover:
        row: dict[int, float] = {}
        for piece in FEB29.puzzle.pieces:
            column = len(theirs.columns) + len(theirs.further)
            theirs.further.append(f"on{cell[0]}{cell[1]}{piece.name}")
            row[column] = 1.0
            mine = set(theirs.of_cell(cell)) & set(theirs.of_piece(piece.name))
            theirs.rows.append(
                (f"tie_{theirs.further[-1]}", {**dict.fromkeys(mine, 1.0), column: -1.0}, 0, 0)
            )
        theirs.drop(f"cell_{cell[0]}_{cell[1]}")
        theirs.rows.append((f"one_{cell[0]}_{cell[1]}", row, 1.0, 1.0))


def inequality(kind: str, **bounds: float) -> Callable[[Sheet], None]:
    def change(theirs: Sheet) -> None:
        for name, *_ in list(theirs.rows):
            if name.startswith(kind):
                theirs.change(name, **bounds)

    return change


def twice(theirs: Sheet) -> None:
    theirs.rows += [(f"again_{name}", terms, low, high) for name, terms, low, high in theirs.rows]


RIGHT: dict[str, Callable[[], Sheet]] = {
    "own order, no names": lambda: nameless(sheet()),
    "forced zeros, no names": lambda: nameless(sheet(everywhere=True)),
    "forced zeros, named": lambda: sheet(everywhere=True),
    "piece and cells": sheet,
    "index of a variable": lambda: renamed(
        sheet(), lambda p, cells: f"x[{p},{','.join(f'{r},{c}' for r, c in cells)}]"
    ),
    "a dictionary of PuLP": lambda: renamed(
        sheet(), lambda p, cells: f"x_('{p}',_({',_'.join(f'({r},_{c})' for r, c in cells)}))"
    ),
    "labels": lambda: renamed(
        sheet(),
        lambda p, cells: (
            f"{p}:"
            + "+".join(
                t if (t := FEB29.puzzle.board.label(cell)) != "*" else f"{cell[0]},{cell[1]}"
                for cell in cells
            )
        ),
    ),
    "scaled rows, no names": lambda: nameless(changed(sheet(), scaled)),
    "split rows, no names": lambda: nameless(changed(sheet(), split)),
    "split, scaled and forced zeros, no names": lambda: nameless(
        changed(sheet(everywhere=True), split, scaled)
    ),
    "cliques that follow, no names": lambda: nameless(changed(sheet(), pairs)),
    "the number of pieces besides, no names": lambda: nameless(changed(sheet(), total)),
    "the area besides, no names": lambda: nameless(changed(sheet(), area)),
    "one row left out that follows, no names": lambda: nameless(
        changed(sheet(), lambda s: s.drop("piece_U"))
    ),
    "pieces at most once, no names": lambda: nameless(
        changed(sheet(), inequality("piece", low=-INF))
    ),
    "pieces at least and cells at most once": lambda: changed(
        sheet(), inequality("piece", high=INF), inequality("cell", low=-INF)
    ),
    "cells at most once": lambda: changed(sheet(), inequality("cell", low=-INF)),
    "cells at least once": lambda: changed(sheet(), inequality("cell", high=INF)),
    "cells at most once, only rows are named": lambda: numbered(
        changed(sheet(), inequality("cell", low=-INF))
    ),
    "bounds between whole numbers, no names": lambda: nameless(changed(sheet(), by_halves)),
    "every row twice, only rows are named": lambda: numbered(changed(sheet(), twice)),
    "a cell belongs to a piece": lambda: changed(sheet(), assigned),
    "a cell belongs to a piece, forced zeros": lambda: changed(sheet(everywhere=True), assigned),
}


def exchanged(theirs: Sheet) -> None:
    """Two pieces of five cells, each in the other's shape, as columns besides."""
    from calmip.puzzle.search.exact_cover.search import solutions

    cover = ExactCover(FEB29)
    options = [cover.option(number) for number in next(solutions(cover))]
    one, other = [o for o in options if isinstance(o, Placement) and o.piece in ("U", "V")]
    for piece, cells in ((one.piece, other.cells), (other.piece, one.cells)):
        number = len(theirs.columns)
        theirs.columns.append((piece, cells))
        theirs.names.append(piece + "".join(f"_{r}{c}" for r, c in cells))
        for name in (f"piece_{piece}", *(f"cell_{r}_{c}" for r, c in cells)):
            theirs.rows[theirs.place(name)][1][number] = 1.0


def used(theirs: Sheet) -> int:
    """Return a column that some tiling has, and not all."""
    from calmip.puzzle.search.exact_cover.search import solutions

    cover = ExactCover(FEB29)
    option = cover.option(next(solutions(cover))[0])
    assert isinstance(option, Placement)
    return next(
        n
        for n, (p, cells) in enumerate(theirs.columns)
        if (p, tuple(sorted(cells))) == (option.piece, option.cells)
    )


def entry(kind: str, value: float) -> Callable[[Sheet], None]:
    """Change the coefficient of a used column in its first row of a kind."""

    def change(theirs: Sheet) -> None:
        column = used(theirs)
        terms = next(t for name, t, *_ in theirs.rows if name.startswith(kind) and column in t)
        terms[column] = value

    return change


def without(theirs: Sheet) -> None:
    """Forget a placement that a tiling has."""
    gone = used(theirs)
    del theirs.columns[gone], theirs.names[gone]
    theirs.rows = [
        (name, {c - (c > gone): v for c, v in terms.items() if c != gone}, low, high)
        for name, terms, low, high in theirs.rows
    ]


def untied(theirs: Sheet) -> None:
    assigned(theirs)
    theirs.rows = [
        row for row in theirs.rows if not row[0].startswith("tie_") or row[0][-1] not in "UV"
    ]


def swapped(theirs: Sheet) -> None:
    """A used column stands in the row of a cell beside its own."""
    column = used(theirs)
    cells = [row for row in theirs.rows if row[0].startswith("cell")]
    next(t for _, t, *_ in cells if column in t).pop(column)
    next(t for _, t, *_ in reversed(cells) if column not in t)[column] = 1.0


MAR1 = read_instance("a-puzzle-a-day", reveal="Mar,1")

WRONG: dict[str, Callable[[], Sheet]] = {
    "a placement forgotten": lambda: changed(sheet(), without),
    "a placement forgotten, only rows are named": lambda: numbered(changed(sheet(), without)),
    "pieces not turned over": lambda: sheet(flip=False),
    "the first row of the board forgotten": lambda: sheet(start=1),
    "another day uncovered": lambda: sheet(MAR1),
    "another day uncovered, forced zeros": lambda: sheet(MAR1, everywhere=True),
    "pieces in shapes that they do not have": lambda: changed(sheet(), exchanged),
    "everything at most once": lambda: changed(sheet(), inequality("", low=-INF)),
    "everything at least once": lambda: changed(sheet(), inequality("", high=INF)),
    "no rows for pieces": lambda: changed(
        sheet(), lambda s: s.drop(*(f"piece_{p.name}" for p in FEB29.puzzle.pieces))
    ),
    "two rows for pieces forgotten": lambda: changed(
        sheet(), lambda s: s.drop("piece_U", "piece_V")
    ),
    "a piece twice": lambda: changed(
        sheet(),
        lambda s: s.change("piece_U", low=2, high=2),
        lambda s: s.change("piece_V", low=0, high=0),
    ),
    "a coefficient 2": lambda: changed(sheet(), entry("cell", 2.0)),
    "an entry forgotten": lambda: changed(sheet(), entry("cell", 0.0)),
    "an entry forgotten, only rows are named": lambda: numbered(
        changed(sheet(), entry("piece", 0.0))
    ),
    "an entry in another row": lambda: changed(sheet(), swapped),
    "a used column forced to zero": lambda: changed(
        sheet(), lambda s: s.row("no", [used(s)], 0, 0)
    ),
    "a used column forced to zero, no names": lambda: nameless(
        changed(sheet(), lambda s: s.row("no", [used(s), used(s) + 1], -INF, 0))
    ),
    "half of the tilings, no names": lambda: nameless(
        changed(sheet(), lambda s: s.row("half", [used(s)], 1, 1))
    ),
    "two of three, no names": lambda: nameless(
        changed(sheet(), lambda s: s.drop("piece_U"), lambda s: s.row("no", [used(s)], -INF, 0.5))
    ),
    "the area wrong by one, no names": lambda: nameless(
        changed(sheet(), area, lambda s: s.change("area", low=40, high=40))
    ),
    "cells that belong to a piece that lies elsewhere": lambda: changed(sheet(), untied),
}


def checked(theirs: Sheet, tmp_path: Path) -> tuple[ExactCover, Model, SameTilings]:
    cover = ExactCover(FEB29)
    file = tmp_path / "model.lp"
    model = theirs.model()
    if not any("'" in name or ":" in name for name in theirs.names):  # as no LP file may have them
        file.write_text(lp_text(model))
        model = read_model(file)
    return cover, model, compare_model(cover, model, clock=Deadline(120))


LONG = {
    "cells at least once",
    "cells at most once",
    "cells at most once, only rows are named",
    "pieces at least and cells at most once",
    "split, scaled and forced zeros, no names",
}


def all_of(ways: Iterable[str]) -> list[object]:
    """Return the ways, those with many further columns marked as slow, and the longest as long."""
    return [
        pytest.param(way, marks=pytest.mark.slow)
        if "belong" in way
        else pytest.param(way, marks=pytest.mark.long if way in LONG else ())
        for way in ways
    ]


@pytest.mark.parametrize("way", all_of(RIGHT))
def test_right_models_are_accepted_however_they_are_written(way: str, tmp_path: Path) -> None:
    *_, found = checked(RIGHT[way](), tmp_path)
    assert found.equal is True, found.reason


def has(theirs: Sheet, model: Model, options: list[Placement], file: Path) -> bool:
    """Whether the model has a point with these placements and no others, by HiGHS."""
    import highspy

    file.write_text(lp_text(model))
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    assert highs.readModel(str(file)) == highspy.HighsStatus.kOk
    cover = ExactCover(FEB29)
    known = {cover.option(number) for number in range(cover.columns)}
    names = highs.getLp().col_names_
    for number, (piece, cells) in enumerate(theirs.columns):
        placement = Placement(piece, tuple(sorted(cells)))
        if placement in known:
            value = float(placement in options)
            highs.changeColBounds(names.index(model.columns[number]), value, value)
    if not {(p, tuple(sorted(c))) for p, c in theirs.columns} >= {
        (one.piece, one.cells) for one in options
    }:
        return False
    highs.run()
    return highs.getModelStatus() == highspy.HighsModelStatus.kOptimal


@pytest.mark.parametrize("way", all_of(WRONG))
def test_wrong_models_are_refused_with_a_true_counter_example(way: str, tmp_path: Path) -> None:
    theirs = WRONG[way]()
    cover, model, found = checked(theirs, tmp_path)
    assert found.equal is False, found.reason
    assert found.options is not None, found.reason
    options = [cover.option(number) for number in found.options]
    assert not any(isinstance(option, Reveal) for option in options)
    tiling = not violations(cover, found.options)
    placements = [option for option in options if isinstance(option, Placement)]
    assert has(theirs, model, placements, tmp_path / "again.lp") != tiling


@pytest.mark.long
@pytest.mark.parametrize("formulation", [sheet, lambda: sheet(everywhere=True)])
def test_what_other_programs_wrote_back_is_accepted(
    formulation: Callable[[], Sheet], tmp_path: Path
) -> None:
    """GLPK's own LP file, and the model that HiGHS's presolve leaves, under any names."""
    import highspy

    file, back = tmp_path / "model.lp", tmp_path / "presolved.lp"
    for theirs in (formulation(), nameless(formulation())):
        file.write_text(lp_text(theirs.model()))
        highs = highspy.Highs()
        highs.setOptionValue("output_flag", False)
        highs.readModel(str(file))
        highs.presolve()
        highs.writePresolvedModel(str(back))
        cover = ExactCover(FEB29)
        model = read_model(back)
        if len(model.columns) >= cover.columns:
            assert compare_model(cover, model).equal is True
        if glpsol := shutil.which("glpsol"):
            wlp = tmp_path / "glpk.lp"
            command = [glpsol, "--lp", str(file), "--check", "--wlp", str(wlp)]
            subprocess.run(command, check=True, capture_output=True)
            assert compare_model(cover, read_model(wlp)).equal is True


def test_free_labels_are_understood() -> None:
    instance = Instance(FEB29.puzzle, ("29",), free=("month",))
    cover = ExactCover(instance)
    theirs = sheet(instance)
    months = [option for n in range(cover.columns) if isinstance(option := cover.option(n), Reveal)]
    own = len(theirs.columns)
    for number, month in enumerate(months, start=own):
        theirs.further.append(f"month[{month.label}]")
        for r, c in month.cells:
            theirs.rows[theirs.place(f"cell_{r}_{c}")][1][number] = 1.0
    theirs.row("month", range(own, own + len(months)), 1, 1)
    found = compare_model(cover, theirs.model())
    assert (found.equal, "the same columns and rows" in found.reason) == (True, True)


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("mine.mod", "glpsol --check -m mine.mod --wlp mine.lp"),
        ("mine.gms", "echo CplexLP mine.lp > convert.opt && gams mine.gms mip=convert optfile=1"),
    ],
)
def test_a_program_in_a_modelling_language_gets_its_command(name: str, command: str) -> None:
    with pytest.raises(InputError) as caught:
        read_model(name)
    assert command in str(caught.value)


@pytest.mark.parametrize(
    ("lines", "code", "told"),
    [
        ("domino:1+2 1\nx[square,1,0] 1", 0, "verified: it is a tiling"),
        ("x_domino_00_01 1\nsquare_01 1", 1, "covered twice"),
        ("domino_00_01 1\nsquare_11 1", 1, "column square_11 is 1, but the piece cannot lie there"),
        ("domino_00_01 1\nsquare_10 1\nsquare_11 0", 0, "verified: it is a tiling"),
        ("domino:1+2 1\ndomino_00_01 1\nsquare_10 1", 2, "are the same placement"),
        ("circle_10 1", 2, "are not columns of this model"),
    ],
)
def test_solution_files_may_name_piece_and_cells(
    lines: str, code: int, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.sol"
    file.write_text(f"# Objective value = 0\n{lines}\n")
    assert main(["check", "instances/tiny.yaml", str(file)]) == code
    found = capsys.readouterr()
    assert told in " ".join((found.out + found.err).split())
