"""What notebooks show: pictures that are well-formed and say what they show."""

from __future__ import annotations

import base64
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import calmip
from calmip import SolutionPool
from calmip.puzzle.render import notebook
from calmip.puzzle.render.notebook import MAX_DRAWN_TILINGS

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def pool() -> SolutionPool:
    return calmip.enumerate(calmip.read_instance("instances/feb29.yaml"))


def texts(svg: str) -> str:
    root = ET.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    return " ".join("".join(element.itertext()) for element in root.iter())


def picture_of(image: ET.Element) -> str:
    """Return the picture that is an image of a page."""
    kind, _, encoded = (image.get("src") or "").partition(",")
    assert kind == "data:image/svg+xml;base64"
    return base64.b64decode(encoded).decode()


def test_board_piece_puzzle_and_tiling_are_drawn(pool: SolutionPool) -> None:
    puzzle = calmip.read_puzzle("a-puzzle-a-day")
    assert "Feb" in texts(puzzle.board._repr_svg_())
    assert "Feb" in texts(puzzle._repr_svg_())
    for piece in puzzle.pieces:
        texts(piece._repr_svg_())
    assert "29" in texts(pool.tilings[0]._repr_svg_())


def test_a_pool_says_how_many_and_shows_the_first(pool: SolutionPool) -> None:
    html = pool._repr_mimebundle_()["text/html"]
    root = ET.fromstring(html)
    assert root.tag == "div"
    assert html.startswith(
        f"<div><p>64 tilings, proved complete; the first {MAX_DRAWN_TILINGS} are shown</p>"
    )
    (image,) = root.findall("img")
    assert f"{MAX_DRAWN_TILINGS} tilings of" in texts(picture_of(image))
    some = SolutionPool(pool.instance, pool.tilings[:1], complete=False)._repr_mimebundle_()[
        "text/html"
    ]
    assert some.startswith("<div><p>1 tiling, there may be more</p>")
    none = SolutionPool(pool.instance, (), complete=True)._repr_mimebundle_()["text/html"]
    assert none == "<div><p>0 tilings, proved complete</p></div>"


MODEL = "max x + 3 y\nst\n c: x + y <= 3\nbounds\n x <= 2\n y <= 2\ngeneral\n x y\nend\n"


def results(folder: Path) -> Iterator[Any]:
    """Yield a result of each command that is quick."""
    model, loose = folder / "model.lp", folder / "none.lp"
    model.write_text(MODEL)
    loose.write_text(MODEL.replace("c: x + y <= 3", "c: x + y >= 9"))
    yield calmip.solve("tiny")
    yield calmip.solve(model)
    yield calmip.enumerate("tiny")
    yield calmip.enumerate(model)
    yield calmip.explain("dead-corner")
    yield calmip.explain(loose)
    yield calmip.count("tiny")
    yield calmip.unique(model)
    yield calmip.hint("tiny")
    yield calmip.compare(model, model)
    yield calmip.check("tiny", calmip.models.build("matrix", calmip.ExactCover(TINY)).native)
    yield calmip.relax("tiny")
    yield calmip.relax(model)
    yield calmip.tree("tiny")
    yield calmip.today("heart-set1", "2024-02-29")
    yield calmip.puzzles("heart-set1")
    yield calmip.installed_solvers()


TINY = calmip.read_instance("tiny")


@pytest.mark.long
def test_every_result_has_one_rich_form(tmp_path: Path) -> None:
    """HTML of the command's report, SVG where there is a drawing, Markdown, and the short text."""
    for result in results(tmp_path):
        bundle = result._repr_mimebundle_()
        name = type(result).__name__
        assert bundle["text/plain"] == repr(result)
        root = ET.fromstring(bundle["text/html"])
        assert root.tag == "div", name
        assert not root.findall(f".//{SVG}svg"), name
        if not isinstance(result, SolutionPool):
            assert bundle["text/markdown"].startswith("# "), name
        assert result._repr_mimebundle_(include={"text/html"}).keys() == {"text/html"}
        assert "text/html" not in result._repr_mimebundle_(exclude={"text/html"})
        if "image/svg+xml" in bundle:
            texts(bundle["image/svg+xml"])
    solved = calmip.solve("tiny")._repr_mimebundle_()
    (image,) = ET.fromstring(solved["text/html"]).iter("img")
    assert image.get("alt") == ET.fromstring(solved["image/svg+xml"]).get("aria-label")
    assert texts(picture_of(image)) == texts(solved["image/svg+xml"])
    assert solved["image/svg+xml"].startswith("<svg")


