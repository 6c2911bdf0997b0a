"""A count in parts adds up to the count, whoever counts them and however often it is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from requirements import need_package

import calmip
from calmip import InputError
from calmip.cli import main
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.search.exact_cover.counting import divide, tally
from calmip.puzzle.search.exact_cover.options import options_of, order_of
from calmip.puzzle.tasks.count import count, count_part
from calmip.puzzle.tasks.journal import Journal


def year(name: str = "a-puzzle-a-day", **more: Any) -> calmip.Instance:
    return calmip.read_instance(name, free=True, **more)


@pytest.fixture(scope="module")
def whole() -> dict[str, Any]:
    return count(year()).describe()


@pytest.mark.parametrize("parts", [1, 2, 5, pytest.param(32, marks=pytest.mark.long)])
def test_parts_add_up(parts: int, whole: dict[str, Any], tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    found = count(year(), parts=parts, workers=2, journal=journal)
    assert found.describe() == whole
    _, begun, *lines = map(json.loads, journal.read_text().splitlines())
    assert begun["parts"] == parts
    assert len(lines) >= parts
    assert sum(sum(line["counts"].values()) for line in lines) == whole["total"] == 25_061


def test_each_part_can_be_counted_by_itself_and_no_two_share_a_tiling(tmp_path: Path) -> None:
    cover = ExactCover(calmip.read_instance("a-puzzle-a-day", reveal="Feb,29"))
    options = options_of(cover, order_of(cover))
    parts = divide(options, 4)
    assert sum(sum(count_part(part).values()) for part in parts) == 64
    for part in parts:
        assert set(part.options) < set(options.options)
        assert count_part(part).get(0, 0) == int(tally(part)[0])


@pytest.mark.long
def test_a_journal_goes_on_where_it_was_cut(whole: dict[str, Any], tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    count(year(), parts=8, journal=journal)
    lines = journal.read_text().splitlines(keepends=True)
    for kept in (0, 1, 2, 4, len(lines)):
        journal.write_text("".join(lines[:kept]) + (lines[kept][:20] if kept < len(lines) else ""))
        # The number of parts is the journal's once it has been begun.
        found = count(year(), parts=8 if kept < 2 else 3, journal=journal)
        assert found.describe() == whole
        assert sorted(journal.read_text().splitlines()) == sorted(map(str.strip, lines))


def forge(journal: Path, *entries: object) -> None:
    """Write the first line of a journal and others behind it, all with their digests."""
    head = json.loads(journal.read_text().splitlines()[0])
    del head["digest"]
    with Journal(journal, head, resume=False) as lines:
        for entry in entries:
            lines.add(entry)  # type: ignore[arg-type]


def entries(journal: Path) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in journal.read_text().splitlines()[1:]]
    return [{key: line[key] for key in line if key != "digest"} for line in found]


def test_what_is_in_the_journal_is_not_counted_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = tmp_path / "journal"
    count(year(), parts=4, journal=journal)
    lines = entries(journal)
    forge(journal, *lines[:-1])
    counted = []
    monkeypatch.setattr(
        "calmip.puzzle.tasks.count.count_part",
        lambda *given: counted.append(given) or count_part(*given),
    )
    assert count(year(), journal=journal).total == 25_061
    assert len(counted) == 1
    assert entries(journal) == lines


@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_a_byte_that_is_changed_is_found(data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "journal"
        head = {"count": "this one"}
        with Journal(journal, head, resume=False) as lines:
            for part in range(3):
                lines.add({"part": part, "counts": {"0": 7, "12": part + 1}})
        whole = journal.read_bytes()
        place = data.draw(st.integers(0, len(whole) - 1))
        byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != whole[place]))
        journal.write_bytes(whole[:place] + bytes([byte]) + whole[place + 1 :])
        # A line end that is gone at the very end only makes the last line one that was cut.
        if place == len(whole) - 1:
            with Journal(journal, head, resume=True) as lines:
                assert len(lines.entries) == 2
            return
        before = journal.read_bytes()
        with pytest.raises(InputError, match="journal"):
            Journal(journal, head, resume=True)
        assert journal.read_bytes() == before


FALSE_LINES = [
    {"part": 0, "counts": {"-1": 5}},
    {"part": 0, "counts": {"0": -5}},
    {"part": 0, "counts": {"0": 0}},
    {"part": 0, "counts": {"0": 1.0}},
    {"part": 0, "counts": {"0": True}},
    {"part": 0, "counts": {"0": 1 << 63}},
    {"part": 0, "counts": {"372": 1}},
    {"part": 0, "counts": {" 1": 1}},
    {"part": 0, "counts": {"01": 1}},
    {"part": 0, "counts": [1]},
    {"part": 0, "counts": {"x": 1}},
    {"part": 0},
    {"part": 0.0, "counts": {"0": 1}},
    {"part": False, "counts": {"0": 1}},
    {"part": "0", "counts": {"0": 1}},
    {"part": -1, "counts": {"0": 1}},
    {"part": 4, "counts": {"0": 1}},
    {"part": 10**400, "counts": {"0": 1}},
    {"parts": 5},
    {},
]


@pytest.mark.parametrize("line", FALSE_LINES, ids=str)
def test_a_line_that_no_count_writes_is_refused(
    line: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = tmp_path / "journal"
    count(year(), parts=4, journal=journal)
    true = entries(journal)
    # Behind no part, and behind one that is there already.
    for kept in ([], true[1:2]):
        forge(journal, true[0], *kept, line)
        before = journal.read_bytes()
        assert main(["count", "a-puzzle-a-day", "--journal", str(journal)]) == 2
        said = capsys.readouterr().err
        assert f"journal:{3 + len(kept)}: is damaged, or not a line of this count" in said
        assert said.count("\n") == 1
        assert journal.read_bytes() == before


@pytest.mark.long
def test_parts_that_no_count_has_and_a_part_twice_are_refused(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    count(year(), parts=4, journal=journal)
    true = entries(journal)
    for first in ({"parts": 0}, {"parts": True}, {"parts": 1025}, {"parts": 4.0}, true[1]):
        forge(journal, first)
        with pytest.raises(InputError, match="journal:2: is damaged"):
            count(year(), journal=journal)
    forge(journal, true[0], true[1], true[1])
    with pytest.raises(InputError, match="journal:4: is damaged"):
        count(year(), journal=journal)


@pytest.mark.parametrize(
    "text",
    [
        "not json\n",
        "not json",
        "[]\n",
        "{" * 10_000 + "\n",
        "[" * 10_000 + "\n",
        '{"parts": 2}\n',
        '{"count": Infinity}\n',
        '{"count": "x", "digest": "y"}\n',
        "\xff\n",
        "\0" * 10_000,
    ],
)
def test_another_file_is_refused_and_stays(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = tmp_path / "journal"
    journal.write_text(text)
    before = journal.read_bytes()
    assert main(["count", "a-puzzle-a-day", "--journal", str(journal)]) == 2
    said = capsys.readouterr().err
    assert "is not a journal of calmip; name another file" in said
    assert said.count("\n") == 1
    assert journal.read_bytes() == before


def test_two_runs_do_not_write_one_journal(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    count(year(), parts=2, journal=journal)
    head = json.loads(journal.read_text().splitlines()[0])
    del head["digest"]
    with Journal(journal, head, resume=True), pytest.raises(InputError, match="another run"):
        count(year(), journal=journal)
    assert count(year(), journal=journal).total == 25_061


def test_a_line_without_an_end_is_not_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = tmp_path / "journal"
    count(year(), parts=2, journal=journal)
    monkeypatch.setattr("calmip.puzzle.tasks.journal.MAX_LINE_BYTES", journal.stat().st_size)
    size = journal.stat().st_size
    with journal.open("r+b") as file:
        file.truncate(size + 1_000_000)
    with pytest.raises(InputError, match="journal:5: is damaged"):
        count(year(), journal=journal)
    assert journal.stat().st_size == size + 1_000_000


def test_the_journal_of_another_count_is_refused(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    count(year(), parts=2, journal=journal)
    with pytest.raises(InputError, match="belongs to another count"):
        count(year(flip=False), parts=2, journal=journal)


def test_a_limit_ends_parts_and_any_cells_have_none() -> None:
    with pytest.raises(InputError, match="kept in its journal"):
        count(year(), shard="1/3")
    found = count(calmip.read_instance("instances/tiny.yaml"), shard="1/1")
    assert (found.complete, found.count) == (True, found.total)
    found = count(year("weekday-8x7"), parts=2, workers=2, time_limit=0.001)
    assert (found.status, found.known) == ("unknown", False)
    with pytest.raises(InputError, match="any_cells are counted by threads"):
        count(year(), any_cells=2, parts=2)
    with pytest.raises(InputError, match="from 1 to 1024"):
        count(year(), parts=0)


@pytest.mark.long
def test_processes_count_where_threads_would_wait_for_each_other() -> None:
    code = (
        "import calmip, concurrent.futures as p\n"
        "used = []\n"
        "class Seen(p.ProcessPoolExecutor):\n"
        "    def __init__(self, n, **more): used.append(n); super().__init__(n, **more)\n"
        "p.ProcessPoolExecutor = Seen\n"
        "one = calmip.read_instance('a-puzzle-a-day', reveal='Feb,29')\n"
        "print(calmip.count(one, workers=2).total, used)\n"
    )
    for kernel, said in (("off", "64 [2]\n"), ("", "64 []\n")):
        environment = {**os.environ, "CALMIP_KERNEL": kernel}
        if not kernel:
            del environment["CALMIP_KERNEL"]
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == said


@pytest.mark.slow
def test_a_count_that_is_killed_again_and_again_ends_all_the_same(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    out = tmp_path / "out.json"
    command = [
        sys.executable,
        "-m",
        "calmip",
        "count",
        "praxis-rhombus",
        "--parts",
        "16",
        "--journal",
        str(journal),
        "-o",
        str(out),
    ]
    killed = 0
    for wanted in range(2, 60, 2):
        process = subprocess.Popen(command)
        while process.poll() is None:
            if journal.exists() and journal.read_text().count("\n") >= wanted:
                process.send_signal(signal.SIGKILL)
                break
            time.sleep(0.005)
        if process.wait() == 0:
            break
        killed += 1
    assert killed >= 3
    assert json.loads(out.read_text())["total"] == 1_527_044


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_a_cluster_counts_the_same(whole: dict[str, Any], tmp_path: Path) -> None:
    if "CI" not in os.environ:
        need_package("distributed")
    found = count(year(), dask="local", workers=2, journal=tmp_path / "journal")
    assert found.describe() == whole


@pytest.mark.long
def test_shards_of_the_parts_are_the_count(
    whole: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each in a journal of its own; put one after the other, they are the journal of the count."""
    parts = [tmp_path / f"{number}.journal" for number in (1, 2, 3)]
    for number, part in enumerate(parts, start=1):
        words = ["count", "a-puzzle-a-day", "--parts", "7", "--shard", f"{number}/3"]
        assert main([*words, "--journal", str(part)]) == 0
        assert f"shard {number}/3: " in capsys.readouterr().err
    joined = tmp_path / "all.journal"
    joined.write_bytes(b"".join(part.read_bytes() for part in parts))
    assert count(year(), journal=joined).describe() == whole
    joined.write_bytes(b"".join(part.read_bytes() for part in [*parts, parts[0]]))
    with pytest.raises(InputError, match="is damaged, or not a line of this count"):
        count(year(), journal=joined)
    with pytest.raises(InputError, match="is kept in its journal"):
        count(year(), shard="1/3")
