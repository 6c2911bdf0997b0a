"""A checker of pseudo-Boolean proofs by unit propagation, written for the tests.

It knows the rules that calmip writes (``f``, ``v`` or ``solx``, ``rup``, the end) of
the versions 1.1 and 3.0 as the format's documentation states them, and shares
nothing with the package. It is slow and plain: every constraint is a sum of
weighted literals >= a number.
"""

import re
from pathlib import Path

Constraint = tuple[dict[int, int], int]  # literal (negative for ~x) -> weight; degree


class Wrong(Exception):
    """The proof is refused."""


class Checker:
    def __init__(self, model: Path) -> None:
        self.constraints: list[Constraint] = []
        self.strict: list[int] = []  # those that say something before anything is assumed
        self.slack: list[int] = []
        self.most: list[int] = []
        self.of: dict[int, list[int]] = {}  # a literal -> constraints that lose when it is false
        self.preserved: list[int] = []
        self.variables = 0
        for line in model.read_text().splitlines():
            if line.startswith("*") or not line.strip():
                continue
            if line.startswith("preserved:"):
                self.preserved = [int(name[1:]) for name in line[10:].rstrip(" ;").split()]
                continue
            terms, sense, degree = self._parsed(line)
            self.add(terms, degree)
            if sense == "=":
                # sum <= d is sum of negated literals >= all weights - d
                self.add({-lit: w for lit, w in terms.items()}, sum(terms.values()) - degree)

    def _parsed(self, line: str) -> tuple[dict[int, int], str, int]:
        found = re.fullmatch(r"((?:[+]?\d+ ~?x\d+ )*)(>=|=) (\d+) ;", line)
        if found is None:
            raise Wrong(f"cannot be read: {line}")
        terms = {}
        for weight, bar, name in re.findall(r"[+]?(\d+) (~?)x(\d+)", found[1]):
            terms[-int(name) if bar else int(name)] = int(weight)
            self.variables = max(self.variables, int(name))
        return terms, found[2], int(found[3])

    def add(self, terms: dict[int, int], degree: int) -> None:
        number = len(self.constraints)
        for literal in terms:
            self.of.setdefault(literal, []).append(number)
        self.constraints.append((terms, degree))
        # What can be lost before the constraint breaks, and the most that one literal loses.
        self.slack.append(sum(terms.values()) - degree)
        self.most.append(max(terms.values(), default=0))
        if self.slack[-1] < max(self.most[-1], 1):
            self.strict.append(number)

    def propagate(self, start: list[int]) -> set[int] | None:
        """Return all literals that follow, or None for a contradiction."""
        true: set[int] = set()
        slack: dict[int, int] = {}
        waiting = list(start)

        def consider(number: int, left: int) -> bool:
            if left < 0:
                return False
            if left < self.most[number]:
                waiting.extend(
                    literal
                    for literal, weight in self.constraints[number][0].items()
                    if weight > left and literal not in true and -literal not in true
                )
            return True

        for number in self.strict:
            if not consider(number, self.slack[number]):
                return None
        while waiting:
            literal = waiting.pop()
            if -literal in true:
                return None
            if literal in true:
                continue
            true.add(literal)
            for number in self.of.get(-literal, ()):
                slack[number] = (
                    slack.get(number, self.slack[number]) - self.constraints[number][0][-literal]
                )
                if not consider(number, slack[number]):
                    return None
        return true

    def check(self, proof: Path) -> str:
        """Return the conclusion of a proof, or raise."""
        lines = proof.read_text().splitlines()
        old = lines[0] == "pseudo-Boolean proof version 1.1"
        if not old and (
            lines[0] != "pseudo-Boolean proof version 3.0"
            or lines.pop() != "end pseudo-Boolean proof ;"
        ):
            raise Wrong("head or end")
        found = 0
        for line in lines[1:]:
            word, _, rest = line.partition(" ")
            if word == "f":
                if int(rest.rstrip(" ;")) != len(self.constraints):
                    raise Wrong(line)
            elif word == ("v" if old else "solx"):
                true = self.propagate([int(name[1:]) for name in rest.rstrip(" ;").split()])
                if true is None or len(true) != self.variables:
                    raise Wrong(f"no solution: {line}")
                for terms, degree in self.constraints:
                    if sum(w for lit, w in terms.items() if lit in true) < degree:
                        raise Wrong(f"no solution: {line}")
                named = {int(name[1:]) for name in rest.rstrip(" ;").split()}
                excluded = named if old else {lit for lit in true if abs(lit) in self.preserved}
                self.add({-lit: 1 for lit in excluded}, 1)
                found += 1
            elif word == "rup":
                terms, _, degree = self._parsed(rest)
                if degree != 1:
                    raise Wrong(line)
                if self.propagate([-literal for literal in terms]) is not None:
                    raise Wrong(f"does not follow: {line}")
                self.add(terms, degree)
            elif word == "c" and old:
                if self.constraints[int(rest) - 1] != ({}, 1):
                    raise Wrong("no contradiction")
                return f"ENUMERATION_COMPLETE {found}" if found else "UNSAT"
            elif word == "conclusion" and not old:
                what, number = re.fullmatch(r"(.+) : (\d+) ;", rest).groups()  # type: ignore[union-attr]
                if self.constraints[int(number) - 1] != ({}, 1):
                    raise Wrong("no contradiction")
                if what != (f"ENUMERATION_COMPLETE {found}" if found else "UNSAT"):
                    raise Wrong(what)
                return what
            elif old or line != "output NONE ;":
                raise Wrong(line)
        raise Wrong("no conclusion")
