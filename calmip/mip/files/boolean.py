"""Pseudo-Boolean, CNF and DLX files as models in binary variables: readers and writers.

The names of columns and rows are read from comments, where calmip writes them:
``* x1 = NAME`` and ``* ROW`` before a row in OPB, ``c 1 = NAME`` in CNF, ``| i1 = ITEM`` in DLX.
"""

from __future__ import annotations

import itertools
import math
import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import cast

from calmip._base.errors import InputError
from calmip.mip.defined import definitions, project
from calmip.mip.display import quote
from calmip.mip.files.lp import Token
from calmip.mip.files.model_builder import ModelBuilder
from calmip.mip.files.text_source import TextFile
from calmip.mip.model import Model, unused_name
from calmip.mip.rows import Bound, Number, Row, ceil_of, floor_of, is_finite

Constraint = tuple[Mapping[int, int], str, int]
"""Coefficients by column, ``>=`` or ``=``, and the right-hand side."""


def _whole(model: Model, work: str) -> Iterator[tuple[str, Row[int]]]:
    """Yield the names and the rows of a binary model in whole numbers."""
    for number, name in enumerate(model.rows):
        row = model.exact_row(number)
        integers = {
            c: _integer(value, f"row {quote(name)}", work) for c, value in row.terms.items()
        }
        # Only whole numbers lie between the bounds.
        yield name, Row(integers, ceil_of(row.low), floor_of(row.high))


def _integer(value: Number, where: str, work: str) -> int:
    if isinstance(value, Fraction):
        raise InputError(f"{where} has the number {value}, and {work} has whole numbers only")
    return value


def _binary(model: Model, work: str) -> Model:
    """Return the binary projection of a model, with a comment on each column that is left out."""
    gone = [
        f"{_one_word(model.columns[column])} is left out: "
        + (f"row {_one_word(row)} defines it" if row else "it is a constant")
        for column, row in definitions(model).items()
    ]
    return project(model).as_binary(work).changed(comments=(*model.comments, *gone))


def opb_text(model: Model) -> str:
    """Return a binary model as the text of an OPB file.

    A row with an upper bound is negated, and one with two bounds is written twice: the format has
    only >= and =.

    Raises
    ------
    InputError
        If the model has a variable that is not binary, a fractional number, or a constant in its
        objective.
    """
    work = "an OPB file"
    model = _binary(model, work)
    if model.constant:
        raise InputError(
            f"the objective has the constant {model.constant}, which {work} cannot say"
        )
    order, places = _numbering(model.columns)
    costs = {places[c]: _integer(cost, "the objective", work) for c, cost in model.costs.items()}
    rows = (_moved(row, places) for _, row in _whole(model, work))
    every = _constraints(model.rows, rows)
    return "".join(constraint_lines(order, every, model.comments, dict(sorted(costs.items()))))


def _numbering(columns: Sequence[str]) -> tuple[list[str], list[int]]:
    """Return the columns in the order of a file with numbered variables, and their places there.

    A column that is named as a solver names a variable, such as x42, is that variable: else an
    answer with the name would have two meanings.
    """
    order = [""] * len(columns)
    for name in columns:
        if NUMBERED.fullmatch(name) and int(name[1:]) <= len(columns):
            order[int(name[1:]) - 1] = name
    kept = set(order)
    others = (name for name in columns if name not in kept)
    order = [name or next(others) for name in order]
    number = {name: place for place, name in enumerate(order)}
    return order, [number[name] for name in columns]


def _moved(row: Row[int], places: Sequence[int]) -> Row[int]:
    """Return a row whose columns are at other places."""
    return row._replace(terms=dict(sorted((places[c], value) for c, value in row.terms.items())))


def constraints_of(model: Model) -> list[tuple[str, Constraint]]:
    """Return the rows of a binary model as constraints in the smallest whole numbers, with names.

    They have the same solutions. A row with two bounds is two constraints.
    """
    return list(_constraints(model.rows, model.whole_rows()))


def _constraints(
    row_names: Sequence[str], rows: Iterable[Row[int]]
) -> Iterator[tuple[str, Constraint]]:
    names = set(row_names)
    for name, (terms, low, high) in zip(row_names, rows, strict=True):
        sides = [(terms, "=", low)] if low == high else []
        if not sides and is_finite(low):
            sides.append((terms, ">=", low))
        if low != high and is_finite(high):
            sides.append(({column: -value for column, value in terms.items()}, ">=", -high))
        for again, (some, relation, side) in enumerate(sides):
            own = unused_name(name + "_", names) if again else name
            names.add(own)
            yield own, (some, relation, cast(int, side))


