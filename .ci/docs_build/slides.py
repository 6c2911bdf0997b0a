"""Slides of the exercises, from the text of their pages: one HTML file each.

A heading and a numbered question begin slides, and what is too long for one goes on on the next.
The answers that a page folds come after their questions. A deck is one file: it asks no network.
Its arrow keys turn the slides, and a print has one slide on each page (`.ci/slides_pdf.py`).
"""

from __future__ import annotations

import html
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import markdown
import pages
from mathml import formulas

from calmip.course.exercises import EXERCISES, page_of

DOCS = Path(__file__).parents[2] / "docs"

LINES, CHARACTERS = 13, 66
"""What a slide holds, a line being one of the text; less than Chromium finds room for."""

FEW = 5
"""The most lines of a slide whose text is larger."""

ROWS, WIDE = 0.95, 84
"""Lines that a line in a table takes, and the characters of a row."""

CODE_LINES, CODE_CHARACTERS = 0.75, 78

EXTENSIONS = ["tables", "sane_lists", "def_list", "fenced_code"]

INNER = re.compile(r"^( +)```\w*\n(.*?)^\1``` *$", re.DOTALL | re.MULTILINE)
"""A block of code within a list, which Markdown itself knows only by its indentation."""

BLOCK = re.compile(
    r"(?P<fence>```.*?^```)"
    r"|(?P<fold><details>.*?</details>)"
    r"|(?P<dropped><!--.*?-->|Starter: .*?(?=\n\n|\Z))"
    r"|(?P<head>\#{1,3} [^\n]+)"
    r"|(?P<table>(?:\|[^\n]*\n?)+)"
    r"|(?P<question>\d+\. [^\n]*(?:\n(?!\d+\. |\* |\||\S+\n:)[^\n]+|\n\n(?=  )[^\n]+)*)"
    r"|(?P<item>\* [^\n]*(?:\n(?!\d+\. |\* |\||\S+\n:)[^\n]+|\n\n(?=  )[^\n]+)*)"
    r"|(?P<text>[^\n]+(?:\n(?!\d+\. |\* |\|)[^\n]+)*)",
    re.DOTALL | re.MULTILINE,
)
"""A block of a page: each begins at the beginning of a line."""

QUESTION = re.compile(r"^\* (.+?\?) (?=[^?]*$)(.+)$", re.DOTALL)


@dataclass(frozen=True)
class Slide:
    """A slide: its title, what is on it, as Markdown, and whether these are answers."""

    title: str
    blocks: tuple[str, ...]
    answers: bool = False


def decks() -> dict[str, str]:
    """Return the deck of every exercise, by the folder of its page."""
    return {page_of(exercise): deck(exercise) for exercise in EXERCISES}


def deck(exercise: str) -> str:
    """Return the slides of an exercise as HTML."""
    name = f"course/{page_of(exercise)}/index.md"
    text = pages.for_site((DOCS / name).read_text(encoding="utf-8"), name)
    sections = [_section(slide, name, at) for at, slide in enumerate(slides(text), start=1)]
    title = html.escape(f"Exercise {exercise}: {EXERCISES[exercise]}")
    return TEMPLATE.format(title=title, style=STYLE, slides="\n".join(sections), script=SCRIPT)


def slides(text: str) -> list[Slide]:
    """Return the slides of a page."""
    heading, _, body = text.partition("\n")
    section = title = re.sub(r"^# (?:\d+\. )?", "", heading)
    found: list[Slide] = []
    on: list[str] = []

    def turn() -> None:
        # What ends with a colon stays with what it announces.
        leads = on[1:] and on[-1].endswith(":") and [on.pop()]
        if on:
            found.append(Slide(section, tuple(on)))
        on[:] = leads or []

    for kind, block in _blocks(body):
        if kind == "head":
            turn()
            section = f"{title}: {block.lstrip('# ')}"
        elif kind == "fold":
            turn()
            found += _remembered(block)
        else:
            alone = kind == "question" and len(block) > CHARACTERS
            for part in _parts(kind, block):
                most = LINES if found else LINES / 2
                if on and (alone or sum(map(_lines, on)) + _lines(part) > most):
                    turn()
                on.append(part)
            if alone:
                turn()
    return [*found, Slide(section, tuple(on))] if on else found


