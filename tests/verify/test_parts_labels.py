"""Which parts a sentence has, what is in them, and which figure stands next to which label."""

from __future__ import annotations

import pytest

from quaere.text.languages.language import language_of, speaking
from quaere.verify.align import stems
from quaere.verify.parts import are_exchanged, elements, has, is_of_another_part, segments


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("The mill grinds, the barn stores", ["The mill grinds", "the barn stores"]),
        ("The mill grinds and the barn stores", ["The mill grinds", "the barn stores"]),
        ("The mill grinds while the barn stores", ["The mill grinds", "the barn stores"]),
        ("The mill grinds; the barn: a store", ["The mill grinds", "the barn", "a store"]),
        ("The mill – built of stone – grinds", ["The mill", "built of stone", "grinds"]),
        ("It has 1,200 lamps at 8:30", ["It has 1,200 lamps at 8:30"]),
        ("It rose from $4 in 1990 to $7 in 2001", ["It rose from $4 in 1990", "$7 in 2001"]),
        ("It went from 1990 to the end", ["It went from 1990 to the end"]),
        ("A sandy island", ["A sandy island"]),
        ("", []),
    ],
)
def test_parts_end_where_another_statement_may_begin(text: str, parts: list[str]) -> None:
    assert segments(text) == parts


def test_what_joins_parts_is_of_the_language_that_is_spoken() -> None:
    text = "Die Mühle mahlt und die Scheune lagert and so on"
    with speaking(language_of("Wann wurde die Mühle gebaut?")):
        assert segments(text) == ["Die Mühle mahlt", "die Scheune lagert and so on"]
    assert segments(text) == ["Die Mühle mahlt und die Scheune lagert", "so on"]


def test_a_part_has_words_amounts_and_dates_in_one_form_each() -> None:
    one = elements("The two mills lost 1.5 km of rail on 3 May 1921")
    assert one == elements("The mills lost two, 1500 m of rail, on 1921-05-03")
    assert "1921-5-3" in one
    assert stems(["mills"]) <= one
    assert not {"1921", "may"} & one, "a date is one thing"


def test_a_name_of_several_words_is_one_thing() -> None:
    assert "man" not in elements("man-db takes long")
    assert "man" in elements("man takes long")
    assert elements("man-db takes long") != elements("man_db takes long")


def test_a_part_has_a_word_in_another_form_but_a_figure_only_as_it_is() -> None:
    part = elements("The mills burned 12 times")
    assert has(part, "burn")
    assert has(part, "12 ")
    assert not has(part, "1 ")
    assert not has(part, "barn")


HELD = "The mill has 30 windows and the barn has 4 windows."


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("The barn has 30 windows.", True),
        ("The mill has 4 windows.", True),
        ("The mill has 30 windows.", False),
        ("The barn has 4 windows.", False),
        ("The chapel has 30 windows.", False),
        ("The barn has 7 windows.", False),
        ("The barn has windows.", False),
    ],
)
def test_a_figure_stands_next_to_its_own_label(said: str, other: bool) -> None:
    assert is_of_another_part(said, HELD) is other


@pytest.mark.parametrize(
    ("said", "other"),
    [("The barn was built in 1905.", True), ("The mill was built in 1905.", False)],
)
def test_so_does_a_date(said: str, other: bool) -> None:
    assert is_of_another_part(said, "The mill was built in 1905, the barn in 1930.") is other


@pytest.mark.parametrize(
    ("said", "lines", "exchanged"),
    [
        (
            "Orrin has 12 lamps and Pell has 7 lamps.",
            ["Pell has 12 lamps.", "Orrin has 7 lamps."],
            True,
        ),
        (
            "Orrin has 12 lamps and Pell has 7 lamps.",
            ["Orrin has 12 lamps.", "Pell has 7 lamps."],
            False,
        ),
        ("Orrin has 12 lamps and Pell has 7 lamps.", ["Orrin has 12 lamps."], False),
        ("Orrin has 12 lamps and Pell has 7 lamps.", [], False),
        (
            "Orrin has 12 lamps and Pell has 7 lamps.",
            ["| Orrin | 12 lamps |", "| Pell | 7 lamps |"],
            False,
        ),
        (
            "Orrin and Pell have 12 and 7 lamps, respectively.",
            ["Orrin has 7 lamps and Pell has 12 lamps."],
            False,
        ),
    ],
)
def test_what_changes_places_may_be_in_two_lines(
    said: str, lines: list[str], exchanged: bool
) -> None:
    assert are_exchanged(said, lines) is exchanged
