"""Ages, times between two dates, and amounts in another unit are reckoned from what is said."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, pool

from quaere.domain.report import DirectKind
from quaere.reason.extractive.comparisons.ages import find_age
from quaere.reason.extractive.comparisons.conversions import converted
from quaere.reason.extractive.comparisons.lasting import lasted
from quaere.reason.extractive.direct import UNDECIDED, decide
from quaere.reason.extractive.ranking import Ranking

LIVES: list[Text] = [
    (
        "Lives",
        (
            "Ada Novak (4 March 1961 – 12 May 2020) was an engineer. She joined Orbis on 3 March"
            " 1988, led it from 1999 and left it in 2011. Piet Maas was born in 1974. He founded"
            " Maas Lamps in 2001. Ines Duarte joined Orbis in 1990."
        ),
    ),
]


@pytest.mark.parametrize(
    ("question", "age"),
    [
        ("How old was Ada Novak when she joined Orbis?", "26"),
        ("How old was Ada Novak when she left Orbis?", "49 or 50"),
        ("How old was Ada Novak when she died?", "59"),
        ("At what age did Ada Novak die?", "59"),
        ("What age did Ada Novak live to?", "59"),
        ("How old was Piet Maas when he founded Maas Lamps?", "26 or 27"),
        ("How old was Piet Maas when he died?", None),
        ("How old was Ines Duarte when she joined Orbis?", None),
        ("How old is Ada Novak?", None),
    ],
)
def test_an_age_is_the_time_between_a_birth_and_a_deed(question: str, age: str | None) -> None:
    found = find_age(question, pool(*LIVES))
    assert (found and found.text) == age


@pytest.mark.parametrize(
    ("said", "time"),
    [
        ("The mill ran from 1781 to 1950.", "169 years"),
        ("The ferry was launched in 1904 and sank in 1952.", "48 years"),
        ("The strike began on 3 March 1921 and ended on 14 May 1921.", "72 days"),
        ("The fair is open from 1 May to 30 September 2019.", "152 days"),
        ("The fair is open from 1 May to 2 May 2019.", "1 day"),
        ("The mill ran from 4 May 1781 until 3 May 1950.", "168 years"),
        ("The mill ran from 1949 to 1950.", "1 year"),
        ("The mill ran from 1950 to 1950.", None),
        ("The mill ran from 31 June 1921 to 5 July 1921.", None),
        ("The mill ran from 1781 to 1950, and again from 1960 on.", None),
        ("The mill ran from 1781 to 1950, for 9 hours a day.", None),
        ("The mill was built in 1781 and painted in 1950.", None),
        ("The mill ran from the 1780s to 1950.", None),
        ("The mill ran from 5 May to 7 June.", None),
        ("The mill ran in 1781.", None),
    ],
)
def test_a_time_is_reckoned_from_its_ends(said: str, time: str | None) -> None:
    assert lasted("How long did it last?", said) == time


def test_a_time_is_reckoned_where_one_is_asked_for() -> None:
    said = "The mill ran from 1781 to 1950."
    assert lasted("How many years did the mill run?", said) == "169 years"
    assert lasted("How long was the mill in use?", said) == "169 years"
    assert lasted("How long was the mill open?", said) == "169 years"
    assert lasted("When did the mill run?", said) is None
    assert lasted("How long is the mill?", said) is None
    assert lasted("How long was the mill?", said) is None
    assert lasted("How many years after the flood did the mill run?", said) is None


@pytest.mark.parametrize(
    ("question", "said", "amount"),
    [
        ("How long is the Esk in km?", "The Esk is 31 miles long.", "49.9 km (31 miles)"),
        ("How long is the Esk in km?", "The Esk is 31 miles (50 km) long.", None),
        ("How long is the Esk in km?", "The Esk is 31 miles long, its mouth 2 miles wide.", None),
        ("How long is the Esk in hours?", "The Esk is 31 miles long.", None),
        ("How long is the Esk?", "The Esk is 31 miles long.", None),
        ("How high is it in feet?", "It is 41 m high.", "135 feet (41 m)"),
        ("What is its height in metres?", "It is 5,000 ft high.", "1,524 metres (5,000 ft)"),
        ("How heavy is it in grams?", "It weighs 1.25 kg.", "1,250 grams (1.25 kg)"),
        (
            "How many minutes long is the film?",
            "It runs for two hours and forty-one minutes.",
            "161 minutes (two hours and forty-one minutes)",
        ),
        ("How many minutes long is the film?", "It runs for 161 minutes.", None),
        ("How many hours does it take?", "It takes 90 minutes.", "1.5 hours (90 minutes)"),
        ("How many boats does it take?", "It takes 90 minutes.", None),
    ],
)
def test_an_amount_is_told_in_the_unit_that_is_asked_for(
    question: str, said: str, amount: str | None
) -> None:
    assert converted(question, said) == amount


def test_what_is_reckoned_is_proved_by_its_sentence() -> None:
    read = pool(("Esk", "The Esk is 31 miles long."))
    question = "How long is the Esk in km?"
    decision = decide(question, read, Ranking(read, question))
    assert (decision.kind, decision.text) == (DirectKind.NUMBER, "49.9 km (31 miles)")
    assert decision.lines[0].text == "The Esk is 31 miles long."


def test_a_sentence_that_chooses_neither_of_two_is_in_doubt() -> None:
    read = pool(("Towers", "The red tower is 29 m high. The lamp burns."))
    question = "Which is taller, the red tower or the lamp?"
    decision = decide(question, read, Ranking(read, question))
    assert decision.kind is DirectKind.SENTENCE
    assert decision.confidence <= UNDECIDED
