"""Amounts taken so many times or in part, and what is left of one."""

from __future__ import annotations

import pytest
from tests.verify.samples import passage, sentence

from quaere.domain.report import Ruling, Support
from quaere.verify.accounted import unaccounted
from quaere.verify.repair import Outcome, verify_sentence
from quaere.verify.second_opinion import apply_rulings

ASKED = "What do I need to limewash a barn for nine stalls?"
LIME = "For three stalls: 450 g of lime putty and 7 litres of water."
HUT = "The hut costs 70 euros a night. In June it falls by one fifth. The guide got 45 euros."


@pytest.mark.parametrize(
    ("text", "figure", "follows"),
    [
        ("Take 1.35 kg of lime putty.", "1.35 kg", True),
        ("Take 1.45 kg of lime putty.", "1.45 kg", False),
        ("Take 21 litres of water.", "21 litres", True),
        ("Take 28 litres of water.", "28 litres", False),
        ("For nine stalls it is more.", "nine", True),
        ("For eight stalls it is more.", "eight", False),
    ],
)
def test_what_a_question_asks_for_is_so_many_times_what_a_source_has(
    text: str, figure: str, *, follows: bool
) -> None:
    assert (unaccounted([figure], text, [LIME], [LIME], ASKED) == ()) is follows
    assert unaccounted([figure], text, [LIME], [LIME]) == (figure,)


@pytest.mark.parametrize(
    ("text", "figure", "follows"),
    [
        ("Both nights cost 140 euros.", "140 euros", True),
        ("The nights cost 140 euros.", "140 euros", False),
        ("The price tripled to 210 euros.", "210 euros", True),
        ("The price came to 210 euros.", "210 euros", False),
        ("Both nights cost 180 euros.", "180 euros", False),
        ("In July a night costs 56 euros.", "56 euros", True),
        ("In July it is 14 euros cheaper.", "14 euros", True),
        ("In July a night costs 58 euros.", "58 euros", False),
        ("Next to 70 euros for the hut, 25 euros are left for the guide.", "25 euros", True),
        ("Next to 70 euros for the hut, 35 euros are left for bread.", "35 euros", False),
    ],
)
def test_times_parts_and_rests_of_an_amount_are_accounted_for(
    text: str, figure: str, *, follows: bool
) -> None:
    assert (unaccounted([figure], text, [HUT], [HUT]) == ()) is follows


def test_quarters_are_reckoned_with_where_they_are_named() -> None:
    rent = "The rent is 8,400 crowns a year."
    assert unaccounted(["2,100"], "It is 2,100 crowns a quarter.", [rent], [rent]) == ()
    assert unaccounted(["2,100"], "It is 2,100 crowns.", [rent], [rent]) == ("2,100",)


@pytest.mark.parametrize(
    ("text", "figure", "follows"),
    [
        ("It runs until 30 April 2033.", "30 April 2033", True),
        ("It runs until 1 May 2033.", "1 May 2033", True),
        ("It runs until 2 May 2033.", "2 May 2033", False),
        ("It runs until 30 April 2034.", "30 April 2034", False),
        ("Notice was possible until 1 December 2030.", "1 December 2030", False),
        ("The fair ends on 17 August 2031.", "17 August 2031", True),
        ("The fair ends on 17 August.", "17 August", True),
        ("The fair ends on 27 August.", "27 August", False),
        ("The fair begins on 8 August 2031.", "8 August 2031", True),
        ("The fair begins on 8 August 2030.", "8 August 2030", False),
        ("Ten days from 1 May 2031 is 10 May 2031.", "10 May 2031", True),
    ],
)
def test_a_date_may_come_of_another_and_a_span_or_have_its_year_elsewhere(
    text: str, figure: str, *, follows: bool
) -> None:
    source = (
        "The lease begins on 1 May 2031 and runs for two years.\n"
        "The fair begins on 8 August and lasts ten days."
    )
    assert (unaccounted([figure], text, [source], [source]) == ()) is follows


def test_days_that_no_calendar_has_are_counted_from_as_little_as_to() -> None:
    source = "It began on 31 January 2031 and lasted one month. It rested for 9999 years."
    assert unaccounted(["28 February 2031"], "It ended on 28 February 2031.", [source], []) != ()


LEDGER = {1: passage("The sluice was mended by Ruth Abel."), 2: passage("She got 310 crowns.")}


def ruled(text: str, number: int | None, asked: str = "") -> Outcome:
    written = verify_sentence(sentence(text, 1), LEDGER)
    ruling = Ruling(support=Support.SUPPORTED, evidence=number)
    return apply_rulings([written], {0: ruling}, LEDGER, asked)[0]


