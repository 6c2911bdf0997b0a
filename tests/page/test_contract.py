"""The page and the package agree: placements, names, files, counts, hints, messages."""

from __future__ import annotations

import contextlib
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from page_modules import DRAWN, Question, ask

import calmip
from calmip import ExactCover, InputError, Instance, Placement, Puzzle
from calmip.cli import main
from calmip.puzzle.dates import real_dates
from calmip.puzzle.documents.reader import bundled_puzzles, read_instance, read_puzzle
from calmip.puzzle.documents.serialise import puzzle_text
from calmip.puzzle.placements import entry_of
from calmip.puzzle.search.exact_cover.counting import count, count_by_reveal
from calmip.puzzle.search.exact_cover.search import solutions
from calmip.puzzle.tasks.instance_library import model_text, quick_count

SEEDS = range(5)
DATE = "2024-02-29"

SMALL = [
    name
    for name in bundled_puzzles()
    if not name.startswith(("kao", "sahuyu", "hex61", "shiura-daily-1", "weekday", "praxis"))
]
"""The puzzles of which every date is counted; with --slow there are more."""


def source_of(puzzle: Puzzle) -> dict[str, str]:
    if puzzle.id in bundled_puzzles():
        return {"id": puzzle.id}
    return {"yaml": puzzle_text(puzzle), "file": f"{puzzle.name}.yaml"}


def about(instance: Instance, **more: Any) -> dict[str, Any]:
    """Return what tells the page's modules of an instance."""
    puzzle = instance.puzzle
    labels = dict.fromkeys(instance.free, "free")
    for label in instance.labels:
        labels[next(group for group, all_ in puzzle.groups.items() if label in all_)] = label
    labels = {group: labels[group] for group in puzzle.groups}
    placed = " ".join(every_cell(instance, one) for one in instance.placed)
    return {
        "source": source_of(puzzle),
        "flip": puzzle.flip,
        "labels": labels,
        "name": instance.name,
        "placed": placed,
        **more,
    }


def every_cell(instance: Instance, one: Placement) -> str:
    return f"{one.piece}:{'+'.join(f'{r},{c}' for r, c in one.cells)}"


def described(cover: ExactCover) -> dict[str, Any]:
    options = []
    for number, name in enumerate(cover.option_names):
        option = cover.option(number)
        piece = option.piece if isinstance(option, Placement) else ""
        label = "" if isinstance(option, Placement) else option.label
        options.append(
            [name, cover.items_of(number), piece, label, [list(c) for c in option.cells]]
        )
    items = [[item.kind, item.text, item.name, item.demand] for item in cover.items]
    return {"items": items, "options": options, "obstacle": cover.obstacle()}


def some_instances() -> list[Instance]:
    bundled = [read_instance(name, date=DATE) for name in bundled_puzzles()]
    return bundled + [one(seed) for seed in SEEDS for one in DRAWN]


@pytest.fixture(scope="module")
def all_instances() -> list[Instance]:
    """Return all bundled puzzles on one date, without turning over, with free groups, and more."""
    found = some_instances()
    for name in bundled_puzzles():
        puzzle = read_puzzle(name)
        first = next(iter(puzzle.groups))
        some = read_instance(name, date="2023-11-05")
        labels = dict(zip(puzzle.groups, some.labels, strict=True))
        found.append(Instance.reveal(puzzle.with_flip(False), labels, name="no flips"))
        with contextlib.suppress(InputError):
            found.append(Instance.reveal(puzzle, {**labels, first: "free"}, name="free"))
    return found


@pytest.mark.long
def test_placements_names_and_order_are_the_same(all_instances: list[Instance]) -> None:
    answers = ask(*(("cover", about(instance)) for instance in all_instances))
    for instance, answer in zip(all_instances, answers, strict=True):
        assert answer == described(ExactCover(instance)), instance.name


