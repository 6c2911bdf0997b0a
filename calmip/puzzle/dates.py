"""Labels as months, days, weekdays and years, and the labels that a date reveals."""

from __future__ import annotations

import datetime
import itertools
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache

from calmip._base.errors import InputError, clip, join_words

# January and Monday come first.
NAMES = {
    "en": "January February March April May June July August September October November December | "
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember | "
    "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre | "
    "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
    "diciembre | lunes martes miércoles jueves viernes sábado domingo",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro "
    "dezembro | segunda-feira terça-feira quarta-feira quinta-feira "
    "sexta-feira sábado domingo",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre "
    "dicembre | lunedì martedì mercoledì giovedì venerdì sabato domenica",
    "nl": "januari februari maart april mei juni juli augustus september oktober november "
    "december | maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    "sv": "januari februari mars april maj juni juli augusti september oktober november "
    "december | måndag tisdag onsdag torsdag fredag lördag söndag",
    "da": "januar februar marts april maj juni juli august september oktober november december | "
    "mandag tirsdag onsdag torsdag fredag lørdag søndag",
    "no": "januar februar mars april mai juni juli august september oktober november desember | "
    "mandag tirsdag onsdag torsdag fredag lørdag søndag",
    "fi": "tammikuu helmikuu maaliskuu huhtikuu toukokuu kesäkuu heinäkuu elokuu syyskuu lokakuu "
    "marraskuu joulukuu | maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai",
    "pl": "styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad "
    "grudzień | poniedziałek wtorek środa czwartek piątek sobota niedziela",
    "cs": "leden únor březen duben květen červen červenec srpen září říjen listopad prosinec | "
    "pondělí úterý středa čtvrtek pátek sobota neděle",
    "hu": "január február március április május június július augusztus szeptember október "
    "november december | hétfő kedd szerda csütörtök péntek szombat vasárnap",
    "ro": "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie "
    "noiembrie decembrie | luni marți miercuri joi vineri sâmbătă duminică",
    "ru": "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь | "
    "понедельник вторник среда четверг пятница суббота воскресенье",
    "uk": "січень лютий березень квітень травень червень липень серпень вересень жовтень "
    "листопад грудень | понеділок вівторок середа четвер пʼятниця субота неділя",
    "el": "Ιανουάριος Φεβρουάριος Μάρτιος Απρίλιος Μάιος Ιούνιος Ιούλιος Αύγουστος Σεπτέμβριος "
    "Οκτώβριος Νοέμβριος Δεκέμβριος | Δευτέρα Τρίτη Τετάρτη Πέμπτη Παρασκευή Σάββατο Κυριακή",
    "tr": "Ocak Şubat Mart Nisan Mayıs Haziran Temmuz Ağustos Eylül Ekim Kasım Aralık | "
    "Pazartesi Salı Çarşamba Perşembe Cuma Cumartesi Pazar",
    "id": "Januari Februari Maret April Mei Juni Juli Agustus September Oktober November "
    "Desember | Senin Selasa Rabu Kamis Jumat Sabtu Minggu",
    "hi": "जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर | "
    "सोमवार मंगलवार बुधवार गुरुवार शुक्रवार शनिवार रविवार",
    "ar": "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر | "
    "الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت الأحد",
    "ja": "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月 | "
    "月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日",
    "zh": "一月 二月 三月 四月 五月 六月 七月 八月 九月 十月 十一月 十二月 | "
    "星期一 星期二 星期三 星期四 星期五 星期六 星期日",
    "ko": "1월 2월 3월 4월 5월 6월 7월 8월 9월 10월 11월 12월 | "
    "월요일 화요일 수요일 목요일 금요일 토요일 일요일",
}

