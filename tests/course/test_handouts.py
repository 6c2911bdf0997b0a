"""What is handed out: the exercises' folders from an installed package, nbgrader's notebooks."""

from __future__ import annotations

import ast
import io
import json
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import calmip
from calmip.cli import main
from calmip.course.autograder import BESIDE, wheel
from calmip.course.exercises import EXERCISES, FUNCTIONS, SITE, SOLUTIONS, page_of, solution_names
from calmip.course.handouts import pages, statement
from calmip.course.notebooks import program_of

ROOT = Path(__file__).parents[2]


def test_each_exercise_has_its_statement_its_starter_and_its_data(tmp_path: Path) -> None:
    written = calmip.course.handouts.grade_starters(tmp_path / "new" / "exercises").files
    assert all(path.is_file() for path in written)
    folders = {path.parent.name for path in written} - {"exercises"}
    assert sorted(folders) == sorted(solution_names())
    for name in folders:
        own = {path.name for path in written if path.parent.name == name}
        assert own == {path.name for path in (ROOT / "docs" / "course" / name).iterdir()}
        assert {"index.md"} < own
        assert any(one.startswith("starter.") for one in own)
        text = (tmp_path / "new" / "exercises" / name / "index.md").read_text()
        for link in re.findall(r"\]\(([^)\s]*)\)", text):
            place = tmp_path / "new" / "exercises" / name / link
            assert link.startswith(("https://", "#")) or place.is_file(), (name, link)
    assert "CC BY 4.0" in (tmp_path / "new" / "exercises" / "licence.md").read_text()


def test_links_lead_to_pages_of_the_site() -> None:
    text = statement("5-no-good", alone=False)
    assert f"]({SITE}/explanation/enumeration.html#no-good-cuts)" in text
    assert "](starter.py)" in text
    text = statement("3-pyomo", alone=True)
    assert f"]({SITE}/course/2-pulp/index.html)" in text
    assert f"]({SITE}/course/3-pyomo/starter.py)" in text
    for name in solution_names():
        for place in re.findall(rf"\]\({SITE}/([^)#]*)", statement(name, alone=True)):
            source = ROOT / "docs" / re.sub("[.]html$", ".md", place)
            assert source.is_file(), (name, place)


def test_an_installed_package_has_the_pages_too(tmp_path: Path) -> None:
    zipfile.ZipFile(io.BytesIO(wheel())).extractall(tmp_path / "site")
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from calmip.course import handouts\n"
        "print(handouts.__file__, len(handouts.grade_starters(sys.argv[2]).files))"
    )
    words = [str(tmp_path / "site"), str(tmp_path / "exercises")]
    ran = subprocess.run(
        [sys.executable, "-P", "-c", program, *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    file, number = ran.stdout.split()
    assert file.startswith(str(tmp_path / "site"))
    assert int(number) == len(calmip.course.handouts.grade_starters(tmp_path / "again").files)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    forced = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert forced == {place: f"calmip/{name}" for name, place in BESIDE.items()}


def notebook(exercise: str, folder: Path) -> dict[str, Any]:
    path = folder / f"exercise-{exercise}.ipynb"
    assert main(["grade", "notebook", exercise, "-o", str(path)]) == 0
    found = json.loads(path.read_bytes())
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("exercise", FUNCTIONS)
def test_a_notebook_has_what_nbgrader_asks_for(exercise: str, tmp_path: Path) -> None:
    """Metadata as its schema 3 has them: locked cells, one solution, and one test with points."""
    found = notebook(exercise, tmp_path)
    assert (found["nbformat"], found["metadata"]["kernelspec"]["name"]) == (4, "python3")
    cells = {cell["metadata"]["nbgrader"]["grade_id"]: cell for cell in found["cells"]}
    assert len(cells) == len(found["cells"])
    for name, cell in cells.items():
        flags = cell["metadata"]["nbgrader"]
        assert set(flags) >= {"grade", "grade_id", "locked", "schema_version", "solution", "task"}
        assert flags["schema_version"] == 3
        assert flags["solution"] is (name == "answer")
        assert flags["grade"] is (name == "marks")
        assert flags["locked"] is not flags["solution"]
        assert cell["cell_type"] == ("markdown" if name == "statement" else "code")
    assert cells["marks"]["metadata"]["nbgrader"]["points"] == 10
    name = page_of(exercise)
    answer = "".join(cells["answer"]["source"])
    begin, *solution, end = answer.split("\n")
    assert (begin, end) == ("### BEGIN SOLUTION", "### END SOLUTION")
    assert "\n".join(solution) + "\n" == (SOLUTIONS / name).read_text()
    # Students see the starter, and nothing of the solution.
    starter = (pages() / name / "starter.py").read_text()
    text = "".join(cells["statement"]["source"])
    assert f"```python\n{starter}```" in text
    data = pages() / name / "data.json"
    assert ("data" in cells) is data.is_file()
    if data.is_file():
        source = "".join(cells["data"]["source"]).partition("data = ")[2]
        assert ast.literal_eval(source) == json.loads(data.read_text())
    # What is handed in is marked by the same cell.
    assert program_of(json.dumps(found).encode(), FUNCTIONS[exercise]) == answer


def test_the_test_cell_gives_the_marks_of_the_last_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = notebook("12", tmp_path)
    *_, test = ("".join(cell["source"]) for cell in found["cells"])
    tree = ast.parse(test)
    last = tree.body.pop()
    assert isinstance(last, ast.Expr)
    monkeypatch.chdir(tmp_path)
    given: list[tuple[str, str]] = []

    def grade(exercise: str, path: Path) -> SimpleNamespace:
        given.append((exercise, path.read_text()))
        return SimpleNamespace(marks=3)

    monkeypatch.setattr(calmip, "grade", grade)
    shown: list[object] = []
    cells = ["", "def build(data): 1", "def build(data): 2", "build({})", test]
    names: dict[str, Any] = {"In": cells, "display": shown.append}
    exec(compile(tree, "cell", "exec"), names)
    assert eval(compile(ast.Expression(last.value), "cell", "eval"), names) == 3
    assert given == [("12", "def build(data): 2")]
    assert len(shown) == 1
    names["In"] = ["", "x = 1", test]
    with pytest.raises(StopIteration):  # an error is no points
        exec(compile(tree, "cell", "exec"), names)


def test_a_notebook_is_for_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for exercise in EXERCISES.keys() - FUNCTIONS.keys():
        path = tmp_path / "a.ipynb"
        assert main(["grade", "notebook", exercise, "-o", str(path)]) == 2
        assert f"the answer to exercise {exercise} is not a program" in capsys.readouterr().err
        assert not path.exists()
    assert main(["grade", "notebook", "2", "-o", str(tmp_path / "a.txt")]) == 2
    assert "ipynb" in capsys.readouterr().err
