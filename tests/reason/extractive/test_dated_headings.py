"""What is below an earlier year does not answer how something is."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.domain.report import SURE
from quaere.reason.extractive.dated_headings import is_outdated, year_over

FIGURES: Text = (
    "Larch Bakery",
    (
        "# Larch Bakery\n\n## Figures for 2029\n\n- Shops: 3\n- Owner: Petra Holm\n\n"
        "## Figures for 2031\n\n- Shops: 5\n\n## Address\n\n- Street: Kiln Row"
    ),
)
ALONE: Text = ("Orrin Mill", "# Orrin Mill\n\n## Staff in 2029\n\n- Millers: 14")


@pytest.mark.parametrize(
    ("question", "text", "outdated"),
    [
        ("How many shops are there?", "Shops: 3", True),
        ("How many shops are there?", "Shops: 5", False),
        ("How many shops are there now?", "Shops: 5", False),
        ("How many shops were there?", "Shops: 3", False),
        ("How many shops are there in 2029?", "Shops: 3", False),
        ("In which street is it?", "Street: Kiln Row", False),
    ],
)
def test_the_latest_year_of_a_page_is_now(question: str, text: str, *, outdated: bool) -> None:
    read = pool(FIGURES)
    line = next(line for line in read.lines if line.text == text)
    assert is_outdated(question, line, read) is outdated


def test_of_one_year_alone_it_is_not_known_whether_it_is_now() -> None:
    read = pool(ALONE)
    line = next(line for line in read.lines if line.listed)
    assert year_over(line, read) == 2029
    assert is_outdated("How many millers are there now?", line, read)
    assert not is_outdated("How many millers are there?", line, read)


def test_the_figure_of_the_latest_year_is_told() -> None:
    direct = answer("How many shops does the Larch Bakery have?", FIGURES)[0].direct
    assert direct is not None
    assert (direct.text, direct.confidence >= SURE) == ("5", True)
    owner = answer("Who owns the Larch Bakery?", FIGURES)[0].direct
    assert owner is not None
    assert owner.confidence < SURE


def test_what_is_below_former_is_so_no_more() -> None:
    page: Text = (
        "Marsh Surgery",
        "# Marsh Surgery\n\nFay Wood runs it.\n\n## Former staff\n\n- Eric Stone\n- Dan Hall\n",
    )
    now = answer("Who is on the staff?", page)
    assert not now or (now[0].direct and now[0].direct.confidence < SURE)
    told = answer("Who is on the former staff?", page)[0].direct
    assert told is not None
    assert told.confidence >= SURE
    assert "Eric Stone" in told.text
