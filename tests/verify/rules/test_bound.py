"""Two words of a sentence, each of which the source has with what is said of the other."""

from __future__ import annotations

import pytest
from tests.verify.samples import passage

from quaere.domain.report import Support
from quaere.text.languages.language import languages, speaking
from quaere.verify.rules.bound import are_bound_otherwise
from quaere.verify.support import weigh


def exchanged(text: str, one: str, other: str) -> str:
    return text.replace(one, "*").replace(other, one).replace("*", other)


DAIRY = (
    "The dairy of Hegg announced winter earnings that passed all forecasts as revenue stayed behind"
    " them, with the price of butter rising at once."
)
EARNINGS = (
    "The winter earnings of the dairy of Hegg passed the forecasts while its revenue stayed behind"
    " them, and the price of butter rose at once."
)
FERRY = (
    "The income of the ferry rose in 1931 as growth on its older lines offset outlay on younger"
    " lines."
)
INCOME = (
    "The income of the ferry rose, as growth on older lines made up for outlay on younger ones."
)
MILLS = "The fen-mill has had ten new sails since May, while the mill has had one old belt."
SAILS = "Since May the FEN has had ten new sails, and the MILL an old belt."
KILN = ["The number of a kiln has to be in the range of 0 to 90.", "The default value is 1."]
DEFAULT = "A kiln has a number from 0 to 90, and is 1 by default."


@pytest.mark.parametrize(
    ("said", "one", "other", "lines"),
    [
        (EARNINGS, "earnings", "revenue", [DAIRY]),
        (INCOME, "older", "younger", [FERRY]),
        (DEFAULT, " 0 ", " 1 ", KILN),
        (SAILS.replace("FEN", "fen-mill").replace("MILL", "mill"), "fen-mill", "mill", [MILLS]),
    ],
    ids=["who did it", "what kind of thing", "which figure", "a joined name"],
)
def test_two_words_are_bound_otherwise_where_each_stands_with_what_is_said_of_the_other(
    said: str, one: str, other: str, lines: list[str]
) -> None:
    assert not are_bound_otherwise(said, lines)
    assert are_bound_otherwise(exchanged(said, one, other), lines)


@pytest.mark.parametrize(
    ("said", "lines"),
    [
        ("Lund cut the hay, and Krog sold it.", ["Krog sold the hay after Lund cut it."]),
        ("Krog and Lund cut the hay.", ["Lund and Krog cut the hay."]),
        ("Lund cut the hay, and Berta sold the oats.", ["Lund sold the oats in Ost."]),
        ("Young ewes eat oats more than old rams rye.", ["Old ewes eat oats, young rams rye."]),
    ],
    ids=["a clause put first", "in one breath", "one word alone", "a comparison"],
)
def test_what_paraphrases_do_binds_nothing_otherwise(said: str, lines: list[str]) -> None:
    assert not are_bound_otherwise(said, lines)


def test_two_words_for_one_thing_are_two_things_where_a_source_has_both() -> None:
    said = exchanged(EARNINGS, "earnings", "revenue")
    assert are_bound_otherwise(said, [DAIRY])
    assert not are_bound_otherwise(said, [DAIRY.replace("earnings", "revenue")])


def test_what_is_said_of_a_word_itself_outweighs_half_as_much_said_of_the_other() -> None:
    said = "Krog swept the red barn, and Lund painted the tall dry shed."
    crossed = ["Krog painted the tall dry shed.", "Lund swept the red barn."]
    assert are_bound_otherwise(said, crossed)
    assert not are_bound_otherwise(said, [*crossed, "Krog swept a barn.", "Lund painted a shed."])


def test_words_are_bound_in_english_alone() -> None:
    said = exchanged(DEFAULT, " 0 ", " 1 ")
    with speaking(languages()["de"]):
        assert not are_bound_otherwise(said, KILN)


def test_a_long_sentence_with_two_words_exchanged_is_not_supported_and_less_likely() -> None:
    said = EARNINGS, exchanged(EARNINGS, "earnings", "revenue")
    held, refused = (weigh(text, [passage(DAIRY)]) for text in said)
    assert (held.support, refused.support) == (Support.SUPPORTED, Support.NOT_JUDGED)
    assert (held.probability or 0) > (refused.probability or 0)


@pytest.mark.parametrize(
    ("more", "support"),
    [
        ("", Support.NOT_JUDGED),
        (" Hegg dairy revenue passed forecasts.", Support.SUPPORTED),
        (" In spring, the boats were painted.", Support.NOT_JUDGED),
    ],
    ids=["nothing else", "bound so elsewhere", "something else"],
)
def test_words_that_another_line_of_the_source_binds_so_are_let_pass(
    more: str, support: Support
) -> None:
    said = exchanged(EARNINGS, "earnings", "revenue")
    assert weigh(said, [passage(DAIRY + more)]).support is support


def test_what_says_too_much_for_one_line_is_not_looked_at() -> None:
    said = exchanged(EARNINGS, "earnings", "revenue")
    much = f"{said[:-1]}, as it had done in the whole of the year before."
    assert weigh(much, [passage(DAIRY)]).support is Support.SUPPORTED
