"""What is handed out: the exercises' folders from an installed package, nbgrader's notebooks."""

from __future__ import annotations

import ast
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import calmip
import calmip.course.handouts
from calmip.cli import main
from calmip.course.autograder import BESIDE, wheel
from calmip.course.exercises import EXERCISES, FUNCTIONS, SITE, SOLUTIONS, page_of, solution_names
from calmip.course.notebooks import program_of
from calmip.course.statements import pages, statement

ROOT = Path(__file__).parents[2]


def test_each_exercise_has_its_statement_its_starter_and_its_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An installer may have compiled the starters."""
    copied = tmp_path / "pages"
    shutil.copytree(pages(), copied, ignore=shutil.ignore_patterns("__pycache__"))
    (copied / "2-pulp" / "__pycache__").mkdir()
    monkeypatch.setattr("calmip.course.handouts.pages", lambda: copied)
    written = calmip.course.handouts.grade_starters(tmp_path / "new" / "exercises").files
    assert all(path.is_file() for path in written)
    for models in (Path("models"), Path("clinic-faults") / "models"):
        own = {path.name for path in written if path.parent == tmp_path / "new/exercises" / models}
        assert own == {path.name for path in (copied / models).iterdir()}
    folders = {path.parent.name for path in written} - {"exercises", "models"}
    assert sorted(folders) == sorted(solution_names())
    for name in folders:
        own = {path.name for path in written if path.parent.name == name}
        assert own == {path.name for path in (copied / name).iterdir()} - {"__pycache__", "models"}
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
    text = statement("10-iis", alone=True)
    assert f"]({SITE}/course/7-duality/index.html)" in text
    assert f"]({SITE}/course/10-iis/starter.json)" in text
    for name in solution_names():
        for place in re.findall(rf"\]\({SITE}/(?!play/)([^)#]*)", statement(name, alone=True)):
            source = ROOT / "docs" / re.sub("[.]html$", ".md", place)
            assert source.is_file(), (name, place)


@pytest.mark.long
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


UUID = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
INFO = {"uuid", "type", "title", "topic", "tags", "gradingMethod", "singleVariant"}
"""Keys of ``info.json`` in PrairieLearn's schema; the first four are required."""


def generated(folder: Path, seed: str) -> dict[str, Any]:
    """Return what the server of a question draws, called as PrairieLearn calls it."""
    names: dict[str, Any] = {}
    exec((folder / "server.py").read_text(), names)
    data: dict[str, Any] = {
        "params": {},
        "correct_answers": {},
        "variant_seed": seed,
        "options": {"question_path": str(folder)},
    }
    names["generate"](data)
    return data


@pytest.mark.long
@pytest.mark.parametrize("exercise", ["2", "7"])
def test_a_question_has_the_files_that_prairielearn_reads(exercise: str, tmp_path: Path) -> None:
    folder = tmp_path / "questions" / "mine"
    assert main(["grade", "question", exercise, "-o", str(folder), "--variants", "3"]) == 0
    drawn = exercise == "7"
    info = json.loads((folder / "info.json").read_text())
    grading = info.pop("externalGradingOptions")
    assert set(info) == INFO
    assert re.fullmatch(UUID, info["uuid"])
    assert (info["type"], info["gradingMethod"]) == ("v3", "External")
    assert info["singleVariant"] is not drawn
    assert set(grading) == {"image", "entrypoint", "timeout"}
    assert grading["entrypoint"] == "/grade/tests/run.sh"
    assert grading["timeout"] <= 600
    text = (folder / "question.html").read_text()
    assert re.findall("<pl-[a-z-]+", text) == [
        "<pl-question-panel",
        "<pl-file-editor",
        "<pl-submission-panel",
        "<pl-external-grader-results",
        "<pl-file-preview",
    ]
    (source,) = re.findall('source-file-name="(.*?)"', text)
    assert (folder / source).is_file()
    assert set(re.findall(r"\{\{(.*?)\}\}", text)) == ({"params.sheet"} if drawn else set())
    assert (folder / "server.py").exists() is drawn
    assert (folder / "tests" / "assigned.csv").exists() is drawn
    assert ("--assigned" in (folder / "tests" / "run.sh").read_text()) is drawn
    (wheel_of,) = folder.glob("calmip-*.whl")
    assert f"COPY {wheel_of.name} /" in (folder / "Dockerfile").read_text()
    again = tmp_path / "again"
    calmip.course.handouts.grade_question(exercise, again, variants=3)
    for path in folder.rglob("*.*"):
        assert path.read_bytes() == (again / path.relative_to(folder)).read_bytes()


