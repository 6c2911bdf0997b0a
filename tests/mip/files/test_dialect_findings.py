"""Findings of model files, compared with what programs were measured to read."""

import json
import re
from array import array
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.dialects.__main__ import READINGS
from benchmarks.dialects.cases import Case, read_cases
from calmip._base.errors import InputError
from calmip.cli import main
from calmip.mip.files.dialects import Finding, find_differences
from calmip.mip.files.findings import WORDS
from calmip.mip.files.lp.dialect import find_lp_differences
from calmip.mip.files.model_files import model_parts
from calmip.mip.files.mps.dialect import find_mps_differences
from calmip.mip.files.text_source import TextFile
from calmip.mip.model import Model
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.files.cover_files import write_cover

CASES = read_cases()
KNOWN = json.loads(READINGS.read_text(encoding="utf-8"))["cases"]
MARKS = {"mps": "* ", "lp": "\\ "}


def find(kind: str, text: str) -> list[Finding]:
    source = TextFile(f"model.{kind}", tuple(text.split("\n")[:-1]))
    return (find_mps_differences if kind == "mps" else find_lp_differences)(source)


def differs(case: Case) -> bool:
    """Whether two programs read two models, or a solver or calmip refuses the file."""
    readings = {name: one for name, one in KNOWN[case.anchor].items() if name != "GLPK (fixed)"}
    facets = [one["facets"] for one in readings.values() if "facets" in one]
    refused = any("facets" not in one for name, one in readings.items() if name != "PuLP")
    return refused or any(one != facets[0] for one in facets)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.anchor)
def test_a_file_has_findings_where_programs_differ_and_nowhere_else(case: Case) -> None:
    # That no value satisfies some bounds is a finding, too, where all programs agree on them.
    found = find(case.kind, case.text)
    rows = [one.row for one in found if not one.words.startswith("No value satisfies")]
    if not differs(case):
        assert not rows
    elif case.anchor in WORDS:
        assert case.anchor in rows
    else:
        # What calmip alone refuses, or every program, needs no row.
        assert "" in rows


def test_every_row_is_on_the_page_and_differs() -> None:
    assert {case.anchor for case in CASES if differs(case)} >= WORDS.keys()


def test_words_are_short_sentences() -> None:
    for words in WORDS.values():
        assert words.endswith(".")
        assert all(len(sentence.split()) <= 25 for sentence in words.split(". "))


NAMES = "(?:HiGHS|SCIP|CBC|GLPK|OR-tools|Gurobi|PuLP|calmip)"


@pytest.mark.parametrize("row", WORDS)
def test_programs_that_are_said_to_refuse_a_file_do(row: str) -> None:
    for some in re.findall(rf"({NAMES}(?:, {NAMES})*(?: and {NAMES})?) refuses?\b", WORDS[row]):
        for name in re.findall(NAMES, some):
            assert "facets" not in KNOWN[row][name], name


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.anchor)
def test_findings_move_with_their_lines(case: Case) -> None:
    size = len(case.text.splitlines())
    plain = find(case.kind, case.text)
    moved = find(case.kind, f"{MARKS[case.kind]}a comment\n\n{case.text}")
    assert [(one.row, one.names) for one in moved] == [(one.row, one.names) for one in plain]
    for one, other in zip(plain, moved, strict=True):
        assert all(1 <= line <= size for line in one.lines)
        assert tuple(line + 2 for line in one.lines) == other.lines


@pytest.mark.long
@given(st.sampled_from(CASES), st.data())
def test_damaged_files_have_findings_and_no_crash(case: Case, data: st.DataObject) -> None:
    lines = case.text.split("\n")[:-1]
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(lines) - 1))
        words = lines[at].split(" ")
        place = data.draw(st.integers(0, len(words) - 1))
        new = data.draw(
            st.sampled_from([*case.text.split(), "", ":", "-", "<=", "inf", "'MARKER'"])
        )
        lines[at] = " ".join([*words[:place], new, *words[place + 1 :]])
    for one in find(case.kind, "\n".join(lines) + "\n"):
        assert str(one)


