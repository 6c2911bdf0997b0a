"""What a document is made of: texts, lists and tables that know their lines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from calmip.errors import InputError, shown

__all__ = ["Items", "Node", "Table", "Text", "line_of", "located", "node_of"]


class Text(str):
    """A scalar as it was written, and the 1-based line where it stands.

    ``block`` is true of a text whose rows stand one below another, after ``|``.
    """

    __slots__ = ("block", "line")
    block: bool
    line: int

    def __new__(cls, value: str, line: int, *, block: bool = False) -> Text:  # noqa: D102
        text = super().__new__(cls, value)
        text.line, text.block = line, block
        return text

    def rows(self) -> Items:
        """Return the rows of a block, which follow the line of its ``|``."""
        rows = self.rstrip().split("\n")
        return Items(Text(row, self.line + 1 + number) for number, row in enumerate(rows))


class Items(list["Node"]):
    """A list of nodes, and the 1-based line where it starts."""

    line: int = 1


class Table(dict[str, "Node"]):
    """A mapping from texts to nodes, and the 1-based lines where it and its keys start."""

    line: int = 1

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[str, int] = {}


Node = Text | Items | Table


def node_of(found: Any, name: str) -> Node:
    """Return a node of PyYAML as a text, a list or a table; ``name`` is the file's, for errors.

    Raises
    ------
    InputError
        If a key is no text or is given twice, with both lines.
    """
    from yaml import nodes as kinds

    line = found.start_mark.line + 1
    if isinstance(found, kinds.ScalarNode):
        return Text(found.value, line, block=found.style == "|")
    if isinstance(found, kinds.SequenceNode):
        items = Items(node_of(entry, name) for entry in found.value)
        items.line = line
        return items
    table = Table()
    table.line = line
    for entry, value in found.value:
        key = node_of(entry, name)
        if not isinstance(key, Text):
            raise InputError(
                "a key must be a text, not a list or a mapping", path=name, line=key.line
            )
        if key in table:
            raise InputError(
                f"key '{shown(key)}' is given twice, first in line {table.lines[key]}",
                path=name,
                line=key.line,
            )
        table.lines[key] = key.line
        table[key] = node_of(value, name)
    return table


def line_of(node: Node, where: tuple[str | int, ...]) -> int:
    """Return the line of the place that keys and positions lead to, as far as they lead."""
    line = node.line
    for step in where:
        place = step
        if isinstance(node, Text) and node.block:
            rows = node.rows()
            rows.line = node.line
            node = rows
        if isinstance(node, Table) and isinstance(step, int) and step < len(node):
            # The entries of a mapping have positions too: pieces may be given either way.
            place = list(node)[step]
        if isinstance(node, Table) and isinstance(place, str) and place in node:
            # The key's own line names the place best; below it the value leads on.
            line, node = node.lines[place], node[place]
        elif isinstance(node, Items) and isinstance(step, int) and step < len(node):
            node = node[step]
            line = node.line
        else:
            break
    return line


@contextmanager
def located(name: str, document: Node, *where: str | int) -> Iterator[None]:
    """Give an `InputError` that leaves the block its file and its line, once.

    Parameters
    ----------
    name
        What messages call the document's file.
    document
        The document in which the error's place is looked up.
    where
        The place in the document below which the error's own place lies.
    """
    try:
        yield
    except InputError as error:
        if error.path is None:
            error.path, error.line = name, line_of(document, (*where, *error.where))
        raise
