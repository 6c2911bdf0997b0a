"""Bounds that cross, ranges and windows without an integer: the model of the file is infeasible."""

from pathlib import Path

import pytest

import calmip
from calmip.cli import main

LP = "Minimize\n o: x + y\nSubject To\n c: x + y >= 1\n{}Bounds\n x <= 9\n{}{}End\n"

FILES = {
    "crossed bounds": (".lp", LP.format("", " 2 <= y <= 1.5\n", ""), {"y"}),
    "crossed bounds of a column in no row": (".lp", LP.format("", " 2 <= z <= 1\n", ""), {"z"}),
    "crossed bounds of an integer": (
        ".lp",
        LP.format("", " 5 <= y <= -3\n", "Generals\n y\n"),
        {"y"},
    ),
    "a window": (".lp", LP.format("", " 3.2 <= y <= 3.8\n", "Generals\n y\n"), {"y"}),
    "a window of a binary": (".lp", LP.format("", " 0.2 <= y <= 0.8\n", "Binaries\n y\n"), {"y"}),
    "a fixed half": (".lp", LP.format("", " y = 0.5\n", "Generals\n x y\n"), {"y"}),
    "a binary above 1": (".lp", LP.format("", " y >= 2\n", "Binaries\n x y\n"), {"y"}),
    "a crossed row": (".lp", LP.format(" d: 3 <= x - y <= 2\n", "", ""), {"d"}),
    "a crossed row of integers": (
        ".lp",
        LP.format(" d: 1 <= 2 x <= -1\n", "", "Generals\n x\n"),
        {"d"},
    ),
    "crossed bounds in MPS": (
        ".mps",
        "NAME m\nROWS\n N o\n G c\nCOLUMNS\n x o 1 c 1\n y o 1 c 1\nRHS\n R c 1\nBOUNDS\n"
        " LO B y 2\n UP B y 1.5\nENDATA\n",
        {"y"},
    ),
    "an empty row above 0": (".lp", LP.format(" d: 0 x >= 1\n", "", ""), {"d"}),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_without_points_is_an_infeasible_model(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    suffix, text, guilty = FILES[name]
    path = tmp_path / f"m{suffix}"
    path.write_text(text)
    assert main(["solve", str(path)]) == 1
    assert "there is no solution" in capsys.readouterr().out
    assert main(["count", str(path)]) == 1
    model = calmip.read_model(path)
    (conflict,) = calmip.explain(model).describe()["conflicts"]
    assert {*conflict["rows"], *(bound["column"] for bound in conflict["bounds"])} == guilty
    assert conflict["irreducible"]
    assert conflict["proved"]
    written = tmp_path / "n.mps"  # which says the same
    calmip.export(model, written)
    assert calmip.solve(calmip.read_model(written)).status == "infeasible"