def _blocks(body: str) -> Iterator[tuple[str, str]]:
    """Yield the kind and the text of each block, but for those that are no slides."""
    place = 0
    while found := BLOCK.search(body, place):
        place = found.end()
        kind = found.lastgroup or ""
        if kind != "dropped":
            yield kind, found.group().rstrip()


def _remembered(fold: str) -> list[Slide]:
    """Return the questions of a fold, and on the next slide their answers."""
    title = re.findall("<summary>(.*?)</summary>", fold)[0]
    pairs = []
    for one in re.split(r"^(?=\* )", fold.partition("</summary>")[2], flags=re.MULTILINE)[1:]:
        question = QUESTION.match(one.removesuffix("</details>").strip())
        assert question is not None, one
        pairs.append((question[1], question[2]))
    asked = [Slide(title, tuple(f"* {question}" for question, _ in pairs))]
    rows: list[str] = []
    for question, answer in pairs:
        row = f"* *{question}* {answer}"
        if rows and sum(map(_lines, rows)) + _lines(row) > 1.2 * LINES:
            asked.append(Slide(f"{title} Answers", tuple(rows), answers=True))
            rows = []
        rows.append(row)
    return [*asked, Slide(f"{title} Answers", tuple(rows), answers=True)]


def _parts(kind: str, block: str) -> Iterator[str]:
    """Yield a block in parts that each fit on a slide."""
    if _lines(block) <= LINES:
        yield block
    elif kind == "table":
        head, rule, *rows = block.split("\n")
        kept: list[str] = []
        for row in rows:
            if kept and _lines("\n".join([head, rule, *kept, row])) > LINES:
                yield "\n".join([head, rule, *kept])
                kept = []
            kept.append(row)
        yield "\n".join([head, rule, *kept])
    elif kind == "fence":
        first, *lines, last = block.split("\n")
        most = int((LINES - 1) / CODE_LINES)
        for at in range(0, len(lines), most):
            yield "\n".join([first, *lines[at : at + most], last])
    else:
        kept = []
        for sentence in re.split(r"(?<=[.?!]) +|(?<=[.?!])\n", block):
            if kept and _lines(" ".join([*kept, sentence])) > LINES:
                yield " ".join(kept)
                kept = []
            kept.append(sentence)
        yield " ".join(kept)


