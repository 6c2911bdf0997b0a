"""What the site takes from the program itself: the commands' options, the counts it knows."""

from __future__ import annotations

import dataclasses
import html
import inspect
import json
import posixpath
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import click

import calmip
from calmip import bundled_puzzles, read_puzzle
from calmip.cli import cli
from calmip.cli._parameters import documentation
from calmip.cli._signatures import of_object
from calmip.features import OWN, feature_named, groups, load

INDEX = "reference/commands/index.md"
OPTIONS = re.compile(r"^<!-- options: (\w+) -->$", re.MULTILINE)
TABLES = Path(__file__).parents[2] / "benchmarks" / "tables"
MEASURED = re.compile(r"^<!-- measured: ([a-z0-9-]+) -->$", re.MULTILINE)


def with_options(markdown: str) -> str:
    """Return a page with options of a command, the list of commands, and measured tables in it."""
    markdown = markdown.replace("<!-- commands -->\n", commands())
    markdown = MEASURED.sub(lambda found: measured(found.group(1)), markdown)
    markdown = VERB.sub(lambda found: documented(found.group(1), found.group(2)), markdown)
    return OPTIONS.sub(lambda found: options(found.group(1)), markdown)


VERB = re.compile(r"^::: calmip\.([a-z]+)(?:\.([a-z_]+))?$", re.MULTILINE)
"""The line that stands for the documentation of ``calmip.bench.log``, or of ``calmip.check``."""


def documented(name: str, verb: str | None) -> str:
    """Return the line with the place of a function with verbs, or of a verb, and its heading.

    Those are objects, which the reader of docstrings does not know.
    """
    feature = OWN.get(name)
    verbs = feature.verbs if feature is not None else {}
    public = f"calmip.{name}.{verb}" if verb else f"calmip.{name}"
    place = verbs.get(verb) if verb else feature.public.get(name) if feature and verbs else None
    return f"::: {place}\n    options: {{heading: {public}}}" if place else f"::: {public}"


SITE = "https://calmip.github.io/calmip/"
PICTURE = re.compile(
    r"""<picture>\n
    \s*<source\ media="\(prefers-color-scheme:\ dark\)"\ srcset="(?P<dark>[^"]+)">\n
    \s*<img\ alt="(?P<alt>[^"]+)"\ src="(?P<light>[^"]+)"(?:\ (?P<width>width="\d+"))?>\n
    </picture>""",
    re.VERBOSE,
)
NOTEBOOK = re.compile(r"(\]\((?:[\w./-]*/)?notebooks/\w+)\.ipynb\)")
BUTTONS = re.compile(r"<!-- buttons -->\n((?:\[.*\]\(.*\)(?: ·)?\n)+)")
FRAME = (
    '<iframe src="play/index.html#small" title="Today\'s puzzle, to play" loading="lazy"></iframe>'
)
BOOSTS = {
    "index.md": 0.2,
    "questions/index.md": 0.5,
    "questions/lp-mps-files.md": 2,
    "questions/which-solver.md": 2.5,
    "explanation/formulations.md": 1,
    "explanation/": 1.6,
    "how-to/campaigns": 1.2,
    "how-to/generate.md": 0.5,
    "how-to/unique.md": 2,
    "how-to/logic.md": 2,
    "course/": 0.5,
    "tutorials/duality.md": 0.5,
    "notebooks/": 0.5,
    "start/": 0.5,
    "about/changelog.md": 0.2,
    "about/audit-statements.md": 0.2,
    "about/": 0.5,
    "reference/schemas.md": 0.5,
    "reference/api/": 0.3,
    "reference/dialects-cases.md": 0.5,
}
"""What the search of the site finds first, and last, by the beginning of a page's path."""

MOVED = {
    "course/3-pyomo/index.md": "course/2-pulp/index.md#in-pyomo",
    "tutorials/optimal-solutions.md": "explanation/pools.md",
    "tutorials/solve-elsewhere.md": "how-to/other-solvers.md",
    "tutorials/infeasible-model.md": "explanation/iis.md",
    "tutorials/all-solutions.md": "explanation/enumeration.md",
    "explanation/formulation.md": "explanation/formulations.md",
    "tutorials/reformulation.md": "explanation/same-models.md",
    "how-to/compare-models.md": "explanation/same-models.md#in-ci",
    "about/measurements.md": "about/benchmarks.md",
}
"""Where each page that is no more has gone: its old address leads there."""

MAX_DESCRIPTION_CHARACTERS = 160
"""Characters that a search engine shows of a page's description."""
LINK = re.compile(r"!?\[([^]]*)\]\([^)]*\)")
MARKUP = re.compile(r"[*`$]|\\(?=\W)|<[^>]+>")


