"""Whether something is so on a day of the week."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.reason.extractive.weekdays import days_in
from quaere.reason.extractive.yes_no import decide_yes_no
from quaere.text.languages.language import languages, speaking

YARD: Text = (
    "Hask yard",
    (
        "The chandlery opens from Tuesday to Friday. The sauna opens on Mondays and at weekends."
        " The crane does not run on Sundays. The canteen opens daily except on Thursdays."
        " The slip was mended on a Wednesday."
    ),
)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("open on Tuesdays and Sunday", {1, 6}),
        ("Friday to Monday", {4, 5, 6, 0}),
        ("MONDAY–WEDNESDAY", {0, 1, 2}),
        ("at weekends", {5, 6}),
        ("on weekdays and on Saturdays", {0, 1, 2, 3, 4, 5}),
        ("a holiday some day", set[int]()),
    ],
)
def test_days_are_read_with_those_in_between(text: str, days: set[int]) -> None:
    assert days_in(text) == days


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Is the chandlery of the Hask yard open on Thursdays?", True),
        ("Does the chandlery open on Saturdays?", False),
        ("Does the chandlery open on Fridays and Saturdays?", None),
        ("Does the sauna open on Sundays?", True),
        ("Does the sauna open on Tuesdays?", False),
        ("Does the crane run on Mondays?", None),
        ("Does the canteen open on Mondays?", True),
        ("Does the canteen open on Thursdays?", False),
        ("Does the bakery of the harbour office open on Mondays?", None),
        ("Does the sauna not open on Sundays?", None),
    ],
)
def test_what_is_told_to_be_on_some_days_is_not_on_others(question: str, says: bool | None) -> None:
    found = decide_yes_no(question, pool(YARD))
    assert (found.says if found else None) is says


def test_the_days_are_the_proof() -> None:
    said = answer("Does the chandlery open on Saturdays?", YARD)
    assert said[0].direct is not None
    assert said[0].direct.text == "No"
    assert said[0].text == "The chandlery opens from Tuesday to Friday."


@pytest.mark.parametrize(("day", "says"), [("Fridays", True), ("Saturdays", False)])
def test_what_is_closed_on_a_day_is_said_to_be(day: str, *, says: bool) -> None:
    shed = ("Shed", "The slipway is closed on Fridays and open on Saturdays.")
    found = decide_yes_no(f"Is the slipway closed on {day}?", pool(shed))
    assert found is not None
    assert found.says is says


def test_what_is_so_on_its_days_only_is_so_on_no_other() -> None:
    said = "Open on Monday and Friday from ten to three. Tar is sold on Wednesdays only."
    found = decide_yes_no("Is tar sold on Fridays?", pool(("Shed", said)))
    assert found is not None
    assert found.says is False


@pytest.mark.parametrize(
    ("code", "text", "days"),
    [
        ("de", "dienstags bis donnerstags und am Sonntag", {1, 2, 3, 6}),
        ("fr", "du lundi au mercredi et le week-end", {0, 1, 2, 5, 6}),
        ("es", "de viernes a domingo", {4, 5, 6}),
        ("it", "dal martedì al giovedì e la domenica", {1, 2, 3, 6}),
        ("pt", "de segunda a quinta-feira e aos sábados", {0, 1, 2, 3, 5}),
        ("pt", "a segunda fase e a quinta edição", set[int]()),
        ("nl", "maandag tot en met woensdag, ook op zondagen", {0, 1, 2, 6}),
        ("zh", "每周三至周五和星期天", {2, 3, 4, 6}),
        ("ja", "火曜日から木曜日と日曜", {1, 2, 3, 6}),
    ],
)
def test_days_are_read_as_their_language_names_them(code: str, text: str, days: set[int]) -> None:
    with speaking(languages()[code]):
        assert days_in(text) == days


OPEN_ELSEWHERE = {
    "de": (
        "Die Seilerei ist von Mittwoch bis Freitag geöffnet, montags geschlossen.",
        "Ist die Seilerei {} geöffnet?",
        ("am Donnerstag", "montags", "sonntags"),
    ),
    "fr": (
        "La corderie est ouverte tous les jours sauf le lundi.",
        "La corderie est-elle ouverte {} ?",
        ("le jeudi", "le lundi", None),
    ),
    "es": (
        "La cordelería abre de miércoles a viernes y cierra los lunes.",
        "¿Abre la cordelería {}?",
        ("los jueves", None, "los domingos"),
    ),
    "it": (
        "La corderia è aperta dal mercoledì al venerdì, chiusa il lunedì.",
        "La corderia è aperta {}?",
        ("il giovedì", "il lunedì", "la domenica"),
    ),
    "pt": (
        "A cordoaria está aberta todos os dias, exceto às segundas-feiras.",
        "A cordoaria está aberta {}?",
        ("à quinta-feira", "à segunda", None),
    ),
    "nl": (
        "De touwslagerij is open van woensdag t/m vrijdag; op maandag is zij gesloten.",
        "Is de touwslagerij {} open?",
        ("op donderdag", "op maandag", "op zondag"),
    ),
    "zh": ("绳索馆周三至周五开放，周一闭馆。", "绳索馆{}开放吗？", ("星期四", "星期一", "周日")),
    "ja": (
        "縄工房は水曜日から金曜日まで営業し、月曜日は定休日です。",
        "縄工房は{}に営業していますか？",
        ("木曜日", "月曜日", "日曜日"),
    ),
}


@pytest.mark.parametrize("code", OPEN_ELSEWHERE)
def test_open_on_some_days_is_told_in_each_language(code: str) -> None:
    line, question, (open_on, closed_on, neither) = OPEN_ELSEWHERE[code]
    with speaking(languages()[code]):
        evidence = pool((f"{code}.md", line))
        for day, says in ((open_on, True), (closed_on, False), (neither, False)):
            if day is not None:
                found = decide_yes_no(question.format(day), evidence)
                assert (day, found and found.says) == (day, says)


@pytest.mark.parametrize(
    ("code", "question", "line"),
    [
        ("de", "Hat die Seilerei montags offen?", "Montags bleibt sie geschlossen."),
        ("it", "La corderia è aperta la domenica?", "La domenica è chiusa."),
        ("ja", "縄工房は月曜日も開いていますか？", "毎週月曜日は定休日です。"),
    ],
)
def test_closed_under_a_title_is_a_no(code: str, question: str, line: str) -> None:
    titles = {"de": "Seilerei Hask", "it": "Corderia Hask", "ja": "縄工房ハスク"}
    with speaking(languages()[code]):
        found = decide_yes_no(question, pool((titles[code], line)))
    assert found is not None
    assert found.says is False


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Mon-Wed 9-17, Sat 9-12", {0, 1, 2, 5}),
        ("Tue & Thu: 4 pm", {1, 3}),
        ("Thurs. to Sun 8-10", {3, 4, 5, 6}),
        ("The Sun shines, Wed or not; a hat and sun cream", set[int]()),
    ],
)
def test_days_are_read_as_lists_of_hours_write_them(text: str, days: set[int]) -> None:
    assert days_in(text) == days


HOURS: Text = (
    "Tarn pool",
    (
        "# Tarn pool\n\n## Opening hours\n\nTuesday to Friday 10-18, Thu until 9 pm, Sat 9-12.\n\n"
        "## Boats\n\nThe ferry runs from Monday to Saturday. On Sundays there is a punt at noon.\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Is the pool open at 8pm on Thursdays?", True),
        ("Is the pool open at 8pm on Wednesdays?", False),
        ("Is the pool open at 10:30 on Saturday?", True),
        ("Is the pool open at 12:30 on Saturday?", False),
        ("Is the pool open at 7 on Thursday?", None),
        ("Is the pool open at 11 on Friday?", None),
        ("Is the pool open on Saturday?", True),
        ("Is the bakery open at 8pm on Thursdays?", None),
        ("Does the ferry run on Sundays?", True),
        ("Does the ferry run on Fridays?", True),
    ],
)
def test_hours_and_days_are_read_with_what_stands_over_and_beside_them(
    question: str, says: bool | None
) -> None:
    found = decide_yes_no(question, pool(HOURS))
    assert (found.says if found else None) is says


def test_leave_that_is_given_for_some_hours_of_a_day_is_told_with_them() -> None:
    rules: Text = ("Rules", "Drilling is allowed from 9 am to noon on Mondays to Thursdays.")
    direct = answer("Is drilling allowed on Tuesdays?", rules)[0].direct
    assert direct is not None
    assert direct.text == rules[1]
    refused = answer("Is drilling allowed on Sundays?", rules)[0].direct
    assert refused is not None
    assert refused.text == "No"
