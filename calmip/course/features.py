"""The features of the course."""

from calmip.features import Feature, Parameter, Steps

FEATURES = (
    Feature(
        name="grade",
        line="Mark an answer to one of the exercises of the course.",
        group="Teach",
        task="calmip.course.grade.grade_files",
        reports={
            "Marks": "calmip.course.report.MARKS",
            "ClassMarks": "calmip.course.report.MARKS",
        },
        names=("grade", "grade_folder", "grade_model"),
        steps=Steps(part=True),
        run="calmip.course.report.run",
        parameters={
            "exercise": Parameter(words="calmip.course.exercises.EXERCISES"),
            "into_column": Parameter(needs="into", value="NAME"),
            "resume": Parameter(needs="output"),
            "shard": Parameter(needs="output"),
            "language": Parameter(words="calmip.course.translations.LANGUAGES"),
        },
        examples=(
            "calmip grade 1 placements.txt",
            "calmip grade 2 submissions/ --roster roster.csv --workers 2 -o marks.csv",
            "calmip grade 6 submissions/ --assigned sheets/assigned.csv --feedback pages",
            "calmip grade 8 submissions/ --into gradebook.csv --into-column 'Exercise 8 (123)'",
        ),
        exits=(
            "The submissions of an unfinished marking are in FILE.part; --resume continues from "
            "there. The exit code is 0 for full marks, 1 for fewer, 3 if only checks that were "
            "not decided lack marks, 4 if this machine failed: what it could not mark has ?, "
            "and --resume marks it again."
        ),
        commands=(
            Feature(
                name="model",
                task="calmip.course.grade.grade_model",
                reports={
                    "Marks": "calmip.course.report.MARKS",
                    "ClassMarks": "calmip.course.report.MARKS",
                    "Audit": "calmip.course.report.MARKS",
                },
                steps=Steps(part=True),
                run="calmip.course.report.run",
                parameters={
                    "names": Parameter(value="FILE"),
                    "into_column": Parameter(needs="into", value="NAME"),
                    "resume": Parameter(needs="output"),
                    "shard": Parameter(needs="output"),
                    "language": Parameter(words="calmip.course.translations.LANGUAGES"),
                },
                examples=(
                    "calmip grade model knapsack.py submissions/ --data instances/ -o marks.csv",
                    "calmip grade model knapsack.py --audit --data instances/",
                ),
                exits=(
                    "The submissions of an unfinished marking are in FILE.part; --resume "
                    "continues from there. The exit code is 0 for full marks, 1 for fewer, 3 if "
                    "only checks that were not decided lack marks, 4 if this machine failed: what "
                    "it could not mark has ?, and --resume marks it again. With --audit it is 1 if "
                    "some fault is not told, 3 if that was not decided in time."
                ),
            ),
            Feature(
                name="viva",
                task="calmip.course.viva.grade_viva",
                reports={"Viva": "calmip.course.report.VIVA"},
                parameters={"exercise": Parameter(words="calmip.course.exercises.EXERCISES")},
                examples=(
                    "calmip grade viva 12 ada.py",
                    "calmip grade viva 14 ada.json --assigned sheets/assigned.csv",
                ),
            ),
            Feature(
                name="assign",
                task="calmip.course.grade.grade_assign",
                reports={"Written": "calmip.course.report.WRITTEN"},
                output="folder",
                parameters={"exercise": Parameter(words="calmip.course.exercises.EXERCISES")},
                examples=("calmip grade assign 6 roster.csv -o sheets",),
            ),
            Feature(
                name="autograder",
                task="calmip.course.gradescope.grade_autograder",
                reports={"Written": "calmip.course.report.WRITTEN"},
                files=("an autograder", "zip"),
                parameters={
                    "exercise": Parameter(words="calmip.course.exercises.EXERCISES"),
                    "language": Parameter(words="calmip.course.translations.LANGUAGES"),
                },
                examples=("calmip grade autograder 2 -o autograder.zip",),
            ),
            Feature(
                name="submission",
                task="calmip.course.gradescope.grade_submission",
                reports={"Marks": "calmip.course.report.MARKS"},
                makes_folder=True,
                parameters={
                    "exercise": Parameter(words="calmip.course.exercises.EXERCISES"),
                    "language": Parameter(words="calmip.course.translations.LANGUAGES"),
                },
                examples=("calmip grade submission 2 submission/ --format gradescope",),
                exits=(
                    "The exit code is 0 for full marks, 1 for fewer, 3 if a check was not "
                    "decided. With 2 or 4 there are no marks: the assignment or this machine is "
                    "at fault."
                ),
            ),
            Feature(
                name="starters",
                task="calmip.course.handouts.grade_starters",
                reports={"Written": "calmip.course.report.WRITTEN"},
                examples=("calmip grade starters exercises",),
            ),
            Feature(
                name="notebook",
                task="calmip.course.handouts.grade_notebook",
                reports={"Written": "calmip.course.report.WRITTEN"},
                files=("a notebook", "ipynb"),
                parameters={
                    "exercise": Parameter(words="calmip.course.exercises.EXERCISES"),
                    "language": Parameter(words="calmip.course.translations.LANGUAGES"),
                },
                examples=("calmip grade notebook 12 -o exercise-12.ipynb",),
            ),
            Feature(
                name="question",
                task="calmip.course.handouts.grade_question",
                reports={"Written": "calmip.course.report.WRITTEN"},
                output="folder",
                parameters={
                    "exercise": Parameter(words="calmip.course.exercises.EXERCISES"),
                    "language": Parameter(words="calmip.course.translations.LANGUAGES"),
                },
                examples=("calmip grade question 12 -o questions/exercise-12",),
            ),
            Feature(
                name="solutions",
                task="calmip.course.grade.grade_solutions",
                reports={"Written": "calmip.course.report.WRITTEN"},
                examples=("calmip grade solutions answers",),
            ),
        ),
    ),
    Feature(
        name="lesson",
        line="Open a lesson of your own, or a bundled one, in the lab of the page.",
        group="Teach",
        task="calmip.course.lesson.lesson",
        reports={
            "LessonAnswers": "calmip.course.lesson_report.LESSON",
            "Page": "calmip.puzzle.render.reports.answers.PAGE",
        },
        names=("lesson",),
        files=("a page", "html", "htm"),
        examples=(
            "calmip lesson knapsack-cover",
            "calmip lesson mine.yaml -o lesson.html",
            "calmip lesson mine.yaml --codes codes.txt",
        ),
    ),
)
