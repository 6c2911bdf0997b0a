"""What programs read differently, in words, and where a file says it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from calmip._base.errors import InputError, join_words
from calmip.mip.display import quote

# fmt: off
WORDS = {
    "mps-integer-without-bounds":
        "An integer column without bounds lies in [0, 1] for solvers, in [0, inf) for PuLP. "
        "Write UP.",
    "mps-integer-with-lower-bound":
        "GLPK gives an integer column without UP the upper bound 1. Write UP or PL.",
    "mps-integer-minus-infinity":
        "The upper bound of an integer column with MI is infinite, 1 for GLPK, 0 for PuLP. Write "
        "FR or UP.",
    "mps-negative-upper-bound":
        "With a negative UP alone the lower bound is 0, but minus infinity for CBC and Gurobi. "
        "Write LO or MI.",
    "mps-minus-infinity": "PuLP reads the upper bound 0 from MI alone. Write FR for a free column.",
    "mps-bound-bv": "PuLP reads a continuous column from BV. Write INTORG and UP 1.",
    "mps-bound-sc":
        "CBC reads an integer column from SC, GLPK and PuLP refuse it. State it by a binary "
        "column.",
    "mps-bound-sc-integer":
        "HiGHS drops the integrality, CBC the value 0, GLPK and PuLP refuse it. Write SI, or a "
        "binary column.",
    "mps-bound-si":
        "CBC, GLPK, OR-tools and PuLP refuse it. State it by a binary column.",
    "mps-bound-sc-0":
        "HiGHS, Gurobi and calmip take the upper bound 0 for infinite, others keep it. Write the "
        "bound.",
    "mps-indicators":
        "HiGHS, CBC, GLPK and PuLP refuse the section. calmip export writes rows instead.",
    "mps-sos":
        "HiGHS, GLPK, OR-tools and PuLP refuse the section. calmip export writes rows instead.",
    "mps-gencons":
        "Gurobi and calmip alone read the section. calmip export writes rows instead.",
    "mps-two-bounds":
        "Of two bounds of one kind the first counts for HiGHS and Gurobi, the last for others. "
        "Write one.",
    "mps-two-bound-sets":
        "SCIP and CBC read the first set of bounds alone, others read all sets. Write one set.",
    "mps-column-only-in-bounds":
        "Gurobi leaves out a column without entries, CBC and GLPK refuse the file. Write the "
        "cost 0.",
    "mps-infinity-word": "CBC and GLPK refuse the word. Leave the bound out, or write PL or MI.",
    "mps-inf-word": "CBC and GLPK refuse the word. Leave the row out.",
    "mps-range-before-rhs":
        "HiGHS, OR-tools and PuLP misread RANGES before RHS, SCIP, CBC, GLPK and Gurobi refuse "
        "it. Write RHS first.",
    "mps-bounds-before-rhs":
        "SCIP, CBC, GLPK and Gurobi refuse BOUNDS before RHS. Write RHS first.",
    "mps-duplicate-side":
        "Of two right-hand sides the first counts for HiGHS and Gurobi, the last for others. "
        "Write one.",
    "mps-two-rhs-sets":
        "OR-tools reads all sets of right-hand sides, solvers read the first alone. Write one "
        "set.",
    "mps-bound-without-set":
        "Only some programs read a line without the name of a set. Write a name such as rhs or "
        "bnd.",
    "mps-objective-constant":
        "It is the constant, negated, for most; GLPK does not negate it. Use a column fixed at "
        "1.",
    "mps-free-row-with-side":
        "HiGHS adds the right-hand side of a second row N to the objective. Leave it out.",
    "mps-sense-section":
        "CBC and PuLP minimise all the same, GLPK refuses the file. Negate the objective and "
        "minimise.",
    "mps-sense-on-the-line":
        "PuLP minimises all the same, CBC and GLPK refuse the file. Negate the objective and "
        "minimise.",
    "mps-sense-word":
        "CBC and PuLP minimise all the same, GLPK and OR-tools refuse it. Negate the objective "
        "and minimise.",
    "mps-sense-after-rows":
        "HiGHS and OR-tools alone read OBJSENSE after ROWS. Negate the objective and minimise.",
    "mps-sense-header":
        "HiGHS and PuLP pass over the section SENSE and minimise, others refuse it. Negate the "
        "objective and minimise.",
    "mps-sense-in-a-comment":
        "Only calmip reads the sense in PuLP's comment; all others minimise. Negate the "
        "objective.",
    "mps-marker-without-end":
        "INTORG without INTEND: calmip and CPLEX refuse the file, others read it. Close the "
        "block.",
    "mps-duplicate-entry":
        "Of two entries in one row the first, the last or their sum counts, by program. Add them "
        "up.",
    "mps-column-resumed":
        "The column goes on after another: CBC and Gurobi drop entries, SCIP and GLPK refuse it. "
        "Keep them together.",
    "mps-duplicate-row":
        "Of two rows of one name some programs drop one without an error. Rename one.",
    "mps-unknown-row":
        "HiGHS, SCIP and Gurobi drop the entry, OR-tools adds a row, others refuse it. Add the "
        "row.",
    "mps-dollar-comment":
        "CBC and OR-tools refuse a comment after $. Put comments on lines that begin with an "
        "asterisk.",
    "mps-dollar-name": "GLPK takes a name that begins with $ for a comment. Rename it.",
    "mps-comment-indented":
        "After blanks an asterisk begins a name for most programs. Put it in the first column.",
    "mps-no-end": "ENDATA is missing: the file may be cut. OR-tools and PuLP read it all the same.",
    "mps-after-end": "OR-tools refuses text after ENDATA, others ignore it. Remove it.",
    "mps-no-name": "SCIP, CBC and GLPK refuse a file without NAME. Write it first.",
    "mps-lower-case": "SCIP, CBC, GLPK and OR-tools refuse a section in lower case. Use capitals.",
    "mps-tabs": "CBC, OR-tools and Gurobi refuse tabs. Use blanks.",
    "mps-name-with-blank":
        "A blank in a name is kept, removed, replaced or refused, by program. Use underscores.",
    "mps-no-column-marks":
        "CBC takes this line for fixed MPS and misreads it without an error. Align the fields.",
    "mps-bound-marks": "CBC takes this line for fixed MPS and refuses it. Align the fields.",
    "mps-fortran-exponent":
        "SCIP and Gurobi cut the number at the D, CBC, GLPK and OR-tools refuse it. Write E.",
    "mps-rational":
        "HiGHS, SCIP and Gurobi read the numerator alone, others refuse it. Write a decimal.",
    "mps-hexadecimal":
        "HiGHS, SCIP and OR-tools read a hexadecimal number, Gurobi another one, others refuse it. "
        "Write a decimal.",
    "mps-not-a-number": "HiGHS, SCIP and Gurobi read 0, others refuse it. Write a number.",
    "mps-nan": "SCIP and PuLP pass it on, HiGHS drops the entry, others refuse it. Write a number.",
    "lp-objective-constant":
        "Gurobi makes a variable of the number, CBC drops it, GLPK refuses it. Use a variable "
        "fixed at 1.",
    "lp-objective-constant-first":
        "Gurobi makes a variable of the number, CBC renames all variables. Use a variable fixed "
        "at 1.",
    "lp-objective-zero":
        "Gurobi makes a variable called 0, GLPK refuses it. Write 0 with a variable of the "
        "model.",
    "lp-objective-empty":
        "GLPK refuses an objective without terms. Write 0 with a variable of the model.",
    "lp-objective-absent":
        "GLPK refuses a file without an objective. Write 0 with a variable of the model.",
    "lp-repeated-variable":
        "HiGHS keeps one of two terms of an objective, CBC and GLPK refuse them in a sum. Add "
        "them up.",
    "lp-cancelling":
        "Terms of one variable cancel; CBC and GLPK refuse them. Leave the variable out.",
    "lp-quadratic": "HiGHS and Gurobi alone read quadratic terms.",
    "lp-sense-words": "CBC refuses the word. Write Minimize or Maximize.",
    "lp-sense-british":
        "HiGHS and SCIP read a model without an objective, others refuse the word. Write "
        "Minimize or Maximize.",
    "lp-strict": "HiGHS and CBC refuse it, others read <= or >=. Write <= or >=.",
    "lp-reversed": "HiGHS, CBC and Gurobi refuse it. Write <= or >=.",
    "lp-range": "Only calmip reads a range; CBC misreads it without an error. Write two rows.",
    "lp-range-negative":
        "Only calmip reads a range; CBC misreads it without an error. Write two rows.",
    "lp-range-before-name":
        "No program reads it as a range, CBC misreads it without an error. Write two rows.",
    "lp-range-after":
        "HiGHS, SCIP and CBC drop the second relation, others refuse it. Write two rows.",
    "lp-side-on-the-left": "Only calmip reads a number on the left. Write it on the right.",
    "lp-variables-on-the-right": "No program reads variables on the right. Write them on the left.",
    "lp-variable-on-the-right":
        "CBC reads the name as the number 0, others refuse it. Write variables on the left.",
    "lp-constant-on-the-left":
        "HiGHS drops the number, Gurobi makes a variable of it, others refuse it. Write it on "
        "the right.",
    "lp-sum-on-the-right": "No program reads a sum on the right. Add the numbers up.",
    "lp-infinite-side": "GLPK refuses an infinite right-hand side. Leave the row out.",
    "lp-signed-side":
        "CBC refuses a blank between sign and number. Write the sign next to the number.",
    "lp-two-signs": "CBC misreads two signs without an error, GLPK refuses them. Write one sign.",
    "lp-two-factors":
        "HiGHS reads the second number alone, CBC makes a variable of it, others refuse it. "
        "Multiply them.",
    "lp-asterisk": "CBC makes a variable of it, other solvers refuse it. Write a blank.",
    "lp-no-blank": "CBC and Gurobi refuse a number next to a name. Write a blank between.",
    "lp-empty-row":
        "GLPK refuses a row without variables. Write 0 with a variable, or leave it out.",
    "lp-row-without-name": "Each program gives the row another name. Name it.",
    "lp-duplicate-row": "GLPK refuses two rows of one name, CBC renames all rows. Rename one.",
    "lp-two-rows-on-a-line": "GLPK and Gurobi refuse two rows on a line. Write one row to a line.",
    "lp-no-rows": "CBC and GLPK refuse a model without rows. Write a row with a coefficient 0.",
    "lp-infinity": "CBC refuses the word. Write inf.",
    "lp-bound-on-the-left":
        "GLPK refuses a number on the left of a single bound. Write the variable on the left.",
    "lp-bound-reversed":
        "Gurobi exchanges the bounds, HiGHS and GLPK refuse them. Write the lower bound on the "
        "left.",
    "lp-bound-coefficient": "No program reads a bound with a coefficient. Make it a row.",
    "lp-bounds-one-line": "Gurobi refuses two bounds on a line. Write one bound to a line.",
    "lp-binary-with-bounds":
        "HiGHS and GLPK keep other bounds of a binary variable, others replace them. Write "
        "Generals.",
    "lp-bounds-after-binaries":
        "HiGHS, SCIP and CBC replace the bounds 0 and 1, others refuse the order or keep them. "
        "Write Bounds first.",
    "lp-integers-heading": "CBC takes the heading for a variable. Write Generals or Binaries.",
    "lp-semi-continuous":
        "CBC reads an integer variable, GLPK refuses the section. State it by a binary "
        "variable.",
    "lp-semi-integer":
        "SCIP and CBC take the heading for a variable, HiGHS, GLPK and Gurobi refuse it. Write "
        "Generals and Semi-continuous.",
    "lp-indicator":
        "CBC misreads it without an error, HiGHS and GLPK refuse it. calmip export writes rows "
        "instead.",
    "lp-equivalence":
        "CBC misreads it without an error, others refuse it. Write two indicator constraints.",
    "lp-sos": "HiGHS and GLPK refuse the section. calmip export writes rows instead.",
    "lp-general-constraint":
        "CBC misreads it without an error, HiGHS, SCIP and GLPK refuse it. calmip export writes "
        "rows instead.",
    "lp-column-only-in-binaries":
        "SCIP refuses a variable that no row, bound or objective has. Write its cost 0.",
    "lp-such-that": "CBC refuses the heading. Write Subject To.",
    "lp-name-inf":
        "HiGHS reads infinity, SCIP refuses the name, CBC renames all variables. Rename it.",
    "lp-name-free": "HiGHS refuses the name, CBC renames all variables. Rename it.",
    "lp-name-st": "Programs take the name of a heading for the heading. Rename it.",
    "lp-name-brackets":
        "HiGHS, SCIP and GLPK refuse brackets, CBC renames all variables. Use letters, digits "
        "and underscores.",
    "lp-row-name-digit":
        "HiGHS, SCIP and GLPK refuse the name, CBC renames all rows. Begin it with a letter.",
    "lp-row-name-relation":
        "HiGHS, SCIP and GLPK refuse the name, CBC renames all rows. Use letters, digits and "
        "underscores.",
    "lp-row-name-sign":
        "HiGHS, SCIP and GLPK refuse the name, CBC renames all rows. Use letters, digits and "
        "underscores.",
    "lp-long-name":
        "GLPK and Gurobi refuse a name of over 255 characters, CBC renames all variables. "
        "Shorten it.",
    "lp-numbers": "CBC makes a variable of a number that begins with a point. Write 0 before it.",
    "lp-rational": "CBC and Gurobi read the numerator alone, others refuse it. Write a decimal.",
    "lp-no-end": "End is missing: the file may be cut. SCIP, GLPK and Gurobi read it all the same.",
    "lp-after-end": "SCIP, CBC and Gurobi ignore text after End, others refuse it. Remove it.",
    "lp-joined-sign":
        "CBC and Gurobi take the sign for a part of the name. Write a blank before and after it.",
    "lp-joined-relation":
        "CBC and Gurobi refuse a relation without blanks. Write a blank before and after it.",
    "lp-joined-colon": "CBC renames all variables if no blank follows a colon. Write one.",
    "lp-bound-spaced-sign":
        "Gurobi refuses a blank between sign and number. Write the sign next to the number.",
    "lp-st-point": "HiGHS refuses the heading. Write Subject To.",
    "lp-heading-int": "HiGHS, CBC and Gurobi refuse the heading. Write Generals.",
    "lp-name-slash":
        "HiGHS refuses the name, and CBC one that begins with a slash. Begin it with a letter.",
    "lp-name-bar":
        "CBC renames all variables if a name has a vertical bar or a character that is not "
        "ASCII. Rename it.",
    "lp-subject-to-colon": "No program reads a heading with a colon. Remove the colon.",
}
# fmt: on
"""What differs, and the remedy, by the row of the page: ``mps-`` or ``lp-`` and its key."""


@dataclass(frozen=True)
class Finding:
    """A text of a file that programs read differently.

    Parameters
    ----------
    lines
        The 1-based lines; empty if the text is missing.
    row
        The case in the table of dialects, a key of ``WORDS``; empty if only calmip refuses it.
    names
        The names or words that it concerns, in the order of the file.
    words
        What differs, and the remedy.
    """

    lines: tuple[int, ...]
    row: str
    names: tuple[str, ...]
    words: str

    def __str__(self) -> str:
        some = f"{join_words(map(quote, self.names), most=3)}: " if self.names else ""
        return f"{some}{self.words}"


class Findings:
    """Findings in the making: each row once, with all its lines."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.found: dict[tuple[str, str], tuple[dict[int, None], dict[str, None]]] = {}

    def add(self, row: str, line: int | None, name: str = "", words: str = "") -> None:
        """Add a text of a line; ``words`` are those of a row that is not on the page."""
        key = (f"{self.kind}-{row}" if row else "", words)
        lines, names = self.found.setdefault(key, ({}, {}))
        if line:
            lines[line] = None
        if name:
            names[name] = None

    def contradict(self, name: str, lines: Collection[int]) -> None:
        """Add bounds that no value satisfies."""
        words = "No value satisfies these bounds, so the model is infeasible."
        for line in lines or (None,):
            self.add("", line, name, words)

    def refuse(self, error: InputError, row: str = "", name: str = "") -> None:
        """Add a refusal of calmip's own reader."""
        words = "" if row else f"calmip refuses this: {error.message}"
        self.add(row, error.line, name, words)

    def listed(self) -> list[Finding]:
        """Return the findings in the order of their first lines."""
        found = [
            Finding(tuple(lines), row, tuple(names), words or WORDS[row])
            for (row, words), (lines, names) in self.found.items()
        ]
        return sorted(found, key=lambda one: (one.lines[:1], one.row))
