"""Every command with a time limit ends soon after it, on an input made for its slowest loop."""

from __future__ import annotations

import math
import random
from array import array
from pathlib import Path

import pytest
from processes import cpu_seconds

from calmip.cli import main
from calmip.mip.files.model_files import write_model
from calmip.mip.model import Model, NamedRow

pytestmark = pytest.mark.long

INF = math.inf

LIMIT = "1"

MAX_CPU_SECONDS = 12.0
"""The most CPU seconds, of a reader and of a set-up too; without a limit it is minutes."""


def model(columns: list[str], rows: list[NamedRow], *, integer: bool, high: float = 1.0) -> Model:
    width = len(columns)
    return Model.from_rows(
        columns,
        rows,
        [1.0] * width,
        column_lower=array("d", [0.0] * width),
        column_upper=array("d", [high] * width),
        integer=array("b", [integer] * width),
    )


def names(width: int, own: str = "x", shared: int = 10**6) -> list[str]:
    return [f"{'x' if column < shared else own}{column}" for column in range(width)]


def dense(seed: int, own: str) -> Model:
    """Equations that fill up when their columns are eliminated one after the other."""
    chance = random.Random(seed)
    rows: list[NamedRow] = []
    for number in range(300):
        some = chance.sample(range(400), 10)
        terms = {c: float(chance.choice([-7, -5, -3, 3, 5, 7, 11])) for c in some}
        rows.append((f"r{number}", terms, float(number % 3), float(number % 3)))
    return model(names(400, own, 20), rows, integer=False)


def alike(seed: int) -> Model:
    """Rows with the same columns, each of which may be another one up to rounding."""
    chance = random.Random(seed)
    rows: list[NamedRow] = [
        (
            f"r{number}",
            {c: chance.randint(1, 10**6) / 1000 for c in range(6)},
            -INF,
            chance.randint(10**6, 10**7) / 1000,
        )
        for number in range(3000)
    ]
    return model(names(6), rows, integer=True, high=100.0)


def wide(seed: int) -> Model:
    """Rows with all of many 0/1 columns, any two of which may exclude each other."""
    chance = random.Random(seed)
    terms = {c: float(chance.randint(500, 600)) for c in range(5000)}
    return model(names(5000), [("wide", terms, -INF, 999.0)], integer=True)


def costly(seed: int) -> Model:
    """Equations modulo which objectives are compared."""
    chance = random.Random(1)
    rows: list[NamedRow] = [
        (
            f"r{number}",
            {c: float(chance.choice([-7, -5, 3, 11])) for c in chance.sample(range(500), 12)},
            1.0,
            1.0,
        )
        for number in range(400)
    ]
    found = model(names(500), rows, integer=False, high=INF)
    return found.changed(cost=array("d", [float((c * seed) % 17) for c in range(500)]))


def split(seed: int) -> Model:
    """A market split: rows that no branching and no bound makes smaller."""
    chance = random.Random(seed)
    rows: list[NamedRow] = []
    for number in range(4):
        terms = {c: float(chance.randint(1, 99)) for c in range(40)}
        half = float(sum(terms.values()) // 2)
        rows.append((f"r{number}", terms, half, half))
    return model(names(40), rows, integer=True)


PAIRS = {"dense": dense, "alike": alike, "wide": wide, "costly": costly, "split": split}


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Run a command and return what it prints, if it worked no longer than it may."""
    before = cpu_seconds()
    code = main([*words, "--time-limit", LIMIT])
    used = cpu_seconds() - before
    output = capsys.readouterr()
    text = output.out + output.err
    assert used <= MAX_CPU_SECONDS, f"{used:.1f} CPU seconds: {text[:500]}"
    assert code in (0, 1, 3), text[:500]
    assert "Traceback" not in text
    return text


@pytest.mark.parametrize("kind", PAIRS)
def test_two_models(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(tmp_path / f"{name}.mps") for name in ("one", "other")]
    for seed, (own, path) in enumerate(zip("yz", paths, strict=True), start=1):
        made = dense(seed, own) if kind == "dense" else PAIRS[kind](seed)  # type: ignore[operator]
        write_model(Path(path), made)
    run(capsys, "compare", paths[0], paths[1])


@pytest.mark.parametrize(
    "words",
    [
        "solve",
        "enumerate",
        "enumerate --optimal",
        "count",
        "explain",
        "explain --smallest",
        "explain --disjoint",
        "relax",
        "prove -o proof",
    ],
)
def test_one_model(
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    write_model(tmp_path / "split.mps", split(5))
    command, *options = words.split()
    run(capsys, command, "split.mps", *options)


@pytest.mark.parametrize(
    "words",
    [
        "year a-puzzle-a-day --difficulty",
        "calendar a-puzzle-a-day --year 2027 -o 2027.html",
        "count a-puzzle-a-day",
        "rearrange weekday-8x7 --by min -o new.yaml",
        "generate tiling --size 40 --number 1000 --seed 7 -o tilings",
        "design a-puzzle-a-day --pool pentominoes --with O6 --pieces 8",
        "cut a-puzzle-a-day -o cut.svg",
        "prove a-puzzle-a-day --reveal Jan,25 -o proof",
        "prove dates heart-set1",
        "compare a-puzzle-a-day --reveal Jan,25 --solver highs",
        "tree a-puzzle-a-day --reveal Jan,25",
        "hint weekday-8x7 --date 2027-01-01",
        "explain a-puzzle-a-day --reveal Jul,Feb",
        "relax a-puzzle-a-day --reveal Feb,29",
        "today weekday-8x7 --date 2027-01-01",
        "solve weekday-8x7 --date 2027-01-01",
    ],
)
def test_a_puzzle(
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    command, *options = words.split()
    run(capsys, command, *options)
