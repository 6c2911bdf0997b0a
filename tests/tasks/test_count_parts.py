"""A count in parts adds up to the count, whoever counts them and however often it is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from presence import need_package

import calmip
from calmip import InputError
from calmip.cli import main
from calmip.problem.cover import ExactCover
from calmip.search.exact_cover.counting import divided, tally
from calmip.search.exact_cover.options import Options, order_of
from calmip.tasks._count_parts import count_part
from calmip.tasks.count import count


def year(name: str = "a-puzzle-a-day", **more: Any) -> calmip.Instance:
    return calmip.read_instance(name, free=True, **more)


@pytest.fixture(scope="module")
def whole() -> dict[str, Any]:
    return count(year()).describe()


@pytest.mark.parametrize("parts", [1, 2, 5, 32])
def test_parts_add_up(parts: int, whole: dict[str, Any], tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    found = count(year(), parts=parts, workers=2, journal=journal)
    assert found.describe() == whole
    head, *lines = map(json.loads, journal.read_text().splitlines())
    assert head["parts"] == parts
    assert len(lines) >= parts
    assert sum(sum(line["counts"].values()) for line in lines) == whole["total"] == 25_061


def test_each_part_can_be_counted_by_itself_and_no_two_share_a_tiling(tmp_path: Path) -> None:
    cover = ExactCover(calmip.read_instance("a-puzzle-a-day", reveal="Feb,29"))
    options = Options.of(cover, order_of(cover))
    parts = divided(options, 4)
    assert sum(sum(count_part(part).values()) for part in parts) == 64
    for part in parts:
        assert set(part.options) < set(options.options)
        assert count_part(part).get(0, 0) == int(tally(part, lambda _: None)[0])


def test_a_journal_goes_on_where_it_was_cut(whole: dict[str, Any], tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    count(year(), parts=8, journal=journal)
    lines = journal.read_text().splitlines(keepends=True)
    for kept in (0, 1, 4, len(lines)):
        journal.write_text("".join(lines[:kept]) + (lines[-1][:20] if kept < len(lines) else ""))
        # The number of parts is the journal's once it has been begun.
        found = count(year(), parts=8 if kept == 0 else 3, journal=journal)
        assert found.describe() == whole
        assert sorted(journal.read_text().splitlines()) == sorted(map(str.strip, lines))


def test_what_is_in_the_journal_is_not_counted_again(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    count(year(), parts=4, journal=journal)
    head, first, *others = journal.read_text().splitlines()
    line = json.loads(first)
    line["counts"] = {choice: number + 1 for choice, number in line["counts"].items()}
    journal.write_text("\n".join([head, json.dumps(line), *others]) + "\n")
    total = count(year(), journal=journal).total
    assert total == 25_061 + len(line["counts"])


@pytest.mark.parametrize(
    "text",
    ["not json\n", "[]\n", '{"parts": 2}\n', '{"count": "x", "parts": 2}\n',
     '{"count": "x", "parts": 2}\n{"part": 0}\n'],
)  # fmt: skip
def test_another_journal_is_refused_and_stays(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = tmp_path / "journal"
    journal.write_text(text)
    assert main(["count", "a-puzzle-a-day", "--journal", str(journal)]) == 2
    said = capsys.readouterr().err
    assert "journal" in said
    assert said.count("\n") == 1
    assert journal.read_text() == text


def test_the_journal_of_another_count_is_refused(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    count(year(), parts=2, journal=journal)
    with pytest.raises(InputError, match="is the journal of another count"):
        count(year(flip=False), parts=2, journal=journal)


def test_a_limit_ends_parts_and_any_cells_have_none() -> None:
    found = count(year("weekday-8x7"), parts=2, workers=2, time_limit=0.001)
    assert (found.status, found.total) == ("unknown", None)
    with pytest.raises(InputError, match="any cells are counted on this machine"):
        count(year(), any_cells=2, parts=2)
    with pytest.raises(InputError, match="from 1 to 1024"):
        count(year(), parts=0)


def test_processes_count_where_threads_would_wait_for_each_other() -> None:
    code = (
        "import calmip, concurrent.futures as p\n"
        "used = []\n"
        "class Seen(p.ProcessPoolExecutor):\n"
        "    def __init__(self, n): used.append(n); super().__init__(n)\n"
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
    command = [sys.executable, "-m", "calmip", "count", "praxis-rhombus", "--parts", "16",
               "--journal", str(journal), "-o", str(out)]  # fmt: skip
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
