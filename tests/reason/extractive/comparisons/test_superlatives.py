"""Which of several things is the most of something, and by how much one is more than another."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, pool

from quaere.reason.extractive.comparisons.differences import find_difference
from quaere.reason.extractive.comparisons.superlatives import find_foremost, lacks_superlative

BRIDGES: list[Text] = [
    ("Harbour Bridge", "Harbour Bridge opened in 1932. It is 210 m long and 41 m high."),
    ("Mill Bridge", "Mill Bridge was built by Jan Kolar in 1781. The bridge is 64 m long."),
    ("North Bridge", "North Bridge opened on 3 May 1936. Its towers rise 850 feet."),
]
RIVERS: list[Text] = [
    (
        "Rivers",
        (
            "The Sorrel is 112 km long and the Esk 90 km. The Lind is 61 miles long. The Arde"
            " is shorter. No river here is deeper than 20 m."
        ),
    ),
]
STAFF: list[Text] = [
    (
        "Staff",
        (
            "Ada Novak was born in Brno in 1961 and joined in 1988. Piet Maas (born 1974) joined"
            " in 2001. Ines Duarte joined in 1999."
        ),
    ),
]
FILMS: list[Text] = [
    ("Tin Lanterns", "Tin Lanterns is a 1984 drama film."),
    ("Salt Road", "Salt Road is a film that was released in 1999."),
]
TICKETS: list[Text] = [
    ("Prices", "A day ticket costs 18 euros; a family ticket costs 35 euros. A key costs $3."),
]
RUNS: list[Text] = [
    ("Tern", "The Tern took 90 minutes and weighs 1.5 kg."),
    ("Heron", "The Heron took 3 hours and weighs 3 kg."),
]


@pytest.mark.parametrize(
    ("question", "texts", "first"),
    [
        ("Which bridge is the longest?", BRIDGES, "Harbour Bridge"),
        ("Which of the bridges is the highest?", BRIDGES, "North Bridge"),
        ("What is the oldest bridge?", BRIDGES, "Mill Bridge"),
        ("Which bridge is the newest?", BRIDGES, "North Bridge"),
        ("Which bridge opened last?", BRIDGES, "North Bridge"),
        ("Which river is the longest?", RIVERS, "Sorrel"),
        ("Which river is the shortest?", RIVERS, "Esk"),
        ("Who joined last?", STAFF, "Piet Maas"),
        ("Who joined first?", STAFF, "Ada Novak"),
        ("Who is the youngest?", STAFF, "Piet Maas"),
        ("Which film came out last?", FILMS, "Salt Road"),
        ("Which bridge is the deepest?", BRIDGES, None),
        ("Which bridge is the longest?", BRIDGES[:1], None),
        ("Which of two bridges is it?", BRIDGES, None),
        (
            "Which bridge is the longest?",
            [*BRIDGES, ("Notes", "The longest bridge is in Elm.")],
            None,
        ),
    ],
)
def test_the_foremost_is_ahead_of_all_that_tell_it(
    question: str, texts: list[Text], first: str | None
) -> None:
    found = find_foremost(question, pool(*texts))
    assert (found and found.text) == first


def test_the_lines_of_the_foremost_come_first() -> None:
    found = find_foremost("Which bridge is the longest?", pool(*BRIDGES))
    assert found is not None
    assert ["210" in line.text for line in found.lines] == [True, False]


@pytest.mark.parametrize(
    ("question", "texts", "text"),
    [
        ("How much longer is Harbour Bridge than Mill Bridge?", BRIDGES, "146 m"),
        ("By how much longer is Harbour Bridge than Mill Bridge?", BRIDGES, "146 m"),
        ("How much shorter is Mill Bridge than Harbour Bridge?", BRIDGES, "146 m"),
        ("How much longer is Mill Bridge than Harbour Bridge?", BRIDGES, None),
        ("How many years after Mill Bridge was North Bridge built?", BRIDGES, None),
        ("How many years after Harbour Bridge was North Bridge opened?", BRIDGES, "4 years"),
        ("How much longer is the Sorrel than the Esk?", RIVERS, "22 km"),
        ("How much cheaper is a day ticket than a family ticket?", TICKETS, "€17"),
        ("How much more does a family ticket cost than a day ticket?", TICKETS, "€17"),
        ("How much less does a day ticket cost than a key?", TICKETS, None),
        ("By how many metres is Harbour Bridge longer than Mill Bridge?", BRIDGES, "146 m"),
        ("How much heavier is the Heron than the Tern?", RUNS, "1.50 kg"),
        ("How much longer did the Heron take than the Tern?", RUNS, None),
        ("How much longer is Harbour Bridge than North Bridge?", BRIDGES, None),
    ],
)
def test_a_difference_is_of_two_plain_facts(
    question: str, texts: list[Text], text: str | None
) -> None:
    found = find_difference(question, pool(*texts))
    assert (found and found.text) == text


@pytest.mark.parametrize(
    ("question", "text", "lacks"),
    [
        ("Which river is the longest?", "No river here is deeper than 20 m.", True),
        ("Which river is the longest?", "The Sorrel is the longest river.", False),
        ("Which river is the longest?", "The Sorrel is longer than all others.", False),
        ("Who joined last?", "Ada joined in 1988.", False),
        ("Which hut has the most beds?", "Thirty people sleep there.", True),
        ("Which hut has the most beds?", "It has more beds than any other hut.", False),
        ("Which hut has the fewest beds?", "Thirty people sleep there.", True),
        ("In which class at Elm are the smallest desks?", "Class 3 has 27 desks.", True),
        ("Which guest rests in the west?", "Ada does.", False),
        ("Which river is it?", "No river here is deeper than 20 m.", False),
    ],
)
def test_what_does_not_say_the_most_is_in_doubt(question: str, text: str, lacks: bool) -> None:
    assert lacks_superlative(question, text) is lacks
