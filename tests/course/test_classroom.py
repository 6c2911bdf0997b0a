"""Every mark has its student, by whatever name a platform calls file and student."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest

import calmip
from calmip._base.errors import InputError
from calmip.cli import main
from calmip.course.classroom import (
    Student,
    Submission,
    find_submissions,
    parse_deadline,
    read_roster,
)

CANVAS = (
    "\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,Placements (17)\n"
    "    Points Possible,,,,,10\n"
    '"Adams, Ana",123,s007,ana,A,\n'
    '"Brown, Bob",124,s008,bob,A,\n'
    '"Adams, Ana",125,s009,ana2,B,\n'
    '"Student, Test",9,,,A,\n'
)
MOODLE = (
    "Identifier;Full name;ID number;Email address;Status\n"
    "Participant 501;Ana Adams;s007;ana@x.edu;Submitted\n"
    "Participant 502;Bob Brown;;bob@x.edu;Submitted\n"
)


def roster(folder: Path, text: str) -> tuple[Student, ...]:
    path = folder / "roster.csv"
    path.write_text(text, encoding="utf-8")
    return read_roster(path)


def found(
    folder: Path, names: Sequence[str], students: Sequence[Student] | None = None
) -> dict[str, str]:
    """Return the file of each student, among empty files of these names."""
    for number, name in enumerate(names):
        path = folder / "class" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        os.utime(path, (1_700_000_000 + number,) * 2)
    every = find_submissions([folder / "class"], ".txt", students, unnamed=("1-placements",))
    return {
        one.student: "" if one.path is None else str(one.path.relative_to(folder / "class"))
        for one in every
    }


def test_an_export_of_canvas_is_a_roster(tmp_path: Path) -> None:
    students = roster(tmp_path, CANVAS)
    assert [one.name for one in students] == ["s007", "s008", "s009"]
    assert (students[1].first, students[1].last) == ("Bob", "Brown")
    names = ["adamsana_LATE_123_456_s008.txt", "brownbob_124_457_mine.txt"]
    assert found(tmp_path, names, students) == {"s007": names[0], "s008": names[1], "s009": ""}


def test_a_name_that_two_students_have_is_nobodys(tmp_path: Path) -> None:
    students = roster(tmp_path, CANVAS)
    assert found(tmp_path, ["adamsana_999_456_x.txt"], students)[""] == "adamsana_999_456_x.txt"


def test_the_platform_counts_before_the_name_that_a_student_chose(tmp_path: Path) -> None:
    students = roster(tmp_path, CANVAS)
    (one, *_) = find_submissions([Path("adamsana_LATE_123_456_s008.txt")], ".txt", students)
    assert one.student == "s007"
    assert one.notes == ("Canvas marks it as late", "adamsana_LATE_123_456_s008.txt names s008 too")


def test_a_roster_of_ones_own_knows_the_files_of_canvas_by_the_students_own_name(
    tmp_path: Path,
) -> None:
    students = roster(tmp_path, "student\ns007\n")
    names = ["adamsana_LATE_123_456_s007.txt"]
    assert found(tmp_path, names, students) == {"s007": names[0]}


def test_an_export_of_moodle_is_a_roster(tmp_path: Path) -> None:
    students = roster(tmp_path, MOODLE)
    assert [one.name for one in students] == ["s007", "bob@x.edu"]
    names = [
        "Ana Adams_501_assignsubmission_file_x.txt",
        "Somebody_502_assignsubmission_file_/answer.txt",
    ]
    assert found(tmp_path, names, students) == {"s007": names[0], "bob@x.edu": names[1]}


def test_gradescopes_roster_and_an_own_one_are_read(tmp_path: Path) -> None:
    scope = "First Name,Last Name,SID,Email,Sections\nAna,Adams,s007,ana@x.edu,A\n"
    (one,) = roster(tmp_path, scope)
    assert (one.name, one.first, one.last, one.email) == ("s007", "Ana", "Adams", "ana@x.edu")
    assert found(tmp_path, ["ana@x.edu.txt"], [one]) == {"s007": "ana@x.edu.txt"}


def test_without_a_roster_files_and_folders_name_the_students(tmp_path: Path) -> None:
    names = [
        "ada/answer.txt",
        "bob/answer.txt",
        "carl.txt",
        "dora/1-placements.txt",
        "adamsana_LATE_123_456_x.txt",
        "Eve E_7_assignsubmission_file_/y.txt",
        "fay (1).txt",
    ]
    assert set(found(tmp_path, names)) == {"ada", "bob", "carl", "dora", "adamsana", "Eve E", "fay"}


def test_folders_that_are_the_same_for_all_name_nobody(tmp_path: Path) -> None:
    names = ["ada/ex1/x.txt", "bob/ex1/x.txt"]
    assert found(tmp_path, names) == {"ada": names[0], "bob": names[1]}


def test_the_last_of_two_files_counts_and_it_is_said(tmp_path: Path) -> None:
    students = roster(tmp_path, "student\ns007\n")
    names = ["s007 (1).txt", "old/s007.txt", "s007.txt"]
    assert found(tmp_path, names, students) == {"s007": "s007.txt"}
    (one,) = find_submissions([tmp_path / "class"], ".txt", students)
    assert "3 files; the last one counts, of 2023-11-1" in one.notes[0]
    assert "s007 (1).txt" in one.notes[0]
    for name in names:
        os.utime(tmp_path / "class" / name, (1_700_000_000,) * 2)
    (one,) = find_submissions([tmp_path / "class"], ".txt", students)
    assert one.path is not None
    assert one.path.name == "s007 (1).txt"  # at the same second the copy's number decides


def test_a_file_in_anothers_folder_does_not_replace_ones_own(tmp_path: Path) -> None:
    students = roster(tmp_path, "student\nada\nbob\n")
    names = ["ada.txt", "bob/ada.txt"]  # the second is later, and perhaps bob's
    assert found(tmp_path, names, students) == {"ada": "ada.txt", "bob": ""}


def test_full_names_are_known_and_the_columns_for_them_count(tmp_path: Path) -> None:
    students = roster(tmp_path, "student,name\ns007,Ana Adams\ns008,Bob Brown\n")
    names = ["Ana Adams.txt", "bob  brown/x.txt"]
    assert found(tmp_path, names, students) == {"s007": names[0], "s008": names[1]}
    text = 'student,name,first name,last name\ns007,"Adams, A.",Ana,Adams-Lee\n'
    (one,) = roster(tmp_path, text)
    assert (one.first, one.last) == ("Ana", "Adams-Lee")


def test_a_roster_without_students_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no student on this roster"):
        roster(tmp_path, "student\n")


def test_the_folder_of_the_class_names_nobody(tmp_path: Path) -> None:
    assert found(tmp_path, ["answer.txt", "bob.txt"]) == {"answer": "answer.txt", "bob": "bob.txt"}


def test_accents_in_two_characters_are_the_same(tmp_path: Path) -> None:
    students = roster(tmp_path, "student\njos\u00e9\n")
    names = ["jose\u0301.txt"]
    assert list(found(tmp_path, names, students)) == ["jos\u00e9"]
    assert "" not in found(tmp_path, names, students)


def test_a_suffix_in_capitals_is_one(tmp_path: Path) -> None:
    assert found(tmp_path, ["ada.TXT"]) == {"ada": "ada.TXT"}


STAMPED = datetime.fromisoformat("2026-11-20T10:00:00.500000+00:00")
WRITTEN = datetime.fromisoformat("2026-11-22T08:00:00+00:00")


def stamp(folder: Path, when: str = "2026-11-20 10:00:00.5 UTC\n") -> Path:
    """Put a file that was written later, and the time stamp, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "timestamp.txt").write_text(when)
    (folder / "x.txt").write_text("x")
    os.utime(folder / "x.txt", (WRITTEN.timestamp(),) * 2)
    return folder / "x.txt"


