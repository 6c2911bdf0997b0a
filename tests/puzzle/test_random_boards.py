"""Every rule of a puzzle, through all that solves, counts and proves: brute force as witness."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import brute_force
import pytest
from battery import every_pair
from random_rules import RULES, Case, least_bare
from requirements import need_solver

import calmip
from calmip import ExactCover, InputError, Instance, Tiling, read_puzzle
from calmip.puzzle.documents.serialise import puzzle_text
from calmip.puzzle.search.exact_cover.counting import (
    count,
    count_by_reveal,
    count_uncovered,
    plain_tally,
)
from calmip.puzzle.search.exact_cover.options import options_of, order_of
from calmip.puzzle.search.exact_cover.search import Search

every_rule = pytest.mark.parametrize("rule", RULES)


def check(case: Case) -> bool:
    """Compare search and counts with brute force, and return whether there is a tiling."""
    instance, _, known = case
    cover = ExactCover(instance)
    solutions = list(Search(cover))
    tilings = [Tiling.from_options(cover, options) for options in solutions]
    found = [case.solution(tiling) for tiling in tilings]
    assert len(found) == len(set(found))
    assert set(found) == known
    assert count(cover) == len(known)
    assert plain_tally(options_of(cover, order_of(cover)), lambda _: None)[0] == len(known)
    assert len(list(Search(cover.reduced()))) == len(known)
    if instance.free:
        labels = Counter(label for (label,), _ in known)
        assert {one: n for (one,), n in count_by_reveal(cover).items() if n} == labels
    for tiling, options in zip(tilings, solutions, strict=True):
        assert tiling.options(cover) == options
        used = {one.piece for one in tiling.placements}
        assert set(tiling.left) == {one.name for one in instance.puzzle.optional} - used
    return bool(known)


def several(rule: str, seeds: Iterable[int]) -> Counter[bool]:
    """Check instances, and return how many have a tiling and how many have none."""
    return Counter(check(RULES[rule](seed)) for seed in seeds)


@every_rule
def test_a_few_boards_against_brute_force(rule: str) -> None:
    assert several(rule, range(8))[True] >= 4


@every_rule
@pytest.mark.parametrize("batch", brute_force.batches(6))
def test_boards_against_brute_force(rule: str, batch: int) -> None:
    found = several(rule, range(100 * batch, 100 * batch + 100))
    assert found.total() == 100
    # Two dates and tiles are cut from a tiling.
    assert len(found) == 1 + (rule not in {"two-dates", "tiles"})


@pytest.mark.long
@pytest.mark.parametrize("rule", ["turns", "spare", "copies", "counted"])
@pytest.mark.parametrize(
    "seeds",
    [range(2), *(pytest.param(range(n, n + 5), marks=pytest.mark.slow) for n in range(2, 27, 5))],
)
def test_counts_of_any_uncovered_cells(rule: str, seeds: Iterable[int]) -> None:
    tilings = 0
    for seed in seeds:
        drawn = RULES[rule](seed).instance.puzzle
        names = tuple(
            tuple(f"{r}.{c}" if text != "." else text for c, text in enumerate(row))
            for r, row in enumerate(drawn.board.rows)
        )
        puzzle = replace(drawn, board=replace(drawn.board, rows=names), groups={})
        size = len(puzzle.board.cells)
        used = {area for area, n in puzzle.areas.items() if area and puzzle.use in (None, *n)}
        for bare in {0, 1, 2} & {size - area for area in used}:
            for cells, number in count_uncovered(puzzle, bare).items():
                labels = tuple(map(puzzle.board.label, cells))
                assert count(ExactCover(Instance(puzzle, labels))) == number
                tilings += number
        if size not in used:
            with pytest.raises(InputError, match=r"cells, so .* uncovered, not 0"):
                count_uncovered(puzzle, 0)
    assert tilings


@pytest.mark.long
@every_rule
@pytest.mark.parametrize("method", ["no-good", "one-tree"])
def test_other_methods_have_the_same_tilings(rule: str, method: str) -> None:
    for seed in range(0, 60, 4):
        case = RULES[rule](seed)
        pool = calmip.enumerate(case.instance, method=method)
        assert pool.complete
        assert {case.solution(tiling) for tiling in pool} == case.known
        assert len(pool) == len(case.known)


@pytest.mark.long
@pytest.mark.parametrize(
    ("formulation", "solver", "seed"),
    every_pair(
        ["matrix", "pulp", "pyomo", "cells", "packing"], ["cbc", "glpk", "highs"], [1, 6, 15]
    ),
)
def test_solvers_of_the_exported_files_agree(formulation: str, solver: str, seed: int) -> None:
    need_solver(solver)
    for rule in RULES:
        case = RULES[rule](seed)
        found = calmip.solve(case.instance, solver=solver, formulation=formulation)
        assert (found.status == "feasible") == bool(case.known)
        assert found.tiling is None or case.solution(found.tiling) in case.known


@pytest.mark.parametrize("rule", ["turns", "spare", "copies", "counted"])
@pytest.mark.parametrize(
    "seeds",
    [
        range(8),
        *(pytest.param(range(n, n + 100), marks=pytest.mark.slow) for n in range(8, 608, 100)),
    ],
)
def test_a_packing_covers_as_much_as_brute_force_says(rule: str, seeds: Iterable[int]) -> None:
    for seed in seeds:
        case = RULES[rule](seed)
        least = least_bare(case.instance)
        assert (least == 0) == bool(case.known)
        found = calmip.solve(case.instance, formulation="packing")
        assert (found.status == "feasible") == bool(case.known)
        if found.packing is not None:
            assert len(found.packing.missing) == least
        elif not case.known:  # no piece fits anywhere
            assert not ExactCover(case.instance).columns
            assert least == len(case.instance.to_cover)


@pytest.mark.trade("proofs")
@pytest.mark.long
@every_rule
def test_proofs_state_the_rule(rule: str, tmp_path: Path) -> None:
    from calmip.proofs.check_proofs import check_proofs
    from calmip.proofs.prove import write_proofs

    for seed in range(20):
        case = RULES[rule](seed)
        folder = tmp_path / str(seed)
        folder.mkdir()
        known = len(case.known)
        assert write_proofs(ExactCover(case.instance), folder).tilings == known
        assert check_proofs(folder, case.instance).tilings == known
        assert check_proofs(folder).tilings == known


@every_rule
def test_a_file_with_the_rule_comes_back(rule: str, tmp_path: Path) -> None:
    path = tmp_path / "puzzle.yaml"
    for seed in range(10):
        puzzle = RULES[rule](seed).instance.puzzle
        path.write_text(puzzle_text(puzzle), encoding="utf-8")
        back = read_puzzle(path)
        assert (back.pieces, back.use, back.board) == (puzzle.pieces, puzzle.use, puzzle.board)
