"""Figures out of statements: the right cell, what is made of cells, and when nothing is said."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.domain.question import Intent
from quaere.domain.report import DirectKind
from quaere.reason.extractive.statements.figures import figure_queries, find_figure, needs_rows

BALANCE: Text = (
    "BRELLMILLS_2022_10K",
    (
        "| Brell Mills Consolidated Balance Sheets (in thousands) | May 31, 2022 | May 31, 2021 |\n"
        "| --- | --- | --- |\n"
        "| Cash and cash equivalents | $ 2,400 | $ 2,100 |\n"
        "| Merchandise inventories | 1,180 | 1,020 |\n"
        "| Total current assets | 4,500 | 4,060 |\n"
        "| Total assets | 9,732 | 9,400 |\n"
        "| Total current liabilities | 2,250 | 2,900 |"
    ),
)
INCOME: Text = (
    "BRELLMILLS_2022_10K",
    (
        "| Brell Mills Consolidated Statements of Income (in thousands, except per share data) |"
        " Year Ended May 31, 2022 | Year Ended May 31, 2021 | Year Ended May 31, 2020 |\n"
        "| --- | --- | --- | --- |\n"
        "| Net sales | $ 8,000 | $ 7,500 | $ 6,000 |\n"
        "| Cost of sales | (5,000) | (4,800) | (4,200) |\n"
        "| Operating income | 1,200 | 900 | 600 |\n"
        "| Net income | 640 | 510 | — |\n"
        "| Diluted earnings per share | 1.28 | 1.02 | 0.00 |"
    ),
)
CASH: Text = (
    "BRELLMILLS_2022_10K",
    (
        "| Brell Mills Statements of Cash Flows (in thousands) | 2022 | 2021 | 2020 |\n"
        "| --- | --- | --- | --- |\n"
        "| Net income | 640 | 510 | — |\n"
        "| Depreciation and amortization | 300 | 280 | 260 |\n"
        "| Inventories | (160) | 45 | 12 |\n"
        "| Purchases of property and equipment | (410) | (390) | (380) |"
    ),
)
GUARANTOR: Text = (
    "BRELLMILLS_2022_10K",
    (
        "| Brell Mills, parent and guarantor subsidiaries (in thousands) | 2022 | 2021 |\n"
        "| --- | --- | --- |\n| Total current assets | 99 | 98 |\n| Net sales | 77 | 76 |"
    ),
)
SHELF = (GUARANTOR, CASH, INCOME, BALANCE)


def told(question: str, *texts: Text) -> str:
    found = find_figure(question, pool(*(texts or SHELF)))
    return found.text if found else ""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What were Brell Mills' total current assets in FY2022?",
         "$4,500 thousand (Total current assets, May 31, 2022)"),
        ("What were the inventories of Brell Mills at the end of FY2021? Answer in USD millions.",
         "$1.02 million (Merchandise inventories, May 31, 2021)"),
        ("According to the cash flow statement, what were the inventories of Brell Mills in 2022?",
         "-160 thousand (Inventories, 2022)"),
        ("What was the net income of Brell Mills in FY2020?",
         "$0 thousand (Net income, Year Ended May 31, 2020)"),
        ("What was the diluted EPS of Brell Mills in fiscal 2022?",
         "1.28 (Diluted earnings per share, Year Ended May 31, 2022)"),
        ("What was the capex of Brell Mills in 2021?",
         "390 thousand (Purchases of property and equipment, 2021)"),
    ],
)  # fmt: skip
def test_a_cell_is_told_with_its_unit_row_and_period(question: str, expected: str) -> None:
    assert told(question) == expected


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the working capital ratio of Brell Mills for FY2022?", "2.00"),
        ("What is the FY2020 - FY2022 3 year average operating margin of Brell Mills?", "12.3%"),
        ("What was Brell Mills' gross margin in FY2021, to no decimals?", "36%"),
        ("By what percentage did the net sales of Brell Mills grow in FY2021?", "25.0%"),
        ("What was the change in net income of Brell Mills from 2021 to 2022?", "$130 thousand"),
        ("What was Brell Mills' FY2021 rest? Define rest as net income plus D&A less capex.",
         "$400 thousand"),
        ("What is the FY2022 inventory turnover of Brell Mills?", "4.55"),
    ],
)  # fmt: skip
def test_what_is_made_of_cells_is_calculated(question: str, value: str) -> None:
    assert told(question).startswith(value)


def test_a_row_with_every_year_asked_for_goes_before_one_with_some() -> None:
    latest = (
        "BRELLMILLS_2022_10K",
        (
            "| Brell Mills Statements of Income, latest (in thousands) | 2022 |\n| --- | --- |\n"
            "| Net sales | 8,100 |\n| Operating income | 1,500 |"
        ),
    )
    question = "What is the FY2020 - FY2022 3 year average operating margin of Brell Mills?"
    assert told(question, latest, *SHELF) == told(question)


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("What was the goodwill of Brell Mills in FY2022?", id="row"),
        pytest.param("What were Brell Mills' total assets in FY2011?", id="period"),
        pytest.param("What were Orme Works' total assets in FY2022?", id="company"),
        pytest.param("What were the adjusted total assets of Brell Mills in FY2022?", id="part"),
        pytest.param("What was the quick ratio of Brell Mills in FY2020?", id="input"),
        pytest.param("What was the interest coverage of Brell Mills in FY2022?", id="input's row"),
        pytest.param("What were the total assets of Brell Mills in Q2 of FY2022?", id="quarter"),
    ],
)
def test_nothing_is_said_without(question: str) -> None:
    assert told(question) == ""


def test_nothing_is_said_of_one_of_two_documents() -> None:
    other = ("ORMEWORKS_2022", BALANCE[1].replace("Brell Mills", "Orme Works"))
    assert told("What were the total assets in FY2022?", BALANCE) != ""
    assert told("What were the total assets in FY2022?", BALANCE, other) == ""
    assert told("What were the total assets of Orme Works in FY2022?", BALANCE, other) != ""


def test_a_label_that_is_not_surely_the_line_is_told_as_unsure() -> None:
    near = (BALANCE[0], BALANCE[1].replace("Total current assets", "Total of current assets held"))
    found = find_figure("What were Brell Mills' total current assets in FY2022?", pool(near))
    assert found is not None
    assert found.confidence < 0.7
    assert "Total of current assets held" in found.text


def test_a_unit_above_the_table_counts() -> None:
    parish = (
        "Parish of Wendle",
        (
            "Amounts in thousands of pounds.\n\n| Item | 2021 | 2022 |\n|---|---|---|\n"
            "| Road repairs | 148 | 171 |\n| Street lighting | 39 | 44 |"
        ),
    )
    question = "What were the road repairs of Wendle in 2022?"
    assert told(question, parish) == "171 thousand (Road repairs, 2022)"
    assert told(question.replace("2022", "2017"), parish) == ""
    assert told(question.replace("road", "bridge"), parish) == ""


def test_every_input_is_cited_with_its_row() -> None:
    written = answer("What is the working capital ratio of Brell Mills for FY2022?", *SHELF)
    assert [sentence.quotes[0].text for sentence in written] == [
        "| Total current assets | 4,500 | 4,060 |",
        "| Total current liabilities | 2,250 | 2,900 |",
    ]
    direct = written[0].direct
    assert direct is not None
    assert direct.kind is DirectKind.NUMBER
    assert direct.text.startswith("2.00 (Total current assets 4,500")
    assert len(direct.quotes) == 2


def test_each_line_is_looked_for_by_the_labels_it_may_bear() -> None:
    queries = figure_queries("What is the working capital ratio of Brell Mills for FY2022?")
    assert [query.rows[0] for query in queries] == [
        "total current assets",
        "total current liabilities",
    ]
    assert all(query.intent is Intent.FIGURE and query.places for query in queries)
    assert all({"brell", "mills", "brellmills"} <= set(query.focus) for query in queries)
    assert not figure_queries("Where was the founder of Quill Observatory born?")


def test_only_lines_of_statements_have_to_be_looked_for() -> None:
    assert needs_rows("What was the revenue of Brell in 2020?")
    assert not needs_rows("How many people lived in Tarnholm in 1900?")


def test_amounts_in_units_that_are_not_told_are_not_divided() -> None:
    current = "| Total current liabilities | 2,250 | 2,900 |"
    notes = (
        "BRELLMILLS_2022_10K",
        f"| Brell Mills | 2022 | 2021 |\n| --- | --- | --- |\n{current}",
    )
    above = (BALANCE[0], BALANCE[1].replace(f"\n{current}", ""))
    assert told("What is the working capital ratio of Brell Mills for FY2022?", above, notes) == ""


def test_what_is_left_of_a_line_is_not_the_line() -> None:
    other = (
        BALANCE[0],
        BALANCE[1].replace("Total current liabilities", "Other current liabilities"),
    )
    assert told("What were the total current liabilities of Brell Mills in FY2022?", other) == ""
    assert told("What were the other current liabilities of Brell Mills in FY2022?", other) != ""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What were the income taxes paid of Brell Mills in 2022?", "77 thousand"),
        ("What was the net income of Brell Mills in 2022?", "$640 thousand"),
        ("What were the shares at cost, held 970 of 1,000 in the safe of the guild, in 2021?",
         "12 thousand"),
    ],
)  # fmt: skip
def test_the_longest_label_that_the_question_words_is_meant(question: str, expected: str) -> None:
    """Part of it may be another line, and numbers in a label are passed over."""
    paid = (
        "\n| Income taxes paid | 77 | 66 |  |"
        "\n| Shares at cost, held 970 of 1,000 in the safe of the guild | 14 | 12 |  |"
    )
    taxes = "\n| Provision for income taxes | 210 | 170 | 150 |"
    found = told(question, (CASH[0], CASH[1] + paid), (INCOME[0], INCOME[1] + taxes))
    assert found.startswith(expected)


EQUITY: Text = (
    "ORRIN_2022_10K",
    (
        "| Orrin Locks Consolidated Balance Sheets (in thousands) | 2022 | 2021 |\n"
        "| --- | --- | --- |\n"
        "| Total shareholders' equity | 310 | 290 |\n"
        "| Noncontrolling interests | 90 | 80 |\n"
        "| Total equity | 400 | 370 |\n"
        "| Total assets | 1,200 | 1,100 |"
    ),
)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [("total equity", "400"), ("total shareholders' equity", "310"), ("shareholders' equity", "4")],
)
def test_of_two_rows_of_one_line_the_one_is_told_that_is_named(asked: str, expected: str) -> None:
    assert told(f"What was the {asked} of Orrin in 2022?", EQUITY).startswith(expected)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How much did Brell Mills take in altogether in 2021?", "$7,500 thousand"),
        ("How much profit did Brell Mills make in 2022?", "$640 thousand"),
        ("What was everything that Brell Mills owned worth at the end of 2022?", "$9,732 thousand"),
        ("How many ships did Brell Mills own in 2022?", ""),
        ("How much did the foreman of Brell Mills earn in 2022?", ""),
    ],
)
def test_everyday_words_ask_for_lines(question: str, expected: str) -> None:
    found = told(question)
    assert found.startswith(expected) if expected else not found


CONTINENTAL: Text = (
    "BRELLMUEHLEN_2022",
    (
        "| Brellmuehlen Consolidated Statements of Income (in thousands of euros) | 31.12.2022 |"
        " 31.12.2021 |\n"
        "| --- | --- | --- |\n"
        "| Revenue | 1.204.611 | 998.400 |\n"
        "| Cost of sales | (904.611) | (798.400) |"
    ),
)


def test_points_between_thousands_are_no_decimals() -> None:
    found = told("What was the gross margin of Brellmuehlen in 2022?", CONTINENTAL)
    assert found.startswith("24.9% ")
    assert "1.204.611 (31.12.2022)" in found


PARISH: Text = (
    "Parish of Wendle",
    (
        "| Item | 2021 | 2022 |\n|---|---|---|\n"
        "| Road repairs | 148 | 171 |\n| Street lighting | 39 | 44 |"
    ),
)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What was the days inventory outstanding of Brell Mills in 2022?", "80.30 ("),
        ("What was the net income minus cost of sales of Brell Mills in 2022?",
         "-$4,360 thousand ("),
        ("What was the gross margin plus the current ratio of Brell Mills in 2022?", "2.38 ("),
        ("What was the return on assets of Brell Mills in 2022, to 3 decimals?", "0.067 ("),
        ("What was the average net income of Brell Mills from 2021 to 2022?",
         "$575 thousand, the average of $510 thousand in 2021 and $640 thousand in 2022"),
        ("What was the average revenue of Brell Mills from 2020 to 2022?",
         "$7,167 thousand, the average of $6,000 thousand in 2020, $7,500 thousand in 2021 and "),
        ("What was the change in the current ratio of Brell Mills from 2021 to 2022?", "0.60 ("),
        ("By what percentage did the net sales of Brell Mills grow from 2020 to 2022?", "33.3% ("),
        ("What was the growth of the net income of Brell Mills in 2022 to no decimals?", "25% ("),
        ("What was the growth of the net income of Brell Mills from 2020 to 2021?", ""),
    ],
)  # fmt: skip
def test_calculations_are_told_with_sign_and_places(question: str, expected: str) -> None:
    """There is no growth from nothing."""
    found = told(question)
    assert found.startswith(expected) if expected else not found


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        ("", "$8,000 thousand"),
        (", in USD", "$8,000 thousand"),
        (", in thousands", "$8,000 thousand"),
        (", in millions", "$8.00 million"),
        (", in millions, to no decimals", "$8 million"),
        (", in billions", "$0.01 billion"),
        (", in billions, to 3 decimals", "$0.008 billion"),
    ],
)
def test_a_cell_is_told_in_the_unit_that_is_asked_for(unit: str, expected: str) -> None:
    found = told(f"What were the net sales of Brell Mills in 2022{unit}?")
    assert found == f"{expected} (Net sales, Year Ended May 31, 2022)"


@pytest.mark.parametrize(
    ("amount", "expected"),
    [("99,400", "$99.40 million"), ("100,400", "$100 million"), ("(99,400)", "-$99.40 million")],
)
def test_decimals_are_told_of_small_amounts_alone(amount: str, expected: str) -> None:
    sales = (INCOME[0], INCOME[1].replace("$ 8,000", f"$ {amount}"))
    found = told("What were the net sales of Brell Mills in 2022, in millions?", sales)
    assert found.startswith(f"{expected} ")


def test_billions_are_told_with_decimals_however_many() -> None:
    sales = (INCOME[0], INCOME[1].replace("$ 8,000", "$ 250,120,000").replace("(in th", "(in Th"))
    found = told("What were the net sales of Brell Mills in 2022, in billions?", sales)
    assert found.startswith("$250.12 billion ")


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("the road repairs of Wendle in 2022", "171 (Road repairs, 2022)"),
        ("the change in road repairs of Wendle from 2021 to 2022",
         "23 (Road repairs 148 (2021); Road repairs 171 (2022))"),
        ("the growth of road repairs of Wendle from 2021 to 2022",
         "15.5% (Road repairs 148 (2021); Road repairs 171 (2022))"),
        ("the repairs of Wendle in 2022", ""),
    ],
)  # fmt: skip
def test_a_table_without_a_unit_is_read_in_its_own_words(asked: str, expected: str) -> None:
    assert told(f"What was {asked}?", PARISH) == expected


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("revenue", "$8,000 thousand (Net sales, Year Ended May 31, 2022)"),
        ("total assets", "$9,732 thousand (Total assets, May 31, 2022)"),
        ("goodwill", ""),
    ],
)
def test_without_a_year_the_last_one_is_told(asked: str, expected: str) -> None:
    assert told(f"What was the {asked} of Brell Mills?", *SHELF[1:]) == expected


def test_a_cell_is_surer_than_a_calculation_and_bears_its_label() -> None:
    read = pool(*SHELF)
    cell = find_figure("What were the total assets of Brell Mills in 2022?", read)
    made = find_figure("What was the current ratio of Brell Mills in 2022?", read)
    mean = find_figure("What were the average total assets of Brell Mills in 2021, 2022?", read)
    assert cell is not None
    assert made is not None
    assert mean is not None
    assert 0 < made.confidence < cell.confidence <= 1
    assert mean.confidence == made.confidence
    assert (cell.label, made.label, mean.label) == ({"total", "asset"}, frozenset(), frozenset())
    assert (len(cell.lines), len(made.lines), len(mean.lines)) == (1, 2, 1)


def test_only_rows_of_statements_are_primary() -> None:
    statement = find_figure("What were the total assets of Brell Mills in 2022?", pool(*SHELF))
    elsewhere = find_figure("What was the cost of road repairs of Wendle in 2022?", pool(PARISH))
    repairs = find_figure("What were the road repairs of Wendle in 2022?", pool(PARISH))
    assert elsewhere is None
    assert statement is not None
    assert repairs is not None
    assert (statement.is_primary, repairs.is_primary) == (True, False)


def test_the_document_named_after_the_year_asked_for_goes_first() -> None:
    later = ("BRELLMILLS_2023_10K", BALANCE[1].replace("9,732", "9,999"))
    for shelf in ((BALANCE, later), (later, BALANCE)):
        found = told("What were the total assets of Brell Mills in 2022?", *shelf)
        assert found.startswith("$9,732 "), shelf[0][0]


def test_of_rows_alike_the_first_is_taken() -> None:
    again = BALANCE[1].replace("Total current liabilities", "Total assets")
    found = told("What were the total assets of Brell Mills in 2022?", (BALANCE[0], again))
    assert found.startswith("$9,732 ")


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("What was the goodwill of Brell in 2022?",
         ("goodwill", "goodwill net", "goodwill brell", "goodwill net brell")),
        ("What was the goodwill in 2022?", ("goodwill", "goodwill net")),
        ("What were the grants of the parish in 2022?",
         ("grants", "grants of the parish", "parish")),
    ],
)  # fmt: skip
def test_rows_may_bear_the_name_of_the_company(question: str, rows: tuple[str, ...]) -> None:
    (query,) = figure_queries(question)
    assert query.rows == rows
    assert "2022" in query.text


CATCH: Text = (
    "Tarn fishery report",
    (
        "| (in thousands) | May 31, 2022 | May 31, 2021 | May 31, 2020 |\n"
        "| --- | --- | --- | --- |\n"
        "| Nets and lines | 300 | 240 | 180 |\n"
        "| Mooring fees | 90 | 60 | 60 |\n"
        "| Average crew | 7 | 6 | 5 |\n"
        "| Opening balance | 50 | 40 | 30 |\n"
        "| Closing balance | 60 | 50 | 40 |"
    ),
)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (
            "What were the mooring fees in 2022 and 2021 respectively?",
            "60 thousand in 2021 and 90 thousand in 2022",
        ),
        ("What were the nets and lines in 2020, 2021 and 2022?", "180 thousand in 2020, 240"),
        ("What was the average of nets and lines?", "240 thousand, the average of"),
        ("What was the percentage change in mooring fees in 2022?", "50.0%"),
        ("What was the change in the closing balance between 2021 and 2022?", "10 thousand"),
        ("What is the proportion of mooring fees over nets and lines in 2022?", "0.30"),
        ("What is the ratio of mooring fees to nets and lines in 2021?", "0.25"),
        ("What was the average crew?", ""),
        ("What is the ratio of mooring fees to mooring fees in 2021?", ""),
        ("What is the ratio of mooring fees to harbour dues in 2021?", ""),
        ("What were the mooring fees in 2022 and 2019?", ""),
    ],
)
def test_each_year_an_average_and_a_share_are_told_of_any_row(question: str, text: str) -> None:
    found = told(question, CATCH)
    assert found.startswith(text) if text else not found


def test_of_several_things_in_one_year_none_is_told_for_all() -> None:
    stores: Text = (
        "BRELLMILLS_2022_10K",
        (
            "| Brell Mills shops | 2021 Opened | 2021 Total | 2022 Opened | 2022 Total |\n"
            "| --- | --- | --- | --- | --- |\n"
            "| Harbour shops | 4 | 40 | 2 | 42 |"
        ),
    )
    asked = "How many harbour shops did Brell Mills have in 2022?"
    assert find_figure(asked, pool(stores)) is None


def test_an_average_over_all_years_is_read_from_a_sheet() -> None:
    sheet = "column 1: Interest expense; 2022: $1,344; 2021: $723"
    found = find_figure("What was the average interest expense?", pool(("orme.csv", sheet)))
    assert found is not None
    assert "the average of $723 in 2021 and $1,344 in 2022" in found.text


def test_costs_in_brackets_that_became_less_fell() -> None:
    table = "| Orme | 2022 | 2021 |\n|---|---|---|\n| Bad debts | (1.3) | (1.9) |"
    asked = "What was the percentage change in bad debts from 2021 to 2022?"
    found = find_figure(asked, pool(("ORME_2022_10K", table)))
    assert found is not None
    assert found.text.startswith("-31.6%")


STATED = "| Orme | 2022 | 2021 |\n|---|---|---|\n"


@pytest.mark.parametrize(
    ("asked", "body", "told"),
    [
        (
            "What was the total audit fee in 2021 and 2022?",
            "| Audit fee | 58 | 55 |",
            "113, the sum of 55 in 2021 and 58 in 2022",
        ),
        (
            "What was the total audit fee in 2021 and 2022, respectively?",
            "| Audit fee | 58 | 55 |",
            "55 in 2021 and 58 in 2022",
        ),
        (
            "What was the percentage change in the discount rate from 2021 to 2022?",
            "| Discount rate | 9.0% | 9.5% |",
            "-0.5 percentage points, or -5.3%",
        ),
        (
            "What was the change in the discount rate from 2021 to 2022?",
            "| Discount rate | 9.0% | 9.5% |",
            "-0.5 percentage points",
        ),
        (
            "What is the value of repairs as a percentage of the 2022 total outlay?",
            "| Repairs | 18 | 13 |\n| Total outlay | 240 | 200 |",
            "7.5%",
        ),
        (
            "What is the value of repairs as a percentage of the 2022 total sales?",
            "| Repairs | 18 | 13 |",
            "",
        ),
        (
            "What was the average revenue?",
            "| Revenue | 240 | 200 |",
            "220, the average of 200 in 2021 and 240 in 2022",
        ),
        ("How much difference in outlay in 2022 compared to 2021?", "| Outlay | 24 | 20 |", "4"),
    ],
)
def test_what_is_asked_of_two_years_is_worked_out(asked: str, body: str, told: str) -> None:
    found = find_figure(asked, pool(("ORME_2022_10K", STATED + body)))
    assert (found.text if found else "").startswith(told)
    assert bool(found) == bool(told)
