"""OPB, CNF and DLX files: what they mean, what is refused, and that models are read back."""

import itertools
import math
import random
from array import array
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import calmip
from calmip._base.errors import InputError
from calmip.cli import main
from calmip.mip.files.boolean import read_dlx
from calmip.mip.files.model_files import read_model, write_model
from calmip.mip.files.text_source import TextFile
from calmip.mip.model import Model
from calmip.mip.status import Status
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.files.cover_files import write_cover
from calmip.puzzle.instance import Instance


def read(folder: Path, name: str, text: str) -> Model:
    (folder / name).write_text(text)
    return read_model(folder / name)


def shown(model: Model) -> list[str]:
    """Return the rows as text, then the objective."""
    lines = []
    for number, name in enumerate(model.rows):
        terms, low, high = model.exact_row(number)
        text = " ".join(f"{value:+} {model.columns[c]}" for c, value in sorted(terms.items()))
        lines.append(f"{name}: {low} <= {text} <= {high}")
    costs = " ".join(f"{value:+} {model.columns[c]}" for c, value in model.costs.items())
    return [*lines, f"min {costs} {model.constant:+}"]


OPB = {
    "plain": ("+1 x1 +2 x2 >= 2 ;\n", ["R1: 2 <= +1 x1 +2 x2 <= inf", "min  +0"]),
    "no blanks": ("+1 x1 -2 x2>=-1;\n", ["R1: -1 <= +1 x1 -2 x2 <= inf", "min  +0"]),
    "an equation": ("3 x1 2 x2 = 2 ;", ["R1: 2 <= +3 x1 +2 x2 <= 2", "min  +0"]),
    "at most": ("+1 x1 +1 x2 <= 1 ;", ["R1: -inf <= +1 x1 +1 x2 <= 1", "min  +0"]),
    "a negated literal": ("+2 ~x1 +1 x2 >= 1 ;", ["R1: -1 <= -2 x1 +1 x2 <= inf", "min  +0"]),
    "twice": ("+2 x1 +1 x1 +1 x2 >= 1 ;", ["R1: 1 <= +3 x1 +1 x2 <= inf", "min  +0"]),
    "several lines": ("+1 x1\n+1 x2\n>= 1 ; +1 x1 >= 1\n;", [
        "R1: 1 <= +1 x1 +1 x2 <= inf", "R2: 1 <= +1 x1 <= inf", "min  +0",
    ]),
    "an objective": ("min: +3 x2 -1 ~x1 ;\n+1 x1 +1 x2 >= 1 ;", [
        "R1: 1 <= +1 x1 +1 x2 <= inf", "min +1 x1 +3 x2 -1",
    ]),
    "a maximum": ("max: +3 x2 ;\n+1 x1 +1 x2 >= 1 ;", [
        "R1: 1 <= +1 x1 +1 x2 <= inf", "min -3 x2 +0",
    ]),
    "an empty objective": ("min: ;\n+1 x1 +1 x2 >= 1 ;", [
        "R1: 1 <= +1 x1 +1 x2 <= inf", "min  +0",
    ]),
    "a large number": ("12345678901234567890 x1 +4 x2 >= 10 ;", [
        "R1: 10 <= +12345678901234567890 x1 +4 x2 <= inf", "min  +0",
    ]),
    "comments": ("* a comment\n* begin normalizer comments\n****\n+1 x1 +1 x2 >= 1 ;\n* end\n", [
        "R1: 1 <= +1 x1 +1 x2 <= inf", "min  +0",
    ]),
    "names": ("* x2 = here\n* row\n+1 x1 +1 x2 >= 1 ;\n", [
        "row: 1 <= +1 x1 +1 here <= inf", "min  +0",
    ]),
    "other names": ("+1 y[1] +1 b_2 >= 1 ;\n", ["R1: 1 <= +1 y[1] +1 b_2 <= inf", "min  +0"]),
    "names that come twice": ("* x1 = a\n* x2 = a\n+1 x1 +1 x2 >= 1 ;\n", [
        "R1: 1 <= +1 x1 +1 x2 <= inf", "min  +0",
    ]),
}  # fmt: skip


def test_the_variables_of_an_opb_file_are_numbered(tmp_path: Path) -> None:
    model = read(tmp_path, "m.opb", "* #variable= 4 #constraint= 1\n+1 x3 +1 x1 >= 1 ;\n")
    assert model.columns == ("x1", "x2", "x3", "x4")
    assert shown(model)[0] == "R1: 1 <= +1 x1 +1 x3 <= inf"
    assert calmip.count(model).total == 12


