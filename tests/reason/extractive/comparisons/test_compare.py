from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, pool

from quaere.reason.extractive.comparisons.compare import decide_comparison

LIGHTS: Text = (
    "Harbour Lights (film)",
    "Harbour Lights is a 1934 silent film. It was directed by Ada Brandt.",
)
WHEEL: Text = (
    "The Ninth Wheel",
    "The Ninth Wheel is a 1929 film about a clock. It was directed by Jon Hask.",
)
BRANDT: Text = ("Ada Brandt", "Ada Brandt (4 March 1890 - 2 July 1951) made eleven films.")
HASK: Text = ("Jon Hask", "Jon Hask (born 9 May 1902) is a director with forty goats.")
FILMS = (LIGHTS, WHEEL, BRANDT, HASK)


def winner(question: str) -> str:
    choice = decide_comparison(question, pool(*FILMS))
    first = choice.lines[0].text.split(" is ")[0] if choice.lines else ""
    assert choice.winner == first, "it is named, and its line stands first"
    return first


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Which film came out first, Harbour Lights or The Ninth Wheel?", "The Ninth Wheel"),
        ("Which film came out later, Harbour Lights or The Ninth Wheel?", "Harbour Lights"),
        ("Which film was released more recently, The Ninth Wheel or Harbour Lights?",
         "Harbour Lights"),
    ],
)  # fmt: skip
def test_dates_decide_which_comes_first(question: str, first: str) -> None:
    assert winner(question) == first


def test_the_older_of_two_was_born_earlier() -> None:
    choice = decide_comparison("Who is older, Jon Hask or Ada Brandt?", pool(*FILMS))
    assert (choice.winner, choice.by_value) == ("Ada Brandt", True)
    assert [line.text.split(" (")[0] for line in choice.lines] == ["Ada Brandt", "Jon Hask"]


def test_a_director_decides_for_the_film() -> None:
    question = "Which film has the director who was born later, Harbour Lights or The Ninth Wheel?"
    assert [line.text for line in decide_comparison(question, pool(*FILMS)).lines][:2] == [
        "It was directed by Jon Hask.",
        "Jon Hask (born 9 May 1902) is a director with forty goats.",
    ]


def test_amounts_decide_who_has_more() -> None:
    texts = (
        ("Hask", "In 1932 Hask had 12 wheels and a lamp."),
        ("Brell", "Brell has forty wheels."),
    )
    choice = decide_comparison("Which has more wheels, Hask or Brell?", pool(*texts))
    assert (choice.winner, choice.by_value) == ("Brell", True)
    assert choice.lines[0].text == "Brell has forty wheels."
    fewer = decide_comparison("Which has fewer wheels, Hask or Brell?", pool(*texts))
    assert (fewer.winner, len(fewer.lines)) == ("Hask", 2)


@pytest.mark.parametrize(
    ("brell", "why"),
    [("Brell has 12 wheels.", "as many"), ("Brell is 40 metres long.", "something else")],
)
def test_amounts_that_are_alike_or_of_other_kinds_decide_nothing(brell: str, why: str) -> None:
    texts = (("Hask", "In 1932 Hask had 12 wheels and a lamp."), ("Brell", brell))
    choice = decide_comparison("Which has more wheels, Hask or Brell?", pool(*texts))
    assert (choice.winner, choice.by_value) == ("", False), why


def test_a_quality_chooses_a_side() -> None:
    texts = (
        ("Orbis", "Orbis is a brass clock from Tarnholm."),
        ("Zenith", "Zenith is a wooden boat."),
    )
    lines = decide_comparison("Which is a wooden boat, Orbis or Zenith?", pool(*texts)).lines
    assert [line.text for line in lines] == ["Zenith is a wooden boat."]


@pytest.mark.parametrize(
    "question",
    [
        "Where was Ada Brandt born?",
        "Which film came out first, Harbour Lights or The Lost Reel?",
        "Who died first, Ada Brandt or Jon Hask?",
        "Which came out first, Harbour Lights or Harbour Lights?",
    ],
)
def test_what_cannot_be_decided_is_left_open(question: str) -> None:
    assert decide_comparison(question, pool(*FILMS)).winner == ""


def test_a_choice_that_is_not_decided_is_told_of_both_sides() -> None:
    """What each page says of it leads, not its first line."""
    choice = decide_comparison(
        "Who had more goats, Ada Brandt or Jon Hask?",
        pool(("Ada Brandt", "Ada Brandt made films. She kept goats in the attic."), HASK),
    )
    assert [line.text for line in choice.lines] == ["She kept goats in the attic.", HASK[1]]
    assert choice.winner == ""


@pytest.mark.parametrize(
    ("question", "winner"),
    [
        ("Which came first, the birth of Jon Hask or the death of Ada Brandt?", "Jon Hask"),
        ("Which came out first, the film Harbour Lights or the film The Ninth Wheel?", "Ninth"),
    ],
)
def test_a_side_may_say_more_than_the_title_of_its_page(question: str, winner: str) -> None:
    assert winner in decide_comparison(question, pool(*FILMS)).winner


