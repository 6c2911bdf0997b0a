"""Model files read by the compiled loops: the same models and errors as plain Python gives."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import calmip
from calmip.mip import kernel
from calmip.mip.files import compiled, entries, mps, text_source
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
    found = read_or_error(read, text)
    if isinstance(found, Model) and isinstance(expected, Model):
        assert vars(found) == vars(expected), text
        assert found.values("value") == expected.values("value")
    else:
        assert found == expected, text
    return type(found)


@pytest.mark.parametrize(
    "room", [pytest.param(2, marks=pytest.mark.long), 5, pytest.param(1000, marks=pytest.mark.long)]
)
def test_mps_files_are_read_as_by_plain_python(room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = {Model: 0, str: 0}
    whole: list[str] = []
    read = CompiledSections.read_section

    def counted(reader: CompiledSections, section: str) -> bool:
        done = read(reader, section)
        if done:
            whole.append(section)
        return done

    monkeypatch.setattr(CompiledSections, "read_section", counted)
    for seed in range(200):
        text = "\n".join(mps_lines(random.Random(1000 * room + seed)))
        kinds[compare(mps.read_mps, text, monkeypatch, room)] += 1
    assert min(kinds.values()) > 30, kinds
    assert all(whole.count(section) > 30 for section in ("ROWS", "COLUMNS", "RHS", "BOUNDS"))


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
