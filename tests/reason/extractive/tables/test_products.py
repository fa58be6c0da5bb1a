"""What several pieces cost; of things of several sorts no part alone is told."""

from __future__ import annotations

import pytest
from tests.reason.extractive.table_pages import passage_of, read

from quaere.reason.extractive.tables.rows import answer_over_rows

FERRY = read(
    passage_of(
        "ferry.md",
        "| | Adults | Children | Bicycles |\n| Day | £4.20 | £2.10 | £3.00 |\n"
        "| Night | £5.50 | £2.80 | £3.60 |",
    )
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How much do two adults and one child pay by night?", None),
        ("What do an adult, 3 children and a bicycle pay by day?", None),
        ("What do two adults pay by night?", "£11 (2 × £5.50)"),
        ("How much do two adults and a horse pay by night?", None),
        ("How much do two adults and one child pay?", None),
    ],
)
def test_a_price_is_multiplied_for_one_sort_alone(question: str, answer: str | None) -> None:
    found = answer_over_rows(question, FERRY)
    assert found is None if answer is None else found and found.text.startswith(answer)
