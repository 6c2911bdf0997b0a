"""A linear relaxation in words, as tables and as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from calmip.errors import listed
from calmip.problem.cover import Placement
from calmip.render.escaping import csv_text
from calmip.render.picture_files import PICTURES, drawn
from calmip.render.reports import Forms, as_json
from calmip.render.reports.explain import proof
from calmip.tasks.relax import Relaxation

__all__ = ["FORMS", "said", "text"]


MOST = 60
"""So many columns are listed at most; the other forms have all."""


def text(found: Relaxation) -> str:
    """Return the bound, the rounds, the columns, the shares of cells, and the prices."""
    cover, lines = found.cover, said(found)
    if found.point is None:
        return "\n".join([*lines, *_nothing(found)]) + "\n"
    lines += ["", f"{len(found.values)} columns are not 0:"]
    rows = sorted(found.values.items(), key=lambda one: (-one[1], one[0]))
    width = max((len(cover.option_names[option]) for option, _ in rows[:MOST]), default=0)
    for option, value in rows[:MOST]:
        lines.append(f"  {cover.option_names[option]:{width}}  {_number(value)}")
    if len(rows) > MOST:
        lines.append(f"  and {len(rows) - MOST} more (--format csv has them all)")
    lines += ["", "shares of the cells:", *_shares(found)]
    if found.maximises:
        title = (
            "dual prices of the rows:" if found.prices else "the dual prices of the rows are all 0"
        )
        lines += ["", title, *_prices(found)]
    return "\n".join(lines) + "\n"


def said(found: Relaxation) -> list[str]:
    """Return the sizes and what every round gave, line by line."""
    cover, instance = found.cover, found.instance
    title = " ".join([*instance.labels, *(f"any {g}" for g in instance.free)]) or instance.name
    if found.fixed:
        names = [f"{cover.option_names[o]} = {value}" for o, value in found.fixed.items()]
        title += f" with {listed(names)}"
    size = f"{cover.columns} columns, {cover.rows} rows"
    return [f"{title}: the linear relaxation ({size})", *_rounds(found)]


def _rounds(found: Relaxation) -> list[str]:
    lines = []
    for number, one in enumerate(found.rounds):
        if one.bound is None:
            said = "no point"
        else:
            bound = f"at most {_number(one.bound)}" if found.maximises else "a point"
            said = f"{bound}, {one.fractional} columns fractional" if one.fractional else (
                f"{bound}, all columns whole")  # fmt: skip
        cuts = [f"{count} {family}" for family, count in one.cuts.items() if count]
        breaks = f"; it breaks {listed(cuts)} cuts, which are added" if cuts else ""
        start = f"after {number} round{'s' if number > 1 else ''} of cuts: " if number else ""
        lines.append(f"{start}{said}{breaks}")
    return lines


def _nothing(found: Relaxation) -> list[str]:
    if found.certificate is not None:
        return proof(found.cover, found.certificate)
    if found.cuts:
        return ["cuts hold for every tiling, so there is none (by the arithmetic of HiGHS; "
                "calmip enumerate proves it anew)"]  # fmt: skip
    return ["no proof in whole numbers was found: this is the word of HiGHS"]


def _shares(found: Relaxation) -> list[str]:
    board = found.instance.puzzle.board
    lines = []
    for (r, c), shares in found.shares().items():
        of = [f"{name or 'uncovered'} {_number(share)}" for name, share in shares]
        lines.append(f"  {board.label((r, c)):>4} ({r}, {c})  {', '.join(of) or 'nothing'}")
    return lines


def _prices(found: Relaxation) -> list[str]:
    by_price: dict[float, list[str]] = {}
    for item, price in found.prices.items():
        by_price.setdefault(float(f"{price:.6g}"), []).append(found.cover.items[item].name)
    ordered = sorted(by_price.items(), key=lambda one: -one[0])
    lines = [f"  {_number(price):>7}  {' '.join(names)}" for price, names in ordered]
    costs = _reduced(found)
    if costs:
        near = sorted(costs.items(), key=lambda one: (-one[1], one[0]))[:5]
        names = [f"{found.cover.option_names[option]} {_number(cost)}" for option, cost in near]
        lines.append(f"reduced costs, nearest to entering first: {listed(names)}")
    return lines


def _reduced(found: Relaxation) -> Mapping[int, float]:
    """Return the reduced costs of the columns that are 0."""
    assert found.point is not None
    return {option: -float(found.point.reduced[option]) + 0.0
            for option in range(found.cover.columns) if option not in found.values}  # fmt: skip


def csv(found: Relaxation) -> str:
    """Return a header and a line per column and row: its value and its price."""
    cover = found.cover
    rows: list[tuple[object, ...]] = []
    if found.point is not None:
        for option in range(cover.columns):
            chosen = cover.option(option)
            what = chosen.piece if isinstance(chosen, Placement) else chosen.label
            value = found.values.get(option, 0.0)
            reduced = -float(found.point.reduced[option]) + 0.0
            rows.append(("column", cover.option_names[option], what, value, reduced))
        for number, item in enumerate(cover.items):
            price = found.prices.get(number, 0.0)
            rows.append(("row", item.name, item.text, item.demand, price))
    return csv_text(("kind", "name", "what", "value", "price"), rows)


def _number(value: float) -> str:
    """Return a value as a fraction where it is a simple one."""
    near = Fraction(value).limit_denominator(60)
    if abs(near - value) <= 1e-7 * min(1.0, abs(value)):
        return str(near)
    return f"{value:.4f}" if abs(value) >= 0.01 else f"{value:.4g}"


def pictures(found: Relaxation, form: str, theme: str) -> bytes:
    """Return the board with the shares of each cell in a picture format."""
    from calmip.render.tiles import shares_picture

    return drawn(shares_picture(found.instance, found.shares()), form, theme)


FORMS: Forms = {"text": text, "json": as_json, "csv": csv, **dict.fromkeys(PICTURES, pictures)}
