"""A calendar in every form: JSON, text, CSV, a page, pages for paper.

On the HTML page today is large, and all days are below. Every placement that occurs is drawn
once and used by name, which keeps the page small. Without scripts the page still shows all days.
On paper a month is a page, weeks from Monday on.
"""

from __future__ import annotations

from collections.abc import Iterable

from calmip._base.errors import InputError, join_words
from calmip._base.limits import Deadline
from calmip.features import Call
from calmip.puzzle.dates import calendar_words, date_words, labels_of_date, short_weekdays
from calmip.puzzle.documents.serialise import csv_text
from calmip.puzzle.puzzle import Puzzle
from calmip.puzzle.render.escaping import xml_text
from calmip.puzzle.render.picture import Mark, Words
from calmip.puzzle.render.report import DataTable, Document, Markup, Output, forms_from
from calmip.puzzle.render.svg import FONTS, number, path_data, text_place
from calmip.puzzle.render.tiles import day_picture
from calmip.puzzle.tasks.problems import piece_cells
from calmip.year.calendar import Calendar, Day, calendar_json, days_of


def notes(calendar: Calendar) -> list[str]:
    """Return how many dates have no tiling and which, that no holiday is in the year, the moves."""
    dates = [date.isoformat() for date in calendar.without]
    found = [
        f"{len(dates)} of {len(calendar.days)} dates have no tiling: {join_words(dates, most=10)}"
    ] * bool(dates)
    if calendar.holidays is not None and not calendar.holidays:
        found.append(f"the file of holidays has none in {calendar.year}")
    if calendar.bound is not None:
        found.append(
            f"{calendar.moves:,} pieces move in {len(calendar.changes):,} changes of days: the "
            f"fewest possible, proved; each change alone needs {calendar.bound:,} together"
        )
    return found


def years_line(puzzle: Puzzle, years: Iterable[int]) -> str:
    """Return the days and the distinct puzzles of some years; raise `InputError` without labels."""
    days = [day for year in years for day in days_of(year)]
    labels = {tuple(labels_of_date(puzzle.groups, day).values()) for day in days}
    return f"{len(days):,} days, {len(labels):,} different puzzles"


def run(call: Call) -> int:
    """Make the calendar of a year, or one file for each of several, with one time limit."""
    if call.form != "pdf":
        call.refuse_unused("a PDF, such as -o NAME.pdf,", "wall", "week", "holidays")
    years, output = call.given["year"], call.output
    if not isinstance(years, range):
        return call.once()
    if output is None:
        raise InputError("each year is written to its own file; name the files with -o NAME.html")
    remark = years_line(call.given["puzzle"], years)
    clock, codes = Deadline(call.given["time_limit"]), []
    for year in years:
        path = output.with_name(f"{output.stem}-{year}{output.suffix}")
        if call.given["resume"] and path.exists():
            continue
        result = call.work(path, year=year, time_limit=clock.left())
        codes.append(call.code(result))
        if result.stopped:
            call.note(remark)
            return codes[-1]
    call.note(remark)
    return min(codes, default=0)


PAD = 0.1
"""Around a board, for half the width of its outline."""

STYLE = (
    # On the outer element, to be inherited: a rule for "svg text" finds no svg around what
    # a browser copies for <use>, and labels would start where their middle should be.
    f"svg{{font-family:{FONTS};text-anchor:middle;font-weight:bold;"
    """stroke-linejoin:round;fill-rule:evenodd}
.months{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,22rem),1fr));gap:0 2rem}
.month{display:grid;grid-template-columns:repeat(7,minmax(0,1fr));gap:.35rem}
.month>span{color:var(--quiet);font-size:.75rem;text-align:center}
.month a{color:inherit;text-decoration:none;font-size:.75rem;text-align:center}
.month a svg{display:block;width:100%}
.month svg{--names:0}
.month a.today{outline:3px solid var(--ink);outline-offset:2px}
.month a.shown{background:var(--board)}
a:focus-visible,button:focus-visible{outline:2px dashed var(--ink);outline-offset:2px}
.none{color:var(--quiet)}
.shapes{position:absolute}
#stage{display:none;text-align:center;margin:.5rem 0 1.5rem}
#stage.on{display:block}
#stage svg{width:min(28rem,100%)}
#stage h2{margin:.2rem}
button{font:inherit;padding:.3rem .9rem;margin:.2rem;color:var(--ink);background:var(--board);
border:1px solid var(--quiet);border-radius:.3rem;cursor:pointer;min-height:2.2rem}
button:disabled{opacity:.45;cursor:default}
.covered .piece:not(.seen){display:none}
@media print{#stage,#cover{display:none!important}.months{grid-template-columns:1fr 1fr}
section{break-inside:avoid}h2{break-after:avoid}
svg,a{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
"""
)

