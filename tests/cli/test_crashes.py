"""kill -9 at random moments: nothing half-written under a final name, and the next run ends it."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from calmip.cli import main
from calmip.puzzle.tasks.journal import Journal

KILLS = 17
SEED = 2027

YEAR = ("export", "dates", "a-puzzle-a-day", "--suffix", ".mps.gz", "-o", "year")
DESIGN = (
    "design",
    "a-puzzle-a-day",
    "--pool",
    "pentominoes,O6,6-1,6-4,6-6,6-9,6-27",
    "--pieces",
    "8",
    "--format",
    "json",
    "-o",
    "best.yaml",
)
STREAM = ("enumerate", "instances/jan25.yaml", "--format", "jsonl", "-o", "all.jsonl")


def start(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """Start a command in a folder; what it prints goes to a file beside the folder."""
    with folder.with_suffix(".out").open("wb") as printed:
        return subprocess.Popen(
            [sys.executable, "-m", "calmip", *arguments],
            cwd=folder,
            stdout=printed,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(Path.cwd())},
        )


def tree(folder: Path) -> dict[str, bytes]:
    """Return the files with a final name: what starts with a dot or ends in .part is none."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.startswith(".") and path.suffix != ".part"
    }


def crash(
    tmp_path: Path,
    arguments: tuple[str, ...],
    check: Callable[[Path], None] = lambda _: None,
    *resume: str,
) -> None:
    """Kill a command again and again; what stands is whole, and one more run gives all of it.

    Whatever run comes to its end prints what the undisturbed one does.
    """
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    for folder in (whole, broken):
        (folder / "instances").mkdir(parents=True)
        (folder / "instances" / "jan25.yaml").write_text(
            "puzzle: a-puzzle-a-day\nreveal: {month: Jan, day: 25}\n"
        )
    began = time.perf_counter()
    assert start(whole, *arguments).wait() == 0
    usual = time.perf_counter() - began
    expected, table = tree(whole), whole.with_suffix(".out").read_bytes()
    rng = random.Random(SEED)
    killed = 0
    for _ in range(KILLS):
        child = start(broken, *arguments, *resume)
        time.sleep(usual * rng.uniform(0.1, 1.0))
        killed += child.poll() is None
        os.kill(child.pid, signal.SIGKILL) if child.poll() is None else None
        if child.wait() == 0:
            assert broken.with_suffix(".out").read_bytes() == table
        found = tree(broken)
        assert {name: expected[name] for name in found} == found
        check(broken)
    assert killed > KILLS // 3
    assert start(broken, *arguments, *resume).wait() == 0
    assert tree(broken) == expected
    assert broken.with_suffix(".out").read_bytes() == table


@pytest.mark.slow
def test_a_library_of_a_year(tmp_path: Path) -> None:
    crash(tmp_path, YEAR, lambda _: None, "--resume")


@pytest.mark.trade("year")
@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["json", "html"])
def test_a_calendar(suffix: str, tmp_path: Path) -> None:
    calendar = ("calendar", "a-puzzle-a-day", "--year", "2027", "-o", f"year.{suffix}")
    kept = [0]

    def grows(folder: Path) -> None:
        part = folder / f"year.{suffix}.part"
        # Nothing that was made is lost, unless a run came to its end and the next started anew.
        whole = part.read_bytes().count(b"\n") if part.exists() else 0
        assert whole >= kept[0] or (folder / f"year.{suffix}").exists()
        kept[0] = whole

    crash(tmp_path, calendar, grows, "--resume")
    assert not list((tmp_path / "broken").glob("*.part"))


@pytest.mark.trade("design")
@pytest.mark.slow
def test_a_design(tmp_path: Path) -> None:
    kept = [0]

    def grows(folder: Path) -> None:
        part = folder / "best.yaml.part"
        lines = part.read_bytes().count(b"\n") if part.exists() else 0
        assert lines >= kept[-1] or (folder / "best.yaml").exists()
        kept.append(lines)

    crash(tmp_path, DESIGN, grows, "--resume")
    # Some of the runs went on from sets that another had decided: below its head the journal has
    # a line for each part, and all of them only at the end.
    assert max(kept) > 2
    told = json.loads((tmp_path / "broken.out").read_text())
    assert told["complete"]
    assert len(told["sets"]) > 1000
    assert not list((tmp_path / "broken").glob("*.part"))