DATES = {
    "en": "{weekday}, {day} {month}[ {year}]",
    "de": "{weekday}, {day}. {month}[ {year}]",
    "fr": "{weekday} {day} {month}[ {year}]",
    "es": "{weekday}, {day} de {month}[ de {year}]",
    "pt": "{weekday}, {day} de {month}[ de {year}]",
    "it": "{weekday} {day} {month}[ {year}]",
    "nl": "{weekday} {day} {month}[ {year}]",
    "sv": "{weekday} {day} {month}[ {year}]",
    "da": "{weekday} den {day}. {month}[ {year}]",
    "no": "{weekday} {day}. {month}[ {year}]",
    "fi": "{weekday} {day}. {month}[ {year}]",
    "pl": "{weekday}, {day} {month}[ {year}]",
    "cs": "{weekday} {day}. {month}[ {year}]",
    "hu": "[{year}. ]{month} {day}., {weekday}",
    "ro": "{weekday}, {day} {month}[ {year}]",
    "ru": "{weekday}, {day} {month}[ {year} г.]",
    "uk": "{weekday}, {day} {month}[ {year} р.]",
    "el": "{weekday} {day} {month}[ {year}]",
    "tr": "{day} {month}[ {year}] {weekday}",
    "id": "{weekday}, {day} {month}[ {year}]",
    "hi": "{weekday}, {day} {month}[ {year}]",
    "ar": "{weekday}، {day} {month}[ {year}]",
    "ja": "[{year}年]{month}{day}日{weekday}",
    "zh": "[{year}年]{month}{day}日{weekday}",
    "ko": "[{year}년 ]{month} {day}일 {weekday}",
}
"""A date in each language, as in the Unicode CLDR (British for English); the year is optional."""

# The names of months within a date, where they differ.
IN_DATES = {
    "fi": "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta "
    "syyskuuta lokakuuta marraskuuta joulukuuta",
    "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października "
    "listopada grudnia",
    "cs": "ledna února března dubna května června července srpna září října listopadu prosince",
    "ru": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "uk": "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
    "el": "Ιανουαρίου Φεβρουαρίου Μαρτίου Απριλίου Μαΐου Ιουνίου Ιουλίου Αυγούστου Σεπτεμβρίου "
    "Οκτωβρίου Νοεμβρίου Δεκεμβρίου",
    "zh": "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
}

# Short names that do not begin one long name alone.
SHORT = {
    "de": {"month": {"mrz": 3, "jänner": 1, "jänn": 1, "feber": 2}},
    "nl": {"month": {"mrt": 3}},
    "pl": {"weekday": {"pn": 1, "pt": 5, "nd": 7}},
    "cs": {"month": {"čvn": 6, "čvc": 7}},
    "hu": {"weekday": {"h": 1, "k": 2, "p": 5, "v": 7}},
    "ro": {"month": {"nov": 11}},
    "ru": {"month": {"мая": 5}, "weekday": {"пн": 1, "чт": 4, "пт": 5, "сб": 6, "вс": 7}},
    "uk": {"weekday": {"пн": 1, "вт": 2, "ср": 3, "чт": 4, "пт": 5, "сб": 6, "нд": 7}},
    "tr": {"weekday": {"pzt": 1, "pts": 1, "cum": 5, "cmt": 6, "cts": 6, "paz": 7}},
    "ja": {"weekday": {mark: n for n, mark in enumerate("月火水木金土日", start=1)}},
    "zh": {
        "month": {f"{number}月": number for number in range(1, 13)},
        "weekday": {f"周{mark}": n for n, mark in enumerate("一二三四五六日", start=1)},
    },
    "ko": {"weekday": {mark: n for n, mark in enumerate("월화수목금토일", start=1)}},
}

LANGUAGES = tuple(NAMES)
"""The languages, by their two letters, English first."""

MONTH_NAMES, WEEKDAY_NAMES = (
    {language: names.split(" | ")[half].split() for language, names in NAMES.items()}
    for half in (0, 1)
)


