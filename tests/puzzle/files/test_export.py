"""Every format says the same exact cover; formulas have as many models as there are tilings."""

import gzip
import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, example, given, reject, settings
from hypothesis import strategies as st
from requirements import need_package

from calmip._base.errors import InputError
from calmip.mip.files.registry import FORMATS
from calmip.puzzle.board import Board, Piece
from calmip.puzzle.cover import ExactCover, Reveal
from calmip.puzzle.documents.reader import read_instance
from calmip.puzzle.files.chosen_options import violations
from calmip.puzzle.files.cover_files import (
    WRITERS,
    cover_parts,
    header,
    meaning,
    plain,
    write_cover,
)
from calmip.puzzle.files.covers import _exactly, opb_lines
from calmip.puzzle.instance import Instance
from calmip.puzzle.puzzle import Puzzle

ROOT = Path(__file__).parents[3]
INSTANCES = ROOT / "instances"

Counter = Callable[[ExactCover], list[tuple[int, ...]]]


def text_of(cover: ExactCover, suffix: str, comments: tuple[str, ...] = ()) -> str:
    return "".join(cover_parts(cover, suffix, comments))


def rows_of(cover: ExactCover) -> list[tuple[list[int], int]]:
    """Each row's options and demand: what every format must say."""
    return [(o, i.demand) for o, i in zip(cover.options_of(), cover.items, strict=True)]


@pytest.fixture(scope="module")
def oct6() -> ExactCover:
    return ExactCover(read_instance("a-puzzle-a-day", reveal="Oct,6"))


@pytest.fixture(params=["tiny", "feb29", "twins", "free_week", "oct6", "dead-corner"])
def cover(request: pytest.FixtureRequest, covers: dict[str, ExactCover]) -> ExactCover:
    name = request.param
    return covers[name] if name in covers else request.getfixturevalue(name)


def test_opb_says_the_rows(cover: ExactCover) -> None:
    lines = text_of(cover, ".opb", header(cover)).splitlines()
    assert lines[0] == f"* #variable= {cover.columns} #constraint= {cover.rows}"
    said = []
    for line in lines:
        if line.startswith("*"):
            continue
        match = re.fullmatch(r"((?:\+1 x\d+ )+)(>?=) (\d+) ;", line)
        assert match, line
        options = [int(x) - 1 for x in re.findall(r"x(\d+)", match[1])]
        said.append((options, match[2], int(match[3])))
    # A row that nothing can cover is written as x1 >= 2.
    assert said == [(o, "=", d) if o else ([0], ">=", 2) for o, d in rows_of(cover)]
    names = dict(re.findall(r"^\* x(\d+) = (\S+)$", "\n".join(lines), re.MULTILINE))
    assert [names[str(n + 1)] for n in range(cover.columns)] == list(cover.option_names)
    # By rule there is a variable even where there is no option.
    assert ("* x1 is no option, as there is none" in lines) == (cover.columns == 0)


def test_opb_preserves_every_variable(cover: ExactCover) -> None:
    """VeriPB is told that solutions differ in any of them."""
    plain, told = (list(opb_lines(cover, preserved=flag)) for flag in (False, True))
    (line,) = [line for line in told if line not in plain]
    assert line.split() == ["preserved:", *(f"x{n + 1}" for n in range(cover.columns)), ";"]


def test_dlx_says_the_options(cover: ExactCover) -> None:
    lines = [x for x in text_of(cover, ".dlx", header(cover)).splitlines() if x[0] != "|"]
    items = [item.rpartition("|") for item in lines[0].split()]
    assert [(name, int(n or 1)) for n, _, name in items] == [
        (i.name, i.demand) for i in cover.items
    ]
    place = {name: number for number, (_, _, name) in enumerate(items)}
    said = [[place[name] for name in line.split()] for line in lines[1:]]
    assert said == [cover.items_of(option) for option in range(cover.columns)]
    assert all(len(name) <= 8 for name in place)


def test_dlx_numbers_items_whose_names_are_too_long() -> None:
    rows = [["."] * 101 for _ in range(11)]
    rows[10][99] = rows[10][100] = "*"
    puzzle = Puzzle("Far", Board(tuple(map(tuple, rows))), (Piece.from_rows("d", ["##"]),))
    far = ExactCover(Instance(puzzle))
    assert (
        text_of(far, ".dlx")
        == "| i1 = c_r10c99\n| i2 = c_r10c100\n| i3 = p_d\ni1 i2 i3\ni1 i2 i3\n"
    )


