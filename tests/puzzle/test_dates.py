"""Dates: which labels they reveal, and what is told where they reveal none."""

from __future__ import annotations

import calendar
import datetime
import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from calmip import InputError
from calmip.puzzle.dates import (
    LANGUAGES,
    MONTH_NAMES,
    WEEKDAY_NAMES,
    calendar_numbers,
    calendar_words,
    date_words,
    labels_of_date,
    name_number,
    parse_date,
    real_dates,
    short_weekdays,
    usual_groups,
)

MONTHS = list(calendar.month_name)[1:]
DAYS = [str(day) for day in range(1, 32)]
WEEKDAYS = list(calendar.day_name)

# Ways to write the usual names; a dot, any case, cut after three letters or more.
WAYS = [
    lambda name: name,
    lambda name: name[:3],
    lambda name: name[:4],
    lambda name: name[:3].upper(),
    lambda name: f"{name[:3].lower()}.",
]


@pytest.mark.long
@given(
    date=st.dates(datetime.date(1000, 1, 1)),
    way=st.sampled_from(WAYS),
    seed=st.randoms(use_true_random=False),
)
@example(datetime.date(2024, 2, 29), WAYS[0], random.Random(0))
def test_usual_names_are_found_wherever_they_stand(
    date: datetime.date, way: object, seed: random.Random
) -> None:
    labels = [*map(way, MONTHS), *map(way, WEEKDAYS), *DAYS, str(date.year), "x", "May Day", "32"]
    seed.shuffle(labels)
    groups = usual_groups(("year", "weekday", "month", "day"), labels)
    assert groups["month"] == tuple(map(way, MONTHS))
    assert groups["weekday"] == tuple(map(way, WEEKDAYS))
    assert groups["day"] == tuple(DAYS)
    # strftime and the calendar module are the witnesses.
    assert labels_of_date(groups, date) == {
        "year": str(date.year),
        "weekday": way(calendar.day_name[date.weekday()]),
        "month": way(calendar.month_name[date.month]),
        "day": str(date.day),
    }
    # The order in which a group lists usual names does not matter.
    seed.shuffle(shuffled := list(groups["month"]))
    assert labels_of_date({"month": shuffled}, date) == {
        "month": way(calendar.month_name[date.month])
    }


@given(date=st.dates())
def test_other_names_count_by_their_place(date: datetime.date) -> None:
    groups = {
        "weekday": ["Lu", "Ma", "Me", "Je", "Ve", "Sa", "Di"],
        "month": [
            "Janv",
            "Févr",
            "Mars",
            "Avr",
            "Mai",
            "Juin",
            "Juil",
            "Août",
            "Sept",
            "Oct",
            "Nov",
            "Déc",
        ],
        "day": [f"{day}er" if day == 1 else str(day) for day in range(1, 32)],
    }
    found = labels_of_date(groups, date)
    assert groups["weekday"].index(found["weekday"]) == date.weekday()
    assert groups["month"].index(found["month"]) == date.month - 1
    assert groups["day"].index(found["day"]) == date.day - 1


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ({"month": ["Jan", "Mar"]}, "the board has no month for 2024-02-29; its month labels are"),
        ({"year": ["2025", "2026"]}, "the board has no year for 2024-02-29"),
        ({"year": ["MMXXIV"]}, "the board has no year for 2024-02-29"),
        ({"day": []}, "the board has no day for 2024-02-29; its day labels are none"),
        ({"moon": ["new", "full"]}, "a date says nothing about the group 'moon'; give its label"),
        # Neither is right by itself, whatever the date.
        ({"month": ["Feb", "February"]}, "Feb and February are both month 2; give the right"),
        ({"day": ["29", "1", "01"]}, "1 and 01 are both day 1; give the right labels, in calendar"),
        # By its place the third label is March, by its name December.
        ({"month": ["Ibis", "Kiwi", "Dec"]}, "Dec is month 12 by its name, but month 3 by its"),
        ({"day": ["31*", "1", "2"]}, "1 is day 1 by its name, but day 2 by its place"),
    ],
)
def test_a_date_without_its_label_is_refused(groups: dict[str, list[str]], message: str) -> None:
    with pytest.raises(InputError) as caught:
        labels_of_date(groups, datetime.date(2024, 2, 29))
    assert str(caught.value).startswith(message)
    if "both" in message or "by its name" in message:
        with pytest.raises(InputError) as caught:
            real_dates(groups)
        assert str(caught.value).startswith(message)


