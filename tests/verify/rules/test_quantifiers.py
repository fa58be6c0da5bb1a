"""Of how many, up to how much, how often, and of both or either something is said."""

from __future__ import annotations

import pytest
from tests.verify.samples import passage
from tests.verify.test_clash import kind

from quaere.text.languages.language import languages, speaking
from quaere.verify.align import align
from quaere.verify.clash import Kind
from quaere.verify.rules.quantifiers import (
    has_other_rate,
    narrows,
    turns_choice,
    turns_limit,
    widens,
)
from quaere.verify.support import weigh


@pytest.mark.parametrize(
    ("said", "held", "wider"),
    [
        ("All boats are new.", "Most boats are new.", True),
        ("Most boats are new.", "Nearly all boats are new.", False),
        ("All boats are new.", "Nearly all boats are new.", True),
        ("All boats are new.", "Not all boats are new.", True),
        ("All boats are new.", "Boats are new.", False),
        ("Boats are new.", "Some boats are new.", False),
        # What comes first is said of the boats.
        ("All boats are new in some years.", "Some boats are new.", True),
        ("Some boats are all new.", "Some boats are new.", False),
        ("Many boats are new.", "Few boats are new.", True),
        ("Many boats are new.", "A few boats are new.", False),
        ("Many boats are new.", "Several boats are new.", False),
        ("Most boats are new.", "Some boats are new.", True),
        ("Most boats are new.", "Half of the boats are new.", True),
        ("The great majority of boats are new.", "Nearly all boats are new.", False),
        # Of several things, each is compared with what is said of it.
        ("All boats are new.", "All boats and some ships are new.", False),
        ("All carts are new.", "All boats and some carts are new.", True),
        # One that holds for the sentence is enough, where none is of the same thing.
        ("All canoes are new.", "All boats and some ships are new.", False),
        # Who says "not every" says it of less than all, and most are not all.
        ("Not every boat is new.", "Most of the boats are new.", False),
        ("Every boat is new.", "Most of the boats are new.", True),
        # "Most are not" is "few are".
        ("Most boats are not new.", "Hardly any of the boats are new.", False),
        ("Most boats are new.", "Most of the boats are not new.", True),
        # Shares in words, in percent, and of a number are shares.
        ("The whole of the fleet is new.", "The fleet, of which a quarter is new, sails.", True),
        ("A majority of the boats is new.", "Two of the five boats are new.", True),
        ("A minority of the boats is new.", "Two of the five boats are new.", False),
        ("Most of the boats are new.", "80% of the boats are new.", False),
        ("All of the boats are new.", "80% of the boats are new.", True),
        # How often is not of how many, and the most of its kind not most.
        ("Every boat is new.", "Boats are painted every year in some ports.", True),
        ("Boats are painted every year.", "Some boats are painted.", False),
        ("The most modern boat is new.", "Some boats are new.", False),
    ],
)
def test_all_is_more_than_some_and_many_more_than_few(said: str, held: str, wider: bool) -> None:
    assert widens(align(said, held)) is wider


@pytest.mark.parametrize(
    ("said", "held", "narrower"),
    [
        ("Only some boats are new.", "All boats are new.", True),
        ("Not all boats are new.", "All boats are new.", True),
        ("Only some boats are new.", "Nearly all boats are new.", False),
        ("Only some boats are new.", "Boats are new.", False),
        ("Boats are new.", "All boats are new.", False),
        ("Some boats are new.", "All boats are new.", False),
        ("Few boats are new.", "Most of the boats are new.", True),
        ("A minority of the boats is new.", "Most of the boats are new.", True),
    ],
)
def test_a_part_is_less_than_all(said: str, held: str, narrower: bool) -> None:
    assert narrows(align(said, held)) is narrower


NARROW = "Boats over 12 metres may not moor at the quay."


