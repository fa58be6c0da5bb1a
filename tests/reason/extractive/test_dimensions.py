"""A dimension asked for by its noun is told by a line that speaks of it, and of the thing."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, pool

from quaere.domain.report import SURE
from quaere.reason.extractive.decision import Decision
from quaere.reason.extractive.dimensions import (
    lacks_dimension,
    measures_another,
    thing_measured,
)
from quaere.reason.extractive.direct import decide
from quaere.reason.extractive.ranking import Ranking
from quaere.text.languages.language import languages, speaking

SHEET: Text = (
    "Lumo desk lamp",
    (
        "| Feature | Value |\n|---|---|\n| Height | 45 cm |\n| Weight | 1.2 kg |\n"
        "| Cable | 1.8 m |\n\nThe shade weighs 90 g and is 18 cm wide. It lasts about 25,000 hours."
    ),
)
HALL: Text = (
    "Brell Hall",
    (
        "Brell Hall was built in 1884. The hall is 32 m long and 14 m high. It seats 420 people."
        " The tower was added in 1902; it cost 3,400 pounds. The bell weighs 640 kg and can be"
        " heard 5 km away. The stage is raised to 70 cm and heated to 19 degrees."
    ),
)
BATHS: Text = (
    "Hask baths",
    (
        "The large pool measures 25 m by 12 m and is 3.8 m deep. The paddling pool is heated to 32"
        " degrees. Swimmers must be 8 years old."
    ),
)
PHONE: Text = (
    "Torva 3",
    "The phone weighs 180 g and is 8 mm thick. The case that comes with it weighs 40 g.",
)


def answered(question: str, *texts: Text) -> Decision:
    held = pool(*texts)
    return decide(question, held, Ranking(held, question))


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is the height of the hall?", "14 m"),
        ("What is the length of the hall?", "32 m"),
        ("What is the weight of the bell?", "640 kg"),
        ("What's the width of the large pool?", "12 m"),
        ("What is the depth of the large pool?", "3.8 m"),
        ("What is the temperature of the paddling pool?", "32"),
        ("What is the weight of the Lumo?", "1.2 kg"),
        ("How heavy is the Lumo desk lamp?", "1.2 kg"),
        ("How much does the lamp weigh?", "1.2 kg"),
        ("How tall is the lamp?", "45 cm"),
        ("How heavy is the Torva 3?", "180 g"),
        ("What did the tower cost?", "3,400 pounds"),
    ],
)
def test_a_dimension_is_told_of_its_thing(question: str, text: str) -> None:
    found = answered(question, HALL, BATHS, SHEET, PHONE)
    assert text in f"{found.text} {found.lines[0].text}"
    assert found.confidence >= SURE


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("What is the width of the hall?", id="of the hall no width is told"),
        pytest.param("What is the volume of the hall?", id="it seats people"),
        pytest.param("What is the age of the hall?", id="no age"),
        pytest.param("What is the height of the tower?", id="the hall is high"),
        pytest.param("What is the weight of the tower?", id="pounds are paid"),
        pytest.param("What is the height of the bell?", id="the bell is heavy"),
        pytest.param("What is the temperature of the bell?", id="the stage is heated"),
        pytest.param("What did the hall cost?", id="the tower did cost something"),
        pytest.param("What is the depth of the paddling pool?", id="the large pool is deep"),
        pytest.param("How deep is the paddling pool?", id="deep, said with how"),
        pytest.param("How wide may the paddling pool be?", id="another is wide"),
        pytest.param("What is the temperature of the large pool?", id="the paddling pool is warm"),
        pytest.param("What is the depth of the lamp?", id="no depth in the table"),
        pytest.param("What is the speed of the lamp?", id="it lasts for hours"),
    ],
)
def test_what_is_told_of_something_else_is_not_certain(question: str) -> None:
    assert answered(question, HALL, BATHS, SHEET, PHONE).confidence < SURE


@pytest.mark.parametrize(
    ("question", "line", "lacks"),
    [
        ("What is the height of the gate?", "The gate was painted in 1902.", True),
        ("What is the height of the gate?", "The gate stands 4 m above the road.", False),
        ("What height is the gate?", "The gate was painted in 1902.", True),
        ("What is the height limit of the gate?", "The gate was painted in 1902.", False),
        ("What is the length of a name?", "A name has up to 40 characters.", False),
        ("What is the length of the ride?", "The ride costs 3 euros.", True),
        ("What is the length of the ride?", "The ride is 12 km.", False),
        ("What is the area of the park?", "The park has 140 trees on 3 hectares.", False),
        ("What is the area of the park?", "The park is 2 km south.", True),
        ("What is the area of study?", "She works on moths.", False),
        ("What is her area of expertise?", "She works on moths.", False),
        ("What is the volume of the tank?", "The tank holds 180 litres.", False),
        ("What is the volume of the tank?", "The tank is 8 mm thick.", True),
        ("What was the volume of freight?", "Freight rose to 3 million in 2021.", True),
        ("What was the volume of sales?", "Sales rose to 3 million in 2021.", False),
        ("What is the minimum age for members?", "Members must be over 16.", False),
        ("What is the minimum age for members?", "Members pay 16 euros.", True),
        ("What is the width of the mat?", "The mat is 60 × 40 cm.", False),
        ("What is the width of the mat?", "The mat is 60 by 40 cm.", False),
        ("What is the width of the mat?", "The mat was made by Hask.", True),
        ("What is the speed of the fan?", "The fan turns at 900 rpm.", False),
        ("What is the duration of the course?", "The course is two weeks.", False),
        ("What is the duration of the course?", "The course costs 90 euros.", True),
        ("What is the voltage?", "The socket gives 230 V.", False),
        ("Who measured the height of the gate?", "Odile Varga did.", False),
    ],
)
def test_a_line_has_the_words_or_the_units_of_a_dimension(
    question: str, line: str, *, lacks: bool
) -> None:
    held = next(iter(pool(("Notes", line)).lines))
    assert lacks_dimension(question, held) is lacks


def test_the_head_of_a_column_names_what_its_figures_measure() -> None:
    table = "| Gate | Height (m) |\n|---|---|\n| North | 4.1 |\n"
    row = next(each for each in pool(("Gates", table)).lines if each.text.startswith("| North"))
    assert not lacks_dimension("What is the height of the north gate?", row)
    assert lacks_dimension("What is the weight of the north gate?", row)


def test_a_thing_is_asked_about_where_nothing_else_is_said() -> None:
    assert thing_measured("What is the total weight of the old bell?") == "old bell"
    assert thing_measured("What is the temperature in the barn?") == "barn"
    assert not thing_measured("What is the weight of the bell that Odile rang in 1902?")
    assert not thing_measured("What is the name of the bell?")


def test_a_line_without_the_thing_is_not_about_it() -> None:
    held = pool(HALL, BATHS)
    by_beginning = {each.text.partition(" is ")[0]: each for each in held.lines}
    question = "What is the temperature of the paddling pool?"
    assert measures_another(question, by_beginning["The stage"], held)
    assert not measures_another(question, by_beginning["The paddling pool"], held)
    unknown = "What is the height of the canal?"
    assert not measures_another(unknown, by_beginning["The hall"], held)


def test_other_languages_have_dimensions_of_their_own() -> None:
    held = next(iter(pool(("Halle", "Die Halle hat 420 Plätze.")).lines))
    assert lacks_dimension("What is the height of the hall?", held)
    with speaking(languages()["de"]):
        assert not lacks_dimension("What is the height of the hall?", held)