def test_what_looks_like_a_name_or_a_number_and_is_none() -> None:
    labels = ["J", "Ja", "Marc", "Marx", "0", "00", "007", "1.5", "-1", "+1", "٣", "²", "1e1",
              "0999", "12345", "M", "Mo", "Tuesd", "Janx", ""]  # fmt: skip
    assert usual_groups(["month"], labels) == {"month": ("Marc",)}
    assert usual_groups(["weekday", "day"], labels) == {"weekday": ("Mo", "Tuesd"), "day": ()}
    assert usual_groups(["year"], labels) == {"year": ()}
    assert usual_groups(["moon"], ["1", "Jan"]) == {"moon": ()}


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_the_names_of_a_language_are_found_whole_or_cut(language: str, data: st.DataObject) -> None:
    names = {"month": MONTH_NAMES[language], "weekday": WEEKDAY_NAMES[language]}
    assert [len(set(found)) for found in names.values()] == [12, 7]
    labels: dict[str, list[str]] = {}
    others = {"month": "weekday", "weekday": "month"}
    for group, words in names.items():
        labels[group] = []
        for number, word in enumerate(words, start=1):
            cuts = [word[:n] for n in range(1, len(word) + 1)]
            known = [cut for cut in cuts if name_number(language, group, cut) == number]
            assert word in known
            ways = [*known, word.upper(), f"{word}."]
            plain = [way for way in ways if name_number(language, others[group], way) is None]
            labels[group].append(data.draw(st.sampled_from(plain)))
    everything = [*labels["month"], *labels["weekday"]]
    found = usual_groups(["weekday", "month"], data.draw(st.permutations(everything)))
    # Norwegian and Danish differ in one letter: what is found is right in any language.
    assert found == {group: tuple(words) for group, words in labels.items()}
    months, weekdays = calendar_words(found)
    assert [name_number(language, "month", word) for word in months] == list(range(1, 13))
    assert [name_number(language, "weekday", word) for word in weekdays] == list(range(1, 8))


def test_one_word_for_a_month_and_a_weekday_is_decided_by_the_others() -> None:
    labels = "Janv Févr Mars Avr Mai Juin Juil Août Sept Oct Nov Déc Lun Mar Mer Jeu Ven Sam Dim"
    found = usual_groups(["month", "weekday"], labels.split())
    assert found == {"month": tuple(labels.split()[:12]), "weekday": tuple(labels.split()[12:])}
    found = usual_groups(["month", "weekday"], labels.replace("Mars", "").split())
    assert "Mar" in found["month"]
    assert "Mar" in found["weekday"]


def test_a_calendar_has_the_words_of_the_board() -> None:
    assert calendar_words({"month": ["Jan", "Feb"]})[0][:2] == ["January", "February"]
    german = {"month": "Jan Feb Mär Apr Mai Jun Jul Aug Sep Okt Nov Dez".split()}
    assert calendar_words(german)[0][2] == "März"
    assert calendar_words(german)[1][0] == "Montag"
    own = {"weekday": "uno due tre quattro cinque sei sette".split()}
    months, weekdays = calendar_words(own)
    assert (months[0], weekdays) == ("January", own["weekday"])


@given(st.dates())
def test_a_date_is_read_as_it_is_written(date: datetime.date) -> None:
    year, week, weekday = date.isocalendar()
    for text in (date.isoformat(), f"  {date.isoformat()}\t", date.isoformat().replace("-", "")):
        assert parse_date(text) == date
    assert parse_date(f"{year:04}-W{week:02}-{weekday}") == date


def test_today_is_today() -> None:
    before = datetime.date.today()
    found = parse_date(" Today ")
    assert before <= found <= datetime.date.today()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2023-02-29", "'2023-02-29' is not a date: day"),
        ("2024-13-01", "'2024-13-01' is not a date: month"),
        ("0000-01-01", "'0000-01-01' is not a date: year"),
        (
            "29.2.2024",
            "'29.2.2024' is not a date; write it as 2024-02-29 (year-month-day), 'today'",
        ),
        ("2024-2-9", "'2024-2-9' is not a date; write it"),
        ("2024-02-29T00:00", "'2024-02-29T00:00' is not a date; write it"),
        ("", "'' is not a date; write it"),
        ("next week", "'next week' is not a date; write it"),
        ("\uff12024-02-29", "'\uff12024-02-29' is not a date; write it"),
        ("\x1b[31m", "'\\x1b[31m' is not a date; write it"),
        ("9" * 10_000, "'" + "9" * 60 + "...' is not a date; write it"),
    ],
)
def test_what_is_no_date_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_date(text)
    assert str(caught.value).startswith(message)
    assert str(caught.value).endswith("'today', 'tomorrow', or '+3' days")


