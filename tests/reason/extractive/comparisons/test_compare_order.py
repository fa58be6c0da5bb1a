"""Which of two things comes out ahead, by what dates and amounts are of each."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.reason.extractive.passages import Text, pool

from quaere.reason.extractive.comparisons.compare import Choice, decide_comparison, order
from quaere.reason.extractive.questions.parts import claimed_order
from quaere.text.languages.language import language_of, speaking

RIVERS: list[Text] = [("Sorrel", "The Sorrel is 12 km long."), ("Esk", "The Esk is 9 km long.")]
BUILT: list[Text] = [
    ("Mill", "The mill was built in 1880."),
    ("Lamp", "The lamp was built in 1890."),
]
BIKES: list[Text] = [
    (
        "Bikes",
        "The Swift weighs 11 kg and costs €18 a day. The Cargo costs €35 a day; it weighs 24 kg.",
    ),
]
GERMAN: list[Text] = [
    ("Sorrel", "Die Sorrel ist 12 km lang."),
    ("Esk", "Die Esk ist 9 km lang."),
]


def ordered(question: str, texts: Sequence[Text]) -> Choice:
    """Return how an order that ``question`` supposes turns out."""
    with speaking(language_of(question)):
        claimed = claimed_order(question)
        assert claimed is not None
        return order(claimed, pool(*texts))


@pytest.mark.parametrize(
    ("question", "texts", "winner"),
    [
        ("Is the Sorrel longer than the Esk?", RIVERS, "the Sorrel"),
        ("Is the Esk longer than the Sorrel?", RIVERS, "the Sorrel"),
        ("Is the Sorrel shorter than the Esk?", RIVERS, "the Esk"),
        ("Is the Swift cheaper than the Cargo?", BIKES, "the Swift"),
        ("Is the Swift more expensive than the Cargo?", BIKES, "the Cargo"),
        ("Is the Cargo lighter than the Swift?", BIKES, "the Swift"),
        ("Is the Cargo faster than the Swift?", BIKES, ""),
        ("Was the mill built before the lamp?", BUILT, "the mill"),
        ("Was the mill built after the lamp?", BUILT, "the lamp"),
        ("Ist die Sorrel länger als die Esk?", GERMAN, "die Sorrel"),
        ("Ist die Sorrel kürzer als die Esk?", GERMAN, "die Esk"),
        ("Is the Sorrel longer than the Esk?", RIVERS[:1], ""),
        ("Is the Sorrel warmer than the Esk?", RIVERS, ""),
    ],
)
def test_of_whom_it_is_true_that_was_supposed(
    question: str, texts: list[Text], winner: str
) -> None:
    choice = ordered(question, texts)
    assert (choice.winner, choice.by_value, len(choice.lines)) == (
        (winner, True, 2) if winner else ("", False, 0)
    )
    assert not winner or winner.rpartition(" ")[2] in choice.lines[0].text


TABLE = "All.\n\n| What | Built |\n|---|---|\n| mill | {} |\n| lamp | {} |\n"


@pytest.mark.parametrize(
    ("mill", "lamp", "winner"),
    [
        ("1880", "1870", "the lamp"),
        ("1880", "May 1890", "the mill"),
        ("1880", "1880", ""),
        ("1880, 1890", "1870", ""),
        ("1880", "unknown", ""),
    ],
)
def test_a_cell_decides_by_the_only_date_that_it_has(mill: str, lamp: str, winner: str) -> None:
    question = "Which was built first, the mill or the lamp?"
    choice = decide_comparison(question, pool(("Buildings", TABLE.format(mill, lamp))))
    assert (choice.winner, choice.by_value) == (winner, bool(winner))


LONGER = "Which is longer, the Sorrel or the Esk?"


@pytest.mark.parametrize(
    ("question", "texts", "winner"),
    [
        pytest.param(
            LONGER, [RIVERS[0], ("Esk", "The Esk is 9 miles long.")], "the Esk", id="of two units"
        ),
        pytest.param(
            LONGER,
            [("Sorrel", "One of 30 rivers, it is 7 km long."), RIVERS[1]],
            "the Esk",
            id="the one with a unit",
        ),
        pytest.param(
            "Which has more boats, Hask or Brell?",
            [("Hask", "Hask had 12 boats."), ("Brell", "In May 1999 Brell had 9 boats.")],
            "Hask",
            id="not one in a date",
        ),
        pytest.param(
            "Who was born first, Ada Brandt or Jon Hask?",
            [
                ("Ada Brandt", "Ada Brandt (4 March 1890 - 2 July 1951)."),
                ("Jon Hask", "Jon Hask wrote in 1870. He was born in 1893 and wed in 1860."),
            ],
            "Ada Brandt",
            id="the first of a life",
        ),
        pytest.param(
            "Who was born first, Ada Brandt or Jon Hask?",
            [
                ("Ada Brandt", "Ada Brandt (4 March 1890 - 2 July 1951)."),
                ("Jon Hask", "Jon Hask wrote in 1870."),
            ],
            "",
            id="none that is no birth",
        ),
        pytest.param(
            "Who died first, Ada Brandt or Jon Hask?",
            [
                ("Ada Brandt", "Ada Brandt (born 4 March 1890)."),
                ("Jon Hask", "Jon Hask died in 1893."),
            ],
            "",
            id="one in a life is a birth",
        ),
        pytest.param(
            "Who died first, Ada Brandt or Jon Hask?",
            [
                ("Ada Brandt", "Ada Brandt (1890 - 2 July 1951) sang."),
                ("Jon Hask", "In 1960 Jon Hask died."),
            ],
            "Ada Brandt",
            id="one before the word, if it is the only one",
        ),
    ],
)
def test_the_figure_is_the_one_that_is_asked_for(
    question: str, texts: list[Text], winner: str
) -> None:
    assert decide_comparison(question, pool(*texts)).winner == winner


@pytest.mark.parametrize(
    "question",
    ["Is the Sorrel or the Esk?", "Do the Sorrel and the Esk have the same mouth?", "Is it long?"],
)
def test_what_picks_none_of_two_decides_nothing(question: str) -> None:
    choice = decide_comparison(question, pool(*RIVERS))
    assert (choice.winner, choice.lines) == ("", ())


def test_what_is_shared_is_told_by_a_sentence_about_each_side() -> None:
    texts = [
        ("Hask", "Menu | Home | Hask\n\nHask is a port. Hask has lamps."),
        ("Brell", "Brell is a port."),
        ("Hask and Brell", "Hask and Brell are ports."),
    ]
    choice = decide_comparison("What do Hask and Brell have in common?", pool(*texts))
    assert [line.text for line in choice.lines] == ["Hask is a port.", "Brell is a port."]
    assert not choice.by_value
