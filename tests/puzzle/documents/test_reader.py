"""Puzzle and instance files: what is accepted, and what each wrong one is told."""

import datetime
import os
import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from calmip import InputError, bundled_puzzles, read_instance, read_puzzle, solve
from calmip.puzzle.documents.reader import bundled_instances, parse_reveal
from calmip.puzzle.documents.serialise import puzzle_text
from calmip.puzzle.documents.yaml import Table, read_document
from calmip.puzzle.render.characters import Style
from calmip.puzzle.render.text import draw_tiling

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
    ('grid: ["1 2"]\npieces:\n' + "- I1\n" * 12_000, 2, "12000 pieces; at most 500"),
    ('grid: ["1 2", "2 1"]\npieces: [I2]', 1, "do not touch"),
    (
        "grid:\n" + '- "' + "* " * 200 + '"\n' + ('- "' + "* " * 200 + '"\n') * 60 + "pieces: [I2]",
        1,
        "at most 10000",
    ),
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
]


@pytest.mark.parametrize(("text", "line", "message"), BAD, ids=[m for _, _, m in BAD])
def test_the_error_of_a_wrong_file_names_line_and_fault(
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


@pytest.mark.long
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
    assert document["a"] == ["no", "010", "12:30", "2026-02-30", "~", "1e3", "0x1F"]
    assert document["b"] == ""


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
        "groups: {month: [Janv, Févr], weekday: [Lu, Ma]}\npieces: [V3]\n",
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


GERMAN = """grid:
- "Jan Feb Mär Apr Mai Jun"
- "Jul Aug Sep Okt Nov Dez"
- "1 2 3 4 5 6"
uncover: [month, day]
pieces: {a: ["######"], b: ["#####"], c: ["#####"]}
"""


def test_a_board_in_another_language_has_all_its_months(tmp_path: Path) -> None:
    path = tmp_path / "de.yaml"
    path.write_text(GERMAN, encoding="utf-8")
    assert len(read_puzzle(path).groups["month"]) == 12
    assert read_instance(path, date="2024-10-03").labels == ("Okt", "3")


def test_labels_in_no_group_are_named_and_how_to_write_them(tmp_path: Path) -> None:
    path = tmp_path / "odd.yaml"
    path.write_text(GERMAN.replace("Mär", "Ibis").replace("Dez", "Kiwi"), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_puzzle(path)
    assert str(caught.value) == (
        f"{path}:5: Ibis, Kiwi are in no group by name, so that no date uncovers them; write the "
        "labels of a group in calendar order, as in groups: {month: [LABEL, ...]}, or * in the "
        "grid for a cell that is always covered"
    )
    # Said in the file, it is as it is said.
    path.write_text(f"{GERMAN}groups: {{month: [Jan, Feb], day: ['1']}}\n", encoding="utf-8")
    assert read_puzzle(path).groups == {"month": ("Jan", "Feb"), "day": ("1",)}


BLOCKS = """grid: |
  Jan Feb *
  1   2   3
uncover: [month, day]
pieces:
  A: |
    ##
    #.
  B: ["#"]
"""


def test_grids_and_pieces_may_be_drawn_as_blocks(tmp_path: Path) -> None:
    path = tmp_path / "block.yaml"
    path.write_text(BLOCKS)
    plain = tmp_path / "plain.yaml"
    plain.write_text(
        'grid: ["Jan Feb *", "1   2   3"]\nuncover: [month, day]\n'
        'pieces: {A: ["##", "#."], B: ["#"]}\n'
    )
    found, expected = read_puzzle(path), read_puzzle(plain)
    assert (found.board, found.pieces, found.groups) == (
        (expected.board, expected.pieces, expected.groups)
    )
    # In a list, too, and at the end of the file with rows that nobody sees.
    path.write_text(BLOCKS.split("  A:", maxsplit=1)[0] + "- I1\n- |\n  ##\n  #.\n\n  \n")
    assert [piece.cells for piece in read_puzzle(path).pieces] == (
        [((0, 0),), ((0, 0), (0, 1), (1, 0))]
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("1   2   3", "1   2", ":3: grid row 2 has 2 places and the first row has 3"),
        ("#.\n", "#x\n", ":6: piece A, row 2: found 'x'"),
        ("    #.\n", "\n    #.\n", ":6: row 2 of a piece is empty"),
        ("grid: |", "grid: >", ":1: grid is a list of texts, not the text 'Jan Feb"),
        ("    #.", "   ..", ":8: is not valid YAML"),
    ],
)
def test_a_fault_in_a_block_has_its_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = tmp_path / "block.yaml"
    path.write_text(BLOCKS.replace(old, new, 1))
    with pytest.raises(InputError) as caught:
        read_puzzle(path)
    assert str(caught.value).startswith(f"{path}{said}")


COLOURS = 'grid: ["1 2", "3 4"]\nuncover: [day]\npieces:\n  a:\n    shape: I2\n    colour: Navy\n'


def test_a_piece_has_the_colour_that_it_is_given(tmp_path: Path) -> None:
    path = tmp_path / "colours.yaml"
    path.write_text(COLOURS + '  b: {shape: ["#"], colour: "#1E9"}\n')
    puzzle = read_puzzle(path)
    assert [piece.colour for piece in puzzle.pieces] == ["#000080", "#11ee99"]
    # The other handedness is painted alike, and what is written is read.
    path.write_text(path.read_text() + "no_flip_pieces: {b: I1, a: ['##']}\nflip: false\n")
    assert {p.name: p.colour for p in read_puzzle(path).pieces} == {"a": "#000080", "b": "#11ee99"}
    path.write_text(puzzle_text(puzzle))
    assert [piece.colour for piece in read_puzzle(path).pieces] == ["#000080", "#11ee99"]
    found = solve(read_instance(path, reveal="4"))
    drawn = found.tilings[0]._repr_svg_()
    assert 'fill="#000080"' in drawn
    assert 'fill="#11ee99"' in drawn
    # White reads better on navy, black on green; 18 and 48 are nearest in 256 colours.
    assert "\x1b[38;5;231;48;5;18m" in draw_tiling(found.tilings[0], Style(colour=True))
    assert "\x1b[38;5;16;48;5;48m" in draw_tiling(found.tilings[0], Style(colour=True))


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (COLOURS.replace("Navy", "mud"), 6, "'mud' is not a colour; write it as \"#1e90ff\", in"),
        (COLOURS.replace("Navy", ""), None, ""),
        (COLOURS.replace("Navy", "[red]"), 6, "colour is one colour, or a list of two"),
        (COLOURS.replace("shape: I2", "form: I2"), 5, "unknown key 'form'; the keys are shape, co"),
        (
            COLOURS.replace("    shape: I2\n", ""),
            4,
            "a piece with the key 'colour' needs the key 'shape'",
        ),
        (COLOURS.replace("I2", "QQ"), 4, "shape 'QQ' is unknown"),
        (COLOURS + "reveal: {day: 4}\n", 7, "'reveal' belongs to an instance and not to a puzzle"),
        (COLOURS + "placed: [a:1]\n", 7, "'placed' belongs to an instance and not to a puzzle"),
    ],
)
def test_what_is_wrong_beside_a_shape_has_its_line(
    tmp_path: Path, text: str, line: int | None, said: str
) -> None:
    path = tmp_path / "colours.yaml"
    path.write_text(text)
    if line is None:
        assert read_puzzle(path).pieces[0].colour == ""
        return
    for read in (read_puzzle, read_instance):
        with pytest.raises(InputError) as caught:
            read(path)
        assert str(caught.value).startswith(f"{path}:{line}: {said}")