CNF = {
    "clauses": ("p cnf 3 2\n1 -2 0\n2 3 0\n", [
        "R1: 0 <= +1 x1 -1 x2 <= inf", "R2: 1 <= +1 x2 +1 x3 <= inf",
    ]),
    "several lines": ("p cnf 3 2\n1\n-2 0 2\n3 0\n", [
        "R1: 0 <= +1 x1 -1 x2 <= inf", "R2: 1 <= +1 x2 +1 x3 <= inf",
    ]),
    "exactly one": ("p cnf 3 4\n1 2 3 0\n-1 -2 0\n-3 -1 0\n-2 -3 0\n", [
        "R1: 1 <= +1 x1 +1 x2 +1 x3 <= 1",
    ]),
    "two of three pairs": ("p cnf 3 3\n1 2 3 0\n-1 -2 0\n-3 -1 0\n", [
        "R1: 1 <= +1 x1 +1 x2 +1 x3 <= inf", "R2: -1 <= -1 x1 -1 x2 <= inf",
        "R3: -1 <= -1 x1 -1 x3 <= inf",
    ]),
    "names": ("c 1 = a\nc 3 = b\nc t mc\np cnf 3 1\n1 3 0\n", ["R1: 1 <= +1 a +1 b <= inf"]),
    "a variable twice": ("p cnf 3 2\n1 1 2 0\n1 -1 2 0\n", [
        "R1: 1 <= +1 x1 +1 x2 <= inf", "R2: 0 <= +1 x2 <= inf",
    ]),
    "the end of SATLIB": ("p cnf 3 1\n1 3 0\n%\n0\n", ["R1: 1 <= +1 x1 +1 x3 <= inf"]),
    "an empty clause": ("p cnf 3 1\n0\n", ["R1: 1 <=  <= inf"]),
}  # fmt: skip


@pytest.mark.parametrize(
    ("suffix", "name"), [*((".opb", name) for name in OPB), *((".cnf", name) for name in CNF)]
)
def test_opb_and_cnf_files_mean_what_they_say(suffix: str, name: str, tmp_path: Path) -> None:
    text, meaning = {".opb": OPB, ".cnf": CNF}[suffix][name]
    model = read(tmp_path, f"m{suffix}", text)
    assert model.binary
    if suffix == ".opb":
        assert shown(model) == meaning
    else:  # without an objective
        assert (len(model.columns), shown(model)[:-1]) == (3, meaning)


DLX = {
    "plain": (
        "a b c\na c\nb\n",
        [
            "a: 1 <= +1 o1 <= 1",
            "b: 1 <= +1 o2 <= 1",
            "c: 1 <= +1 o1 <= 1",
        ],
    ),
    "secondary items": ("a | b\na b\na\n", ["a: 1 <= +1 o1 +1 o2 <= 1", "b: 0 <= +1 o1 <= 1"]),
    "multiplicities": (
        "2|a 0:1|b\na b\na\n",
        [
            "a: 2 <= +1 o1 +1 o2 <= 2",
            "b: 0 <= +1 o1 <= 1",
        ],
    ),
    "costs": (
        "a b\na |3 b |4\na |0\nb\n",
        ["a: 1 <= +1 o1 +1 o2 <= 1", "b: 1 <= +1 o1 +1 o3 <= 1"],
    ),
    "comments": (
        "| a comment\n| i1 = long_name\ni1\n| one\ni1\n\n",
        [
            "long_name: 1 <= +1 o1 <= 1",
        ],
    ),
}


@pytest.mark.parametrize("name", DLX)
def test_dlx_files_mean_what_they_say(name: str, tmp_path: Path) -> None:
    text, meaning = DLX[name]
    model = read(tmp_path, "m.dlx", text)
    assert model.binary
    assert shown(model)[:-1] == meaning


def random_colours(draw: random.Random) -> tuple[str, list[list[str]]]:
    """Return the text of a file with colours, and the words of its options."""
    primary, secondary = ["a", "b", "c"][: draw.randint(1, 3)], ["s", "t"]
    options = []
    for _ in range(draw.randint(1, 9)):
        words = [item for item in primary if draw.random() < 0.5]
        used = [item for item in secondary if draw.random() < 0.6]
        words += [item + draw.choice(["", ":R", ":G", ":G", ":B"]) for item in used]
        if words:
            options.append(words)
    lines = [f"{' '.join(primary)} | {' '.join(secondary)}", *map(" ".join, options)]
    return "\n".join(lines) + "\n", options