def constraint_lines(
    columns: Sequence[str],
    constraints: Iterable[tuple[str, Constraint]],
    comments: Iterable[str] = (),
    costs: Mapping[int, int] = MappingProxyType({}),
) -> Iterator[str]:
    """Yield the lines of an OPB file."""
    every = list(constraints)
    yield f"* #variable= {len(columns)} #constraint= {len(every)}\n"
    yield from (f"* {line}\n" for line in comments)
    for number, name in enumerate(columns, start=1):
        yield f"* x{number} = {_one_word(name)}\n"
    if costs:
        yield f"min: {_sum(costs)};\n"
    for name, (terms, relation, side) in every:
        yield f"* {_one_word(name)}\n{_sum(terms or {0: 0})}{relation} {side} ;\n"


def _one_word(name: str) -> str:
    """Return a name for a comment, which is one line."""
    return "_".join(name.split())


def _sum(terms: Mapping[int, int]) -> str:
    return "".join(f"{value:+d} x{column + 1} " for column, value in terms.items())


def cnf_text(model: Model) -> str:
    """Return a binary model without an objective as the text of a CNF file.

    A row is a clause, at most one or exactly one of its variables, or of their negations.

    Raises
    ------
    InputError
        If the model has an objective, a variable that is not binary, or another row.
    """
    work = "a CNF file"
    model = _binary(model, work)
    if model.costs:
        raise InputError(f"the model has an objective, which {work} cannot say")
    order, places = _numbering(model.columns)
    clauses: list[Sequence[int]] = []
    for name, row in _whole(model, work):
        found = _clauses(_moved(row, places))
        if found is None:
            raise InputError(
                f"row {quote(name)} is not a clause, at most one or exactly one of its variables, "
                f"so {work} cannot say it; write .opb"
            )
        clauses += found
    lines = [f"c | {line}" for line in model.comments]
    lines += [f"c {number} = {name}" for number, name in enumerate(order, start=1)]
    lines.append(f"p cnf {len(model.columns)} {len(clauses)}")
    lines += [" ".join(map(str, (*clause, 0))) for clause in clauses]
    return "\n".join(lines) + "\n"


def _clauses(row: Row[int]) -> list[Sequence[int]] | None:
    """Return the clauses of a row, or None if it is of another kind."""
    terms, low, high = row
    literals = [
        column + 1 if value > 0 else -column - 1 for column, value in terms.items() if value
    ]
    if any(abs(value) > 1 for value in terms.values()):
        return None
    # The least and the greatest number of true literals.
    negative = sum(literal < 0 for literal in literals)
    least, most = low + negative, high + negative
    clauses: list[Sequence[int]] = []
    if least > len(literals) or most < 0:
        return [()]
    if most < len(literals):
        if most == len(literals) - 1:
            clauses.append([-literal for literal in literals])
        elif most == 1:
            clauses += itertools.combinations([-literal for literal in literals], 2)
        elif most == 0:
            clauses += [(-literal,) for literal in literals]
        else:
            return None
    if least > 0:
        if least == 1:
            clauses.insert(0, literals)
        elif least == len(literals):
            clauses += [(literal,) for literal in literals]
        else:
            return None
    return clauses


OPB_TOKEN = re.compile(
    r"(?P<number>[+-]?\s*[0-9]+(?![\w.]))|(?P<literal>~?\s*[A-Za-z_][^\s;:~<>=+]*)"
    r"|(?P<relation>>=|<=|=)|(?P<end>;)|(?P<mark>:)|(?P<blank>\s+)"
)
NAMED = re.compile(r"\*\s*(x[0-9]+) = (\S+)")
ROW_NAME = re.compile(r"\*\s*([A-Za-z_][^\s:;=]*)")
SIZE = re.compile(r"\*\s*#variable=\s*([0-9]+)")
NUMBERED = re.compile(r"x[1-9][0-9]{0,17}")