SCRIPT = """
(function () {
  var days = [].slice.call(document.querySelectorAll('.month a'));
  var part = function (name) { return document.getElementById(name); };
  var all = part('months'), at = 0;
  function today() {
    var now = new Date(), two = function (n) { return ('0' + n).slice(-2); };
    var name = 'd' + now.getFullYear() + two(now.getMonth() + 1) + two(now.getDate());
    for (var i = 0; i < days.length; i++) if (days[i].id === name) return i;
    return -1;
  }
  function hidden() { return [].slice.call(part('view').querySelectorAll('.piece:not(.seen)')); }
  function tell() {
    var left = hidden().length;
    part('more').disabled = part('whole').disabled = !left;
    part('left').textContent = !part('view').querySelector('.piece') ? 'This day has no tiling.'
      : left ? left + (left === 1 ? ' piece hidden' : ' pieces hidden') : 'The whole tiling';
  }
  function show(i) {
    days[at].classList.remove('shown');
    at = (i + days.length) % days.length;
    days[at].classList.add('shown');
    part('view').textContent = '';
    part('view').appendChild(days[at].querySelector('svg').cloneNode(true));
    part('name').textContent = days[at].title;
    part('stage').className = 'on covered';
    tell();
  }
  function open(pieces) {
    pieces.forEach(function (piece) { piece.classList.add('seen'); });
    tell();
  }
  days.forEach(function (day, i) {
    day.addEventListener('click', function (event) {
      event.preventDefault();
      show(i);
      part('stage').scrollIntoView({ block: 'nearest' });
    });
  });
  part('back').onclick = function () { show(at - 1); };
  part('on').onclick = function () { show(at + 1); };
  part('more').onclick = function () { open(hidden().slice(0, 1)); };
  part('whole').onclick = function () { open(hidden()); };
  part('cover').onclick = function () {
    var covered = all.classList.toggle('covered');
    part('cover').textContent = covered ? 'Show all tilings' : 'Hide all tilings';
  };
  document.addEventListener('keydown', function (event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'ArrowLeft') show(at - 1);
    if (event.key === 'ArrowRight') show(at + 1);
  });
  all.classList.add('covered');
  part('cover').hidden = false;
  var now = today();
  if (now < 0) part('now').hidden = true;
  else {
    days[now].classList.add('today');
    part('now').onclick = function () { show(now); };
  }
  show(Math.max(now, 0));
})();
"""


def report(calendar: Calendar) -> Document:
    """Return the number of tilings in each month; a page has the tilings themselves."""
    months = calendar_words(calendar.puzzle.groups)[0]
    placed = [day.date.month for day in calendar.days if day.tiling is not None]
    # A change belongs to the month of its second day, so that the months add up to the year.
    changes = list(zip(placed[1:], calendar.changes, strict=True))
    rows = []
    for month, name in enumerate(months, start=1):
        days = [day for day in calendar.days if day.date.month == month]
        moves = sum(moved for second, moved in changes if second == month)
        none = sum(day.tiling is None for day in days)
        rows.append([name, f"{len(days)}", f"{none}", f"{moves}"])
    return Document(
        f"{calendar.puzzle.name}, {calendar.year}",
        [
            Markup(
                lambda _: _page(calendar),
                [DataTable(["month", "days", "without a tiling", "pieces that move"], rows)],
            )
        ],
        STYLE,
        SCRIPT,
    )


def csv(calendar: Calendar) -> str:
    """Return a line for each day: its date, its labels, and the cells of each piece."""
    puzzle = calendar.puzzle
    rows = (
        [day.date.isoformat(), *day.instance.labels, *piece_cells(puzzle, day.tiling)]
        for day in calendar.days
    )
    return csv_text(["date", *puzzle.groups, *(piece.name for piece in puzzle.pieces)], rows)


