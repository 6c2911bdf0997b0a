"""The values at the keys of a document: texts, names, flags, numbers, each checked."""

from __future__ import annotations

import re
from collections.abc import Sequence

from calmip.documents.nodes import Items, Table, Text
from calmip.errors import InputError, did_you_mean, listed, shown

__all__ = [
    "MAX_NAME", "check_keys", "choice_of", "flag_of", "name_of", "names_in", "text_of", "texts_of",
    "whole",
]  # fmt: skip

MAX_NAME = 200
"""Characters of a name."""


def check_keys(document: Table, allowed: Sequence[str]) -> None:
    """Raise `InputError` if a key is not among the allowed ones."""
    for key in document:
        if key not in allowed:
            near = did_you_mean(key, allowed)
            raise InputError(
                f"unknown key '{shown(key)}'; the keys are {listed(allowed)}"
                f"{f'; did you mean {near}?' if near else ''}",
                where=(str(key),),
            )


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

    Names go to terminals, tables and the heads of model files.
    """
    name = text_of(document, key, default=default)
    if len(name) > MAX_NAME or not name.isprintable():
        raise InputError(
            f"{key} has up to {MAX_NAME} printable characters on one line, not '{shown(name)}'",
            where=(key,),
        )
    return name


def flag_of(document: Table, key: str, *, default: bool) -> bool:
    """Return whether ``true`` stands at a key, or the default; raise `InputError` otherwise."""
    text = text_of(document, key, default=str(default).lower())
    if text not in ("true", "false"):
        raise InputError(f"{key} is true or false, not '{shown(text)}'", where=(key,))
    return text == "true"


def texts_of(document: Table, key: str, prefix: tuple[str, ...] = ()) -> list[str]:
    """Return the list of texts at a key; raise `InputError` if it is another thing."""
    node = document[key]
    if isinstance(node, Text) and node.block:
        node = node.rows()
    if not isinstance(node, Items):
        found = "a mapping" if isinstance(node, Table) else f"the text '{shown(node)}'"
        remedy = "begin each entry with '- '"
        if key == "grid":
            remedy = "write 'grid: |' and the rows below it, indented alike"
        elif isinstance(node, Text) and key != "sources" and node.strip():
            remedy = f"write {shown(key)}: [{listed(names_in(node), most=12)}]"
        raise InputError(
            f"{shown(key)} is a list of texts, not {found}; {remedy}", where=(*prefix, key)
        )
    for number, entry in enumerate(node):
        if not isinstance(entry, Text):
            raise InputError(
                f"{shown(key)}: entry {number + 1} is not a text", where=(*prefix, key, number)
            )
    return [str(entry) for entry in node]


def names_in(text: str) -> list[str]:
    """Return the names in a text that should have been a list of them."""
    return re.split(r"[\s,;]+", text.strip(" ,;"))


def choice_of(document: Table, key: str, allowed: Sequence[str], *, default: str = "") -> str:
    """Return the text at a key, or the default; raise `InputError` if it is not allowed."""
    text = text_of(document, key, default=default)
    if text not in allowed:
        near = did_you_mean(text, allowed)
        raise InputError(
            f"{key}: '{shown(text)}' is none of {listed(allowed)}"
            f"{f'; did you mean {near}?' if near else ''}",
            where=(key,),
        )
    return text


def whole(text: str, where: tuple[str | int, ...]) -> int:
    """Return a text as a whole number from 0 on; raise `InputError` if it is none."""
    if not (text.isascii() and text.isdigit() and len(text) <= 10):
        raise InputError(f"{where[0]}: '{shown(text)}' is no whole number from 0 on", where=where)
    return int(text)
