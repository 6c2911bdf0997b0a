"""What MPS files may say, what it means, and what is refused."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from calmip._base.errors import InputError
from calmip.mip.files.model_files import read_model
from calmip.mip.model import Model

MPS = """* comment
NAME          m FREE
ROWS
 N  OBJ
 E  e
 L  l
 G  g
 N  other
COLUMNS
    MARKER    'MARKER'                 'INTORG'
    x         OBJ       1   e         1
    x         l         2
    y         e         1   g         -3
    y         other     9
    MARKER    'MARKER'                 'INTEND'
RHS
    RHS       e         1   l         2
    RHS       OBJ       5
RANGES
    RNG       l         2   g         1.5
BOUNDS
 UP BND       x         1
 BV BND       y
ENDATA
"""
MARKERS = [f"    MARKER    'MARKER'                 '{kind}'\n" for kind in ("INTORG", "INTEND")]


def changed(*changes: tuple[str, str]) -> str:
    text = MPS
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


INF = np.inf
Bounds = dict[str, tuple[float, float]]
MEANING: Bounds = {"e": (1, 1), "l": (0, 2), "g": (0, 1.5)}

# Changes to the file above, and the rows' bounds where they differ from what it means.
DIALECTS: dict[str, tuple[str, Bounds]] = {
    "as it is": (MPS, {}),
    "no name": (changed(("NAME          m FREE\n", "")), {}),
    "no set names": (
        changed(("    RHS       ", "    "), ("    RNG       ", "    "), (" BND       ", " ")),
        {},
    ),
    "a number after BV": (changed((" BV BND       y", " BV BND       y 1")), {}),
    "BV without a set": (changed((" BV BND  ", " BV"), (" UP BND  ", " UP")), {}),
    "UI": (changed((" UP BND", " UI BND")), {}),
    "LI": (changed((" BV BND       y", " LI BND       y  0\n UP BND       y 1")), {}),
    "PL": (changed((" BV BND       y", " PL BND       y\n UP BND       y 1")), {}),
    "MI": (changed((" BV BND       y", " MI BND       y\n BV BND       y")), {}),
    "range of an equation": (
        changed(("RNG       l         2", "RNG       e         2")),
        {"e": (1, 3), "l": (-INF, 2)},
    ),
    "range down": (
        changed(("RNG       l         2", "RNG       e         -2")),
        {"e": (-1, 1), "l": (-INF, 2)},
    ),
    "negative range": (changed(("g         1.5", "g         -1.5")), {}),
    "no ranges": (
        changed(("RANGES\n", ""), ("    RNG       l         2   g         1.5\n", "")),
        {"l": (-INF, 2), "g": (0, INF)},
    ),
    "fixed": (changed((" UP BND", " FX BND")), {"fix_x": (1, 1)}),
    "D exponents": (changed(("e         1   g", "e         1.0D0   g")), {}),
    "lower case": (changed(("ROWS", "rows"), (" N  O", " n  O"), ("'INTORG'", "'intorg'")), {}),
}
SENSES = {
    "OBJSENSE\n    MAX\n": -1.0,
    "OBJSENSE\n  Maximize\n": -1.0,
    "OBJSENSE MAX\n": -1.0,
    "OBJSENSE\n    MIN\n": 1.0,
    "*SENSE:Maximize\n": -1.0,
    "*SENSE:Minimize\n": 1.0,
    "*SENSE:Maximize\nOBJSENSE\n    MAX\n": -1.0,
    "* SENSE:Maximize\n": 1.0,
}


def read(folder: Path, text: str) -> Model:
    (folder / "m.mps").write_text(text)
    model = read_model(folder / "m.mps")
    assert model.columns == ("x", "y")
    return model


@pytest.mark.parametrize("name", DIALECTS)
def test_mps_files_mean_what_they_say(name: str, tmp_path: Path) -> None:
    text, differences = DIALECTS[name]
    model = read(tmp_path, text).as_binary()
    bounds = zip(model.lower.tolist(), model.upper.tolist(), strict=True)
    assert dict(zip(model.rows, bounds, strict=True)) == MEANING | differences
    assert model.start[:4].tolist() == [0, 2, 3, 4]
    assert model.index[:4].tolist() == [0, 1, 0, 1]
    assert model.value[:4].tolist() == [1, 1, 2, -3]
    assert model.cost.tolist() == [1, 0]


@pytest.mark.parametrize("sense", SENSES)
def test_the_objective_is_turned_to_be_minimised(sense: str, tmp_path: Path) -> None:
    for place in ("ROWS\n", "NAME ", "* comment\n"):
        if "*" in sense or place == "ROWS\n":  # A section stands after NAME, a comment anywhere.
            model = read(tmp_path, changed((place, f"{sense}{place}")))
            assert model.cost.tolist() == [SENSES[sense], 0]
            assert model.maximise == (SENSES[sense] < 0)


def test_the_right_side_of_the_objective_is_its_constant_negated(tmp_path: Path) -> None:
    assert read(tmp_path, MPS).offset == -5
    assert read(tmp_path, changed(("    RHS       OBJ       5\n", ""))).offset == 0
    bare = changed((" N  OBJ\n", ""), ("OBJ       1   e", "e"), ("    RHS       OBJ       5\n", ""))
    model = read(tmp_path, bare)
    assert (model.offset, model.cost.tolist()) == (0, [0, 9])
    model = read(
        tmp_path, bare.replace(" N  other\n", "").replace("    y         other     9\n", "")
    )
    assert (model.offset, model.cost.tolist()) == (0, [0, 0])


def test_a_comment_inside_a_section_is_no_sense(tmp_path: Path) -> None:
    assert not read(tmp_path, changed(("COLUMNS\n", "*SENSE:Maximize\nCOLUMNS\n"))).maximise


@pytest.mark.parametrize("constant", [5, -5, 0])
def test_the_constant_is_the_right_hand_side_of_the_objective_negated(
    constant: int, tmp_path: Path
) -> None:
    """As HiGHS reads it."""
    import highspy

    model = read(tmp_path, changed(("OBJ       5", f"OBJ       {constant}")))
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.readModel(str(tmp_path / "m.mps"))
    assert model.objective([]) == highs.getLp().offset_ == -constant
    assert model.objective([0]) == 1 - constant
    without = read(tmp_path, changed(("    RHS       OBJ       5\n", "")))
    assert without.objective([]) == 0


FAULTS = [
    ("hello\n", "m.mps:1: found the section 'hello'"),
    (" hello\n", "m.mps:1: found ' hello' before the first section"),
    (changed(("ENDATA\n", "")), "is cut: ENDATA is missing"),
    (changed(("e         1   g", "e         abc g")), "m.mps:13: found 'abc' where a number"),
    (changed(("e         1   g", "e         nan g")), "m.mps:13: found 'nan'"),
    (changed(("g         -3", "g")), "m.mps:13: found 'y e 1 g', not a column"),
    (changed(("e         1   g", "e         1   e")), "column 'y' has row 'e' twice"),
    (changed(("    y         oth", "    x         oth")), "m.mps:14: column 'x' goes on after"),
    (changed(("    y         other", "    y         no")), "m.mps:14: there is no row 'no'"),
    (changed((" L  l", " L  e")), "m.mps:6: a second row is called 'e'"),
    (changed((" N  other", " N  e")), "m.mps:8: a second row is called 'e'"),
    (changed((" L  l", " L  OBJ")), "m.mps:6: a second row is called 'OBJ'"),
    (changed((" L  l", " X  l")), "not a sense"),
    (changed((" L  l", " L  l l")), "name without blanks"),
    (changed(("'INTEND'", "'INTORG'")), "out of place"),
    (changed(("RHS       e ", "RHS       no")), "there is no row 'no'"),
    (changed(("    RHS       OBJ", "    RHS2      OBJ")), "a second RHS set"),
    (changed(("RHS       OBJ       5", "RHS       e         5")), "two right-hand sides"),
    (changed(("RHS       OBJ       5", "RHS")), "m.mps:18: found 0 fields"),
    (changed(("RNG       l ", "RNG       OBJ ")), "two ranges or is an objective"),
    (changed((" BV BND       y", " BV TWO       y")), "a second BOUNDS set"),
    (
        changed((" BV BND       y", " SB BND       y 1")),
        "semi-continuous variables by SB are not read: found 'SB BND",
    ),
    (changed((" BV BND       y", " BV")), "not a bound"),
    (changed((" BV BND       y\n", "")), "'y' is integer without an upper bound, which solvers"),
    (changed(("x         1\n", "x         -1\n")), "has a negative upper bound and no lower"),
    (
        changed(("NAME          m FREE\n", "NAME          m FREE\nSENSE\n    MAX\n")),
        "write OBJSENSE",
    ),
    (changed((" L  l\n", " L  l\n E  'Marker'\n")), "a row is called .*as marks in COLUMNS are"),
    (changed((MARKERS[1], "")), "has the marker 'INTORG' without 'INTEND' after it"),
    (
        changed((MARKERS[1], MARKERS[1] + "    y         l         1\n")),
        "column or a marker",
    ),
    (changed(("e         1   l", "e         1e30   l")), "infinite right-hand side"),
    (
        changed(("BOUNDS\n", "QUADOBJ\n    x x 1\nBOUNDS\n")),
        "m.mps:21: quadratic terms are not read: found 'QUADOBJ'",
    ),
    (
        changed(("BOUNDS\n", "INDICATORS\n IF e x 2\nBOUNDS\n")),
        "not IF, FF or OI, a row, a binary column, and 0 or 1",
    ),
    (changed(("BOUNDS\n", "INDICATORS\n IF no x 1\nBOUNDS\n")), "there is no row 'no'"),
    (
        changed(("BOUNDS\n", "INDICATORS\n IF e y 1\n IF e y 0\nBOUNDS\n")),
        "row 'e' has two conditions",
    ),
    (changed(("BOUNDS\n", "SOS\n    x 1\nBOUNDS\n")), "not S1 or S2 and a name, or a column"),
    (changed(("BOUNDS\n", "GENCONS\n MAX g\n    x\nBOUNDS\n")), "'g' has no arguments"),
    (changed(("BOUNDS\n", "GENCONS\n NL g\nBOUNDS\n")), "general constraints 'NL' are not read"),
    (changed(("BOUNDS\n", "GENCONS\n ABS g\n    x y\nBOUNDS\n")), "cannot make sense of 'x y'"),
    (changed(("BOUNDS\n", "GENCONS\n ABS g\nBOUNDS\n")), "cannot make sense of 'ABS'"),
    (changed(("COLUMNS\n", "LAZYCONS\n E z\nCOLUMNS\n")), "lazy constraints are not read"),
    (changed(("ROWS\n", "OBJSENSE\n    UP\nROWS\n")), "not MIN or MAX"),
    (
        changed(("* comment\n", "*SENSE:Maximize\n"), ("ROWS\n", "OBJSENSE\n    MIN\nROWS\n")),
        r"m.mps:4: found the sense MIN, but the comment \*SENSE says the opposite",
    ),
    ("NAME\nROWS\n N OBJ\nCOLUMNS\nENDATA\n", "has no variables"),
]


@pytest.mark.parametrize(("text", "fault"), FAULTS, ids=[fault for _, fault in FAULTS])
def test_faults_are_said(text: str, fault: str, tmp_path: Path) -> None:
    for name, data in (("m.mps", text.encode()), ("m.mps.gz", gzip.compress(text.encode()))):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(InputError, match=fault.replace("m.mps:", f"{name}:")):
            read_model(tmp_path / name)
