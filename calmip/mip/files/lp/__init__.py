"""CPLEX LP files: written in the dialect that all readers share, and read strictly.

The objective names every column, with a 0 if it has no cost: GLPK refuses an empty objective, and
readers number the columns in the order of the file. Lines are under 80 characters. The reader
accepts mixed-integer linear models, and what linearises exactly: indicator constraints,
semi-continuous and semi-integer variables, special ordered sets, MAX, MIN, ABS, AND, OR and PWL.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from calmip._base.errors import InputError
from calmip.mip.display import quote
from calmip.mip.files.model_builder import (
    FUNCTIONS,
    ModelBuilder,
    unknown_function,
)
from calmip.mip.files.mps import INFINITY
from calmip.mip.files.text_source import TextFile, is_long, number
from calmip.mip.model import Model, unused_name
from calmip.mip.rows import Bound, Number, finite_or_infinite, is_finite

if TYPE_CHECKING:
    from calmip.mip.files.lp.compiled import CompiledStatements

__all__ = ["Section", "Token", "lp_parts", "lp_text", "read_lp"]

WIDTH = 78

FREE_SIDE = ">= -1e30"
"""The side of a row without bounds. All readers take the number for infinite, or it is as good;
GLPK refuses ``-inf`` there."""


def lp_text(model: Model) -> str:
    """Return the model as the text of an LP file; see `lp_parts`."""
    return "".join(lp_parts(model))


def lp_parts(model: Model) -> Iterator[str]:
    """Return the lines of the model as an LP file, one after the other.

    A row with two different bounds is refused: readers disagree on how to write it.
    """
    check_names((*model.columns, *model.rows))
    return (f"{line}\n" for line in _lines(model))


def _lines(model: Model) -> Iterator[str]:
    yield from (f"\\ {line}" for line in model.comments)
    yield "Minimize"
    columns = range(len(model.columns))
    costs = [model.costs.get(column, 0) for column in columns]
    constant = -model.constant if model.maximise else model.constant
    sign = "-" if constant < 0 else "+"
    terms = [f"{sign} {number(max(constant, -constant))}"] if constant else []
    yield from _wrap(" obj: ", [*_terms(columns, costs, model), *terms])
    yield "Subject To"
    for position, row in enumerate(model.rows):
        part = range(model.start[position], model.start[position + 1])
        terms = _terms(
            model.index[part.start : part.stop].tolist(), model.numbers("value", part), model
        )
        (low,), (high,) = (model.numbers(side, [position]) for side in ("lower", "upper"))
        terms = [*(terms or [f"0 {model.columns[0]}"]), _relation(row, low, high)]
        yield from _wrap(f" {row}: ", terms)
    yield from _column_sections(model)
    yield "End"


def _terms(columns: Sequence[int], values: Sequence[Bound], model: Model) -> list[str]:
    terms = []
    for column, value in zip(columns, values, strict=True):
        sign = "-" if value < 0 else "+"
        size = "" if value in (1, -1) else f"{number(max(value, -value))} "
        terms.append(f"{sign} {size}{model.columns[column]}")
    if terms and terms[0].startswith("+ "):
        terms[0] = terms[0][2:]
    return terms


def _relation(row: str, low: Bound, high: Bound) -> str:
    """Return a row's right-hand side."""
    if low == high:
        return f"= {number(low)}"
    if is_finite(low) and is_finite(high):
        raise InputError(f"row {quote(row)} has two bounds, which an LP file cannot say; write MPS")
    if is_finite(high):
        return f"<= {number(high)}"
    return f">= {number(low)}" if is_finite(low) else FREE_SIDE