def test_marks_of_sets_and_functions_are_no_sums() -> None:
    (case,) = (one for one in CASES if one.anchor == "lp-sos")
    (found,) = find("lp", case.text)
    assert (found.row, found.lines) == ("lp-sos", (9,))
    (case,) = (one for one in CASES if one.anchor == "lp-indicator")
    assert [one.row for one in find("lp", case.text)] == ["lp-indicator"]


NUMBERS = st.integers(-9, 9)


@st.composite
def models(draw: st.DrawFn) -> Model:
    count = draw(st.integers(1, 4))
    columns = [f"x{number}" for number in range(count)]
    rows = []
    for number in range(draw(st.integers(1, 3))):
        terms = draw(st.dictionaries(st.integers(0, count - 1), NUMBERS.filter(bool), min_size=1))
        low = draw(NUMBERS)
        kind = draw(st.sampled_from("<>="))
        bounds = {"<": (float("-inf"), low), ">": (low, float("inf")), "=": (low, low)}[kind]
        rows.append((f"r{number}", {c: float(v) for c, v in sorted(terms.items())}, *bounds))
    lower = [draw(NUMBERS) for _ in columns]
    upper = [low + draw(st.integers(1, 9)) for low in lower]
    return Model.from_rows(
        columns,
        rows,
        [float(draw(NUMBERS)) for _ in columns],
        column_lower=array("d", lower),
        column_upper=array("d", upper),
        integer=array("b", [True, *(draw(st.booleans()) for _ in columns[1:])]),
    )


@pytest.mark.long
@pytest.mark.parametrize("kind", ["mps", "lp"])
@given(model=models())
def test_files_that_calmip_writes_have_no_finding(kind: str, model: Model) -> None:
    assert find(kind, "".join(model_parts(model, f".{kind}"))) == []


@pytest.mark.parametrize("kind", ["mps", "lp"])
def test_the_constant_of_an_objective_is_the_exception(kind: str) -> None:
    rows = [("r", {0: 1.0, 1: 1.0}, 1.0, float("inf"))]
    model = Model.from_rows(["x", "y"], rows, [1.0, 2.0], offset=10.0)
    found = find(kind, "".join(model_parts(model, f".{kind}")))
    assert [one.row for one in found] == [f"{kind}-objective-constant"]


@pytest.mark.parametrize(
    ("number", "words"),
    [
        ("1e400", "found '1e400' where a number should stand; the greatest number is 1.8e308"),
        ("-" + "7" * 309, "' where a number should stand; the greatest number is 1.8e308"),
        ("9" * 5000, "found a number of over 400 characters; round it"),
        ("0." + "1" * 5000, "found a number of over 400 characters; round it"),
        ("0." + "7" * 300, ""),
    ],
    ids=["1e400", "309 digits", "5000 digits", "5000 decimals", "300 decimals"],
)
def test_a_number_that_calmip_refuses_is_a_number_to_others(number: str, words: str) -> None:
    mps = f"NAME m\nROWS\n N o\n G r\nCOLUMNS\n x o {number} r 1\nRHS\n R r 1\nENDATA\n"
    lp = f"Minimize\n o: {number} x\nSubject To\n r: x >= 1\nEnd\n"
    for kind, text in (("mps", mps), ("lp", lp)):
        found = [one.words for one in find(kind, text) if "calmip refuses" in one.words]
        rows = [one.row for one in find(kind, text)]
        assert [words in one for one in found] == [True] * bool(words)
        assert "mps-not-a-number" not in rows