def name_number(language: str, group: str, label: str) -> int | None:
    """Return the number of the month (1-12) or the weekday (Monday = 1) that a label names.

    A month's name needs three letters, a weekday's two; an abbreviation may end with a dot.
    Case and accents are ignored. The result is None if the label names none or several.
    """
    text = _plain(label)
    names, short = _names_of(language, group)
    if text in short:
        return short[text]
    least = 2 if group == "weekday" else 3
    found = [number for number, name in enumerate(names, start=1) if name.startswith(text)]
    return found[0] if len(found) == 1 and len(text) >= least else None


@cache
def _names_of(language: str, group: str) -> tuple[list[str], dict[str, int]]:
    """Return the long names, and the numbers of the names that must match as a whole."""
    names = [
        _plain(name) for name in (MONTH_NAMES if group == "month" else WEEKDAY_NAMES)[language]
    ]
    whole = {name: number for number, name in enumerate(names, start=1)}
    short = SHORT.get(language, {}).get(group, {})
    return names, whole | {_plain(name): number for name, number in short.items()}


@lru_cache(maxsize=1024)
def _plain(text: str) -> str:
    """Return a name without case, accents and a final dot."""
    marks = unicodedata.normalize("NFD", text.strip().rstrip(".").casefold())
    return "".join(mark for mark in marks if not unicodedata.combining(mark)).replace("ı", "i")


WEEKDAYS = WEEKDAY_NAMES["en"]
"""The English names, Monday first."""

GROUPS = ("month", "day", "weekday", "year")
"""The reveal groups whose labels follow from usual names and numbers."""

DIGITS = ("tens", "ones")
"""The reveal groups of a day in two digits, from 0 on; they stand for the group day."""

CALENDAR = {"month": 12, "day": 31, "weekday": 7}
"""The number of labels that a calendar has in a group."""

NAMED = ("month", "weekday")
"""The groups whose labels are words."""


