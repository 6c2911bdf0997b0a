"""A year of model files, its index and its answers."""

import csv
import gzip
import hashlib
import json
import math
import re
from array import array
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calmip import Model, __version__
from calmip._base.errors import InputError
from calmip.cli import main
from calmip.mip.files.model_files import read_model
from calmip.mip.one_tree import OneTree
from calmip.models import FORMULATIONS
from calmip.models.matrix import MatrixModel
from calmip.puzzle.board import Board, Piece
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.documents.reader import read_puzzle
from calmip.puzzle.files.cover_files import WRITERS
from calmip.puzzle.instance import Instance
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.search.exact_cover.counting import count
from calmip.puzzle.search.exact_cover.search import Search
from calmip.puzzle.tasks import instance_library
from calmip.puzzle.tasks.check import check_folder
from calmip.puzzle.tasks.export import export_dates
from calmip.puzzle.tasks.instance_library import LibraryEntry, model_text, quick_count

MONTHS = "Jan Feb Mar".split()
DAYS = tuple(map(str, range(1, 32)))


@pytest.fixture(scope="module")
def january() -> Puzzle:
    """Six days and three blanks; some dates have a tiling and some have not."""
    return Puzzle(
        "A week's =work / ../..",
        Board.from_text(["1 2 3", "4 5 6", "* * *"]),
        (Piece.from_rows("bar", ["###"]), Piece.from_rows("P", ["##", "##", "#."])),
        {"day": ("1", "2", "3", "4", "5", "6")},
    )


BESIDE = ("index.csv", "index.solu", "README.md", "LICENSE", "CITATION.cff", "SHA256SUMS")


def entries_of(*given: Any, **more: Any) -> list[LibraryEntry]:
    return list(export_dates(*given, **more).entries)


