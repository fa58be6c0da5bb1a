"""The sums at the foot of a bill are told by their labels, and no item for them."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, pool

from quaere.domain.report import SURE
from quaere.reason.extractive.decision import AGREED, NEARLY
from quaere.reason.extractive.direct import decide
from quaere.reason.extractive.manuals.bills import bill_words, find_billed
from quaere.reason.extractive.ranking import Ranking
from quaere.text.languages.language import language_of, speaking

BOATYARD: Text = (
    "Invoice 77",
    (
        "# Invoice 77\n\nHask Boatyard, for the sloop Tern\n\n| Item | Qty | Amount |\n"
        "|---|---|---|\n"
        "| Mast step | 2 | £84.00 |\n| Labour | 3 h | £150.00 |\n| Subtotal | | £234.00 |\n"
        "| VAT 20 % | | £46.80 |\n| **Total to pay** | | **£280.80** |\n\nCards are taken.\n"
    ),
)
SAILMAKER: Text = (
    "Sails",
    (
        "Orrin Sails\nBill for the ketch Auk\n\nJib, mended          1     90.00\n"
        "Thread               2      4.50\n\nNet                        94.50\n"
        "Tax 10 %                    9.45\nTotal                     103.95\n"
    ),
)
LESSONS: Text = ("Lessons", "Rowing lessons\n\nSix lessons   60.00\nTo be paid by 3 May   60.00\n")
QUOTE: Text = (
    "Quote",
    (
        "# Quote for the regatta\n\n- Flags: £90\n- Buoys: £350\n- Standing fee: £20\n\n"
        "Total: £460\n\nLast year's quote had a total of £410.\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is the total including VAT?", "£280.80"),
        ("How much is the VAT?", "£46.80"),
        ("What does the sloop cost without VAT?", "£234.00"),
        ("What is the total of the invoice for the Tern?", "£280.80"),
        ("What is the price with VAT of the mast step?", None),
        ("What is the total weight of the sloop?", None),
        ("What is the rate of VAT?", None),
        ("How much is the total for the brig?", None),
        ("Who sent the invoice?", None),
        ("", None),
    ],
)
def test_a_sum_is_told_by_its_label(question: str, told: str | None) -> None:
    found = find_billed(question, pool(BOATYARD))
    assert (found.text if found else None) == told


def test_a_bill_in_columns_of_text_is_read() -> None:
    found = find_billed("What is the gross total of the bill?", pool(SAILMAKER))
    assert found is not None
    assert (found.text, found.line.text) == ("103.95", "Total 103.95")


@pytest.mark.parametrize(
    ("question", "told", "sure"),
    [
        ("What is the total with tax for the Auk?", "103.95", AGREED),
        ("What do I have to pay in total?", "£280.80", NEARLY),
        ("What is the total including tax?", "£280.80", NEARLY),
    ],
)
def test_of_several_bills_the_one_that_is_named_is_told_and_else_none_for_certain(
    question: str, told: str, sure: float
) -> None:
    read = pool(BOATYARD, SAILMAKER, LESSONS)
    decision = decide(question, read, Ranking(read, question))
    assert (decision.text, decision.confidence) == (told, sure)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is the total of the quote for the regatta?", "£460"),
        ("What is the total price of the flags and the buoys?", None),
        ("How much is the quote without the flags in total?", None),
        ("How much was the total quote last year?", None),
        ("How much does the regatta cost without tax?", None),
    ],
)
def test_no_total_is_told_of_some_items_or_of_another_bill(question: str, told: str | None) -> None:
    found = find_billed(question, pool(QUOTE))
    assert (found.text if found else None) == told
    assert bool(bill_words(question, pool(QUOTE))) is (told is not None)


@pytest.mark.parametrize("question", ["How much VAT is on the labour?", "What is the labour net?"])
def test_an_item_is_not_told_for_its_tax(question: str) -> None:
    read = pool(BOATYARD)
    assert decide(question, read, Ranking(read, question)).confidence < SURE


def test_a_bill_without_tax_has_no_total_with_it() -> None:
    assert find_billed("What is the total including VAT?", pool(LESSONS)) is None
    found = find_billed("What do the lessons cost in total?", pool(LESSONS))
    assert found is not None
    assert found.text == "60.00"


def test_the_words_for_sums_need_not_be_said_where_there_is_a_bill() -> None:
    question = "What does the sloop cost including VAT?"
    assert "includ" in bill_words(question, pool(BOATYARD))
    assert not bill_words(question, pool(("Sloop", "A sloop has one mast.")))
    assert Ranking(pool(BOATYARD), question).answers


def test_bills_are_read_in_english_alone() -> None:
    with speaking(language_of("Wie hoch ist die Rechnung?")):
        assert find_billed("What is the total including VAT?", pool(BOATYARD)) is None


def test_a_row_over_years_is_no_sum_of_a_bill() -> None:
    debts = "| Debts | 2031 | 2030 | 2029 | 2028 | 2027 |\n|---|---|---|---|---|---|\n"
    told = f"{debts}| Loans | $4 | $5 | $6 | $7 | $8 |\n| Total | $4 | $5 | $6 | $7 | $8 |\n"
    assert find_billed("What is the total debt?", pool(("Debt", told))) is None


def test_a_row_of_two_years_is_not_one_either() -> None:
    told = "| Orders | 2031 | 2030 |\n|---|---|---|\n| Boats | $4 | $5 |\n| Total | $4 | $5 |\n"
    assert find_billed("What is the total of the orders?", pool(("Orders", told))) is None
