"""R6.3: a figure of a table holds in the row and the column that a sentence names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.report import Support
from quaere.domain.source import Passage, passage_id
from quaere.verify.ground import ground
from quaere.verify.support import weigh
from quaere.verify.table_cells import Placed, placed

PLACES = [
    "harbour",
    "bakery",
    "library",
    "foundry",
    "orchard",
    "chapel",
    "quarry",
    "tannery",
    "brewery",
    "smithy",
]
THINGS = ["visitors", "windows", "lamps", "boats", "trees"]
SENTENCES = (
    "The {place} has {number} {thing}.",
    "In the {place} there are {number} {thing}.",
    "The number of {thing} of the {place} is {number}.",
    "place: {place}; {thing}: {number}",
)
SPEEDS = """The speeds were measured on one machine.

| name | ratio | compression | decompression |
|---|---|---|---|
| **fast 1.5 -1** | 2.887 | 530 MB/s | 1700 MB/s |
| fast 1.5 -3 | 2.239 | 670 MB/s | 2250 MB/s |
| snap 3.6 -1 | 2.077 | 410 MB/s | 830 MB/s |
"""


def source(text: str, head: str = "") -> Passage:
    """Return a passage that begins below ``head``."""
    return Passage(
        id=passage_id("a", 0, text), url="a", title="", text=text, start=0, end=len(text),
        table_head=head,
    )  # fmt: skip


@given(
    places=st.lists(st.sampled_from(PLACES), min_size=2, max_size=5, unique=True),
    things=st.lists(st.sampled_from(THINGS), min_size=1, max_size=4, unique=True),
    first=st.integers(2, 900),
    at=st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(1, 4), st.integers(0, 3)),
)
def test_a_row_read_back_is_supported_and_never_with_the_figure_of_another(
    places: list[str], things: list[str], first: int, at: tuple[int, int, int, int]
) -> None:
    rows = [
        [str(first + 7 * (len(things) * n + m)) for m in range(len(things))]
        for n in range(len(places))
    ]
    lines = ["|".join(["", place, *row, ""]) for place, row in zip(places, rows, strict=True)]
    table = "\n".join([f"| place | {' | '.join(things)} |", "|---" * len(things) + "|---|", *lines])
    row, column = at[0] % len(places), at[1] % len(things)
    other = (row + 1 + at[2] % (len(places) - 1)) % len(places) if len(places) > 2 else 1 - row

    def told(number: str) -> Support:
        said = SENTENCES[at[3]].format(place=places[row], thing=things[column], number=number)
        return weigh(said, [source(table)]).support

    assert told(rows[row][column]).holds
    assert told(rows[other][column]) is Support.CONTRADICTED


@pytest.mark.parametrize(
    ("said", "where"),
    [
        ("snap 3.6 compresses at 410 MB/s and decompresses at 830 MB/s.", Placed.FITTING),
        ("snap 3.6 compresses at 830 MB/s and decompresses at 410 MB/s.", Placed.OPPOSED),
        ("Compression by snap runs at 410 MB/s, decompression at 830.", Placed.FITTING),
        ("Compression by snap runs at 830 MB/s, decompression at 410.", Placed.OPPOSED),
        ("fast 1.5 -3 has a ratio of 2.239, and snap 3.6 one of 2.077.", Placed.FITTING),
        ("fast 1.5 -3 has a ratio of 2.077, and snap 3.6 one of 2.239.", Placed.OPPOSED),
        ("snap decompresses at 2250 MB/s.", Placed.OPPOSED),
        ("fast decompresses at 2250 MB/s.", Placed.OPEN),  # one of the two that are called so
        ("fast decompresses at 410 MB/s.", Placed.ELSEWHERE),
        ("The highest ratio is 2.887.", Placed.OPEN),
        ("The highest ratio is 830.", Placed.ELSEWHERE),
        ("snap was measured at 2250 MB/s.", Placed.ELSEWHERE),
        ("snap was measured on 1 machine.", Placed.OPEN),
    ],
)
def test_a_figure_is_looked_up_by_the_names_around_it(said: str, where: Placed) -> None:
    assert placed(said, [(ground(SPEEDS), "")]) is where


def test_a_passage_that_begins_within_a_table_has_the_head_of_it() -> None:
    head, rows = "| name | lamps | boats |", "| quay | 12 | 7 |\n| mole | 31 | 4 |\n"
    assert weigh("The quay has 12 lamps.", [source(rows, head)]).support.holds
    assert weigh("The quay has 7 lamps.", [source(rows, head)]).support is Support.CONTRADICTED


def test_what_a_source_says_outside_of_its_table_counts() -> None:
    told = f"{SPEEDS}\nIn another test snap decompressed at 2250 MB/s.\n"
    assert weigh("snap decompresses at 2250 MB/s.", [source(told)]).support is Support.SUPPORTED


def test_the_figure_of_a_name_is_in_no_cell() -> None:
    """The 5 of the HM-5 is not that of the voltage of another."""
    rows = "|  | HM-2 | HM-5 |\n|---|---|---|\n| Supply | 5 V | 9 V |\n| Weight | 85 g | 210 g |"
    source = [(ground(rows), "")]
    assert placed("Weight; HM-2: 85 g; HM-5: 210 g", source) is not Placed.OPPOSED
    assert placed("Weight; HM-5: 85 g", source) is Placed.OPPOSED


@pytest.mark.parametrize(
    ("said", "where"),
    [
        ("The sales of the dairy were 12.4 million euros.", Placed.FITTING),
        ("The sales of the dairy were 12,400,000 euros.", Placed.FITTING),
        ("The sales of the dairy were 12.4.", Placed.FITTING),
        ("The sales of the dairy were 7.9 million euros.", Placed.OPPOSED),
        ("The staff of the dairy was 7.9 million euros.", Placed.ELSEWHERE),
        ("The staff of the bakery was 12.", Placed.FITTING),
        ("The staff of the bakery was 12 million.", Placed.OPEN),
    ],
)
def test_a_figure_comes_to_what_the_head_of_its_own_column_says(said: str, where: Placed) -> None:
    """A row may be longer than the head."""
    rows = "| Branch | Sales (million euros) | Staff |\n|---|---|---|\n| Dairy | 12.4 | 30 |\n"
    table = f"{rows}| Bakery | 7.9 | 12 | 88 |\n"
    assert placed(said, [(ground(table), "")]) is where
