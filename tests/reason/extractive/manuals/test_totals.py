"""What the amounts of a list come to."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import answer, pool

from quaere.reason.extractive.manuals.totals import find_total

BILLS = "# Bills for the yard\n\n- Timber, Oakley: £1,210.00\n- Paint: £48.50\n- Hinges: £12\n"


@pytest.mark.parametrize(
    "question",
    [
        "What do the bills for the yard come to?",
        "What is the total of the bills for the yard?",
        "How much are the bills for the yard altogether?",
    ],
)
def test_the_amounts_of_a_list_are_summed(question: str) -> None:
    first, *_ = answer(question, ("Bills", BILLS))
    assert first.direct is not None
    assert (first.direct.text, len(first.direct.quotes)) == ("£1,270.50", 3)


@pytest.mark.parametrize(
    "text",
    [
        BILLS.replace("£12", "€12"),
        BILLS.replace("£12", "free"),
        BILLS.replace("£12", "£12 or £14"),
        f"{BILLS}\nThe total is £1,300.",
        BILLS.replace("Bills for the yard", "Offers"),
        BILLS.replace("£1,210.00", "£1.2 million"),
        BILLS.replace("£12", "£12 each"),
        BILLS.replace("£12", "up to £12"),
    ],
    ids=[
        *("two currencies", "no amount", "two amounts", "a sum that is told", "another list"),
        *("in millions", "each", "a bound"),
    ],
)
def test_nothing_is_summed_that_may_not_be_meant(text: str) -> None:
    assert find_total("What do the bills for the yard come to?", pool(("Page", text))) is None


@pytest.mark.parametrize(
    "question",
    [
        "What are the bills for the yard?",
        "How many bills for the yard are there in all?",
        "Which bills for the yard were paid in total?",
    ],
)
def test_what_single_items_cost_is_no_sum(question: str) -> None:
    assert find_total(question, pool(("Bills", BILLS))) is None


@pytest.mark.parametrize(("other", "is_summed"), [("Bills", False), ("Offers", True)])
def test_a_sum_is_told_by_any_part_of_the_page(other: str, *, is_summed: bool) -> None:
    read = pool(("Bills", BILLS), (other, "The total is £1,300."))
    found = find_total("What do the bills for the yard come to?", read)
    assert (found is not None) is is_summed
