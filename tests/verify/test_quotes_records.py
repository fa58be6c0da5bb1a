"""Sentences that read out a row of a table."""

from __future__ import annotations

import pytest
from tests.graphs.world import passage_of

from quaere.domain.report import Support
from quaere.verify.quotes import is_table_record
from quaere.verify.support import weigh

TABLE = passage_of(
    "Limits",
    "A profile is a name.\n\n| limit | option | simple | deep |\n|---|---|---:|---:|\n"
    "| loops | `--loops` | 2 | 10 |\n| seconds | `--time` | 60 | 120 |\n",
)


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("limit: seconds; option: `--time`; simple: 60; deep: 120.", True),
        ("limit: loops; simple: 2; deep: 10.", True),
        ("limit: loops; simple: 60; deep: 120.", False),
        ("limit: seconds; simple: 120; deep: 60.", False),
        ("limit: seconds; simple: 6; deep: 120.", False),
        ("limit: seconds; huge: 60.", False),
        ("limit: seconds.", False),
        ("It lasts sixty seconds; that is long.", False),
        ("", False),
    ],
)
def test_one_row_and_its_names(text: str, reads: bool) -> None:
    assert is_table_record(text, [TABLE]) is reads


def test_a_cell_may_have_a_semicolon() -> None:
    table = passage_of(
        "Events", "| event | outcome |\n|---|---|\n| it stops | the lease ends; another goes on |\n"
    )
    assert is_table_record("event: it stops; outcome: the lease ends; another goes on", [table])
    assert not is_table_record("event: it stops; outcome: the lease ends; none goes on", [table])


def test_a_row_that_is_read_out_is_supported_and_a_mixed_one_is_not() -> None:
    row = "limit: seconds; option: `--time`; simple: 60; deep: 120."
    assert weigh(row, [TABLE]).support is Support.QUOTED
    assert not weigh(row.replace("60", "61"), [TABLE]).support.holds


def test_a_row_is_read_under_the_head_of_the_table_that_its_passage_continues() -> None:
    row = "| Fir | 30 | none |"
    head = "| Berth | Length (m) | Crane |"
    continued = TABLE.model_copy(update={"text": row, "table_head": head})
    said = "Berth: Fir; Length (m): 30; Crane: none"
    assert is_table_record(said, [continued])
    assert weigh(said, [continued]).support is Support.QUOTED
    assert not is_table_record(said, [continued.model_copy(update={"table_head": ""})])
    assert not is_table_record(said.replace("30", "31"), [continued])


def test_the_first_cell_has_no_name_where_its_column_has_none() -> None:
    head = "|  | HM-1 | HM-2 |"
    table = passage_of(
        "Mixers", f"{head}\n|---|---|---|\n| Whisk | Yes | No |\n| Bowl | No | Yes |\n"
    )
    assert weigh("Whisk; HM-2: No", [table]).support is Support.QUOTED
    assert not is_table_record("Whisk; HM-1: No; HM-2: Yes", [table])
    assert not is_table_record("Whisk; No", [table])
    named = table.model_copy(update={"text": table.text.replace(head, "| Trait | HM-1 | HM-2 |")})
    assert not is_table_record("Whisk; HM-2: No", [named])
