"""Proofs for VeriPB: solutions logged one by one, each closed branch by reverse unit propagation.

The format is version 3.0 of https://gitlab.com/MIAOresearch/software/VeriPB; the
argument behind it: S. Gocht, C. McCreesh and J. Nordstrom, "Subgraph isomorphism
meets cutting planes: solving with certified solutions", IJCAI 2020,
https://doi.org/10.24963/ijcai.2020/158.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from calmip.problem.cover import ExactCover

__all__ = ["VeriPBLog"]


class VeriPBLog:
    """Writes the steps of a search as a proof about the file that `opb_lines` writes.

    Parameters
    ----------
    cover
        The exact cover.
    write
        Takes the text, line by line.

    Notes
    -----
    ``solx`` is checked to be a solution, and excludes it from then on. ``rup C``
    holds if C's negation and the constraints so far run into a contradiction by
    unit propagation. At the end nothing is left.
    """

    def __init__(self, cover: ExactCover, write: Callable[[str], object]) -> None:
        self._write = write
        self._found = 0
        # An equation is two inequalities; a row without options is written as one.
        self._last = sum(2 if options else 1 for options in cover.options_of())
        write("pseudo-Boolean proof version 3.0\n")
        write(f"f {self._last} ;\n")

    def node(self, item: int, options: Sequence[int]) -> None:
        """Write nothing: what is branched on, the checker need not know."""

    def tiling(self, options: Sequence[int]) -> None:
        """Log a solution; the other variables are nought by unit propagation."""
        self._found += 1
        self._last += 1
        self._write(f"solx {' '.join(f'x{option + 1}' for option in options)} ;\n")

    def closed(self, decisions: Sequence[int]) -> None:
        """Log that not all of the decisions hold; without any, that nothing is left."""
        self._last += 1
        terms = "".join(f"1 ~x{option + 1} " for option in decisions)
        self._write(f"rup {terms}>= 1 ;\n")
        if not decisions:
            how = f"ENUMERATION_COMPLETE {self._found}" if self._found else "UNSAT"
            self._write(f"output NONE ;\nconclusion {how} : {self._last} ;\n")
            self._write("end pseudo-Boolean proof ;\n")
