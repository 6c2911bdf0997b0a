"""Proofs for VeriPB: solutions logged one by one, each closed branch by reverse unit propagation.

Two versions of the format of https://gitlab.com/MIAOresearch/software/VeriPB are
written. 1.1 is read by its releases in Python, and ends with the contradiction:
the number of solutions is that of the lines that log them. 3.0 is for later
releases, and says the number in its conclusion. The argument behind both:
S. Gocht, C. McCreesh and J. Nordstrom, "Subgraph isomorphism meets cutting
planes: solving with certified solutions", IJCAI 2020,
https://doi.org/10.24963/ijcai.2020/158.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from calmip.problem.cover import ExactCover

__all__ = ["DIALECTS", "VeriPBLog"]

DIALECTS = ("1.1", "3.0")
"""The versions of the format; the first is written unless another is asked for."""


class VeriPBLog:
    """Writes the steps of a search as a proof about the file that `opb_lines` writes.

    Parameters
    ----------
    cover
        The exact cover.
    write
        Takes the text, line by line.
    dialect
        One of `DIALECTS`.

    Notes
    -----
    A logged solution is checked to be one, and excluded from then on. ``rup C``
    holds if C's negation and the constraints so far run into a contradiction by
    unit propagation. At the end nothing is left.
    """

    def __init__(
        self, cover: ExactCover, write: Callable[[str], object], dialect: str = DIALECTS[0]
    ) -> None:
        self._write = write
        self._new = dialect != "1.1"
        self._found = 0
        # An equation is two inequalities; a row without options is written as one.
        self._last = sum(2 if options else 1 for options in cover.options_of())
        write(f"pseudo-Boolean proof version {dialect}\n")
        write(f"f {self._last}{' ;' if self._new else ''}\n")

    def node(self, item: int, options: Sequence[int]) -> None:
        """Write nothing: what is branched on, the checker need not know."""

    def tiling(self, options: Sequence[int]) -> None:
        """Log a solution; the other variables are nought by unit propagation."""
        self._found += 1
        self._last += 1
        chosen = " ".join(f"x{option + 1}" for option in options)
        self._write(f"solx {chosen} ;\n" if self._new else f"v {chosen}\n")

    def closed(self, decisions: Sequence[int]) -> None:
        """Log that not all of the decisions hold; without any, that nothing is left."""
        self._last += 1
        terms = "".join(f"1 ~x{option + 1} " for option in decisions)
        self._write(f"rup {terms}>= 1 ;\n")
        if not decisions and not self._new:
            self._write(f"c {self._last}\n")
        elif not decisions:
            how = f"ENUMERATION_COMPLETE {self._found}" if self._found else "UNSAT"
            self._write(f"output NONE ;\nconclusion {how} : {self._last} ;\n")
            self._write("end pseudo-Boolean proof ;\n")
