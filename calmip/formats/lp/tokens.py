"""The words of a CPLEX LP file, section by section."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from calmip.formats.reading import TextFile, quoted

__all__ = ["Section", "Token", "sections"]

TOKEN = re.compile(
    r"""(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
    | (?P<arrow>->)
    | (?P<relation><=|>=|=<|=>|<|>|=)
    | (?P<sign>[+-])
    | (?P<mark>[:\[\]*^])
    | (?P<name>[^\s0-9.+\-<>=:*^\[\]\\][^\s+\-<>=:*^\\]*)""",
    re.VERBOSE,
)

# What opens a section, by the kind of section; the first kind is of those that no linear
# model in binaries has.
HEADS = {
    "refused": r"semi-continuous|semis?|sos[12]?|lazy\s+constraints|user\s+cuts|pwlobj"
    r"|general\s+constraints?|multi-objectives?|scenarios?",
    "minimise": r"minimi[sz]e|minimum|min",
    "maximise": r"maximi[sz]e|maximum|max",
    "rows": r"subject\s+to|such\s+that|s\.\s?t\.|st\.?",
    "bounds": r"bounds?",
    "binaries": r"binary|binaries|bin",
    "integers": r"generals?|gen|integers?|int",
    "end": r"end",
}
HEAD = re.compile("|".join(f"(?P<{kind}>{words})" for kind, words in HEADS.items()), re.IGNORECASE)


@dataclass(frozen=True)
class Token:
    """A word of the file: its kind, its text and its 1-based line."""

    kind: str
    text: str
    line: int


@dataclass
class Section:
    """The tokens between two headings; the kind is a key of ``HEADS``."""

    kind: str
    line: int
    tokens: list[Token] = field(default_factory=list)


def sections(source: TextFile) -> list[Section]:
    """Return the sections of an LP file; the first is the objective, the last is the end.

    Raises
    ------
    InputError
        If the file does not start with an objective, does not end with
        ``End``, or holds a section or a character that is not known.
    """
    found: list[Section] = []
    for line, text in enumerate(source.lines, start=1):
        # A backslash opens a comment, wherever it stands.
        content = text.partition("\\")[0].strip()
        if not content:
            continue
        if found and found[-1].kind == "end":
            raise source.error(f"found {quoted(content)} after End", line)
        kind, rest = _head(content, found)
        if kind:
            found.append(Section(kind, line))
        elif not found:
            raise source.error(
                f"starts with {quoted(content)}; an LP file starts with Minimize or Maximize", line
            )
        if found[-1].kind == "refused" and rest:
            # HiGHS writes such sections even when they are empty.
            raise source.error(
                f"found {quoted(rest)} in a section that no linear model in binaries has", line
            )
        found[-1].tokens.extend(_tokens(source, rest, line))
    if not found or found[-1].kind != "end":
        raise source.error("is cut: 'End' is missing", len(source.lines))
    return found


def _head(content: str, found: list[Section]) -> tuple[str, str]:
    """Return the kind of section that a line opens ("" if none), and the rest of the line.

    A variable may be called ``st`` or ``bin``: no section opens in the middle
    of a sum, nor where a sign, a relation or a colon follows.
    """
    match = HEAD.match(content)
    while match and match.end() < len(content) and not content[match.end()].isspace():
        if (
            not found
            and match.lastgroup in ("minimise", "maximise")
            and content[match.end()] == ":"
        ):
            break
        match = None
    if match is None:
        return "", content
    kind, rest = str(match.lastgroup), content[match.end() :].strip()
    if not found:
        return (kind, rest) if kind in ("minimise", "maximise") else ("", content)
    if kind in ("minimise", "maximise") or (kind == "end" and rest):
        return "", content
    last = found[-1].tokens[-1] if found[-1].tokens else None
    if (last is not None and last.kind in ("sign", "relation")) or rest[:1] in tuple("+-<>=:*^"):
        return "", content
    return kind, rest


def _tokens(source: TextFile, text: str, line: int) -> list[Token]:
    tokens: list[Token] = []
    place = 0
    while place < len(text):
        if text[place].isspace():
            place += 1
            continue
        match = TOKEN.match(text, place)
        if match is None:
            raise source.error(f"cannot make sense of {quoted(text[place:])}", line)
        tokens.append(Token(str(match.lastgroup), match.group(), line))
        place = match.end()
    return tokens