def _page(calendar: Calendar) -> str:
    """Return the tilings of all months, below the one of today."""
    shapes = _Shapes()
    months = []
    names = calendar_words(calendar.puzzle.groups)[0]
    weekdays = short_weekdays(calendar.puzzle.groups)
    for month, title in enumerate(names, start=1):
        days = [day for day in calendar.days if day.date.month == month]
        heads = [f"<span>{xml_text(weekday)}</span>" for weekday in weekdays]
        blanks = ["<span></span>"] * (days[0].date.isoweekday() - 1)
        pictures = [_day(day, shapes) for day in days]
        months.append(
            f'<section><h2>{xml_text(title)}</h2>\n<div class="month">'
            + "".join([*heads, *blanks])
            + "\n"
            + "\n".join(pictures)
            + "</div></section>"
        )
    body = [
        '<svg width="0" height="0" class="shapes" aria-hidden="true"><defs>',
        *shapes.lines,
        "</defs></svg>",
        '<section id="stage"><h2 id="name"></h2><div id="view"></div>'
        '<p id="left" class="quiet" aria-live="polite"></p>'
        '<button id="more" type="button">One piece</button>'
        '<button id="whole" type="button">Whole tiling</button><br>'
        '<button id="back" type="button">Previous day</button>'
        '<button id="now" type="button">Today</button>'
        '<button id="on" type="button">Next day</button></section>',
        '<button id="cover" type="button" hidden>Show all tilings</button>',
        '<div class="months" id="months">',
        *months,
        "</div>",
        '<p class="quiet">One tiling a day, each verified; made by calmip.</p>',
    ]
    return "\n".join(body)


class _Shapes:
    """The drawings of distinct marks, and of pieces with their names, each under a name."""

    def __init__(self) -> None:
        self.names: dict[tuple[Mark, ...], str] = {}
        self.lines: list[str] = []

    def use(self, *marks: Mark) -> str:
        """Return an element that shows the marks, defined at their first use."""
        if marks not in self.names:
            name = self.names[marks] = f"m{len(self.names)}"
            drawn = [_draw(mark, f' id="{name}"' if len(marks) == 1 else "") for mark in marks]
            text = "".join(drawn)
            self.lines.append(text if len(marks) == 1 else f'<g id="{name}">{text}</g>')
        return f'<use href="#{self.names[marks]}"/>'


def _draw(mark: Mark, name: str = "") -> str:
    if isinstance(mark, Words):
        # Inherited even into what <use> copies: small pictures hide the names of pieces.
        hidden = ' opacity="var(--names,1)"' if mark.role.startswith("name") else ""
        return (
            f'<text{name} {text_place(mark)} fill="var(--{mark.role})"{hidden}>'
            f"{xml_text(mark.text)}</text>"
        )
    own = mark.fill.startswith("#")
    style = f'fill="{mark.fill if own else f"var(--{mark.fill})" if mark.fill else "none"}"'
    if mark.stroke:
        style += f' stroke="var(--{mark.stroke})" stroke-width="{number(mark.width)}"'
    return f'<path{name} d="{path_data(mark.loops)}" {style}/>'


def _day(day: Day, shapes: _Shapes) -> str:
    picture = day_picture(day.instance, day.tiling, names=True)
    marks = list(picture.marks)
    roles = [mark.role if isinstance(mark, Words) else "" for mark in marks]
    names = [number for number, role in enumerate(roles) if role.startswith("name")]
    first, count = names[0] if names else len(marks), len(names)
    uses = [shapes.use(mark) for mark in marks[: first - count]]
    uses += [
        f'<g class="piece">{shapes.use(marks[number - count], marks[number])}</g>'
        for number in names
    ]
    uses += [shapes.use(mark) for mark in marks[first + count :]]
    date = day.date
    long = xml_text(date_words(day.instance.puzzle.groups, date))
    none, caption = "", f"{date.day}"
    if day.tiling is None:
        long, none, caption = f"{long}: no tiling", ' class="none"', f"{date.day} none"
    edges = -PAD, -PAD, picture.width + 2 * PAD, picture.height + 2 * PAD
    name = f"d{date.year:04}{date:%m%d}"
    return (
        f'<a id="{name}" href="#{name}" title="{long}"{none}>'
        f'<svg viewBox="{" ".join(map(number, edges))}" role="img" aria-label="{long}">'
        f"{''.join(uses)}</svg>{caption}</a>"
    )


def pdf(calendar: Calendar, theme: str, paper: str) -> bytes:
    """Return the calendar as PDF, a page for each month or week."""
    from calmip.puzzle.render.printing import MILLIMETRE, pdf_of
    from calmip.year.calendar_sheets import calendar_sheets

    title = f"{calendar.puzzle.name}, {calendar.year}"
    return pdf_of(calendar_sheets(calendar, paper), theme=theme, unit=MILLIMETRE, title=title)


CALENDAR = Output(
    {"json": calendar_json, **forms_from(report, json=calendar_json, csv=csv, pdf=pdf)},
    notes=notes,
)