def test_a_title_that_both_sides_hold_is_of_neither() -> None:
    texts = (
        ("Sorrel", "Sorrel is a river of 12 kilometres."),
        ("Sorrel Canal", "It has 3 locks."),
        ("Sorrel Weir", "It has 9 gates and 5 locks."),
    )
    question = "Which has more locks, the Sorrel Canal or the Sorrel Weir?"
    assert "Weir" in decide_comparison(question, pool(*texts)).winner


def test_the_people_of_a_country_tell_of_it() -> None:
    texts = (
        ("Entlebucher", "The Entlebucher is a Swiss herding dog."),
        ("Drentse", "The Drentse is a spaniel from the north of the Netherlands."),
    )
    question = "Which dog is from Switzerland, Entlebucher or Drentse?"
    assert decide_comparison(question, pool(*texts)).winner == "Entlebucher"


@pytest.mark.parametrize(
    "question",
    [
        "Compare Harbour Lights and The Ninth Wheel.",
        "What is the difference between Harbour Lights and The Ninth Wheel?",
        "Harbour Lights vs The Ninth Wheel",
    ],
)
def test_where_nothing_is_said_by_what_to_compare_each_side_gets_its_line(question: str) -> None:
    both = ("Films", "Harbour Lights and The Ninth Wheel ran in the same week.")
    assert [line.text for line in decide_comparison(question, pool(both, *FILMS)).lines] == [
        "Harbour Lights is a 1934 silent film.",
        "The Ninth Wheel is a 1929 film about a clock.",
    ]


def test_without_a_line_about_one_side_there_is_none_about_the_other() -> None:
    assert decide_comparison("Compare Harbour Lights and The Lost Reel.", pool(*FILMS)).lines == ()


@pytest.mark.parametrize(
    ("question", "winner"),
    [
        ("Which is longer, the Sorrel or the Esk?", "the Sorrel"),
        ("Which is longer, the Esk or the Sorrel?", "the Sorrel"),
        ("Which is shorter, the Esk or the Sorrel?", "the Esk"),
        ("Which is shorter, the Sorrel or the Esk?", "the Esk"),
        ("Which is heavier, the Sorrel or the Esk?", ""),
    ],
)
@pytest.mark.parametrize(
    "texts",
    [
        [("Rivers", "The Sorrel is 12 km long and the Esk is 9 km long.")],
        [("Rivers", "The Esk is 9 km long, but the Sorrel is 12 km long.")],
        [
            ("Sorrel", "The Sorrel is 12 km long."),
            ("Esk", "The Sorrel, which is 12 km long, joins the Esk, which is 9 km long."),
        ],
    ],
)
def test_of_two_figures_in_a_sentence_each_is_of_the_side_before_it(
    question: str, winner: str, texts: list[Text]
) -> None:
    """How short it is, a sentence tells by how long it is."""
    choice = decide_comparison(question, pool(*texts))
    assert (choice.winner, choice.by_value) == (winner, bool(winner))


@pytest.mark.parametrize(
    ("question", "winner"),
    [
        ("Who died first, Ada Brandt or Jon Hask?", "Jon Hask"),
        ("Who was born first, Ada Brandt or Jon Hask?", "Jon Hask"),
        ("Who was born later, Ada Brandt or Jon Hask?", "Ada Brandt"),
    ],
)
def test_a_death_is_told_behind_the_word_for_it(question: str, winner: str) -> None:
    told = "Jon Hask was born in 1880, died in 1933, and is the hero of a film of 1960."
    assert decide_comparison(question, pool(BRANDT, ("Jon Hask", told))).winner == winner


def test_two_tables_that_differ_decide_nothing() -> None:
    rows = "All.\n\n| River | Length (km) |\n|---|---|\n| Esk | {} |\n| Sorrel | 12 |\n"
    one, other = ("Rivers", rows.format(9)), ("More rivers", rows.format(15))
    question = "Which is longer, the Sorrel or the Esk?"
    assert decide_comparison(question, pool(one)).winner == "the Sorrel"
    assert decide_comparison(question, pool(one, one)).winner == "the Sorrel"
    assert decide_comparison(question, pool(one, other)).winner == ""


@pytest.mark.parametrize(
    ("orbis", "zenith", "said"),
    [
        ("Zebras. Orbis is a wooden boat. A lamp.", "A brass clock.", "Orbis is a wooden boat."),
        ("Orbis is a wooden boat.", "Zenith is a wooden boat.", ""),
        ("Orbis is a wooden boat.", None, ""),
    ],
)
def test_a_quality_is_read_off_the_line_that_has_most_of_it(
    orbis: str, zenith: str | None, said: str
) -> None:
    texts = [("Orbis", orbis), *([("Zenith", zenith)] if zenith else [])]
    choice = decide_comparison("Which is a wooden boat, Orbis or Zenith?", pool(*texts))
    assert (choice.winner, [line.text for line in choice.lines if choice.winner]) == (
        ("Orbis", [said]) if said else ("", [])
    )