def is_coloured_cover(primary: list[str], chosen: list[list[str]]) -> bool:
    words = [word for option in chosen for word in option]
    if any(words.count(item) != 1 for item in primary):
        return False
    for item in ("s", "t"):
        found = [word for word in words if word.partition(":")[0] == item]
        if len(found) > 1 and (len(set(found)) > 1 or found[0] == item):
            return False
    return True


def test_colours_are_those_of_all_choices(tmp_path: Path) -> None:
    sizes = []
    for seed in range(120):
        text, options = random_colours(random.Random(seed))
        if not options:
            continue
        primary = text.partition("|")[0].split()
        expected = {
            frozenset(chosen)
            for size in range(len(options) + 1)
            for chosen in itertools.combinations(range(len(options)), size)
            if is_coloured_cover(primary, [options[n] for n in chosen])
        }
        pool = calmip.enumerate(read(tmp_path, "m.dlx", text))
        found = {
            frozenset(int(name[1:]) - 1 for name, value in values.items() if value)
            for values in pool.values
        }
        assert (found, pool.complete) == (expected, True), text
        sizes.append(len(expected))
    assert sum(size > 0 for size in sizes) > 40
    assert max(sizes) > 5


@given(
    st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["", *"ABCDEFGHIJKL"])), min_size=1),
    st.integers(0, 13),
    st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_rows_exclude_just_the_options_of_different_colours(
    uses: list[tuple[int, str]], more: int, apart: bool
) -> None:
    """Whether options are in groups that exclude each other, or all stand alone."""
    uses += itertools.product(range(2), ["", *"ABCDEFGHIJKL"][:more])
    groups = list(range(4)) if apart else [0]
    head = " ".join(f"p{n}" for n in groups) if apart else f"{len(uses)}|p0"
    options = [f"p{group if apart else 0} s{':' * bool(c)}{c}" for group, c in uses]
    model = read_dlx(TextFile("m.dlx", [f"{head} | s", *options]))
    rows = [set(row.terms) for row in model.exact_rows()[len(groups) :]]
    for one, other in itertools.combinations(range(len(uses)), 2):
        (group, colour), (beside, another) = uses[one], uses[other]
        conflict = colour != another or not colour
        alike = apart and group == beside
        excluded = any({one, other} <= row for row in rows)
        assert conflict or alike or not excluded
        assert excluded or alike or not conflict
    colours = len({colour for _, colour in uses})
    assert not apart or len(rows) <= 6 * min(colours, 2 * max(colours - 1, 1).bit_length() + 2) + 1


def test_colours_need_few_rows_or_are_refused(tmp_path: Path) -> None:
    # Ten colours of ten options each: 4,500 pairs, and at most 121 lines.
    options = [f"a s:{colour}" for colour in "ABCDEFGHIJ" for _ in range(10)]
    model = read(tmp_path, "m.dlx", "\n".join(["9|a | s", *options]))
    assert len(model.rows) <= 1 + 11 * 11
    head = "2|a | s"
    many = "\n".join([head, *(f"a s:{colour}" for colour in "AB" for _ in range(320))])
    with pytest.raises(InputError, match=r"item 's' has 2 colours, and up to 320 options .* rows"):
        read(tmp_path, "m.dlx", many)
    # Options of one item that is covered once exclude each other without any row.
    assert len(read(tmp_path, "m.dlx", many.replace(head, "a | s")).rows) == 2