def solver_names(source: TextFile) -> dict[str, str]:
    """Return the names of variables by those that solvers give them, ``x42`` in both formats."""
    found = {}
    for line in source.lines:
        if named := NAMED.fullmatch(line.rstrip()):
            found[named[1]] = named[2]
        elif named := CNF_NAME.fullmatch(line.rstrip()):
            found[f"x{named[1]}"] = named[2]
    return found


def read_opb(source: TextFile) -> Model:
    """Return the model in a linear OPB file; errors are those of `read_model`."""
    return _Opb(source).read()


class _Opb:
    """A reader of one OPB file."""

    def __init__(self, source: TextFile) -> None:
        self.source = source
        self.model = ModelBuilder(source)
        self.names: dict[str, str] = {}
        self.row_names: dict[int, str] = {}
        self.size = 0

    def read(self) -> Model:
        statement: list[Token] = []
        first = True
        for token in self.tokens():
            if token.kind != "end":
                statement.append(token)
                continue
            if not statement:
                raise self.source.error("found ';' without a constraint before it", token.line)
            self.take(statement, first=first)
            first = first and statement[0].text == "preserved"
            statement = []
        if statement:
            raise self.source.cut("the last constraint has no ';'")
        model = self.model
        numbers = {int(name[1:]) for name in model.columns if NUMBERED.fullmatch(name)}
        order = list(model.columns)
        if len(numbers) == len(order):
            # The variables are those in use, and x1 to xN of the first line.
            named = (int(name[1:]) for name in self.names if NUMBERED.fullmatch(name))
            model.check_declared(self.size, numbers.union(named))
            order = [f"x{number}" for number in sorted(numbers.union(range(1, self.size + 1)))]
        indices = {name: index for index, name in enumerate(order)}
        moved = {column: indices[name] for name, column in model.columns.items()}
        final = [self.names.get(name, name) for name in order]
        if len(set(final)) < len(final):
            final = order
        build = ModelBuilder(self.source)
        for name in final:
            column = build.column(name, 1)
            build.integer[column], build.upper[column] = True, 1
        build.rows, build.entries = model.rows, model.entries
        build.entries.columns = array("i", map(moved.__getitem__, build.entries.columns))
        build.row_lower, build.row_upper = model.row_lower, model.row_upper
        build.cost = {moved[column]: value for column, value in model.cost.items()}
        build.maximise, build.offset = model.maximise, model.offset
        return build.build()

    def tokens(self) -> Iterator[Token]:
        for line, text in enumerate(self.source.lines, start=1):
            if text.startswith("*"):
                if named := NAMED.fullmatch(text.rstrip()):
                    self.names[named[1]] = named[2]
                elif size := SIZE.match(text):
                    self.size = self.source.count(size[1], line)
                elif name := ROW_NAME.fullmatch(text.rstrip()):
                    self.row_names[line + 1] = name[1]
                continue
            index = 0
            while index < len(text):
                match = OPB_TOKEN.match(text, index)
                if match is None:
                    raise self.source.error(f"cannot make sense of {quote(text[index:])}", line)
                if match.lastgroup != "blank":
                    yield Token(str(match.lastgroup), "".join(match.group().split()), line)
                index = match.end()

    def take(self, statement: list[Token], *, first: bool) -> None:
        """Read the objective or a constraint."""
        head = statement[0]
        if len(statement) > 1 and statement[1].kind == "mark":
            if head.text == "preserved":
                return
            if head.text == "soft" or not first or head.text not in ("min", "max"):
                what = "soft constraints (WBO)" if head.text == "soft" else quote(head.text + ":")
                raise self.source.error(
                    f"{what} are not read; an objective min: or max: is the first statement",
                    head.line,
                )
            terms, constant = self.sum(statement[2:])
            self.model.maximise, self.model.offset = head.text == "max", constant
            self.model.cost = terms
            return
        index = next((n for n, token in enumerate(statement) if token.kind == "relation"), None)
        if index is None or len(statement) != index + 2 or statement[-1].kind != "number":
            found = quote(" ".join(token.text for token in statement[-3:]))
            raise self.source.error(
                f"a constraint ends with a relation (>=, = or <=) and a whole number, not {found}",
                statement[-1].line,
            )
        terms, constant = self.sum(statement[:index])
        side = self.source.exact(statement[-1].text, statement[-1].line) - constant
        relation = statement[index].text
        low: Bound = -math.inf if relation == "<=" else side
        high: Bound = math.inf if relation == ">=" else side
        taken = self.model.rows
        name = self.row_names.get(head.line, "")
        if not name or name in taken:
            name = unused_name(f"R{len(taken) + 1}", taken)
        row = self.model.row(name, low, high, head.line)
        for column, value in terms.items():
            self.model.entry(row, column, value, head.line)

    def sum(self, tokens: Sequence[Token]) -> tuple[dict[int, Number], Number]:
        """Return the coefficients of a sum by column, and its constant."""
        terms: dict[int, Number] = {}
        constant: Number = 0
        value: Number | None = None
        before = ""
        for token in tokens:
            if token.kind == "number" and before != "number":
                value = self.source.exact(token.text, token.line)
            elif token.kind == "literal" and before == "number":
                assert value is not None
                column = self.model.column(token.text.lstrip("~"), token.line)
                if token.text.startswith("~"):
                    constant += value
                    value = -value
                terms[column] = terms.get(column, 0) + value
            elif token.kind == "literal" and before == "literal":
                raise self.source.error(
                    f"products of variables are not read: found {quote(token.text)}", token.line
                )
            else:
                raise self.source.unexpected(
                    token.text, "a whole number and a variable", token.line
                )
            before = token.kind
        if before == "number":
            raise self.source.error("a number without a variable", tokens[-1].line)
        return terms, constant