@given(st.text(max_size=12))
def test_any_text_is_a_date_or_is_refused(text: str) -> None:
    try:
        assert isinstance(parse_date(text), datetime.date)
    except InputError as error:
        assert str(error).isprintable()


@pytest.mark.parametrize("language", LANGUAGES)
def test_short_weekdays_tell_the_days_apart(language: str) -> None:
    groups = {"month": tuple(MONTH_NAMES[language]), "day": ("1", "2")}
    if None in calendar_numbers("month", groups["month"]):
        pytest.skip("its months are no usual names")
    names = short_weekdays(groups)
    assert len(set(names)) == 7
    assert all(name and len(name) >= 2 for name in names)
    whole = calendar_words(groups)[1]
    assert all(long.startswith(short) for long, short in zip(whole, names, strict=True))


def test_short_weekdays_are_the_labels_of_the_board_where_it_has_them() -> None:
    sunday_first = ("Su", "Mo", "Tu", "We", "Th", "Fr", "Sa")
    assert short_weekdays({"weekday": sunday_first}) == [*sunday_first[1:], "Su"]
    assert short_weekdays({"month": ("Jan", "Feb")})[:2] == ["Mon", "Tue"]
    assert short_weekdays({"month": ("Januar", "Mai")})[:2] == ["Mo", "Di"]
    assert short_weekdays({"weekday": ("Mon", "Tue")})[5:] == ["Sat", "Sun"]


def test_austrian_months_are_german() -> None:
    board = "Jänner Feber März April Mai Juni Juli August September Oktober November Dezember"
    found = usual_groups(["month"], board.split())
    assert found["month"] == tuple(board.split())
    assert [name_number("de", "month", x) for x in ("Jän", "Jän.", "Jänn", "JÄNNER")] == [1] * 4


IN_CLDR = {
    "en": "Friday, 1 January 2027",
    "de": "Freitag, 1. Januar 2027",
    "fr": "vendredi 1 janvier 2027",
    "es": "viernes, 1 de enero de 2027",
    "pt": "sexta-feira, 1 de janeiro de 2027",
    "it": "venerdì 1 gennaio 2027",
    "nl": "vrijdag 1 januari 2027",
    "sv": "fredag 1 januari 2027",
    "da": "fredag den 1. januar 2027",
    "no": "fredag 1. januar 2027",
    "fi": "perjantai 1. tammikuuta 2027",
    "pl": "piątek, 1 stycznia 2027",
    "cs": "pátek 1. ledna 2027",
    "hu": "2027. január 1., péntek",
    "ro": "vineri, 1 ianuarie 2027",
    "ru": "пятница, 1 января 2027 г.",  # noqa: RUF001
    "uk": "пʼятниця, 1 січня 2027 р.",  # noqa: RUF001
    "el": "Παρασκευή 1 Ιανουαρίου 2027",
    "tr": "1 Ocak 2027 Cuma",
    "id": "Jumat, 1 Januari 2027",
    "hi": "शुक्रवार, 1 जनवरी 2027",
    "ar": "الجمعة، 1 يناير 2027",
    "ja": "2027年1月1日金曜日",
    "zh": "2027年1月1日星期五",
    "ko": "2027년 1월 1일 금요일",
}
"""The full dates of CLDR 48, by Babel; British for English, and a day without a 0."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_date_is_written_as_its_language_writes_it(language: str) -> None:
    groups = {"month": MONTH_NAMES[language], "weekday": WEEKDAY_NAMES[language]}
    date = datetime.date(2027, 1, 1)
    whole, short = (date_words(groups, date, year=year) for year in (True, False))
    assert whole == IN_CLDR[language]
    assert "2027" not in short
    kept = iter(whole)
    assert all(mark in kept for mark in short)
    assert short.strip(" .") == short.strip(" ")


def test_a_date_on_a_board_of_an_unknown_language() -> None:
    groups = {"month": [f"m{n}" for n in range(1, 13)]}
    assert date_words(groups, datetime.date(2027, 3, 2)) == "Tuesday, 2 m3 2027"
    assert date_words({}, datetime.date(2027, 3, 2), year=False) == "Tuesday, 2 March"
