"""What figure a question asks for."""

from __future__ import annotations

import time

import pytest

from quaere.reason.extractive.statements.question import (
    CLAIMED_CHANGE,
    Calculation,
    Expression,
    Term,
    figure_asked,
    literal_figure,
    parse_formula,
)
from quaere.reason.extractive.statements.rows import FORMULAS, LINE_ITEMS, Statement
from quaere.text.languages.language import languages, speaking


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
    assert literal_figure("Why were grants received by the parish in FY2021?") is None


@pytest.mark.parametrize(
    ("asked", "years", "over"),
    [
        ("the revenue of Brell in FY21", (2021,), ""),
        ("the revenue of Brell in '21", (2021,), ""),
        ("the revenue of Brell from 2018 to 2020", (2018, 2019, 2020), "each"),
        ("the revenue of Brell in 2018, 2019 and 2020", (2018, 2019, 2020), "each"),
        ("the revenue of Brell", (), ""),
        ("the average revenue of Brell from 2022 to 2020", (2020, 2021, 2022), "average"),
        ("the average revenue of Brell from 2009 to 2020", tuple(range(2009, 2021)), "average"),
        ("the average revenue of Brell from 2008 to 2020", (2008, 2020), "average"),
        ("the average revenue of Brell in 2018, 2020", (2018, 2020), "average"),
        ("the average revenue of Brell in 2021", (2021,), ""),
        ("the average revenue of Brell", (), "average"),
        ("the five year average revenue of Brell", (), ""),
        ("the five year average revenue of Brell at 2021", tuple(range(2017, 2022)), "average"),
        ("the 4-year average revenue of Brell at 2021", tuple(range(2018, 2022)), "average"),
        ("the two year average revenue of Brell in 2018, 2021", (2018, 2021), "average"),
        ("the growth in the revenue of Brell in 2021", (2020, 2021), "growth"),
        ("the percentage change in the revenue of Brell in 2021", (2020, 2021), "growth"),
        ("the change in revenue of Brell in 2021 in percent", (2020, 2021), "growth"),
        ("the change in the gross margin of Brell in 2021 in percent", (2020, 2021), "change"),
        ("the change in the revenue of Brell in 2018, 2021", (2018, 2021), "change"),
        ("the change in the revenue of Brell", (), ""),
        ("the average operating margin of Brell in percent in 2018, 2019", (2018, 2019), "average"),
        ("the revenue (net of returns in 2019) of Brell in 2021", (2021,), ""),
    ],
)
def test_the_years_are_those_that_what_is_asked_of_them_needs(
    asked: str, years: tuple[int, ...], over: str
) -> None:
    """A change takes the year before, an average those that are counted back."""
    found = figure_asked(f"What was {asked}?")
    assert found is not None
    assert (found.years, found.over) == (years, over)


@pytest.mark.parametrize(
    ("told_how", "places"),
    [
        ("", None),
        (" to no decimals", 0),
        (" to zero decimals", 0),
        (" to one decimal", 1),
        (" to two decimal places", 2),
        (" to 3 decimal places", 3),
        (" to three decimals", 3),
    ],
)
def test_a_figure_is_rounded_as_the_question_says(told_how: str, places: int | None) -> None:
    asked = figure_asked(f"What was the revenue of Brell in 2021{told_how}?")
    assert asked is not None
    assert (asked.places, asked.named) == (places, ("brell",))


@pytest.mark.parametrize(
    ("question", "scale"),
    [
        ("What was the revenue of Brell in 2021?", 1),
        ("What was the revenue of Brell in 2021, in thousands?", 1_000),
        ("What was the revenue of Brell in 2021? Answer in USD millions.", 1_000_000),
        ("What was the revenue of Brell in 2021 in billions?", 1_000_000_000),
        ("How many millions of dollars was the revenue of Brell in 2021?", 1_000_000),
    ],
)
def test_a_figure_is_told_in_the_unit_that_is_asked_for(question: str, scale: int) -> None:
    asked = figure_asked(question)
    assert asked is not None
    assert (asked.scale or 1) == scale
    assert asked.named == ("brell",)


