"""Tables that set things side by side, and are read by their columns."""

from __future__ import annotations

import pytest
from tests.reason.extractive.table_pages import passage_of, piped, read

from quaere.reason.extractive.tables.rows import answer_over_rows

_STOVES = """\
,Ember 2,Ember 5,Forge
Weight,38 kg,71 kg,120 kg
Glass door,no,yes,yes
Fuel,wood,wood,coal
Price,€410,€690,€1200"""
STOVES = read(passage_of("stoves.md", piped(_STOVES)))


@pytest.mark.parametrize(
    ("question", "answer", "rows"),
    [
        ("Which stove is the lightest?", "Ember 2 (Weight: 38 kg)", ["Weight"]),
        ("What does the Ember 5 weigh?", "71 kg", ["Weight"]),
        ("How much is the Forge?", "€1200", ["Price"]),
        ("Does the Ember 2 have a glass door?", "No", ["Glass door"]),
        ("Which stoves use coal?", "Forge (1 of 3 columns of stoves.md)", ["Fuel"]),
        ("How much is the Anvil?", None, []),
    ],
)
def test_a_thing_is_told_by_its_column(question: str, answer: str | None, rows: list[str]) -> None:
    found = answer_over_rows(question, STOVES)
    assert (found and found.text) == answer
    lines = found.lines if found else ()
    assert [line.text.split("|")[1].strip() for line in lines] == rows


def test_rows_of_things_of_one_kind_are_not_turned() -> None:
    rows = "Guide,Speaks,Village\nAda Finch,Danish,Orrin\nBo Marsh,Welsh,Brell"
    found = answer_over_rows("Who speaks Welsh?", read(passage_of("guides.md", piped(rows))))
    assert found is not None
    assert found.text.startswith("Bo Marsh")


def test_the_figure_of_a_name_is_no_amount() -> None:
    rows = ",HM-2,HM-5\nSupply,5–12 V,9–24 V\nLoad,1–3 kg,2–8 kg\nWeight,85 g,210 g"
    found = answer_over_rows("What does the HM-5 weigh?", read(passage_of("a.md", piped(rows))))
    assert found is not None
    assert found.text == "210 g"
