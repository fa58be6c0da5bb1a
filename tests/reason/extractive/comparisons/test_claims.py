"""Whether a thing is more, or less, than a value: "longer than 100 m", "opened before 1940"."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, pool

from quaere.reason.extractive.yes_no import Ground, decide_yes_no

BRIDGES: list[Text] = [
    (
        "Harbour Bridge",
        (
            "Harbour Bridge crosses the Lind. It was planned in 1929 and opened in 1932. It is 210"
            " m long and 41 m high."
        ),
    ),
    ("Mill Bridge", "Mill Bridge was built by Jan Kolar in 1781. The bridge is 64 m long."),
    ("North Bridge", "North Bridge opened in 1936. Its towers rise 850 feet above the water."),
]
BATHS: list[Text] = [
    (
        "Visiting the baths",
        (
            "A day ticket costs 18 euros; a family ticket costs 35 euros. The main pool is 25 m"
            " long, 12 m wide and between 1.2 m and 3.4 m deep. The outdoor pool is more than"
            " 50 m long. I paid 14 euros in 2019."
            " The baths were opened on 3 May 1978 and rebuilt in 2004."
        ),
    ),
]
STAFF: list[Text] = [
    (
        "Staff",
        (
            "Ada Novak was born in 1961 and joined the firm in 1988. Piet Maas (born 1974) joined"
            " in 2001 and became head of sales in 2010."
        ),
    ),
]
FILMS: list[Text] = [
    ("Tin Lanterns", "Tin Lanterns is a 1984 drama film. It runs for 104 minutes."),
    ("Salt Road", "Salt Road was released in 1999."),
]
PUMPS: list[Text] = [
    (
        "Pumps",
        (
            "| Model | Weight (kg) | Introduced |\n| --- | --- | --- |\n| Tern | 4.2 | 2015 |\n"
            "| Heron | 11 | 2018 |\n| Kite | | 2021 |\n"
        ),
    ),
]


@pytest.mark.parametrize(
    ("question", "texts", "says"),
    [
        ("Is Harbour Bridge longer than 100 m?", BRIDGES, True),
        ("Is Mill Bridge longer than 100 m?", BRIDGES, False),
        ("Is Mill Bridge shorter than 100 m?", BRIDGES, True),
        ("Is Harbour Bridge higher than 100 m?", BRIDGES, False),
        ("Is North Bridge higher than 250 m?", BRIDGES, True),
        ("Is North Bridge higher than 900 ft?", BRIDGES, False),
        ("Was Harbour Bridge opened before 1930?", BRIDGES, False),
        ("Was Mill Bridge built after 1800?", BRIDGES, False),
        ("Is Harbour Bridge older than North Bridge?", BRIDGES, True),
        ("Are both Harbour Bridge and Mill Bridge longer than 50 m?", BRIDGES, True),
        ("Are both Harbour Bridge and Mill Bridge longer than 100 m?", BRIDGES, False),
        ("Is a day ticket cheaper than 20 euros?", BATHS, True),
        ("Does a family ticket cost more than 30 euros?", BATHS, True),
        ("Is the main pool wider than 15 m?", BATHS, False),
        ("Were the baths rebuilt after 2000?", BATHS, True),
        ("Were the baths opened after 2000?", BATHS, False),
        ("Did Piet Maas join after 2005?", STAFF, False),
        ("Did Piet Maas become head of sales before 2005?", STAFF, False),
        ("Did Ada Novak join before Piet Maas?", STAFF, True),
        ("Did both Tin Lanterns and Salt Road come out before 2000?", FILMS, True),
        ("Did both Tin Lanterns and Salt Road come out before 1990?", FILMS, False),
        ("Is Tin Lanterns longer than 2 hours?", FILMS, False),
        ("Is the Heron heavier than 10 kg?", PUMPS, True),
        ("Is the bell heavier than 90 kg?", [("Hall", "The bell of the Halcyon, 95 kg.")], True),
        ("Was the terrier Fidget born before 2015?", [("Dogs", "Fidget, born 2 Dec 2014.")], True),
        ("Is the Tern heavier than 10 lb?", PUMPS, False),
        ("Was the Kite introduced after 2020?", PUMPS, True),
    ],
)
def test_a_value_decides(question: str, texts: list[Text], says: bool) -> None:
    answer = decide_yes_no(question, pool(*texts))
    assert answer is not None
    assert (answer.says, answer.ground) == (says, Ground.READ)


VALLEY: list[Text] = [
    (
        "Notes on the valley",
        """# Notes on the valley