def _column_sections(model: Model) -> Iterator[str]:
    """Yield the lines of the sections with the variables' bounds and kinds."""
    binary, integer = [], []
    indices = range(len(model.columns))
    numbers = (model.numbers(side, indices) for side in ("column_lower", "column_upper"))
    kinds = model.values("integer")
    head = ["Bounds"]
    for name, low, high, kind in zip(model.columns, *numbers, kinds, strict=True):
        if kind and (low, high) == (0, 1):
            binary.append(name)
            continue
        if kind:
            integer.append(name)
        if low == high:
            line = f" {name} = {number(low)}"
        elif (low, high) == (-math.inf, math.inf):
            line = f" {name} free"
        elif high != math.inf:
            line = f" {number(low)} <= {name} <= {number(high)}"
        elif low:
            line = f" {name} >= {number(low)}"
        else:
            continue
        yield from (*head, line)
        head = []
    for title, names in (("Generals", integer), ("Binaries", binary)):
        if names:
            yield from (title, *_wrap(" ", names, " "))


def check_names(names: Iterable[str]) -> None:
    """Refuse names that an LP file cannot have."""
    for name in names:
        token = TOKEN.fullmatch(name)
        keyword = HEAD.fullmatch(name) or name.lower() in (*INFINITY, "free")
        if token is None or token.lastgroup != "name" or keyword:
            raise InputError(f"an LP file cannot have the name {quote(name)}; write MPS")


def _wrap(head: str, terms: Iterable[str], indent: str = "   ") -> Iterator[str]:
    """Yield lines under 80 characters; a term is never split."""
    line = head
    for term in terms:
        if len(line) + len(term) > WIDTH and line.strip():
            yield line.rstrip()
            line = indent
        line += term + " "
    yield line.rstrip()


TOKEN = re.compile(
    r"""(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?:/[0-9]+)?)
    | (?P<arrow>->)
    | (?P<relation><=|>=|=<|=>|<|>|=)
    | (?P<sign>[+-])
    | (?P<mark>[:\[\]*^])
    | (?P<name>[^\s0-9.+\-<>=:*^\[\]\\][^\s+\-<>=:*^\\]*)""",
    re.VERBOSE,
)

LABEL = re.compile(r"([^\s:<>]+)\s*:(?!:)")
"""The name of a row at the beginning of a line. Solvers write any, such as ``1`` and ``a==b``."""

LABELLED = ("minimise", "maximise", "rows")

REFUSED = {
    "sos": "special ordered sets under other headings than SOS",
    "lazy": "lazy constraints",
    "user": "user cuts",
    "partial": "partially integer variables",
    "pwlobj": "piecewise-linear objectives, other than of a variable by a constraint PWL,",
    "multi": "several objectives",
    "scenario": "scenarios",
}
"""What calmip does not read, by the beginning of the section's heading in lower case."""

# The headings by the kind of section; a linear model has no section of the first kind.
HEADS = {
    "refused": r"sos[12]|partial\s+integers?|lazy\s+constraints|user\s+cuts|pwlobj"
    r"|multi-objectives?|scenarios?",
    "semi_integers": r"semi[-\s]integers?|sin",
    "semi": r"semi[-\s]continuous|semis?",
    "sets": r"sos",
    "functions": r"general\s+constraints?",
    "lines": r"pwl",
    "minimise": r"minimi[sz]e|minimum|min",
    "maximise": r"maximi[sz]e|maximum|max",
    "rows": r"subject\s+to|such\s+that|s\.\s?t\.|st\.?",
    "bounds": r"bounds?",
    "binaries": r"binary|binaries|bin",
    "integers": r"generals?|gen|integers?|int",
    "end": r"end",
}
HEAD = re.compile("|".join(f"(?P<{kind}>{words})" for kind, words in HEADS.items()), re.IGNORECASE)


class Token(NamedTuple):
    """A word of the file: its kind, its text and its 1-based line."""

    kind: str
    text: str
    line: int


Section = tuple[str, list[Token]]
"""The kind, a key of ``HEADS``, and the tokens up to the next heading."""