def with_some_placed(instance: Instance, pieces: int, seed: int) -> Instance:
    """Return a position on the way to a tiling, if there is one."""
    cover = ExactCover(instance)
    options = [cover.option(number) for number in next(solutions(cover), ())]
    placed = [one for one in options if isinstance(one, Placement) and one.cells]
    named: list[Placement] = []
    for one in random.Random(seed).sample(placed, min(pieces, len(placed))):
        equal = next(c for c in instance.puzzle.piece_classes if c[0].name == one.piece)
        used = {other.piece for other in named}
        name = next(piece.name for piece in equal if piece.name not in used)
        named.append(Placement(name, one.cells))
    return Instance(instance.puzzle, instance.labels, instance.free, instance.name, tuple(named))


@pytest.mark.long
def test_exported_files_have_the_same_bytes() -> None:
    easy = [read_instance(name, date=DATE) for name in SMALL]
    easy += [one(seed) for seed in SEEDS for one in DRAWN]
    compare_files(easy + [with_some_placed(one, 2, seed) for seed, one in enumerate(easy)])
    hard = [read_instance(n, date=DATE) for n in bundled_puzzles() if n not in SMALL]
    compare_files([with_some_placed(one, 3, seed) for seed, one in enumerate(hard)])


@pytest.mark.slow
def test_files_of_large_boards_have_the_same_bytes() -> None:
    compare_files([read_instance(n, date=DATE) for n in bundled_puzzles() if n not in SMALL])


def compare_files(instances: list[Instance]) -> None:
    answers = ask(*(("files", about(instance)) for instance in instances))
    for instance, answer in zip(instances, answers, strict=True):
        cover = ExactCover(instance)
        tilings = quick_count(cover)
        assert tilings is not None
        for kind in ("mps", "lp"):
            expected = "".join(model_text(cover, f".{kind}", tilings=tilings).parts)
            assert answer[kind] == expected, (instance.name, kind)


def test_a_file_is_what_the_command_writes(tmp_path: Path) -> None:
    path = tmp_path / "m.mps"
    assert main(["export", "heart-set1", "--date", DATE, "-o", str(path)]) == 0
    instance = read_instance("heart-set1", date=DATE)
    assert instance.name == f"heart-set1 {DATE}"
    (answer,) = ask(("files", about(instance)))
    assert answer["mps"].encode() == path.read_bytes()


YEARS = [pytest.param(n, marks=pytest.mark.slow) if "hex" in n else n for n in SMALL]


@pytest.mark.long
@pytest.mark.parametrize("name", YEARS)
def test_every_date_has_the_same_count(name: str) -> None:
    compare_year(name, {})


@pytest.mark.slow
@pytest.mark.parametrize("name", ["praxis-rhombus", "weekday-8x7"])
@pytest.mark.parametrize("weekday", range(7))
def test_every_date_of_a_weekday_has_the_same_count(name: str, weekday: int) -> None:
    compare_year(name, {"weekday": read_puzzle(name).groups["weekday"][weekday]})


def compare_year(name: str, fixed: dict[str, str]) -> None:
    puzzle = read_puzzle(name)
    others = [group for group in puzzle.groups if group not in ("month", "day")]
    fixed = fixed or {group: puzzle.groups[group][2] for group in others}
    expected = count_by_reveal(ExactCover(Instance(puzzle, (), tuple(puzzle.groups))))
    dates = [
        labels
        for labels in real_dates(puzzle.groups).values()
        if all(labels[group] == label for group, label in fixed.items())
    ]
    ((*answer,),) = ask(("year", {"source": {"id": name}, "labels": fixed}))
    counted = {tuple(labels[group] for group in puzzle.groups): n for labels, n in answer}
    wanted = {tuple(labels.values()): expected[tuple(labels.values())] for labels in dates}
    assert counted == wanted


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(bundled_puzzles()) - set(SMALL)))
def test_twenty_dates_of_a_large_board_have_the_same_count(name: str) -> None:
    puzzle = read_puzzle(name)
    dates = random.Random(20).sample(list(real_dates(puzzle.groups).values()), 20)
    instances = [Instance.reveal(puzzle, labels) for labels in dates]
    answers = ask(*(("count", about(instance)) for instance in instances))
    assert answers == [count(ExactCover(instance)) for instance in instances]


