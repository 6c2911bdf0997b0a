"""What CI runs for a change: fewer parts if the change is in trades alone."""

import subprocess
import sys
from pathlib import Path

import pytest
from trades import ROOT, TRADES

pytestmark = pytest.mark.skipif(not (ROOT / ".ci").is_dir(), reason="in the repository only")

if (ROOT / ".ci").is_dir():
    import changes
    import parts


def test_the_trades_are_those_with_a_door() -> None:
    assert changes.trades() == set(TRADES)


@pytest.mark.parametrize(
    ("files", "found"),
    [
        (["calmip/year/year.py", "tests/year/test_year.py", "CHANGELOG.md"], {"year"}),
        (["calmip/bench/compare.py", "calmip/design/design.py"], {"bench", "design"}),
        (["calmip/year/year.py", "calmip/puzzle/cover.py"], set()),
        (["calmip/year/year.py", "calmip/features.py"], set()),
        (["calmip/years/new.py"], set()),
        (["tests/conftest.py"], set()),
        (["pyproject.toml", "calmip/year/year.py"], set()),
        ([], set()),
    ],
)
def test_anything_outside_of_trades_needs_everything(files: list[str], found: set[str]) -> None:
    assert changes.trades_of(files) == found


@pytest.mark.trade("year")
def test_a_change_in_a_trade_runs_its_tests_the_doors_and_the_core(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(changes, "changed_since", lambda _: ["calmip/year/year.py"])
    few = {part.name: part for part in parts.for_change("main")}
    assert {*changes.PARTS} <= few.keys() < {part.name for part in parts.parts()}
    folders = [word for word in few["tests"].nox if word.startswith("tests/")]
    assert folders[0] == "tests/year"
    assert {*changes.DOORS, *changes.CORE} == {*folders[1:]}
    assert all((ROOT / folder).is_dir() for folder in folders)


def test_a_change_anywhere_else_runs_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "changed_since", lambda _: ["calmip/mip/model.py"])
    names = [part.name for part in parts.parts()]
    assert [part.name for part in parts.for_change("main")] == names


def test_what_changed_is_what_git_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def git(*words: str) -> None:
        subprocess.run(["git", *words], cwd=tmp_path, check=True, capture_output=True)

    git("init", "--initial-branch", "main")
    git("config", "user.name", "N")
    git("config", "user.email", "n@example.com")
    (tmp_path / "a").write_text("1")
    git("add", ".")
    git("commit", "-m", "one")
    git("checkout", "-b", "topic")
    (tmp_path / "b c").write_text("2")
    git("add", ".")
    git("commit", "-m", "two")
    monkeypatch.setattr(changes, "ROOT", tmp_path)
    assert changes.changed_since("main") == ["b c"]


def test_a_revision_is_needed() -> None:
    command = [sys.executable, str(ROOT / ".ci" / "parts.py"), "--changed-since"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        1,
        "--changed-since needs one revision, such as origin/main\n",
    )


@pytest.mark.parametrize(("words", "shared"), [([], True), (["--whole"], False)])
@pytest.mark.parametrize("names", [[], ["waiting", "tests", "oldest", "documents", "battery"]])
def test_a_share_of_the_tests_runs_unless_the_whole_is_asked_for(
    words: list[str], names: list[str], shared: bool
) -> None:
    asked = parts.asked([*words, *names])
    found = {part.name: {"--sixth", "--half"} & {*part.nox} for part in asked}
    drawn = {name: share for name, share in found.items() if share}
    expected = {key: {"--sixth"} for key in ("waiting", "tests", "documents", "battery")}
    assert drawn == (expected | {"oldest": {"--half"}} if shared else {})
