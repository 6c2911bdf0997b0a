"""Pools of tilings from Python: all of them, written to a file, and taken up again."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from cpu_marks import marked_long
from hypothesis import given, settings
from hypothesis import strategies as st

import calmip
from calmip._base.errors import SolverFailed
from calmip.cli import main
from calmip.puzzle.documents.serialise import describe_tiling
from calmip.puzzle.tasks.enumeration import METHODS, SIZE, Enumeration, _Digests
from calmip.puzzle.tasks.journal import save_tilings

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
    assert len(calmip.SolutionPool(pool.instance, (first, second), complete=True)) == 2
    with pytest.raises(calmip.NotATiling, match="a duplicate tiling"):
        calmip.SolutionPool(pool.instance, (first, first), complete=False)


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


@pytest.mark.parametrize("method", marked_long(METHODS, {"no-good"}))
def test_a_method_has_no_clock_but_that_of_the_enumeration(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr("calmip._base.limits.perf_counter", lambda: now)
    monkeypatch.setattr("calmip.puzzle.search.exact_cover.search.MAX_BUFFERED_SOLUTIONS", 1)
    instance = calmip.read_instance("instances/feb29.yaml")
    search = Enumeration(instance, method=method, time_limit=60)
    monkeypatch.setattr("calmip._base.limits.Deadline.__init__", None)  # so that there is no other
    now = 1000.0  # the time begins with the iteration
    for number, _ in enumerate(search):
        now += 31.0 * (number < 2)
    assert (search.complete, search.stopped, search.seconds) == (False, "time", 62.0)


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
    with pytest.raises(calmip.InputError, match="tiling 1 of the earlier run is not tiling 1"):
        calmip.enumerate(twelve, file=path, resume=True)
    # No-good cuts take tilings in any order, but none twice.
    pool = calmip.enumerate(twelve, method="no-good", file=path, resume=True)
    assert (len(pool), pool.complete) == (NUMBER, True)
    path.write_text(lines[0] * 2)
    with pytest.raises(calmip.InputError, match="jsonl:2: is a duplicate of line 1"):
        calmip.enumerate(twelve, method="no-good", file=path, resume=True)
    with pytest.raises(calmip.InputError, match="name the file"):
        calmip.enumerate(twelve, resume=True)


@pytest.mark.parametrize("stop", ["break", "interrupt"])
def test_a_file_that_is_left_early_has_its_name_and_whole_lines(
    stop: str, twelve: calmip.Instance, tmp_path: Path
) -> None:
    path = tmp_path / "all.jsonl"
    search = calmip.Enumeration(twelve)
    tilings = save_tilings(search, path, resume=False)
    for _ in range(3):
        next(tilings)
    assert not path.exists()
    if stop == "break":
        tilings.close()
    else:
        with pytest.raises(KeyboardInterrupt):
            tilings.throw(KeyboardInterrupt)
    assert path.read_bytes().count(b"\n") == 3
    pool = calmip.SolutionPool.of(search)
    assert (len(pool), pool.complete) == (3, False)
    assert len(calmip.enumerate(twelve, file=path, resume=True)) == NUMBER


@given(st.lists(st.integers(1, 400), max_size=3000), st.sampled_from([0, 1, 7, 1 << 40]))
@settings(max_examples=30, deadline=None)
def test_digests_are_a_set(numbers: list[int], factor: int) -> None:
    # Few values in the last part, so that places are taken and the rest decides.
    digests = _Digests()
    seen = set()
    for number in numbers:
        one = (number << 64 | number * factor % (1 << 64)).to_bytes(SIZE)
        assert digests.add(one) == (one not in seen)
        seen.add(one)


def test_digests_stay_in_the_set_when_it_grows() -> None:
    digests = _Digests()
    every = [(number * 0x9E3779B97F4A7C15 % 2**80).to_bytes(SIZE) for number in range(5000)]
    assert all(map(digests.add, every))
    assert not any(map(digests.add, every))


FLAT = """
import calmip, itertools, os
from calmip.processes import resident
year = calmip.read_instance("a-puzzle-a-day", reveal="month=free,day=free")
search = calmip.Enumeration(year, keep=False)
tilings = iter(search)
for _ in itertools.islice(tilings, 2_000):
    pass
before = resident(os.getpid())
for _ in tilings:
    pass