CNF_SIZE = re.compile(r"p\s+cnf\s+([0-9]{1,9})\s+([0-9]{1,9})")
CNF_LITERALS = re.compile(r"-?[0-9]{1,9}(?: -?[0-9]{1,9})*")
CNF_NAME = re.compile(r"c ([1-9][0-9]{0,8}) = (\S+)")


def read_cnf(source: TextFile) -> Model:
    """Return the model in a DIMACS CNF file; errors are those of `read_model`.

    A clause is a row. A clause of variables of which the file excludes each pair is an equation.
    """
    clauses, size, names = _read_clauses(source)
    model = ModelBuilder(source)
    used = {abs(literal) for clause, _ in clauses for literal in clause}
    model.check_declared(size, used.union(names))
    final = [names.get(number, f"x{number}") for number in range(1, size + 1)]
    if len(set(final)) < len(final):
        final = [f"x{number}" for number in range(1, size + 1)]
    for name in final:
        column = model.column(name, 1)
        model.integer[column], model.upper[column] = True, 1
    pairs = {frozenset(c): False for c, _ in clauses if len(c) == 2 and max(c) < 0}
    exact: set[int] = set()
    for number, (clause, _) in enumerate(clauses):
        if not clause or min(clause) < 0 or math.comb(len(clause), 2) > len(pairs):
            continue
        foes = [frozenset((-a, -b)) for a, b in itertools.combinations(sorted(clause), 2)]
        if all(foe in pairs for foe in foes):
            exact.add(number)
            pairs.update(dict.fromkeys(foes, True))
    for number, (clause, line) in enumerate(clauses):
        if pairs.get(clause):
            continue  # an equation says it
        negative = sum(literal < 0 for literal in clause)
        high = 1 if number in exact else math.inf
        row = model.row(f"R{len(model.rows) + 1}", 1 - negative, high, line)
        for literal in sorted(clause, key=abs):
            model.entry(row, abs(literal) - 1, 1 if literal > 0 else -1, line)
    return model.build()


def _read_clauses(
    source: TextFile,
) -> tuple[list[tuple[frozenset[int], int]], int, dict[int, str]]:
    """Return the clauses with their lines, the number of variables, and names of variables."""
    names: dict[int, str] = {}
    clauses: list[tuple[frozenset[int], int]] = []
    size = expected = -1
    literals: list[int] = []
    start = 0
    # A line % ends the files of SATLIB.
    lines = itertools.takewhile(lambda text: not text.startswith("%"), source.lines)
    for line, text in enumerate(lines, start=1):
        fields = text.split()
        if not fields or fields[0] == "c":
            if named := CNF_NAME.fullmatch(text.rstrip()):
                names[int(named[1])] = named[2]
        elif size < 0 or fields[0] == "p":
            match = CNF_SIZE.fullmatch(text.strip())
            if match is None or size >= 0:
                raise source.unexpected(text, "one line 'p cnf VARIABLES CLAUSES'", line)
            size, expected = map(int, match.groups())
        else:
            for literal in _literals(source, fields, size, line):
                start = start if literals else line
                if literal:
                    literals.append(literal)
                else:
                    clauses.append((frozenset(literals), start))
                    literals = []
    if size < 0:
        raise source.error("has no line 'p cnf VARIABLES CLAUSES'")
    if literals:
        raise source.cut("the last clause has no 0 at its end")
    if len(clauses) != expected:
        raise source.error(f"has {len(clauses)} clauses, but its line p says {expected}")
    return clauses, size, names


