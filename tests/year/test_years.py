"""Boards with weekdays give new puzzles for years: how many, and calendars of them."""

import datetime
import json
from pathlib import Path

import pytest

from calmip import read_puzzle
from calmip.cli import main
from calmip.puzzle.dates import labels_of_date, new_days
from calmip.puzzle.documents.reader import bundled_puzzles


def test_six_years_of_weekdays_are_all_new() -> None:
    groups = read_puzzle("weekday-8x7").groups
    assert new_days(groups, datetime.date(2026, 1, 1)) == 2191
    assert new_days(read_puzzle("a-puzzle-a-day").groups, datetime.date(2026, 1, 1)) == 365
    # The board of years 2021 to 2032 ends.
    years = read_puzzle("kao-pentomino-year-8x8").groups
    left = datetime.date(2032, 12, 31) - datetime.date(2026, 1, 1)
    assert new_days(years, datetime.date(2026, 1, 1)) == left.days + 1


@pytest.mark.parametrize("name", bundled_puzzles())
@pytest.mark.parametrize("first", [datetime.date(2027, 1, 1), datetime.date(2028, 2, 29)])
def test_no_day_comes_twice_until_one_does(name: str, first: datetime.date) -> None:
    groups = read_puzzle(name).groups
    days = new_days(groups, first)
    dates = [first + datetime.timedelta(n) for n in range(days)]
    assert len({tuple(labels_of_date(groups, date).values()) for date in dates}) == days
    # The weekday alone decides, for which the calendar is a second witness.
    after = first + datetime.timedelta(days)
    if "year" in groups:
        assert after.year == 2033
        return
    assert labels_of_date(groups, after) in [labels_of_date(groups, day) for day in dates]
    alike = [day for day in dates if (day.month, day.day) == (after.month, after.day)]
    if "weekday" in groups:
        assert any(day.weekday() == after.weekday() for day in alike)
    else:
        assert alike


@pytest.mark.long
def test_a_year_says_how_many_different_puzzles_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["year", "praxis-rhombus", "--year", "2026"]) == 0
    out = capsys.readouterr().out
    assert "2,191 different puzzles: none comes twice from 2026-01-01 to 2031-12-31" in out
    assert main(["year", "praxis-rhombus"]) == 0
    assert "2,562 different puzzles; most dates" in capsys.readouterr().out
    assert main(["year", "a-puzzle-a-day", "--year", "2026"]) == 0
    assert "none comes twice" not in capsys.readouterr().out


@pytest.mark.long
def test_calendars_of_several_years(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "week.json"
    command = ["calendar", "weekday-8x7", "-o", str(path)]
    assert main([*command, "--year", "2026-2027"]) == 0
    assert "730 days, 730 different puzzles" in capsys.readouterr().err
    names = ["week-2026.json", "week-2027.json"]
    assert sorted(file.name for file in tmp_path.iterdir()) == names
    found = [json.loads((tmp_path / name).read_text()) for name in names]
    assert [one["year"] for one in found] == [2026, 2027]
    # Each is what the command for one year writes.
    assert main(["calendar", "weekday-8x7", "--year", "2027", "-o", str(path)]) == 0
    assert path.read_bytes() == (tmp_path / names[1]).read_bytes()
    # With --resume, years that are there are kept.
    (tmp_path / names[0]).write_text("mine")
    (tmp_path / names[1]).unlink()
    assert main([*command, "--year", "2026-2027", "--resume"]) == 0
    assert (tmp_path / names[0]).read_text() == "mine"
    assert path.read_bytes() == (tmp_path / names[1]).read_bytes()


@pytest.mark.long
def test_months_and_days_come_again_every_year(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["calendar", "a-puzzle-a-day", "-o", str(tmp_path / "two.json")]
    assert main([*command, "--year", "2027-2028"]) == 0
    assert "731 days, 366 different puzzles" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--year", "2026-27"], "such as 2026-2031, not '2026-27'"),
        (["--year", "2027-2026"], "such as 2026-2031"),
        (["--year", "1000-9999"], "at most 100 years"),
        (["--year", "2026-2027", "--year", "2026"], "--year is given twice"),
    ],
)
def test_wrong_years(
    options: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["calendar", "a-puzzle-a-day", "-o", str(tmp_path / "years.json"), *options]
    assert main(command) == 2
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_years_need_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calendar", "a-puzzle-a-day", "--year", "2026-2027"]) == 2
    assert "name the files with -o" in capsys.readouterr().err


@pytest.mark.long
def test_the_option_of_the_last_version_still_names_years(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "week.json"
    assert main(["calendar", "weekday-8x7", "--year", "2027-2027", "-o", str(path)]) == 0
    assert [file.name for file in tmp_path.iterdir()] == ["week-2027.json"]
