"""Puzzle and instance files: what is accepted, and what each wrong one is told."""

import datetime
import os
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from calmip import InputError, bundled_puzzles, read_instance, read_puzzle
from calmip.documents.reader import parse_reveal
from calmip.documents.yaml import Table, Text, read_document

DAY = "puzzle: a-puzzle-a-day\n"
TWO = 'grid: ["1 2", "3 4"]\nuncover: [day]\n'

BAD = [
    ("", None, "is empty"),
    ("grid: [\n", 2, "not valid YAML"),
    (DAY + "reveal: {month: Feb,\n month: Jan}", 3, "given twice, first in line 2"),
    ("puzzle: !!python/object:os.system x", 1, "tags"),
    ("puzzle: !mine x", 1, "tags"),
    ("a: &x [1]\nb: *x", 1, "anchors"),
    ("b: *x", 1, "alias"),
    ("[" * 3000, 1, "nested more than 20"),
    ("<<: {puzzle: x}\npuzzle: y", 1, "unknown key '<<'"),
    ("? [a]\n: b", 1, "a key must be a text"),
    ("a: 1\n---\nb: 2", 2, "second document"),
    ('"\\UFFFFFFFF"', None, "not valid YAML"),
    ("\0", None, "not valid YAML"),
    ("just a text", None, "an instance is a mapping"),
    ("note: x", None, "neither an instance"),
    (DAY + "reveal: {month: Feb, day: 29}\ncolour: red", 3, "unknown key 'colour'"),
    (DAY + "reveal: {month: Foo, day: 29}", 2, "'Foo' is not a month"),
    (DAY + "reveal: {month: Feb, day: 010}", 2, "'010' is not a day"),
    (DAY + "reveal: {month: no, day: 29}", 2, "'no' is not a month"),
    (DAY + "reveal: {month: Feb, day: 2026-02-30}", 2, "'2026-02-30' is not a day"),
    (DAY + "reveal: {month: Feb, day: " + "9" * 5000 + "}", 2, "is not a day"),
    (DAY + "reveal: {month: Feb, hour: 12:30}", 2, "no group 'hour'"),
    (DAY + "reveal: {month: Feb}", 2, "no day is revealed"),
    (DAY + "reveal: [Feb, Feb]", 2, "revealed twice"),
    (DAY + "reveal: [Feb]", 2, "cover 41 cells, but 42 cells"),
    (DAY + "reveal: [Feb, 32]", 2, "'32' is not a label"),
    (DAY + "reveal: Feb", 2, "reveal is a mapping"),
    (DAY + "flip: yes\nreveal: [Feb, 29]", 2, "flip is true or false, not 'yes'"),
    ("puzzle: nosuch\nreveal: [1]", 1, "no such file or bundled puzzle"),
    ("puzzle: [x]", 1, "give a bundled puzzle's name"),
    ('grid: ["1 2", "3"]\npieces: [I2]', 1, "grid row 2 has 1 places and the first row has 2"),
    ("grid: []\npieces: [I2]", 1, "no cell on the board"),
    ('grid: [". ."]\npieces: [I2]', 1, "no cell on the board"),
    ('grid: ["1 2", "2 1"]\npieces: [I2]', 1, "do not touch"),
    ("grid:\n" + '- "' + "* " * 200 + '"\n' + ('- "' + "* " * 200 + '"\n') * 60 + "pieces: [I2]", 1,
     "at most 10000"),
    ('grid: ["\\e[31m 2"]\npieces: [I2]', 1, "printable"),
    ('grid: ["1 \\u202e2"]\npieces: [I2]', 1, "printable"),
    (TWO, None, "needs the key 'pieces'"),
    (TWO + "pieces: []", 3, "at least one piece"),
    (TWO + "pieces:\n - I2\n - QQ", 5, "shape 'QQ' is unknown; the shapes are F, I, L"),
    (TWO + 'pieces:\n a: ["#.", ".#"]', 4, "not connected"),
    (TWO + 'pieces:\n a: [".."]', 4, "is empty"),
    (TWO + 'pieces:\n a: ["#x"]', 4, "found 'x'"),
    (TWO + "pieces:\n - I2\n - I", 5, "fits nowhere on the board"),
    (TWO + 'pieces: [I2, I1]\ngroups: {day: ["1", "9"]}', 4, "names 9, which is not on the board"),
    (TWO.replace("day", "month") + "pieces: [I2]", 2, "no label on the board is a month"),
    (TWO + "pieces: [I2]\nlattice: cubic", 4, "lattice 'cubic' is unknown"),
    (TWO + "pieces: [I2, L]\nlattice: hexagonal", 3, "'L' is unknown; the shapes are I1, I2, I3"),
    ('grid: ["* 1", "1 *"]\npieces: [I2]\nlattice: hexagonal', 1, "do not touch"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "message"), BAD, ids=[m for _, _, m in BAD])