@pytest.mark.slow
def test_a_stream_of_tilings(tmp_path: Path) -> None:
    def whole_lines(folder: Path) -> None:
        part = folder / "all.jsonl.part"
        if part.exists():
            for line in part.read_bytes().split(b"\n")[:-1]:
                assert json.loads(line)["placements"]

    crash(tmp_path, STREAM, whole_lines, "--resume")


COMMANDS = (
    (*YEAR[:-1], "{}/year"),
    ("export", "instances/feb29.yaml", "--no-count", "-o", "{}/m.mps"),
    ("enumerate", "instances/apr24.yaml", "-o", "{}/all.txt"),
    ("solve", "instances/feb29.yaml", "-o", "{}/one.txt"),
)


def small_files() -> None:
    """Let no file grow beyond some bytes, as a full disk would."""
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(
            command,
            id=command[0],
            marks=pytest.mark.long if command[0] in ("export", "enumerate") else (),
        )
        for command in COMMANDS
    ],
)
@pytest.mark.parametrize("trouble", ["full", "read-only"])
def test_a_full_disk_and_a_read_only_folder_are_said(
    command: tuple[str, ...], trouble: str, tmp_path: Path
) -> None:
    # Even the superuser makes no files there.
    folder = tmp_path if trouble == "full" else Path("/sys/kernel")
    if not folder.is_dir():
        pytest.skip("there is no read-only folder here")
    done = subprocess.run(
        [sys.executable, "-m", "calmip", *(part.format(folder) for part in command)],
        preexec_fn=small_files if trouble == "full" else None,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    lines = [line for line in done.stderr.splitlines() if "error" in line]
    assert len(lines) == len(done.stderr.splitlines()) == 1
    solver = command[0] == "solve" and trouble == "full"
    assert lines[0].startswith(f"calmip: error: {tempfile.gettempdir() if solver else folder}")
    assert "cannot be" in lines[0]
    assert not tree(tmp_path)


@pytest.mark.parametrize("method", ["exact-cover", "one-tree"])
@pytest.mark.parametrize("lost", [0, 1, 100, -1])
def test_resume_gives_the_bytes_of_an_undisturbed_run(
    method: str, lost: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "all.jsonl"
    command = ["enumerate", "instances/apr24.yaml", "--method", method, "-o", str(path)]
    assert main([*command, "--format", "jsonl"]) == 0
    whole = path.read_bytes()
    # Killed: cut anywhere, under the name of a part. Stopped: whole lines under the final name.
    part = tmp_path / "all.jsonl.part"
    if lost < 0:
        assert main([*command, "--format", "jsonl", "--limit", "7"]) == 3
        assert path.read_bytes() == whole[: len(path.read_bytes())] != whole
    else:
        path.unlink()
        part.write_bytes(whole[: len(whole) // 2 - lost])
    assert main([*command, "--format", "jsonl", "--resume"]) == 0
    assert path.read_bytes() == whole
    assert not part.exists()
    assert "26 tilings, proved complete" in capsys.readouterr().err


@pytest.mark.long
def test_resume_with_cuts_finds_the_others(tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    command = ["enumerate", "instances/apr24.yaml", "-o", str(path), "--format", "jsonl"]
    assert main(command) == 0
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:20]))
    assert main([*command, "--method", "no-good", "--resume"]) == 0
    found = path.read_text().splitlines(keepends=True)
    assert found[:20] == lines[:20]
    assert sorted(found) == sorted(lines)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{}\n", ":1: is not a tiling of this instance.*not of the form"),
        ("[" * 10_000 + "\n", ":1: is not a tiling of this instance.*not of the form"),
        ('{"reveal": {"month": "Jan"}, "placements": []}\n', "not a tiling of this instance"),
        ('{"reveal": {}, "placements": [{"piece": "U", "cells": [[0, true]]}]}\n', "not of"),
    ],
)
def test_what_cannot_be_resumed_is_said(
    line: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "all.jsonl"
    path.write_text(line)
    command = ["enumerate", "instances/apr24.yaml", "--resume", "-o", str(path)]
    assert main([*command, "--format", "jsonl"]) == 2
    assert re.search(message, capsys.readouterr().err)
    assert path.read_text() == line
    assert main([*command, "--format", "text"]) == 2
    assert "--resume needs a JSONL file" in capsys.readouterr().err


def test_the_tilings_of_another_run_are_not_taken_for_ours(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "all.jsonl"
    command = ["enumerate", "instances/apr24.yaml", "-o", str(path), "--format", "jsonl"]
    assert main(command) == 0
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[1:3]))
    assert main([*command, "--resume"]) == 2
    assert "tiling 1 of the earlier run is not tiling 1 of this one" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["all.jsonl", "all.jsonl.part"])