def lp_sections(
    source: TextFile, rest: Iterable[str] | None = None, begun: Iterable[Section] = ()
) -> list[Section]:
    """Return the sections of an LP file; the first is the objective, the last is the end.

    Or those of the rest of its lines, in which a section may have begun.
    """
    found: list[Section] = list(begun)
    heading = ""
    for line, text in enumerate(source.lines if rest is None else rest, start=1):
        # A backslash anywhere opens a comment.
        content = text.partition("\\")[0].strip()
        if not content:
            continue
        if found and found[-1][0] == "end":
            raise source.error(f"found {quote(content)} after End", line)
        opened, rest = _head(content, found)
        if opened == "lines" and not _opens_lines(source, line):
            opened, rest = "", content
        if opened:
            heading = content
            found.append((opened, []))
        elif not found:
            raise source.error(
                f"starts with {quote(content)}; an LP file starts with Minimize or Maximize", line
            )
        kind, tokens = found[-1]
        if kind == "refused" and rest:
            # HiGHS writes such sections even if they are empty.
            what = next(REFUSED[word] for word in REFUSED if heading.lower().startswith(word))
            raise source.error(f"{what} are not read: found {quote(rest)}", line)
        label = LABEL.match(rest) if kind in LABELLED else None
        if label:
            tokens.append(Token("name", label[1], line))
            rest = rest[label.end(1) :]
        tokens.extend((WORDS.get(kind) or _tokens)(source, rest, line))
    if not found or found[-1][0] != "end":
        raise source.cut("'End' is missing")
    return found


def _head(content: str, found: list[Section]) -> tuple[str, str]:
    """Return the kind of section that a line opens ("" if none), and the rest of the line.

    A variable may be called ``st`` or ``bin``: no section opens within a sum, or before a sign,
    a relation or a colon.
    """
    match = HEAD.match(content)
    if match is None:
        return "", content
    kind, rest = str(match.lastgroup), content[match.end() :]
    opens = kind in ("minimise", "maximise") and not found
    if rest and not rest[0].isspace() and not (opens and rest[0] == ":"):
        return "", content
    rest = rest.strip()
    if not found or kind in ("minimise", "maximise") or (kind == "end" and rest):
        return (kind, rest) if opens else ("", content)
    _, before = found[-1]
    unfinished = bool(before) and before[-1].kind in ("sign", "relation")
    return ("", content) if unfinished or rest[:1] in tuple("+-<>=:*^") else (kind, rest)


def _opens_lines(source: TextFile, line: int) -> bool:
    """Return whether a function follows the word Pwl, which may be a variable of a list, too."""
    following = (text.partition("\\")[0] for text in source.lines[line:])
    return "=" in next(filter(str.strip, following), "")


def _tokens(source: TextFile, text: str, line: int) -> list[Token]:
    tokens: list[Token] = []
    index = 0
    for match in TOKEN.finditer(text):
        first, last = match.span()
        if first > index and text[index:first].strip():
            break
        tokens.append(Token(match.lastgroup or "", match[0], line))
        index = last
    if text[index:].strip():
        raise source.error(f"cannot make sense of {quote(text[index:].lstrip())}", line)
    return tokens


def _set_words(_: TextFile, text: str, line: int) -> list[Token]:
    """Return the words of a special ordered set; a colon stands alone."""
    return [Token("word", word, line) for word in re.findall(r"::|:|[^\s:]+", text)]


def _function_words(_: TextFile, text: str, line: int) -> list[Token]:
    """Return the words of a general constraint; marks that are no part of a name stand alone."""
    words = FUNCTION_WORD.findall(text)
    return [Token("word", word, line) for word in words]


FUNCTION_WORD = re.compile(
    r"(?:MAX|MIN|ABS|AND|OR|PWL)(?=\()"  # without a blank before the bracket
    r"|[A-Za-z_][^\s(),:=\[\]]*(?:\[[^\]\s]*\]|\([^)\s]*\))?"  # a name such as x[1,2]
    r"|[(),:=]|[^\s(),:=]+",
    re.IGNORECASE,
)

WORDS = {"sets": _set_words, "functions": _function_words, "lines": _function_words}
"""How the words of sections are separated that are no sums."""

OPPOSITE = {"<": ">", ">": "<", "=": "="}
END = Token("end", "the end of the section", 0)


