"""Feedback in the languages of the page: the table of sentences, and what students read."""

from __future__ import annotations

import ast
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from translated import left_in_english, rows

from calmip import grade
from calmip._base.errors import InputError
from calmip.cli import main
from calmip.course import translations
from calmip.course.checks import quote
from calmip.course.exercises import EXERCISES
from calmip.course.grade import grade_folder
from calmip.course.gradescope import grade_autograder
from calmip.course.handouts import grade_notebook, grade_question
from calmip.course.report import MALFORMED, prairielearn
from calmip.course.translations import FIELD, LANGUAGES, NUMBERS, translate

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "course"
OTHERS = LANGUAGES[1:]
LISTED = PAGES / "1-placements" / "starter.txt"
CUTS = PAGES / "4-relaxation" / "starter.json"

NO_SENTENCES = {"nodes in order"}
"""Names in quotes."""


def test_the_languages_are_those_of_the_page() -> None:
    source = (ROOT / "web" / "src" / "text" / "text.js").read_text(encoding="utf-8")
    listed = re.search(r"export const LANGUAGES = \[(.*)\];", source)
    assert listed is not None
    assert tuple(re.findall(r'\["(\w\w)"', listed[1])) == LANGUAGES


def test_a_row_says_the_same_in_all_languages() -> None:
    for row in rows():
        assert len(row) == len(LANGUAGES), row
        fields = [{one[1] for one in FIELD.finditer(text)} for text in row]
        assert all(one == fields[0] for one in fields), row
        own = [sorted(translations._hide(FIELD.sub("", text))[1]) for text in row]
        assert all(one == own[0] for one in own), row
        for text in row:
            assert text == text.strip(), row
            assert "'" not in re.sub(r"'37/3'|(?<=\w)'s\b", "", text)  # a typographic apostrophe


def test_no_sentence_has_two_rows() -> None:
    assert len({row[0] for row in rows()}) == len(rows())


def sentences(english: str) -> Iterator[str]:
    """Yield a sentence of a row for one and for several things."""
    for number in ("1", "7"):

        def put(found: re.Match[str], number: str = number) -> str:
            name, kind, one, other = found.groups()
            if kind is None:
                return number if name in NUMBERS else "xyz"
            return f"{f'{number} ' * (kind == ':')}{one if number == '1' else other}"

        yield FIELD.sub(put, english)


@pytest.mark.long
def test_each_sentence_is_translated_by_its_own_row() -> None:
    table = translations._table()
    for row in table.ordered:
        for sentence in sentences(row.texts[0]):
            hidden, own = translations._hide(sentence)
            first = next(one for one in table.ordered if one.fit(hidden, own) is not None)
            assert first is row or row.between, (first.texts[0], sentence)


def strings(path: Path, *, of_markers: bool) -> Iterator[str]:
    """Yield the texts in a module; those of markers name slips or make checks."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    left_out: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and of_markers and called(node) in OF_ERRORS:
            left_out.update(map(id, ast.walk(node)))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            left_out.add(id(node.value))
    functions = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and (
            "slip" in node.name
            or any(isinstance(one, ast.Call) and called(one) in OF_CHECKS for one in ast.walk(node))
        )
    ]
    for root in functions if of_markers else [tree]:
        for node in ast.walk(root):
            text = getattr(node, "value", None)
            if isinstance(text, str) and id(node) not in left_out:
                yield text


def called(node: ast.Call) -> str:
    name = getattr(node.func, "id", "") or getattr(node.func, "attr", "")
    return str(name)


OF_CHECKS = ("Failed", "Undecided", "failed", "undecided", "Check", "run_checks")
OF_ERRORS = ("InputError", "MachineFault", "SolverFailed")


def stripped(text: str) -> str:
    return text.strip(" ,;:.()")


@pytest.mark.long
def test_every_sentence_of_a_marker_has_a_row() -> None:
    """The parts of a sentence stand in a row, or the whole of it is translated."""
    english = "\n".join(row[0] for row in rows())
    missing = [
        f"{path.name}: {part}"
        for path in sorted((ROOT / "calmip" / "course").glob("*.py"))
        for part in map(stripped, strings(path, of_markers=True))
        if re.search(r"[a-z]{2,} [a-z]{2,}", part)
        and part not in english
        and part not in NO_SENTENCES
        and all(map(left_in_english, (part, f"{part} 7")))
    ]
    assert not missing, "calmip/course/translations.txt lacks these"


@pytest.mark.long
def test_every_row_is_said_by_calmip() -> None:
    """Each part of a row is one to three texts of the sources."""
    places = (
        "_base/*",
        "course/*",
        "mip/files/**/*",
        "mip/model",
        "puzzle/files/*",
        "puzzle/search/*",
    )
    source = "\n".join(
        text
        for place in places
        for path in sorted((ROOT / "calmip").glob(f"{place}.py"))
        for text in strings(path, of_markers=False)
    )

    def pieces(words: list[str]) -> int:
        for number in range(len(words), 0, -1):
            if stripped(" ".join(words[:number])) in source:
                return 1 + (pieces(words[number:]) if words[number:] else 0)
        return 99

    unsaid = [
        (english, part)
        for english, *_ in rows()
        for part in re.split(r"\{\}", FIELD.sub("{}", english))
        if pieces(part.split() or [""]) > 3
    ]
    assert not unsaid


@given(st.text(max_size=60))
def test_what_a_student_wrote_stays(text: str) -> None:
    for language in OTHERS:
        told = translate(f"always has {quote(text)}; known are ada, bo", language)
        assert quote(text) in told
        assert "known are" not in told


def test_a_sentence_of_calmip_in_an_error_is_translated_and_a_message_of_python_is_not() -> None:
    ours = """build failed: 'TypeError: build returned int, not a model'"""
    assert translate(ours, "de") == (
        "build brach ab: 'TypeError: build gab int zurück, kein Modell'"
    )
    python = """the file failed: "NameError: name 'pulp' is not defined (line 50)\""""
    assert translate(python, "fr").endswith(python.removeprefix("the file failed: "))


