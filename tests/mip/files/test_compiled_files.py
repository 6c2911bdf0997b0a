"""Model files read by the compiled loops: the same models and errors as plain Python gives."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import calmip
from calmip.mip import kernel
from calmip.mip.files import compiled, entries, lp, mps, text_source
from calmip.mip.files.lp import compiled as lp_compiled
from calmip.mip.files.lp.compiled import CompiledStatements
from calmip.mip.files.mps.compiled import CompiledSections
from calmip.mip.files.text_source import Lines, TextFile
from calmip.mip.model import Model

pytestmark = pytest.mark.skipif(kernel.library() is None, reason="there is no library")

NUMBERS = (
    "1",
    "-1",
    "+2",
    "0",
    "-0",
    "0.5",
    "1e3",
    ".25",
    "7.",
    "-1.0e-05",
    "1E+2",
    "0e9",
    "00.10",
)
ODD_NUMBERS = (
    "0.30000000000000004",
    "0.300000000000000045",
    "123456789012345",
    "1234567890123456",
    "9007199254740993",
    "1e22",
    "1e23",
    "123456789e-22",
    "1e-320",
    "0.0000000000000000",
    "1d2",
    "0d0",
    "1/3",
    "0/3",
)
WRONG = (
    "1e400",
    "-1e400",
    "1e-400",
    "nan",
    "inf",
    "-Infinity",
    "1e30",
    "1e20",
    "1_0",
    "x",
    "1/0",
    "--1",
    ".",
    "1e",
    "9" * 401,
)
NAMES = (
    "x",
    "y",
    "RHS",
    "BND",
    "1",
    "2.5",
    "inf",
    "é",
    "日本",
    "x$",
    "a=b",
    "R1",
    "MARKER_",
    "'M'",
)


def numbers(draw: random.Random, wrong: float) -> str:
    kind = draw.random()
    if kind < wrong:
        return draw.choice(WRONG)
    if kind < 0.25:
        return draw.choice(ODD_NUMBERS)
    if kind < 0.5:
        return repr(draw.uniform(-9, 9))
    return draw.choice((draw.choice(NUMBERS), f"{draw.uniform(-9, 9):.4f}"))


def mps_faults(columns: list[str], rows: list[str], draw: random.Random) -> Iterator[str]:
    """Yield lines of which most are wrong, or at least unusual, somewhere."""
    column, row = draw.choice(columns), draw.choice(rows)
    yield from (
        f" {column} {row} 1",
        f" {column} none 1",
        f" {column} free 1",
        f" {column} free x",
        f"{column} {row} 1",
        f" {column} {row}",
        f" {column} {row} 1 {row} 2",
        f" {column} {row} 1 $ a comment",
        f" {column} {row} 1 2",
        f" new {row} 1 cost 2",
        f" r {row} 2",
        f" r2 {row} 2",
        f" {row} 2",
        f" UP b {column} -1",
        f" UP {column} 3",
        " UP b new 3",
        f" up b2 {column} 3",
        f" BV b {column} 7",
        f" FR {column}",
        f" MI b {column}",
        f" PL b {column}",
        f" FX b {column} 0",
        f" SC b {column} 5",
        f" LI b {column} 2",
        f" ZZ b {column} 2",
        f" UP b {column} Infinity",
        f" L {row}",
        " N other",
        " E 'marker'",
        " M 'MARKER' 'INTORG'",
        " M 'MARKER' 'INTEND'",
        " M MARKER intorg",
        "* a comment",
        "",
        " \t ",
        "\x0b",
        f" {column} {row}\x0c1",
        f" {column}\u00a0{row} 1",
        f" {column}\u2003{row}\u2003\u20031",
        "ROWS",
        "COLUMNS",
        "RHS",
        "RANGES",
        "BOUNDS",
        "ENDATA",
        "OBJSENSE MAX",
        "QUADOBJ",
        "NONSENSE",
    )


def mps_lines(draw: random.Random) -> Iterator[str]:
    """Yield the lines of a random MPS file with a fault in every second."""
    wrong = draw.choice((0, 0, 0.02))
    faults = draw.choice((0, 0, 0.01, 0.04))
    names = [f"{draw.choice(NAMES)}{n}" for n in range(draw.randint(1, 6))]
    columns = [f"{draw.choice(NAMES)}{n}" for n in range(draw.randint(1, 8))]

    def faulty(line: str) -> Iterator[str]:
        yield line
        if draw.random() < faults:
            yield draw.choice(list(mps_faults(columns, names, draw)))

    def section() -> Iterator[str]:
        yield draw.choice(("NAME m", "NAME", "* first"))
        yield from draw.choice(
            ((), (), ("OBJSENSE", "  MAX"), ("OBJSENSE MIN",), ("OBJNAME", " cost"))
        )
        yield "ROWS"
        rows = [*(f" {draw.choice('LGElge')}  {row}" for row in names), " N free", " N  cost"]
        if draw.random() < 0.5:
            rows[-2:] = [" N cost", " N free"]
        yield from rows
        yield "COLUMNS"
        marked = False
        for column in columns:
            if draw.random() < 0.2:
                marked = not marked
                yield f" M 'MARKER' {chr(39)}{'INTORG' if marked else 'INTEND'}{chr(39)}"
            entries_of = [
                f"{row} {numbers(draw, wrong)}"
                for row in draw.sample([*names, "cost"], draw.randint(1, len(names) + 1))
            ]
            while entries_of:
                some = [
                    entries_of.pop() for _ in range(min(len(entries_of), draw.choice((1, 1, 2))))
                ]
                yield f"    {column}  {' '.join(some)}"
        if marked:
            yield " M 'MARKER' 'INTEND'"
        set_name = draw.choice(("r", "RHS", ""))
        yield "RHS"
        for row in draw.sample([*names, "cost"], draw.randint(0, len(names))):
            yield f" {set_name} {row} {numbers(draw, wrong)}"
        if draw.random() < 0.4:
            yield "RANGES"
            for row in draw.sample(names, draw.randint(0, len(names))):
                yield f" {set_name}\t{row} {numbers(draw, wrong)}"
        yield "BOUNDS"
        bounds = draw.choice(("b", ""))
        for column in columns:
            kind = draw.choice(
                ("UP", "UP", "UP", "LO", "FX", "UI", "LI", "FR", "MI", "BV", "PL", "SC")
            )
            number = numbers(draw, wrong).lstrip("-")
            if kind in ("FR", "MI", "PL"):
                yield f" UP {bounds} {column} 5"
            yield f" {kind} {bounds} {column} {'' if kind in ('FR', 'MI', 'BV', 'PL') else number}"
        if draw.random() < 0.9:
            yield "ENDATA"

    for line in section():
        yield from faulty(line)


Read = Callable[[TextFile], Model]


def read_or_error(read: Read, text: str) -> Model | str:
    try:
        return read(TextFile("m", Lines(text), draw_default(text)))
    except calmip.InputError as error:
        return str(error)


def draw_default(text: str) -> float | None:
    """Return the default of integer columns, another one for each text."""
    return (None, 1, float("inf"))[len(text) % 3]


def compare(read: Read, text: str, patch: pytest.MonkeyPatch, room: int = 4) -> type:
    """Compare what the compiled loops read with plain Python; return the kind of both."""
    patch.setattr(text_source, "LONG", 1 << 60)
    patch.setattr(entries, "LEAST", 1 << 60)
    expected = read_or_error(read, text)
    patch.setattr(text_source, "LONG", 0)
    patch.setattr(entries, "LEAST", 0)
    patch.setattr(compiled, "ROOM", room)
    patch.setattr(lp_compiled, "NAMES", room)
    found = read_or_error(read, text)
    if isinstance(found, Model) and isinstance(expected, Model):
        assert vars(found) == vars(expected), text
        assert found.values("value") == expected.values("value")
    else:
        assert found == expected, text
    return type(found)


def compare_many(
    read: Read,
    lines: Callable[[random.Random], Iterator[str]],
    loop: tuple[type, str],
    patch: pytest.MonkeyPatch,
    room: int,
) -> list[str]:
    """Compare random files, right and wrong ones; return the parts that the loop read whole."""
    whole: list[str] = []
    usual = getattr(*loop)

    def counted(reader: object, part: str) -> bool:
        done: bool = usual(reader, part)
        if done:
            whole.append(part)
        return done

    patch.setattr(*loop, counted)
    kinds = {Model: 0, str: 0}
    for seed in range(200):
        text = "\n".join(lines(random.Random(1000 * room + seed)))
        kinds[compare(read, text, patch, room)] += 1
    assert min(kinds.values()) > 30, kinds
    return whole


@pytest.mark.parametrize(
    "room", [pytest.param(2, marks=pytest.mark.long), 5, pytest.param(1000, marks=pytest.mark.long)]
)
def test_mps_files_are_read_as_by_plain_python(room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    loop = CompiledSections, "read_section"
    whole = compare_many(mps.read_mps, mps_lines, loop, monkeypatch, room)
    assert all(whole.count(section) > 30 for section in ("ROWS", "COLUMNS", "RHS", "BOUNDS"))


LP_NAMES = tuple("x y é 日本 x(1) a[2] st_ end2 inf_ free1 !q R1 e5 _".split())
LP_NUMBERS = tuple("1 2 0 0.5 1e3 .25 7. 1.0e-05 1E+2 0e9 00.10".split())
LP_ODD = tuple(
    "0.30000000000000004 0.300000000000000045 123456789012345 1234567890123456 9007199254740993 "
    "1e22 1e23 123456789e-22 1e-320 0.0000000000000000 1/3 0/3 1e30".split()
)
LP_WRONG = tuple("1e400 1e-400 nan inf 1_0 1/0 -- . 1e 2x 1.2.3".split())


def lp_faults(columns: list[str], draw: random.Random) -> Iterator[str]:
    """Yield lines of which most are wrong, or at least unusual, somewhere."""
    x, y = draw.choice(columns), draw.choice(columns)
    yield from (
        f"+ {x}",
        f"{x}",
        f": {x} + {y} >= 1",
        f" : {x}",
        f" {x} + {y} >= 1",
        f" c0: {x} >= 1",
        f" {x} >= 1 {y} >= 2",
        f" k1: {x} >= 1 k2: {y} >= 2",
        f" 1 <= {x} + {y} <= 3",
        f" 3 >= {x}",
        " r: <= 4",
        "<= 4",
        "-> 4",
        " = 4",
        f" i: {x} = 1 -> {y} <= 3",
        f" {x} = 1",
        f" -> {y} <= 3",
        f" {x} + {x} - 2 {x} <= 1",
        f" {x} + 3 <= 1",
        f" 3 {x} + 2 * {y} <= 1",
        f" [ {x} ^ 2 ] <= 1",
        f" {x}^2 <= 1",
        f" - - {x} <= - 3",
        f" {x} <= -inf",
        f" {x} >= -Infinity",
        f" {x} >= 1e30",
        f" -inf <= {x} <= +inf",
        f" inf >= {x}",
        f" {x} =< 3",
        f" {x} => -3 \\ a comment",
        f" {x} == 3",
        f" {x} free",
        f" {x} FREE {y} free",
        f" {x}\n free",
        f" {x}\n <= 5",
        f" {x} <=\n 5",
        f" 2 <= {x}\n <= 5",
        f" 1==b : {x} <= 3",
        f" a :: {x} <= 3",
        f" end + {x} >= 1",
        " st >= 1",
        " bin",
        f" {x} end",
        f" {x} bin",
        "min",
        "bounds",
        "bin",
        "int",
        "semi",
        "sos",
        "general constraints",
        "st",
        "end",
        "\\ a comment",
        "",
        " \t ",
        "\x0b",
        f" {x}\x0c+ {y} >= 2",
        "\x0b<= 5",
        f" {x}\u00a0+ {y} >= 1",
        "\ufb06",
        "\u017ft",
        "f\u0131n",
    )


def lp_lines(draw: random.Random) -> Iterator[str]:
    """Yield the lines of a random LP file with a fault in every second."""
    wrong = draw.choice((0, 0, 0.01))
    faults = draw.choice((0, 0, 0.01, 0.04))
    columns = [f"{draw.choice(LP_NAMES)}{n}" for n in range(draw.randint(1, 12))]

    def some() -> str:
        kind = draw.random()
        if kind < wrong:
            return draw.choice(LP_WRONG)
        if kind < 0.1:
            return draw.choice(LP_ODD)
        return draw.choice((draw.choice(LP_NUMBERS), repr(draw.uniform(0, 9))))

    def total() -> Iterator[str]:
        line = draw.choice(("", " "))
        for n, column in enumerate(draw.sample(columns, draw.randint(1, len(columns)))):
            sign = draw.choice("+-") if n or draw.random() < 0.3 else ""
            space = draw.choice((" ", ""))
            line += f"{sign}{space}{some() if draw.random() < 0.7 else ''} {column}{space}"
            if draw.random() < 0.1:
                yield line
                line = "   "
        yield line

    def section() -> Iterator[str]:
        yield draw.choice(("Minimize", "max", "Minimise \\ costs", "Maximize"))
        if draw.random() < 0.9:
            yield draw.choice((" obj:", "obj :", ""))
            yield from total()
            if draw.random() < 0.3:
                yield f" {draw.choice('+-')} {some()}"
        yield draw.choice(("Subject To", "st", "s.t.", "such that"))
        for n in range(draw.randint(1, 5)):
            *before, last = total()
            name = draw.choice((f"c{n}: ", f"c{n} :", "", f"{n}:"))
            lines = [*before, f"{last} {draw.choice('<= >= = =< => < >'.split())} "]
            lines[0] = name + lines[0]
            lines[-1] += draw.choice(("", "-", "- ", "+")) + some()
            yield from lines
        if draw.random() < 0.8:
            yield "Bounds"
            for column in draw.sample(columns, draw.randint(0, len(columns))):
                yield draw.choice(
                    (
                        f" {column} <= {some()}",
                        f" {some()} <= {column} <= {some()}",
                        f" -inf <= {column} <= {some()}",
                        f" -{some()} <= {column}",
                        f" {column} = {some()}",
                        f" {column} >= -{some()}",
                        f" {column} free",
                        f" {column} <= +Inf",
                    )
                )
        for head in draw.sample(("Generals", "Binaries", "int", "Semi-continuous"), 2):
            yield head
            names = draw.sample(columns, draw.randint(0, len(columns)))
            yield from (f" {' '.join(names[n : n + 3])}" for n in range(0, len(names), 3))
        if draw.random() < 0.9:
            yield "End"

    for line in section():
        yield line
        if draw.random() < faults:
            yield draw.choice(list(lp_faults(columns, draw)))


@pytest.mark.parametrize(
    "room", [pytest.param(3, marks=pytest.mark.long), 5, pytest.param(1000, marks=pytest.mark.long)]
)
def test_lp_files_are_read_as_by_plain_python(room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    loop = CompiledStatements, "read"
    whole = compare_many(lp.read_lp, lp_lines, loop, monkeypatch, room)
    assert all(whole.count(kind) > 30 for kind in ("minimise", "rows", "bounds", "integers")), whole


USUAL_LP = """Minimize
 obj: 3 x - 2.5 y
