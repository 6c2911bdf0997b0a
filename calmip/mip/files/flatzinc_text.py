"""The statements of a FlatZinc file.

The grammar is that of the MiniZinc Handbook, "Interfacing Solvers to FlatZinc".
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from calmip._base.errors import InputError
from calmip.mip.display import quote
from calmip.mip.files.text_source import TextFile
from calmip.mip.rows import Bound, Interval, Number

TOKEN = re.compile(
    r"""[ \t\f]+|%[^\n]*
    |(?P<end>\n)
    |(?P<number>[+-]?[0-9]+(?:\.[0-9]+(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)?)
    |(?P<name>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<text>"[^"\n]*")
    |(?P<mark>::|\.\.|[][{}(),:;=])""",
    re.VERBOSE,
)

MAX_SET = 100_000
"""The most runs of whole numbers of a set."""


Value: TypeAlias = Any
"""A number, a truth value, a text, a `Name`, a `Predicate`, `Runs`, or a list of these."""


class Name(NamedTuple):
    """A name that stands for a variable."""

    name: str


class Predicate(NamedTuple):
    """A constraint or an annotation with arguments."""

    name: str
    arguments: tuple[Value, ...] = ()


class Runs(NamedTuple):
    """A set of numbers: intervals that ascend."""

    runs: tuple[Interval, ...]


class Variable(NamedTuple):
    """A declared variable.

    Parameters
    ----------
    kind
        ``bool``, ``int`` or ``float``.
    domain
        Its values.
    annotations
        Its annotations by name.
    value
        What it is equal to, or None.
    line
        The line of its declaration.
    """

    kind: str
    domain: Runs
    annotations: Mapping[str, Predicate]
    value: Value | None
    line: int


class Array(NamedTuple):
    """A declared array of variables."""

    annotations: Mapping[str, Predicate]
    elements: list[Any]


class Constraint(NamedTuple):
    """A constraint, and the line of its beginning."""

    call: Predicate
    annotations: Mapping[str, Predicate]
    line: int


EVERY = Runs((Interval(-math.inf, math.inf),))

BOOL = Runs((Interval(0, 1),))


class Statements:
    """The parts of a file, with the names of parameters replaced by their values.

    Parameters
    ----------
    source
        The lines.

    Attributes
    ----------
    variables, arrays, constraints
        What is declared, in the order of the file.
    sense
        ``satisfy``, ``minimize`` or ``maximize``.
    goal
        The objective.
    """

    def __init__(self, source: TextFile) -> None:
        self.source = source
        self.variables: dict[str, Variable] = {}
        self.arrays: dict[str, Array] = {}
        self.constraints: list[Constraint] = []
        self.sense = ""
        self.goal: Value = 0
        self._parameters: dict[str, Value] = {}
        self._tokens = self._all_tokens()
        self.kind, self.word, self.line = "mark", ";", 1
        self._step()
        while self.kind:
            self._statement()
        if not self.sense:
            raise source.cut("the item solve is missing")

    def _all_tokens(self) -> Iterator[tuple[str, str, int]]:
        for number, line in enumerate(self.source.lines, start=1):
            place = 0
            while place < len(line):
                found = TOKEN.match(line, place)
                if found is None:
                    raise self.source.unexpected(line[place:], "a part of FlatZinc", number)
                if found.lastgroup:
                    yield found.lastgroup, found[0], number
                place = found.end()
        yield "", "the end of the file", len(self.source.lines)

    def _step(self) -> str:
        """Return the token, and go on to the next one."""
        old = self.word
        self.kind, self.word, self.line = next(self._tokens)
        return old

    def _take(self, wanted: str) -> bool:
        """Return whether the token is this mark or word, and go on if it is."""
        if self.kind in ("mark", "name") and self.word == wanted:
            self._step()
            return True
        return False

    def _expect(self, wanted: str) -> None:
        if not self._take(wanted):
            raise self._unexpected(quote(wanted))

    def _unexpected(self, wanted: str) -> InputError:
        return self.source.unexpected(self.word, wanted, self.line)

    def _name(self) -> str:
        if self.kind != "name":
            raise self._unexpected("a name")
        return self._step()

    def _statement(self) -> None:
        line = self.line
        if self._take("predicate"):
            while self.kind and self.word != ";":
                self._step()
        elif self._take("constraint"):
            name = self._name()
            self._expect("(")
            arguments = tuple(map(self._known, self._list(")")))
            annotations = self._annotations()
            self.constraints.append(Constraint(Predicate(name, arguments), annotations, line))
        elif self._take("solve"):
            self._annotations()
            if self.sense:
                raise self.source.error("has a second item solve", line)
            self.sense = self._name()
            if self.sense not in ("satisfy", "minimize", "maximize"):
                raise self.source.unexpected(self.sense, "satisfy, minimize or maximize", line)
            if self.sense != "satisfy":
                self.goal = self._known(self._value())
        else:
            self._declaration(line)
        self._expect(";")

    def _declaration(self, line: int) -> None:
        is_array = self._take("array")
        if is_array:
            self._expect("[")
            self._value()
            self._expect("]")
            self._expect("of")
        is_variable = self._take("var")
        kind, domain = self._type(line, is_variable=is_variable)
        self._expect(":")
        name = self._name()
        if name in self.variables or name in self._parameters:
            raise self.source.error(f"declares {quote(name)} twice", line)
        annotations = self._annotations()
        value = self._known(self._value()) if self._take("=") else None
        if is_array:
            if not isinstance(value, list):
                raise self.source.error(f"the array {quote(name)} has no elements", line)
            self._parameters[name] = value
            if is_variable:
                self.arrays[name] = Array(annotations, value)
        elif is_variable:
            self.variables[name] = Variable(kind, domain, annotations, value, line)
        elif value is None:
            raise self.source.error(f"the parameter {quote(name)} has no value", line)
        else:
            self._parameters[name] = value

    def _type(self, line: int, *, is_variable: bool) -> tuple[str, Runs]:
        """Return a type, and the values that it has."""
        if self._take("set"):
            self._expect("of")
            self._type(line, is_variable=False)
            if is_variable:
                raise self.source.error("has a variable that is a set; numbers alone are", line)
            return "set", EVERY
        for kind in ("bool", "int", "float"):
            if self._take(kind):
                return kind, BOOL if kind == "bool" else EVERY
        text = self.word
        found = self._value()
        if not isinstance(found, Runs):
            raise self.source.unexpected(text, "a type: bool, int, float or a set", line)
        return "float" if re.search("[.eE]", text) else "int", found

    def _annotations(self) -> dict[str, Predicate]:
        found = {}
        while self._take("::"):
            value = self._value(annotation=True)
            if isinstance(value, Predicate):
                found[value.name] = value
        return found

    def _known(self, value: Value) -> Value:
        """Return a value in which names of parameters are replaced."""
        if isinstance(value, list):
            return [self._known(one) for one in value]
        if isinstance(value, Name):
            if value.name in self._parameters:
                return self._parameters[value.name]
            if value.name not in self.variables:
                raise self.source.error(f"does not declare {quote(value.name)}", self.line)
        return value

    def _value(self, *, annotation: bool = False) -> Value:
        """Return a number, a truth value, a text, a set, a list, a name or a call."""
        if self.kind == "number":
            low = self._number()
            return Runs((Interval(low, self._number()),)) if self._take("..") else low
        if self.kind == "text":
            return self._step()[1:-1]
        if self._take("{"):
            return self._runs(list(self._numbers("}")))
        if self._take("["):
            return self._list("]", annotation=annotation)
        return self._named(annotation=annotation)

    def _named(self, *, annotation: bool) -> Value:
        """Return a truth value, a call, an element of an array, or a name."""
        name = self._name()
        if name in ("true", "false"):
            return name == "true"
        if self._take("("):
            return Predicate(name, tuple(self._list(")", annotation=annotation)))
        if self._take("["):
            place, array = self._number(), self._parameters.get(name)
            if not isinstance(array, list) or not 1 <= place <= len(array):
                raise self.source.error(f"{quote(name)} has no element {place}", self.line)
            self._expect("]")
            return array[int(place) - 1]
        declared = name in self.variables or name in self._parameters
        return Name(name) if declared or not annotation else Predicate(name)

    def _number(self) -> Number:
        if self.kind != "number":
            raise self._unexpected("a number")
        line = self.line
        return self.source.exact(self._step(), line)

    def _numbers(self, end: str) -> Iterator[Number]:
        while not self._take(end):
            yield self._number()
            if self.word != end:
                self._expect(",")

    def _list(self, end: str, *, annotation: bool = False) -> list[Value]:
        found: list[Value] = []
        while not self._take(end):
            found.append(self._value(annotation=annotation))
            if self.word != end:
                self._expect(",")
        return found

    def _runs(self, numbers: list[Number]) -> Runs:
        """Return a set of numbers as intervals of whole ones."""
        runs: list[list[Bound]] = []
        for number in sorted(set(numbers)):
            if runs and number.denominator == 1 and runs[-1][1] == number - 1:
                runs[-1][1] = number
            else:
                runs.append([number, number])
        if len(runs) > MAX_SET:
            raise self.source.error(f"has a set of over {MAX_SET:,} intervals", self.line)
        return Runs(tuple(Interval(*run) for run in runs))