def _literals(source: TextFile, fields: Sequence[str], size: int, line: int) -> Iterator[int]:
    if CNF_LITERALS.fullmatch(" ".join(fields)):
        literals = list(map(int, fields))
        if -size <= min(literals) and max(literals) <= size:
            yield from literals
            return
    for word in fields:
        if not CNF_LITERALS.fullmatch(word) or abs(int(word)) > size:
            raise source.unexpected(word, f"a literal from 1 to {size}, - before it or not", line)


MAX_DLX_NAME = 8
"""The most characters of an item's name: Knuth's programs refuse longer ones."""


def dlx_text(model: Model) -> str:
    """Return a binary model as the text of a file of Knuth's exact-cover programs.

    A row is an item, a column an option, which has no name. A row with a sum of at most 1 is a
    secondary item, unless a primary one follows or an option has no other; rows with other sums
    have multiplicities (DLX3), and costs are those of options (DLX5).

    Raises
    ------
    InputError
        If a variable is not binary or in no row, if a row is no sum of variables, or if a cost is
        negative or no whole number.
    """
    work = "a DLX file"
    model = _binary(model, work)
    if model.constant:
        raise InputError(
            f"the objective has the constant {model.constant}, which {work} cannot say"
        )
    costs = {c: _integer(cost, "the objective", work) for c, cost in model.costs.items()}
    if min(costs.values(), default=0) < 0:
        raise InputError(f"the objective has negative coefficients, which {work} cannot say")
    if not model.columns:
        raise InputError(f"the model has no variables, and {work} has an option for each")
    items: list[list[int]] = [[] for _ in model.columns]
    sums: list[tuple[int, int]] = []
    for number, (name, row) in enumerate(zip(model.rows, model.whole_rows(), strict=True)):
        sums.append(_sum_of(name, row))
        for column in row.terms:
            items[column].append(number)
    for column, own in enumerate(items):
        if not own:
            name = quote(model.columns[column])
            raise InputError(f"variable {name} is in no row, and an option of {work} has an item")
    last = max((number for number, one in enumerate(sums) if one != (0, 1)), default=-1)
    # An option needs a primary item.
    needed = {own[0] for own in items if min(own) > last}
    last = max(last, *needed) if needed else last
    names = [_one_word(name) for name in model.rows]
    # A comment is no name of an item.
    lines = [f"| {': ' * bool(DLX_NAME.fullmatch('| ' + one))}{one}" for one in model.comments]
    if any(not DLX_SHORT.fullmatch(name) for name in names) or len(set(names)) < len(names):
        short = [f"i{number}" for number in range(1, len(names) + 1)]
        lines += [f"| {one} = {name}" for one, name in zip(short, names, strict=True)]
        names = short
    words = [
        name if one == (1, 1) or number > last else f"{one[0]}:{one[1]}|{name}"
        for number, (name, one) in enumerate(zip(names, sums, strict=True))
    ]
    lines.append(" ".join([*words[: last + 1], "|" * (last + 1 < len(words)), *words[last + 1 :]]))
    for column, own in enumerate(items):
        cost = [f"|{costs[column]}"] if costs.get(column) else []
        lines.append(" ".join([*(names[number] for number in own), *cost]))
    return "\n".join(map(str.rstrip, lines)) + "\n"


def _sum_of(name: str, row: Row[int]) -> tuple[int, int]:
    """Return the least and the greatest sum of the variables of a row in whole numbers."""
    signs, size = set(row.terms.values()), len(row.terms)
    low, high = row.bounds.times(min(signs, default=1))
    if len(signs) > 1 or signs - {1, -1}:
        raise InputError(
            f"row {quote(name)} is no sum of variables, so a DLX file cannot say it; write .opb"
        )
    low = max(low, 0)
    high = high if is_finite(high) else max(size, low, 1)
    return (int(low), int(high)) if low <= high else (size + 1, size + 1)  # which is infeasible


