"""The statements about published counts are well-formed, and agree with the page and a recount."""

from __future__ import annotations

import csv
import re

import pytest

from benchmarks.audit.__main__ import (
    CLAIMS,
    COUNTS,
    MAX_LISTED_TILINGS,
    PAGE,
    SAME,
    STATEMENTS,
    Entry,
    counted,
    counts_text,
    digest,
    entries,
    listed,
    page_text,
    proved,
    puzzle_of,
    recount,
    row,
    statement,
    statements_text,
)
from calmip.puzzle.documents.reader import bundled_puzzles

QUICK = {"a-puzzle-a-day", "jarringwords"}
"""Puzzles whose year is counted in a tenth of a second."""

LONG = {"palmetto-whole-year", "heart-set1", "heart-set2", "shiura-daily-8p", "shiura-daily-9p"}

ENTRIES = entries()


def test_statements_are_well_formed() -> None:
    assert len(ENTRIES) > 50
    for entry in ENTRIES:
        assert re.fullmatch(r"https?://\S+", entry.at)
        assert entry.who
        assert entry.says
        assert entry.times > 0
        assert entry.over in ("dates", "choices") or entry.beside or ".." in entry.over
        puzzle = puzzle_of(entry.puzzle)
        assert {label for choice in entry.named for label in choice} <= puzzle.board.labels.keys()


def test_boards_beside_the_statements_are_those_that_are_not_bundled() -> None:
    own = {path.stem for path in CLAIMS.parent.glob("*.yaml")} - {CLAIMS.stem}
    assert own == {entry.puzzle for entry in ENTRIES} - set(bundled_puzzles())


def on_page(entry: Entry) -> bool:
    with STATEMENTS.open(encoding="utf-8", newline="") as lines:
        listed_there = statement(entry) in csv.reader(lines)
    note = row(entry)[4]
    return listed_there and note in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "name", [*sorted(QUICK), *(pytest.param(n, marks=pytest.mark.long) for n in sorted(LONG))]
)
def test_the_page_has_the_recount(name: str) -> None:
    for entry in ENTRIES:
        if entry.puzzle == name and not entry.beside:
            assert on_page(entry)
            # A difference has its reason.
            assert entry.note or row(entry)[3] == SAME


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "beside"), sorted({(e.puzzle, e.beside) for e in ENTRIES if e.beside})
)
def test_any_two_cells_and_a_placed_piece(name: str, beside: str) -> None:
    assert listed(name, flip=True, beside=beside) == counted(name, flip=True, beside=beside)
    assert all(
        on_page(entry) for entry in ENTRIES if (entry.puzzle, entry.beside) == (name, beside)
    )


@pytest.mark.trade("proofs")
def test_two_counts_and_a_proof_agree() -> None:
    numbers = counted("a-puzzle-a-day", flip=False)
    assert listed("a-puzzle-a-day", flip=False) == numbers
    choice = frozenset(("Jan", "1"))
    assert proved("a-puzzle-a-day", flip=False, choice=choice)[0] == numbers[choice] == 2


def test_a_wrong_number_does_not_pass() -> None:
    right = Entry("a", "b", "jarringwords", {"total": "22625", "least": {"10": ["Jul 2"]}})
    assert row(right)[3] == SAME
    for says in (
        {"total": "22624"},
        {"total": "22626+"},
        {"total": "1-22624"},
        {"average": "61.7"},
        {"least": {"9": ["Jul 2"]}},
        {"least": {"10": ["Jul 3"]}},
        {"most": {"207": []}},
        {"with": {"10": "2"}},
        {"tilings": {"Jul 2": "11"}},
        {"list": "0" * 32},
    ):
        assert row(Entry("a", "b", "jarringwords", says))[3] != SAME, says


def test_the_digest_is_of_every_number() -> None:
    numbers = {frozenset(("Jan", "1")): 64, frozenset(("Feb", "2")): 3, frozenset(("Feb", "3")): 0}
    assert digest(numbers) == digest(dict(reversed(numbers.items())))
    for choice in numbers:
        assert digest({**numbers, choice: 65}) != digest(numbers)
    del numbers[frozenset(("Feb", "3"))]
    assert digest(numbers) == digest({**numbers, frozenset(("Mar", "3")): 0})


@pytest.mark.slow
def test_the_whole_page() -> None:
    boards = recount(ENTRIES, tell=False)
    assert all(board.listed or board.tilings > MAX_LISTED_TILINGS for board in boards)
    assert page_text(ENTRIES) == PAGE.read_text(encoding="utf-8")
    assert statements_text(ENTRIES) == STATEMENTS.read_text(encoding="utf-8")
    assert counts_text(boards) == COUNTS.read_text(encoding="utf-8")
