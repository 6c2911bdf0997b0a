"""CPLEX LP files: written in the dialect that all readers share, and read strictly.

What is written has an objective that names every column, with a 0 where it has no cost: GLPK
refuses an empty one, and readers number the columns in the order in which they
meet them, so this order is the model's. Lines are under 80 characters, with a
Binaries section. What is read must be a linear model in binary variables.
"""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from calmip.errors import InputError
from calmip.formats.model_builder import ModelBuilder, finite_or_infinite
from calmip.formats.mps import number
from calmip.formats.reading import TextFile, quoted
from calmip.problem.binary_model import BinaryModel, Bound, Number

__all__ = ["Section", "Token", "lp_text", "read_lp", "sections"]


WIDTH = 78


def lp_text(model: BinaryModel) -> str:
    """Return the model as the text of an LP file.

    Raises
    ------
    InputError
        If a row has two different bounds; readers disagree on how to write that.
    """
    lines = [f"\\ {line}" for line in model.comments]
    lines.append("Minimize")
    costs = [model.costs.get(column, 0) for column in range(len(model.columns))]
    terms = _terms(range(len(model.columns)), costs, model)
    lines.extend(_wrapped(" obj: ", terms, ""))
    lines.append("Subject To")
    for number_, row in enumerate(model.rows):
        part = range(model.start[number_], model.start[number_ + 1])
        columns = model.index[part.start : part.stop].tolist()
        terms = _terms(columns, model.numbers("value", part), model)
        terms = terms or [f"0 {model.columns[0]}"]
        (low,), (high,) = (model.numbers(side, [number_]) for side in ("lower", "upper"))
        lines.extend(_wrapped(f" {row}: ", terms, _relation(row, low, high)))
    lines.append("Binaries")
    lines.extend(
        textwrap.wrap(
            " ".join(model.columns),
            WIDTH,
            initial_indent=" ",
            subsequent_indent=" ",
            break_long_words=False,
        )
    )
    lines.append("End")
    return "\n".join(lines) + "\n"


def _terms(columns: Sequence[int], values: Sequence[Bound], model: BinaryModel) -> list[str]:
    terms = []
    for column, value in zip(columns, values, strict=True):
        sign = "-" if value < 0 else "+"
        size = "" if value in (1, -1) else f"{number(max(value, -value))} "
        terms.append(f"{sign} {size}{model.columns[column]}")
    if terms and terms[0].startswith("+ "):
        terms[0] = terms[0][2:]
    return terms


def _relation(row: str, low: Bound, high: Bound) -> str:
    """Return a row's right-hand side; no formulation here has rows with two different bounds."""
    if low == high:
        return f"= {number(low)}"
    if not isinstance(low, float) and not isinstance(high, float):
        raise InputError(f"row {row} has two bounds, which an LP file cannot say; write MPS")
    return f"<= {number(high)}" if isinstance(low, float) else f">= {number(low)}"


def _wrapped(head: str, terms: list[str], tail: str) -> Iterator[str]:
    """Yield lines under 80 characters; a term is never split."""
    line = head
    for term in [*terms, tail] if tail else terms:
        if len(line) + len(term) > WIDTH and line.strip():
            yield line.rstrip()
            line = "   "
        line += term + " "
    yield line.rstrip()


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


END = Token("end", "the end of the section", 0)


def read_lp(source: TextFile) -> BinaryModel:
    """Return the binary model in an LP file.

    Raises
    ------
    InputError
        If the file is not LP, is cut, or is not a linear model in binary
        variables; with the line.
    """
    return _Reader(source).read()


