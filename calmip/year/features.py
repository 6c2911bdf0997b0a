"""The features of the year."""

from calmip.features import Feature, Parameter, Steps

FEATURES = (
    Feature(
        name="calendar",
        line="Make a verified tiling for every day of a year.",
        group="Your puzzle",
        after="hint",
        task="calmip.year.calendar.calendar",
        reports={"Calendar": "calmip.year.calendar_report.CALENDAR"},
        names=("calendar", "read_calendar"),
        steps=Steps(counts="days", part=True),
        run="calmip.year.calendar_report.run",
        parameters={
            "year": Parameter(value="YEAR", reads="calmip.year.calendar.read_years"),
            "holidays": Parameter(value="FILE"),
            "resume": Parameter(needs="output"),
            "shard": Parameter(needs="output"),
            "least_moves": Parameter(excludes=("seed", "resume", "shard")),
        },
        examples=(
            "calmip calendar a-puzzle-a-day --year 2027 -o 2027.html",
            "calmip calendar weekday-8x7 --year 2026-2028 -o years.json",
            "calmip calendar heart-set1 --seed 7 -o heart.json",
            "calmip calendar a-puzzle-a-day --least-moves -o moves.html",
            "calmip calendar a-puzzle-a-day --wall --holidays days.yaml -o wall.pdf",
        ),
        exits=(
            "Several years, as in 2026-2028, are written to one file each: -o NAME.html gives "
            "NAME-2026.html and so on. The days of an unfinished file are in FILE.part; "
            "--resume continues from there, and keeps the files that are finished. The exit "
            "code is 1 if no day has a tiling, 3 if the time limit is reached; then no file is "
            "written, but FILE.part."
        ),
    ),
    Feature(
        name="year",
        line="Count the tilings of every date: heat-map, table or data.",
        group="Your puzzle",
        after="calendar",
        task="calmip.year.year.year",
        reports={"Year": "calmip.year.year_report.YEAR"},
        names=("year",),
        steps=Steps(
            counts="states", unfinished="not all dates were finished, so nothing is written"
        ),
        parameters={
            "year": Parameter(value="YEAR", reads="calmip.year.calendar.read_year"),
            "history": Parameter(needs="difficulty"),
        },
        examples=(
            "calmip year a-puzzle-a-day",
            "calmip year a-puzzle-a-day -o year.html",
            "calmip year a-puzzle-a-day --difficulty -o year.html",
            "calmip year praxis-rhombus --year 2027 --format csv",
        ),
        exits=(
            "The exit code is 0 if some date has a tiling, 1 if none has, 3 if the time limit "
            "is reached; then nothing is written."
        ),
    ),
)