@pytest.mark.long
def test_the_server_draws_the_same_variant_for_a_seed(tmp_path: Path) -> None:
    calmip.course.handouts.grade_question("12", tmp_path, variants=4)
    found = {str(seed): generated(tmp_path, str(seed))["params"] for seed in range(40)}
    assert {one["variant"] for one in found.values()} == {f"variant-{n}" for n in range(1, 5)}
    assert all(generated(tmp_path, seed)["params"] == one for seed, one in found.items())
    for one in found.values():
        assert f"`{one['variant']}-data.json`" in one["sheet"]
        assert {"people", "days", "demand"} < set(json.loads(one["data"]))
    assert "{{params.data}}" in (tmp_path / "question.html").read_text()
    calmip.course.handouts.grade_question("12", tmp_path / "next", variants=4, term="2027")
    assert generated(tmp_path / "next", "1")["params"]["data"] != found["1"]["data"]


@pytest.mark.parametrize("number", ["0", "201"])
def test_the_number_of_variants_is_bounded(
    number: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["grade", "question", "7", "-o", str(tmp_path / "q"), "--variants", number]
    assert main(words) == 2
    assert f"the number of variants is 1 to 200, not {number}" in capsys.readouterr().err
    assert not (tmp_path / "q").exists()


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="the grader runs on Linux")
def test_the_grader_marks_the_variant_that_was_drawn(tmp_path: Path) -> None:
    """In the folders of a grading job: what the question has, the answer and the server's data."""
    from calmip.course.assignments import read_assigned
    from calmip.puzzle.cover import ExactCover, Placement

    question = tmp_path / "question"
    calmip.course.handouts.grade_question("1", question, variants=3)
    drawn = read_assigned(question / "tests" / "assigned.csv", "1")
    data = generated(question, "77")
    mine = data["params"]["variant"]
    environment = {**os.environ, "CALMIP_PYTHON": sys.executable}
    for number, student in enumerate(drawn):
        grade = tmp_path / f"grade-{number}"
        shutil.copytree(question / "tests", grade / "tests")
        for name in ("student", "data"):
            (grade / name).mkdir()
        (grade / "data" / "data.json").write_text(json.dumps(data))
        cover = ExactCover(drawn[student].task)  # type: ignore[arg-type]
        options = [cover.option(place) for place in range(cover.columns)]
        (grade / "student" / "answer.txt").write_text(
            "\n".join(
                f"{one.piece}: {' '.join(f'{row}{column}' for row, column in one.cells)}"
                for one in options
                if isinstance(one, Placement)
            )
        )
        script = grade / "tests" / "run.sh"
        script.chmod(0o755)
        subprocess.run([str(script)], check=True, env=environment | {"CALMIP_GRADE": str(grade)})
        found = json.loads((grade / "results" / "results.json").read_text())
        assert found["gradable"] is True
        assert (found["score"] == 1.0) is (student == mine)
    (grade / "data" / "data.json").write_text('{"params": {}}')
    shutil.rmtree(grade / "results")
    ran = subprocess.run(
        [str(script)],
        check=False,
        capture_output=True,
        env=environment | {"CALMIP_GRADE": str(grade)},
    )
    assert ran.returncode == 1  # and no result, which is no mark
    assert not (grade / "results").exists()