class _Reader:
    """Reads one file; ``tokens[place]`` is the next token of the section being read."""

    def __init__(self, source: TextFile) -> None:
        self.source = source
        self.model = ModelBuilder(source)
        self.binaries: set[int] = set()
        self.tokens: list[Token] = []
        self.place = 0

    def read(self) -> BinaryModel:
        takers = {
            "minimise": self.read_objective,
            "maximise": self.read_objective,
            "rows": self.read_rows,
            "bounds": self.read_bounds,
            "binaries": self.read_names,
            "integers": self.read_names,
        }
        for section in sections(self.source):
            self.tokens, self.place = section.tokens, 0
            if section.kind in takers:
                takers[section.kind](section)
        model = self.model
        for column, upper in enumerate(model.upper):
            # LP files have a default where MPS files have none.
            high = math.inf if upper is None else upper
            model.upper[column] = min(high, 1) if column in self.binaries else high
            if column in self.binaries:
                model.lower[column] = max(model.lower[column], 0)
        return model.build()

    def peek(self, ahead: int = 0) -> Token:
        place = self.place + ahead
        return self.tokens[place] if place < len(self.tokens) else END

    def take(self) -> Token:
        token = self.peek()
        self.place += 1
        return token

    def error(self, message: str, token: Token) -> InputError:
        line = token.line or (self.tokens[-1].line if self.tokens else None)
        return self.source.error(message, line)

    def unexpected(self, what: str) -> InputError:
        token = self.peek()
        hint = {"[": "; quadratic terms are not read here", "^": "; powers are not read here"}
        shown = token.text if token is END else quoted(token.text)
        if token.kind == "arrow":
            return self.error("indicator constraints are not read here", token)
        return self.error(f"found {shown}, not {what}{hint.get(token.text, '')}", token)

    def label(self) -> str | None:
        """Take a name and a colon, if they come next, and return the name."""
        if self.peek().kind == "name" and self.peek(1).text == ":":
            self.place += 2
            return self.tokens[self.place - 2].text
        return None

    def sum(self) -> tuple[list[tuple[int, Number]], Number]:
        """Take a sum of terms and numbers; return its terms, and its numbers added up."""
        terms: list[tuple[int, Number]] = []
        constant: Number = 0
        first = True
        while first or self.peek().kind == "sign":
            first = False
            factor: Number = self.signs()
            token = self.peek()
            if token.kind == "number":
                factor *= self.source.exact(self.take().text, token.line)
                if self.peek().text == "*":
                    self.take()
                    if self.peek().kind != "name":
                        raise self.unexpected("a variable")
                elif self.peek().kind != "name":
                    constant += factor
                    continue
            elif token.kind != "name":
                raise self.unexpected("a term")
            name = self.take()
            if self.peek().text in ("^", "*"):
                raise self.unexpected("a linear term")
            terms.append((self.model.column(name.text, name.line), factor))
        return terms, constant

    def signs(self) -> int:
        factor = 1
        while self.peek().kind == "sign":
            factor *= -1 if self.take().text == "-" else 1
        return factor

    def bound(self) -> Bound:
        """Take a number, which may be infinite."""
        factor = self.signs()
        token = self.peek()
        if token.kind == "name" and token.text.lower() in ("inf", "infinity"):
            self.take()
            return factor * math.inf
        if token.kind != "number":
            raise self.unexpected("a number (variables stand on the left)")
        return finite_or_infinite(factor * self.source.exact(self.take().text, token.line))

    def relation(self) -> str:
        """Take a relation and return it as ``<``, ``>`` or ``=``."""
        if self.peek().kind != "relation":
            raise self.unexpected("a relation such as <= or =")
        text = self.take().text
        return "<" if "<" in text else ">" if ">" in text else "="

    def read_objective(self, section: Section) -> None:
        self.model.maximise = section.kind == "maximise"
        if self.peek().text == ":":
            self.take()
        self.label()
        if self.peek() is END:
            return
        terms, self.model.offset = self.sum()
        if self.peek() is not END:
            raise self.unexpected("+, - or 'Subject To'")
        for column, value in terms:
            self.model.cost[column] = self.model.cost.get(column, 0) + value

    def read_rows(self, _: Section) -> None:
        while self.peek() is not END:
            start = self.peek()
            name = self.label()
            if name is None:
                name = f"R{len(self.model.rows) + 1}"
                while name in self.model.rows:
                    name += "_"
            infinite = self.peek().text.lower() in ("inf", "infinity") or (
                self.peek().kind == "sign" and self.peek(1).text.lower() in ("inf", "infinity")
            )
            terms, constant = ([], self.bound()) if infinite else self.sum()
            relation = self.relation()
            low: Bound = -math.inf
            high: Bound = math.inf
            if terms:
                side = self.right_side() - constant
            else:
                # A number on the left, as in 1 <= x + y <= 2: turn the relation round.
                side = constant
                terms, constant = self.sum()
                if not terms:
                    raise self.error(f"row {quoted(name)} has no variables", start)
                side -= constant
                relation = {"<": ">", ">": "<", "=": "="}[relation]
                if self.peek().kind == "relation":
                    second = self.relation()
                    if {relation, second} != {"<", ">"}:
                        raise self.error(f"row {quoted(name)} mixes its relations", start)
                    other = self.right_side() - constant
                    low, high = (side, other) if second == "<" else (other, side)
                    relation = "both"
            if relation in (">", "="):
                low = side
            if relation in ("<", "="):
                high = side
            low, high = finite_or_infinite(low), finite_or_infinite(high)
            if low > high or low == math.inf or high == -math.inf:
                raise self.error(
                    f"row {quoted(name)} lies between {float(low):g} and {float(high):g}", start
                )
            row = self.model.row(name, low, high, start.line)
            for column, value in terms:
                self.model.entry(row, column, value, start.line)

    def right_side(self) -> Bound:
        """Take a right-hand side: one number, with nothing after it on its line."""
        value = self.bound()
        last = self.tokens[self.place - 1]
        if self.peek().line == last.line and self.peek(1).text != ":":
            raise self.unexpected("the end of the row (variables stand on the left)")
        if self.peek().kind in ("relation", "arrow"):
            raise self.unexpected("the next row")
        return value

    def read_bounds(self, _: Section) -> None:
        model = self.model
        while (token := self.peek()) is not END:
            low: Bound | None = None
            relation = ""
            if token.kind != "name" or token.text.lower() in ("inf", "infinity"):
                low, relation = self.bound(), self.relation()
            name = self.take()
            if name.kind != "name":
                raise self.error(f"found {quoted(name.text)}, not a variable", name)
            column = model.columns.get(name.text)
            if column is None:
                raise self.error(f"there is no variable {quoted(name.text)} in the rows", name)
            if low is not None:
                self.apply(column, {"<": ">", ">": "<", "=": "="}[relation], low)
            if self.peek().kind == "relation":
                self.apply(column, self.relation(), self.bound())
            elif low is None:
                if self.take().text.lower() != "free":
                    self.place -= 1
                    raise self.unexpected("a relation or 'free'")
                model.lower[column], model.upper[column] = -math.inf, math.inf

    def apply(self, column: int, relation: str, value: Bound) -> None:
        if relation in (">", "="):
            self.model.lower[column] = value
        if relation in ("<", "="):
            self.model.upper[column] = value

    def read_names(self, section: Section) -> None:
        for token in self.tokens:
            if token.kind != "name":
                raise self.error(f"found {quoted(token.text)}, not a variable", token)
            column = self.model.column(token.text, token.line)
            self.model.integer[column] = True
            if section.kind == "binaries":
                self.binaries.add(column)