Subject To
 c: x + y <= 4
 d: 2 x - y >= -1.5
Bounds
 0 <= x <= 3
Generals
 x
End
"""


@given(st.integers(0, len(USUAL_LP)), st.integers(0, 12), st.text(max_size=6))
def test_a_changed_lp_file_is_read_as_by_plain_python(at: int, size: int, text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        compare(lp.read_lp, USUAL_LP[:at] + text + USUAL_LP[at + size :], patch)


@given(st.data())
def test_an_lp_file_of_mixed_lines_is_read_as_by_plain_python(data: st.DataObject) -> None:
    lines = [*USUAL_LP.splitlines(), *lp_faults(["x", "y"], random.Random(1))]
    chosen = data.draw(st.lists(st.sampled_from(lines), max_size=8))
    with pytest.MonkeyPatch.context() as patch:
        compare(lp.read_lp, "Minimize\n x\nSubject To\n" + "\n".join(chosen) + "\nEnd", patch)


def test_the_loop_reads_a_large_lp_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = random.Random(1)
    terms = [f" + {column} x{column}" for column in range(3000)]
    lines = ["Minimize", " obj:", *terms, "Subject To"]
    for row in range(999):
        lines.append(f" r{row}: " + " - ".join(f"1.5 x{n}" for n in draw.sample(range(3000), 4)))
        lines[-1] += f" <= {row}"
    lines += ["Bounds", *(f" 0 <= x{n} <= {n % 7}" for n in range(3000)), "Generals"]
    lines += [f" x{n}" for n in range(1500)] + ["End"]
    path = tmp_path / "m.lp"
    path.write_text("\n".join(lines))
    tokens = lp._tokens

    def no_statement(source: TextFile, text: str, line: int) -> list[lp.Token]:
        assert not text, "a statement is left to plain Python"
        return tokens(source, text, line)

    monkeypatch.setattr(lp, "_tokens", no_statement)
    found = calmip.read_model(path)
    assert (len(found.columns), len(found.rows), len(found.values("value"))) == (3000, 999, 3996)
    assert sum(found.values("integer")) == 1500


USUAL = """NAME m
ROWS
 N cost
 L r
