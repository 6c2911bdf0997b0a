"""The table of the course: what its pages say, and a graph without a circle."""

from __future__ import annotations

import importlib.util
import itertools
import re
from pathlib import Path
from types import ModuleType

import pytest

from calmip.course.exercises import EXERCISES, page_of
from calmip.puzzle.render.picture import Area

pytestmark = pytest.mark.trade("course")

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def graph() -> ModuleType:
    path = ROOT / ".ci/docs_build/course_graph.py"
    spec = importlib.util.spec_from_file_location("course_graph", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_table_has_every_exercise_with_its_page(graph: ModuleType) -> None:
    entries = graph.entries()
    assert [*entries] == [*EXERCISES]
    for exercise, entry in entries.items():
        assert entry.folder == page_of(exercise)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_page_has_the_minutes_and_the_needs_of_the_table(
    exercise: str, graph: ModuleType
) -> None:
    entry = graph.entries()[exercise]
    text = (ROOT / "docs/course" / entry.folder / "index.md").read_text("utf-8")
    assert len(re.findall(r"\bAfter\s+this\s+exercise\s+you\s+can\b", text)) == 1
    plain = re.sub(r"\]\([^)]*\)|\[", "", text)
    (found,) = re.findall(r"You\s+need\s([^.]*?)about\s+(\d+)\s+minutes", plain)
    assert int(found[1]) == entry.minutes
    named = re.match(r"exercises?\s+((?:(?:,\s|\sand\s)?(?:\d+|data|clinic))+)", found[0])
    assert set(re.findall(r"\w+", named[1]) if named else ()) - {"and"} == set(entry.needs)


def test_an_exercise_needs_earlier_layers_alone(graph: ModuleType) -> None:
    depth = {one: at for at, layer in enumerate(graph.layers()) for one in layer}
    assert depth.keys() == EXERCISES.keys()
    for exercise, entry in graph.entries().items():
        assert all(depth[one] < depth[exercise] for one in entry.needs)
        # What is drawn says the same as the table: nothing is lost by leaving lines out.
        drawn = set(graph.direct(exercise))
        assert drawn.union(*map(graph.ancestors, drawn)) == graph.ancestors(exercise)


def test_a_line_passes_between_boxes(graph: ModuleType) -> None:
    lines, boxes = [], []
    for mark in graph.course_picture().marks:
        if isinstance(mark, Area):
            (boxes if mark.closed else lines).append(mark.loops[0])
    assert len(boxes) == len(EXERCISES) < len(lines)
    for line in lines:
        for (x, y), (u, v) in itertools.pairwise(line):
            for step in range(101):
                at = x + (u - x) * step / 100, y + (v - y) * step / 100
                for loop in boxes:
                    inside = [
                        min(c) + 0.01 < p < max(c) - 0.01
                        for p, c in zip(at, zip(*loop, strict=True), strict=True)
                    ]
                    assert not all(inside), (line, loop)
