"""What the site takes from the program itself: the commands' options, the counts it knows."""

from __future__ import annotations

import dataclasses
import html
import importlib
import inspect
import re
from collections.abc import Iterator
from functools import cached_property

import click

from calmip.cli import COMMANDS, cli
from calmip.cli._declared import _documented
from calmip.documents.collection import bundled_puzzles
from calmip.documents.reader import read_puzzle

OPTIONS = re.compile(r"^<!-- options: (\w+) -->$", re.MULTILINE)


def with_options(markdown: str) -> str:
    """Return a page with the options of a command in the place that it has for them."""
    return OPTIONS.sub(lambda found: options(found.group(1)), markdown)


SITE = "https://calmip.github.io/calmip/"
PICTURE = re.compile(
    r"""<picture>\n
    \s*<source\ media="\(prefers-color-scheme:\ dark\)"\ srcset="(?P<dark>[^"]+)">\n
    \s*<img\ alt="(?P<alt>[^"]+)"\ src="(?P<light>[^"]+)"(?:\ (?P<width>width="\d+"))?>\n
    </picture>""",
    re.VERBOSE,
)
NOTEBOOK = re.compile(r"(\]\((?:[\w./-]*/)?notebooks/\w+)\.py\)")
BUTTONS = re.compile(r"<!-- buttons -->\n((?:\[.*\]\(.*\)(?: ·)?\n)+)")
FRAME = '<iframe src="play/index.html#small" title="Today\'s puzzle, to play"></iframe>'
FRONT = "---\nhide: [navigation, toc]\n---\n\n"


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
    text = text.replace("<!-- play -->", FRAME)
    text = BUTTONS.sub(_buttons, text)
    return FRONT + text if name == "index.md" else text


def _both_themes(found: re.Match[str]) -> str:
    size = f"{{ {found['width']} }}" if found["width"] else ""
    return "\n".join(
        f"![{found['alt']}]({found[theme]}#only-{theme}){size}" for theme in ("light", "dark")
    )


def _buttons(found: re.Match[str]) -> str:
    first, *others = found[1].replace(" ·", "").splitlines()
    lines = [f"{first}{{ .md-button .md-button--primary }}"]
    return "\n".join([*lines, *(f"{line}{{ .md-button }}" for line in others), ""])


def options(name: str) -> str:
    """Return a command's usage, its help and its options, as `calmip COMMAND --help` says them.

    The commands below it, such as `calmip bench run`, follow.
    """
    context = click.Context(cli, info_name="calmip")
    parts = []
    for one in (name, *(f"{name} {below}" for below in COMMANDS[name].commands)):
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
    first, _, below = name.partition(" ")
    about = COMMANDS[first].commands[below] if below else COMMANDS[first]
    if about.commands and not about.task:
        return
    home, _, function = (about.task or f"{first}.{name.replace(' ', '_')}").rpartition(".")
    module = importlib.import_module(f"calmip.tasks.{home}")
    returned = inspect.signature(getattr(module, function)).return_annotation
    kind = getattr(module, returned.partition(" | ")[0])
    generic = "describe" not in vars(kind)
    fields = [field.name for field in dataclasses.fields(kind)] if generic else []
    for key in kind.KEYS or fields:
        yield key, meaning(kind, key)


def meaning(owner: type, key: str) -> str:
    """Return what the docstring of a class, or of its property, says of a field: a sentence.

    Raises
    ------
    ValueError
        If it says nothing.
    """
    found = inspect.getattr_static(owner, key, None)
    text = _documented(owner)[1].get(key, "")
    if isinstance(found, (property, cached_property)):
        text = _documented(found)[0][0].partition(". ")[0]  # type: ignore[arg-type]
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
