"""Tables of a selection are read once, and never those of another."""

from __future__ import annotations

from tests.reason.extractive.table_pages import passage_of, piped, shelf

from quaere.reason.extractive.tables.rows import answer_over_rows
from quaere.reason.extractive.tables.whole import tables_in

LAMPS = passage_of("lamps.csv", piped("lamp,oil_litres\nNorth,4\nSouth,9"))
ASKED = "How many litres of oil does North have?"


def test_a_selection_is_read_once_while_it_stays_as_it_is() -> None:
    assert tables_in(*shelf(LAMPS)) is tables_in(*shelf(LAMPS))


def test_evidence_that_is_numbered_anew_is_cited_by_its_new_number() -> None:
    evidence, passages = shelf(LAMPS)
    tables_in(evidence, passages)
    renumbered = [each.model_copy(update={"id": 7}) for each in evidence]
    (table,) = tables_in(renumbered, passages)
    assert [each.id for each in table.pool.evidence] == [7]


def test_a_page_that_has_changed_is_read_anew() -> None:
    before = answer_over_rows(ASKED, tables_in(*shelf(LAMPS)))
    refilled = LAMPS.model_copy(update={"text": LAMPS.text.replace("4", "6")})
    after = answer_over_rows(ASKED, tables_in(*shelf(refilled)))
    assert before is not None
    assert after is not None
    assert (before.text, after.text) == ("4", "6")