FAULTS = {
    "m.opb": [
        ("+1 x1 x2 >= 1 ;", "m.opb:1: products of variables are not read: found 'x2'"),
        ("soft: 5 ;\n[1] +1 x1 >= 1 ;", "m.opb:1: soft constraints .WBO. are not read"),
        ("+1 x1 >= 1", "is cut: the last constraint has no ';'"),
        ("+1 x1 ;", "a constraint ends with a relation .* not '.1 x1'"),
        ("+1 x1 >= x2 ;", "a constraint ends with a relation"),
        ("+1 x1 >= 1.5 ;", "cannot make sense of '1.5 ;'"),
        ("+1.5 x1 >= 1 ;", "cannot make sense of '.1.5 x1"),
        ("x1 >= 1 ;", "found 'x1', not a whole number and a variable"),
        ("+1 +1 x1 >= 1 ;", "found '.1', not a whole number and a variable"),
        ("+1 x1 +1 >= 1 ;", "a number without a variable"),
        (";", "found ';' without a constraint"),
        ("+1 x1 >= 1 ;\nmin: +1 x1 ;", "m.opb:2: 'min:' are not read; an objective"),
        ("* nothing\n", "has no variables"),
    ],
    "m.cnf": [
        ("1 0\n", "m.cnf:1: found '1 0', not one line 'p cnf VARIABLES CLAUSES'"),
        ("c 1 = a\n", "has no line 'p cnf"),
        ("p cnf 2 1\n1 2\n", "is cut: the last clause has no 0"),
        ("p cnf 2 2\n1 2 0\n", "has 1 clauses, but its line p says 2"),
        ("p cnf 2 1\n1 3 0\n", "found '3', not a literal from 1 to 2"),
        ("p cnf 2 1\n1 a 0\n", "found 'a', not a literal"),
        ("p wcnf 2 1\n1 2 0\n", "found 'p wcnf 2 1', not one line 'p cnf"),
        ("p cnf 2 1\np cnf 2 1\n", "m.cnf:2: found 'p cnf 2 1', not one line"),
        ("p cnf 0 0\n", "has no variables"),
    ],
    "m.dlx": [
        ("a b\na c\n", "m.dlx:2: there is no item 'c'"),
        ("a b\na a\n", "m.dlx:2: the option has item 'a' twice"),
        ("3:2|a b\na b\n", "m.dlx:1: found '3:2.a', not m:n.item with m up to n"),
        ("a | b\na:x b\n", "m.dlx:2: found 'a:x', not an item; a secondary one may have :colour"),
        ("a | b\na b:\n", "m.dlx:2: found 'b:', not an item; a secondary one may have :colour"),
        ("a | b\na b:x b:y\n", "m.dlx:2: the option has item 'b' twice"),
        ("a a\na\n", "m.dlx:1: a second row is called 'a'"),
        ("x|a\na\n", r"m.dlx:1: found 'x\|a', not an item"),
        *(
            (f"a\na {word}\n", "m.dlx:2: found '.*', not an item, or a cost .n in whole numbers")
            for word in ("|", "|-1", "|1.5", "|$5", "|x")
        ),
        ("| nothing\n", "has no line of items"),
        ("a b\n", "has no variables"),
    ],
}


@pytest.mark.parametrize(
    ("name", "text", "fault"), [(name, *one) for name, some in FAULTS.items() for one in some]
)
def test_faults_are_said(name: str, text: str, fault: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=fault):
        read(tmp_path, name, text)


@pytest.mark.parametrize("name", ["tiny", pytest.param("feb29", marks=pytest.mark.long)])
@pytest.mark.parametrize("suffix", [".opb", ".cnf", ".dlx", ".opb.gz"])
def test_exported_instances_are_read_back(
    suffix: str, name: str, tmp_path: Path, covers: dict[str, ExactCover]
) -> None:
    cover = covers[name]
    path = tmp_path / f"m{suffix}"
    write_cover(path, cover, ("a comment",))
    model, mine = read_model(path), Model.from_cover(cover)
    rows = [mine.exact_row(number) for number in range(len(mine.rows))]
    assert [model.exact_row(number) for number in range(len(model.rows))] == rows
    if suffix != ".dlx":  # where options have no names
        assert model.columns == mine.columns
    if suffix != ".cnf":  # where rows have no names
        assert model.rows == mine.rows
    assert calmip.check(cover.instance, path).status == "accepted"


def test_equal_pieces_are_read_back(tmp_path: Path) -> None:
    (tmp_path / "two.yaml").write_text("grid: ['* * *', '* * *']\npieces: [I3, I3]\n")
    puzzle = calmip.read_puzzle(tmp_path / "two.yaml")
    instance = Instance(puzzle, ())
    mine = Model.from_cover(ExactCover(instance))
    for suffix in (".opb", ".dlx"):
        write_cover(tmp_path / f"m{suffix}", ExactCover(instance))
        model = read_model(tmp_path / f"m{suffix}")
        for number in range(len(mine.rows)):
            assert model.exact_row(number) == mine.exact_row(number)
    write_cover(tmp_path / "m.cnf", ExactCover(instance))
    model = read_model(tmp_path / "m.cnf")  # with columns that count
    assert model.columns[: len(mine.columns)] == mine.columns
    assert calmip.count(model).total == calmip.count(instance).total