def _lines(block: str) -> float:
    """Return the lines of text that a block takes on a slide, with the space below it."""
    plain = re.sub(
        r"\]\([^)]*\)|\\(?:sum|frac|text|le|ge|quad|cdot|in|dots)\b|[\\${}*`\[]", "", block
    )
    if plain.startswith("|"):
        rows = [line for line in plain.split("\n") if not set(line) <= set("|-: ")]
        cells = [[cell.strip() for cell in row.strip("| ").split("|")] for row in rows]
        widest = [max(map(len, column)) for column in zip(*cells, strict=False)]
        room = [max(8.0, WIDE * width / sum(widest)) for width in widest]
        return 0.7 + sum(
            0.35 + ROWS * max(-(-len(cell) // most) for cell, most in zip(row, room, strict=False))
            for row in cells
        )
    if block.startswith("```"):
        lines = block.split("\n")[1:-1]
        return 1 + CODE_LINES * sum(max(1, -(-len(line) // CODE_CHARACTERS)) for line in lines)
    code = re.findall(r"^ *```.*?^ *```", block, re.DOTALL | re.MULTILINE)
    if code:
        return sum(map(_lines, ("\n".join(x.strip() for x in one.split("\n")) for one in code))) + (
            _lines(re.sub(r"^ *```.*?^ *```", "", block, flags=re.DOTALL | re.MULTILINE))
        )
    formula = 1.6 * block.count("$$") / 2
    listed = re.findall(r"^(.*)\n: ", block, re.MULTILINE)
    words = " ".join(plain.split())
    return 0.6 + formula + 0.3 * len(listed) + len(listed) + -(-len(words) // CHARACTERS)


def _section(slide: Slide, name: str, number: int) -> str:
    """Return a slide as HTML; what has few lines is larger."""
    few = sum(map(_lines, slide.blocks)) <= FEW and not slide.answers
    kind = "first" if number == 1 else "answers" if slide.answers else "few" if few else ""
    body = formulas("\n\n".join(slide.blocks), name)
    body = re.sub(r"(\]\([^)\s]*)\.md\b", r"\1.html", body)
    body = INNER.sub(lambda found: re.sub("^(?=.)", "    ", found[2], flags=re.MULTILINE), body)
    title = re.sub(r"</?p>", "", markdown.markdown(slide.title))
    shown = markdown.markdown(body, extensions=EXTENSIONS, output_format="html")
    head = f'<section class="{kind}" data-number="{number}">\n<h1>{title}</h1>'
    return f"{head}\n<div>\n{shown}\n</div>\n</section>"


STYLE = """
:root { color-scheme: light dark; --paper: #fff; --ink: #16161d; --quiet: #5c5c66; --line: #d5d5dd;
  --code: #f2f2f6; --link: #1d4ed8 }
@media screen and (prefers-color-scheme: dark) {
  :root { --paper: #16161d; --ink: #f5f5f5; --quiet: #a9a9b4; --line: #3a3a46; --code: #23232d;
    --link: #93b4ff }
}
@page { size: 1280px 720px; margin: 0 }
* { box-sizing: border-box }
html, body { margin: 0; background: var(--paper); color: var(--ink) }
body { font: 28px/1.4 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif }
section { position: relative; width: 1280px; height: 720px; padding: 48px 80px 56px;
  overflow: hidden; break-after: page; background: var(--paper); flex-direction: column;
  display: flex }
section:last-of-type { break-after: auto }
section::after { content: attr(data-number); position: absolute; right: 40px; bottom: 20px;
  color: var(--quiet); font-size: 18px }
h1 { margin: 0 0 24px; font-size: 24px; font-weight: 600; line-height: 1.2; color: var(--quiet) }
section > div { margin: auto 0 }
.first { justify-content: center }
.first h1 { margin: 0 0 40px; font-size: 60px; color: inherit }
.first > div { margin: 0 }
.few > div { font-size: 36px }
.answers { font-size: 26px }
.answers em { color: var(--quiet) }
p, ul, ol, dl, table, pre { margin: 0 0 16px }
ul, ol { padding-left: 1.4em }
li { margin-bottom: 12px }
dd { margin: 0 0 12px 1.4em }
table { border-collapse: collapse; font-size: 25px; line-height: 1.3 }
th, td { padding: 5px 20px 5px 0; border-bottom: 1px solid var(--line); text-align: left;
  vertical-align: top }
code, pre { background: var(--code); border-radius: 6px; font-size: 0.86em;
  font-family: ui-monospace, "DejaVu Sans Mono", Consolas, monospace }
code { padding: 0 0.25em }
pre { padding: 12px 16px; font-size: 21px; line-height: 1.35; white-space: pre-wrap;
  overflow-wrap: anywhere }
pre code { padding: 0; font-size: inherit }
a { color: var(--link) }
.formula { margin: 0 0 16px }
@media screen {
  .turned { height: 100vh; overflow: hidden }
  .turned section { display: none; position: absolute; left: 50%; top: 50%;
    transform: translate(-50%, -50%) scale(var(--scale, 1)) }
  .turned section.shown { display: flex }
}
"""

SCRIPT = """
const slides = [...document.querySelectorAll("section")];
let at = 0;
function show(number) {
  at = Math.max(0, Math.min(slides.length - 1, number));
  slides.forEach((slide, n) => slide.classList.toggle("shown", n === at));
  history.replaceState(null, "", `#${at + 1}`);
}
function fit() {
  const scale = Math.min(innerWidth / 1280, innerHeight / 720);
  document.body.style.setProperty("--scale", scale);
}
const steps = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1, Enter: 1, ArrowLeft: -1,
  ArrowUp: -1, PageUp: -1, Backspace: -1, Home: -1e6, End: 1e6 };
addEventListener("keydown", (event) => {
  if (!(event.key in steps) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Enter" && event.target.closest("a")) return;
  event.preventDefault();
  show(at + steps[event.key]);
});
addEventListener("click", (event) => {
  if (event.target.closest("a") || String(getSelection())) return;
  show(at + (event.clientX < innerWidth / 3 ? -1 : 1));
});
addEventListener("hashchange", () => show(Number(location.hash.slice(1)) - 1 || 0));
addEventListener("resize", fit);
document.body.className = "turned";
fit();
show(Number(location.hash.slice(1)) - 1 || 0);
"""

TEMPLATE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
{slides}
</main>
<script>{script}</script>
</body>
</html>
"""
