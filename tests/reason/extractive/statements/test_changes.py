"""By how much a line of a statement changed, and whether it did as is supposed."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, pool
from tests.reason.extractive.statements.test_figures import BALANCE, INCOME, SHELF

from quaere.domain.report import SURE, DirectKind
from quaere.reason.extractive.direct import decide
from quaere.reason.extractive.ranking import Ranking
from quaere.reason.extractive.statements.figures import change_asked, find_change, find_figure

MILL: Text = (
    "HASKMILL_2023",
    (
        "| Hask Mill income statement, in thousand euros | 2023 | 2022 |\n"
        "| --- | --- | --- |\n"
        "| Sales of flour | 820 | 790 |\n"
        "| Haulage costs | (64) | (58) |\n"
        "| Operating profit | (12) | (30) |\n"
        "| Lease debts | 92 | 99 |"
    ),
)


def told(question: str, *texts: Text) -> str | None:
    found = find_figure(question, pool(*(texts or SHELF)))
    return found and found.text


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("By how much did the lease debts of Hask Mill fall in 2023?", "7 thousand"),
        ("How much have the lease debts dropped from 2022 to 2023?", "7 thousand"),
        ("By how much did haulage costs rise in 2023?", "6 thousand"),
        ("By how much did haulage costs change in 2023?", "6 thousand"),
        ("How much did haulage costs fall in 2023?", "-6 thousand"),
        ("What was the fall or rise in lease debts from 2022 to 2023?", "-7 thousand"),
        ("By how much did the lease debts of Hask Mill fall?", "7 thousand"),
        ("By how many percent did sales of flour grow in 2023?", "3.8%"),
    ],
)
def test_a_change_is_from_the_year_before(question: str, answer: str) -> None:
    found = told(question, MILL)
    assert found is not None
    assert found.startswith(answer)


def test_lines_that_are_known_change_as_well() -> None:
    assert told("How much did inventories increase in fiscal 2022?", BALANCE) == (
        "$160 thousand (Merchandise inventories 1,020 (May 31, 2021); Merchandise inventories"
        " 1,180 (May 31, 2022))"
    )


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Did haulage costs rise in 2023?", "Yes"),
        ("Did haulage costs fall in 2023?", "No"),
        ("Have the lease debts gone down in 2023?", "Yes"),
        ("Were the lease debts higher in 2023 than in 2022?", "No"),
        ("Did the operating profit rise in 2023?", None),
        ("Did the lease debts fall in 2019?", None),
        ("Did the mill's customers grow in number in 2023?", None),
    ],
)
def test_a_change_that_is_supposed_gets_yes_or_no(question: str, answer: str | None) -> None:
    found = find_change(question, pool(MILL))
    assert (found and found.text) == answer


def test_a_supposed_change_leads_the_answer_with_its_row() -> None:
    read = pool(INCOME)
    question = "Did net sales increase in fiscal 2022?"
    decision = decide(question, read, Ranking(read, question, {}))
    assert (decision.kind, decision.text) == (DirectKind.YES_NO, "Yes")
    assert [line.text for line in decision.lines] == ["| Net sales | $ 8,000 | $ 7,500 | $ 6,000 |"]


@pytest.mark.parametrize(
    "question", ["What was the increase in sales in 2022?", "Is the mill at Brell?"]
)
def test_other_questions_suppose_no_change(question: str) -> None:
    assert change_asked(question) == ""


DUES: Text = (
    "BRELL_2031",
    (
        "| Brell consolidated statements of income (in thousands, except per share data) "
        "| 2031 | 2030 |\n| --- | --- | --- |\n| Total revenues | $820 | $790 |\n"
        "| Dividends declared per common share | 2.12 | 2.08 |"
    ),
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How much did revenue grow compared to last year?", "$30 thousand"),
        ("By how much did revenue grow over the previous fiscal year?", "$30 thousand"),
        ("By how much did revenue grow?", "$30 thousand"),
        ("What dividend did Brell pay per share?", "2.12"),
        ("What was the dividend of Brell per share in 2030?", "2.08"),
    ],
)
def test_a_change_over_the_last_year_needs_no_years(question: str, answer: str) -> None:
    found = told(question, DUES)
    assert found is not None
    assert found.startswith((answer, "3.8%"))


@pytest.mark.parametrize(("said", "is_sure"), [("fiscal 2030", False), ("fiscal 2031", True)])
def test_a_fiscal_year_may_end_early_in_the_next(said: str, *, is_sure: bool) -> None:
    sales = (
        "| Orrin consolidated statements of income (in thousands) "
        "| January 28, 2031 | January 29, 2030 |\n| --- | --- | --- |\n"
        "| Net sales | $820 | $790 |"
    )
    text = f"Results of the fourth quarter of {said} and of {said}.\n\n{sales}"
    found = find_figure("What were the net sales of Orrin in fiscal 2030?", pool(("ORRIN", text)))
    assert found is not None
    assert (found.confidence >= SURE) is is_sure