def usual_groups(groups: Iterable[str], labels: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the labels of a board that belong to each group by their usual names, in order.

    Months and weekdays are in one language: the first with the fewest unknown labels.
    """
    groups, labels = list(groups), list(labels)
    named = [group for group in groups if group in NAMED]
    words = [label for label in labels if not label.rstrip(".").isdigit()] if named else []

    @cache
    def unknown(language: str) -> int:
        return sum(all(name_number(language, group, x) is None for group in named) for x in words)

    known = (language for language in LANGUAGES if not unknown(language))
    language = next(known, None) or min(LANGUAGES, key=unknown)
    numbers: dict[str, dict[str, int]] = {group: {} for group in groups}
    for group, label in itertools.product(groups, labels):
        number = _calendar_number(group, label, language)
        if number is not None:
            numbers[group][label] = number
    # French "Mar" is Tuesday where "Mars" is on the board, and March otherwise.
    for group, other in itertools.permutations(named, 2):
        for label in set(numbers[group]) & set(numbers[other]):
            if list(numbers[group].values()).count(numbers[group][label]) > 1:
                del numbers[group][label]
    return {
        group: tuple(sorted(found, key=lambda x: (found[x], x))) for group, found in numbers.items()
    }


def calendar_words(groups: Mapping[str, Sequence[str]]) -> tuple[list[str], list[str]]:
    """Return the names of the months, and of the weekdays from Monday on, for a board's calendar.

    They are full names in the board's language. If it is unknown, they are the board's
    labels, or else English names.
    """
    language = _language(groups)
    if language is not None:
        return MONTH_NAMES[language], WEEKDAY_NAMES[language]
    words = {"month": list(MONTH_NAMES["en"]), "weekday": list(WEEKDAYS)}
    for group in NAMED:
        labels = groups.get(group, ())
        for number, label in zip(calendar_numbers(group, labels), labels, strict=True):
            if number is not None and number <= len(words[group]):
                words[group][number - 1] = label
    return words["month"], words["weekday"]


def _language(groups: Mapping[str, Sequence[str]]) -> str | None:
    """Return the first language that has all names of months and weekdays of a board."""
    names = [(group, label) for group in NAMED for label in groups.get(group, ())]
    known = (one for one in LANGUAGES if None not in [name_number(one, *name) for name in names])
    return next(known, None)


def date_words(
    groups: Mapping[str, Sequence[str]], date: datetime.date, *, year: bool = True
) -> str:
    """Return a date in the language of a board's calendar, with its weekday.

    An example is ``Freitag, 1. Januar 2027``; ``year`` may be left out.
    """
    months, weekdays = calendar_words(groups)
    language = _language(groups) or "en"
    if language in IN_DATES:
        months = IN_DATES[language].split()
    form = DATES[language]
    form = re.sub(r"[\[\]]" if year else r"\[.*\]", "", form)
    return form.format(
        weekday=weekdays[date.isoweekday() - 1],
        day=date.day,
        month=months[date.month - 1],
        year=date.year,
    )


def short_weekdays(groups: Mapping[str, Sequence[str]]) -> list[str]:
    """Return short names of the weekdays, from Monday on: the board's labels if it has all.

    Otherwise each has the fewest letters that tell the days apart: at least two, in English
    three.
    """
    labels = groups.get("weekday", ())
    numbers = calendar_numbers("weekday", labels)
    if sorted(number or 0 for number in numbers) == list(range(1, 8)):
        return [labels[numbers.index(number)] for number in range(1, 8)]
    names = calendar_words(groups)[1]
    sizes = range(3 if names == WEEKDAYS else 2, max(map(len, names)) + 1)
    cut = ([name[:size] for name in names] for size in sizes)
    return next((short for short in cut if len(set(short)) == len(names)), names)


@lru_cache(maxsize=4096)  # a year has the same labels 365 times
def _calendar_number(group: str, label: str, language: str) -> int | None:
    """Return the number that a usual name stands for (month 1-12, Monday = 1), or None."""
    if group in NAMED:
        return name_number(language, group, label)
    text = label.strip().rstrip(".")
    if group == "day":
        text = text.rstrip("日일")
    if not (text.isascii() and text.isdigit() and len(text) <= 4):
        return None
    number = int(text)
    known = {"day": 1 <= number <= 31 and len(text) <= 2, "year": number >= 1000}
    return number if known.get(group) else None


NEAR = {"yesterday": -1, "today": 0, "tomorrow": 1}
"""Days by name, relative to today."""


def parse_date(text: str) -> datetime.date:
    """Return the date of a text: ISO 8601, ``today``, ``tomorrow``, ``yesterday`` or ``+3``."""
    word = text.strip().lower()
    days = NEAR.get(word)
    if re.fullmatch(r"[+-]\d{1,6}", word, re.ASCII):
        days = int(word)
    if days is not None:
        try:
            return datetime.date.today() + datetime.timedelta(days)
        except OverflowError:
            raise InputError(f"'{word}' days from today is outside the years 1 to 9999") from None
    try:
        return datetime.date.fromisoformat(text.strip())
    except ValueError as error:
        shaped = re.fullmatch(r"\d{4}-\d\d-\d\d", text.strip(), re.ASCII)
        why = f": {error}" if shaped else ""
        raise InputError(
            f"'{clip(text)}' is not a date{why}; "
            "write it as 2024-02-29 (year-month-day), 'today', 'tomorrow', or '+3' days"
        ) from None


def parse_dates(text: str) -> tuple[datetime.date, ...]:
    """Return the dates of a text with commas between them; see `parse_date`."""
    dates = tuple(map(parse_date, text.split(",")))
    for number, date in enumerate(dates):
        if date in dates[:number]:
            raise InputError(f"date {date.isoformat()} is given twice")
    return dates


def labels_of_date(groups: Mapping[str, Sequence[str]], date: datetime.date) -> dict[str, str]:
    """Return the label that a date reveals in each group; `InputError` if there is none."""
    chosen: dict[str, str] = {}
    wanted = dict(zip(GROUPS, (date.month, date.day, date.isoweekday(), date.year), strict=True))
    wanted |= dict(zip(DIGITS, divmod(date.day, 10), strict=True))
    check_digits(groups)
    for group, labels in groups.items():
        numbers = calendar_numbers(group, labels)
        if wanted[group] not in numbers:
            raise InputError(
                f"the board has no {group} for {date.isoformat()}; "
                f"its {group} labels are {join_words(labels)}"
            )
        chosen[group] = labels[numbers.index(wanted[group])]
    return chosen


def real_dates(groups: Mapping[str, Sequence[str]]) -> dict[str, dict[str, str]]:
    """Return the labels by group of all dates, in calendar order (`calendar_numbers`).

    The keys are names such as ``02-29``, ``2028-02-29-tue`` or ``05``: the year, the month,
    the day and the weekday, if there is such a group. Without a year, February 29 falls on
    every weekday.
    """
    numbers = {group: calendar_numbers(group, labels) for group, labels in groups.items()}
    check_digits(groups)
    order = [group for group in ("year", "month", "day", *DIGITS, "weekday") if group in groups]
    pairs = [zip(numbers[group], groups[group], strict=True) for group in order]
    found = []
    for choice in itertools.product(*pairs):
        known = {group: number for group, (number, _) in zip(order, choice, strict=True)}
        date = with_day({group: n for group, n in known.items() if n is not None})
        if None not in known.values() and _exists(date):
            labels = {group: label for group, (_, label) in zip(order, choice, strict=True)}
            found.append((list(date.values()), _date_name(date), labels))
    found.sort(key=lambda entry: entry[0])
    return {name: {group: labels[group] for group in groups} for _, name, labels in found}


def check_digits(groups: Mapping[str, Sequence[str]]) -> None:
    """Raise `InputError` unless tens and ones are both groups without day, or neither is one."""
    found = [group for group in ("day", *DIGITS) if group in groups]
    if set(found) & set(DIGITS) and tuple(found) != DIGITS:
        raise InputError(
            f"a date has no label in the groups {' and '.join(found)}; a board shows the day in "
            "one group, day, or in the two groups tens and ones"
        )


def with_day(date: Mapping[str, int]) -> dict[str, int]:
    """Return the numbers of a date with its day instead of its tens and ones."""
    if not set(DIGITS) <= set(date):
        return {**date}
    day = 10 * date["tens"] + date["ones"]
    order = [*dict.fromkeys("day" if group in DIGITS else group for group in date)]
    return {group: day if group == "day" else date[group] for group in order}


def _digit(group: str, label: str) -> int | None:
    """Return the digit of a label such as ``3``, ``t3`` and, of the tens, ``30``, or None."""
    found = re.sub(r"[^0-9]", "", label)
    if group == "tens" and len(found) == 2 and found.endswith("0"):
        found = found[0]
    most = 3 if group == "tens" else 9
    return int(found) if len(found) == 1 and int(found) <= most else None


def _digits(group: str, labels: Sequence[str]) -> list[int | None]:
    """Return the digit of each label of tens or ones, by its name, or all by their places."""
    numbers = [_digit(group, label) for label in labels]
    remedy = f"give the labels of 0, 1, ... with groups: {{{group}: [...]}}"
    if None in numbers:
        most = 4 if group == "tens" else 10
        if len(labels) > most:
            raise InputError(f"{len(labels)} labels of the group {group}, at most {most}; {remedy}")
        return list(range(len(labels)))
    for number in numbers:
        if numbers.count(number) > 1:
            raise InputError(f"two labels of the group {group} stand for {number}; {remedy}")
    return numbers


def calendar_numbers(group: str, labels: Sequence[str]) -> list[int | None]:
    """Return the number of each label of a group: by its usual name, or else by its place.

    January, the first day and Monday are 1; tens and ones begin with 0.

    Raises
    ------
    InputError
        If the group is not a calendar group, or its labels contradict each other.
    """
    if group in DIGITS:
        return _digits(group, labels)
    if group not in GROUPS:
        raise InputError(
            f"a date says nothing about the group '{group}'; "
            f"give its label with --reveal {group}=LABEL"
        )
    numbers = _numbers(group, labels)
    remedy = f"give the right labels, in calendar order, with groups: {{{group}: [...]}}"
    if None in numbers and group != "year":
        for place, (label, number) in enumerate(zip(labels, numbers, strict=True), start=1):
            if number is not None and number != place:
                raise InputError(
                    f"{label} is {group} {number} by its name, but {group} {place} by its place, "
                    f"which counts as not all labels have usual names; {remedy}"
                )
        return list(range(1, len(labels) + 1))
    first: dict[int, str] = {}
    for label, number in zip(labels, numbers, strict=True):
        if number is not None and first.setdefault(number, label) != label:
            raise InputError(f"{first[number]} and {label} are both {group} {number}; {remedy}")
    return numbers


def missing_labels(groups: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return for each group the labels that a calendar has and the board lacks.

    The calendar is the whole one if fewer labels are missing than the board has. Otherwise
    it runs from the board's first label to its last, as for a part of the year.
    """
    found: dict[str, list[str]] = {}
    for group, labels in groups.items():
        if group not in GROUPS:
            continue
        have = {number for number in calendar_numbers(group, labels) if number is not None}
        between = set(range(min(have, default=1), max(have, default=0))) - have
        every = set(range(1, CALENDAR.get(group, 0) + 1)) - have
        missing = next((some for some in (every, between) if 0 < len(some) < len(have)), ())
        if missing:
            months, weekdays = calendar_words(groups)
            words = {"month": months, "weekday": weekdays}.get(group)
            found[group] = [words[n - 1] if words else str(n) for n in sorted(missing)]
    return found


def _numbers(group: str, labels: Sequence[str]) -> list[int | None]:
    """Return the numbers of labels by their English names, or those on which languages agree."""
    english = [_calendar_number(group, label, "en") for label in labels]
    if None not in english or group not in NAMED:
        return english
    others = [[name_number(language, group, x) for x in labels] for language in LANGUAGES]
    whole = [numbers for numbers in others if None not in numbers]
    return whole[0] if whole and all(numbers == whole[0] for numbers in whole) else english


def _exists(date: Mapping[str, int]) -> bool:
    """Return whether some date has these numbers of groups."""
    if not 1 <= date.get("day", 1) <= 31:
        return False
    if "month" not in date or "day" not in date:
        return True
    try:
        weekday = datetime.date(date.get("year", 2000), date["month"], date["day"]).isoweekday()
    except ValueError:
        return False
    return "year" not in date or date.get("weekday", weekday) == weekday


def _date_name(date: Mapping[str, int]) -> str:
    parts = []
    for group, number in date.items():
        if group == "weekday":
            parts.append(WEEKDAYS[number - 1][:3].lower() if number <= 7 else f"w{number}")
        else:
            parts.append(f"{number:04}" if group == "year" else f"{number:02}")
    return "-".join(parts)


def new_days(groups: Mapping[str, Sequence[str]], first: datetime.date) -> int:
    """Return the number of days from a first day until the labels of a day repeat."""
    seen = {tuple(labels_of_date(groups, first).values())}
    day = first
    # Every Gregorian date returns to the same weekday within 40 years.
    while len(seen) < 41 * 366:
        try:
            day += datetime.timedelta(1)
            labels = tuple(labels_of_date(groups, day).values())
        except (InputError, OverflowError):
            break
        if labels in seen:
            break
        seen.add(labels)
    return len(seen)
