"""What a student reads, in the languages of the page of `calmip play`.

All markers speak English. Their sentences are translated at the end, by the rows of
``translations.txt``: each is a sentence with what stands in it, ``{name}``, in all languages. A
sentence is of the first row that it fits, the row with the most letters first. What stands in it
is translated too, if there is a row for it; so are two sentences with a colon or a semicolon
between them. What is quoted, or in brackets, is the student's own, and stays.

``{n}``, ``{m}`` and ``{k}`` are numbers. ``{n:piece|pieces}`` is a number and its noun, for one and
for others, and ``{n?has|have}`` is the noun or verb alone, as in the page's own table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path

from calmip._base.errors import InputError, clip, join_words
from calmip.course.checks import Check

LANGUAGES = ("en", "de", "fr", "es", "zh")
"""The languages, by their two letters, in the order of a row; those of the page."""

ENGLISH = LANGUAGES[0]

TABLE = Path(__file__).with_name("translations.txt")

FIELD = re.compile(r"\{(\w+)(?:([:?])([^|}]*)\|([^}]*))?\}")
"""What stands in a sentence."""

OWN = re.compile(
    r"""(?<!\w)'(?:[^'\\]|\\.)*(?:'(?!\w)|$)|(?<!\w)"(?:[^"\\]|\\.)*(?:"(?!\w)|$)"""
    r"""|[\[{][^\[\]{}]*[\]}]|\b[A-Z]\w*:(?: \d\d)+\b"""
)
"""What stays: texts in quotes, what is in brackets, and the cells of a placement."""

FIRST, OF_FIELDS = 0xE000, 0xF000
"""The marks that stand for what stays, and for the fields of a row."""

NUMBER = r"[-+]?\d+(?:[.,/]\d+)*(?:e[-+]?\d+)?"
"""A number as feedback has it: 2, -1/3, 0.25, 64,000, 1e-09."""

NUMBERS = ("n", "m", "k")
"""The names of fields that are numbers."""

ERROR = re.compile(r"(['\"]\w*Error: )(.*)(['\"])", re.DOTALL)
"""An error of a program: calmip's own sentences in it are translated, not Python's."""

MOST_PARTS = 150
"""The most sentences in each other or one after the other; what follows them stays."""

OWN_LETTERS = 15
"""The letters of a row from which it does not fit a message of Python by chance."""

SPACED = re.compile(rf" ?{FIELD.pattern} ?")
"""A field with the spaces beside it."""

CHINESE = re.compile(r"[\u3000-\u9fff\uff00-\uffef]")
"""A character that has no space beside it."""


def check_language(language: str) -> None:
    """Raise `InputError` if there is no such language."""
    if language not in LANGUAGES:
        raise InputError(
            f"there is no language '{clip(language)}'; use one of {join_words(LANGUAGES)}"
        )


def translate(text: str, language: str) -> str:
    """Return a sentence in another language; one without a row is as it was."""
    return text if language == ENGLISH else _table().translate(text, LANGUAGES.index(language))


def translate_checks(checks: Iterable[Check], language: str) -> tuple[Check, ...]:
    """Return checks whose words are in another language."""
    return tuple(
        replace(
            one,
            what=translate(one.what, language),
            fault=translate(one.fault, language),
            table=tuple(tuple(translate(cell, language) for cell in row) for row in one.table),
        )
        for one in checks
    )


def fill(english: str, language: str, **values: object) -> str:
    """Return the sentence of a row with values put in, as they are."""
    texts = {name: str(value) for name, value in values.items()}
    if language == ENGLISH:
        return _put(english, texts, ENGLISH)
    return _put(_table().rows[english][LANGUAGES.index(language)], texts, language)


@cache
def _table() -> Sentences:
    return Sentences(read_rows(TABLE.read_text(encoding="utf-8")))


def read_rows(text: str) -> list[tuple[str, ...]]:
    """Return the rows of a table: blocks of lines, one for each language; ``#`` is a comment."""
    lines = "\n".join(line for line in text.split("\n") if not line.startswith("#"))
    return [tuple(block.split("\n")) for block in re.split(r"\n{2,}", lines.strip())]