@pytest.mark.parametrize("mark", ["nbgrader_config.py", "gradebook.db"])
def test_the_time_of_nbgrader_counts_in_its_own_tree(
    mark: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = stamp(tmp_path / "submitted" / "ada" / "ex1")
    (tmp_path / mark).touch()
    for given in (tmp_path, tmp_path / "submitted", file.parents[1], file.parent):
        (one,) = find_submissions([given], ".txt")
        assert (one.path, one.time, one.notes) == (file, STAMPED, ())
    inner = stamp(file.parent / "inner", "2026-11-01 10:00:00 UTC")  # ada's own
    times = [one.time for one in find_submissions([tmp_path], ".txt", ())]
    assert times == [STAMPED, STAMPED]
    inner.unlink()
    monkeypatch.chdir(tmp_path)
    for named in (file, file.relative_to(tmp_path)):
        (one,) = find_submissions([named], ".txt")
        assert one.time == STAMPED


def test_a_time_stamp_of_a_student_is_not_believed_nor_marked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = tmp_path / "class" / "ada"
    forged = [
        stamp(ada),
        stamp(tmp_path / "class" / "submitted" / "bob" / "ex1"),  # no course of nbgrader's
        stamp(ada / "submitted" / "ada" / "ex1"),
    ]
    for name in ("nbgrader_config.py", "gradebook.db"):
        (ada / name).touch()
    for given in ([tmp_path / "class"], forged):
        found = find_submissions(given, ".txt", ())
        assert {one.path for one in found} == {*forged}
        for one in found:
            assert one.time == WRITTEN
            assert "timestamp.txt beside it says 2026-11-2" in one.notes[0]
    (tmp_path / "class" / "timestamp.txt").write_text(RIGHT)
    assert {one.path for one in find_submissions([tmp_path / "class"], ".txt", ())} == {*forged}
    os.utime(forged[0], (STAMPED.timestamp(),) * 2)  # it says what the system does
    (one, *_) = find_submissions([forged[0]], ".txt")
    assert one.notes == ()
    students = roster(tmp_path, "student\nada\n")
    for path in forged:
        path.unlink()
    (one,) = find_submissions([tmp_path / "class" / "ada"], ".txt", students)
    assert "there is no file .txt of this student" in one.fault


@pytest.mark.parametrize("place", ["{0}.txt", "{0}/answer.txt", "of {0}/{0}.txt"])
def test_names_that_differ_in_case_are_different_students(place: str, tmp_path: Path) -> None:
    folder, pages, table = tmp_path / "class", tmp_path / "pages", tmp_path / "marks.json"
    names = ["SS", "ss", "\u00df"]
    for number, name in enumerate(names):
        path = folder / place.format(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(RIGHT + "I: 00 01\n" * number)
    if len([*folder.iterdir()]) < 3:
        pytest.skip("the file system takes two of them for one")
    found = calmip.grade.folder("1", [folder], feedback=pages)
    students = [one.student for one in found.submissions]
    assert sorted(students) == [f"of {one}" if place[0] == "o" else one for one in names]
    assert [one.notes for one in found.submissions] == [()] * 3
    assert len([*pages.iterdir()]) == 6
    table.write_text(json.dumps(found.describe()))
    again = calmip.grade.folder("1", [folder], before=table)
    assert [one.before for one in again.submissions] == [one.marks for one in found.submissions]
    assert again.notes == ("no marks changed",)


def test_a_deadline_is_a_date_or_a_moment() -> None:
    assert parse_deadline("2026-11-20").isoformat().startswith("2026-11-20T23:59:59")
    assert parse_deadline("2026-11-20T18:00+01:00") == datetime.fromisoformat(
        "2026-11-20T17:00:00+00:00"
    )
    for wrong in ("", "tomorrow", "20.11.2026", "2026-13-01"):
        with pytest.raises(InputError, match="the deadline is a date"):
            parse_deadline(wrong)


RIGHT = "L: 00 01 02 10\n"


def test_each_row_of_each_form_has_its_student(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("roster.csv").write_text("student,first name,last name\nada,Ada,Lee\nbob,Bob,M\nzoe,Z,O\n")
    Path("class").mkdir()
    for name in ("ada", "bob", "nobody"):
        path = Path("class", f"{name}.txt")
        path.write_text(RIGHT if name != "nobody" else "x")
        os.utime(path, (1_700_000_000,) * 2)
    Path("class", "zoe.docx").write_text("not this")
    command = ["grade", "1", "class", "--roster", "roster.csv", "--deadline", "2023-11-10"]
    assert main([*command, "--format", "csv"]) == 1
    out, err = capsys.readouterr()
    rows = list(csv.DictReader(out.splitlines()))
    assert [row["student"] for row in rows] == ["ada", "bob", "zoe", ""]
    assert [row["file"] for row in rows][2:] == ["", "class/nobody.txt"]
    assert rows[2]["faults"] == "there is no file .txt of this student; found zoe.docx"
    assert rows[0]["notes"] == "identical to the file of bob"
    assert int(rows[0]["late"]) > 3 * 86400
    assert "1/4 " in err
    assert "a file is handed in" not in rows[0]
    assert main([*command, "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)["submissions"]
    assert [one["student"] for one in found] == ["ada", "bob", "zoe", ""]
    assert main([*command, "--format", "nbgrader"]) == 1
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert [(row["student_id"], row["last_name"]) for row in rows] == [
        ("ada", "Lee"),
        ("bob", "M"),
        ("zoe", "O"),
        ("", ""),
    ]
    assert main(command) == 1
    text = capsys.readouterr().out
    assert "  zoe  there is no file .txt" in text
    assert "late by 3 d" in text
    assert "1 without a file; 2 late" not in text  # the file without a student is late too
    assert "1 without a file; 3 late; 1 not on the roster" in text
    assert main([*command, "--format", "html"]) == 1
    assert "<td" in capsys.readouterr().out
    one = ["grade", "1", "class/ada.txt", "--format", "gradescope"]
    assert main(one) == 1
    shown = json.loads(capsys.readouterr().out)
    assert "(ada, ada.txt)" in shown["output"]


def test_changes_since_earlier_marks_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("class").mkdir()
    for name in ("ada", "bob"):
        Path("class", f"{name}.txt").write_text(RIGHT)
    for form in ("csv", "json", "nbgrader"):
        assert main(["grade", "1", "class", "--format", form, "-o", f"{form}.out"]) == 1
    Path("class", "bob.txt").write_text("x")
    Path("class", "carl.txt").write_text("x")
    before = calmip.grade("1", "class/ada.txt").marks
    for form in ("csv", "json", "nbgrader"):
        capsys.readouterr()
        assert main(["grade", "1", "class", "--before", f"{form}.out"]) == 1
        out, err = capsys.readouterr()
        assert f"2 changed: bob {before} -> 0; carl - -> 0" in err
        assert f"bob  class/bob.txt  (before: {before})" in out
    # Without the option the file that is replaced counts, if it has marks of this exercise.
    assert main(["grade", "1", "class", "-o", "csv.out", "--format", "csv"]) == 1
    assert f"2 changed: bob {before} -> 0; carl - -> 0" in capsys.readouterr().err
    assert main(["grade", "1", "class", "-o", "csv.out", "--format", "csv"]) == 1
    assert "no marks changed" in capsys.readouterr().err
    Path("other.csv").write_text("a,b\n1,2\n")
    assert main(["grade", "1", "class", "-o", "other.csv"]) == 1
    assert "changed" not in capsys.readouterr().err
    Path("other.csv").write_text("a,b\n1,2\n")
    assert main(["grade", "1", "class", "--before", "other.csv"]) == 2
    assert "other.csv: is not a file of marks" in capsys.readouterr().err
    assert main(["grade", "4", "class", "--before", "csv.out"]) == 2
    assert "has the marks of exercise 1, not 4" in capsys.readouterr().err


def test_a_page_for_each_student_has_the_boards_and_no_notes(tmp_path: Path) -> None:
    (tmp_path / "class").mkdir()
    for name in ("ada", "bob"):
        (tmp_path / "class" / f"{name}.txt").write_text("L: 00 01 02 10\nI: 00 01\n")
    found = calmip.grade.folder("1", [tmp_path / "class"], feedback=tmp_path / "pages")
    assert all("identical" in one.notes[0] for one in found.submissions)
    names = {path.name for path in (tmp_path / "pages").iterdir()}
    assert names == {"ada.html", "ada.txt", "bob.html", "bob.txt"}
    for name in names:
        page = (tmp_path / "pages" / name).read_text(encoding="utf-8")
        assert "identical" not in page
        assert ("bob" in page) == name.startswith("bob")
        assert "are missing" in page
        assert page.count("<svg") == (2 if name.endswith("html") else 0)
    assert "+-----" in (tmp_path / "pages" / "ada.txt").read_text()


def test_a_marking_that_was_stopped_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, journal = tmp_path / "class", tmp_path / "part"
    folder.mkdir()
    for name in ("ada", "bob", "carl", "dora"):
        (folder / f"{name}.txt").write_text(f"# {name}\n{RIGHT}I: 00 01\nI: 00 01\n")
    whole = calmip.grade.folder("1", [folder])
    seen = []

    def stop(now: calmip.course.grade.Progress) -> None:
        seen.append(now)
        if len(seen) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        calmip.grade.folder("1", [folder], journal=journal, progress=stop)
    (folder / "ada.txt").write_text("x")  # a changed file is marked again
    marked = []
    real = calmip.course.class_marking.checks_of
    monkeypatch.setattr(
        "calmip.course.class_marking.checks_of",
        lambda *given, **more: marked.append(given[1].name) or real(*given, **more),
    )
    again = calmip.grade.folder("1", [folder], journal=journal, resume=True)
    assert marked == ["ada.txt", "carl.txt", "dora.txt"]
    assert again.submissions[1:] == whole.submissions[1:]
    assert again.submissions[0].marks == 0


def test_workers_give_the_same_marks(tmp_path: Path) -> None:
    for number in range(12):
        text = RIGHT + "I: 00 01\n" * (number % 3)
        (tmp_path / f"s{number:02}.txt").write_text(text)
    assert (
        calmip.grade.folder("1", [tmp_path], workers=3).submissions
        == calmip.grade.folder("1", [tmp_path]).submissions
    )


def test_a_missing_submission_has_no_path() -> None:
    assert Submission(None, "missing", "ada").path is None


def test_a_roster_that_breaks_is_no_csv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        line_num = 2

        def __init__(self, *_: object, **__: object) -> None:
            self.lines = iter([["student"], ["ada"]])

        def __iter__(self) -> Broken:
            return self

        def __next__(self) -> list[str]:
            for line in self.lines:
                return line
            raise csv.Error("field larger than field limit")

    path = tmp_path / "roster.csv"
    path.write_text("student\nada\n")
    assert [one.name for one in read_roster(path)] == ["ada"]
    monkeypatch.setattr(csv, "reader", Broken)
    with pytest.raises(InputError, match="is not CSV: field larger than field limit") as raised:
        read_roster(path)
    assert raised.value.line == 2