def test_json_says_items_and_options(cover: ExactCover) -> None:
    said = json.loads(text_of(cover, ".json", header(cover)))
    assert said["comments"] == list(header(cover))
    assert [(i["name"], i["kind"], i["text"], i["demand"]) for i in said["items"]] == [
        (i.name, i.kind, i.text, i.demand) for i in cover.items
    ]
    for number, option in enumerate(said["options"]):
        known = cover.option(number)
        assert option["name"] == cover.option_names[number]
        assert option["items"] == cover.items_of(number)
        assert tuple(map(tuple, option["cells"])) == known.cells
        what = ("piece",) if number < cover.placements else ("group", "label")
        assert [option[key] for key in what] == [getattr(known, key) for key in what]


def clauses_of(text: str) -> tuple[int, list[list[int]]]:
    lines = [line for line in text.splitlines() if not line.startswith("c")]
    head = lines[0].split()
    assert head[:2] == ["p", "cnf"]
    clauses = [[*map(int, line.split())] for line in lines[1:]]
    assert len(clauses) == int(head[3])
    assert all(clause[-1] == 0 and len(clause) > 1 for clause in clauses)
    return int(head[2]), [clause[:-1] for clause in clauses]


def test_a_formula_says_what_its_variables_are(cover: ExactCover) -> None:
    text = text_of(cover, ".cnf", header(cover))
    (variables,) = map(int, re.findall(r"^p cnf (\d+) \d+$", text, re.MULTILINE))
    said = [line[2:] for line in text.splitlines() if re.match(r"c \d", line)]
    assert said[: cover.columns] == [f"{n} = {x}" for n, x in enumerate(cover.option_names, 1)]
    if variables > max(cover.columns, 1):
        first = cover.columns + 1
        assert said[cover.columns :] == [
            f"{first} to {variables} follow from the others: they count"
        ]
    else:
        assert len(said) == variables


def models_of(variables: int, clauses: list[list[int]]) -> Iterator[set[int]]:
    """Enumerate the models of a formula, over all its variables, with python-sat."""
    solvers = need_package("pysat.solvers")
    with solvers.Solver(name="cadical153", bootstrap_with=clauses) as solver:
        for model in solver.enum_models():
            yield {literal for literal in model if 0 < literal <= variables}


KNOWN = {"tiny": 2, "feb29": 64, "oct6": 7, "dead-corner": 0}


@pytest.mark.parametrize(
    "name",
    ["tiny", "oct6", "twins", "free_week"]
    + [pytest.param(name, marks=pytest.mark.slow) for name in ("feb29", "dead-corner")],
)
def test_formulas_have_one_model_per_tiling(
    name: str,
    request: pytest.FixtureRequest,
    covers: dict[str, ExactCover],
    solutions_of: Counter,
    peers: Any,
) -> None:
    try:
        import pysat  # noqa: F401
    except ImportError:
        peers.missing("pysat")
    cover = covers[name] if name in covers else request.getfixturevalue(name)
    text = text_of(cover, ".cnf", header(cover))
    assert text.count("\nc t mc\n") == 1
    variables, clauses = clauses_of(text)
    assert len({tuple(clause) for clause in clauses if len(clause) == 2}) == sum(
        len(clause) == 2 for clause in clauses
    )
    models = list(models_of(variables, clauses))
    if name in KNOWN:
        assert len(models) == KNOWN[name]
    else:
        found = sorted(tuple(v - 1 for v in sorted(m) if v <= cover.columns) for m in models)
        assert found == sorted(solutions_of(cover))
    demand = [cover.demand] * len(models)
    assert demand == [
        [sum(o + 1 in model for o in options) for options, _ in rows_of(cover)] for model in models
    ]


@st.composite
def strips(draw: st.DrawFn) -> ExactCover:
    """Draw a strip, perhaps with gaps, and bars for it: often there is one way for an item."""
    cells = draw(st.lists(st.sampled_from("**."), min_size=1, max_size=6))
    lengths = []
    while sum(lengths) < cells.count("*"):
        lengths.append(draw(st.integers(1, min(3, cells.count("*") - sum(lengths)))))
    assume(lengths)
    try:
        return strip(" ".join(cells), *lengths)
    except InputError:  # A bar fits nowhere.
        reject()