def test_a_pool_of_a_model_is_a_table(tmp_path: Path) -> None:
    (tmp_path / "model.lp").write_text(MODEL)
    pool = calmip.enumerate(tmp_path / "model.lp", best=2)
    shown = pool._repr_mimebundle_()["text/html"]
    assert shown.startswith("<div><p>2 solutions, proved complete</p>")
    root = ET.fromstring(shown)
    cells = ["".join(cell.itertext()) for cell in root.iter() if cell.tag in ("td", "th")]
    assert cells == ["objective", "x", "y", "7", "1", "2", "6", "0", "2"]


def test_a_form_that_is_too_long_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    solved = calmip.solve("tiny")
    every = solved._repr_mimebundle_()
    most = len(every["text/markdown"])
    assert most < len(every["text/html"])
    monkeypatch.setattr("calmip.puzzle.render.notebook.MAX_CHARACTERS", most)
    kept = solved._repr_mimebundle_()
    assert kept == {kind: text for kind, text in every.items() if len(text) <= most}
    assert {"text/plain", "text/markdown"} <= kept.keys() <= every.keys() - {"text/html"}


def test_a_result_without_an_answer_is_its_text() -> None:
    stopped = calmip.count("chessboard", time_limit=1e-9)
    assert not stopped.known
    assert stopped._repr_mimebundle_() == {"text/plain": str(stopped)}


def test_models_and_instances_are_shown(tmp_path: Path) -> None:
    (tmp_path / "model.lp").write_text(MODEL)
    shown = calmip.read_model(tmp_path / "model.lp")._repr_html_()
    assert "integer columns" in shown
    assert "maximise" in shown
    tiling = calmip.solve(TINY).tiling
    assert tiling is not None
    for one in (TINY, TINY.puzzle, TINY.puzzle.board, TINY.puzzle.pieces[0], tiling):
        (image,) = ET.fromstring(one._repr_html_()).iter("img")
        assert texts(picture_of(image)) == texts(one._repr_svg_())
    with pytest.raises(TypeError, match="there is no picture of a int"):
        notebook.html(1)


def test_no_result_has_a_picture_beside_its_forms(tmp_path: Path) -> None:
    """A notebook asks for what the forms lack, and would show an error of the picture."""
    (tmp_path / "model.lp").write_text(MODEL)
    for result in (calmip.relax(tmp_path / "model.lp"), calmip.relax("tiny"), calmip.tree("tiny")):
        assert not hasattr(result, "_repr_svg_")
    assert "image/svg+xml" in calmip.relax("tiny")._repr_mimebundle_()
    assert "image/svg+xml" not in calmip.relax(tmp_path / "model.lp")._repr_mimebundle_()


def test_an_instance_shows_the_labels_to_stay_uncovered() -> None:
    drawn = calmip.read_instance("instances/feb29.yaml")._repr_svg_()
    assert ET.fromstring(drawn).find(f"{SVG}title").text.endswith("Feb 29")  # type: ignore[union-attr]


def test_rules_of_a_report_hold_in_its_element_alone() -> None:
    shown = calmip.year("a-puzzle-a-day")._repr_mimebundle_()["text/html"]
    root = ET.fromstring(shown)
    assert root.get("class") == "calmip-report"
    rules = root.findtext("style") or ""
    assert rules.startswith(".calmip-report{")
    assert rules.endswith("}")
    assert rules.count("{") == rules.count("}")
    shade = re.search(r'<td class="(h\d+)"', shown)[1]  # type: ignore[index]
    assert f".{shade}{{background:var(--{shade})" in rules
    assert f"--{shade}:#" in rules


def test_text_drawings_have_letters_of_one_width() -> None:
    shown = calmip.explain("dead-corner")._repr_mimebundle_()["text/html"]
    drawn = next(one for one in ET.fromstring(shown).iter("pre"))
    assert drawn.get("style") == "font-family:monospace"
