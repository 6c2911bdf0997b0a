"""Pseudo-Boolean problems in the OPB format of the PB competitions.

The format: O. Roussel and V. Manquinho, "Input/Output Format and Solver
Requirements for the Competitions of Pseudo-Boolean Solvers", 2012.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from calmip.problem.cover import ExactCover

__all__ = ["opb_lines"]


def opb_lines(
    cover: ExactCover, comments: Iterable[str] = (), *, preserved: bool = False
) -> Iterator[str]:
    """Yield the lines of an OPB file: variable xN is the option N - 1, a row is an equation.

    Parameters
    ----------
    cover
        The exact cover to write.
    comments
        Lines of printable ASCII for the head.
    preserved
        Whether to add the line with which VeriPB is told that solutions
        differ in any of the variables.
    """
    # The numbers of variables and rows are by rule the first line.
    yield f"* #variable= {max(cover.columns, 1)} #constraint= {cover.rows}\n"
    for line in comments:
        yield f"* {line}\n"
    for number, name in enumerate(cover.option_names, start=1):
        yield f"* x{number} = {name}\n"
    if not cover.columns:
        yield "* x1 is no option, as there is none\n"
    if preserved and cover.columns:
        yield f"preserved: {' '.join(f'x{number}' for number in range(1, cover.columns + 1))} ;\n"
    for item, options in zip(cover.items, cover.options_of(), strict=True):
        yield f"* {item.name}\n"
        if options:
            yield "".join(f"+1 x{option + 1} " for option in options) + f"= {item.demand} ;\n"
        else:
            # A sum without terms is not in the grammar; this cannot hold either.
            yield "+1 x1 >= 2 ;\n"
