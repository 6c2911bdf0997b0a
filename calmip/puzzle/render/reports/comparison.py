"""The report of two models that are compared: the verdict, the point, and the rows that differ."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from calmip._base.errors import clip, join_words
from calmip.mip.display import describe_number
from calmip.mip.lp.inequality import Basis
from calmip.mip.status import Status
from calmip.puzzle.render.report import Block, DataTable, Document, Output, forms_from
from calmip.puzzle.render.text import safe_name
from calmip.solvers.points import name_of

if TYPE_CHECKING:
    from calmip.mip.compare.comparison import Inclusion, Side
    from calmip.mip.model import Model
    from calmip.mip.rows import Number
    from calmip.puzzle.tasks.compare import ModelComparison

MAX_LISTED_ENTRIES = 20
"""The most values, rows or pairs of names that are listed; JSON has all."""

HOW = {
    "equal": "by equal names",
    "mapped": "by the given names",
    "spelling": "by names that differ in punctuation alone",
    "structure": "by the structure of the rows",
}

BASES = {
    Basis.ROW: ("has the same row or bound", "have the same row or bound"),
    Basis.BOUNDS: ("follows from bounds", "follow from bounds"),
    Basis.LINEAR: ("follows from the linear relaxation", "follow from the linear relaxation"),
    Basis.STRENGTHENED: ("follows from strengthened rows", "follow from strengthened rows"),
    Basis.SEARCH: ("was proved by an exact search", "were proved by an exact search"),
    Basis.ROUNDING: ("is the same up to rounding", "are the same up to rounding"),
    Basis.SOLVER: ("rests on HiGHS's word alone", "rest on HiGHS's word alone"),
}
"""What a side rests on, as a verb: of one, and of several."""


def comparison(found: ModelComparison) -> Document:
    """Return the verdict line by line, and a table of the sides that only one model has."""
    one, other = map(safe_name, found.labels)
    title = f"{one} and {other}"
    blocks: list[Block] = [f"{title}: {_verdict(found)}"]
    blocks += [*_point(found), f"columns: {_columns(found)}"]
    blocks += [_rests(one, other, found.forth), _rests(other, one, found.back)]
    blocks += [_objective(found), *_ranked(found), *_relaxation(found), *_proved(found)]
    for owner, name, inclusion in ((other, one, found.forth), (one, other, found.back)):
        table = _table(owner, name, inclusion)
        if table is not None:
            blocks += ["", table]
    return Document(title, blocks)


def _verdict(found: ModelComparison) -> str:
    one, other = map(safe_name, found.labels)
    words = {
        "same": "the same feasible set",
        "smaller": f"not the same: {other} has solutions that {one} has not",
        "larger": f"not the same: {one} has solutions that {other} has not",
        "different": "not the same feasible set",
        "unknown": "not decided whether the feasible sets are the same",
    }[found.feasible_set]
    if found.feasible_set != "same":
        return words
    ranks = found.objectives.ranks_alike
    if ranks:
        words += {
            "same": " and the same objective",
            "monotone": " and an objective that ranks all solutions alike",
        }.get(found.objectives.relation, f" and an objective that is {found.objectives.relation}")
    else:
        words += ", but " + ("another objective" if ranks is False else "perhaps another objective")
    if found.status is Status.ACCEPTED:
        words += " (proved in exact numbers)" if found.proved else " (not proved, see below)"
    return words


def _point(found: ModelComparison) -> Iterator[Block]:
    """Yield the point that one model has and the other has not, and what it violates."""
    if found.refuted is None:
        return
    one, other, inclusion = found.refuted
    labels = dict(zip((id(found.model), id(found.against)), found.labels, strict=True))
    point = one.own(inclusion.point or {})
    named = sorted(((one.columns[c], value) for c, value in point.items()), key=_natural)
    values = [f"{safe_name(name)} = {_number(value)}" for name, value in named]
    rest = len(values) - MAX_LISTED_ENTRIES
    more = f", and {rest} more" if rest > 0 else ""
    shown = ", ".join(values[:MAX_LISTED_ENTRIES]) + more if values else "every value is 0"
    yield f"a solution of {safe_name(labels[id(one)])} alone: {shown}"
    yield from (f"  {line}" for line in _violations(other, inclusion, safe_name(labels[id(other)])))


def _natural(named: tuple[str, Number]) -> list[tuple[int, str]]:
    """Return a key that sorts x2 before x10; the order of columns differs between programs."""
    parts = re.split(r"(\d+)", named[0])
    return [(int(part) if part.isdigit() else -1, part) for part in parts]


def _violations(model: Model, inclusion: Inclusion, label: str) -> Iterator[str]:
    if inclusion.reason:
        yield f"it violates {label}: {clip(inclusion.reason, 500)}"
    for each in inclusion.violations[:MAX_LISTED_ENTRIES]:
        name = safe_name(name_of(model, each))
        value, allowed = _number(each.value), _number(each.allowed)
        if each.kind == "integrality":
            yield f"it violates {label}: the integer column {name} is {value}"
        elif each.kind == "construct" and model.logic is not None:
            words = safe_name(model.logic.constructs[each.number].words(model.columns))
            yield f"it violates {label}: {words}"
        else:
            kind = "row" if each.kind == "row" else "the bound of"
            sign = "<=" if each.value > each.allowed else ">="
            yield f"it violates {label}: {kind} {name} is {value}, not {sign} {allowed}"


def _columns(found: ModelComparison) -> str:
    """Return how the columns were paired, and which have no partner."""
    one, other = found.model, found.against
    parts = [f"{number} {HOW[how]}" for how, number in found.pairing.how.items()]
    renamed = [
        f"{safe_name(other.columns[theirs])} is {safe_name(one.columns[ours])}"
        for theirs, ours in found.pairing.columns.items()
        if one.columns[ours] != other.columns[theirs]
    ]
    words = join_words(parts)
    if renamed:
        words += f" ({join_words(renamed, most=6)})"
    taken = set(found.pairing.columns.values())
    alone = (
        [n for c, n in enumerate(one.own_columns) if c not in taken],
        [n for c, n in enumerate(other.own_columns) if c not in found.pairing.columns],
    )
    for label, names in zip(found.labels, alone, strict=True):
        if names:
            some = join_words([safe_name(name) for name in names], most=3)
            words += f"; only {safe_name(label)} has {some}"
    return words


def _rests(one: str, other: str, inclusion: Inclusion) -> str:
    """Return what the claim that one model implies the rows of the other rests on."""
    counts = Counter(side.basis for side in inclusion.sides if side.basis is not None)
    used = ((counts[basis], BASES[basis]) for basis in Basis if counts[basis])
    parts = [f"{number} {words[number > 1]}" for number, words in used]
    head = f"rows and bounds of {other} in {one}"
    if inclusion.holds is False:
        return f"{head}: violated, see the point"
    left = sum(side.holds is None for side in inclusion.sides)
    if left:
        parts.append(f"{left} undecided")
    return f"{head}: {join_words(parts)}"


def _objective(found: ModelComparison) -> str:
    objectives = found.objectives
    one, other = map(safe_name, found.labels)
    by = ", by the rows" if objectives.by_rows else ""
    factor, shift = _number(objectives.factor), _number(objectives.shift)
    of_first = f"{factor} times that of {one}" if objectives.factor != 1 else f"that of {one}"
    if objectives.shift:
        of_first += f" plus {shift}"
    minimised = " (both minimised)" if objectives.relation not in ("same", "unknown") else ""
    words = {
        "same": f"the same{by}",
        "different": "they rank solutions differently",
        "unlike": "other coefficients",
        "monotone": "no multiple of each other, but they rank all solutions alike",
        "unknown": f"not decided; {objectives.reason}",
    }.get(objectives.relation, f"that of {other} is {of_first}{by}{minimised}")
    if found.model.maximise != found.against.maximise and objectives.ranks_alike:
        words += "; one model maximises what the other one minimises, with the sign changed"
    return f"objectives: {words}"


def _ranked(found: ModelComparison) -> Iterator[str]:
    """Yield two solutions that the objectives rank differently, and the best ones."""
    shown = [" and ".join(map(_number, values)) for values in found.objectives.values]
    for point in () if shown else found.objectives.points:
        shared = {
            theirs: point[ours] for theirs, ours in found.pairing.columns.items() if ours in point
        }
        values = found.model.exact_objective(point), found.against.exact_objective(shared)
        shown.append(" and ".join(map(_number, values)))
    if shown:
        yield f"  two solutions have {shown[0]}, and {shown[1]}, in the two objectives"
    if any(value is not None for value in found.optima):
        words = []
        for label, value, proved in zip(
            found.labels, found.optima, found.optima_proved, strict=True
        ):
            text = "not known" if value is None else _number(value)
            text += "" if proved or value is None else " (HiGHS's word)"
            words.append(f"{safe_name(label)} {text}")
        yield f"optimum: {', '.join(words)}"


def _relaxation(found: ModelComparison) -> Iterator[str]:
    one, other = map(safe_name, found.labels)
    stronger = {
        "same": "equally strong",
        "neither": "neither is stronger",
        "model": f"that of {one} is stronger",
        "against": f"that of {other} is stronger",
        None: "not decided which is stronger",
    }[found.relaxation]
    bounds = ""
    if None not in found.bounds:
        first, second = found.bounds
        assert first is not None
        assert second is not None
        bounds = f"; LP bounds {_number(first)} and {_number(second)}"
    yield f"linear relaxations: {stronger}{bounds}"


def _proved(found: ModelComparison) -> Iterator[str]:
    """Yield which of the answers are proved, and which are not."""
    answers = {
        "feasible sets": ("feasible_set", found.feasible_set != "unknown"),
        "objectives": ("objective", found.objectives.ranks_alike is not None),
        "relaxations": ("relaxation", found.relaxation is not None),
    }
    known = [(name, found.proved_parts[part]) for name, (part, there) in answers.items() if there]
    for word, proved in (("proved in exact numbers", True), ("not proved", False)):
        names = [name for name, own in known if own is proved]
        if names:
            yield f"{word}: {join_words(names)}"


def _table(owner: str, name: str, inclusion: Inclusion) -> DataTable | None:
    """Return the sides of one model that the other has not as such."""
    sides = [side for side in inclusion.sides if side.basis is not Basis.ROW]
    if inclusion.holds is False:
        # After a counter-example the other sides were not asked for.
        sides = [side for side in sides if side.holds is not None or side.relaxed is False]
    sides = [side for side in sides if side.basis is not Basis.BOUNDS or side.kind == "row"]
    if not sides:
        return None
    rows = [
        (
            side.kind,
            clip(safe_name(side.name), 40),
            clip(safe_name(side.words), 60),
            _state(side, inclusion),
        )
        for side in sorted(sides, key=_order)[:MAX_LISTED_ENTRIES]
    ]
    rest = len(sides) - MAX_LISTED_ENTRIES
    note = f"and {rest} more (--format json has them all)" if rest > 0 else ""
    title = f"only in {owner}, asked of {name}:"
    return DataTable(("kind", "name", "inequality", "verdict"), rows, title, note, range(4), "  ")


def _order(side: Side) -> int:
    """Return the place of a side: violated ones first, then open ones, then those without proof."""
    if side.holds is not True:
        return 0 if side.holds is False else 1
    return 2 if side.basis is not None and not side.basis.exact else 3


def _state(side: Side, inclusion: Inclusion) -> str:
    if side.holds is None:
        return "not decided" if inclusion.holds is None else "not needed"
    return "violated" if not side.holds else f"holds: {side.basis}"


def _number(number: Number) -> str:
    text = describe_number(number)
    return f"{text:.12g}" if isinstance(text, float) else str(text)


MODEL_COMPARISON = Output(forms_from(comparison))
