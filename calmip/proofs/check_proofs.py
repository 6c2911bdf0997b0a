"""The check of a folder of proofs: the tree against the puzzle, and the models against the puzzle.

The other proofs of the folder are written again from its tree and compared with the files. A valid
tree gives the order of all steps, and so each line of the logs. The comparison finds a file that
was cut, or lost a solution or a step. VeriPB and drat-trim check that each step holds: nothing
here propagates.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calmip._base.errors import InputError, ProofRefused, clip, join_words
from calmip.mip.defined import project
from calmip.mip.display import tell
from calmip.mip.pool.integer_model import program_of
from calmip.mip.proof.check_model import NAME, TreeRefused, check_model
from calmip.mip.proof.check_pool import Claim, PoolRefused, check_pool
from calmip.mip.proof.model_tree import model_lines
from calmip.mip.proof.pool_tree import model_data
from calmip.proofs.check_tree import Refused, check, read_proof
from calmip.proofs.logs import (
    DIALECTS,
    DratLog,
    Log,
    Proved,
    VeriPBLog,
    clause,
    instance_data,
    option_data,
)
from calmip.puzzle.board import Board, Piece
from calmip.puzzle.cover import ExactCover
from calmip.puzzle.files.covers import cnf_lines, opb_lines
from calmip.puzzle.instance import Instance
from calmip.puzzle.lattice import LATTICES
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.tasks.problems import problem_of

if TYPE_CHECKING:
    from calmip.mip.model import Model
    from calmip.puzzle.tasks.problems import Source

MAX_BYTES = 1 << 30
"""A larger proof.json is not read."""


def check_proofs(folder: Path, source: Source | None = None) -> Proved:
    """Check the proofs in a folder, of an instance or of a model.

    ``proof.json`` is required and checked against the puzzle. The models of the other proofs, if
    present, must be those of the puzzle, and ``model.cnf`` must exclude exactly the proved
    tilings. ``proof.pbp`` must have the head, the solutions, the steps and the end of the tree;
    the validity of each step is not checked. The package dratify checks ``proof.drat`` if it is
    installed; otherwise it is checked as ``proof.pbp`` is. For a model, ``proof.json`` is checked
    against ``model.opb``, which must be the model.

    Parameters
    ----------
    folder
        The folder.
    source
        The instance or the model of the proof; by default the one that it states.

    Raises
    ------
    InputError
        If ``proof.json`` is missing or cannot be read.
    ProofRefused
        If a proof does not hold or is about another puzzle.
    """
    problem = None if source is None else problem_of(source, open_ends=True)
    path = folder / "proof.json"
    proof = _read(path)
    of_model = isinstance(proof, dict) and "puzzle" not in proof and "solutions" in proof
    of_pool = of_model and "model" in proof
    if problem is not None and problem.kind != ("model" if of_model else "instance"):
        kinds = ("a model", "a puzzle") if of_model else ("a puzzle", "a model")
        raise ProofRefused(f"{path}: is about {kinds[0]}, not {kinds[1]}")
    if of_model:
        check_it = _check_pool if of_pool else _check_model
        return check_it(folder, proof, None if problem is None else problem.model)
    instance = None if problem is None else problem.instance
    stated = proof.get("puzzle") if isinstance(proof, dict) else None
    if instance is not None and stated != json.loads(json.dumps(instance_data(instance))):
        raise ProofRefused(f"{path}: is about another puzzle, or other labels are uncovered")
    try:
        found = check(proof)
    except Refused as refusal:
        raise ProofRefused(f"{path}: {refusal}") from None
    checks = [("proof.json", "every node checked from the puzzle up")]
    unchecked = []
    cover = ExactCover(instance or _instance(path, stated))
    position = _positions(cover, proof["options"])
    tilings = [options for item, options in proof["tree"] if item == "tiling"]
    if (folder / "proof.pbp").exists() or (folder / "model.opb").exists():
        dialect = _dialect(folder / "proof.pbp")
        _same(folder / "model.opb", opb_lines(cover, preserved=dialect != DIALECTS[0]))
        checks.append(("model.opb", "is the puzzle's"))
        with _comparison(folder / "proof.pbp") as write:
            _replay(proof, cover.instance.puzzle, position, VeriPBLog(cover, write, dialect))
        logged = f"the {len(tilings)} tilings" if tilings else "no tiling"
        checks.append(("proof.pbp", f"logs {logged}, and the steps of the tree"))
        unchecked.append("each step of proof.pbp (run veripb)")
    if (folder / "proof.drat").exists() or (folder / "model.cnf").exists():
        lines = (clause(sorted(position[option] for option in some)) for some in tilings)
        _same(folder / "model.cnf", cnf_lines(cover, blocked=(len(tilings), lines)))
        checks.append(("model.cnf", f"is the puzzle's with {len(tilings)} tilings excluded"))
        accepted = _check_drat(folder)
        if not accepted:
            with _comparison(folder / "proof.drat") as write:
                _replay(proof, cover.instance.puzzle, position, DratLog(write))
            unchecked.append(
                "each step of proof.drat (pip install calmip[proof], or run drat-trim)"
            )
        how = "accepted by dratify" if accepted else "has the steps of the tree"
        checks.append(("proof.drat", how))
    return Proved(found, len(proof["tree"]) - 1, tuple(checks), tuple(unchecked))


def _check_model(folder: Path, proof: Any, model: Model | None) -> Proved:
    """Check a proof about a model against the file of the model, and that file."""
    path = folder / "model.opb"
    with _reading(path):
        text = path.read_bytes().decode()
    checks = []
    if model is not None:
        _same(path, model_lines(project(model).as_binary("a proof"), ()), "is not the model")
        checks.append(("model.opb", "is the model"))
    try:
        found, nodes = check_model(text, proof)
    except TreeRefused as refusal:
        raise ProofRefused(f"{folder / 'proof.json'}: {refusal}") from None
    checks.append(("proof.json", "every node checked from the constraints of model.opb"))
    return Proved(found, nodes, tuple(checks), of_model=True)


def _check_pool(folder: Path, proof: Any, model: Model | None) -> Proved:
    """Check a proof that a pool is complete, and its model against another."""
    path = folder / "proof.json"
    try:
        claim = check_pool(proof)
    except PoolRefused as refusal:
        raise ProofRefused(f"{path}: {refusal}") from None
    stated, checks = proof["model"], []
    names = [name for name, _, _ in stated["columns"]][: stated["distinct"]]
    if model is not None:
        places = [model.column_index.get(str(name), -1) for name in names]
        if -1 in places or stated != model_data(program_of(model, places)):
            raise ProofRefused(f"{path}: is about another model")
        checks.append(("the model in proof.json", "is the model"))
    checks.append(("proof.json", "every node checked from the rows of its model"))
    if len(names) < stated["integers"]:
        checks.append(("solutions", f"differ in {join_words(map(str, names)) or 'nothing'}"))
    return replace(pool_proved(claim, proof["goal"]), checks=tuple(checks))


def pool_proved(claim: Claim, goal: Any) -> Proved:
    """Return what is proved of a pool with a goal, as the proof has it."""
    scope = ""
    if goal is not None:
        kind, size = goal[0], Fraction(goal[1])
        scope = f"within {tell(size)} of the optimum"
        if kind == "gap":
            scope = f"within a gap of {tell(100 * size)} %"
        scope = scope if size else "optimal"
    ends = None if claim.best is None else (claim.best, claim.worst)
    return Proved(claim.solutions, claim.nodes, of_model=True, scope=scope, objectives=ends)


def _dialect(path: Path) -> str:
    """Return the version of the format in the first line of a proof."""
    with _reading(path), path.open("rb") as file:
        head = file.readline(200).decode("ascii", "replace").rstrip("\r\n")
    for dialect in DIALECTS:
        if head == f"pseudo-Boolean proof version {dialect}":
            return dialect
    raise ProofRefused(
        f"{path}: begins with {clip(head)!r}, not with 'pseudo-Boolean proof version' and one of "
        f"{join_words(DIALECTS)}"
    )


def _read(path: Path) -> Any:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f"has over {MAX_BYTES:,} bytes and is not read", path=path)
        return read_proof(path.read_text(encoding="utf-8"))
    except Refused as refusal:
        raise ProofRefused(f"{path}: {refusal}") from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=path) from None
    except InputError:
        raise
    except (ValueError, RecursionError):
        raise ProofRefused(f"{path}: is not JSON, or was cut") from None


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Raise errors of reading a file as `ProofRefused`."""
    try:
        yield
    except OSError as error:
        raise ProofRefused(f"{path}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ProofRefused(f"{path}: is not a text") from None


def _instance(path: Path, stated: Any) -> Instance:
    """Return the instance that a checked proof states."""
    try:
        lattice = LATTICES[stated["lattice"]]
        rules = stated.get("rules", {})
        pieces = tuple(
            Piece(name, tuple((r, c) for r, c in cells), lattice, **rules.get(name, {}))
            for name, cells in stated["pieces"].items()
        )
        board = Board(tuple(map(tuple, stated["board"])), lattice)
        groups = {group: tuple(labels) for group, labels in stated["free"].items()}
        puzzle = Puzzle(
            stated["name"], board, pieces, groups, flip=stated["flip"], use=stated.get("use")
        )
        return Instance(puzzle, tuple(stated["uncovered"]), tuple(groups))
    except (InputError, AttributeError, KeyError, TypeError, ValueError) as error:
        raise ProofRefused(f"{path}: the puzzle in it is not valid ({error})") from None


def _positions(cover: ExactCover, options: list[Any]) -> list[int]:
    """Return the model's number of each option of the file."""

    def key(option: dict[str, Any]) -> tuple[object, ...]:
        cells = frozenset(map(tuple, option["cells"]))
        return cells, option["covers"], option.get("label", "")

    numbers = {key(option_data(cover, number)): number for number in range(cover.columns)}
    return [numbers[key(option)] for option in options]


def _same(
    path: Path, expected: Iterable[str], fault: str = "is not the model of the puzzle"
) -> None:
    """Compare a file with the expected lines, which have no head.

    The comments of the head may differ, but name no variable. The names of variables and rows,
    which are comments as well, are what the numbers stand for.
    """
    wanted: Iterator[str] = (line for part in expected for line in part.splitlines(keepends=True))
    with _reading(path), path.open(encoding="utf-8") as file:
        if path.suffix == ".cnf":
            lines = itertools.dropwhile(lambda line: line.startswith("c | "), file)
        else:
            # The first line has the numbers of variables and rows.
            if next(file, "") != next(wanted):
                raise ProofRefused(f"{path}: {fault}")
            first = next(wanted, "")
            wanted = itertools.chain([first] * bool(first), wanted)
            lines = itertools.dropwhile(
                lambda line: line != first and line.startswith("* ") and not NAME.match(line), file
            )
        if any(found != line for found, line in zip_longest(lines, wanted)):
            raise ProofRefused(f"{path}: {fault}")


def _check_drat(folder: Path) -> bool:
    """Return whether dratify accepts the proof; False if it is not installed."""
    try:
        import dratify
    except ImportError:
        return False
    path = folder / "proof.drat"
    try:
        formula = dratify.parse_dimacs((folder / "model.cnf").read_text(encoding="ascii"))
        result = dratify.check_proof(formula, path.read_text(encoding="ascii"), check_rat=False)
    except (OSError, ValueError) as error:
        raise ProofRefused(f"{path}: cannot be read: {error}") from None
    if not result.ok:  # it also states that the empty clause was reached
        raise ProofRefused(f"{path}: dratify does not accept it")
    return True


def _replay(proof: Mapping[str, Any], puzzle: Puzzle, position: Sequence[int], log: Log) -> None:
    """Log the solutions and closed branches, not the nodes, of the search that wrote a tree.

    The positions are the model's numbers of the file's options.
    """
    nodes = iter(proof["tree"])
    # The items that may have a demand above 1.
    covers = [
        [option["covers"]]
        if option["cells"]
        else []
        if option.get("label", "").startswith("max")
        else [option["covers"], "left out"]
        for option in proof["options"]
    ]
    left = Counter({f"piece {pieces[0].name}": len(pieces) for pieces in puzzle.piece_classes})
    left["left out"] = len(puzzle.pieces) - (puzzle.use or 0)
    chosen: list[int] = []
    decisions: list[int] = []

    def below() -> None:
        item, options = next(nodes)
        if item == "tiling":
            log.tiling(chosen)
            return
        if len(options) < (left.get(item, 1) if isinstance(item, str) else 1):
            return
        for option in options:
            chosen.append(position[option])
            left.subtract(covers[option])
            if len(options) > 1:
                decisions.append(position[option])
            below()
            if len(options) > 1:
                log.closed(tuple(decisions))
                decisions.pop()
            left.update(covers[option])
            chosen.pop()

    below()
    log.closed(())


@contextmanager
def _comparison(path: Path) -> Iterator[Callable[[str], None]]:
    """Yield a function that compares the next text with that of a file, instead of writing it."""
    with _reading(path), path.open(encoding="ascii", newline="") as file:

        def write(text: str) -> None:
            if file.read(len(text)) != text:
                raise ProofRefused(f"{path}: was cut, or is not what the tree in proof.json gives")

        yield write
        if file.read(1):
            raise ProofRefused(f"{path}: goes on after its end")
