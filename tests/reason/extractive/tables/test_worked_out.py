"""A row is no certain answer to what only several rows tell."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import pool
from tests.reason.extractive.table_pages import passage_of, read

from quaere.domain.report import DirectKind
from quaere.reason.extractive.tables.asked import RowsAnswer
from quaere.reason.extractive.tables.worked_out import (
    is_of_several_rows,
    is_reckoned,
    tells_no_thing,
)

TABLE = (
    "| Site | Visitors | Average stay |\n|---|---|---|\n| North Hall | 208 | 2 h |\n"
    "| Mill | 58 | 1 h |"
)


@pytest.mark.parametrize(
    ("question", "reckoned"),
    [
        ("What was the difference in visitors between North Hall and Mill?", True),
        ("How many more visitors did North Hall have than Mill?", True),
        ("What is the site previous to Mill?", True),
        ("What is the proportion of visitors at North Hall?", True),
        ("What was the average stay at North Hall?", False),  # a column is called so
        ("Who visits North Hall?", False),
        ("Which hall had more than 300 visitors?", True),
        ("What was opened before 2020?", True),
    ],
)
def test_a_row_tells_no_difference_but_what_its_heads_say(question: str, *, reckoned: bool) -> None:
    row = next(each for each in pool(("sites.md", TABLE)).lines if "North" in each.text)
    assert is_reckoned(question, row) is reckoned
    (prose,) = pool(("sites.md", "North Hall has 150 visitors more than Mill.")).lines
    assert not is_reckoned(question, prose)


def test_a_cell_of_one_row_is_not_the_highest_of_all() -> None:
    row = next(each for each in pool(("sites.md", TABLE)).lines if "North" in each.text)
    assert is_of_several_rows("Which hall had the highest number of visitors?", row)
    assert not is_of_several_rows("What is the number of visitors of North Hall?", row)
    assert not is_of_several_rows("Which hall has at least 100 visitors?", row)


@pytest.mark.parametrize(
    ("question", "is_no_thing"),
    [
        ("Which purchase did Tern make in 2031?", True),
        ("Which size did Tern order in 2031?", False),
        ("What did the purchase of Tern cost in 2031?", False),
    ],
)
def test_a_figure_is_no_thing_but_where_its_column_says_so(
    question: str, *, is_no_thing: bool
) -> None:
    rows = "| Order | Size |\n|---|---|\n| Tern | 17.2 |\n| Auk | 3.1 |\n"
    sizes = read(passage_of("t.md", rows))
    (table,) = sizes
    found = RowsAnswer(
        DirectKind.NUMBER, "17.2", table, (table.lines[0],), frozenset({"Size"}), 0.85, 1
    )
    assert tells_no_thing(question, found) is is_no_thing