@pytest.mark.parametrize(
    ("said", "held", "turned"),
    [
        ("Bags up to 20 kg are free.", "Bags over 20 kg are free.", -1),
        ("Bags over 20,000 g are free.", "Bags heavier than 20 kg are free.", 1),
        ("Bags up to 20 kg are free.", "Bags over 30 kg are free.", 0),
        ("Bags of 20 kg are free.", "Bags over 20 kg are free.", 0),
        ("Notes are kept for 14 days.", "Notes are deleted after two weeks.", -1),
    ],
)
def test_one_figure_bounds_both_or_nothing_is_told(said: str, held: str, turned: int) -> None:
    assert turns_limit(said, held) == turned


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Only boats of up to 12 metres may moor at the quay.", None),
        ("Only boats over 12 metres may moor at the quay.", Kind.DENIED),
        ("Boats of up to 12 metres may not moor at the quay.", Kind.ORDER),
    ],
)
def test_a_limit_and_a_denial_that_are_turned_together_agree(
    said: str, expected: Kind | None
) -> None:
    assert kind(said, NARROW) is expected


PUMP = "Model A delivers 36 litres a minute and needs oil every month."


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("The pump delivers 36 litres an hour.", True),
        ("The pump delivers 36 litres per minute.", False),
        ("The pump delivers 36 litres.", False),
        ("The pump delivers 40 litres an hour.", False),
    ],
)
def test_an_amount_belongs_to_its_span_of_time(said: str, other: bool) -> None:
    assert has_other_rate(said, [PUMP]) is other


def test_another_line_may_have_the_rate() -> None:
    assert not has_other_rate("It delivers 36 litres an hour.", [PUMP, "It was 36 litres an hour."])


def test_languages_have_their_own_words_for_it() -> None:
    with speaking(languages()["es"]):
        assert has_other_rate("Cada mes hay 900 visitas.", ["Recibe 900 visitas al año."])
    with speaking(languages()["fr"]):
        assert not has_other_rate("900 visites par mois.", ["900 visites par an."])


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("The pumps are checked weekly.", True),
        ("The pumps are checked once a week.", True),
        ("The pumps are checked every month.", False),
        ("The pumps are checked once a month.", False),
        ("The pumps are checked.", False),
    ],
)
def test_what_is_done_monthly_is_not_done_weekly(said: str, other: bool) -> None:
    assert has_other_rate(said, ["The pumps are checked monthly."]) is other
    assert weigh(said, [passage("The pumps are checked monthly.")]).support.holds is not other


BOTH = "Guests must bring a towel and a cap."
ONE = "Guests must bring a towel or a cap."


@pytest.mark.parametrize(
    ("said", "held", "turns"),
    [
        (BOTH, ONE, True),
        (ONE, BOTH, True),
        (BOTH, BOTH, False),
        ("Guests must bring a towel as well as a cap.", ONE, True),
        ("Guests must bring a cap and a towel.", ONE, True),
        ("Guests must bring a coat and a scarf.", ONE, False),
        # What may be had is had either way, unless the one shuts the other out.
        ("Guests get a towel and a cap.", "Guests get a towel or a cap.", False),
        ("Guests get a towel and a cap.", "Guests get either a towel or a cap.", True),
        ("The bell rings if it is hot or wet.", "The bell rings if it is hot and wet.", True),
        # Under a denial the two say the same, and between two ends nothing is chosen.
        ("Guests must not bring a towel or a cap.", BOTH, False),
        ("Guests must choose between a towel and a cap.", ONE, False),
        # "Or more" and "and so on" join nothing.
        ("Guests must bring two caps or more.", "Guests must bring two caps and more.", False),
        # One place of the source that joins them as the sentence does is enough.
        (BOTH, "Guests must bring a towel or a cap; boys must bring a towel and a cap.", False),
    ],
)
def test_and_is_not_or_where_something_is_demanded(said: str, held: str, turns: bool) -> None:
    assert turns_choice(align(said, held)) is turns


def test_other_languages_are_left_alone() -> None:
    with speaking(languages()["de"]):
        assert not turns_choice(align(BOTH, ONE))