def test_no_unit_is_told_from_one() -> None:
    asked = figure_asked("What was the revenue of Brell in 2021?")
    assert asked is not None
    assert asked.scale == 0


@pytest.mark.parametrize(
    ("asked", "percent"),
    [
        ("the effective tax rate", True),
        ("the gross margin", True),
        ("the goodwill margin", True),
        ("the goodwill as a % of total assets", True),
        ("the goodwill as a fraction of total assets", False),
        ("the current ratio", False),
        ("the revenue", False),
    ],
)
def test_margins_rates_and_what_is_asked_in_percent_are_told_so(
    asked: str, *, percent: bool
) -> None:
    found = figure_asked(f"What was {asked} of Brell in 2021?")
    assert found is not None
    assert found.percent is percent


@pytest.mark.parametrize(
    ("asked", "expression"),
    [
        ("the ratio of revenue to inventories", "(revenue / inventories)"),
        ("the revenue as a share of total assets", "(revenue / total assets)"),
        ("the revenue divided by goodwill", "(revenue / goodwill)"),
        ("the goodwill margin", "(goodwill / revenue)"),
        ("the net margin", "(net income / revenue)"),
        ("the inventories plus goodwill minus cash",
         "((inventories + goodwill) - cash and cash equivalents)"),
        ("the revenue and the goodwill", ""),
        ("the revenue, inventories and goodwill", ""),
        ("the ratio of the cows to the sheep", ""),
    ],
)  # fmt: skip
def test_two_lines_are_put_together_only_as_the_question_says(asked: str, expression: str) -> None:
    found = figure_asked(f"What was {asked} of Brell in 2021?")
    assert told(found.expression if found else None) == expression


SPREAD = "Define {} as gross profit minus goodwill."


@pytest.mark.parametrize(
    ("question", "expression", "named"),
    [
        (f"What is Brell's FY2021 cash spread? {SPREAD.format('cash spread')}",
         "(gross profit - goodwill)", ("brell",)),
        (f"What is Brell's FY2021 spread margin? {SPREAD.format('spread')}",
         "((gross profit - goodwill) / revenue)", ("brell",)),
        (f"What is Brell's FY2021 revenue of the spread? {SPREAD.format('spread')}",
         "revenue", ("brell", "spread")),
        (f"What is Brell's FY2021 EBITDA margin? {SPREAD.format('adjusted EBITDA')}",
         "((gross profit - goodwill) / revenue)", ("brell",)),
        (("What is Brell's FY2021 adjusted EBITDA? Adjusted EBITDA is calculated as: net income"
         " plus goodwill."), "(net income + goodwill)", ("brell", "adjusted")),
        (f"What is Brell's FY2021 rest? Define rest as EBITDA less cash. {SPREAD.format('EBITDA')}",
         "((gross profit - goodwill) - cash and cash equivalents)", ("brell",)),
        ("What is Brell's FY2021 EBITDA? Define EBITDA as EBITDA plus goodwill.",
         "((operating income + depreciation and amortization) + goodwill)", ("brell",)),
        ("What is Brell's FY2021 spread? Define spread as gross profit minus millstones.", "", ()),
        (f"What is Brell's FY2021 width? {SPREAD.format('spread')}", "", ()),
        (f"What is Brell's FY2021 spread of the? {SPREAD.format('the')}", "", ()),
    ],
)  # fmt: skip
def test_a_question_may_bring_a_formula_of_its_own(
    question: str, expression: str, named: tuple[str, ...]
) -> None:
    """It goes before ours of that name, and its name does not say whose figure it is."""
    asked = figure_asked(question)
    assert told(asked.expression if asked else None) == expression
    assert (asked.named if asked else ()) == named


