"""The three proofs of one search: others accept them, and refuse them once tampered with."""

import copy
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from brute_force import pictures, tilings
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st
from requirements import missing
from strategies import instances
from unit_propagation import Checker, Wrong

from benchmarks.altered_proofs import altered, other_types, places
from calmip._base.errors import InputError, ProofRefused
from calmip.proofs import check_tree
from calmip.proofs.check_proofs import check_proofs
from calmip.proofs.check_tree import Refused, check
from calmip.proofs.logs import (
    DIALECTS,
    DratLog,
    TreeLog,
    VeriPBLog,
    explore,
    proof_text,
    write_proofs,
)
from calmip.puzzle.board import Board, Piece
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.documents.reader import read_instance
from calmip.puzzle.instance import Instance
from calmip.puzzle.lattice import HEXAGONAL
from calmip.puzzle.puzzle import Puzzle

INSTANCES = Path(__file__).parents[2] / "instances"


def pseudo_boolean(folder: Path) -> str:
    return Checker(folder / "model.opb").check(folder / "proof.pbp")


def conclusion(tilings: int) -> str:
    return f"ENUMERATION_COMPLETE {tilings}" if tilings else "UNSAT"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_kind_of_cover(dialect: str, small: tuple[ExactCover, int], tmp_path: Path) -> None:
    cover, number = small
    assert write_proofs(cover, tmp_path, dialect=dialect).tilings == number
    found = check_proofs(tmp_path, cover.instance)
    assert found.tilings == number
    assert [name for name, _ in found.checks] == [
        "proof.json",
        "model.opb",
        "proof.pbp",
        "model.cnf",
        "proof.drat",
    ]
    assert dict(found.checks)["proof.pbp"].startswith(
        f"logs {f'the {number}' if number else 'no'} "
    )
    assert "proof.pbp" in found.unchecked[0]
    try:
        import dratify  # noqa: F401
    except ImportError:
        assert len(found.unchecked) == 2
    else:
        assert dict(found.checks)["proof.drat"] == "accepted by dratify"
        assert len(found.unchecked) == 1
    assert check_proofs(tmp_path) == found
    assert pseudo_boolean(tmp_path) == conclusion(number)


@pytest.mark.long
@given(instances(3, 4))
@settings(deadline=None, max_examples=30)
def test_any_instance_against_brute_force(instance: Instance) -> None:
    puzzle = instance.puzzle
    pieces = {piece.name: piece.cells for piece in puzzle.pieces}
    known = len(pictures(tilings(instance.to_cover, pieces, flip=puzzle.flip)))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for dialect in DIALECTS:
            write = write_proofs(ExactCover(instance), folder, ["tree", "veripb"], dialect=dialect)
            assert write.tilings == known
            assert check_proofs(folder, instance).tilings == known
            assert pseudo_boolean(folder) == conclusion(known)


@pytest.mark.long
@given(
    cells=st.lists(st.sampled_from("*."), min_size=16, max_size=16),
    shape=st.sampled_from([["##"], ["###"], ["##", "#."]]),
    number=st.integers(2, 4),
)
@settings(deadline=None, max_examples=25)
def test_equal_pieces_that_run_out_end_a_branch_on_every_path(
    cells: list[str], shape: list[str], number: int
) -> None:
    rest = cells.count("*") - number * sum(row.count("#") for row in shape)
    # Brute force tells equal pieces apart: in any order is too many for four and five.
    assume(rest >= 0 and math.factorial(rest) * math.factorial(number) <= 720)
    try:
        equal_pieces_have_proofs("".join(cells), shape, number)
    except InputError:  # the shape fits nowhere
        reject()


def test_two_equal_pieces_that_run_out_end_a_branch() -> None:
    equal_pieces_have_proofs("*****.**........", ["##"], 2)


@pytest.mark.parametrize(("use", "number"), [(None, 5), (3, 3), (2, 1), (4, 1)])
def test_equal_pieces_of_which_some_stay_out_have_proofs(
    use: int | None, number: int, tmp_path: Path
) -> None:
    """Of two dominoes and four single ones, all optional, in a row of four cells."""
    pieces = [Piece(f"d{n}", ((0, 0), (0, 1)), optional=True) for n in range(2)]
    pieces += [Piece(f"s{n}", ((0, 0),), optional=True) for n in range(4)]
    board = Board.from_text(["* * * *"])
    instance = Instance(Puzzle("Small", board, tuple(pieces), use=use), ())
    assert write_proofs(ExactCover(instance), tmp_path, ["tree", "veripb"]).tilings == number
    assert check_proofs(tmp_path, instance).tilings == number


