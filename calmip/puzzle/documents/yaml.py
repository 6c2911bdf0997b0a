"""YAML as texts, lists and tables with their lines: the only user of a YAML library.

Every scalar stays the text in the file, so ``no``, ``010``, ``12:30`` and ``2026-02-30``
are not converted. Tags, anchors, aliases, several documents, deep nesting and large files are
refused while events are read, before any node is built.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from calmip._base.errors import InputError, clip, did_you_mean, join_words
from calmip._base.files import read_bytes


class Text(str):
    """The text of a scalar, with its 1-based line; ``block`` is true after ``|``."""

    __slots__ = ("block", "line")
    block: bool
    line: int

    def __new__(cls, value: str, line: int, *, block: bool = False) -> Text:  # noqa: D102
        text = super().__new__(cls, value)
        text.line, text.block = line, block
        return text

    def rows(self) -> Items:
        """Return the rows of a block, which begin below its ``|``."""
        rows = self.rstrip().split("\n")
        return Items(Text(row, self.line + 1 + number) for number, row in enumerate(rows))


class Items(list["Node"]):
    """A list of nodes, with the 1-based line where it starts."""

    line: int = 1


class Table(dict[str, "Node"]):
    """A mapping from texts to nodes, with the 1-based lines where it and its keys start."""

    line: int = 1

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[str, int] = {}


Node = Text | Items | Table


def _node(found: Any, name: str) -> Node:
    """Return a node of PyYAML as a text, a list or a table; errors name the file."""
    from yaml import nodes as kinds

    line = found.start_mark.line + 1
    if isinstance(found, kinds.ScalarNode):
        return Text(found.value, line, block=found.style == "|")
    if isinstance(found, kinds.SequenceNode):
        items = Items([_node(entry, name) for entry in found.value])
        items.line = line
        return items
    table = Table()
    table.line = line
    for entry, value in found.value:
        key = _node(entry, name)
        if not isinstance(key, Text):
            fault = "a key must be a text, not a list or a mapping"
            raise InputError(fault, path=name, line=key.line)
        if key in table:
            fault = f"key '{clip(key)}' is given twice, first in line {table.lines[key]}"
            raise InputError(fault, path=name, line=key.line)
        table.lines[key] = key.line
        table[key] = _node(value, name)
    return table


def plain_node(node: Node) -> Any:
    """Return a node as built-in texts, lists and dictionaries."""
    if isinstance(node, Table):
        return {str(key): plain_node(value) for key, value in node.items()}
    return [plain_node(entry) for entry in node] if isinstance(node, Items) else str(node)


def line_of(node: Node, where: tuple[str | int, ...]) -> int:
    """Return the line of the place at a path of keys and positions, as far as it exists."""
    line = node.line
    for step in where:
        if isinstance(node, Text) and node.block:
            node = node.rows()
        if isinstance(node, Table):
            # The entries of a mapping have positions too: pieces may be given either way.
            key = list(node)[step] if isinstance(step, int) and step < len(node) else str(step)
            if key not in node:
                break
            # The line of the key is the best place; the rest of the path is in its value.
            line, node = node.lines[key], node[key]
        elif isinstance(node, Items) and isinstance(step, int) and step < len(node):
            node = node[step]
            line = node.line
        else:
            break
    return line


@contextmanager
def locate_errors(name: str, document: Node, *where: str | int) -> Iterator[None]:
    """Add the name of the file and the line to an `InputError` at a place below ``where``."""
    try:
        yield
    except InputError as error:
        if error.path is None:
            error.path, error.line = name, line_of(document, (*where, *error.where))
        raise


MAX_BYTES = 1_000_000
MAX_DEPTH = 20
MAX_NODES = 100_000
MAX_SCALAR_CHARACTERS = 10_000

TOO_DEEP = f"lists and mappings nested more than {MAX_DEPTH} deep"

# What YAML 1.1 forbids, a byte order mark inside the text, and line breaks that editors do
# not count. The two parsers of PyYAML treat these differently.
# (A class of all allowed characters takes 4 ms to compile.)
ODD_CHARACTER = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]"
)
SURROGATE = re.compile("[\ud800-\udfff]")
TAG_DIRECTIVE = re.compile("^%TAG", re.MULTILINE)
HUGE_NUMBER = re.compile(r"\\U(?!000|0010)[0-9A-Fa-f]{8}|^%YAML.*", re.MULTILINE)
LINE_BREAK = re.compile("\r\n|\r|\n")

DRAWN_COMMENT = re.compile(r" +#[#. ]*")
"""A row of a drawn piece that YAML takes for a comment."""

SHORT_ROW = "indent a row of a block as far as its first row"

# The likely remedy, by words in the parsers' messages.
REMEDIES = (
    ("a tab character", "indent with blanks, not with tabs"),
    ("could not find expected ':'", "write an entry of a mapping as KEY: VALUE"),
    ("scanning an alias", "quote a text that starts with '*', or draw the grid below 'grid: |'"),
    ("scanning an anchor", "quote a text that starts with '&'"),
    ("scanning a directive", "quote a text that starts with '%'"),
    ("scanning a block scalar", "quote a text that starts with '|' or '>'"),
    ("tag", "quote a text that starts with '!'"),
    ("mapping values are not allowed", "quote a text with ': ' in it, and indent keys alike"),
    ("parsing a flow", "close every bracket, and quote a text with any of #,:[]{} in it"),
    ("escape", "write a backslash in double quotes as \\\\"),
    ("quoted scalar", "close every quote"),
    ("parsing a block", "indent entries alike, and quote a text as a whole or not at all"),
)


def read_document(path: Path, name: str | None = None) -> Node:
    """Return the one document of a YAML file; errors name ``name``, or the path, and the line."""
    import yaml

    name = name or str(path)
    text = _read_text(path, name)
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    with _complaints(text, name):
        _check_events(yaml.parse(text, Loader=loader), name, LINE_BREAK.split(text))
        root = yaml.compose(text, Loader=loader)
    if root is None:
        raise InputError("is empty", path=name)
    return _node(root, name)


def read_table(path: Path, name: str, fault: str) -> Table:
    """Return a document as `read_document` does; raise a fault unless it is a mapping."""
    document = read_document(path, name)
    if not isinstance(document, Table):
        raise InputError(fault, path=name)
    return document


def _read_text(path: Path, name: str) -> str:
    data = read_bytes(path, MAX_BYTES, name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = _line_at(data.decode("latin-1"), error.start)
        raise InputError("is not UTF-8 text; save it as UTF-8", path=name, line=line) from None
    odd = ODD_CHARACTER.search(text)
    if odd:
        raise InputError(
            f"is not valid YAML: the invisible character U+{ord(odd[0]):04X} is not allowed; "
            "remove it, or save the file as plain UTF-8 text",
            path=name,
            line=_line_at(text, odd.start()),
        )
    directive = TAG_DIRECTIVE.search(text)
    if directive:
        # libyaml takes time quadratic in their number.
        line = _line_at(text, directive.start())
        raise InputError("YAML tags (%TAG) are not allowed", path=name, line=line)
    return text


def _line_at(text: str, position: int) -> int:
    """Return the 1-based line of a position, counted as editors do."""
    return len(LINE_BREAK.findall(text, 0, position)) + 1


@contextmanager
def _complaints(text: str, name: str) -> Iterator[None]:
    """Turn every error of the parser into an `InputError`."""
    import yaml

    try:
        yield
    except yaml.MarkedYAMLError as error:
        raise _not_yaml(error, text, name) from None
    except InputError:
        raise
    except (ValueError, OverflowError):
        # The pure-Python parser passes such numbers to Python, without the line.
        number = HUGE_NUMBER.search(text)
        found, place = (number[0], number.start()) if number else (text, 0)
        fault = f"is not valid YAML: the number in '{clip(found)}' is too large"
        raise InputError(fault, path=name, line=_line_at(text, place)) from None
    except yaml.YAMLError as error:
        raise InputError(f"is not valid YAML: {clip(error, 200)}", path=name) from None


def _not_yaml(error: Any, text: str, name: str) -> InputError:
    """Return the error of a parser with its place and the likely remedy."""
    problem = clip(error.problem or error.context, 200)
    lines = LINE_BREAK.split(text)
    mark, start = error.problem_mark or error.context_mark, error.context_mark
    # libyaml puts an early end one line after a last line without a line break.
    line = min(mark.line + 1, len(lines)) if mark else None
    if "nesting" in problem:
        # libyaml has a limit of its own, and reads ahead of its events.
        return InputError(TOO_DEEP, path=name, line=line)
    if line and start and start.line + 1 < line:
        problem += f", {clip(error.context)} from line {start.line + 1} on"
    if "cannot start any token" in problem and mark and line:
        odd = lines[line - 1][mark.column : mark.column + 1]
        remedy = (
            "indent with blanks, not with tabs"
            if odd == "\t"
            else f"quote a text that starts with '{odd}'"
        )
    else:
        text = f"{error.context} {error.problem}"
        remedy = next((remedy for words, remedy in REMEDIES if words in text), "")
        places = [place.line + 1 for place in (start, mark) if place]
        short = next((place for place in places if _head_of_short_row(lines, place)), None)
        if short:
            line, remedy = short, f"{SHORT_ROW}, or {remedy}"
    return InputError(
        f"is not valid YAML: {problem}{'; ' if remedy else ''}{remedy}", path=name, line=line
    )


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" "))


def _head_of_short_row(lines: Sequence[str], line: int) -> str:
    """Return the line with the '|' of a block if a row below is indented too little."""
    row = lines[line - 1] if line <= len(lines) else ""
    above = (lines[n] for n in range(line - 2, -1, -1) if lines[n].strip())
    for rows, head in enumerate(above if row.strip() else ()):
        if _indent(head) <= _indent(row):
            return head if rows and head.rstrip(" +-").endswith("|") else ""
    return ""


def _check_rows(lines: Sequence[str], block: Any, name: str) -> None:
    """Refuse a row of a drawn piece after a block, where YAML takes it for a comment."""
    for line in range(block.start_mark.line + 2, min(block.end_mark.line + 1, len(lines)) + 1):
        if DRAWN_COMMENT.fullmatch(lines[line - 1]):
            head = _head_of_short_row(lines, line)
            if head and _indent(lines[line - 1]) > _indent(head):
                row = clip(lines[line - 1].strip())
                raise InputError(f"'{row}' is a comment in YAML; {SHORT_ROW}", path=name, line=line)


def _check_events(events: Iterable[Any], name: str, lines: Sequence[str]) -> None:
    """Refuse what no puzzle needs, before any node is built."""
    from yaml import events as kinds

    nodes = documents = depth = 0
    for event in events:
        fault = ""
        if isinstance(event, kinds.DocumentStartEvent):
            documents += 1
            if documents > 1:
                fault = "found a second document after '---'; a file holds one"
        elif isinstance(event, kinds.CollectionEndEvent):
            depth -= 1
        elif isinstance(event, kinds.NodeEvent):
            nodes += 1
            fault = _fault(event, kinds)
            if isinstance(event, kinds.ScalarEvent) and event.style == "|":
                _check_rows(lines, event, name)
            if nodes > MAX_NODES:
                fault = fault or f"has more than {MAX_NODES:,} entries"
            if isinstance(event, kinds.CollectionStartEvent):
                depth += 1
                if depth > MAX_DEPTH:
                    fault = fault or TOO_DEEP
        if fault:
            raise InputError(fault, path=name, line=event.start_mark.line + 1)


def _fault(event: Any, kinds: Any) -> str:
    """Return why a node is refused: an alias, an anchor, a tag, or a long text."""
    if isinstance(event, kinds.AliasEvent):
        return "YAML aliases (*name) are not allowed; quote a text that starts with '*'"
    if event.anchor:
        return (
            f"YAML anchors (&{clip(event.anchor)}) are not allowed; "
            "quote a text that starts with '&'"
        )
    if event.tag:
        return f"YAML tags ({clip(event.tag)}) are not allowed; quote a text that starts with '!'"
    if isinstance(event, kinds.ScalarEvent):
        if len(event.value) > MAX_SCALAR_CHARACTERS:
            return f"a text is longer than {MAX_SCALAR_CHARACTERS:,} characters"
        # libyaml itself refuses half of a surrogate pair.
        if not event.value.isascii() and SURROGATE.search(event.value):
            return f"is not valid YAML: '{clip(event.value)}' is not Unicode text"
    return ""


MAX_NAME_CHARACTERS = 200
"""Characters of a name."""


def check_keys(document: Table, allowed: Sequence[str]) -> None:
    """Raise `InputError` if a key is not among the allowed ones."""
    for key in document:
        if key not in allowed:
            fault = f"unknown key '{clip(key)}'; the keys are {join_words(allowed)}"
            raise InputError(f"{fault}{_guess(key, allowed)}", where=(str(key),))


def _guess(text: str, allowed: Iterable[str]) -> str:
    near = did_you_mean(text, allowed)
    return f"; did you mean {near}?" if near else ""


def text_of(document: Table, key: str, *, default: str) -> str:
    """Return the text at a key, or the default; raise `InputError` for a list or a mapping."""
    node = document.get(key)
    if node is None:
        return default
    if not isinstance(node, Text):
        found = "mapping" if isinstance(node, Table) else "list"
        raise InputError(f"{key} is one text, not a {found}", where=(key,))
    return str(node)


def name_of(document: Table, key: str, *, default: str) -> str:
    """Return the name at a key, or the default; raise `InputError` if it is not one visible line.

    Names appear on terminals, in tables and in model files.
    """
    name = text_of(document, key, default=default)
    if len(name) > MAX_NAME_CHARACTERS or not name.isprintable():
        raise InputError(
            f"{key} has up to {MAX_NAME_CHARACTERS} printable characters on one line, not "
            f"'{clip(name)}'",
            where=(key,),
        )
    return name


def flag_of(document: Table, key: str, *, default: bool) -> bool:
    """Return whether ``true`` stands at a key, or the default; raise `InputError` otherwise."""
    text = text_of(document, key, default=str(default).lower())
    if text not in ("true", "false"):
        raise InputError(f"{key} is true or false, not '{clip(text)}'", where=(key,))
    return text == "true"


def texts_of(document: Table, key: str, *, default: Sequence[str] = ()) -> list[str]:
    """Return the list of texts at a key, or the default; raise `InputError` for anything else."""
    node = document.get(key)
    if node is None:
        return [*default]
    if isinstance(node, Text) and node.block:
        node = node.rows()
    if not isinstance(node, Items):
        found = "a mapping" if isinstance(node, Table) else f"the text '{clip(node)}'"
        remedy = "begin each entry with '- '"
        if key == "grid":
            remedy = "write 'grid: |' and the rows below it, indented alike"
        elif isinstance(node, Text) and key != "sources" and node.strip():
            remedy = f"write {clip(key)}: [{join_words(names_in(node), most=12)}]"
        raise InputError(f"{clip(key)} is a list of texts, not {found}; {remedy}", where=(key,))
    for number, entry in enumerate(node):
        if not isinstance(entry, Text):
            fault = f"{clip(key)}: entry {number + 1} is not a text"
            raise InputError(fault, where=(key, number))
    return [str(entry) for entry in node]


def names_in(text: str) -> list[str]:
    """Return the names in a text that should have been a list of names."""
    return re.split(r"[\s,;]+", text.strip(" ,;"))


def choice_of(document: Table, key: str, allowed: Collection[str], *, default: str = "") -> str:
    """Return the text at a key, or the default; raise `InputError` if it is not allowed."""
    text = text_of(document, key, default=default)
    if text not in allowed:
        fault = f"{key}: '{clip(text)}' is not one of {join_words(allowed)}"
        raise InputError(f"{fault}{_guess(text, allowed)}", where=(key,))
    return text


def integer_of(text: str, where: tuple[str | int, ...]) -> int:
    """Return the whole number from 0 on in a text; raise `InputError` for another text."""
    if not (text.isascii() and text.isdigit() and len(text) <= 10):
        raise InputError(f"{where[0]}: '{clip(text)}' is not a whole number from 0 on", where=where)
    return int(text)