def test_lines_are_told_once_and_what_it_is_about_by_its_stems() -> None:
    asked = figure_asked("What is Brell Mills' FY2021 gross margin?")
    assert asked is not None
    assert [item.name for item in asked.items] == ["revenue", "cost of sales"]
    assert asked.about == {"brell", "mill"}
    assert {"gross", "margin"} <= asked.said


@pytest.mark.parametrize(
    ("formula", "expression"),
    [
        ("revenue", "revenue"),
        ("((revenue))", "revenue"),
        ("2.5 * revenue", "(2.5 * revenue)"),
        ("revenue - goodwill - inventories", "((revenue - goodwill) - inventories)"),
        ("revenue / goodwill / inventories", "((revenue / goodwill) / inventories)"),
        ("5 - 3 * 2", "(5 - (3 * 2))"),
        ("revenue × 2 ÷ goodwill − 3", "(((revenue * 2) / goodwill) - 3)"),
        ("revenue times goodwill plus inventory", "((revenue * goodwill) + inventories)"),
        ("revenue in 2021 from the income statement", "revenue"),
        ("average of goodwill", "average goodwill"),
        ("revenue minus", ""),
        ("revenue 5", ""),
        ("revenue / (goodwill", ""),
        ("revenue )", ""),
        ("(revenue) (goodwill)", ""),
        ("average 5", ""),
        ("the the", ""),
        ("", ""),
    ],
)
def test_a_formula_is_read_whole_or_not_at_all(formula: str, expression: str) -> None:
    assert told(parse_formula(formula)) == expression


@pytest.mark.parametrize(
    ("question", "years", "over"),
    [
        ("What were the grants received from 2019 to 2021?", (2019, 2020, 2021), "each"),
        ("What was the average of grants received from 2019 to 2021?",
         (2019, 2020, 2021), "average"),
        ("What was the average of grants received in 2018, 2021?", (2018, 2021), "average"),
        ("What was the average of grants received in 2021?", (2021,), ""),
    ],
)  # fmt: skip
def test_a_row_in_the_question_s_words_is_asked_for_over_its_years(
    question: str, years: tuple[int, ...], over: str
) -> None:
    asked = literal_figure(question)
    assert asked is not None
    assert (asked.years, asked.over) == (years, over)
    assert asked.items[0].name.startswith("grants received")


def test_labels_begin_and_end_in_words_that_tell_and_are_not_endless() -> None:
    def labels(text: str) -> tuple[str, ...]:
        asked = literal_figure(f"What were the {text} in 2021?")
        return asked.items[0].wordings if asked else ()

    assert {"grants of the parish", "grants", "parish"} <= set(labels("grants of the parish"))
    assert not any(label.startswith(("of", "the")) for label in labels("grants of the parish"))
    assert not any(label.endswith(("of", "the")) for label in labels("grants of the parish"))
    assert labels("ox")[:1] == ("ox",)
    assert labels("x") == labels("amounts") == ()
    assert labels("total amounts") == ("total amounts",)
    dozen = "ash oak elm fir yew bay fig nut pear plum lime sorb"
    assert dozen in labels(dozen)
    assert f"{dozen} hawthorn" not in labels(f"{dozen} hawthorn")


def test_a_question_in_one_language_leaves_those_in_another_as_they_were() -> None:
    """A process answers in many; wordings were kept in the stems of the one that asked first."""
    for language in (None, languages()["de"], None):
        with speaking(language):
            plain = figure_asked("What were the total current liabilities of Brell in FY2021?")
        assert plain is not None
        assert told(plain.expression) == "total current liabilities"


@pytest.mark.parametrize("repeated", [" ", "more ", "been ", "has "])
def test_hostile_questions_of_a_change_take_no_time(repeated: str) -> None:
    question = f"Has {repeated * (20_000 // len(repeated))}?x"
    began = time.process_time()
    CLAIMED_CHANGE.match(question)
    assert time.process_time() - began < 0.3