def for_site(markdown: str, name: str) -> str:
    """Return a page as the site has it, from one that reads well on a code host.

    A picture follows the theme that the reader chose, not the system's; links to
    what only the site has lead there, within the site; the front page has the
    page to play on in a frame, and buttons.
    """
    top = "../" * name.count("/")
    text = PICTURE.sub(_both_themes, markdown)
    text = NOTEBOOK.sub(r"\1.md)", text)
    text = text.replace(f"]({SITE}play/", f"]({top}play/")
    text = re.sub(rf"\]\({re.escape(SITE)}([\w/-]+)\.html", rf"]({top}\1.md", text)
    text = text.replace(f"]({SITE}reference/schemas/", f"]({top}reference/schemas/")
    text = text.replace("<!-- play -->", FRAME).replace("<!-- wheel -->", wheel())
    return BUTTONS.sub(_buttons, text)


def wheel() -> str:
    """Return a link to the wheel, which lies beside the page that shows it; pip finds it there."""
    name = f"calmip-{calmip.__version__}-py3-none-any.whl"
    return f"[{name}]({name})."


def with_description(markdown: str, name: str) -> str:
    """Return a page with front matter: its description, and that the front page has no sidebars."""
    lines = [f"description: {json.dumps(description(markdown), ensure_ascii=False)}"]
    boost = next((boost for start, boost in BOOSTS.items() if name.startswith(start)), 1)
    lines.append(f"search: {{boost: {boost}}}")
    if name == "index.md":
        lines.append("hide: [navigation, toc]")
    return "\n".join(["---", *lines, "---", "", markdown])


def description(markdown: str) -> str:
    """Return the first sentences of a page, as a search engine shows them.

    Raises
    ------
    ValueError
        If no paragraph follows the heading.
    """
    _, _, body = markdown.partition("\n\n")
    for part in body.split("\n\n"):
        text = " ".join(MARKUP.sub("", LINK.sub(r"\1", part)).split())
        if not text or part.lstrip().startswith(("#", "<", "|", "```", "![", "Download:")):
            continue
        kept = ""
        for sentence in re.split(r"(?<=[.?!:])\s+(?=[A-Z*\d])", text):
            if kept and len(f"{kept} {sentence}") > MAX_DESCRIPTION_CHARACTERS:
                break
            kept = f"{kept} {sentence}".strip()
        if len(kept) > MAX_DESCRIPTION_CHARACTERS:
            kept = f"{kept[:MAX_DESCRIPTION_CHARACTERS].rpartition(' ')[0]} ..."
        return re.sub(r":$", ".", kept)
    raise ValueError(f"no paragraph follows the heading of {markdown.partition(chr(10))[0]}")


def _both_themes(found: re.Match[str]) -> str:
    # What is hidden is not fetched if it is lazy.
    size = f"{{ loading=lazy {found['width'] or ''} }}"
    return "\n".join(
        f"![{found['alt']}]({found[theme]}#only-{theme}){size}" for theme in ("light", "dark")
    )


def _buttons(found: re.Match[str]) -> str:
    first, *others = found[1].replace(" ·", "").splitlines()
    lines = [f"{first}{{ .md-button .md-button--primary }}"]
    return "\n".join([*lines, *(f"{line}{{ .md-button }}" for line in others), ""])


def redirects() -> dict[str, str]:
    """Return the pages at old addresses, which lead to the new ones, by their files' names."""
    return {
        f"{old.removesuffix('.md')}.html": redirect(posixpath.relpath(new, posixpath.dirname(old)))
        for old, new in MOVED.items()
    }


def redirect(page: str) -> str:
    """Return a page that leads to another one, and to a heading there, or to the one asked for."""
    address = page.replace(".md", ".html")
    script = f"<script>location.replace('{address}' + location.hash)</script>\n"
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f"<title>This page has moved</title>\n"
        f'<meta http-equiv="refresh" content="0; url={address}">\n'
        f'<p>This page has moved: <a href="{address}">{address}</a></p>\n'
        f"{'' if '#' in address else script}</html>\n"
    )


def measured(name: str) -> str:
    """Return a table of figures that is kept, and what measures it again."""
    data = json.loads((TABLES / f"{name}.json").read_text(encoding="utf-8"))
    lines = [data["head"], ["---"] * len(data["head"]), *data["rows"]]
    day = f" ({data['measured']})" if data["measured"] else ""
    return "\n".join(
        [*(f"| {' | '.join(line)} |" for line in lines), "", f"`{data['command']}`{day}"]
    )


def commands() -> str:
    """Return the commands in the groups of ``calmip --help``, each with its line."""
    lines = []
    for group, members in groups().items():
        lines += ["", f"| {_cell(group)} | |", "|---|---|"]
        lines += [f"| [{one.name}]({one.name}.md) | {_cell(one.line)} |" for one in members]
    return "\n".join([*lines[1:], ""])