def test_a_wrong_file_is_told_its_line_and_fault(
    tmp_path: Path, text: str, line: int | None, message: str
) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_instance(path)
    said = str(caught.value)
    assert message in said
    assert said.startswith(f"{path}:{line}: " if line else str(path))
    assert len(said) < 1500


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\xff\xfea\x00", "not UTF-8"),
        (b"a: \xe4", "not UTF-8"),
        (b"# " + b"x" * 1_100_000, "larger than"),
        (b"- x\n" * 150_000, "more than 100,000 entries"),
    ],
)
def test_bytes_that_are_no_puzzle(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "bad.yaml"
    path.write_bytes(data)
    with pytest.raises(InputError, match=message):
        read_instance(path)


def test_what_is_no_file_is_refused_at_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path, message in ((pipe, "not a regular file"), (tmp_path, "is a folder")):
        with pytest.raises(InputError, match=message):
            read_instance(path)
    with pytest.raises(InputError, match="did you mean a-puzzle-a-day"):
        read_instance("a-puzle-a-day")
    for name in ("\0", "x" * 5000):
        with pytest.raises(InputError, match="no such file"):
            read_instance(name)


SEED = b"puzzle:\n  grid: ['1 2', '3 4']\n  uncover: [day]\n  pieces: [I2, I1]\nreveal: {day: 4}\n"


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, len(SEED)), st.integers(0, 4), st.binary(max_size=3))),
)
@example([(0, 0, b"\x00")])
def test_mutated_files_raise_nothing_but_input_errors(
    tmp_path_factory: pytest.TempPathFactory, edits: list[tuple[int, int, bytes]]
) -> None:
    data = SEED
    for place, cut, new in edits:
        data = data[:place] + new + data[place + cut :]
    path = tmp_path_factory.getbasetemp() / "mutated.yaml"
    path.write_bytes(data)
    try:
        instance = read_instance(path)
    except InputError as error:
        assert str(error)
    else:
        assert instance.puzzle.area <= len(instance.puzzle.board.cells)


def test_scalars_stay_the_text_that_was_written(tmp_path: Path) -> None:
    path = tmp_path / "texts.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: [no, 010, 12:30, 2026-02-30, ~, 1e3, 0x1F]\r\nb: ''\r\n")
    document = read_document(path)
    assert isinstance(document, Table)
    assert document[Text("a", 0)] == ["no", "010", "12:30", "2026-02-30", "~", "1e3", "0x1F"]
    assert document[Text("b", 0)] == ""


@pytest.mark.parametrize("name", bundled_puzzles())
def test_every_bundled_puzzle_reads_and_has_its_sources(name: str) -> None:
    puzzle = read_puzzle(name)
    assert puzzle.id == name
    assert puzzle.sources
    choice = {group: labels[0] for group, labels in puzzle.groups.items()}
    assert read_instance(name, reveal=choice).to_cover
    assert len(puzzle.groups["month"]) == 12
    assert len(puzzle.groups["day"]) == 31