BOARD = "grid: |\n  Jan Feb Mar\n  1 2 3\n  4 5 6\nuncover: [month, day]\n"

SLIPS = {
    "grid without |": ("grid:\n  1 2 3\n  4 5 6\npieces: [I3]\n", 1, "write 'grid: |' and"),
    "a list without brackets": (
        BOARD.replace("[month, day]", "month, day") + "pieces: [P, I2]\n",
        5,
        "uncover is a list of texts, not the text 'month, day'; write uncover: [month, day]",
    ),
    "brackets without a comma": (
        BOARD.replace("month, day", "month day") + "pieces: [P, I2]\n",
        5,
        "put commas between the groups, as in [month, day]",
    ),
    "a row that is a comment": (BOARD + "pieces:\n  A: ##\n", 7, "a bare '#' begins a YAML"),
    "rows that are comments": (BOARD + "pieces:\n  A:\n    ##\n    #.\n", 7, "quote its rows"),
    "a row without quotes": (BOARD + "pieces:\n  A: .#\n", 7, "draw rows below a '|'"),
    "shapes without a comma": (BOARD + "pieces: [F L, N]\n", 6, "put commas between shapes, as in"),
    "shapes without brackets": (BOARD + "pieces: F, L\n", 6, "write pieces: [F, L]"),
    "I5": (BOARD + "pieces: [I5, I2]\n", 6, "did you mean I?"),
    "small letters": (BOARD + "pieces: [p, i2]\n", 6, "did you mean P?"),
    "2xT4": (BOARD + "pieces: [2xT4]\n", 6, "write T4 as often as there are such pieces, as in"),
    "2 T4": (BOARD + "pieces: [2 T4]\n", 6, "write T4 as often"),
    "T4 x2": (BOARD + "pieces: [T4 x2]\n", 6, "write T4 as often"),
    "T4: 2": (BOARD + "pieces: {T4: 2}\n", 6, "write T4 as often"),
    "a spare piece": (
        BOARD + "pieces: [P, I2, I1]\n",
        1,
        "8 cells, but 7 cells are to be covered; leave out I1",
    ),
    "a piece too large": (BOARD + "pieces: [P, I2, I3]\n", 6, "only 9; leave out I3"),
    "a piece too few": (BOARD + "pieces: [P]\n", 1, "to be covered; 2 cells have no piece"),
    "commas in the grid": (
        BOARD.replace("Jan Feb Mar", "Jan, Feb, Mar") + "pieces: [P, I2]\n",
        1,
        "Jan,, Feb,: the places of a row are separated by blanks alone",
    ),
    "a key with a slip": (BOARD + "piece: [P, I2]\n", 6, "did you mean pieces?"),
    "a row indented less": (BOARD.replace("  1 2", " 1 2"), 3, "indent a row of a block as far as"),
    "the last row indented less": (BOARD.replace("  4 5", " 4 5"), 4, "indent a row of a block"),
    "a row not indented": (BOARD.replace("  1 2", "1 2"), 3, "indent a row of a block as far as"),
    "a drawn row indented less": (
        BOARD + "pieces:\n  A: |\n    ##\n   #.\n  B: I2\n",
        9,
        "'#.' is a comment in YAML; indent",
    ),
}


