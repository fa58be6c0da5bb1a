"""Whatever a sentence and its source hold, comparing them takes no longer than it has to."""

from __future__ import annotations

import pytest
from tests.timing import cpu_s
from tests.verify.samples import passage, quote, sentence

from quaere.domain.report import Support
from quaere.verify.repair import verify_sentence
from quaere.verify.support import weigh

LIMIT_S = 1.5
"""CPU seconds: some five times what each takes; without bounds most took minutes."""


@pytest.mark.parametrize(
    "part", ["1,", "[1]", "http://a.b/", "www.", "10.1234/", "東京", "1-", "&amp;", "- a\n"]
)
@pytest.mark.parametrize("length", [320, 560, 2_900])
def test_a_sentence_without_spaces_is_compared_in_time(part: str, length: int) -> None:
    said = part * (length // len(part))
    source = passage(f"{said[: length // 2]} b. {said[: length // 2]}")
    assert cpu_s(lambda: weigh(said, [source]), enough_s=LIMIT_S) <= LIMIT_S


def test_a_sentence_that_lists_a_whole_table_is_compared_in_time() -> None:
    stops = [(f"Stop{chr(65 + n % 26)}{chr(97 + n // 26)}x", n * 37 + 11) for n in range(120)]
    rows = "".join(f"| {stop} | {number} |\n" for stop, number in stops)
    source = passage(f"| Stop | Passengers |\n|---|---|\n{rows}")
    said = f"Passengers were: {', '.join(f'{stop} {number}' for stop, number in stops)}."
    assert cpu_s(lambda: weigh(said, [source]), enough_s=LIMIT_S) <= LIMIT_S


def test_figures_of_a_long_list_are_told_apart_in_time() -> None:
    listed = ", ".join(f"{n} grams of salt{n}" for n in range(200))
    said = "There are 4 grams of salt3, 7 grams of salt6, 8, 11 and 14 grams of salt13."
    source = passage(f"The packets are {listed}.")
    assert cpu_s(lambda: weigh(said, [source]), enough_s=LIMIT_S) <= LIMIT_S


def test_an_item_far_down_a_long_list_is_taken_as_it_is_in_time() -> None:
    items = "".join(f"- The gate number {n} is oiled.\n" for n in range(1_000))
    source = passage(f"Of gates.\n\n{items}")
    said = "Gate number 998 is oiled."
    assert weigh(said, [source]).support is Support.SUPPORTED
    assert cpu_s(lambda: weigh(said, [source]), enough_s=LIMIT_S) <= LIMIT_S


def test_a_row_of_a_long_table_is_held_against_that_row_alone_in_time() -> None:
    rows = [f"| T{n} | {n % 6} | {n / 7:.2f} |" for n in range(5_000)]
    text = "\n".join(["| trip | passengers | fare |", *rows])
    table = passage(text).model_copy(
        update={"whole_table": True, "table_head": "| trip | passengers | fare |"}
    )
    other = table.model_copy(update={"id": "other"})
    written = sentence("trip: T4003; passengers: 1", 1, quotes=(quote(table, rows[4_003]),))
    outcome = verify_sentence(written, {1: table, 2: other})
    assert outcome.sentence is not None
    assert outcome.sentence.support is Support.QUOTED
    assert cpu_s(lambda: verify_sentence(written, {1: table}), enough_s=LIMIT_S) <= LIMIT_S
    false = sentence("trip: T4003; passengers: 5", 1, quotes=(quote(table, rows[4_003]),))
    told = verify_sentence(false, {1: table}).sentence
    assert told is None or not told.support.holds