def equal_pieces_have_proofs(cells: str, shape: list[str], number: int) -> None:
    """Check the proofs about equal pieces, the rest of the cells filled by single ones."""
    rows = [" ".join(cells[4 * row : 4 * row + 4]) for row in range(4)]
    rest = cells.count("*") - number * sum(row.count("#") for row in shape)
    singles = [Piece.from_rows(f"s{n}", ["#"]) for n in range(rest)]
    pieces = (*singles, *(Piece.from_rows(f"p{n}", shape) for n in range(number)))
    instance = Instance(Puzzle("Small", Board.from_text(rows), pieces), ())
    known = len(pictures(tilings(instance.to_cover, {p.name: p.cells for p in pieces}, flip=True)))
    with tempfile.TemporaryDirectory() as name:
        assert write_proofs(ExactCover(instance), Path(name), ["tree", "veripb"]).tilings == known
        assert check_proofs(Path(name), instance).tilings == known


def test_the_options_of_a_proof_may_have_any_numbers(dominoes: ExactCover, tmp_path: Path) -> None:
    write_proofs(dominoes, tmp_path)
    found = check_proofs(tmp_path, dominoes.instance)
    path = tmp_path / "proof.json"
    proof = json.loads(path.read_text())
    proof["options"].reverse()
    last = len(proof["options"]) - 1
    renamed = [(item, [last - option for option in options]) for item, options in proof["tree"]]
    proof["tree"] = [
        [item, sorted(options) if item == "tiling" else options] for item, options in renamed
    ]
    path.write_text(json.dumps(proof))
    assert check_proofs(tmp_path, dominoes.instance) == found


@pytest.mark.parametrize("package", ["dratify", "drup"])
def test_checkers_of_drat_accept(
    package: str, small: tuple[ExactCover, int], tmp_path: Path
) -> None:
    try:
        __import__(package)
    except ImportError:
        missing(package)
    cover, number = small
    write_proofs(cover, tmp_path, ["drat"])
    model, proof = tmp_path / "model.cnf", tmp_path / "proof.drat"
    # One of the checkers reads no comments.
    lines = [line for line in model.read_text().splitlines() if not line.startswith("c")]
    model.write_text("\n".join(lines) + "\n")
    assert accepted(package, model, proof)
    if number:
        # Without the clause that excludes the last tiling the formula has a model.
        words = lines[0].split()
        lines[0] = f"p cnf {words[2]} {int(words[3]) - 1}"
        model.write_text("\n".join(lines[:-1]) + "\n")
        assert not accepted(package, model, proof)