@pytest.mark.parametrize("method", ["exact-cover", "no-good"])
def test_a_tiling_that_is_repeated_is_not_counted(
    name: str, method: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "all.jsonl"
    command = ["enumerate", "instances/apr24.yaml", "-o", str(path)]
    assert main(command) == 0
    lines = path.read_text().splitlines(keepends=True)
    path.unlink()
    # In other words: the order of the placements is not what a tiling is.
    again = json.loads(lines[2])
    again["placements"].reverse()
    (tmp_path / name).write_text("".join(lines) + json.dumps(again) + "\n")
    capsys.readouterr()
    assert main([*command, "--method", method, "--resume"]) == 2
    said = capsys.readouterr().err
    assert f"{name}:27: is a duplicate of line 3" in said
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_the_tilings_of_the_earlier_run_count_even_if_the_time_is_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "all.jsonl"
    command = ["enumerate", "instances/apr24.yaml", "-o", str(path)]
    assert main([*command, "--limit", "20"]) == 3
    before = path.read_bytes()
    assert main([*command, "--limit", "10", "--resume"]) == 2
    assert "has 20 tilings already, more than the limit of 10" in capsys.readouterr().err
    assert path.read_bytes() == before
    assert main([*command, "--limit", "20", "--resume"]) == 3
    assert "20 tilings" in capsys.readouterr().err
    path.write_bytes(before)
    code = main([*command, "--method", "one-tree", "--time-limit", "1e-9", "--resume"])
    assert (code, path.read_bytes()) == (3, before)
    assert "20 tilings" in capsys.readouterr().err


@pytest.mark.trade("year")
@pytest.mark.long
def test_a_calendar_is_resumed_only_where_it_is_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "c.json"
    part = tmp_path / "c.json.part"
    command = ["calendar", "shiura-daily-8p", "-o", str(path), "--resume"]
    assert main([*command, "--year", "2027"]) == 0
    whole = path.read_bytes()
    assert not part.exists()
    # The head of a journal is the calendar without its days.
    head = {**json.loads(whole), "days": {}}
    with Journal(part, head, resume=False) as lines:
        lines.add({"date": "2027-01-01", "tiling": {}})
    assert main([*command, "--year", "2027"]) == 2
    assert "c.json.part:2: is damaged, or not a line of this" in capsys.readouterr().err
    with Journal(part, head, resume=False) as lines:
        lines.add({"date": "2027-01-01", "tiling": None})
    part.write_bytes(part.read_bytes() + b'{"date": "2027-01-02", "ti')
    assert main([*command, "--year", "2028"]) == 2
    assert "belongs to another puzzle, year or seed" in capsys.readouterr().err
    assert path.read_bytes() == whole
    assert main([*command, "--year", "2027"]) == 0
    assert path.read_bytes() == whole
    assert main(["calendar", "shiura-daily-8p", "--resume"]) == 2
    assert "--resume goes with -o FILE" in capsys.readouterr().err