@pytest.mark.parametrize(
    ("text", "number", "cited"),
    [
        ("Ruth Abel mended the sluice for 310 crowns.", 2, (2, 1)),
        ("Ruth Abel mended the sluice for 310 crowns.", 7, None),
        ("Ruth Abel mended the sluice for 310 crowns.", None, None),
        ("Ruth Abel mended the sluice for 340 crowns.", 2, None),
        ("It was Ruth Abel by whom the sluice was mended.", 2, (1,)),
    ],
)
def test_the_passage_that_decides_is_cited_where_it_has_the_missing_figure(
    text: str, number: int | None, cited: tuple[int, ...] | None
) -> None:
    shown = ruled(text, number).sentence
    assert shown is not None
    assert (shown.evidence if shown.support.holds else None) == cited
    assert {quote.passage for quote in shown.quotes} == {LEDGER[n].id for n in shown.evidence}


def test_a_figure_of_the_question_is_nobody_s_claim() -> None:
    text = "Of the 12 sluices one was mended by Ruth Abel."
    for asked, holds in (("Who mended one of the 12 sluices?", True), ("Who did?", False)):
        shown = ruled(text, 1, asked).sentence
        assert shown is not None
        assert shown.support.holds is holds


def test_a_sentence_may_reckon_with_the_one_before_it() -> None:
    pool = {1: passage("The boat costs 90 crowns, the net 35 and a licence 20.")}
    texts = ("Boat, net and licence come to 145 crowns.", "For all 4 fishers that is 580 crowns.")
    written = [verify_sentence(sentence(text, 1), pool) for text in texts]
    asked = "What do 4 fishers pay?"
    for first, holds in ((Support.SUPPORTED, True), (Support.NOT_JUDGED, False)):
        rulings = {0: Ruling(support=first), 1: Ruling(support=Support.SUPPORTED)}
        shown = apply_rulings(written, rulings, pool, asked)[1].sentence
        assert shown is not None
        assert shown.support.holds is holds


@pytest.mark.parametrize(("figure", "follows"), [("95", True), ("87", False)])
def test_a_sentence_may_show_its_working(figure: str, *, follows: bool) -> None:
    text = f"A tour takes {figure} minutes: 50 for the first 2 rooms and 15 for each of 3 more."
    source = "50 minutes for 2 rooms, 15 for every other one. There are 3 more."
    assert (unaccounted([figure], text, [source], []) == ()) is follows


def test_the_head_of_a_table_is_no_row_that_a_sentence_is_about() -> None:
    table = "| day | km |\n| --- | --- |\n| Mon | 14.5 |\n| Tue | 19 |\n| Wed | 22.5 |"
    text = "Three days make 56 km."
    assert unaccounted(["56 km"], text, [table], [table]) == ()


@pytest.mark.parametrize(("number", "evidence"), [(2, (2,)), (None, None)])
def test_a_sentence_in_another_language_that_cites_nothing_is_asked_about(
    number: int | None, evidence: tuple[int, ...] | None
) -> None:
    written = verify_sentence(sentence("Der Lohn war hoch."), LEDGER)
    ruling = Ruling(support=Support.SUPPORTED, evidence=number)
    shown = apply_rulings([written], {0: ruling}, LEDGER)[0].sentence
    assert (shown.evidence if shown else None) == evidence


def test_such_a_sentence_on_what_is_open_stays() -> None:
    written = verify_sentence(sentence("Wer das Wehr baute, geht nicht hervor."), LEDGER)
    shown = apply_rulings([written], {0: Ruling(support=Support.SUPPORTED)}, LEDGER)[0].sentence
    assert shown is not None
    assert (shown.support, shown.evidence) == (Support.NOT_A_CLAIM, ())


@pytest.mark.parametrize(
    ("text", "figure", "asked"),
    [
        ("A ticket costs 26 euros.", "26 euros", "What do two adults pay?"),
        ("The pass costs 72 euros.", "72 euros", "What is there after 18:03?"),
        ("The pass costs 144 euros.", "144 euros", "What is there after 6 p.m.?"),
        ("The fee rises by 6%.", "6%", "What do 6 adults pay?"),
        ("A ride takes 6 hours.", "6 hours", "What do 6 adults pay?"),
        ("The pass costs 150 euros.", "150 euros", "What do 6 adults pay?"),
        ("A ride takes 160 minutes.", "160 minutes", "How was it in 1931?"),
    ],
)
def test_a_figure_of_a_question_makes_no_other_one_true(text: str, figure: str, asked: str) -> None:
    source = "A ticket costs 24 euros. The fee rises by 5%."
    assert unaccounted([figure], text, [source], [source], asked) == (figure,)


def test_what_a_sentence_multiplies_stands_side_by_side() -> None:
    source = "It has 3 rooms, 5 guides, 14 stops, costs 22 crowns and takes 50 minutes."
    text = "It has 3 rooms, 5 guides, 14 stops, costs 22 crowns, takes 50 minutes and {} steps."
    assert unaccounted(["171"], text.format(171), [source], [source]) == ("171",)
