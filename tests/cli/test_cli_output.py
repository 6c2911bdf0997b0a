"""Where results go: files, links, folders, devices, closed and full streams."""

from __future__ import annotations

import errno
import json
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from processes import HANG_SECONDS

from calmip._base.files import part_file
from calmip.cli import main

TINY = "instances/tiny.yaml"

# Every command that writes a file, with the name of a file that it can write.
WRITERS = {
    "solve": ["solve", TINY],
    "enumerate": ["enumerate", TINY],
    "enumerate json": ["enumerate", TINY, "--format", "json"],
    "count": ["count", TINY],
    "export": ["export", TINY],
    "export pyomo": ["export", TINY, "--formulation", "pyomo"],
}
EACH = pytest.mark.parametrize("command", WRITERS.values(), ids=WRITERS)


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("calmip: error: ")
    assert err.endswith("\n")
    assert err[:-1].isprintable()
    return err


def suffix(command: list[str]) -> str:
    return ".lp" if "export" in command else ".json" if "json" in command else ".txt"


@EACH
def test_what_is_no_file_is_not_replaced(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: list[str]
) -> None:
    # A device in the eyes of the program, and safe to lose: enumerate replaced even /dev/null.
    end = suffix(command)
    pipe = tmp_path / f"pipe{end}"
    os.mkfifo(pipe)
    assert "is a device" in refused(capsys, *command, "-o", str(pipe))
    assert stat.S_ISFIFO(pipe.lstat().st_mode)
    link = tmp_path / f"link{end}"
    link.symlink_to(pipe)
    assert "is a device" in refused(capsys, *command, "-o", str(link))
    assert stat.S_ISFIFO(link.stat().st_mode)
    folder = tmp_path / f"folder{end}"
    folder.mkdir()
    assert "is a folder" in refused(capsys, *command, "-o", str(folder))
    assert {path.stem for path in tmp_path.rglob("*")} == {"pipe", "link", "folder"}


@EACH
def test_names_that_no_file_can_have(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: list[str]
) -> None:
    end = suffix(command)
    inside = refused(capsys, *command, "-o", str(tmp_path / "no\x1b[31m\nfolder" / f"x{end}"))
    assert "there is no folder" in inside
    assert "no\\x1b[31m\\nfolder'; make it first" in inside
    assert "cannot be written" in refused(capsys, *command, "-o", str(tmp_path / ("x" * 400 + end)))
    for name in ("", ".", "..", "/"):
        refused(capsys, *command, "-o", name)
    assert list(tmp_path.iterdir()) == []


@EACH
def test_a_link_is_followed_and_permissions_are_kept(tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "there").mkdir()
    end = suffix(command)
    target, link = tmp_path / "there" / f"real{end}", tmp_path / f"link{end}"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    assert main([*command, "-o", str(link)]) == 0
    assert link.is_symlink()
    assert target.read_text() not in ("", "old")
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert [path.name for path in target.parent.iterdir()] == [f"real{end}"]