def accepted(package: str, model: Path, proof: Path) -> bool:
    # In a process of its own: drup brings a runtime that does not share one gladly.
    code = {
        "dratify": "import sys, dratify as d; r = d.check_proof(d.parse_dimacs(open(sys.argv[1])"
        ".read()), open(sys.argv[2]).read()); print(r.ok and r.reached_empty)",
        "drup": "import sys, drup; r = drup.check_proof_from_files(*sys.argv[1:]);"
        "print(r.outcome == drup.Outcome.VALID)",
    }[package]
    done = subprocess.run(
        [sys.executable, "-c", code, str(model), str(proof)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() in ("True", "False"), done.stderr
    return done.stdout.strip() == "True"


@pytest.fixture(scope="session")
def veripb() -> str:
    """The checker of the format's authors, if it is installed and reads version 1.1."""
    program = os.environ.get("CALMIP_VERIPB") or shutil.which("veripb")
    if program is None:
        missing("veripb")
    assert program is not None
    return program


def verified(program: str, folder: Path) -> bool:
    files = [str(folder / "model.opb"), str(folder / "proof.pbp")]
    done = subprocess.run([program, *files], capture_output=True, text=True, check=False)
    text = done.stdout + done.stderr
    assert ("succeeded" in text) == (done.returncode == 0), text
    return done.returncode == 0


def test_veripb_accepts_and_refuses(
    veripb: str, small: tuple[ExactCover, int], tmp_path: Path
) -> None:
    cover, number = small
    write_proofs(cover, tmp_path, ["veripb"])
    assert verified(veripb, tmp_path)
    path = tmp_path / "proof.pbp"
    lines = path.read_text().splitlines()
    assert sum(line.startswith("v ") for line in lines) == number
    for place, line in enumerate(lines):
        if line.startswith("v "):
            path.write_text("\n".join(lines[:place] + lines[place + 1 :]) + "\n")
            assert not verified(veripb, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "number"), [("feb29", 64), ("apr24", 26), ("dead-corner", 0), ("no-flip-dec29", 0)]
)
def test_veripb_accepts_whole_dates(veripb: str, name: str, number: int, tmp_path: Path) -> None:
    cover = ExactCover(read_instance(INSTANCES / f"{name}.yaml"))
    assert write_proofs(cover, tmp_path, ["veripb"]).tilings == number
    assert verified(veripb, tmp_path)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_missing_solution_is_refused_by_unit_propagation(
    dialect: str, dominoes: ExactCover, tmp_path: Path
) -> None:
    write_proofs(dominoes, tmp_path, ["veripb"], dialect=dialect)
    path = tmp_path / "proof.pbp"
    lines = path.read_text().splitlines()
    logged = [place for place, line in enumerate(lines) if line.startswith(("solx", "v "))]
    assert len(logged) == 8
    for place in logged:
        path.write_text("\n".join(lines[:place] + lines[place + 1 :]) + "\n")
        with pytest.raises(Wrong, match="does not follow"):
            pseudo_boolean(tmp_path)
    swapped = [re.sub("^(solx|v) x1 ", r"\1 x2 ", line) for line in lines]
    assert swapped != lines
    path.write_text("\n".join(swapped) + "\n")
    with pytest.raises(Wrong):
        pseudo_boolean(tmp_path)


def test_a_tampered_tree_is_refused(small: tuple[ExactCover, int]) -> None:
    good = json.loads(proof_text(small[0])[0])
    assert check(copy.deepcopy(good)) == small[1]

    def refused(change: Callable[[Any], None]) -> None:
        bad = copy.deepcopy(good)
        change(bad)
        with pytest.raises(Refused):
            check(bad)

    tree = good["tree"]
    for place, (_, options) in enumerate(tree):
        # A tiling or an option of a node is missing.
        if tree[place][0] == "tiling":
            refused(lambda bad, place=place: bad["tree"].pop(place))
        for which in range(len(options)):
            refused(lambda bad, place=place, which=which: bad["tree"][place][1].pop(which))
        refused(lambda bad, place=place: bad["tree"][place][1].append(0))
        refused(lambda bad, place=place: bad["tree"].insert(place, bad["tree"][place]))
    for number in range(len(good["options"])):
        refused(lambda bad, number=number: bad["options"].pop(number))
        refused(lambda bad, number=number: bad["options"][number]["cells"].append([9, 9]))
    refused(lambda bad: bad["options"].append(bad["options"][-1]))
    refused(lambda bad: bad["tree"].append(["tiling", []]))
    refused(lambda bad: bad.update(tilings=small[1] + 1))
    refused(lambda bad: bad.pop("puzzle"))
    refused(lambda bad: bad["puzzle"].update(lattice="round"))
    refused(lambda bad: bad["puzzle"]["board"].append(["*"]))
    refused(lambda bad: bad["puzzle"]["uncovered"].append("nowhere"))
    refused(lambda bad: bad.update(tree=[["x", []]] * 3))


def test_another_type_at_any_place_is_refused(small: tuple[ExactCover, int]) -> None:
    """No float, no truth value and no text is a number, and no number is a truth value."""
    good = json.loads(proof_text(small[0])[0])
    for path, value in places(good):
        for other in other_types(value):
            with pytest.raises(Refused):
                check(altered(good, path, other))


def test_an_index_that_is_no_whole_number_is_no_crash(dominoes: ExactCover, tmp_path: Path) -> None:
    """The tiling's own options as floats equal the right ones."""
    write_proofs(dominoes, tmp_path)
    path = tmp_path / "proof.json"
    good = json.loads(path.read_text())
    place = next(n for n, (item, _) in enumerate(good["tree"]) if item == "tiling")
    for new in (float, str, lambda n: [n]):
        bad = copy.deepcopy(good)
        bad["tree"][place][1] = list(map(new, bad["tree"][place][1]))
        path.write_text(json.dumps(bad))
        for subject in (dominoes.instance, None):
            with pytest.raises(ProofRefused, match="the file is malformed: tree: "):
                check_proofs(tmp_path, subject)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace('"tilings"', '"tilings": 9, "tilings"'), "key in {puzzle"),
        (lambda text: text.replace('"p0":', '"p0": [[0, 0]], "p0":'), "duplicate key in {p0"),
        (lambda text: text.replace('"flip"', '"turns": true, "flip"'), "'turns' is no key"),
        (lambda text: text.replace('"flip": true', '"flip": 1'), r"flip: 1 \(int\)"),
        (lambda text: text.replace('"tilings": 8', '"tilings": 8.0'), r"tilings: 8\.0 \(float\)"),
    ],
)
def test_a_claim_that_can_be_read_in_two_ways_is_refused(
    change: Callable[[str], str], message: str, dominoes: ExactCover, tmp_path: Path
) -> None:
    path = tmp_path / "proof.json"
    write_proofs(dominoes, tmp_path, ["tree"])
    changed(path, change)
    with pytest.raises(ProofRefused, match=message):
        check_proofs(tmp_path)
    command = [sys.executable, "-I", "-S", check_tree.__file__, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.search(message, done.stderr)
    path.unlink()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)


