"""Which row of a table says what is asked."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, answer, pool

from quaere.domain.report import DirectKind
from quaere.reason.extractive.tables.described_rows import find_described

PUMP: Text = (
    "kelp",
    (
        "# kelp\n\n## Commands\n\n| **Command** | **Description** |\n|:---|:---|\n"
        "| `drain` | Empties the `ballast` tank and closes it |\n"
        "| `flood` | Fills the `ballast` tank |\n"
        "| `gauge` | Shows the depth of water |\n"
        "| `gauge-all` | Shows the depth of water in each tank |\n"
        "| `hush` | Does not ring the bell of the pump |\n"
        "| `vent` | Opens a hatch |\n"
        "| `wipe` | Removes the log directory |\n"
        "\n## Ports\n\n| port | land | pier |\n|---|---|---|\n"
        "| Morn | Low Land | stone pier |\n| Skarrow | Low Land | stone pier |\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "cell"),
    [
        ("Which kelp command empties the ballast tank?", "drain"),
        ("Which command lets me empty the ballast tank?", "drain"),
        ("What command fills the ballast tank?", "flood"),
        ("Which command shows the depth of water?", "gauge"),
        ("Which command deletes the log folder?", "wipe"),
        ("Which command opens a hatch?", "vent"),
        ("Which command opens the ballast tank?", None),
        ("Which command paints the ballast tank?", None),
        ("Which command rings the bell of the pump?", None),
        ("Which kelp command has a log?", None),
        ("Which option fills the ballast tank?", None),
        ("Which port of Low Land has a stone pier?", None),
        ("How is the ballast tank filled?", None),
    ],
)
def test_a_row_answers_by_the_cell_that_is_asked_for(question: str, cell: str | None) -> None:
    found = find_described(question, pool(PUMP))
    assert (found.text if found else None) == cell


def test_the_cell_is_told_before_its_row() -> None:
    (said,) = answer("Which kelp command empties the ballast tank?", PUMP)
    assert said.direct is not None
    assert (said.direct.kind, said.direct.text) == (DirectKind.NAME, "drain")
    assert said.quotes[0].text == "| `drain` | Empties the `ballast` tank and closes it |"