def test_a_link_in_the_place_of_the_growing_file_is_not_followed(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("precious")
    (tmp_path / "all.txt.part").symlink_to(precious)
    assert main(["enumerate", TINY, "-o", str(tmp_path / "all.txt")]) == 0
    assert precious.read_text() == "precious"
    assert "2 tilings" in (tmp_path / "all.txt").read_text()


EVIL = """
name: "{name}"
grid: ["1 2", "3 4"]
uncover: [day]
pieces: {{domino: ["##"], square: ["#"]}}
note: "first\\n\\e]0;title\\a\\u202e"
sources: ["\\e[2J", "https://example.org"]
counts: {{"\\e[1m": "\\u2066"}}
"""


def test_what_a_file_says_cannot_steer_a_terminal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "evil.yaml"
    path.write_text(EVIL.format(name="Harmless"))
    assert main(["puzzles", str(path)]) == 0
    out = capsys.readouterr().out
    assert all(line.isprintable() for line in out.splitlines())
    for found in ("note: first\n\\x1b]0;title\\x07\\u202e\n", "  \\x1b[2J\n", "\\x1b[1m  \\u2066"):
        assert found in out
    for name in ("\\e[31m", "\\u202e", "two\\nlines", "x" * 201):
        path.write_text(EVIL.format(name=name))
        assert f"{path}:2: name has up to 200 printable characters" in refused(
            capsys, "solve", str(path), "--reveal", "4"
        )
    path.write_text('puzzle: a-puzzle-a-day\nreveal: [Jan, "1"]\nname: "\\e[31m"\n')
    assert f"{path}:3: name has up to 200" in refused(capsys, "solve", str(path))
    path.write_text(EVIL.format(name="x").replace("[day]", '["d\\n"]') + 'groups: {"d\\n": ["4"]}')
    assert "a group's name has 1 to 60 printable" in refused(capsys, "puzzles", str(path))


@pytest.mark.parametrize("name", [b"\xff.yaml", b"\x1b[31m\n.yaml", b"\xe2\x80\xae.yaml"])
def test_a_file_whose_name_is_no_harmless_text(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: bytes
) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/" + name)
    Path(path).write_bytes(Path(TINY).read_bytes())
    out = tmp_path / "out.json"
    for command in ("solve", "enumerate", "count"):
        assert main([command, path, "--format", "json", "-o", str(out)]) == 0
        assert json.loads(out.read_text(encoding="utf-8"))
        assert out.read_text(encoding="utf-8").rstrip("\n").isprintable()
        assert main([command, path]) == 0
    assert main(["export", path, "-o", str(tmp_path / "out.lp")]) == 0
    shown = capsys.readouterr()
    assert all(line.isprintable() for line in (shown.out + shown.err).splitlines())
    Path(path).write_text("grid: [1]")
    assert ".yaml:1: a puzzle needs the key 'pieces'" in refused(capsys, "solve", path)


@pytest.mark.long
@pytest.mark.parametrize(
    ("command", "code"),
    [
        # Nobody listens on stderr: results and exit codes stay what they are.
        (f"enumerate {TINY} --format jsonl -q 2>&-", 0),
        (f"export {TINY} -o OUT 2>/dev/full", 0),
        ("solve nosuch 2>/dev/full", 2),
        # A closed stdout matters only to those who would write to it.
        (f"solve {TINY} -o OUT >&-", 0),
        (f"solve {TINY} -o OUT <&- >&- 2>&-", 0),
        (f"solve {TINY} >&-", 2),
        ("--version >&-", 2),
        (f"solve {TINY} > /dev/full", 2),
    ],
)
def test_closed_and_full_streams_keep_the_exit_code(
    tmp_path: Path, command: str, code: int
) -> None:
    out = tmp_path / f"out{suffix(command.split())}"
    shell = f"{sys.executable} -m calmip {command}".replace("OUT", str(out))
    done = subprocess.run(
        shell, shell=True, capture_output=True, text=True, timeout=HANG_SECONDS, check=False
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    assert out.exists() == ("OUT" in command)
    if out.exists():
        # With stdout closed, its number must not have gone to this file.
        assert out.read_text()[:2] in ("+-", "1.", "\\ ")
    if code == 2 and "2>" not in command:
        assert done.stderr.startswith("calmip: error: cannot write the output: ")


def test_a_bug_of_ours_is_no_proof_of_anything(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from calmip.__main__ import run

    def broken() -> int:
        raise AssertionError("broken")

    monkeypatch.setattr("calmip._base.signals.ignore_signals", lambda: None)
    monkeypatch.setattr("calmip._base.signals.listen", lambda: None)
    monkeypatch.setattr("calmip.cli.main", broken)
    with pytest.raises(SystemExit) as left:
        run()
    assert left.value.code == 4  # not 1, which says that there is no tiling
    assert "report the lines above" in capsys.readouterr().err
    monkeypatch.setattr("calmip.cli.main", lambda: signal.raise_signal(signal.SIGINT))
    with pytest.raises(SystemExit) as left:
        run()
    assert left.value.code == 130


def test_no_command_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    alone = capsys.readouterr()
    assert main(["--help"]) == 0
    assert alone == capsys.readouterr()
    assert alone.out.startswith("Usage: calmip ")


WORDS = """
grid: ["日 é", "😀 4"]
uncover: [day]
groups: {day: [日, é, 😀, "4"]}
pieces: {домино: ["##"], "[red]": ["#"]}
"""


@pytest.mark.long
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8", "cp1252", "cp437"])
def test_json_is_valid_in_every_encoding(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "words.yaml"
    path.write_text(WORDS, encoding="utf-8")
    command = [sys.executable, "-m", "calmip", "solve", str(path), "--reveal", "4"]
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "LC_ALL": "C"}
    done = subprocess.run(
        [*command, "--format", "json"],
        capture_output=True,
        env=environment,
        timeout=HANG_SECONDS,
        check=True,
    )
    (tiling,) = json.loads(done.stdout.decode(encoding))["tilings"]
    assert {placed["piece"] for placed in tiling["placements"]} == {"домино", "[red]"}


def test_contradicting_options_of_count(capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, "count", TINY, "--any-cells", "2", "--any-cells", "3")
    assert "--any-cells is given twice" in said
    for more in (["--reveal", "3"], ["--date", "today"]):
        said = refused(capsys, "count", TINY, "--any-cells", "1", *more)
        assert "exclude each other; leave out one" in said


def test_two_runs_do_not_write_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.jsonl"
    arguments = ["enumerate", TINY, "--format", "jsonl", "-o", str(out)]
    with part_file(out) as write:
        write("the first run's\n")
        assert main(arguments) == 2
        said = capsys.readouterr().err
        assert said == (
            f"calmip: error: {out}.part: another run is writing this file; "
            "wait for its end, or choose another name\n"
        )
    assert out.read_text() == "the first run's\n"
    assert main(arguments) == 0
    assert len(out.read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (FileNotFoundError(errno.ENOENT, "No such file", "x.json"), "x.json: No such file"),
        (OSError(errno.ENOSPC, "No space left"), "cannot write the output: No space left"),
        (
            OSError(errno.EMFILE, "Too many open files"),
            "operating system error: Too many open files",
        ),
    ],
)
def test_what_the_system_refuses_is_said_as_it_is(
    error: OSError,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("calmip.puzzle.documents.reader.read_instance", refuse)
    # The output is that of a real file, which the last resort closes.
    monkeypatch.setattr("calmip.cli._streams.drop", lambda stream: None)
    assert main(["solve", TINY]) == 2
    assert capsys.readouterr().err == f"calmip: error: {said}\n"


@pytest.mark.long
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a file that is always full")
@pytest.mark.parametrize("command", [f"export {TINY} -o - --suffix .lp", f"solve {TINY}"])
def test_a_full_stdout_is_not_the_folder_for_temporary_files(command: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "calmip", *command.split()],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=HANG_SECONDS,
            check=False,
        )
    assert done.returncode == 2
    why = os.strerror(errno.ENOSPC)
    assert done.stderr == f"calmip: error: cannot write the output: {why}\n"


@pytest.mark.parametrize("command", ["solve", "enumerate", "count", "hint", "tree", "prove"])
@pytest.mark.parametrize("form", ["text", "json", "svg"])
def test_an_infeasible_instance_has_exit_code_1_with_output(
    command: str, form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """So it differs from the code of a Python whose start was interrupted, which says nothing."""
    words = [command, "instances/dead-corner.yaml"]
    if command == "prove":
        words += ["-o", str(tmp_path / "proof")]
    elif (command, form) != ("count", "svg"):
        words += ["--format", form]
    assert main(words) == 1
    out, err = capsys.readouterr()
    assert out.strip() or err.strip()
    assert "Traceback" not in err
    assert "KeyboardInterrupt" not in err