@st.composite
def binary_models(draw: st.DrawFn, values: st.SearchStrategy[int]) -> Model:
    """Draw a small binary model with whole numbers."""
    columns = draw(st.integers(1, 5))
    rows = []
    for number in range(draw(st.integers(0, 4))):
        terms = draw(st.dictionaries(st.integers(0, columns - 1), values, min_size=1))
        low = draw(st.integers(-4, 4))
        high = draw(st.sampled_from([low, float("inf"), low + 1]))
        if draw(st.booleans()):
            low, high = -high, -low
        rows.append((f"r{number}", {c: float(v) for c, v in sorted(terms.items())}, low, high))
    cost = [float(draw(st.integers(-3, 3))) for _ in range(columns)]
    return Model.from_rows([f"c{number}" for number in range(columns)], rows, cost)


def solutions(model: Model) -> list[tuple[int, ...]]:
    """Return all solutions by brute force, as the columns that are one."""
    every = range(len(model.columns))
    sets = [some for n in range(len(every) + 1) for some in itertools.combinations(every, n)]
    return [ones for ones in sets if model.violated(ones) is None]


@pytest.mark.long
@settings(max_examples=80, deadline=None)
@given(model=binary_models(st.integers(-3, 3).filter(bool)))
def test_models_are_written_as_opb_and_read_back(
    model: Model, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("opb") / "m.opb"
    write_model(path, model)
    again = read_model(path)
    assert (again.columns, again.costs) == (model.columns, model.costs)
    assert solutions(again) == solutions(model)
    exact = [model.exact_row(number) for number in range(len(model.rows))]
    if all(low != float("-inf") and high in (low, float("inf")) for _, low, high in exact):
        assert [again.exact_row(number) for number in range(len(again.rows))] == exact
        assert again.rows == model.rows


@pytest.mark.long
@settings(max_examples=80, deadline=None)
@given(model=binary_models(st.sampled_from([-1, 1])))
def test_models_are_written_as_cnf_if_their_rows_are_clauses(
    model: Model, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("cnf") / "m.cnf"
    if model.costs:
        with pytest.raises(InputError, match="has an objective, which a CNF file cannot say"):
            write_model(path, model)
        model = model.changed(cost=array("d", [0.0] * len(model.columns)))
    try:
        write_model(path, model)
    except InputError as error:
        assert "is not a clause, at most one or exactly one" in str(error)
        return
    again = read_model(path)
    assert again.columns == model.columns
    assert solutions(again) == solutions(model)


LIKE_SOLVERS = [("x0", "x1", "x2"), ("x2", "x3", "x1"), ("b", "x1", "x02"), ("x9", "x3", "y")]
"""Names of columns that a solver also gives, to others."""


@pytest.mark.parametrize("suffix", [".opb", ".cnf"])
@pytest.mark.parametrize("columns", LIKE_SOLVERS)
def test_a_name_of_a_solver_is_that_of_one_column(
    columns: tuple[str, ...], suffix: str, tmp_path: Path
) -> None:
    """The answer of a solver, whose names are numbers, is that of the model."""
    rows = [("r", {0: 1.0, 1: 1.0}, 1, 9), ("s", {1: -1.0, 2: -1.0}, -1, 9), ("t", {2: 1.0}, 1, 9)]
    model = Model.from_rows(columns, rows)
    path, answer = tmp_path / f"m{suffix}", tmp_path / "m.sol"
    write_model(path, model)
    again = read_model(path)
    chosen = {columns[0], columns[2]}  # the one solution
    numbers = [f"x{n}" for n, name in enumerate(again.columns, start=1) if name in chosen]
    for names in (numbers, chosen):
        answer.write_text("".join(f"{name} 1\n" for name in names))
        assert calmip.check(again, answer).status is Status.ACCEPTED
    for name in set(columns).intersection(("x1", "x2", "x3")):
        assert again.columns[int(name[1:]) - 1] == name
    moved = [again.columns.index(name) for name in columns]
    assert solutions(again) == [tuple(sorted(moved[n] for n in (0, 2)))]


@pytest.mark.parametrize("suffix", [".opb", ".cnf"])
def test_a_name_with_two_meanings_is_refused(
    suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = {
        ".opb": "* x1 = x2\n* x2 = x1\n+1 x1 >= 1 ;\n-1 x2 >= 0 ;\n",
        ".cnf": "c 1 = x2\nc 2 = x1\np cnf 2 2\n1 0\n-2 0\n",
    }[suffix]
    path, answer, own = tmp_path / f"m{suffix}", tmp_path / "m.sol", tmp_path / "m.json"
    path.write_text(text)
    answer.write_text("x1 1\n")  # as a solver says it: column x2
    assert main(["check", str(path), str(answer)]) == 2
    told = capsys.readouterr().err
    assert "m.sol: 'x1' has two meanings: the column of this name, and variable x1" in told
    # calmip's own answers have the columns' names.
    assert main(["solve", str(path), "-o", str(own), "-q"]) == 0
    assert main(["check", str(path), str(own), "-q"]) == 0
    answer.write_text("x1 1\nx2 0\ny 1\n")
    assert main(["check", str(path), str(answer), "-q"]) == 2


def test_what_the_formats_cannot_say_is_refused(tmp_path: Path) -> None:
    half = Model.from_rows(["a", "b"], [("r", {0: 0.5, 1: 1.0}, 1, 1)])
    with pytest.raises(InputError, match="row 'r' has the number 1/2, and an OPB file has whole"):
        write_model(tmp_path / "m.opb", half)
    with pytest.raises(InputError, match="row 'r' has the number 1/2, and a CNF file has whole"):
        write_model(tmp_path / "m.cnf", half)
    constant = Model.from_rows(["a"], [], [1.0], offset=2.0)
    with pytest.raises(InputError, match="the constant 2, which an OPB file cannot say"):
        write_model(tmp_path / "m.opb", constant)
    whole = Model.from_rows(["a"], [], column_upper=array("d", [5]))
    for suffix in (".opb", ".cnf"):
        with pytest.raises(InputError, match="file needs binary variables, and variable 'a' is"):
            write_model(tmp_path / f"m{suffix}", whole)
    row = [("r", {0: 1.0, 1: 1.0}, 1, 1)]
    for model, fault in (
        (half, "row 'r' is no sum of variables, so a DLX file cannot say it; write .opb"),
        (Model.from_rows(["a", "b"], [("r", {0: 1.0, 1: -1.0}, 0, 1)]), "'r' is no sum"),
        (Model.from_rows(["a", "b"], row, [1.0, -2.0]), "negative coefficients"),
        (Model.from_rows(["a", "b"], row, [1.0, 2.5]), "objective has the number 5/2"),
        (Model.from_rows(["a", "b"], row, offset=2.0), "the constant 2, which a DLX file"),
        (Model.from_rows(["a", "b", "c"], row), "variable 'c' is in no row"),
        (whole, "file needs binary variables, and variable 'a' is"),
    ):
        with pytest.raises(InputError, match=fault):
            write_model(tmp_path / "m.dlx", model)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", [".opb", ".cnf", ".dlx"])
def test_commands_take_these_files(
    suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / f"m{suffix}")
    assert main(["export", "instances/tiny.yaml", "-o", path, "-q"]) == 0
    assert main(["solve", path]) == 0
    assert main(["count", path]) == 0
    assert main(["export", path, "-o", str(tmp_path / "again.mps"), "-q"]) == 0
    assert main(["check", "instances/tiny.yaml", str(tmp_path / "again.mps"), "-q"]) == 0
    capsys.readouterr()


def test_an_objective_may_stand_on_one_long_line(tmp_path: Path) -> None:
    terms = " ".join(f"+{number} x{number}" for number in range(1, 20_001))
    model = read(tmp_path, "m.opb", f"min: {terms} ;\n+1 x1 +1 x20000 >= 1 ;\n")
    assert (len(model.columns), model.costs[19_999]) == (20_000, 20_000)


@pytest.mark.trade("bench")
@pytest.mark.long
def test_a_campaign_converts_them_for_its_solvers(tmp_path: Path) -> None:
    (tmp_path / "m.opb").write_text("min: +1 x1 +2 x2 ;\n+1 x1 +1 x2 +1 x3 >= 2 ;\n")
    (tmp_path / "m.cnf").write_text("p cnf 2 2\n1 2 0\n-1 0\n")
    text = "instances:\n- {files: 'm.*'}\nsolvers: [highs]\nreference_every: 0\n"
    (tmp_path / "c.yaml").write_text(text)
    found = calmip.bench.run(tmp_path / "c.yaml", tmp_path / "r.db")
    assert [run["status"] for run in found.runs] == ["solved", "solved"]
    assert sorted(run["objective"] for run in found.runs) == [0, 1]


def test_the_least_cost_comes_first(tmp_path: Path) -> None:
    """With colours, multiplicities and costs: against all choices of options."""
    several = 0
    for seed in range(60):
        draw = random.Random(seed)
        text, options = random_colours(draw)
        if not options:
            continue
        primary = text.partition("|")[0].split()
        costs = [draw.randint(0, 4) for _ in options]
        lines = text.splitlines()
        for number, cost in enumerate(costs, start=1):
            parts = (draw.randint(0, cost), 0)
            lines[number] += f" |{parts[0]} |{cost - parts[0]}"
        model = read(tmp_path, "m.dlx", "\n".join(lines))
        expected = sorted(
            sum(costs[n] for n in chosen)
            for size in range(len(options) + 1)
            for chosen in itertools.combinations(range(len(options)), size)
            if is_coloured_cover(primary, [options[n] for n in chosen])
        )
        pool = calmip.enumerate(model, best=3)
        found = [
            sum(costs[int(name[1:]) - 1] for name, value in values.items() if value)
            for values in pool.values
        ]
        assert (found, pool.complete) == (expected[:3], True), lines
        assert calmip.count(model).total == len(expected)
        several += len(set(expected)) > 1
    assert several > 10


def random_items(draw: random.Random) -> Model:
    """Return a model whose rows are sums, some of them scaled, with names long or short."""
    columns = draw.randint(1, 6)
    rows = []
    for number in range(draw.randint(1, 5)):
        members = [c for c in range(columns) if draw.random() < 0.6]
        scale = draw.choice([1, 1, 2, -1])
        low = draw.choice([1, 1, 0, 0, 2, -math.inf])
        high = draw.choice([1, 1, max(low, 2), math.inf])
        low, high = sorted((min(low, high) * scale, high * scale))
        name = draw.choice(["a", "a long name", "x|y", "with:colon"]) + str(number)
        rows.append((name, dict.fromkeys(members, float(scale)), low, high))
    rows.append(("last", dict.fromkeys(range(columns), 1.0), 0, draw.choice([1, columns])))
    costs = [float(draw.randint(0, 3)) for _ in range(columns)]
    return Model.from_rows([f"o{n + 1}" for n in range(columns)], rows, costs)


def test_models_are_written_as_dlx_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "m.dlx"
    numbers = set()
    for seed in range(300):
        model = random_items(random.Random(seed)).changed(comments=("i1 = a", "| odd"))
        write_model(path, model)
        again = read_model(path)
        assert (again.columns, again.costs) == (model.columns, model.costs), seed
        assert list(again.rows) == ["_".join(name.split()) for name in model.rows], seed
        assert solutions(again) == solutions(model), seed
        numbers.add(len(solutions(model)))
        # An option of Knuth's programs has a primary item.
        head, *lines = [one for one in path.read_text().splitlines() if one[0] != "|"]
        known = {one.rpartition("|")[2] for one in head.partition(" | ")[0].split()}
        assert all(known.intersection(one.split()) for one in lines), seed
    assert len(numbers) > 10


def test_a_file_of_knuth_comes_back_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "again.dlx"
    for seed in range(100):
        draw = random.Random(seed)
        text, options = random_colours(draw)
        if not options or not all({"a", "b", "c"}.intersection(one) for one in options):
            continue
        text = text.replace("a ", draw.choice(["a ", "2|a ", "0:2|a "]), 1)
        text = text.replace("\n", draw.choice(["\n", " |2\n"])).replace(" |2", "", 1)
        model = read(tmp_path, "m.dlx", text)
        write_model(path, model)
        again = read_model(path)
        assert shown(again) == shown(model)
        first = path.read_bytes()
        write_model(path, again)
        assert path.read_bytes() == first
    plain = "a b | c d\na c\nb d |3\na b\n"
    write_model(path, read(tmp_path, "m.dlx", plain))
    assert path.read_text() == plain