NEVER = {
    "crossed bounds": ("", " 2 <= a <= 1\n", ["a"], 6),
    "crossed by a digit": ("", " 0.10000000000000000002 <= a <= 0.1\n", ["a"], 6),
    "an integer window": ("", " 1.25 <= k <= 1.75\n", ["k"], 6),
    "a wide integer window": ("", " 9007199254740993.25 <= k <= 9007199254740993.75\n", ["k"], 6),
    "an impossible range": (" s: 7 <= a + k <= 6.5\n", "", ["s"], 5),
    "a row without columns": (" s: 0 a >= 3\n", "", ["s"], 5),
    "such an equation": (" s: 0 a = -1\n", "", ["s"], 5),
    "nothing": (" s: 0 a <= 3\n", " 1 <= k <= 1.5\n", [], 0),
}
"""Rows and bounds of a file, the names of what no value satisfies, and its line."""


@pytest.mark.parametrize("name", NEVER)
def test_what_no_value_satisfies_is_a_finding(name: str, tmp_path: Path) -> None:
    rows, bounds, names, line = NEVER[name]
    path = tmp_path / "m.lp"
    head = "Minimize\n o: a + k\nSubject To\n r: a + k >= 1\n"
    path.write_text(f"{head}{rows}Bounds\n{bounds} b <= 9\nGeneral\n k\nEnd\n")
    never = [
        one for one in find("lp", path.read_text()) if one.words.startswith("No value satisfies")
    ]
    assert [one.names for one in never] == ([(name,) for name in names])
    assert all(one.lines == (line,) for one in never)
    assert main(["solve", str(path), "-q"]) == (1 if names else 0)
    again = tmp_path / "m.mps"
    assert main(["export", str(path), "-o", str(again), "-q"]) == 0
    if name == "an impossible range":  # which MPS says with two rows
        return
    lines = again.read_text().splitlines()
    never = [
        one for one in find("mps", again.read_text()) if one.words.startswith("No value satisfies")
    ]
    assert [one.names for one in never] == [(name,) for name in names]
    assert all(names[0] in lines[number - 1].split() for one in never for number in one.lines)
    assert all(one.lines for one in never)


@pytest.mark.parametrize("suffix", [".mps", ".lp", ".mps.gz"])
def test_files_of_puzzles_have_no_finding(suffix: str, tmp_path: Path, tiny: ExactCover) -> None:
    path = tmp_path / f"tiny{suffix}"
    write_cover(path, tiny)
    assert find_differences(path) == []


def test_the_command_prints_each_finding_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.lp"
    path.write_text("Minimize\n obj: x + 2 y + 10\nSubject To\n r: x + y >= 4\nEnd\n")
    assert main(["check", str(path)]) == 1
    out = capsys.readouterr().out
    assert f"{path}:2: '10': {WORDS['lp-objective-constant']} [lp-objective-constant]\n" in out
    assert "1 finding\n" in out
    path.write_text("Minimize\n obj: x + 2 y\nSubject To\n r: x + y >= 4\nEnd\n")
    assert main(["check", str(path)]) == 0
    assert main(["check", "file", str(path), "--quiet"]) == 0
    assert main(["check", str(tmp_path / "absent.lp")]) == 2
    path.write_bytes(b"\0")
    assert main(["check", str(path)]) == 2


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        find_differences(tmp_path / "model.opb")


@pytest.mark.parametrize("suffix", [".opb", ".cnf.gz", ".dlx"])
def test_models_of_other_formats_need_an_answer(
    suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", str(tmp_path / f"m{suffix}")]) == 2
    message = "are known for MPS and LP files only; to check an answer, name it, too"
    assert message in capsys.readouterr().err


def test_an_unknown_row_hides_no_entry_behind_it() -> None:
    text = """\
NAME          m
ROWS
 N  obj
 L  r
COLUMNS
    x         nosuch    1              r         2
    x         r         3              obj       1
RHS
    RHS       r         4
BOUNDS
 UP BND       x         1
ENDATA
"""
    found = {one.row: one.lines for one in find("mps", text)}
    assert (found["mps-unknown-row"], found["mps-duplicate-entry"]) == ((6,), (7,))