print(search.count, search.complete, search.solutions, (resident(os.getpid()) - before) / 1e6)
"""


@pytest.mark.long
def test_tilings_that_are_not_kept_take_no_memory() -> None:
    if not Path("/proc/self/statm").exists():
        pytest.skip("the memory in use is not told here")
    done = subprocess.run(
        [sys.executable, "-c", FLAT], capture_output=True, text=True, check=True
    ).stdout.split()
    assert done[:3] == ["25061", "True", "[]"]
    # 23,061 tilings: under 110 bytes for each, pages half full included, where the objects
    # alone have 300.
    assert float(done[3]) < 2.5


@pytest.mark.long
def test_a_memory_limit_ends_the_search(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "all.jsonl"
    command = ["enumerate", "a-puzzle-a-day", "--reveal", "month=free,day=free", "-o", str(path)]
    assert main([*command, "--memory-limit", "1"]) == 3
    assert "incomplete: memory limit reached" in capsys.readouterr().err
    found = path.read_bytes()
    assert 0 < found.count(b"\n") < 5_000
    assert main([*command, "--resume", "--limit", "6000"]) == 3
    assert path.read_bytes().startswith(found)
    assert path.read_bytes().count(b"\n") == 6_000
    for wrong in ("0", "-1", "inf", "nan"):
        assert main([*command, "--memory-limit", wrong]) == 2
        assert "the memory limit is a number of MB above 0" in capsys.readouterr().err
    described = calmip.enumerate(
        calmip.read_instance("a-puzzle-a-day", reveal="month=free,day=free"), memory_limit=1
    ).describe()
    assert (described["stopped"], described["complete"]) == ("memory", False)


def test_a_line_without_an_end_is_not_read_to_its_end(
    twelve: calmip.Instance, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, part = tmp_path / "all.jsonl", tmp_path / "all.jsonl.part"
    calmip.enumerate(twelve, limit=3, file=path)
    size = path.stat().st_size
    path.rename(part)
    with part.open("r+b") as file:
        file.truncate(size + 8_000_000_000)  # a hole, which takes no room on the disk
    with pytest.raises(
        calmip.InputError, match=r"part:4: is not a tiling.*it has over 1,048,576 b"
    ):
        calmip.enumerate(twelve, file=path, resume=True)
    assert part.stat().st_size == size + 8_000_000_000


def test_json_is_written_in_parts(twelve: calmip.Instance, tmp_path: Path) -> None:
    path = tmp_path / "all.json"
    for limit in (1, 2, 100):
        command = ["enumerate", str(tmp_path / "twelve.yaml"), "--limit", str(limit)]
        assert main([*command, "-o", str(path)]) == (3 if limit < NUMBER else 0)
        described = calmip.enumerate(twelve, limit=limit).describe()
        found = json.loads(path.read_text())
        assert found.pop("seconds")
        del described["seconds"]
        assert list(found) == list(described)
        assert found == described


class Planted(list[Any]):
    """What a search finds, as it is told."""

    complete = True


@pytest.mark.parametrize(
    ("places", "earlier", "fault"),
    [
        ([0, 1], [0, 1], ""),
        ([0, 0], [], "found a tiling twice; report this"),
        ([0, 1, 0], [0], "found a tiling twice; report this"),
        ([1], [0], "tiling 1 of the earlier run is not tiling 1"),
        ([0], [0, 1], "the earlier run has 2 tilings, and there are only 1"),
        ([], [0], "the earlier run has 1 tilings, and there are only 0"),
    ],
)
def test_what_a_search_finds_is_new_and_what_an_earlier_run_found(
    places: list[int], earlier: list[int], fault: str
) -> None:
    instance = calmip.read_instance("instances/tiny.yaml")
    found, tilings = list(Enumeration(instance)._search), list(Enumeration(instance))
    assert len(found) == len(tilings) == 2
    search = Enumeration(instance)
    search._search = Planted(found[place] for place in places)  # type: ignore[assignment]
    new = search.after([tilings[place] for place in earlier])
    if not fault:
        assert list(new) == []
        assert (search.count, search.complete) == (2, True)
        return
    with pytest.raises((calmip.InputError, SolverFailed), match=fault):
        list(new)
    assert not search.complete


def test_an_earlier_tiling_whose_column_was_left_out_is_an_error_of_the_reduction(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    instance = calmip.read_instance("instances/tiny.yaml")
    first, _ = Enumeration(instance)
    search = Enumeration(instance)

    def unknown(*_: object) -> None:
        raise KeyError

    monkeypatch.setattr(type(search.verifier), "options", unknown)
    with pytest.raises(SolverFailed, match="the reduction has left out a column"):
        search.after([first])


def test_an_interrupted_count_lists_nothing_that_is_unlisted() -> None:
    """What a search has found and not yet yielded counts, and is unlisted unless none is listed."""
    model = calmip.Model.from_rows(["x", "y"], [("r", {0: 2.0, 1: 3.0}, 0.0, 5.0)])
    for tally, found, listed in itertools.product((False, True), (0, 2, 5), (0, 2)):
        search = Enumeration(model, count=tally)
        search._search = SimpleNamespace(  # type: ignore[assignment]
            goal=None, tally=tally, counted=found, streams=False
        )
        search.count = listed
        search.interrupt()
        assert (search.stopped, search.count) == ("interrupt", max(found, listed))
        assert search.unlisted == (0 if tally else max(0, found - listed))