def strip(cells: str, *lengths: int) -> ExactCover:
    pieces = tuple(Piece.from_rows(f"B{n}", ["#" * size]) for n, size in enumerate(lengths))
    return ExactCover(Instance(Puzzle("strip", Board.from_text([cells]), pieces)))


@pytest.mark.long
@settings(max_examples=40)
@given(cover=strips())
@example(cover=strip("*", 1))
@example(cover=strip("* *", 2))
@example(cover=strip("* * . * *", 2, 2))
@example(cover=strip("* * . *", 2, 1))
@example(cover=strip("* * . * . *", 2, 2))
def test_a_formula_holds_for_the_tilings_alone(cover: ExactCover) -> None:
    """Whatever options are chosen; an item may have just as many as it asks for, or fewer."""
    variables, clauses = clauses_of(text_of(cover, ".cnf"))
    for point in product((False, True), repeat=max(cover.columns, 1)):
        value = dict(enumerate(point, start=1))
        holds = _propagate([tuple(clause) for clause in clauses], value)
        chosen = [option for option in range(cover.columns) if point[option]]
        assert holds == (cover.columns > 0 and not violations(cover, chosen))
        assert not holds or len(value) == variables


@pytest.mark.parametrize("literals", range(1, 8))
def test_counting_clauses_define_their_variables(literals: int) -> None:
    for demand in range(1, literals + 1):
        clauses, last = _exactly(list(range(1, literals + 1)), demand, literals)
        for point in product((False, True), repeat=literals):
            # Set the variables that follow; a contradiction or a free one would show.
            value = dict(enumerate(point, start=1))
            holds = _propagate(clauses, value)
            assert holds == (sum(point) == demand)
            if holds:
                assert len(value) == last


def _propagate(clauses: list[tuple[int, ...]], value: dict[int, bool]) -> bool:
    changed = True
    while changed:
        changed = False
        for clause in clauses:
            if any(value.get(abs(x)) == (x > 0) for x in clause):
                continue
            left = [x for x in clause if abs(x) not in value]
            if not left:
                return False
            if len(left) == 1:
                value[abs(left[0])] = left[0] > 0
                changed = True
    return True


COUNT = """
import sys, pyscipopt
model = pyscipopt.Model()
model.hideOutput()
model.readProblem(sys.argv[1])
print(model.getNVars(), model.getNConss())
model.setParamsCountsols()
model.count()
print(model.getNCountedSols())
"""


@pytest.mark.long
@pytest.mark.parametrize("name", ["tiny", "twins", "free_week", "oct6", "dead-corner"])
def test_pseudo_boolean_problems_are_counted(
    name: str,
    request: pytest.FixtureRequest,
    covers: dict[str, ExactCover],
    solutions_of: Counter,
    peers: Any,
    tmp_path: Path,
) -> None:
    cover = covers[name] if name in covers else request.getfixturevalue(name)
    write_cover(tmp_path / "model.opb", cover, header(cover))
    columns, rows, count = map(
        int, peers.script("pyscipopt", COUNT, tmp_path / "model.opb").split()
    )
    known = KNOWN[name] if name in KNOWN else len(solutions_of(cover))
    assert count == known
    if known:
        assert (columns, rows) == (cover.columns, cover.rows)


SAME = """
import sys
from pathlib import Path
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.files.cover_files import WRITERS, header, write_cover
from calmip.puzzle.documents.reader import read_instance
cover = ExactCover(read_instance(sys.argv[1]))
for suffix in WRITERS:
    for packed in ("", ".gz"):
        write_cover(Path(sys.argv[2]) / f"m{suffix}{packed}", cover, header(cover, tilings=2))
"""


@pytest.mark.long
def test_two_runs_write_the_same_bytes(tmp_path: Path) -> None:
    written = []
    for seed in ("1", "2"):
        folder = tmp_path / seed
        folder.mkdir()
        # The order of a set of texts changes with the seed.
        subprocess.run(
            [sys.executable, "-c", SAME, INSTANCES / "tiny.yaml", folder],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
        )
        written.append({path.name: path.read_bytes() for path in folder.iterdir()})
    assert written[0] == written[1]
    assert len(written[0]) == 2 * len(WRITERS)
    for name, data in written[0].items():
        if name.endswith(".gz"):
            assert gzip.decompress(data) == written[0][name.removesuffix(".gz")]
        else:
            assert data.isascii()