def dead_end(instance: Instance, seed: int) -> Instance | None:
    """Return a position without a tiling: two pieces as they do not lie in the first one."""
    rng = random.Random(seed)
    cover = ExactCover(instance)
    for _ in range(40):
        one, other = (cover.option(rng.randrange(cover.placements)) for _ in range(2))
        if not (one.cells and other.cells):
            continue
        if one.piece != other.piece and not set(one.cells) & set(other.cells):
            found = replace(instance, placed=(one, other))
            if count(ExactCover(found)) == 0:
                return found
    return None


@pytest.mark.long
def test_hints_are_the_same() -> None:
    easy = [read_instance(name, date=DATE) for name in SMALL] + [
        one(seed) for seed in SEEDS for one in DRAWN
    ]
    hard = [read_instance(n, date=DATE) for n in bundled_puzzles() if n not in SMALL]
    positions = [*easy, *(with_some_placed(one, 2, k) for k, one in enumerate(easy))]
    positions += [with_some_placed(one, 3, k) for k, one in enumerate(hard)]
    ends = [dead for k, one in enumerate(easy) if (dead := dead_end(one, k))]
    assert len(ends) > 5
    positions += ends
    answers = ask(*(("hint", about(position)) for position in positions))
    for position, answer in zip(positions, answers, strict=True):
        found = calmip.hint(position)
        assert found.complete
        assert answer["complete"]
        assert answer["tilings"] == found.tilings, position
        assert answer["hopeless"] == found.hopeless
        if found.piece is None:
            assert answer["piece"] is None
        else:
            assert answer["piece"] == entry_of(position, found.piece), position
            assert answer["left"] == found.tilings_left
        sets = [[name] for name in found.blocking] or [list(found.take_off)]
        assert answer["takeOff"] == [names for names in sets if names], position


GRID = "grid: ['1 2 3', '4 5 6']\n"

