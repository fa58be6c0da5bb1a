"""What figure a question asks for."""

from __future__ import annotations

import pytest

from quaere.reason.extractive.figure_question import (
    Calculation,
    Expression,
    Term,
    figure_asked,
    literal_figure,
    parse_formula,
)
from quaere.reason.extractive.line_items import FORMULAS, LINE_ITEMS, Statement


def told(expression: Expression | None) -> str:
    if isinstance(expression, Term):
        return f"{expression.over} {expression.item.name}".strip()
    if isinstance(expression, Calculation):
        return f"({told(expression.left)} {expression.sign} {told(expression.right)})"
    return f"{expression:g}" if expression is not None else ""


@pytest.mark.parametrize(
    ("question", "expression", "years", "over"),
    [
        ("What current assets had Brell in FY2021?", "total current assets", (2021,), ""),
        ("How much did Brell spend on capex in fiscal 2020?", "capital expenditures", (2020,), ""),
        ("What is Brell's FY2019 quick ratio?",
         "((total current assets - inventories) / total current liabilities)", (2019,), ""),
        ("What is the FY2018 - FY2020 3 year average operating income % margin of Brell?",
         "(operating income / revenue)", (2018, 2019, 2020), "average"),
        ("What is Brell's cost of goods sold as a % of revenue in 2022?",
         "(cost of sales / revenue)", (2022,), ""),
        ("By how much did the net income of Brell grow from 2020 to 2022?",
         "net income", (2020, 2021, 2022), "growth"),
        ("What was the year over year change in Brell's inventories in FY2021?",
         "inventories", (2020, 2021), "change"),
        ("What is Brell's FY2021 spread? Define spread as gross profit minus the interest expense.",
         "(gross profit - interest expense)", (2021,), ""),
        ("What is 2021 EBITDA less goodwill? Define EBITDA as EBIT + D&A [from cash flow sheet].",
         "((operating income + depreciation and amortization) - goodwill)", (2021,), ""),
        ("What is Brell's FY2021 CCC? CCC is defined as: DIO - DSO. DIO is defined as: goodwill.",
         "(goodwill - ((365 * average accounts receivable) / revenue))", (2021,), ""),
        ("What is Brell's three year average capex at FY2021?",
         "capital expenditures", (2019, 2020, 2021), "average"),
        ("What is Brell's 2-year average capex at FY2021?",
         "capital expenditures", (2020, 2021), "average"),
        ("What was the EBITDA margin of Brell in 2021?",
         "((operating income + depreciation and amortization) / revenue)", (2021,), ""),
    ],
)  # fmt: skip
def test_lines_years_and_what_is_done_with_them_are_read(
    question: str, expression: str, years: tuple[int, ...], over: str
) -> None:
    asked = figure_asked(question)
    assert asked is not None
    assert (told(asked.expression), asked.years, asked.over) == (expression, years, over)


def test_unit_rounding_statement_and_company_are_read() -> None:
    asked = figure_asked(
        "Based on the balance sheet, what were the inventories of Brell Mills at the end of FY2021?"
        " Answer in USD millions and round to two decimal places."
    )
    assert asked is not None
    assert (asked.scale, asked.places) == (10**6, 2)
    assert asked.statements == {Statement.BALANCE}
    assert asked.named == ("brell", "mills")
    assert not asked.percent


@pytest.mark.parametrize(
    "question",
    [
        "What is inventory?",
        "Why did revenue fall in 2021?",
        "What drove the increase in inventories in FY2021?",
        "What was the revenue of Brell in Q3 of FY2021?",
        "Who founded Brell in 1801?",
        "What was the interest coverage of Brell in 2020 with EBITDA over interest expense?",
        "What is the ratio of revenue to inventories and goodwill of Brell in 2020?",
    ],
)
def test_what_is_not_understood_asks_for_no_known_figure(question: str) -> None:
    assert figure_asked(question) is None


def test_a_part_that_a_formula_names_and_nobody_knows_leaves_it_unread() -> None:
    assert parse_formula("revenue divided by the average number of millstones") is None
    assert parse_formula("(revenue - cost of sales") is None


def test_a_formula_keeps_products_before_sums() -> None:
    assert told(
        parse_formula("365 * (average inventories) / (cost of sales + change in inventory)")
    ) == ("((365 * average inventories) / (cost of sales + change inventories))")


@pytest.mark.parametrize("name", FORMULAS)
def test_every_formula_of_the_book_can_be_read(name: str) -> None:
    assert parse_formula(FORMULAS[name]) is not None


def test_no_wording_is_of_two_lines() -> None:
    said = [wording for item in LINE_ITEMS for wording in set(item.wordings)]
    assert sorted(said) == sorted(set(said))


def test_a_label_in_the_question_s_own_words_is_looked_for() -> None:
    asked = literal_figure("What were the grants received by the parish in FY2021?")
    assert asked is not None
    (item,) = asked.items
    assert "grants received" in item.wordings
    assert item.statement is None
    assert literal_figure("What were the grants received by the parish?") is None
