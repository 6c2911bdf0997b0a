"""A calendar of tilings as one HTML page: today large, all days below.

Every placement that occurs is drawn once and used by name, which keeps the page
small. Without scripts the page still shows all days.
"""

from __future__ import annotations

from calmip.render.calendar_pages import MONTHS, WEEKDAYS
from calmip.render.colours import AUTO
from calmip.render.escaping import xml_text
from calmip.render.html import page
from calmip.render.picture import Mark, Words
from calmip.render.svg import BASELINE, FONTS, number, path_data
from calmip.render.tiles import day_marks
from calmip.tasks.calendar import Calendar, Day

__all__ = ["calendar_page"]

PAD = 0.1
"""Around a board, for half the width of its outline."""

STYLE = (
    # On the outer element, to be inherited: a rule for "svg text" finds no svg around what
    # a browser copies for <use>, and labels would start where their middle should be.
    f"svg{{font-family:{FONTS};text-anchor:middle;font-weight:bold;"
    """stroke-linejoin:round;fill-rule:evenodd}
.months{display:grid;grid-template-columns:repeat(auto-fill,minmax(22rem,1fr));gap:0 2rem}
.month{display:grid;grid-template-columns:repeat(7,1fr);gap:.35rem}
.month>span{color:var(--quiet);font-size:.75rem;text-align:center}
.month a{color:inherit;text-decoration:none;font-size:.75rem;text-align:center}
.month a svg{display:block;width:100%}
.month a.today{outline:3px solid var(--ink);outline-offset:2px}
.month a:focus-visible{outline:2px dashed var(--ink)}
.none{color:var(--quiet)}
#stage{display:none;text-align:center;margin:.5rem 0 1.5rem}
#stage.on{display:block}
#stage svg{width:min(28rem,92vw)}
#stage h2{margin:.2rem}
button{font:inherit;padding:.3rem .9rem;margin:.2rem;color:var(--ink);background:var(--board);
border:1px solid var(--quiet);border-radius:.3rem;cursor:pointer}
@media print{#stage{display:none!important}.month{break-inside:avoid}}
"""
)

SCRIPT = """
(function () {
  var days = [].slice.call(document.querySelectorAll('.month a'));
  var part = function (name) { return document.getElementById(name); };
  var at = 0;
  function today() {
    var now = new Date(), two = function (n) { return ('0' + n).slice(-2); };
    var name = 'd' + two(now.getMonth() + 1) + two(now.getDate());
    for (var i = 0; i < days.length; i++) if (days[i].id === name) return i;
    return 0;
  }
  function show(i) {
    at = (i + days.length) % days.length;
    part('view').textContent = '';
    part('view').appendChild(days[at].querySelector('svg').cloneNode(true));
    part('name').textContent = days[at].title;
    part('stage').className = 'on';
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
  part('now').onclick = function () { show(today()); };
  document.addEventListener('keydown', function (event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'ArrowLeft') show(at - 1);
    if (event.key === 'ArrowRight') show(at + 1);
  });
  days[today()].classList.add('today');
  show(today());
})();
"""


def calendar_page(calendar: Calendar, *, theme: str = AUTO) -> str:
    """Return a calendar as a page that needs nothing from elsewhere.

    Parameters
    ----------
    calendar
        The calendar.
    theme
        ``light``, ``dark``, or ``auto``: dark where the viewer's system asks for it.

    Raises
    ------
    InputError
        If the theme is unknown.
    """
    shapes = _Shapes()
    months = []
    for month, title in enumerate(MONTHS, start=1):
        days = [day for day in calendar.days if day.date.month == month]
        heads = [f"<span>{weekday[:2]}</span>" for weekday in WEEKDAYS]
        blanks = ["<span></span>"] * (days[0].date.isoweekday() - 1)
        pictures = [_day(day, shapes) for day in days]
        months.append(
            f'<section><h2>{title}</h2>\n<div class="month">'
            + "".join([*heads, *blanks])
            + "\n"
            + "\n".join(pictures)
            + "</div></section>"
        )
    name = f"{calendar.puzzle.name}, {calendar.year}"
    body = [
        f"<h1>{xml_text(name)}</h1>",
        '<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs>',
        *shapes.lines,
        "</defs></svg>",
        '<section id="stage"><h2 id="name"></h2><div id="view"></div>'
        '<button id="back" type="button">Previous</button>'
        '<button id="now" type="button">Today</button>'
        '<button id="on" type="button">Next</button></section>',
        '<div class="months">',
        *months,
        "</div>",
        '<p class="quiet">One tiling a day, each verified; made by calmip.</p>',
    ]
    return page(name, body, theme=theme, style=STYLE, script=SCRIPT)


class _Shapes:
    """Gives every distinct mark a name, and remembers how it is drawn."""

    def __init__(self) -> None:
        self.names: dict[Mark, str] = {}
        self.lines: list[str] = []

    def name(self, mark: Mark) -> str:
        if mark not in self.names:
            self.names[mark] = f"m{len(self.names)}"
            self.lines.append(_drawn(mark, self.names[mark]))
        return self.names[mark]


def _drawn(mark: Mark, name: str) -> str:
    if isinstance(mark, Words):
        return (
            f'<text id="{name}" x="{number(mark.x)}" y="{number(mark.y + BASELINE * mark.size)}" '
            f'font-size="{number(mark.size)}" style="fill:var(--{mark.role})">'
            f"{xml_text(mark.text)}</text>"
        )
    style = f"fill:{f'var(--{mark.fill})' if mark.fill else 'none'}"
    if mark.stroke:
        style += f";stroke:var(--{mark.stroke});stroke-width:{number(mark.width)}"
    return f'<path id="{name}" d="{path_data(mark.loops)}" style="{style}"/>'


def _day(day: Day, shapes: _Shapes) -> str:
    width, height, marks = day_marks(day.instance, day.tiling)
    uses = "".join(f'<use href="#{shapes.name(mark)}"/>' for mark in marks)
    date = day.date
    long = f"{WEEKDAYS[date.isoweekday() - 1]}, {date.day} {MONTHS[date.month - 1]} {date.year}"
    if day.tiling is None:
        long += ": no tiling"
    box = f"{number(-PAD)} {number(-PAD)} {number(width + 2 * PAD)} {number(height + 2 * PAD)}"
    none = ' class="none"' if day.tiling is None else ""
    caption = f"{date.day}" if day.tiling is not None else f"{date.day} none"
    return (
        f'<a id="d{date:%m%d}" href="#d{date:%m%d}" title="{long}"{none}>'
        f'<svg viewBox="{box}" role="img" aria-label="{long}">{uses}</svg>{caption}</a>'
    )