The Sorrel rises at 610 m and runs for 143 km before it meets the sea at Port Ansley. Its feeder,
the Esk, is 31 miles from source to mouth.

### Friar's Bridge, Kelderby

Put up by 1791. The whole is 88 metres long.

### Swing Bridge

It was opened on 3 June 1898. Overall length 212 m.
""",
    ),
    (
        "Penhale School, Ansley",
        "Founded in 1893, it has 624 pupils. Hallow Hall goes back to 1602.",
    ),
]


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Is Friar's Bridge longer than 100 m?", False),
        ("Is the Swing Bridge longer than Friar's Bridge?", True),
        ("Is the Sorrel longer than the Esk?", True),
        ("Is the Sorrel longer than 150 km?", False),
        ("Was the Swing Bridge opened before 1900?", True),
        ("Is Penhale School older than Hallow Hall?", False),
        ("Is Port Ansley longer than 20 km?", None),
    ],
)
def test_a_section_and_a_page_are_about_what_heads_them(question: str, says: bool | None) -> None:
    answer = decide_yes_no(question, pool(*VALLEY))
    assert (answer and answer.says) is says


def test_of_a_year_and_a_day_in_it_neither_is_known_to_be_earlier() -> None:
    films: list[Text] = [
        ("Tin Lanterns", "Tin Lanterns is a 2016 film."),
        ("Salt Road", "Salt Road is a 2016 film. It was released on 10 June 2016."),
        ("Weir", "Weir was released on 17 June 2016."),
    ]
    assert decide_yes_no("Did Salt Road come out before Weir?", pool(*films)) is not None
    for question in (
        "Did Tin Lanterns come out before Weir?",
        "Did Salt Road come out before 2016?",
    ):
        answer = decide_yes_no(question, pool(*films))
        assert answer is None or answer.ground is not Ground.READ


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        pytest.param("Is the main pool deeper than 2 m?", BATHS, id="a range"),
        pytest.param("Is the outdoor pool longer than 60 m?", BATHS, id="a bound"),
        pytest.param("Do I pay more than 15 euros?", BATHS, id="of nobody named"),
        pytest.param("Is the ticket cheaper than 20 euros?", BATHS, id="of several"),
        pytest.param("Is the Kite heavier than 3 kg?", PUMPS, id="an empty cell"),
        pytest.param("Is Harbour Bridge longer than 100?", BRIDGES, id="of no unit"),
        pytest.param("Is Harbour Bridge longer than 100 kg?", BRIDGES, id="of another unit"),
        pytest.param("Is Harbour Bridge longer than 3 barges?", BRIDGES, id="by things"),
        pytest.param(
            "Is the bell bigger than the drum?",
            [("Hall", "The bell of the Halcyon, 95 kg. The drum, 12 kg.")],
            id="by a weight",
        ),
        pytest.param("Was Mill Bridge opened before 1940?", BRIDGES, id="of another deed"),
        pytest.param(
            "Is Mill Bridge longer than 50 m?",
            [("Mill Bridge", "Mill Bridge is old. North Bridge is 340 m long.")],
            id="of another thing on its page",
        ),
        pytest.param(
            "Is Mill Bridge longer than 50 m?",
            [("Mill Bridge", "Mill Bridge is not 64 m long.")],
            id="denied",
        ),
    ],
)
def test_nothing_is_decided_by_what_is_not_plainly_said(question: str, texts: list[Text]) -> None:
    answer = decide_yes_no(question, pool(*texts))
    assert answer is None or answer.ground is not Ground.READ