MISTAKES = {
    "unknown key": GRID + "pieces: [I3, I3]\ncolour: red\n",
    "no pieces": GRID,
    "ragged grid": "grid: ['1 2', '3']\npieces: [I3]\n",
    "unknown shape": GRID + "pieces:\n- I3\n- Q9\n",
    "unconnected piece": GRID + "pieces:\n- I3\n- ['#.#']\n",
    "odd mark": GRID + "pieces:\n  A: ['#x#']\n",
    "piece too large": GRID + "pieces: [I5]\n",
    "list without brackets": GRID + "uncover: month, day\npieces: [I3]\n",
    "groups without a comma": GRID + "uncover: [month day]\npieces: [I3]\n",
    "bare rows": GRID + "pieces:\n  A: ##\n",
    "rows without quotes": GRID + "pieces:\n  A: .#\n",
    "shapes without a comma": GRID + "pieces: [I3 V3, I1]\n",
    "shapes without brackets": GRID + "pieces: I3, V3\n",
    "small letters": GRID + "pieces: [i3]\n",
    "two of a kind": GRID + "pieces: [2xT4]\n",
    "how many": GRID + "pieces: {T4: 2}\n",
    "commas in the grid": "grid: ['Jan, Feb,', '1 2']\nuncover: [month, day]\npieces: [I1]\n",
    "a spare piece": "grid: ['1 2 3']\nuncover: [day]\npieces: [I1, I1, I1, I1]\n",
    "piece that fits nowhere": GRID + "pieces: [I]\n",
    "too many cells": GRID + "pieces:\n- I3\n- I3\n- I3\n",
    "twice a name": GRID + "pieces: {A: ['###'], A: ['###']}\n",
    "label apart": "grid: ['1 2 1']\npieces: [I3]\n",
    "unknown label": GRID + "uncover: [month]\ngroups: {month: [Jan]}\npieces: [I3]\n",
    "no such group": GRID + "uncover: [colour]\npieces: [I3]\n",
    "group not listed": GRID + "uncover: []\ngroups: {month: ['1']}\npieces: [I3]\n",
    "label in two groups": GRID + "groups: {a: ['1'], b: ['1']}\npieces: [I3]\n",
    "unknown lattice": GRID + "lattice: octagonal\npieces: [I3]\n",
    "flip neither": GRID + "flip: maybe\npieces: [I3, I3]\n",
    "no list": "grid: 1 2 3\npieces: [I3]\n",
    "a list of lists": "grid: [[1]]\npieces: [I3]\n",
    "empty row": GRID + "pieces:\n- - '#'\n  - #\n",
    "an instance": "puzzle: a-puzzle-a-day\nreveal: [Feb, 29]\n",
    "no mapping": "- 1\n- 2\n",
    "empty": "",
    "alias": "grid: &a ['1 2 3']\npieces: [*a]\n",
    "tag": "grid: !!set ['1 2 3']\npieces: [I3]\n",
    "plain tag": GRID + "name: !!str x\npieces: [I3, I3]\n",
    "an instance's key": GRID + "pieces: [I3, I3]\nreveal: [Feb]\n",
    "labels left over": "grid: ['Jan Feb x 1']\nuncover: [month]\npieces: [I3]\n",
    "no colour": GRID + "pieces:\n- {shape: I3, colour: sky}\n- I3\n",
    "three colours": GRID + "pieces:\n- {shape: I3, colour: [red, blue, tan]}\n- I3\n",
    "one side": GRID + "pieces:\n- {shape: I3, colour: [red]}\n- I3\n",
    "no colour of a side": GRID + "pieces:\n- {shape: I3, colour: [red, sky]}\n- I3\n",
    "colours in a mapping": GRID + "pieces:\n- {shape: I3, colour: {front: red}}\n- I3\n",
    "colour without shape": GRID + "pieces:\n  A: {colour: red}\n",
    "rule without shape": GRID + "pieces:\n  A: {rotate: false}\n",
    "turned over but not turned": GRID
    + "pieces:\n  A: {shape: V3, flip: true, rotate: false}\n  B: V3\n",
    "rule neither": GRID + "pieces:\n  A: {shape: V3, rotate: never}\n  B: V3\n",
    "rule of a no flip piece": GRID
    + "pieces: {A: V3, B: V3}\nno_flip_pieces:\n  A: {shape: V3, flip: false}\n  B: V3\n",
    "no flip piece against a rule": "grid: ['1 2 3', '4 * *']\npieces:\n"
    "  A: {shape: L4, flip: false}\nno_flip_pieces: {A: ['#..', '###']}\n",
    "key of a piece": GRID + "pieces:\n  A: {shape: I3, size: 3}\n",
    "ragged block": "grid: |\n  1 2 3\n  4 5\npieces: [I3]\n",
    "block of a piece": GRID + "pieces:\n  A: |\n    ###\n    #x#\n",
    "two documents": GRID + "pieces: [I3, I3]\n---\nx: y\n",
    "invisible": GRID + "pieces: [I3, I3]\nname: 'a\u200bb\x07'\n",
    "long name": GRID + f"pieces: [I3, I3]\nname: {'x' * 201}\n",
    "no flip pieces": GRID + "pieces: {A: ['###'], B: ['###']}\nno_flip_pieces: {A: ['###']}\n",
    "optional neither": GRID + "pieces:\n  A: {shape: V3, optional: perhaps}\n  B: V3\n",
    "optional no flip piece": GRID
    + "pieces: {A: V3, B: V3}\nno_flip_pieces:\n  A: {shape: V3, optional: true}\n  B: V3\n",
    "no number of pieces": GRID + "pieces: [I3, V3, I2]\nuse: two\n",
    "all pieces": GRID + "pieces: [I3, V3]\nuse: 2\n",
    "more than all pieces": GRID + "pieces: [I3, V3]\nuse: 3\n",
    "no piece at all": GRID + "pieces: [I3, V3]\nuse: 0\n",
    "fewer than are needed": GRID
    + "pieces: {A: I2, B: I3, C: {shape: V3, optional: true}}\nuse: 1\n",
    "too many cells that are needed": GRID
    + "pieces: {A: I3, B: V3, C: {shape: I2, optional: true}, D: I1}\n",
    "other no flip pieces": GRID + "pieces: {A: ['###']}\nno_flip_pieces: {A: ['##', '#.']}\n",
}