def test_long_text_takes_no_time() -> None:
    """A field that tried every colon with every other would take minutes."""
    names = ", ".join(
        f"x_{number} = {number}; the row r of the model: {number}" for number in range(99)
    )
    text = f"the model has a solution that is wrong: {names}"
    assert "das Modell hat eine Lösung" in translate(text, "de")
    assert translate("a. " * 400 + "; b" * 400, "de").startswith("a. a. ")


def test_numbers_and_nouns_agree() -> None:
    assert translate("1 facet is missing", "fr") == "il manque 1 facette"
    assert translate("2 facets are missing", "es") == "faltan 2 facetas"
    assert translate("2 facets are missing", "zh") == "缺少 2 个刻面"
    assert translate("with your cuts the bound is the same as without them", "en").endswith("them")


@pytest.mark.parametrize("language", OTHERS)
def test_titles_are_translated(language: str) -> None:
    for title in EXERCISES.values():
        assert translate(title, language) != title


def test_english_is_what_it_was(tmp_path: Path) -> None:
    marks = grade("4", CUTS)
    assert marks.describe() == grade("4", CUTS, language="en").describe()
    assert marks.checks[0].what == "the file has a bound, an optimum and cuts"


@pytest.mark.long
@pytest.mark.parametrize("language", OTHERS)
def test_a_student_reads_no_english(
    language: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Text, page and every autograder's form; what is not English has no word of it."""
    for form in ("text", "json", "html", "gradescope", "prairielearn", "dodona", "csv"):
        command = ["grade", "4", str(CUTS), "--language", language, "--format", form]
        assert main(command) == 1
        out = capsys.readouterr().out
        out = str(json.loads(out)) if out.startswith("{") else out
        assert translate("the optimum is right", language) in out
        assert "the" not in re.findall(r"\w+", re.sub(r"<style>.*?</style>", "", out))
    page = tmp_path / "page.html"
    main(["grade", "4", str(CUTS), "--language", language, "--format", "html", "-o", str(page)])
    assert f'<html lang="{language}">' in page.read_text(encoding="utf-8")


def test_a_class_has_one_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The pages, the comments of a gradebook, the table; a journal is read in any language."""
    sheet = tmp_path / "worksheet.csv"
    head = "Identifier,Full name,Email address,Grade,Maximum Grade,Feedback comments"
    sheet.write_text(f"{head}\nParticipant 501,Ada L.,ada@uni.example,,10.00,\n")
    folder = tmp_path / "class" / "Ada L._501_assignsubmission_file"
    folder.mkdir(parents=True)
    (folder / "list.txt").write_bytes(LISTED.read_bytes())
    packed = tmp_path / "pages.zip"
    kept = tmp_path / "marks.part"
    for language in ("en", "de"):
        marks = grade_folder(
            "1", [tmp_path / "class"], into=sheet, feedback=packed, language=language,
            journal=kept, resume=kept.exists(),
        )  # fmt: skip
    assert marks.submissions[0].checks[2].what == "alle Lagen von I sind da"
    assert "2 von 10 Punkten<br>0/4 alle Lagen von I sind da: " in sheet.read_text()
    with zipfile.ZipFile(packed) as found:
        texts = [found.read(name).decode() for name in found.namelist()]
    assert len(texts) == 2
    for text in texts:
        assert "Aufgabe 1: Die Lagen von Hand auflisten" in text
        assert "2 von 10 Punkten" in text
        assert "are there" not in text
    assert '"are there"' not in kept.read_text()
    assert "placements of I are there" in kept.read_text()


@pytest.mark.long
def test_what_marks_a_submission_later_knows_the_language(tmp_path: Path) -> None:
    grade_autograder("2", tmp_path / "a.zip", language="fr")
    with zipfile.ZipFile(tmp_path / "a.zip") as found:
        assert b" --language fr" in found.read("run_autograder")
    grade_question("2", tmp_path / "question", language="es")
    assert " --language es" in (tmp_path / "question" / "tests" / "run.sh").read_text()
    grade_notebook("2", tmp_path / "a.ipynb", language="zh")
    assert 'answer, language=\\"zh\\")' in (tmp_path / "a.ipynb").read_text()
    submission = tmp_path / "submission"
    submission.mkdir()
    command = ["grade", "submission", "1", str(submission), "--language", "de", "--format", "json"]
    assert main([*command, "-o", str(tmp_path / "results.json")]) == 1
    (check,) = json.loads((tmp_path / "results.json").read_text())["checks"]
    assert check["fault"] == "es gibt keine Datei .txt; gib eine ab"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_malformed_file_costs_no_attempt_in_any_language(language: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text("{")
    assert not json.loads(prairielearn(grade("4", path, language=language)))["gradable"]
    path.write_bytes(CUTS.read_bytes())
    assert json.loads(prairielearn(grade("4", path, language=language)))["gradable"]
    assert MALFORMED.search(translate("is not a notebook of Jupyter, format 4", language))


def test_an_unknown_language_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["grade", "4", str(CUTS), "--language", "tlh"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert all(language in error for language in LANGUAGES)
    with pytest.raises(InputError, match="there is no language 'tlh'; use one of en, de, fr, es"):
        grade("4", CUTS, language="tlh")