DLX_SHORT = re.compile(rf"[^|:\s]{{1,{MAX_DLX_NAME}}}")
DLX_COST = re.compile(r"\|([0-9]{1,18})")
DLX_NAME = re.compile(r"\|\s*(\S+) = (\S+)")
DLX_ITEM = re.compile(r"(?:(?:([0-9]{1,9}):)?([0-9]{1,9})\|)?([^|:\s]+)")


Group = dict[str, list[int]]
"""Options of which at most one is chosen, by the colour of an item."""

MAX_CONFLICTS = 100_000
"""The most rows that say which options exclude each other by the colours of one item."""


def read_dlx(source: TextFile) -> Model:
    """Return the model in a file of Knuth's exact-cover programs; errors are those of `read_model`.

    The options are the columns o1, o2, ... A primary item is an equation, ``a:b|item`` of DLX3
    has two bounds, and a secondary item is covered at most once, or any number of times in one
    colour: ``item:colour`` of DLX2. The numbers ``|n`` of an option are its cost, as in DLX5.
    """
    return _DlxReader(source).read()


class _DlxReader:
    """A reader of one file.

    ``uses`` has the options of each item, with their colours, and ``single`` the primary items of
    each option that are covered once.
    """

    def __init__(self, source: TextFile) -> None:
        self.source = source
        self.model = ModelBuilder(source)
        self.names: dict[str, str] = {}
        self.items: dict[str, int] = {}
        self.secondary: set[str] = set()
        self.multiple: set[str] = set()
        self.single: list[list[str]] = []
        self.uses: dict[str, list[tuple[int, str]]] = {}

    def read(self) -> Model:
        for line, text in enumerate(self.source.lines, start=1):
            fields = text.split()
            if text.startswith("|"):
                if named := DLX_NAME.fullmatch(text.rstrip()):
                    self.names[named[1]] = named[2]
            elif fields and not self.items:
                self.read_items(fields, line)
            elif fields:
                self.read_option(fields, line)
        if not self.items:
            raise self.source.error("has no line of items")
        for item, uses in self.uses.items():
            if any(colour for _, colour in uses):
                self.exclude(item, uses)
            else:
                for column, _ in uses:
                    self.model.entry(self.items[item], column, 1, 1)
        return self.model.build()

    def read_items(self, fields: list[str], line: int) -> None:
        """Read the line of items into rows."""
        secondary = False
        for word in fields:
            if word == "|":
                secondary = True
                continue
            match = DLX_ITEM.fullmatch(word)
            if match is None:
                raise self.source.unexpected(word, "an item, or n|item or m:n|item", line)
            least, most, item = match.groups()
            high = int(most or 1)
            low = 0 if secondary else int(least or high)
            if int(least or 0) > high:
                raise self.source.unexpected(word, "m:n|item with m up to n", line)
            self.items[item] = self.model.row(self.names.get(item, item), low, high, line)
            if secondary and high == 1:
                self.secondary.add(item)
            if high > 1:
                self.multiple.add(item)

    def read_option(self, fields: list[str], line: int) -> None:
        """Read the line of an option into a column."""
        model = self.model
        column = model.column(f"o{len(model.columns) + 1}", line)
        model.integer[column], model.upper[column] = True, 1
        seen: set[str] = set()
        single: list[str] = []
        self.single.append(single)
        for word in fields:
            if word.startswith("|"):
                cost = DLX_COST.fullmatch(word)
                if cost is None:
                    raise self.source.unexpected(
                        word, "an item, or a cost |n in whole numbers from 0 on", line
                    )
                model.cost[column] = model.cost.get(column, 0) + int(cost[1])
                continue
            item, colon, colour = word.partition(":")
            if item not in self.items:
                raise self.source.error(f"there is no item {quote(item)}", line)
            if item in seen:
                raise self.source.error(f"the option has item {quote(item)} twice", line)
            if colon and (not colour or item not in self.secondary):
                raise self.source.unexpected(
                    word, "an item; a secondary one may have :colour", line
                )
            seen.add(item)
            if item not in self.secondary and item not in self.multiple:
                single.append(item)
            self.uses.setdefault(item, []).append((column, colour))

    def exclude(self, item: str, uses: Sequence[tuple[int, str]]) -> None:
        """Add rows by which two options exclude each other that give an item different colours.

        One without a colour excludes all others.
        """
        colours: dict[str | int, list[int]] = {}
        for column, colour in uses:
            colours.setdefault(colour or column, []).append(column)
        groups = self.alternatives(uses)
        by_groups = sum(_rows_of_pair(*pair) for pair in itertools.combinations(groups, 2))
        order = _prime(max(len(colours), *map(len, colours.values())))
        if min(by_groups, order * order) > MAX_CONFLICTS:
            raise self.source.error(
                f"item {quote(item)} has {len(colours):,} colours, and up to "
                f"{max(map(len, colours.values())):,} options of one colour, which exclude each "
                f"other by more than {MAX_CONFLICTS:,} rows; calmip reads smaller files"
            )
        found = _pair_lines(groups) if by_groups <= order * order else _plane_lines(colours, order)
        row: int | None = self.items[item]
        start, rows = self.names.get(item, item), self.model.rows
        for line in found:
            if row is None:
                row = self.model.row(unused_name(f"{start}_{len(rows) + 1}", rows), 0, 1, 1)
            for column in line:
                self.model.entry(row, column, 1, 1)
            row = None

    def alternatives(self, uses: Sequence[tuple[int, str]]) -> list[Group]:
        """Return the options of an item in groups by colour, at most one of each group in a cover.

        The options of a group have another item, which is covered once.
        """
        own = {column for column, _ in uses}
        beside: dict[str, set[int]] = {}
        for column in own:
            for other in self.single[column]:
                beside.setdefault(other, set()).add(column)
        group_of: dict[int, int] = {}
        groups = 0
        for _, some in sorted(beside.items(), key=lambda one: -len(one[1])):
            left = some - group_of.keys()
            group_of.update(dict.fromkeys(left, groups))
            groups += bool(left)
        found: dict[int, Group] = {}
        for column, colour in uses:
            number = group_of.get(column, groups + column)
            found.setdefault(number, {}).setdefault(colour, []).append(column)
        return list(found.values())


