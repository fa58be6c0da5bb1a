"""For which years a table has figures."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import pool

from quaere.reason.extractive.statements.years import find_years, lacks_years

HEAD = "| Orme | 2022 | 2021 | 2020 |\n|---|---|---|---|\n"
TABLE = f"{HEAD}| Gross margin | 24 | 20 | — |\n| Sales tax | 3 | 2 |  |"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which years does the table provide information for?", "2020, 2021 and 2022"),
        ("In which years was the gross margin calculated?", "2020, 2021 and 2022"),
        ("For which fiscal years is the sales tax shown?", "2021 and 2022"),
        ("In which years was the net loss recorded?", None),
        ("In which years did the gross margin fall?", None),
        ("In which year was the gross margin recorded?", None),
    ],
)
def test_years_are_told_by_the_heads_of_a_table(question: str, text: str | None) -> None:
    found = find_years(question, pool(("ORME_2022_10K", TABLE)))
    assert (found.text if found else None) == text


def test_of_tables_with_other_years_none_is_chosen() -> None:
    other = "| Orme | 2019 | 2018 |\n|---|---|---|\n| Staff | 4 | 5 |"
    both = pool(("ORME_2022_10K", TABLE), ("ORME_2019_10K", other))
    assert find_years("Which years does the table cover or have listed?", both) is None


def test_one_date_is_not_what_several_years_are() -> None:
    asked = "In which years was it recorded?"
    assert lacks_years(asked, "December 31, 2018")
    assert not lacks_years(asked, "2017 and 2018")
    assert not lacks_years("In which year was it recorded?", "2018")
