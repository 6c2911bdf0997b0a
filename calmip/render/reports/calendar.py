"""A calendar in every form: JSON, a page, pages for paper."""

from __future__ import annotations

from calmip.errors import listed
from calmip.render.palette import AUTO
from calmip.tasks.calendar import Calendar, calendar_json

__all__ = ["FORMS", "data", "missing", "text"]

FORMS = ("json", "html", "pdf")


def text(calendar: Calendar) -> str:
    """Return the calendar as one line of JSON, which is what its command prints."""
    return calendar_json(calendar)


def data(calendar: Calendar, form: str, theme: str = AUTO) -> bytes:
    """Return the calendar in one of `FORMS`.

    Raises
    ------
    InputError
        If the theme is unknown.
    SolverMissing
        If matplotlib is needed and not installed.
    """
    if form == "html":
        from calmip.render.calendar_html import calendar_page

        return calendar_page(calendar, theme=theme).encode()
    if form == "pdf":
        from calmip.render.calendar_pages import month_pages
        from calmip.render.printing import a4_for, pdf_of

        pages = month_pages(calendar)
        return pdf_of(pages, theme=theme, paper=a4_for(pages[0]))
    return text(calendar).encode()


def missing(calendar: Calendar) -> str:
    """Return how many dates have no tiling and which, in words; empty if all have one."""
    dates = [date.isoformat() for date in calendar.without]
    if not dates:
        return ""
    return f"{len(dates)} of {len(calendar.days)} dates have no tiling: {listed(dates, most=10)}"