@pytest.mark.parametrize("measured", [None, (None, "other"), (5, "other")])
@pytest.mark.parametrize("counted", [False, True])
def test_an_entry_is_feasible_if_a_search_says_so(
    counted: bool, measured: Any, january: Puzzle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search that the limit of nodes ends says nothing, unless it has found a tiling before."""
    seen = set()
    for day, limit in product(range(1, 7), (0, 1, 10**6)):
        monkeypatch.setattr(instance_library, "MAX_MEASURED_NODES", limit)
        cover = ExactCover(Instance(january, (str(day),)))
        number = len(list(Search(cover)))
        search = Search(cover, limit=1, node_limit=limit)
        found = any(True for _ in search)
        one = instance_library._entry(
            cover,
            model_text(cover, ".mps", "matrix"),
            number if counted else None,
            "matrix",
            measured,
        )
        known = counted or (found or search.complete if measured is None else measured[0])
        assert one.feasible is ((number > 0) if known else None)
        assert one.tilings == (number if counted else None)
        if measured is None:
            ended = (found or search.complete) and search.nodes <= limit
            assert (one.nodes, one.solver) == (search.nodes if ended else None, "exact-cover")
        else:
            assert (one.nodes, one.solver) == measured
        seen.add(one.feasible)
        for stated in (0, 1, 2):  # whatever a search would say
            text = model_text(cover, ".mps", "matrix")
            given = instance_library._entry(cover, text, stated, "matrix", (None, "other"))
            assert (given.tilings, given.feasible) == (stated, stated > 0)
    assert {True, False} <= seen or (measured == (None, "other") and not counted)


def test_index_and_answers_say_what_the_files_hold(january: Puzzle, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "year"
    entries = entries_of(january, folder)
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        [*BESIDE, *(f"{entry.name}.mps" for entry in entries)]
    )
    assert [entry.name for entry in entries] == [f"a-week-s-work-0{day}" for day in range(1, 7)]
    with (folder / "index.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))
    assert ",".join(lines[0]) == (
        "instance,nodes,solver,variables,binaries,constraints,nonzeros,objective,tags,tilings"
    )
    answers = (folder / "index.solu").read_text().splitlines()
    solvable = set()
    for day, (line, answer) in enumerate(zip(lines, answers, strict=True), start=1):
        model = read_model(folder / f"{line['instance']}.mps")
        sizes = [len(model.columns), len(model.columns), len(model.rows), model.nonzeros]
        assert [int(line[key]) for key in ("variables", "binaries", "constraints", "nonzeros")] == (
            sizes
        )
        tilings = count(ExactCover(Instance.reveal(january, {"day": str(day)})))
        solvable.add(bool(tilings))
        assert int(line["tilings"]) == tilings
        assert f"; {tilings} tilings" in (folder / f"{line['instance']}.mps").read_text()
        assert line["objective"] == ("0" if tilings else "Infeasible")
        name = line["instance"]
        assert answer == (f"=opt= {name} 0" if tilings else f"=inf= {name}")
    assert solvable == {True, False}


def test_what_is_there_is_kept_and_nothing_else_replaced(january: Puzzle, tmp_path: Path) -> None:
    export_dates(january, tmp_path, suffix=".lp.gz")
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in tmp_path.iterdir()}
    lost, foreign = tmp_path / "a-week-s-work-02.lp.gz", tmp_path / "a-week-s-work-04.lp.gz"
    lost.unlink()
    export_dates(january, tmp_path, suffix=".lp.gz")
    assert lost.read_bytes() == before[lost][0]
    assert all(p.stat().st_mtime_ns == when for p, (_, when) in before.items() if p != lost)
    foreign.write_bytes(b"my notes")
    with pytest.raises(InputError, match=r"work-04\.lp\.gz: exists already.*--force"):
        export_dates(january, tmp_path, suffix=".lp.gz")
    assert foreign.read_bytes() == b"my notes"
    export_dates(january, tmp_path, suffix=".lp.gz", force=True)
    assert {p: p.read_bytes() for p in tmp_path.iterdir()} == {p: b for p, (b, _) in before.items()}


@pytest.mark.parametrize("suffix", [*WRITERS, ".cnf.gz"])
def test_every_format_can_make_a_library(january: Puzzle, tmp_path: Path, suffix: str) -> None:
    entries = entries_of(january, tmp_path, suffix=suffix)
    for entry in entries:
        path = tmp_path / f"{entry.name}{suffix}"
        data = path.read_bytes()
        text = gzip.decompress(data) if suffix.endswith(".gz") else data
        labels = {"day": str(int(entry.name[-2:]))}
        cover = ExactCover(Instance.reveal(january, labels, name=entry.name))
        written = model_text(
            cover, suffix.removesuffix(".gz"), tilings=entry.tilings, name=entry.name
        )
        assert text.decode() == "".join(written.parts)


@pytest.mark.parametrize("formulation", ["pulp", "pyomo"])
@pytest.mark.parametrize("suffix", [".mps", ".lp"])
def test_other_formulations_say_their_objective(
    january: Puzzle, tmp_path: Path, formulation: str, suffix: str
) -> None:
    entries = entries_of(january, tmp_path, suffix=suffix, formulation=formulation)
    assert {entry.objective for entry in entries} == {1}
    text = (tmp_path / f"{entries[0].name}{suffix}").read_text()
    assert text.startswith("* A week's =work / ../..:" if suffix == ".mps" else "\\ A week's")
    assert len(read_model(tmp_path / f"{entries[0].name}{suffix}").columns) == entries[0].columns
    answers = (tmp_path / "index.solu").read_text()
    assert {line.split()[2] for line in answers.splitlines() if "=opt=" in line} == {"1"}


class Weighted(MatrixModel):
    """A formulation that calmip does not know: every placement costs two and a half."""

    def __init__(self, cover: ExactCover) -> None:
        super().__init__(cover)
        self.native = replace(self.native, cost=np.full(cover.columns, 2.5))

    @staticmethod
    def objective(cover: ExactCover) -> float:
        return 2.5 * len(cover.instance.puzzle.pieces)


def test_answers_are_those_of_whatever_formulation_is_registered(
    january: Puzzle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FORMULATIONS, "weighted", (lambda: Weighted, None, ""))
    library = export_dates(january, tmp_path, formulation="weighted")
    answers = (tmp_path / "index.solu").read_text().splitlines()
    assert any(answer.startswith("=opt=") for answer in answers)
    for entry, answer in zip(library.entries, answers, strict=True):
        model = read_model(tmp_path / f"{entry.name}.mps")
        values = {float(model.cost[list(point)].sum()) for point in OneTree(model)}
        if values:
            (value,) = values
            assert (value, answer) == (5.0, f"=opt= {entry.name} 5")
        else:
            assert answer == f"=inf= {entry.name}"


@given(name=st.text(max_size=80), id=st.text(max_size=80))
def test_no_name_leads_out_of_the_folder(name: str, id: str) -> None:  # noqa: A002
    puzzle = Puzzle(
        name, Board.from_text(["1 2"]), (Piece.from_rows("a", ["#"]),), {"day": ("1", "2")}, id=id
    )
    for file, labels in puzzle.named_dates().items():
        assert re.fullmatch(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?", file)
        assert len(file) < 90
        assert labels["day"] in ("1", "2")


def test_what_cannot_be_a_library_is_said(january: Puzzle, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="suffix"):
        export_dates(january, tmp_path, suffix="/../x.mps")
    with pytest.raises(InputError, match=r"formulation pulp writes \.mps, \.lp, not \.cnf"):
        export_dates(january, tmp_path, suffix=".cnf", formulation="pulp")
    bare = Puzzle("bare", Board.from_text(["A B"]), (Piece.from_rows("a", ["##"]),))
    with pytest.raises(InputError, match="bare uncovers no labels"):
        export_dates(bare, tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="file: is a file, and a folder is needed"):
        export_dates(january, tmp_path / "file")


def test_a_search_that_is_too_long_leaves_its_measure_empty(
    january: Puzzle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calmip.puzzle.tasks.instance_library.MAX_MEASURED_NODES", 0)
    entries = export_dates(january, tmp_path / "set").entries
    assert None in {entry.nodes for entry in entries} <= {None, 0}
    # What was found within a block of nodes is known all the same.
    assert any(entry.feasible for entry in entries)


@pytest.mark.long
def test_a_count_is_given_up_after_the_same_work(monkeypatch: pytest.MonkeyPatch) -> None:
    year = ExactCover(Instance(read_puzzle("a-puzzle-a-day"), (), ("month", "day")))
    assert quick_count(year) == 25_061
    monkeypatch.setattr("calmip.puzzle.tasks.instance_library.MAX_QUICK_STEPS", 2)
    assert quick_count(year) is None


@pytest.mark.long
def test_the_command_and_its_wrong_uses(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("puzzle: a-puzzle-a-day\nflip: false\nreveal: {month: Jan, day: 1}\n")
    assert main(["export", "dates", str(path), "-o", str(tmp_path / "y")]) == 0
    assert capsys.readouterr().err == (
        f"{tmp_path / 'y'}: 366 files (.mps), index.csv and index.solu\n"
    )
    lines = (tmp_path / "y" / "index.csv").read_text().splitlines()
    assert lines[1].startswith("a-puzzle-a-day-no-flip-01-01,")
    assert lines[1].endswith(",2")
    assert sum(line.endswith("infeasible,0") for line in lines) > 0
    for wrong in (
        ["--date", "today", "--date", "today"],
        ["--force"],
        ["--suffix", ".lp"],
        ["--suffix", ".txt"],
    ):
        assert main(["export", "a-puzzle-a-day", "-o", str(tmp_path / "z.mps"), *wrong]) == 2
    assert not (tmp_path / "z.mps").exists()


@pytest.mark.parametrize("formulation", ["matrix", "pulp", "pyomo"])
def test_the_name_in_a_file_is_the_files(january: Puzzle, tmp_path: Path, formulation: str) -> None:
    for entry in entries_of(january, tmp_path, formulation=formulation):
        text = (tmp_path / f"{entry.name}.mps").read_text()
        assert re.findall("^NAME.*", text, re.MULTILINE) == [f"NAME          {entry.name}"]
        assert read_model(tmp_path / f"{entry.name}.mps").name == entry.name


def test_the_sums_are_those_of_all_other_files_and_the_index_says_the_effort(
    january: Puzzle, tmp_path: Path
) -> None:
    entries = entries_of(january, tmp_path)
    lines = (tmp_path / "SHA256SUMS").read_text().splitlines()
    sums = {name: digest for digest, name in (line.split("  ") for line in lines)}
    files = {path.name: path for path in tmp_path.iterdir() if path.name != "SHA256SUMS"}
    assert set(sums) == set(files)
    for name, digest in sums.items():
        assert hashlib.sha256(files[name].read_bytes()).hexdigest() == digest
    for entry in entries:
        cover = ExactCover(Instance.reveal(january, {"day": str(int(entry.name[-2:]))}))
        search = Search(cover, limit=1)
        assert any(True for _ in search) == entry.feasible == bool(entry.tilings)
        assert (entry.nodes, entry.solver) == (search.nodes, "exact-cover")
    assert f"calmip\n{__version__}." in (tmp_path / "README.md").read_text()


def test_two_runs_write_the_same_bytes(january: Puzzle, tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        assert entries_of(january, folder) == entries_of(january, folder)
    one, two = ({path.name: path.read_bytes() for path in f.iterdir()} for f in folders)
    assert one == two
    # What an index says that no run has written is measured again.
    index = folders[0] / "index.csv"
    index.write_text(index.read_text().replace(",exact-cover,", "x,exact-cover,"))
    entries_of(january, folders[0])
    assert {path.name: path.read_bytes() for path in folders[0].iterdir()} == one


@pytest.mark.trade("bench")
def test_a_suite_becomes_a_library(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "lib"
    assert main(["export", "suite", "infeasible", "-o", str(folder)]) == 0
    assert "16 files (.mps)" in capsys.readouterr().err
    answers = (folder / "index.solu").read_text().splitlines()
    assert len(answers) == 16
    assert all(answer.startswith("=inf= ") for answer in answers)
    for wrong in (
        ["suite", "nosuch"],
        ["suite", "easy", "a-puzzle-a-day"],
        [],
        ["suite", "easy", "--reduce"],
    ):
        assert main(["export", *wrong, "-o", str(tmp_path / "none")]) == 2
        assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.trade("bench")
@pytest.mark.parametrize(
    ("known", "written", "binary"),
    [
        ("=opt= k 12", "=opt= k -12", True),
        ("=inf= k", "=inf= k", True),
        ("=opt= k 12", "=opt= k -12", False),
    ],
)
def test_a_library_has_the_optimum_of_the_written_model(
    known: str, written: str, binary: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = KNAPSACK.replace("value:", "value: 7 +")
    text = text if binary else text.replace("Binaries\n x y z", "Bounds\n z <= 1\nBinaries\n x y")
    (tmp_path / "k.lp").write_text(text)
    (tmp_path / "known.solu").write_text(f"{known}\n")
    campaign = tmp_path / "own.yaml"
    campaign.write_text("instances:\n  - files: k.lp\nsolvers: [highs]\n")
    folder = tmp_path / "lib"
    assert main(["export", "suite", str(campaign), "-o", str(folder)]) == 0, capsys.readouterr().err
    assert (folder / "index.solu").read_text() == f"{written}\n"
    (line,) = csv.DictReader((folder / "index.csv").read_text().splitlines())
    assert line["variables"] == "3"
    assert line["binaries"] == ("3" if binary else "2")
    assert line["tags"].split()[0] == ("binary" if binary else "mixed_integer")
    assert main(["solve", str(folder / "k.mps")]) == 0
    assert "objective -12 " in capsys.readouterr().out


@pytest.mark.parametrize("maximise", [False, True])
@pytest.mark.parametrize("cost", [[0.0] * 6, [1.0] * 6])
@pytest.mark.parametrize("known", [None, "unkn", "feas", "opt", "best", "inf"])
def test_an_answer_that_is_known_is_in_the_index(
    known: str | None, cost: list[float], maximise: bool
) -> None:
    """A binary variable is an integer one between 0 and 1, whatever its bounds are written as."""
    model = Model.from_rows(
        list("abcdef"),
        [("r", {0: 1.0, 3: 2.0}, 1.0, 9.0)],
        cost,
        integer=array("b", [1, 1, 1, 1, 1, 0]),
        column_lower=array("d", [0.0, -1.0, 0.0, -0.5, 1.0, 0.0]),
        column_upper=array("d", [1.0, 1.0, 2.0, 1.5, 1.0, 1.0]),
        maximise=maximise,
    )
    value = 12.0 if known in ("opt", "best") else None
    answer = None if known is None else (known, value)
    line = instance_library._given_entry(instance_library.Given("m", model, answer))
    if known == "feas" and any(cost):  # feasible, at a value that nobody has said
        assert line.objective is None
        assert instance_library._solu_line(line) == ("feas", None)
        assert ",,mixed_integer," in instance_library._index([line])
    else:
        optimum = (value or 0.0) * (-1 if maximise else 1)
        assert line.objective == optimum
        assert math.copysign(1, line.objective) == math.copysign(1, optimum or 1)
    assert line.best is (known == "best")
    solvable = known in ("opt", "best", "feas")
    assert line.feasible is (solvable or (False if known == "inf" else None))
    assert line.binaries == 3
    assert line.tags[0] == "mixed_integer"


def test_a_folder_of_answers_is_checked_in_one_call(
    january: Puzzle, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    library, answers = tmp_path / "lib", tmp_path / "answers"
    answers.mkdir()
    entries = entries_of(january, library)
    points = {}
    for entry in entries:
        model = read_model(library / f"{entry.name}.mps")
        point = next(iter(OneTree(model)), None)
        lines = ["=infeas="] if point is None else [f"{model.columns[n]} 1" for n in point]
        points[entry.name] = lines if point is None else ["=obj= 0", *lines]
        (answers / f"{entry.name}.sol").write_text("\n".join(points[entry.name]) + "\n")
    assert main(["check", str(library), str(answers)]) == 0
    assert capsys.readouterr().out == "6 models: 6 accepted\n"

    solved, without = (
        next(entry.name for entry in entries if entry.feasible is there) for there in (True, False)
    )
    wrongs = {
        solved: ["=infeas=", "\n".join(points[solved][:-1]), "=obj= 0\nnosuch 1", "what is this"],
        without: [f"=obj= 0\n{read_model(library / f'{without}.mps').columns[0]} 1"],
    }
    for name, texts in wrongs.items():
        for text in texts:
            path = answers / f"{name}.sol"
            right = path.read_text()
            path.write_text(text + "\n")
            assert main(["check", str(library), str(answers)]) == 1, text
            out = capsys.readouterr().out
            assert out.startswith(f"{name}: refused: ")
            assert out.endswith("6 models: 5 accepted, 1 refused\n") or "1 refused" in out
            path.write_text(right)
    # Without the .solu file the search of the model is the witness.
    (library / "SHA256SUMS").unlink()
    (library / "index.solu").unlink()
    (answers / f"{solved}.sol").write_text("=infeas=\n")
    assert main(["check", str(library), str(answers)]) == 1
    assert "satisfies every row" in capsys.readouterr().out
    (answers / f"{solved}.sol").unlink()
    assert main(["check", str(library), str(answers), "--format", "json"]) == 3
    found = json.loads(capsys.readouterr().out)
    assert [file["reason"] for file in found["files"] if file["status"] == "unknown"] == [
        "no answer"
    ]


def test_a_library_with_a_changed_file_is_not_checked(january: Puzzle, tmp_path: Path) -> None:
    entries = entries_of(january, tmp_path)
    path = tmp_path / f"{entries[0].name}.mps"
    path.write_text(path.read_text().replace("* A", "* a"))
    with pytest.raises(InputError, match="has another digest than SHA256SUMS says"):
        check_folder(tmp_path)
    sums = tmp_path / "SHA256SUMS"
    sums.write_text(sums.read_text().replace("  ", " *"))  # as sha256sum --binary writes them
    with pytest.raises(InputError, match="has another digest than SHA256SUMS says"):
        check_folder(tmp_path)
    path.unlink()
    with pytest.raises(InputError, match=rf"{path.name}: cannot be read: No such file"):
        check_folder(tmp_path)
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(InputError, match="holds no model"):
        check_folder(empty)


KNAPSACK = (
    "Maximize\n value: 3 x + 4 y + 2 z\nSubject To\n w: 2 x + 3 y + z <= 3\nBinaries\n x y z\nEnd\n"
)
STOPPED = "Stopped on time (no integer solution - continuous used) - objective value 0"
BEST, LESS, BROKEN, NONE = "=obj= 5\nx 1\nz 1", "=obj= 4\ny 1", "=obj= 9\nx 1\ny 1", "=infeas="


@pytest.mark.parametrize(
    ("known", "answer", "status", "words"),
    [
        ("=opt= k 5", BEST, "accepted", "every row checked; objective 5"),
        ("=opt= k 4", BEST, "unknown", "=opt= 4, but a checked solution has the objective 5"),
        ("=opt= k 5", LESS, "refused", "a solution of 4, but a point with the objective 5"),
        ("=opt= k 6", BEST, "unknown", "=opt= 6, but a search proves that none is better than 5"),
        ("=best= k 5", LESS, "accepted", "objective 4"),
        ("=feas= k", LESS, "accepted", "objective 4"),
        ("=opt= other 5", LESS, "accepted", "objective 4"),
        ("=inf= k", LESS, "unknown", "known.solu says =inf=, but a checked solution"),
        ("=opt= k 5", BROKEN, "refused", "violates row 'w' by 2 (5 instead of 3)"),
        ("=feas= k", NONE, "refused", "satisfies every row"),
        ("=best= k 5", NONE, "refused", "satisfies every row"),
        ("=unkn= k", NONE, "refused", "satisfies every row"),
        ("=inf= k", NONE, "refused", "satisfies every row"),
        ("=opt= k 5", None, "unknown", "no answer"),
        ("=opt= k 5", STOPPED, "unknown", "holds no solution: it claims 'Stopped on time"),
        ("=best= k 5", "Stopped on time - objective value 4\n1 y 1 4", "accepted", "objective 4"),
        (
            "=best= k 5",
            "Stopped on time - objective value 9\n0 x 1 3\n1 y 1 4",
            "refused",
            "row 'w' by 2",
        ),
    ],
)
def test_an_answer_is_held_against_what_is_known(
    known: str, answer: str | None, status: str, words: str, tmp_path: Path
) -> None:
    (tmp_path / "k.lp").write_text(KNAPSACK)
    (tmp_path / "known.solu").write_text(f"{known}\n")
    # Lines of another form are none, and nothing outside of the folder is looked at.
    (tmp_path / "SHA256SUMS").write_text(f"a note\n{'0' * 64}  ../k.lp\n")
    if answer is not None:
        (tmp_path / "k.sol").write_text(f"{answer}\n")
    steps: list[tuple[object, ...]] = []
    found = check_folder(tmp_path, progress=steps.append)
    (one,) = found.files
    assert (one.name, one.status, found.status) == ("k", status, status)
    assert words in one.reason
    assert [one[:2] for one in steps] == [(0, 1), (1, 1)]


@pytest.mark.long
def test_shards_of_the_dates_are_the_library(tmp_path: Path) -> None:
    """The last call writes the index, with what the shards have measured."""
    folder, whole = tmp_path / "shards", tmp_path / "whole"
    for number in (2, 1):
        words = ["export", "dates", "a-puzzle-a-day", "-o", str(folder), "--suffix", ".lp.gz"]
        assert main([*words, "--shard", f"{number}/2"]) == 0
    assert len(list(folder.glob("*.lp.gz"))) == 366
    assert len(list(folder.glob("index-*-of-2.csv"))) == 2
    assert not (folder / "index.csv").exists()
    assert main(words) == 0
    assert main([*words[:4], str(whole), *words[5:]]) == 0
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        path.name for path in whole.iterdir()
    )
    for path in whole.iterdir():
        assert (folder / path.name).read_bytes() == path.read_bytes()


@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("there", [None, b"data", b"date", b"datum", b""])
def test_a_file_is_replaced_by_force_alone(
    there: bytes | None, force: bool, tmp_path: Path
) -> None:
    path = tmp_path / "file"
    if there is not None:
        path.write_bytes(there)
    if there not in (None, b"data") and not force:
        with pytest.raises(InputError, match="exists already, with another content") as error:
            instance_library._put(path, b"data", force=force)
        assert (error.value.path, path.read_bytes()) == (path, there)
    else:
        assert (
            instance_library._put(path, b"data", force=force) == hashlib.sha256(b"data").hexdigest()
        )
        assert path.read_bytes() == b"data"