COLUMNS
 x cost 1 r 2.5
RHS
 RHS r 4
BOUNDS
 UP BND x 3
ENDATA
"""


@given(st.integers(0, len(USUAL)), st.integers(0, 12), st.text(max_size=6))
def test_a_changed_mps_file_is_read_as_by_plain_python(at: int, size: int, text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        compare(mps.read_mps, USUAL[:at] + text + USUAL[at + size :], patch)


PAIRS = """NAME m
ROWS
 N cost
 L r
 G s
 N free
COLUMNS
 MARKER 'MARKER' 'INTORG'
 x cost 1 r 2.5
 x s 3
 MARKER 'MARKER' 'INTEND'
 y r 1 s 1
 z free 2
 z s 0.5 cost 2
RHS
 RHS r 4 s 1
 RHS cost 2
RANGES
 RNG r 2
 RNG s 3
BOUNDS
 UP BND x 3
 LO BND y 1
 FR BND z
ENDATA
"""

ROWS_OF_LP = """Minimize
 obj: 3 x - 2.5 y
Subject To
 c: x + y <= 4
 d: 2 x - y
  + z >= -1.5
Bounds
 0 <= x <= 3
 y <= 5
 z free
Generals
 x
Binaries
 b
End
"""


@pytest.mark.parametrize(("read", "text"), [(mps.read_mps, PAIRS), (lp.read_lp, ROWS_OF_LP)])
def test_a_line_that_stands_twice_is_read_as_by_plain_python(
    read: Read, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = text.splitlines()
    kinds = {Model: 0, str: 0}
    for line in lines:
        for at in range(len(lines) + 1):
            again = [*lines[:at], line, *lines[at:]]
            kinds[compare(read, "\n".join(again), monkeypatch)] += 1
    assert min(kinds.values()) > 20, kinds


@pytest.mark.parametrize("pair", ["r 1", "s 1", "cost 1", "free 1"])
def test_a_row_that_stands_twice_in_a_line_is_read_as_by_plain_python(
    pair: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for line in (" y r 1 s 1", " RHS r 4 s 1", " RNG r 2"):
        for first in ("r 2", "s 2", "cost 2"):
            twice = f"{' '.join(line.split(' ')[:2])} {first} {pair}"
            compare(mps.read_mps, PAIRS.replace(line, twice), monkeypatch)


def test_the_loop_reads_a_large_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = random.Random(1)
    lines = ["NAME", "ROWS", " N cost", *(f" L r{n}" for n in range(99)), "COLUMNS"]
    for column in range(2000):
        rows = sorted(draw.sample(range(99), 4))
        lines += [f" x{column} cost {column}", *(f" x{column} r{row} 1.5" for row in rows)]
    lines += ["RHS", *(f" RHS r{n} 9" for n in range(99)), "BOUNDS"]
    lines += [*(f" UP BND x{n} {n % 7}" for n in range(2000)), "ENDATA"]
    path = tmp_path / "m.mps"
    for end in ("\n", "\r\n"):
        path.write_text(end.join(lines), newline="")
        monkeypatch.setattr(mps.MpsReader, "read_column", None)
        monkeypatch.setattr(mps.MpsReader, "take_entries", None)
        monkeypatch.setattr(mps.MpsReader, "read_bound", None)
        found = calmip.read_model(path)
        assert (len(found.columns), len(found.rows), len(found.values("value"))) == (2000, 99, 8000)


def test_coefficients_of_one_place_are_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = random.Random(2)
    for doubles in (False, True):
        some = entries.Entries()
        places = [(row, column) for row in range(20) for column in range(30)]
        places += draw.sample(places, 9) if doubles else []
        draw.shuffle(places)
        for row, column in places:
            some.add(row, column, draw.choice((1, -1, 2**60 + 1)))
        found = []
        for least in (0, 1 << 60):
            monkeypatch.setattr(entries, "LEAST", least)
            found.append(some.by_row(21))
        assert found[0] == found[1]
        assert found[0].exact