def test_a_branch_with_its_subtree_cannot_be_left_out(dominoes: ExactCover) -> None:
    """A tree that lacks a whole branch and is consistent otherwise."""
    good = json.loads(proof_text(dominoes)[0])
    root_options = good["tree"][0][1]
    assert len(root_options) > 1
    # The subtree of the root's first option ends where the second option's begins.
    depth, place = 1, 1
    while depth:
        item, options = good["tree"][place]
        depth += -1 if item == "tiling" else len(options) - 1
        place += 1
    lost = sum(item == "tiling" for item, _ in good["tree"][1:place])
    bad = copy.deepcopy(good)
    bad["tree"][0][1] = root_options[1:]
    del bad["tree"][1:place]
    bad["tilings"] -= lost
    with pytest.raises(Refused, match="not all there"):
        check(bad)


@pytest.mark.parametrize("number", [2, 3])
def test_a_piece_that_is_wanted_several_times_is_no_place_to_branch(number: int) -> None:
    """The same choice would be met in several orders."""
    pieces = tuple(Piece.from_rows(f"p{n}", ["##"]) for n in range(number))
    board = Board.from_text([" ".join("*" * number)] * 2)
    good = json.loads(proof_text(ExactCover(Instance(Puzzle("Strip", board, pieces), ())))[0])
    bad = {**good, "tree": [["piece p0", [*range(len(good["options"]))]], *good["tree"]]}
    with pytest.raises(Refused, match=f"to be covered {number} times and cannot be branched on"):
        check(bad)


@pytest.mark.parametrize("flip", [True, False])
def test_hexagonal_boards_have_proofs_too(flip: bool, tmp_path: Path) -> None:
    # Mirror images of the first piece differ from it by more than a turn.
    shapes = {"S": ((0, 0), (0, 1), (0, 2), (1, 1)), "L": ((1, 0), (1, 2), (2, 0), (2, 1), (2, 2))}
    pieces = tuple(Piece(name, cells, HEXAGONAL) for name, cells in shapes.items())
    assert [len(pieces[0].orientations(flip=over)) for over in (True, False)] == [12, 6]
    board = Board.from_text(["* * *"] * 3, HEXAGONAL)
    instance = Instance(Puzzle("Hexagons", board, pieces, flip=flip), ())
    assert write_proofs(ExactCover(instance), tmp_path).tilings == (4 if flip else 2)
    # The checker turns the pieces by itself, and finds the same options.
    assert check_proofs(tmp_path, instance).tilings == (4 if flip else 2)


def strip(cells: int) -> dict[str, Any]:
    """Return the proof for a strip that single squares cover: as deep as it is long."""
    return {
        "puzzle": {
            "name": "strip",
            "lattice": "square",
            "board": [["*"] * cells],
            "flip": True,
            "pieces": {f"s{n}": [[0, 0]] for n in range(cells)},
            "uncovered": [],
            "free": {},
        },
        "options": [{"cells": [[0, n]], "covers": "piece s0"} for n in range(cells)],
        "tree": [*([[0, n], [n]] for n in range(cells)), ["tiling", [*range(cells)]], ["end", []]],
        "tilings": 1,
    }


