"""What was spent, or came in, over rows of an account, and what totals say of rows."""

from __future__ import annotations

import pytest
from tests.reason.extractive.table_pages import passage_of, piped, read, told

from quaere.reason.extractive.tables.rows import answer_over_rows

_BOOK = """\
date,payee,purpose,amount,balance
2024-05-02,Orrin Forge,Anchors,-40.00,460.00
2024-05-09,Guild,Dues,120.00,580.00
2024-05-21,Hask Cork,Buoys,-25.50,554.50
2024-06-03,Orrin Forge,Anchors,-44.50,510.00
2024-06-11,Guild,Dues,80.00,590.00"""
BOOK = read(passage_of("bank_2024.csv", piped(_BOOK)))
_BILLS = """\
bill,guest,amount_eur,paid
1,Ada,20,2024-05-02
2,Bo,30,
3,Bo,9,2024-05-04
4,Bo,7,2024-05-09"""
BILLS = read(passage_of("bills.csv", piped(_BILLS)))


@pytest.mark.parametrize(
    ("question", "figure"),
    [
        ("How much did we spend on anchors?", "84.50"),
        ("What did I spend in May?", "65.50"),
        ("How much did we pay Orrin Forge?", "84.50"),
        ("How much did we spend on rope?", None),
        ("How much did we spend on dues?", None),
        ("How much did we spend per week in May?", None),
    ],
)
def test_what_went_out_is_summed_up(question: str, figure: str | None) -> None:
    found = answer_over_rows(question, BOOK)
    assert (found and found.text.partition(" (")[0]) == figure


def test_the_cells_that_make_up_a_sum_are_told() -> None:
    found = answer_over_rows("How much did we spend on anchors?", BOOK)
    assert found is not None
    assert found.text == "84.50 (sum of amount over 2 of 5 rows of bank_2024.csv: -40.00; -44.50)"


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What was my biggest expense in May?", "2024-05-02 (Orrin Forge) (amount: -40.00)"),
        ("Which payment was the smallest?", "2024-05-21 (Hask Cork) (amount: -25.50)"),
        (
            "How many payments went to Orrin Forge?",
            "2 (of 5 rows of bank_2024.csv: 2024-05-02 (Orrin Forge), 2024-06-03 (Orrin Forge))",
        ),
        (
            "Which payments were over 30?",
            (
                "2024-05-02 (Orrin Forge): -40.00, 2024-06-03 (Orrin Forge): -44.50"
                " (2 of 5 rows of bank_2024.csv)"
            ),
        ),
    ],
)
def test_payments_are_what_went_out_and_larger_the_further_below_zero(
    question: str, told: str
) -> None:
    found = answer_over_rows(question, BOOK)
    assert (found and found.text) == told


def test_when_something_was_paid_is_looked_up() -> None:
    found = answer_over_rows("When did I pay for the buoys?", BOOK)
    assert found is not None
    assert found.text == "2024-05-21"


def test_bills_of_which_some_have_no_day_of_payment_are_not_summed_up() -> None:
    assert answer_over_rows("How much did Bo pay?", BILLS) is None


@pytest.mark.parametrize("question", ["Who was paid the most?", "Who did we pay in May?"])
def test_no_sum_tells_who_was_paid(question: str) -> None:
    found = answer_over_rows(question, BOOK)
    assert found is None or "sum" not in found.text


_TWO_WAYS = """\
day,party,what,paid in,paid out
2 May,Orrin Forge,anchors,,40.00
3 May,Guild,dues,120.00,
9 May,Hask Cork,buoys,,25.50
12 May,Brell Choir,hall hire,90.00,
20 May,Orrin Forge,chain,,30.00"""
TWO_WAYS = read(passage_of("account_book.md", piped(_TWO_WAYS)))


