"""Models in MathProg and MiniZinc: what the programs make of them is the instance."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from requirements import missing

from calmip.cli import main
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.documents.reader import read_instance
from calmip.puzzle.files.covers import MATHPROG, MINIZINC, dat_lines, dzn_lines
from calmip.puzzle.search.exact_cover.search import solutions
from calmip.puzzle.tiling import Tiling

# Equal pieces, and a group that is left free, besides the plain ones.
EQUAL = 'puzzle:\n  grid: ["1 2 3", "4 5 6"]\n  uncover: [day]\n  pieces: {A: ["##"], B: ["##"]}\n'
FREE = EQUAL.replace("4 5 6", "4 5 .") + "reveal: {day: free}\n"


def ran(*command: str | Path) -> str:
    if shutil.which(str(command[0])) is None:
        missing(str(command[0]))
    done = subprocess.run([str(word) for word in command], check=True, capture_output=True)
    return done.stdout.decode()


@pytest.fixture(params=["tiny", "feb29", "free"])
def path(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param != "free":
        return f"instances/{request.param}.yaml"
    (tmp_path / "free.yaml").write_text(FREE)
    return str(tmp_path / "free.yaml")


def chosen_in(text: str, cover: ExactCover) -> list[int]:
    return sorted(cover.option_number[name] for name in re.findall(r"^(\S+) 1$", text, re.M))


def test_mathprog_has_the_model(path: str, tmp_path: Path) -> None:
    cover = ExactCover(read_instance(path))
    model, data, lp = (tmp_path / f"x{suffix}" for suffix in (".mod", ".dat", ".lp"))
    alone = tmp_path / "alone.mod"
    alone.write_text(MATHPROG)
    for file in (model, data):
        assert main(["export", path, "-o", str(file)]) == 0
    ran("glpsol", "--math", model, "--check", "--wlp", lp)
    assert main(["check", path, str(lp)]) == 0
    ran("glpsol", "--math", alone, "--data", data, "--check", "--wlp", lp)
    assert main(["check", path, str(lp)]) == 0
    if cover.columns < 20:
        Tiling.from_options(cover, chosen_in(ran("glpsol", "--math", model), cover))


@pytest.mark.parametrize("name", ["tiny", "twins", "free_week"])
def test_data_say_items_and_options(name: str, request: pytest.FixtureRequest) -> None:
    """Read here by hand, as the programs are not on every machine."""
    covers = request.getfixturevalue("covers")
    cover = covers[name] if name in covers else request.getfixturevalue(name)
    dzn = "".join(dzn_lines(cover))
    said = dict(re.findall(r"^(\w+) = ([^;]*);", dzn, re.M))
    assert (int(said["items"]), int(said["options"])) == (cover.rows, cover.columns)
    assert json.loads(said["demand"].replace(",\n]", "]")) == list(cover.demand)
    assert json.loads(said["name"].replace(",\n]", "]")) == list(cover.option_names)
    sets = [[int(n) - 1 for n in one.split(",")] for one in re.findall(r"{(.*)}", said["covers"])]
    assert sets == [cover.items_of(option) for option in range(cover.columns)]
    dat = dict(re.findall(r"^set (\w+) :=([^;]*);", "".join(dat_lines(cover)), re.M))
    assert dat["OPTIONS"].split() == list(cover.option_names)
    assert dat["ITEMS"].split() == [item.name for item in cover.items]
    pairs = [tuple(line.split()) for line in dat["COVERS"].strip().splitlines()]
    assert pairs == [
        tuple(word for item in items for word in (option, cover.items[item].name))
        for option, items in zip(
            cover.option_names, map(cover.items_of, range(cover.columns)), strict=True
        )
    ]


def test_no_name_is_broken_at_the_end_of_a_line() -> None:
    names = ["ab-cd-" * (number % 20 + 1) + str(number) for number in range(100)]
    long: Any = SimpleNamespace(
        rows=0, columns=len(names), items=(), option_names=names, items_of=lambda _: []
    )
    text = "".join(dat_lines(long))
    assert re.findall(r"^set OPTIONS :=([^;]*);", text, re.M)[0].split() == names


def test_minizinc_has_the_model(path: str, tmp_path: Path) -> None:
    cover = ExactCover(read_instance(path))
    model, data = tmp_path / "x.mzn", tmp_path / "x.dzn"
    alone = tmp_path / "alone.mzn"
    alone.write_text(MINIZINC)
    for file in (model, data):
        assert main(["export", path, "-o", str(file)]) == 0
    known = {tuple(sorted(options)) for options in solutions(cover)}
    everything = ["-a"] if cover.columns < 20 else []
    for command in (["minizinc", *everything, model], ["minizinc", *everything, alone, data]):
        told = ran(*command).split("----------")[:-1]
        found = {tuple(chosen_in(part, cover)) for part in told}
        assert len(found) == len(told)
        assert found == known if everything else found <= known