RIGHT = {
    "blocks": "grid: |\n  1 2 3\n  4 5 6\npieces:\n  A: |\n    ##\n    #.\n"
    "  B: {shape: V3, colour: red}\n",
    "German": "grid: ['Jan Feb Mär 1', 'Apr Mai 2 3']\nuncover: [month, day]\npieces: [I3]\n",
    "French": "grid: ['janv. févr. lun mar', 'mars 1 2 3']\nuncover: [month, weekday, day]\n"
    "pieces: [I3]\n",
    "Japanese": "grid: ['1月 2月 3月 月', '1日 2日 火 水']\nuncover: [month, day, weekday]\n"
    "pieces: [I3]\n",
    "other names": "grid: ['a b c', '1 2 3']\ngroups: {x: [c, a, b]}\npieces: [I3]\n",
}


def test_puzzle_files_are_read_alike(tmp_path: Path) -> None:
    sources = [{"yaml": text, "file": "own.yaml"} for text in RIGHT.values()]
    answers = ask(*(("groups", {"source": source}) for source in sources))
    for (name, text), groups in zip(RIGHT.items(), answers, strict=True):
        path = tmp_path / "own.yaml"
        path.write_text(text, encoding="utf-8")
        puzzle = read_puzzle(path)
        assert groups == [[group, list(labels)] for group, labels in puzzle.groups.items()], name


def test_mistakes_in_a_puzzle_file_are_said_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    questions: list[Question] = []
    for text in MISTAKES.values():
        source = {"yaml": text, "file": "own.yaml"}
        questions.append(("cover", {"source": source, "labels": {}}))
    said = dict(zip(MISTAKES, ask(*questions), strict=True))
    for mistake, text in MISTAKES.items():
        (tmp_path / "own.yaml").write_text(text, encoding="utf-8")
        with pytest.raises(InputError) as found:
            read_puzzle("own.yaml")
        assert said[mistake] == {"error": str(found.value)}, mistake


BARE = "grid: ['1 2 3', '4 5 6']\ngroups: {one: ['1', '2']}\npieces: "

SPARE_FAULTS = {
    "no choice": BARE + "{A: {shape: V3, optional: true}, B: {shape: I3, optional: true}}\n",
    "two choices": BARE
    + "{A: I1, B: {shape: I3, optional: true}, C: {shape: I2, optional: true}}\n",
    "a number that no choice has": BARE + "[I2, V3, I3, I1]\nuse: 3\n",
}


def test_areas_that_no_choice_of_pieces_covers_are_said_alike(tmp_path: Path) -> None:
    labels = {"one": "1"}
    sources = [{"yaml": text, "file": "own.yaml"} for text in SPARE_FAULTS.values()]
    answers = ask(*(("cover", {"source": one, "labels": labels}) for one in sources))
    for (name, text), answer in zip(SPARE_FAULTS.items(), answers, strict=True):
        path = tmp_path / "own.yaml"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(InputError) as found:
            Instance.reveal(read_puzzle(path), labels)
        assert answer == {"error": found.value.message}, name


def test_text_that_is_no_yaml_is_refused_in_the_same_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two parsers have two wordings; the file, the line and the kind of fault are the same."""
    monkeypatch.chdir(tmp_path)
    texts = [GRID + "pieces: [I3\nname: x\n", GRID + "pieces: 'I3\n", "grid:\n\t- '1'\n"]
    answers = ask(
        *(("cover", {"source": {"yaml": t, "file": "own.yaml"}, "labels": {}}) for t in texts)
    )
    for text, answer in zip(texts, answers, strict=True):
        (tmp_path / "own.yaml").write_text(text, encoding="utf-8")
        with pytest.raises(InputError) as found:
            read_puzzle("own.yaml")
        assert ": is not valid YAML: " in str(found.value)
        assert ": is not valid YAML: " in answer["error"], json.dumps(text)
        assert answer["error"].startswith("own.yaml:")