def read_lp(source: TextFile) -> Model:
    """Return the model in an LP file; errors are those of `read_model`.

    LP files have a default of their own: integers have no upper bound.
    """
    if is_long(source):
        from calmip.mip.files.compiled import Unusual, scan_of
        from calmip.mip.files.lp.compiled import CompiledStatements

        scan = scan_of(source)
        if scan is not None:
            reader = _Reader(source)
            try:
                return reader.read(reader.unread(CompiledStatements(reader, scan)))
            except (InputError, Unusual):
                pass  # Plain Python alone says what is wrong, and where.
    return _Reader(source).read(lp_sections(source))


class _Reader:
    """A reader of one file; ``tokens[place]`` is the next token of the section being read."""

    def __init__(self, source: TextFile) -> None:
        self.source = source
        self.model = ModelBuilder(source)
        self.binaries: set[int] = set()
        self.tokens: list[Token] = []
        self.position = 0

    def unread(self, compiled: CompiledStatements) -> list[Section]:
        """Return the sections without the statements that a compiled loop reads."""
        found: list[Section] = []
        while not compiled.ended:
            text = compiled.line()
            content = text.partition("\\")[0].strip()
            if not content:
                continue
            kind, rest = _head(content, found)
            if not compiled.begins(kind, rest):
                compiled.put_back()
                break
            found = [(kind, [])]
            self.model.maximise |= kind == "maximise"
            if not compiled.read(kind):
                break
        rest_of_lines = compiled.rest()
        compiled.release()
        return lp_sections(self.source, rest_of_lines, found)

    def read(self, sections: Iterable[Section]) -> Model:
        takers = {
            "minimise": self.read_objective,
            "maximise": self.read_objective,
            "rows": self.read_rows,
            "bounds": self.read_bounds,
            "binaries": self.read_names,
            "integers": self.read_names,
            "semi": self.read_names,
            "semi_integers": self.read_names,
            "sets": self.read_sets,
            "functions": self.read_functions,
            "lines": self.read_lines,
        }
        for kind, tokens in sections:
            self.tokens, self.position = tokens, 0
            if kind in takers:
                takers[kind](kind)
        model = self.model
        for column in self.binaries:
            model.lower[column] = max(model.lower[column], 0)
            model.upper[column] = min(model.upper[column], 1)
        return model.build()

    def peek(self, ahead: int = 0) -> Token:
        index = self.position + ahead
        return self.tokens[index] if index < len(self.tokens) else END

    def take(self) -> Token:
        token = self.peek()
        self.position += 1
        return token

    def error(self, message: str, token: Token) -> InputError:
        line = token.line or (self.tokens[-1].line if self.tokens else None)
        return self.source.error(message, line)

    def unexpected(self, what: str) -> InputError:
        token = self.peek()
        refused = {"[": "quadratic terms", "^": "powers"}
        found = token.text if token is END else quote(token.text)
        if token.text == self.peek(1).text == ":":  # such as S1:: among the rows
            return self.error("special ordered sets stand under the heading SOS", token)
        if token.text in refused:
            return self.error(f"{refused[token.text]} are not read: found {found}", token)
        return self.error(f"found {found}, not {what}", token)

    def label(self) -> str | None:
        """Take a name and a colon, if they come next, and return the name."""
        if self.peek().kind == "name" and self.peek(1).text == ":":
            self.position += 2
            return self.tokens[self.position - 2].text
        return None

    def sum(self) -> tuple[list[tuple[int, Number]], Number]:
        """Take a sum of terms and numbers; return its terms, and the sum of its numbers."""
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
                elif self.peek().kind != "name" or self.peek(1).text == ":":  # the next row's
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
        if token.kind == "name" and token.text.lower() in INFINITY:
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

    def read_objective(self, kind: str) -> None:
        self.model.maximise = kind == "maximise"
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

    def read_rows(self, _: str) -> None:
        while self.peek() is not END:
            start = self.peek()
            name = self.label() or unused_name(f"R{len(self.model.rows) + 1}", self.model.rows)
            condition = self.condition()
            terms, low, high = self.one_row(name, start)
            row = self.model.row(name, low, high, start.line)
            for column, value in terms:
                self.model.entry(row, column, value, start.line)
            if condition is not None:
                self.model.conditions[row] = condition

    def condition(self) -> tuple[int, int, str] | None:
        """Take a condition such as ``b = 1 ->``, if there is one: a column, 0 or 1, the arrow."""
        column, relation, value, first, second = (self.peek(n) for n in range(5))
        if (column.kind, relation.text, value.kind) != ("name", "=", "number"):
            return None
        # In a sum, x <-1 is x < -1.
        arrow = first.text
        if arrow == "<" and second.text in ("->", "-"):
            arrow += second.text
        elif first.kind != "arrow":
            return None
        if value.text not in ("0", "1"):
            raise self.error(f"found {quote(value.text)}, not 0 or 1, before '{arrow}'", value)
        self.position += 4 if arrow == "->" else 5
        return self.model.column(column.text, column.line), int(value.text), arrow

    def one_row(self, name: str, start: Token) -> tuple[list[tuple[int, Number]], Bound, Bound]:
        """Take a row after its name; return its terms and its sides."""
        empty = self.peek().kind == "relation"  # a row without terms
        terms, constant = self.left_side()
        relation = self.relation()
        low: Bound = -math.inf
        high: Bound = math.inf
        if terms or empty:
            side = self.right_side() - constant
        else:
            # A number on the left, as in 1 <= x + y <= 2, reverses the relation.
            side = constant
            terms, constant = self.sum()
            if not terms:
                raise self.error(f"row {quote(name)} has no variables", start)
            side -= constant
            relation = OPPOSITE[relation]
            if self.peek().kind == "relation":
                second = self.relation()
                if {relation, second} != {"<", ">"}:
                    raise self.error(f"row {quote(name)} mixes its relations", start)
                other = self.right_side() - constant
                low, high = (side, other) if second == "<" else (other, side)
                relation = "both"
        if relation in (">", "="):
            low = side
        if relation in ("<", "="):
            high = side
        low, high = finite_or_infinite(low), finite_or_infinite(high)
        if low == math.inf or high == -math.inf:
            raise self.error(
                f"row {quote(name)} lies between {float(low):g} and {float(high):g}", start
            )
        return terms, low, high

    def left_side(self) -> tuple[list[tuple[int, Number]], Bound]:
        """Take the terms of a row, or a number, and return the terms and the sum of its numbers."""
        if self.peek().kind == "relation":
            return [], 0
        first = self.peek(1 if self.peek().kind == "sign" else 0)
        return ([], self.bound()) if first.text.lower() in INFINITY else self.sum()

    def right_side(self) -> Bound:
        """Take a right-hand side: one number, with nothing after it on its line."""
        value = self.bound()
        last = self.tokens[self.position - 1]
        if self.peek().line == last.line and self.peek(1).text != ":":
            raise self.unexpected("the end of the row (variables stand on the left)")
        if self.peek().kind in ("relation", "arrow"):
            raise self.unexpected("the next row")
        return value

    def read_bounds(self, _: str) -> None:
        model = self.model
        while (token := self.peek()) is not END:
            low: Bound | None = None
            relation = ""
            if token.kind != "name" or token.text.lower() in INFINITY:
                low, relation = self.bound(), self.relation()
            name = self.take()
            if name.kind != "name":
                raise self.error(f"found {quote(name.text)}, not a variable", name)
            column = model.column(name.text, name.line)
            if low is not None:
                self.apply(column, OPPOSITE[relation], low)
            if self.peek().kind == "relation":
                self.apply(column, self.relation(), self.bound())
            elif low is None:
                if self.take().text.lower() != "free":
                    self.position -= 1
                    raise self.unexpected("a relation or 'free'")
                model.lower[column], model.upper[column] = -math.inf, math.inf

    def apply(self, column: int, relation: str, value: Bound) -> None:
        if relation in (">", "="):
            self.model.lower[column] = value
        if relation in ("<", "="):
            self.model.upper[column] = value

    def read_names(self, kind: str) -> None:
        while (token := self.peek()) is not END:
            if self.take().kind != "name":
                raise self.source.unexpected(token.text, "a variable", token.line)
            column = self.model.column(token.text, token.line)
            if kind.startswith("semi") and self.peek().text in (">", ">="):  # as Xpress writes
                self.apply(column, self.relation(), self.bound())
            if kind != "semi":
                self.model.integer[column] = True
            if kind == "binaries":
                self.binaries.add(column)
            elif kind != "integers":
                self.model.semi.add(column)

    def word(self, *wanted: str) -> Token:
        """Take the next word, one of those that are wanted if there are any."""
        token = self.peek()
        if token is END or (wanted and token.text.upper() not in wanted):
            raise self.unexpected(" or ".join(map(repr, wanted)) or "a word")
        return self.take()

    def begins_set(self) -> int:
        """Return the words before the members if a set begins here, else 0."""
        ahead = [self.peek(n).text.upper() for n in range(4)]
        if ahead[1] == ":" and ahead[2] in ("S1", "S2") and ahead[3] == "::":
            return 4
        return 2 if ahead[0] in ("S1", "S2") and ahead[1] == "::" else 0

    def read_sets(self, _: str) -> None:
        """Read sets such as ``s1: S2 :: x:1 y:2 z:3``."""
        while (start := self.peek()) is not END:
            size = self.begins_set()
            if not size:
                raise self.unexpected("a set such as s1: S1 :: x:1 y:2")
            names = self.model.constructs
            name = start.text if size > 2 else unused_name(f"sos{len(names)}", names)
            kind = self.peek(size - 2).text
            self.position += size
            members = []
            while self.peek() is not END and not self.begins_set():
                member = self.word()
                self.word(":")
                weight = self.word()
                members.append((member.text, self.source.exact(weight.text, weight.line)))
            self.model.ordered_set(name, int(kind[1]), members, start.line)

    def read_functions(self, _: str) -> None:
        """Read constraints such as ``g: y = MAX ( x , z , 3 )``."""
        while (start := self.peek()) is not END:
            names = self.model.constructs
            name = unused_name(f"gc{len(names)}", names)
            if self.peek(1).text == ":":
                name = self.take().text
                self.take()
            result = self.word().text
            self.word("=")
            kind = self.word()
            if kind.text.upper() not in FUNCTIONS:
                raise self.error(unknown_function(kind.text), kind)
            arguments = self.bracketed()
            if kind.text.upper() != "PWL":
                self.model.function(name, kind.text.upper(), result, arguments, start.line)
                continue
            self.word(":")
            if len(arguments) != 1:
                raise self.error(f"general constraint {quote(name)} has odd points", start)
            points = self.points(name, start)
            self.model.broken_line(name, result, arguments[0], points, start.line)

    def read_lines(self, _: str) -> None:
        """Read functions such as ``g: y = x 0.5 (0, 0) (1, 2) 3``: slopes around break points."""
        while (start := self.peek()) is not END:
            names = self.model.constructs
            name = unused_name(f"p{len(names)}", names)
            if self.peek(1).text == ":":
                name = self.take().text
                self.take()
            result = self.word().text
            self.word("=")
            argument, before = self.word(), self.word()
            points = self.points(name, start)
            behind = self.word()
            first, last = (self.source.exact(one.text, one.line) for one in (before, behind))
            columns = result, argument.text
            self.model.sloped_line(name, columns, (first, last), points, start.line)

    def points(self, name: str, start: Token) -> list[tuple[Number, Number]]:
        """Take the break points of a function."""
        found = []
        while self.peek().text == "(":
            pair = self.bracketed()
            if len(pair) != 2:
                raise self.error(f"general constraint {quote(name)} has odd points", start)
            x, y = (self.source.exact(text, start.line) for text in pair)
            found.append((x, y))
        return found

    def bracketed(self) -> list[str]:
        """Take what stands between two brackets, separated by commas."""
        self.word("(")
        found = [self.word().text]
        while self.word(",", ")").text == ",":
            found.append(self.word().text)
        return found
