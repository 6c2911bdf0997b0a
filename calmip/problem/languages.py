"""The names of months and weekdays in large languages, and which of them a label stands for."""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache

__all__ = ["LANGUAGES", "MONTH_NAMES", "WEEKDAY_NAMES", "name_number"]

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

# Short names that are no beginnings of the long ones, or of more than one.
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
"""The languages, by their two letters; English comes first."""

MONTH_NAMES, WEEKDAY_NAMES = (
    {language: names.split(" | ")[half].split() for language, names in NAMES.items()}
    for half in (0, 1)
)


def name_number(language: str, group: str, label: str) -> int | None:
    """Return the number of the month (1-12) or the weekday (Monday = 1) that a label names.

    A month's name may be cut after three letters, a weekday's after two, and
    end with a dot. Neither case nor accents matter. None if the label names
    none, or may name several.
    """
    text = _plain(label)
    names, short = _known(language, group)
    if text in short:
        return short[text]
    least = 2 if group == "weekday" else 3
    found = [number for number, name in enumerate(names, start=1) if name.startswith(text)]
    return found[0] if len(found) == 1 and len(text) >= least else None


@cache
def _known(language: str, group: str) -> tuple[list[str], dict[str, int]]:
    """Return the long names, and the numbers of those names that must be written as they are."""
    names = [
        _plain(name) for name in (MONTH_NAMES if group == "month" else WEEKDAY_NAMES)[language]
    ]
    whole = {name: number for number, name in enumerate(names, start=1)}
    short = SHORT.get(language, {}).get(group, {})
    return names, whole | {_plain(name): number for name, number in short.items()}


@lru_cache(maxsize=1024)
def _plain(text: str) -> str:
    """Return a name without case, accents, a dot at the end."""
    marks = unicodedata.normalize("NFD", text.strip().rstrip(".").casefold())
    return "".join(mark for mark in marks if not unicodedata.combining(mark)).replace("ı", "i")