def test_a_puzzle_by_path_inline_and_on_its_own(tmp_path: Path) -> None:
    text = 'grid: ["1 2", "3 4"]\nuncover: [day]\npieces: {a: ["##"], b: ["#"]}\n'
    (tmp_path / "box").mkdir()
    (tmp_path / "box" / "own.yaml").write_text(text)
    (tmp_path / "by-path.yaml").write_text("puzzle: box/own.yaml\nreveal: {day: 4}\n")
    inline = "puzzle:\n" + "".join(f"  {line}\n" for line in text.splitlines())
    (tmp_path / "inline.yaml").write_text(inline + "reveal: [4]\n")
    found = [
        read_instance(tmp_path / "by-path.yaml"),
        read_instance(tmp_path / "inline.yaml"),
        read_instance(tmp_path / "box" / "own.yaml", reveal="day=4"),
        read_instance(tmp_path / "box" / "own.yaml", date="2024-02-04"),
    ]
    assert {instance.to_cover for instance in found} == {((0, 0), (0, 1), (1, 0))}
    assert {instance.labels for instance in found} == {("4",)}


def test_a_fault_inside_an_inline_puzzle_has_its_line(tmp_path: Path) -> None:
    path = tmp_path / "inline.yaml"
    path.write_text('puzzle:\n  grid: ["1 2"]\n  pieces:\n    - I2\n    - QQ\nreveal: [1]\n')
    with pytest.raises(InputError, match=r"inline.yaml:5: shape 'QQ'"):
        read_instance(path)


def test_groups_serve_other_languages(tmp_path: Path) -> None:
    path = tmp_path / "fr.yaml"
    path.write_text(
        'grid: ["Janv Févr", "1 2", "Lu Ma"]\nuncover: [month, day, weekday]\n'
        "groups: {month: [Janv, Févr], weekday: [Lu, Ma]}\npieces: [I3]\n",
        encoding="utf-8",
    )
    # 2 February 2021 is a Tuesday.
    instance = read_instance(path, date=datetime.date(2021, 2, 2))
    assert instance.labels == ("Févr", "2", "Ma")
    with pytest.raises(InputError, match="no month for 2021-03-01"):
        read_instance(path, date="2021-03-01")


def test_dates_fill_every_group() -> None:
    assert read_instance("praxis-rhombus", date="2024-02-29").labels == ("Thu", "Feb", "29")
    year = read_instance("kao-pentomino-year-8x8", date="2024-02-29")
    assert year.labels == ("2024", "Feb", "29", "Thu")
    today = datetime.date.today()
    assert read_instance("a-puzzle-a-day", date="today").labels[1] == str(today.day)
    with pytest.raises(InputError, match="no year for 2020"):
        read_instance("kao-pentomino-year-8x8", date="2020-02-29")
    with pytest.raises(InputError, match="is not a date"):
        read_instance("a-puzzle-a-day", date="2026-02-30")
    with pytest.raises(InputError, match="not both"):
        read_instance("a-puzzle-a-day", date="today", reveal="Feb,29")


def test_reveal_on_the_command_line() -> None:
    assert parse_reveal("month=Feb, day=29") == {"month": "Feb", "day": "29"}
    assert parse_reveal("Feb,29") == ["Feb", "29"]
    for text in ("", "Feb,", "month=Feb,29", "=x", "month=", "day=1,day=2"):
        with pytest.raises(InputError):
            parse_reveal(text)
    free = read_instance("a-puzzle-a-day", reveal="month=free,day=3")
    assert (free.labels, free.free) == (("3",), ("month",))


def test_no_flips_use_the_stated_handedness() -> None:
    rigid = read_instance("a-puzzle-a-day", reveal="Jan,1", flip=False).puzzle
    assert not rigid.flip
    assert {p.name for p in rigid.pieces} == {p.name for p in read_puzzle("a-puzzle-a-day").pieces}
    assert sum(len(p.orientations(flip=False)) for p in rigid.pieces) == 28