def with_commands(nav: Any) -> Any:
    """Return a navigation with the page of every command behind their index."""
    if isinstance(nav, dict):
        return {title: with_commands(inner) for title, inner in nav.items()}
    if not isinstance(nav, list):
        return nav
    pages = [f"reference/commands/{name}.md" for name in OWN]
    at = nav.index(INDEX) + 1 if INDEX in nav else 0
    return [*map(with_commands, nav[:at]), *(pages if at else ()), *map(with_commands, nav[at:])]


def options(name: str) -> str:
    """Return a command's usage, its help and its options, as `calmip COMMAND --help` says them.

    The commands below it, such as `calmip bench run`, follow.
    """
    context = click.Context(cli, info_name="calmip")
    parts = []
    for one in (name, *(f"{name} {below}" for below in OWN[name].below)):
        command = cli.get_command(context, one)
        assert command is not None, one
        parts += _command(click.Context(command, info_name=f"calmip {one}"), command)
        parts.append("")
    return "\n".join(parts[:-1])


def _command(context: click.Context, command: click.Command) -> list[str]:
    usage = " ".join(command.collect_usage_pieces(context))
    lines = ["```text", f"{context.info_name} {usage}", "```", ""]
    body = (command.help or "").replace("\b\n", "").split("\n\n")
    lines += ["\n\n".join(" ".join(part.split()) for part in body), ""]
    rows = [
        record
        for parameter in command.get_params(context)
        if isinstance(parameter, click.Option) and (record := parameter.get_help_record(context))
    ]
    if rows:
        lines += ["| option | meaning |", "|---|---|"]
        lines += [f"| <code>{_cell(names)}</code> | {_cell(text)} |" for names, text in rows]
    keys: dict[str, list[str]] = {}
    for key, text in json_keys(command.name or ""):
        keys.setdefault(re.sub(r"\bNone\b", "null", text), []).append(f"`{key}`")
    if keys:
        lines += ["", "| keys of the JSON | meaning |", "|---|---|"]
        lines += [f"| {', '.join(names)} | {_cell(text)} |" for text, names in keys.items()]
    return lines


def json_keys(name: str) -> Iterator[tuple[str, str]]:
    """Yield the keys that the JSON of a command's results has by its declaration, with meanings.

    What a result computes for its JSON is not among them.
    """
    feature = feature_named(name)
    if feature is None or not feature.task:
        return
    task = load(feature.task)
    returned = inspect.signature(task).return_annotation
    kind = getattr(inspect.getmodule(task), returned.partition(" | ")[0])
    fields = [field.name for field in dataclasses.fields(kind)]
    for key in kind.KEYS or ([] if "describe" in vars(kind) else fields):
        if key in fields or hasattr(kind, key):
            yield key, meaning(kind, key)


def meaning(owner: type, key: str) -> str:
    """Return what the docstring of a class, or of its property, says of a field: a sentence.

    Raises
    ------
    ValueError
        If it says nothing.
    """
    found = inspect.getattr_static(owner, key, None)
    text = documentation(of_object(owner))[1].get(key, "")
    if isinstance(found, (property, cached_property)):
        text = documentation(of_object(found))[0][0].partition(". ")[0]
    if not text:
        raise ValueError(f"{owner.__name__} says nothing of its {key}")
    return text


def _cell(text: str) -> str:
    return html.escape(" ".join(text.split())).replace("|", "&#124;")


def counts() -> str:
    """Return the published counts of the bundled puzzles, each with its sources."""
    lines = [
        "# Known counts and their sources",
        "",
        "What others have published about the bundled puzzles, from the puzzle files "
        "(`calmip puzzles NAME` shows the same). `all` is the number of tilings over every "
        "combination of labels, `valid` over real dates only, `min` and `max` those of the hardest "
        "and the easiest date; [all keys](files.md#a-puzzle). calmip's own counts agree with "
        "them: the test suite compares.",
    ]
    for name in bundled_puzzles():
        puzzle = read_puzzle(name)
        lines += ["", f"## {name}", "", _plain(puzzle.name), ""]
        if puzzle.note:
            lines += [f"*Note:* {_plain(puzzle.note)}", ""]
        lines += [f"* {_plain(key)}: {_value(value)}" for key, value in puzzle.counts.items()]
        lines += ["", *(["Sources:", ""] if puzzle.sources else [])]
        lines += [f"* {_plain(source)}" for source in puzzle.sources]
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    """Return Markdown that shows a text of a puzzle file as it is."""
    return re.sub(r"([\\`*_{}\[\]])", r"\\\1", html.escape(text, quote=False))


def _value(value: object) -> str:
    if isinstance(value, dict) and "count" in value:
        dates = value.get("dates")
        return _value(value["count"]) + (f" ({_value(dates)})" if dates else "")
    if isinstance(value, dict):
        return ", ".join(f"{_plain(key)}: {_value(inner)}" for key, inner in value.items())
    if isinstance(value, (list, tuple)):
        return " and ".join(map(str, value))
    text = str(value)
    return f"{int(text):,}" if text.isdecimal() else text
