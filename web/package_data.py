"""Write what the page knows from the package: puzzles, shapes, colours and lessons.

``python web/package_data.py`` writes ``web/src/data.json`` and
``web/src/lab/lessons.json``; the same package gives the same bytes.
"""

from __future__ import annotations

import base64
import json
import math
from dataclasses import asdict
from importlib import resources
from pathlib import Path
from typing import Any

from calmip import bundled_puzzles, read_puzzle
from calmip.mip.kernel import BUILT
from calmip.puzzle.board import NAMED_COLOURS
from calmip.puzzle.dates import LANGUAGES, MONTH_NAMES, SHORT, WEEKDAY_NAMES, real_dates
from calmip.puzzle.documents.yaml import read_document
from calmip.puzzle.lattice import LATTICES, SHAPES
from calmip.puzzle.render.palette import DARK_PIECES, LIGHT_PIECES, THEMES

KEYS = ("name", "lattice", "grid", "groups", "flip", "pieces", "no_flip_pieces", "use")
"""What of a puzzle file the page uses."""


def _difficulty(name: str, counts: dict[str, Any]) -> dict[str, int]:
    """Return the least number of tilings of a choice of labels, and the mean, as published."""
    puzzle = read_puzzle(name)
    # Where pieces may be turned over or not, the puzzle as it is counts.
    own = {**counts, **(counts.get("flip" if puzzle.flip else "no_flip") or {})}
    if "min" not in own:
        return {}
    if "all" in own:
        choices = math.prod(len(labels) for labels in puzzle.groups.values())
        total = int(own["all"])
    else:
        choices, total = len(real_dates(puzzle.groups)), int(own["valid"])
    return {"least": int(own["min"]["count"]), "mean": round(total / choices)}


def page_data() -> dict[str, Any]:
    """Return the puzzles as their files say them, the named shapes and the colours."""
    folder = resources.files("calmip") / "puzzles"
    puzzles = {}
    difficulty = {}
    for name in bundled_puzzles():
        document: Any = read_document(Path(str(folder / f"{name}.yaml")))
        puzzles[name] = {key: document[key] for key in KEYS if key in document}
        # Found here once, so that no page has to look for them among all languages' names.
        groups = read_puzzle(name).groups
        puzzles[name] |= {"groups": {group: list(labels) for group, labels in groups.items()}}
        if known := _difficulty(name, document.get("counts", {})):
            difficulty[name] = known
    return {
        "puzzles": puzzles,
        "difficulty": difficulty,
        "lattices": [
            asdict(lattice) | {"kinds": [kind._asdict() for kind in lattice.kinds]}
            for lattice in LATTICES.values()
        ],
        "shapes": SHAPES,
        "languages": {
            language: {
                "month": MONTH_NAMES[language],
                "weekday": WEEKDAY_NAMES[language],
                "short": SHORT.get(language, {}),
            }
            for language in LANGUAGES
        },
        "colours": NAMED_COLOURS,
        "kernel": base64.b64encode((Path(BUILT) / "web.wasm").read_bytes()).decode(),
        "themes": {
            name: {role: colour for role, colour in theme.items() if not role[1:].isdigit()}
            for name, theme in THEMES.items()
        },
        "pieces": {"light": LIGHT_PIECES, "dark": DARK_PIECES},
    }


def page_lessons() -> dict[str, Any]:
    """Return the bundled lessons, without their answers."""
    # The course may be missing: the page's own data need none.
    from calmip.course.lesson_files import bundled_lessons, lesson_data, read_lesson

    return {name: lesson_data(read_lesson(name)) for name in bundled_lessons()}


if __name__ == "__main__":
    for name, data, indent in (("data", page_data(), 1), ("lab/lessons", page_lessons(), None)):
        text = json.dumps(data, ensure_ascii=False, indent=indent, sort_keys=False)
        path = Path(__file__).parent / "src" / f"{name}.json"
        path.write_text(text + "\n", encoding="utf-8", newline="\n")
