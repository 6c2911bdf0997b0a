"""kill -9 at random moments: nothing half-written under a final name, and the next run ends it."""

import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

KILLS = 17
SEED = 2027

YEAR = ("export", "a-puzzle-a-day", "--all-dates", "--suffix", ".mps.gz", "-o", "year")
STREAM = ("enumerate", "instances/jan25.yaml", "--format", "jsonl", "-o", "all.jsonl")


def start(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "calmip", *arguments],
        cwd=folder,
        stdout=subprocess.DEVNULL,
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
    tmp_path: Path, arguments: tuple[str, ...], check: Callable[[Path], None] = lambda _: None
) -> None:
    """Kill a command again and again; what stands is whole, and one more run gives all of it."""
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    for folder in (whole, broken):
        (folder / "instances").mkdir(parents=True)
        (folder / "instances" / "jan25.yaml").write_text(
            "puzzle: a-puzzle-a-day\nreveal: {month: Jan, day: 25}\n"
        )
    began = time.perf_counter()
    assert start(whole, *arguments).wait() == 0
    usual = time.perf_counter() - began
    expected = tree(whole)
    rng = random.Random(SEED)
    killed = 0
    for _ in range(KILLS):
        child = start(broken, *arguments)
        time.sleep(usual * rng.uniform(0.1, 1.0))
        killed += child.poll() is None
        os.kill(child.pid, signal.SIGKILL) if child.poll() is None else None
        child.wait()
        found = tree(broken)
        assert {name: expected[name] for name in found} == found
        check(broken)
    assert killed > KILLS // 3
    assert start(broken, *arguments).wait() == 0
    assert tree(broken) == expected


@pytest.mark.slow
def test_a_library_of_a_year(tmp_path: Path) -> None:
    crash(tmp_path, YEAR)


@pytest.mark.slow
def test_a_stream_of_tilings(tmp_path: Path) -> None:
    def whole_lines(folder: Path) -> None:
        part = folder / "all.jsonl.part"
        if part.exists():
            for line in part.read_bytes().split(b"\n")[:-1]:
                assert json.loads(line)["placements"]

    crash(tmp_path, STREAM, whole_lines)


COMMANDS = (
    (*YEAR[:-1], "{}/year"),
    ("export", "instances/feb29.yaml", "--no-count", "-o", "{}/m.mps"),
    ("enumerate", "instances/apr24.yaml", "-o", "{}/all.txt"),
    ("solve", "instances/feb29.yaml", "-o", "{}/one.txt"),
)


def small_files() -> None:
    """Let no file grow beyond some bytes, as a full disk would."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))


@pytest.mark.parametrize("command", COMMANDS, ids=[command[0] for command in COMMANDS])
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