@pytest.mark.long
def test_a_tree_that_is_too_deep_is_refused() -> None:
    assert check(strip(100)) == 1
    with pytest.raises(Refused, match="deeper than any puzzle's"):
        check(strip(1000))


def test_every_label_may_stay_uncovered() -> None:
    puzzle = {
        "board": [["a", "b"]],
        "lattice": "square",
        "pieces": {"I": [[0, 0]]},
        "flip": True,
        "uncovered": ["a", "b"],
        "free": {},
    }
    proof = {"puzzle": puzzle, "options": [], "tree": [["piece I", []], ["end", []]], "tilings": 0}
    assert check(proof) == 0


@pytest.mark.parametrize(
    "junk", [None, 7, [], {}, {"puzzle": []}, {"puzzle": {}, "options": [], "tree": []}]
)
def test_junk_is_refused(junk: Any) -> None:
    with pytest.raises(Refused):
        check(junk)


def test_the_checker_shares_no_code_and_runs_alone(dominoes: ExactCover, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    path.write_text(proof_text(dominoes)[0])
    # Away from the package: the file alone, without site packages.
    script = tmp_path / "checker.py"
    script.write_text(Path(check_tree.__file__).read_text())
    command = [sys.executable, "-I", "-S", str(script), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "8 tilings, and no others\n")
    path.write_text(path.read_text().replace('"tilings": 8', '"tilings": 7'))
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "refused: the tree has 8 tilings, not 7\n"


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("proof.json", lambda text: text[:-40], "is not JSON"),
        ("proof.json", lambda text: text.replace('"tiling"', '"titling"', 1), "covered already"),
        ("proof.json", lambda text: text.replace('"Small"', '"Large"', 1), "another puzzle"),
        ("model.opb", lambda text: text.replace("+1 x2 ", "", 1), "not the model"),
        ("model.opb", lambda text: text + "+1 x1 >= 1 ;\n", "not the model"),
        ("model.opb", lambda text: re.sub("(?m)^[*] x1 = .*$", "* x1 = p9", text), "not the model"),
        ("model.opb", lambda text: text.replace("\n", "\n* x1 = p9\n", 1), "not the model"),
        ("model.opb", lambda text: text.replace("\n", "\n+1 x1 >= 0 ;\n", 1), "not the model"),
        ("model.opb", lambda text: re.sub("(?m)^[*] x2 = .*\n", "", text), "not the model"),
        ("model.cnf", lambda text: re.sub("(?m)^c 1 = .*$", "c 1 = p9", text), "not the model"),
        ("model.cnf", lambda text: text.replace("c 1 = ", "c 1 = p9\nc 1 = "), "not the model"),
        ("model.cnf", lambda text: re.sub("(?m)^c 2 = .*\n", "", text), "not the model"),
        ("model.cnf", lambda text: text.rsplit("\n", 2)[0] + "\n", "not the model"),
        ("model.cnf", lambda text: text + "1 0\n", "not the model"),
        ("proof.pbp", lambda text: "", "begins with"),
        ("proof.pbp", lambda text: text.replace("1.1", "2.0", 1), "begins with"),
        ("proof.pbp", lambda text: text.replace("1.1", "3.0", 1), "not the model"),
        ("proof.pbp", lambda text: text[: len(text) // 2], "was cut"),
        ("proof.pbp", lambda text: text.rsplit("\n", 2)[0] + "\n", "was cut"),
        ("proof.pbp", lambda text: re.sub("\nv [^\n]*", "", text, count=1), "was cut"),
        ("proof.pbp", lambda text: re.sub("\nrup [^\n]*", "", text, count=1), "was cut"),
        ("proof.pbp", lambda text: re.sub("\nv x1 ", "\nv x2 ", text, count=1), "was cut"),
        ("proof.pbp", lambda text: text + "c 1\n", "after its end"),
        (
            "proof.pbp",
            lambda text: text.replace("\nv", "\n\xe9"),
            "text",
        ),
        ("proof.pbp", None, "cannot be read"),
        ("model.opb", None, "cannot be read"),
        ("model.cnf", None, "cannot be read"),
        ("proof.drat", None, "cannot be read"),
        ("proof.drat", lambda text: "1 0\n" + text, "dratify does not accept"),
        ("proof.drat", lambda text: text.rsplit("\n", 2)[0] + "\n", "dratify does not accept"),
        ("proof.drat", lambda _: "", "dratify does not accept"),
        ("proof.drat", lambda text: text[: len(text) // 2], "dratify|cannot be read"),
    ],
)
def test_a_tampered_folder_is_refused(
    name: str,
    change: Callable[[str], str] | None,
    message: str,
    dominoes: ExactCover,
    tmp_path: Path,
) -> None:
    if name == "proof.drat":
        try:
            import dratify  # noqa: F401
        except ImportError:
            missing("dratify")
    write_proofs(dominoes, tmp_path)
    changed(tmp_path / name, change)
    with pytest.raises(ProofRefused, match=message):
        check_proofs(tmp_path, dominoes.instance)


def changed(path: Path, change: Callable[[str], str] | None) -> None:
    before = path.read_text()
    if change is None:
        path.unlink()
        return
    path.write_text(change(before), encoding="utf-8")
    assert path.read_text() != before


@pytest.mark.parametrize(
    "change",
    [lambda text: text[: len(text) // 2], lambda text: text.partition("\n")[2], None],
)
def test_without_dratify_a_cut_refutation_is_refused(
    change: Callable[[str], str] | None,
    dominoes: ExactCover,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "dratify", None)
    write_proofs(dominoes, tmp_path)
    found = check_proofs(tmp_path, dominoes.instance)
    assert dict(found.checks)["proof.drat"] == "has the steps of the tree"
    assert [text.split()[3] for text in found.unchecked] == ["proof.pbp", "proof.drat"]
    changed(tmp_path / "proof.drat", change)
    with pytest.raises(ProofRefused, match=r"proof\.drat: (was cut|cannot be read)"):
        check_proofs(tmp_path, dominoes.instance)


def test_a_puzzle_that_is_none_is_refused(dominoes: ExactCover, tmp_path: Path) -> None:
    write_proofs(dominoes, tmp_path, ["tree"])
    path = tmp_path / "proof.json"
    # The tree holds; but no piece has such a name.
    path.write_text(path.read_text().replace('"p4"', '""', 1))
    assert check(json.loads(path.read_text())) == 8
    with pytest.raises(ProofRefused, match="the puzzle in it is not valid"):
        check_proofs(tmp_path)


def test_another_puzzle_is_refused(tmp_path: Path) -> None:
    tiny = read_instance(INSTANCES / "tiny.yaml")
    write_proofs(ExactCover(tiny), tmp_path)
    assert check_proofs(tmp_path, tiny).tilings == 2
    other = read_instance(INSTANCES / "tiny.yaml", flip=not tiny.puzzle.flip)
    with pytest.raises(ProofRefused, match="another puzzle"):
        check_proofs(tmp_path, other)


def test_an_error_leaves_nothing_behind(
    dominoes: ExactCover, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(DratLog, "closed", broken)
    with pytest.raises(KeyboardInterrupt):
        write_proofs(dominoes, tmp_path / "new")
    assert list((tmp_path / "new").iterdir()) == []
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="is a file, and a folder is needed"):
        write_proofs(dominoes, tmp_path / "file")
    with pytest.raises(InputError, match="cannot be read"):
        check_proofs(tmp_path / "nowhere")


@pytest.mark.long
def test_memory_does_not_grow_with_the_proof() -> None:
    lengths, peaks = [], []
    for label in ("Oct,6", "Oct,6", "Feb,29"):  # The first fills what Python keeps for itself.
        cover = ExactCover(read_instance("a-puzzle-a-day", reveal=label))
        lengths.append(0)

        def write(text: str) -> None:
            lengths[-1] += len(text)

        logs = [TreeLog(cover, write), VeriPBLog(cover, write), DratLog(write)]
        tracemalloc.start()
        try:
            explore(cover, logs)
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    assert lengths[2] > 3 * lengths[1]
    # Python keeps some thousand small tuples for later use; the proof is not kept.
    assert peaks[2] - peaks[1] < (lengths[2] - lengths[1]) / 4
    assert peaks[2] < 500_000


@pytest.mark.slow
@pytest.mark.parametrize(("name", "number"), [("feb29", 64), ("dead-corner", 0)])
def test_a_whole_date(name: str, number: int, tmp_path: Path) -> None:
    instance = read_instance(INSTANCES / f"{name}.yaml")
    write_proofs(ExactCover(instance), tmp_path)
    assert check_proofs(tmp_path, instance).tilings == number
    assert pseudo_boolean(tmp_path) == conclusion(number)