def _bits_of(one: Group, other: Group) -> int:
    """Return the number of bits by which the colours of two groups differ."""
    return max(0, len({*one, *other} - {""}) - 1).bit_length()


def _rows_of_pair(one: Group, other: Group) -> int:
    """Return the most rows by which the options of two groups exclude each other."""
    return min(len(one), len(other), 2 * _bits_of(one, other) + ("" in one) + ("" in other))


def _pair_lines(groups: Sequence[Group]) -> Iterator[list[int]]:
    """Yield options of which at most one is chosen, until all of different colours are excluded.

    They are those of one colour in a group and those of all others in another one, or the same for
    a bit of the colours' numbers.
    """
    for pair in itertools.combinations(groups, 2):
        one, other = sorted(pair, key=len)
        bits = _bits_of(one, other)
        parts: list[tuple[set[str], set[str]]] = []
        if _rows_of_pair(one, other) == len(one):
            parts = [({colour}, other.keys() - {colour or None}) for colour in one]
        else:
            colours = sorted({*one, *other} - {""})
            for bit, value in itertools.product(range(bits), range(2)):
                some = {c for number, c in enumerate(colours) if number >> bit & 1 == value}
                parts.append((some, {*colours} - some))
            parts += [({""}, {*colours, ""}), ({*colours, ""}, {""})]
        for some, others in parts:
            left = [column for colour in one if colour in some for column in one[colour]]
            right = [column for colour in other if colour in others for column in other[colour]]
            if left and right:
                yield left + right


def _plane_lines(colours: Mapping[str | int, list[int]], order: int) -> Iterator[list[int]]:
    """Yield options of which at most one is chosen, until all of different colours are excluded.

    They are the lines of an affine plane, whose points are the places of options in the lists of
    their colours: two options of different colours stand on one line, two of one colour on none.
    """
    for first, step in itertools.product(range(order), repeat=2):
        places = ((first + step * number) % order for number in range(len(colours)))
        pairs = zip(places, colours.values(), strict=True)
        line = [some[place] for place, some in pairs if place < len(some)]
        if len(line) > 1:
            yield line


def _prime(least: int) -> int:
    """Return the least prime number from a number on."""
    return next(
        n for n in itertools.count(max(2, least)) if all(n % d for d in range(2, math.isqrt(n) + 1))
    )