@pytest.mark.parametrize("slip", SLIPS)
@pytest.mark.parametrize("parser", ["libyaml", "pure Python"])
def test_a_slip_gets_its_line_and_the_remedy(
    slip: str, parser: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if parser == "pure Python":
        monkeypatch.delattr("yaml.CBaseLoader", raising=False)
    text, line, remedy = SLIPS[slip]
    path = tmp_path / "own.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as found:
        read_instance(path, free=True)
    assert str(found.value).startswith(f"{path}:{line}: ")
    assert remedy in str(found.value)


@pytest.mark.parametrize(
    "text",
    [
        "A: |\n    ##\n    #.\n  # ####\n  B: I2\n",
        "A: |\n    ##\n    #.\n\n  #\n\n  B: I2\n",
        "A: |\n    ##\n    #.\n  B: I2 # ##\n   # ##\n",
    ],
)
def test_comments_beside_blocks_stay_comments(text: str, tmp_path: Path) -> None:
    path = tmp_path / "own.yaml"
    path.write_text("grid: ['1 2 3', '* * *']\nuncover: [day]\npieces:\n  " + text)
    assert [len(piece.cells) for piece in read_puzzle(path).pieces] == [3, 2]


def test_case_does_not_matter_and_a_slip_is_named(tmp_path: Path) -> None:
    for reveal in ("feb,29", "month=FEB,day=29"):
        found = read_instance("a-puzzle-a-day", reveal=reveal)
        assert (found.labels, found.name) == (("Feb", "29"), "a-puzzle-a-day Feb 29")
    assert read_instance("feb29", placed="P:jan+jul+aug").placed == (
        read_instance("feb29", placed="P:Jan+Jul+Aug").placed
    )
    for reveal, said in [
        ("February,29", "'February' is not a label of A-Puzzle-A-Day (DragonFjord); did you mean"),
        ("month=Fbe,day=29", "'Fbe' is not a month of A-Puzzle-A-Day (DragonFjord); did you mean"),
    ]:
        with pytest.raises(InputError) as caught:
            read_instance("a-puzzle-a-day", reveal=reveal)
        assert str(caught.value) == f"{said} Feb?"
    # Where case tells two labels apart, it does.
    path = tmp_path / "case.yaml"
    path.write_text('grid: ["m M", "x *"]\npieces: [V3]\n')
    assert read_instance(path, reveal="M").labels == ("M",)
    path.write_text('grid: ["mm Mm", "x *"]\npieces: [V3]\n')
    with pytest.raises(InputError, match="'MM' is not a label"):
        read_instance(path, reveal="MM")


def test_missing_labels_are_named_with_the_remedy() -> None:
    with pytest.raises(InputError) as caught:
        read_instance("praxis-rhombus", reveal="Oct")
    assert str(caught.value) == (
        "the pieces cover 47 cells, but 49 cells are to be covered; no weekday and no day is "
        "revealed; to leave that to the model, reveal weekday=free,month=Oct,day=free"
    )
    cured = read_instance("praxis-rhombus", reveal="weekday=free,month=Oct,day=free")
    assert cured.free == ("weekday", "day")


def test_the_instances_of_the_documentation_come_with_the_package() -> None:
    folder = Path(__file__).parents[3] / "instances"
    assert bundled_instances() == tuple(sorted(path.stem for path in folder.glob("*.yaml")))
    for name in bundled_instances():
        assert read_instance(name) == read_instance(folder / f"{name}.yaml")
    with pytest.raises(InputError, match="did you mean feb29"):
        read_instance("feb92")
    with pytest.raises(InputError, match="did you mean feb29"):
        read_instance("nowhere/feb29.yaml")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("x.mps", "is a model, not a puzzle or an instance; solve it with calmip solve"),
        ("x.LP.gz", "is a model, not a puzzle or an instance; solve it with calmip solve"),
        ("x.opb", "is a model, not a puzzle or an instance; solve it with calmip solve"),
        ("x.mod", "is a model in a modelling language; write it as an MPS or LP file there"),
        ("x.gms", "is a model in a modelling language; write it as an MPS or LP file there"),
    ],
)
def test_a_model_is_distinguished_from_a_puzzle_by_its_name(
    tmp_path: Path, name: str, said: str
) -> None:
    path = tmp_path / name
    path.write_bytes(b"\x1f\x8b\x08")
    for read in (read_instance, read_puzzle):
        with pytest.raises(InputError) as caught:
            read(path)
        assert str(caught.value).startswith(f"{path}: {said}")


def test_the_wheel_holds_the_instances_inside_the_package() -> None:
    root = Path(__file__).parents[3]
    build = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    assert build["targets"]["wheel"]["force-include"]["instances"] == "calmip/instances"
    assert "instances" in build["targets"]["sdist"]["include"]


def test_brands_lead_to_their_puzzles() -> None:
    for brand, puzzle in (
        ("dragonfjord", "a-puzzle-a-day: A-Puzzle-A-Day (DragonFjord)"),
        ("caesar", "weekday-8x7: Daily Calendar"),
        ("Caesar's Calendar", "weekday-8x7"),
        ("LEGO", "lego-ideas-10x5: Daily Puzzle"),
        ("sh1ura", "one of hex43-v1, hex61-symmetric, shiura"),
    ):
        with pytest.raises(InputError, match=rf"did you mean {re.escape(puzzle)}"):
            read_puzzle(brand)


def test_no_two_bundled_puzzles_have_one_name() -> None:
    names = [read_puzzle(name).name for name in bundled_puzzles()]
    assert len(set(names)) == len(names)