@pytest.mark.parametrize(
    ("question", "two_ways", "one_way"),
    [
        (
            "Which party paid the most?",
            "Guild (paid in: 120.00)",
            "Guild (amount: 120.00)",
        ),
        (
            "Which party received the most?",
            "Orrin Forge (paid out: 40.00)",
            "Orrin Forge (amount: -44.50)",
        ),
        (
            "Which payments were over 27?",
            (
                "2 May (Orrin Forge): 40.00, 20 May (Orrin Forge): 30.00"
                " (2 of 5 rows of account_book.md)"
            ),
            (
                "2024-05-02 (Orrin Forge): -40.00, 2024-06-03 (Orrin Forge): -44.50"
                " (2 of 5 rows of bank_2024.csv)"
            ),
        ),
        (
            "How much did we pay Orrin Forge in total?",
            "70 (sum of paid out over 2 of 5 rows of account_book.md: 40.00; 30.00)",
            "84.50 (sum of amount over 2 of 5 rows of bank_2024.csv: -40.00; -44.50)",
        ),
    ],
)
def test_who_pays_brings_in_and_who_receives_takes_out(
    question: str, two_ways: str, one_way: str
) -> None:
    book = read(passage_of("bank_2024.csv", piped(_BOOK.replace("payee", "party"))))
    for table, answer in ((TWO_WAYS, two_ways), (book, one_way)):
        found = answer_over_rows(question, table)
        assert (found and found.text) == answer


def test_columns_that_both_have_figures_are_no_two_ways_of_one_account() -> None:
    both = read(passage_of("account_book.md", piped(_TWO_WAYS.replace(",,", ",5,"))))
    assert answer_over_rows("Which party paid the most?", both) is None


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which payment had the highest fee?", "2024-05-21 (Hask Cork) (fee: 0.90)"),
        ("Which expense had the smallest fee?", "2024-06-03 (Orrin Forge) (fee: 0.20)"),
        (
            "What is the total fee for all payments?",
            "1.60 (sum of fee over 3 of 4 rows of bank_2024.csv: 0.50; 0.90; 0.20)",
        ),
        (
            "What was the average balance after a payment?",
            "508.17 (average of balance over 3 of 4 rows of bank_2024.csv: 460.00; 554.50; 510.00)",
        ),
    ],
)
def test_another_figure_of_a_payment_is_no_amount(question: str, answer: str | None) -> None:
    book = """\
date,payee,amount,fee,balance
2024-05-02,Orrin Forge,-40.00,0.50,460.00
2024-05-09,Guild,120.00,0.10,580.00
2024-05-21,Hask Cork,-25.50,0.90,554.50
2024-06-03,Orrin Forge,-44.50,0.20,510.00"""
    assert told(question, read(passage_of("bank_2024.csv", piped(book)))) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How much was paid in?", "210 (sum of paid in over 2 of 5 rows of account_book.md"),
        ("What was the largest amount paid in?", "3 May (Guild) (paid in: 120.00)"),
        ("What was the largest payment received?", "3 May (Guild) (paid in: 120.00)"),
        ("How many payments were paid in?", "2 (of 5 rows of account_book.md: 3 May (Guild), 12"),
        ("How much was paid in May?", "95.50 (sum of paid out over 3 of 5 rows"),
    ],
)
def test_what_is_paid_in_comes_in(question: str, answer: str) -> None:
    assert (told(question, TWO_WAYS) or "").startswith(answer)


SUPPLIED = "supplier,kind,pieces,amount\nHask,rope,3,40\nOrrin,rope,5,60\nBrell,tar,8,25"


@pytest.mark.parametrize(
    ("question", "sum_"),
    [
        (
            "What is the total?",
            "125{unit} (sum of {head} over 3 of 3 rows of bills.csv: 40; 60; 25)",
        ),
        (
            "How much is the rope in total?",
            "100{unit} (sum of {head} over 2 of 3 rows of bills.csv: 40; 60)",
        ),
        (
            "What is the average for rope?",
            "50{unit} (average of {head} over 2 of 3 rows of bills.csv: 40; 60)",
        ),
    ],
)
@pytest.mark.parametrize(("head", "unit"), [("amount", ""), ("price_eur", " EUR")])
def test_where_no_column_is_named_amounts_or_else_money_are_added_up(
    question: str, sum_: str, head: str, unit: str
) -> None:
    bills = read(passage_of("bills.csv", piped(SUPPLIED.replace("amount", head))))
    assert told(question, bills) == sum_.format(head=head, unit=unit)


def test_where_neither_is_there_nothing_is_added_up() -> None:
    bills = read(passage_of("bills.csv", piped(SUPPLIED.replace("amount", "weight"))))
    assert told("How much is the rope in total?", bills) is None


def test_rows_of_figures_with_a_total_count_nothing_themselves() -> None:
    shops = "| shop | staff |\n| Harbour | 4 |\n| Hill | 2 |\n| Total shops of the coast | 6 |"
    tables = read(passage_of("shops.csv", shops))
    assert told("How many shops are there?", tables) is None
