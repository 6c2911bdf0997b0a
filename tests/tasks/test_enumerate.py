"""Pools of tilings from Python: all of them, written to a file, and taken up again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import calmip
from calmip.cli import main
from calmip.documents.description import describe_tiling
from calmip.tasks._resume import saved

TWELVE = """
puzzle:
  name: Twelve cells
  grid: ["a b c d", "e f g h", "i j k l"]
  pieces: [L4, I3, V3, I2]
"""
NUMBER = 48


@pytest.fixture
def twelve(tmp_path: Path) -> calmip.Instance:
    """A board of 3 x 4 cells and four pieces."""
    (tmp_path / "twelve.yaml").write_text(TWELVE)
    return calmip.read_instance(tmp_path / "twelve.yaml")


def test_a_pool_holds_no_tiling_twice() -> None:
    pool = calmip.enumerate(calmip.read_instance("instances/tiny.yaml"))
    first, second = pool
    assert len(calmip.TilingPool(pool.instance, (first, second), complete=True)) == 2
    with pytest.raises(calmip.NotATiling, match="twice"):
        calmip.TilingPool(pool.instance, (first, first), complete=False)


@pytest.mark.parametrize("method", ["exact-cover", "one-tree", "no-good"])
def test_a_pool_in_a_file_has_the_bytes_of_the_command(
    method: str, twelve: calmip.Instance, tmp_path: Path
) -> None:
    theirs, ours = tmp_path / "theirs.jsonl", tmp_path / "ours.jsonl"
    source = str(tmp_path / "twelve.yaml")
    command = ["enumerate", source, "--method", method, "-o", str(theirs), "--format", "jsonl"]
    assert main(command) == 0
    pool = calmip.enumerate(twelve, method=method, file=ours)
    assert (len(pool), pool.complete) == (NUMBER, True)
    assert ours.read_bytes() == theirs.read_bytes()
    assert [json.loads(line) for line in ours.read_text().splitlines()] == [
        describe_tiling(t) for t in pool
    ]
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize("method", ["exact-cover", "one-tree", "no-good"])
@pytest.mark.parametrize("kept", [0, 1, 20])
def test_what_an_earlier_run_wrote_is_kept(
    method: str, kept: int, twelve: calmip.Instance, tmp_path: Path
) -> None:
    path = tmp_path / "all.jsonl"
    if kept:
        calmip.enumerate(twelve, method=method, limit=kept, file=path)
    before = path.read_bytes() if kept else b""
    pool = calmip.enumerate(twelve, method=method, file=path, resume=True)
    assert path.read_bytes()[: len(before)] == before
    assert (len(pool), pool.complete, pool.stopped) == (NUMBER, True, "")
    assert set(pool) == set(calmip.enumerate(twelve))
    assert path.read_bytes().count(b"\n") == NUMBER


@pytest.mark.parametrize("method", ["exact-cover", "one-tree", "no-good"])
def test_a_limit_counts_the_earlier_tilings(
    method: str, twelve: calmip.Instance, tmp_path: Path
) -> None:
    path = tmp_path / "all.jsonl"
    calmip.enumerate(twelve, method=method, limit=3, file=path)
    for limit in (3, 5):
        pool = calmip.enumerate(twelve, method=method, limit=limit, file=path, resume=True)
        assert (len(pool), pool.complete, pool.stopped) == (limit, False, "limit")
        assert path.read_bytes().count(b"\n") == limit


def test_what_comes_in_another_order_is_not_taken_up(
    twelve: calmip.Instance, tmp_path: Path
) -> None:
    path = tmp_path / "all.jsonl"
    calmip.enumerate(twelve, limit=3, file=path)
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(reversed(lines)))
    with pytest.raises(calmip.InputError, match="tiling 1 of the earlier run is not the one"):
        calmip.enumerate(twelve, file=path, resume=True)
    # No-good cuts take tilings in any order, but none twice.
    pool = calmip.enumerate(twelve, method="no-good", file=path, resume=True)
    assert (len(pool), pool.complete) == (NUMBER, True)
    path.write_text(lines[0] * 2)
    with pytest.raises(calmip.InputError, match="jsonl:2: is the tiling of line 1 once more"):
        calmip.enumerate(twelve, method="no-good", file=path, resume=True)
    with pytest.raises(calmip.InputError, match="name the file"):
        calmip.enumerate(twelve, resume=True)


@pytest.mark.parametrize("stop", ["break", "interrupt"])
def test_a_file_that_is_left_early_has_its_name_and_whole_lines(
    stop: str, twelve: calmip.Instance, tmp_path: Path
) -> None:
    path = tmp_path / "all.jsonl"
    search = calmip.Enumeration(twelve)
    tilings = saved(search, path, resume=False)
    for _ in range(3):
        next(tilings)
    assert not path.exists()
    if stop == "break":
        tilings.close()
    else:
        with pytest.raises(KeyboardInterrupt):
            tilings.throw(KeyboardInterrupt)
    assert path.read_bytes().count(b"\n") == 3
    pool = calmip.TilingPool.of(search)
    assert (len(pool), pool.complete) == (3, False)
    assert len(calmip.enumerate(twelve, file=path, resume=True)) == NUMBER
