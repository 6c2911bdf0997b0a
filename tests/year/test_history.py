"""The history that the page saves: what it has, and what is none."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from calmip import InputError, read_puzzle
from calmip.year.history import read_history

ALONE = {"hints": 0, "shown": False, "assist": "off", "seconds": 90, "on": "", "of": "2027-01-03"}


def saved(path: Path, **entries: object) -> Path:
    texts = {key: json.dumps(value) for key, value in entries.items()}
    path.write_text(json.dumps({"calmip": "history", "entries": texts}), encoding="utf-8")
    return path


def test_only_what_was_solved_alone_counts(tmp_path: Path) -> None:
    puzzle = read_puzzle("a-puzzle-a-day")
    start = "record.a-puzzle-a-day|"
    path = saved(
        tmp_path / "h.json",
        **{
            f"{start}|Jan|3": ALONE,
            f"{start}|Jan|4": ALONE | {"hints": 1},
            f"{start}|Jan|5": ALONE | {"shown": True},
            f"{start}|Jan|6": ALONE | {"assist": "count"},
            f"{start}|Jan|7": ALONE | {"seconds": 0},
            f"{start}|Jan|8": [],
            f"{start}no-flip|Jan|9": ALONE | {"seconds": 7},
            "record.jarringwords||Jan|10": ALONE,
            "found.a-puzzle-a-day||Jan|11": "1.2.3",
        },
    )
    assert read_history(path, puzzle) == {("Jan", "3"): 90}
    assert read_history(path, puzzle.with_flip(False)) == {("Jan", "9"): 7}


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"calmip": "history"}', '{"entries": {}}', "\xff"]
)
def test_what_is_no_history(tmp_path: Path, text: str) -> None:
    path = tmp_path / "h.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match=r"is not a history of the page, .* save one under"):
        read_history(path, read_puzzle("a-puzzle-a-day"))


def test_there_must_be_a_file_and_a_name(tmp_path: Path) -> None:
    puzzle = read_puzzle("a-puzzle-a-day")
    with pytest.raises(InputError, match="no such file"):
        read_history(tmp_path / "none.json", puzzle)
    with pytest.raises(InputError, match="is not a bundled puzzle"):
        read_history(tmp_path / "none.json", replace(puzzle, id=""))
