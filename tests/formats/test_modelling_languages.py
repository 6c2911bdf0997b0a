"""Models in MathProg and MiniZinc: what the programs make of them is the instance."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from presence import missing

from calmip.cli import main
from calmip.documents.reader import read_instance
from calmip.formats.covers import MATHPROG, MINIZINC
from calmip.problem.cover import ExactCover
from calmip.problem.tiling import Tiling
from calmip.search.exact_cover.search import solutions

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
    assert main(["check", path, "--model", str(lp)]) == 0
    ran("glpsol", "--math", alone, "--data", data, "--check", "--wlp", lp)
    assert main(["check", path, "--model", str(lp)]) == 0
    if cover.columns < 20:
        Tiling.from_options(cover, chosen_in(ran("glpsol", "--math", model), cover))


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