def test_other_names_are_refused(tiny: ExactCover, tmp_path: Path) -> None:
    for name in ("model", "model.txt", "model.mps.bz2", ".gz"):
        with pytest.raises(
            InputError, match=r"use one of \.mps, \.lp, \.opb, \.cnf, \.dlx, \.json"
        ):
            write_cover(tmp_path / name, tiny)
    with pytest.raises(InputError, match=r"use one of \.mps, "):
        cover_parts(tiny, ".txt")
    assert list(tmp_path.iterdir()) == []


def test_comments_say_what_the_file_is(feb29: ExactCover, free_week: ExactCover) -> None:
    text = "\n".join(header(feb29, tilings=64))
    assert "month Feb, day 29" in text
    assert "872 columns, 49 rows, 5274 nonzeros; 64 tilings" in text
    assert "L_a02 is piece L on Mar(0,2)" in text
    assert "tilings" not in "\n".join(header(feb29))
    assert "weekday free" in "\n".join(header(free_week))
    labels = [free_week.option(n) for n in range(free_week.placements, free_week.columns)]
    assert [meaning(free_week, n) for n in range(free_week.placements, free_week.columns)] == [
        f"reveals {one.label}" for one in labels if isinstance(one, Reveal)
    ]
    own = feb29.instance.puzzle.name
    for name, said in ((own, False), ("Monday", True)):
        head = "\n".join(header(ExactCover(replace(feb29.instance, name=name))))
        assert own in head
        assert (f"{own}: {name}" in head) is said
    assert "pieces may be turned over" in text
    puzzle = replace(feb29.instance.puzzle, flip=False)
    fixed = ExactCover(replace(feb29.instance, puzzle=puzzle))
    assert "pieces may not be turned over" in "\n".join(header(fixed))


@pytest.mark.long
@settings(max_examples=50, deadline=None)
@given(
    st.text(st.characters(codec="utf-8"), min_size=1, max_size=40),
    st.from_regex(r"\A[!-~\u00a1-\u024f]{1,12}\Z").filter(
        lambda s: s.isprintable() and s not in (".", "*", "1", "2")
    ),
)
def test_no_name_breaks_a_file(name: str, label: str) -> None:
    """Whatever names and labels hold, the comments stay comments."""
    board = Board.from_text(["1 2", f"3 {label}"])
    pieces = (Piece.from_rows("domino", ["##"]), Piece.from_rows("c t pmc", ["#"]))
    cover = ExactCover(Instance(Puzzle(name, board, pieces), ("1",), name=name))
    bare = {suffix: text_of(cover, suffix) for suffix in WRITERS if suffix != ".json"}
    for suffix, text in bare.items():
        said = text_of(cover, suffix, header(cover))
        assert said.isascii()
        mark = f"{FORMATS[suffix].comment} "
        lines = said.splitlines()
        assert all(len(line) < 80 for line in lines if line.startswith(mark))
        for line in header(cover):
            lines.remove(mark + line)
        assert lines == text.splitlines()


@given(st.text(st.characters(codec="utf-8"), max_size=100))
def test_plain_text_is_one_line_of_printable_ascii(text: str) -> None:
    assert re.fullmatch("[ -~]*", plain(text))


def test_a_formula_that_would_be_huge_is_refused(
    monkeypatch: pytest.MonkeyPatch, feb29: ExactCover
) -> None:
    pairs = sum(math.comb(len(options), 2) for options in feb29.options_of())
    monkeypatch.setattr("calmip.puzzle.files.covers.MAX_CLAUSES", pairs)
    assert text_of(feb29, ".cnf")
    monkeypatch.setattr("calmip.puzzle.files.covers.MAX_CLAUSES", pairs - 1)
    with pytest.raises(InputError, match=rf"about {pairs:,} clauses are too many for a \.cnf file"):
        text_of(feb29, ".cnf")


def test_the_page_has_every_format() -> None:
    page = (ROOT / "docs/reference/model-files.md").read_text(encoding="utf-8")
    written = page.split("## Formats that calmip writes")[1].split("\n## ")[0]
    assert sorted(re.findall(r"^\| `(\.\w+)` \|", written, re.M)) == sorted(WRITERS)
