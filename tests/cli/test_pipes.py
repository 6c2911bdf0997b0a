"""Pipes whose reader has gone: the exit code says what was found, as without a pipe."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from cpu_marks import marked_long
from processes import HANG_SECONDS
from requirements import need_solver
from trades import missing, trades_of_case

import calmip

TINY = "instances/tiny.yaml"
NONE = "instances/dead-corner.yaml"
FEB29 = "instances/feb29.yaml"

# Each way to print something, and the exit code where somebody reads it.
PRINTING = {
    "text": (["solve", TINY], 0),
    "none": (["solve", NONE], 1),
    "model": (["solve", "MODEL"], 0),
    "svg": (["solve", TINY, "--format", "svg"], 0),
    "enumerate": (["enumerate", FEB29], 0),
    "enumerate jsonl": (["enumerate", FEB29, "--format", "jsonl"], 0),
    "enumerate json": (["enumerate", FEB29, "--format", "json"], 0),
    "enumerate none": (["enumerate", NONE], 1),
    "enumerate limit": (["enumerate", FEB29, "--format", "json", "--limit", "3"], 3),
    "enumerate model": (["enumerate", "MODEL"], 0),
    "csv": (["year", "a-puzzle-a-day", "--format", "csv"], 0),
    "report": (["hint", TINY], 0),
    "short": (["check", TINY, "PART"], 1),
    "notes": (["prove", NONE, "-o", "OUT"], 1),
    "aside": (["export", TINY, "-o", "OUT.mps"], 0),
    "yaml": (["rearrange", "a-puzzle-a-day", "--starts", "1"], 0),
    "processes": (["bench", "run", "CAMPAIGN", "-o", "OUT.db"], 0),
    "page": (["play", "-o", "OUT.html"], 0),
    "bytes": (["export", TINY, "-o", "-", "--suffix", ".lp"], 0),
    "bytes of a page": (["play", "-o", "-"], 0),
    "bytes of an archive": (["grade", "autograder", "2", "-o", "-"], 0),
    "program": (["solve", TINY, "--solver", "cbc"], 0),
    "package": (["solve", TINY, "--solver", "z3"], 0),
    "html": (["puzzles", "--format", "html"], 0),
    "files": (["cut", "heart-set1"], 0),
    "nothing": ([], 0),
    "help": (["--help"], 0),
    "help of a command": (["solve", "--help"], 0),
    "version": (["--version"], 0),
    "wrong": (["solve", "nosuch"], 2),
}
PRINTING = {
    name: (words, code)
    for name, (words, code) in PRINTING.items()
    if not trades_of_case([words]) & missing()
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("files")
    (name, *_) = calmip.ExactCover(calmip.read_instance(TINY)).option_names
    (folder / "part.sol").write_text(f"=obj= 0\n{name} 1\n")
    subprocess.run(
        [sys.executable, "-m", "calmip", "export", TINY, "-o", str(folder / "tiny.mps")],
        check=True,
        capture_output=True,
    )
    text = f"instances: [{{puzzle: {Path(TINY).resolve()}}}]\nsolvers: [exact-cover]\n"
    (folder / "campaign.yaml").write_text(text)
    return {
        "CAMPAIGN": str(folder / "campaign.yaml"),
        "MODEL": str(folder / "tiny.mps"),
        "PART": str(folder / "part.sol"),
    }


# Each of these is a program that starts: some are enough for the newcomer's suite.
QUICK = {
    "none",
    "svg",
    "enumerate",
    "enumerate jsonl",
    "report",
    "page",
    "nothing",
    "help",
    "version",
    "wrong",
}


@pytest.mark.long
@pytest.mark.parametrize("command", marked_long(PRINTING, PRINTING.keys() - QUICK))
def test_a_closed_pipe_keeps_the_exit_code(
    command: str, files: dict[str, str], tmp_path: Path
) -> None:
    arguments, code = PRINTING[command]
    words = [files.get(word, word.replace("OUT", str(tmp_path / "out"))) for word in arguments]
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "calmip", *words],
            stdout=writer,
            stderr=subprocess.PIPE,
            text=True,
            timeout=HANG_SECONDS,
            check=False,
        )
    finally:
        os.close(writer)
    assert done.returncode == code, done.stderr
    assert "roken pipe" not in done.stderr
    assert "Traceback" not in done.stderr


CLOSED = {"stdout": ">&-", "stderr": "2>&-", "stdin": "<&-", "all": "<&- >&- 2>&-"}


CLOSINGS = [
    pytest.param(command, stream, marks=() if command in ("none", "bytes") else pytest.mark.long)
    for command in PRINTING
    for stream in CLOSED
    if stream == "stdout" or command in ("none", "bytes", "program", "package", "processes")
]


@pytest.mark.long
@pytest.mark.parametrize(("command", "stream"), CLOSINGS)
def test_a_closed_stream_is_one_line_at_most(
    command: str, stream: str, files: dict[str, str], tmp_path: Path
) -> None:
    arguments, code = PRINTING[command]
    for solver in {"cbc", "z3"} & set(arguments):
        need_solver(solver)
    words = [files.get(word, word.replace("OUT", str(tmp_path / "out"))) for word in arguments]
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {CLOSED[stream]}', "sh", sys.executable, "-m", "calmip", *words],
        capture_output=True,
        timeout=HANG_SECONDS,
        check=False,
    )
    said = done.stderr.decode()
    if stream in ("stdout", "all") and done.returncode != code:
        assert done.returncode == 2
        line = "calmip: error: cannot write the output: stdout is closed, so the result cannot be "
        assert said == (f"{line}written\n" if stream == "stdout" else "")
        return
    assert done.returncode == code
    assert "Traceback" not in said
    # What is not printed is written to a file, or there is nothing to print.
    printed = command in ("none", "short", "notes", "aside", "wrong", "page", "processes")
    assert stream not in ("stdout", "all") or printed
    assert stream != "stdin" or done.stdout or printed


@pytest.mark.long
@pytest.mark.parametrize("form", ["text", "jsonl"])
def test_a_reader_that_leaves_ends_the_enumeration(form: str) -> None:
    # 25,061 tilings: more than any pipe holds, so that the search meets the closed pipe.
    command = ["enumerate", "a-puzzle-a-day", "--reveal", "month=free,day=free", "--format", form]
    process = subprocess.Popen(
        [sys.executable, "-m", "calmip", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline()
    process.stdout.close()
    said = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=HANG_SECONDS) == 0
    assert said == b""


def test_a_pipe_to_a_helper_that_breaks_is_no_answer(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from calmip.cli import main

    def broken(*_: object, **__: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr("calmip.puzzle.tasks.solve._solve", broken)
    assert main(["solve", TINY]) == 4
    assert "a helper process ended unexpectedly" in capsys.readouterr().err