@dataclass(frozen=True)
class _Row:
    """A row that sentences are compared with: its pattern, and what its quotes contain.

    The letters are those outside of its fields.
    """

    texts: tuple[str, ...]
    pattern: re.Pattern[str]
    quoted: Mapping[str, str]
    letters: int

    @property
    def between(self) -> bool:
        """Whether it is what stands between two sentences."""
        return not self.letters

    @property
    def place(self) -> tuple[int, ...]:
        """Its place in the order of rows.

        First what is long, or has its own comma or colon, then what stands between two sentences,
        and then what is short; in each the row with the most letters, and the most numbers.
        """
        english = self.texts[0]
        long = self.letters >= OWN_LETTERS or re.search(r"[.,:;] ", FIELD.sub("", english))
        named = sum(found[1] not in NUMBERS for found in FIELD.finditer(english))
        group = 1 if self.between else 0 if long else 2
        return group, -self.letters, named, -len(english)

    @classmethod
    def of(cls, texts: tuple[str, ...]) -> _Row:
        """Return a row of its texts, English first."""
        fields = list(FIELD.finditer(texts[0]))
        numbers = iter(range(len(fields)))
        hidden, own = _hide(FIELD.sub(lambda _: chr(OF_FIELDS + next(numbers)), texts[0]))
        quoted: dict[str, str] = {}
        seen: set[str] = set()
        parts = []
        letters = 0
        for place, mark in enumerate(hidden):
            code = ord(mark)
            if code >= OF_FIELDS:
                last = place == len(hidden) - 1
                parts.append(_field(fields[code - OF_FIELDS], seen, last=last))
            elif code >= FIRST:
                name = f"own_{len(quoted)}"
                quoted[name] = _show(mark, own)
                parts.append(f"(?P<{name}>[{chr(FIRST)}-{chr(OF_FIELDS - 1)}])")
                letters += len(quoted[name])
            else:
                parts.append(re.escape(mark))
                letters += mark.isalnum()
        return cls(texts, re.compile("".join(parts), re.DOTALL), quoted, letters)

    def fit(self, hidden: str, own: list[str]) -> dict[str, str] | None:
        """Return what stands in a sentence, if it is of this row."""
        found = self.pattern.fullmatch(hidden)
        if found is None:
            return None
        values = found.groupdict()
        if any(_show(values.pop(name), own) != text for name, text in self.quoted.items()):
            return None
        return values


def _field(found: re.Match[str], seen: set[str], *, last: bool) -> str:
    """Return the pattern of a field; only the last one has a colon or a semicolon."""
    name, kind, one, other = found.groups()
    words = "" if kind is None else f"(?:{re.escape(one)}|{re.escape(other)})"
    if kind == "?":
        return words
    again = name in seen
    seen.add(name)
    some = NUMBER if kind or name in NUMBERS else ".+" if last else "(?:(?!: |; ).)+?"
    return (f"(?P={name})" if again else f"(?P<{name}>{some})") + (words and f" {words}")


class Sentences:
    """Rows, each a sentence in all languages."""

    def __init__(self, rows: Iterable[tuple[str, ...]]) -> None:
        self.rows = {texts[0]: texts for texts in rows}
        """The texts by the English ones."""
        self.ordered = sorted(map(_Row.of, self.rows.values()), key=lambda row: row.place)
        """In the order in which a sentence is compared with them."""
        self.translate = lru_cache(maxsize=4096)(self._translate)

    def _translate(self, text: str, language: int) -> str:
        hidden, own = _hide(text)
        found = self._spoken(hidden, own, language)
        return _show(
            hidden if found is None else found, own, lambda one: self._error(one, language)
        )

    def _spoken(
        self, hidden: str, own: list[str], language: int, *, least: int = 0, part: int = 0
    ) -> str | None:
        """Return a sentence in another language; None if no row of so many letters fits."""
        if part > MOST_PARTS:
            return None
        for row in self.ordered:
            values = row.fit(hidden, own) if row.letters >= least else None
            if values is None:
                continue
            spoken = {
                name: self._spoken(one, own, language, part=part + 1)
                for name, one in values.items()
            }
            told = {name: one for name, one in spoken.items() if one is not None}
            if row.between and not told:
                continue
            texts = {**values, **told}
            return _put(row.texts[language], texts, LANGUAGES[language])
        return None

    def _error(self, text: str, language: int) -> str:
        """Return the quoted error of a program, with a sentence of calmip in it translated."""
        found = ERROR.fullmatch(text)
        if found is None:
            return text
        sentence, between, line = found[2].partition(" (line ")
        hidden, own = _hide(sentence)
        spoken = self._spoken(hidden, own, language, least=OWN_LETTERS)
        if spoken is None:
            return text
        return f"{found[1]}{_show(spoken, own)}{between}{line}{found[3]}"


def _hide(text: str) -> tuple[str, list[str]]:
    """Return a sentence with a mark for all that stays, and what the marks stand for."""
    own: list[str] = []

    def hide(found: re.Match[str]) -> str:
        if len(own) >= OF_FIELDS - FIRST:
            return found[0]
        own.append(found[0])
        return chr(FIRST + len(own) - 1)

    before = ""
    while before != text:  # brackets in brackets
        before, text = text, OWN.sub(hide, text)
    return text, own


def _show(hidden: str, own: list[str], change: Callable[[str], str] = str) -> str:
    """Return a text with all that its marks stand for, each changed."""

    def show(found: re.Match[str]) -> str:
        number = ord(found[0]) - FIRST
        return change(_show(own[number], own)) if number < len(own) else found[0]

    return re.sub(f"[{chr(FIRST)}-{chr(OF_FIELDS - 1)}]", show, hidden)


def _put(row: str, values: Mapping[str, str], language: str) -> str:
    """Return the text of a row with its values put in."""

    def put(found: re.Match[str]) -> str:
        name, kind, one, other = found.groups()
        value = values[name]
        if kind is None:
            return value
        form = one if value == "1" or (value == "0" and language == "fr") else other
        return form if kind == "?" else f"{value} {form}"

    def put_close(found: re.Match[str]) -> str:
        text = FIELD.sub(put, found[0])
        value = text.strip(" ")
        start, end = (CHINESE.match(value[at:]) for at in (0, -1))
        return (text.lstrip(" ") if start else text).rstrip(" " if end else "")

    return SPACED.sub(put_close, row) if language == "zh" else FIELD.sub(put, row)
