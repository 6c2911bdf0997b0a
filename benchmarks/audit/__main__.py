"""Published numbers of tilings, each recounted: the tables of the page docs/about/audit.md.

    python -m benchmarks.audit [PUZZLE ...] [--write]

`claims.yaml` says who says what, and where. Every puzzle's tilings are counted by regions for all
choices of labels, and listed one by one by the exact-cover search, which must agree, up to
`MAX_LISTED_TILINGS` tilings. A choice that a source names gets a proof tree that a program without
a line of the search checks.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import functools
import hashlib
import io
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from calmip._base.errors import InputError
from calmip._base.files import write_text
from calmip.puzzle.cover import ExactCover, Reveal
from calmip.puzzle.dates import labels_of_date, real_dates
from calmip.puzzle.documents.reader import bundled_puzzles, read_puzzle
from calmip.puzzle.documents.yaml import line_of, plain_node, read_table
from calmip.puzzle.instance import Instance, Placement
from calmip.puzzle.placements import entry_of
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.search.exact_cover.counting import count_by_reveal, count_uncovered
from calmip.puzzle.search.exact_cover.search import solutions

FOLDER = Path(__file__).parent
CLAIMS = FOLDER / "claims.yaml"
TEMPLATE = FOLDER / "page.md"
ABOUT = FOLDER.parents[1] / "docs" / "about"
PAGE, STATEMENTS, COUNTS = (ABOUT / name for name in ("audit.md", "audit.csv", "audit-counts.csv"))

KEYS = {"who", "at", "puzzle", "over", "flip", "times", "says", "words", "note"}
NAMES = {"dates": "real dates", "choices": "all choices", "pairs": "any two cells"}

MAX_LISTED_TILINGS = 1_000_000
"""More tilings than this are counted and not listed."""

MAX_PROVED_TILINGS = 20_000
"""A named choice with more tilings than this gets no proof tree."""

SAME = "the same"
HEAD = ("puzzle", "who", "address", "of", "says", "recounted")
COUNTED = ("puzzle", "rule", "choices", "tilings", "listed too", "proofs checked")

Choice = frozenset[str]
Numbers = Mapping[Choice, int]


@dataclass(frozen=True)
class Entry:
    """What a source says of a puzzle; the fields are those of `claims.yaml`."""

    who: str
    at: str
    puzzle: str
    says: Mapping[str, Any]
    over: str = "dates"
    flip: bool = True
    times: int = 1
    words: str = ""
    note: str = ""

    @property
    def rules(self) -> tuple[str, bool]:
        """The puzzle, and whether pieces may be turned over."""
        return self.puzzle, self.flip

    @property
    def beside(self) -> str:
        """``pairs``, the name of a piece, or nothing: see `counted`."""
        pieces = (piece.name for piece in puzzle_of(*self.rules).pieces)
        return self.over if self.over in ("pairs", *pieces) else ""

    @property
    def of(self) -> str:
        """What the numbers are of, in words."""
        of = NAMES.get(self.over, self.over.replace("..", " to "))
        if self.beside and self.over != "pairs":
            of = f"all choices, piece {self.over} placed"
        if not self.flip and puzzle_of(self.puzzle).flip:
            of += ", no turning over"
        return of

    @property
    def numbers(self) -> Numbers:
        """The number of tilings of each choice that the source means."""
        found = counted(*self.rules, self.beside)
        groups = puzzle_of(*self.rules).groups
        if self.over == "dates":
            found = {choice: found[choice] for choice in dates(groups)}
        elif ".." in self.over:
            first, last = map(datetime.date.fromisoformat, self.over.split(".."))
            days = [first + datetime.timedelta(n) for n in range((last - first).days + 1)]
            found = {c: found[c] for day in days for c in [_choice(labels_of_date(groups, day))]}
        return {choice: self.times * number for choice, number in found.items()}

    @property
    def named(self) -> set[Choice]:
        """The choices that the source names."""
        says = [self.says.get("tilings", {})]
        places = [p for key in ("least", "most") for p in self.says.get(key, {}).values()]
        texts = {text for each in (*says, *places) for text in each}
        return {frozenset(text.split()) for text in texts}

    def parts(self) -> Iterator[tuple[str, str, bool]]:
        """Yield each number: what the source says, what was counted, and whether they agree."""
        numbers = self.numbers
        for key, said in self.says.items():
            yield from PARTS[key](said, numbers)


def entries() -> list[Entry]:
    """Return all entries of `claims.yaml`; raise InputError where one is malformed."""
    document = read_table(CLAIMS, CLAIMS.name, "claims are a mapping with the key entries")
    found = []
    for number, fields in enumerate(plain_node(document)["entries"]):
        line = line_of(document, ("entries", number))
        unknown = fields.keys() - KEYS or fields.get("says", {}).keys() - PARTS.keys()
        if unknown or not {"who", "at", "puzzle", "says"} <= fields.keys():
            fault = f"an entry has who, at, puzzle and says; unknown: {sorted(unknown) or 'none'}"
            raise InputError(fault, path=CLAIMS.name, line=line)
        fields["times"] = int(fields.get("times", "1"))
        fields["flip"] = fields.get("flip", "true") == "true" and puzzle_of(fields["puzzle"]).flip
        found.append(Entry(**fields))
    return found


@functools.cache
def puzzle_of(name: str, flip: bool | None = None) -> Puzzle:
    """Return a bundled puzzle, or that of a file beside the claims."""
    puzzle = read_puzzle(name if name in bundled_puzzles() else FOLDER / f"{name}.yaml")
    return puzzle if flip is None else puzzle.with_flip(flip)


@functools.cache
def counted(name: str, flip: bool, beside: str = "") -> Numbers:
    """Return the number of tilings for each choice of labels, by regions.

    Beside labels, ``pairs`` means any two cells, and the name of a piece a choice and a
    placement of that piece.
    """
    puzzle = puzzle_of(name, flip)
    if beside == "pairs":
        label = {cell: text for text, cells in puzzle.board.labels.items() for cell in cells}
        return {
            frozenset(label[cell] for cell in cells): number
            for cells, number in count_uncovered(puzzle, 2).items()
        }
    whole = Instance(puzzle, (), tuple(puzzle.groups))
    cover = ExactCover(whole)
    if beside:
        every = (cover.option(n) for n in range(cover.placements))
        placed = [one for one in every if isinstance(one, Placement) and one.piece == beside]
        return {
            frozenset((*labels, entry_of(whole, one))): number
            for one in placed
            for labels, number in count_by_reveal(ExactCover(replace(whole, placed=(one,)))).items()
        }
    return {frozenset(labels): number for labels, number in count_by_reveal(cover).items()}


def listed(name: str, flip: bool, beside: str = "") -> Numbers:
    """Return the same numbers, from tilings that a depth-first search lists one by one."""
    puzzle = puzzle_of(name, flip)
    if beside == "pairs":
        return {
            choice: sum(1 for _ in solutions(ExactCover(Instance(puzzle, tuple(choice)))))
            for choice in counted(name, flip, beside)
        }
    whole = Instance(puzzle, (), tuple(puzzle.groups))
    cover = ExactCover(whole)
    labels = {}
    for number, each in enumerate(map(cover.option, range(cover.columns))):
        if isinstance(each, Reveal):
            labels[number] = each.label
        elif each.piece == beside:
            labels[number] = entry_of(whole, each)
    found = Counter(frozenset(n for n in options if n in labels) for options in solutions(cover))
    numbers = dict.fromkeys(counted(name, flip, beside), 0)
    return numbers | {frozenset(labels[n] for n in each): found[each] for each in found}


def proved(name: str, flip: bool, choice: Choice) -> tuple[int, int]:
    """Return the tilings of a choice and the nodes of its proof, as the checker accepts it."""
    from calmip.proofs.check_tree import check
    from calmip.proofs.logs import proof_text

    cover = ExactCover(Instance(puzzle_of(name, flip), tuple(sorted(choice))))
    text, found = proof_text(cover)
    return check(json.loads(text)), found.nodes


def dates(groups: Mapping[str, Sequence[str]]) -> list[Choice]:
    """Return the labels of every real date."""
    return [_choice(labels) for labels in real_dates(groups).values()]


def digest(numbers: Numbers) -> str:
    """Return the digest of a list of numbers: one line for each choice that has a tiling.

    A line has the labels in the order of their characters and the number, between blanks; the
    lines have the order of their characters. These are the first 32 digits of the SHA-256.
    """
    lines = sorted(f"{' '.join(sorted(choice))} {n}" for choice, n in numbers.items() if n)
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:32]


def _choice(labels: Mapping[str, str]) -> Choice:
    return frozenset(labels.values())


def _name(choice: Choice) -> str:
    return " ".join(sorted(choice, key=lambda label: (label.isdigit(), label)))


def _holds(said: str, number: float) -> bool:
    """Return whether a number is as said: N, N+ or M-N."""
    low, dash, high = said.removesuffix("+").partition("-")
    return float(low) <= number and (said.endswith("+") or number <= float(high if dash else low))


def _show(said: str) -> str:
    low, dash, high = said.removesuffix("+").partition("-")
    if said.endswith("+"):
        return f"at least {int(low):,}"
    return f"{int(low):,}" + (f" to {int(high):,}" if dash else "")


Part = Iterator[tuple[str, str, bool]]
"""What a source says, what was counted, and whether they agree."""


def _tilings(said: Mapping[str, str], numbers: Numbers) -> Part:
    for place, number in said.items():
        found = numbers[frozenset(place.split())]
        yield f"{place}: {_show(number)}", f"{place}: {found:,}", _holds(number, found)


def _total(said: str, numbers: Numbers) -> Part:
    found = sum(numbers.values())
    yield f"{_show(said)} in all", f"{found:,} in all", _holds(said, found)


def _extreme(word: str, pick: Any, said: Mapping[str, Sequence[str]], numbers: Numbers) -> Part:
    found = pick(numbers.values())
    at = [choice for choice, number in numbers.items() if number == found]
    for number, places in said.items():
        given = [frozenset(place.split()) for place in places]
        where = f" ({', '.join(places)})" if places else ""
        agrees = _holds(number, found) and set(given) <= set(at)
        told = ", ".join(map(_name, at[:4]))
        yield f"{word} {_show(number)}{where}", f"{word} {found:,} ({told})", agrees


def _average(said: str, numbers: Numbers) -> Part:
    digits = len(said.partition(".")[2])
    found = sum(numbers.values()) / len(numbers)
    yield f"average {said}", f"average {found:.{digits}f}", f"{found:.{digits}f}" == said


def _with(said: Mapping[str, str], numbers: Numbers) -> Part:
    for tilings, choices in said.items():
        found = sum(number == int(tilings) for number in numbers.values())
        yield f"{int(choices):,} with {tilings}", f"{found:,} with {tilings}", found == int(choices)


def _list(said: str, numbers: Numbers) -> Part:
    entries = sum(1 for number in numbers.values() if number)
    yield f"a list of {entries:,} numbers", "another list", digest(numbers) == said


PARTS: dict[str, Callable[[Any, Numbers], Part]] = {
    "tilings": _tilings,
    "total": _total,
    "least": functools.partial(_extreme, "least", min),
    "most": functools.partial(_extreme, "most", max),
    "average": _average,
    "with": _with,
    "list": _list,
}


@dataclass(frozen=True)
class Board:
    """How a puzzle was counted: its choices and tilings, and the proofs with their nodes."""

    name: str
    flip: bool
    beside: str
    choices: int
    tilings: int
    listed: bool
    proofs: int
    nodes: int


def recount(chosen: Sequence[Entry], *, tell: bool = True) -> list[Board]:
    """Count every puzzle of the entries by all methods, which must agree."""
    boards = []
    for name, flip, beside in dict.fromkeys((*e.rules, e.beside) for e in chosen):
        numbers = counted(name, flip, beside)
        total = sum(numbers.values())
        if tell:
            print(f"{name}{'' if flip else ', no flips'}: {total:,}", file=sys.stderr, flush=True)
        if total <= MAX_LISTED_TILINGS and listed(name, flip, beside) != numbers:
            raise SystemExit(f"{name}: the two counts differ")
        mine = [e for e in chosen if (*e.rules, e.beside) == (name, flip, beside)]
        named = {choice for entry in mine for choice in entry.named}
        wanted = {choice for choice in named if numbers[choice] <= MAX_PROVED_TILINGS}
        nodes = 0
        for choice in sorted(wanted, key=_name):
            found, some = proved(name, flip, choice)
            nodes += some
            if found != numbers[choice]:
                raise SystemExit(f"{name} {_name(choice)}: the proof has {found} tilings")
        size = (len(numbers), total, total <= MAX_LISTED_TILINGS)
        boards.append(Board(name, flip, beside, *size, len(wanted), nodes))
    return boards


def row(entry: Entry) -> tuple[str, str, str, str, str]:
    """Return the row of an entry: who, of what, what it says, what was counted, the note."""
    parts = list(entry.parts())
    says = entry.words or "; ".join(said for said, _, _ in parts)
    wrong = [found for _, found, agrees in parts if not agrees]
    return entry.who, entry.of, says, "; ".join(wrong) if wrong else SAME, entry.note


def page_text(chosen: Sequence[Entry]) -> str:
    """Return the page, from its template and all entries."""
    rows = [row(entry) for entry in chosen]
    wrong = [(e, r) for e, r in zip(chosen, rows, strict=True) if r[3] != SAME]
    notes = [f"* **{entry.who}**: {says}. {note}" for entry, (_, _, says, _, note) in wrong]
    return TEMPLATE.read_text(encoding="utf-8").format(
        entries=len(rows),
        same=len(rows) - len(wrong),
        differ=len(wrong),
        sources=len({entry.at for entry in chosen}),
        notes="\n".join(notes),
    )


def statements_text(chosen: Sequence[Entry]) -> str:
    """Return the table of all statements, puzzle by puzzle."""
    names = dict.fromkeys(entry.puzzle for entry in chosen)
    return _table(HEAD, (statement(e) for name in names for e in chosen if e.puzzle == name))


def statement(entry: Entry) -> list[str]:
    """Return the line of an entry in the table of all statements."""
    who, of, says, found, _ = row(entry)
    return [puzzle_of(entry.puzzle).name, who, entry.at, of, says, found]


def counts_text(boards: Sequence[Board]) -> str:
    """Return the table of how every puzzle was counted."""
    return _table(COUNTED, map(_board_row, boards))


def _table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(lines)
    return stream.getvalue()


def _board_row(board: Board) -> list[str]:
    rules = "" if board.flip else "no turning over"
    if board.beside:
        rules = "any two cells" if board.beside == "pairs" else f"piece {board.beside} placed"
    again = "yes" if board.listed else "no"
    proofs = f"{board.proofs:,} ({board.nodes:,} nodes)" if board.proofs else "none"
    return [board.name, rules, f"{board.choices:,}", f"{board.tilings:,}", again, proofs]


def main() -> None:
    """Recount, print the table, and write the page and its tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("puzzles", nargs="*", help="only claims about these puzzles")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name} and its tables")
    options = parser.parse_args()
    every = entries()
    chosen = [entry for entry in every if entry.puzzle in (options.puzzles or [entry.puzzle])]
    boards = recount(chosen)
    for entry in chosen:
        who, of, says, found, note = row(entry)
        print(f"{who}, {entry.puzzle}, {of}: {says} -- {found}{f' ({note})' if note else ''}")
    if options.write and not options.puzzles:
        write_text(PAGE, [page_text(chosen)])
        write_text(STATEMENTS, [statements_text(chosen)])
        write_text(COUNTS, [counts_text(boards)])


if __name__ == "__main__":
    main()
