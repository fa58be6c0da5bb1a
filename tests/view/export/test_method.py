"""What a report says of its own limits and of how it came about."""

from __future__ import annotations

import pytest
from tests.view.export.reports import POOL, valley
from tests.view.export.test_sections import lines, read

from quaere.domain.evidence import Score
from quaere.domain.model import ModelCall, Usage
from quaere.domain.question import Checklist, Item, ItemStatus
from quaere.domain.report import Report
from quaere.view.export.document import Bullets, Table
from quaere.view.export.method import limits, method

BARE = {"steps": (), "queries": (), "evidence": (), "calls": ()}


def changed(**fields: object) -> Report:
    return valley().model_copy(update=fields)


def told(**fields: object) -> list[str]:
    return list(lines(method(changed(**fields))))


def tables(**fields: object) -> dict[str, list[tuple[str, ...]]]:
    blocks = method(changed(**BARE | fields)).blocks
    found = [block for block in blocks if isinstance(block, Table)]
    for table in found:
        assert all(len(row) == len(table.head) for row in table.rows)
    return {table.title: [tuple(map(read, row)) for row in table.rows] for table in found}


@pytest.mark.parametrize(
    ("refined", "is_told"),
    [
        ("", False),
        (valley().question, False),
        ("How long is the bridge over the Orrin?", True),
    ],
)
def test_a_question_is_told_anew_where_it_was_understood_otherwise(
    refined: str, *, is_told: bool
) -> None:
    line = f"Question as it was understood: {refined}"
    assert (line in told(refined_question=refined)) is is_told


@pytest.mark.parametrize(("named", "shown"), [("", "not named"), ("llm test:m", "llm test:m")])
def test_who_reasoned_is_named(named: str, shown: str) -> None:
    assert f"Profile: {valley().profile}; reasoner: {shown}" in told(reasoner=named)


def test_a_table_without_rows_is_left_out() -> None:
    assert tables() == {}
    only_calls = tables(calls=(ModelCall(step="plan", model="test:m"),))
    assert len(only_calls) == 1


def test_calls_of_models_tell_their_price_or_that_it_is_unknown() -> None:
    usage = Usage(prompt_tokens=70, completion_tokens=5)
    calls = (
        ModelCall(step="plan", model="test:m", usage=usage, cost_usd=0.0, seconds=1.25),
        ModelCall(step="verify", model="test:n", error="timed out"),
    )
    (rows,) = tables(calls=calls).values()
    assert rows == [
        ("plan", "test:m", "75", "0.0000 USD", "1.2 s", ""),
        ("verify", "test:n", "0", "unknown", "0.0 s", "timed out"),
    ]


def test_the_cost_says_where_a_price_is_unknown() -> None:
    usage = Usage(prompt_tokens=70, completion_tokens=5)
    calls = (ModelCall(step="plan", model="test:m", usage=usage),)
    (cost,) = (line for line in told(calls=calls) if line.startswith("Cost: "))
    assert cost.endswith("1 model call, 75 tokens, price not known")


def test_loops_are_counted_from_one() -> None:
    (rows,) = tables(steps=valley().steps).values()
    assert [row[0] for row in rows] == ["1", "2"]
    (rows,) = tables(queries=valley().queries).values()
    assert [row[0] for row in rows] == ["1", "2"]


@pytest.mark.parametrize(
    ("score", "parts", "shown"),
    [
        (Score(relevance=0.5, total=0.5, quality=0, recency=0), "relevance 0.50", "0.50"),
        (
            Score(relevance=0.5, prior=0.25, total=0.75, weighed=0.8, quality=0.4, recency=0),
            "relevance 0.50, prior 0.25, quality 0.40",
            "0.80",
        ),
    ],
)
def test_the_parts_of_a_score_that_count_are_told_and_its_sum_as_it_was_weighed(
    score: Score, parts: str, shown: str
) -> None:
    entry = POOL[0].model_copy(update={"score": score, "locator": "", "remarks": ()})
    (rows,) = tables(evidence=(entry,)).values()
    assert rows == [("1", entry.title, parts, shown)]


def test_what_is_remarked_of_a_source_stands_beside_its_score() -> None:
    entry = POOL[0].model_copy(
        update={
            "score": Score(relevance=0.5, total=0.5, quality=0, recency=0),
            "remarks": ("old",),
            "locator": "page 3",
        }
    )
    (rows,) = tables(evidence=(entry,)).values()
    assert rows == [("1", f"{entry.title}, page 3", "relevance 0.50; old", "0.50")]


def opened(*statuses: ItemStatus, gaps: tuple[str, ...] = ()) -> list[str]:
    items = tuple(
        Item(id=status, description=f"the {status} part", status=status) for status in statuses
    )
    made = limits(changed(checklist=Checklist(items=items), gaps=gaps))
    found = [part for part in made.sections if part.id == "open"]
    return list(lines(found[0])) if found else []


def test_what_is_open_is_told_once_and_what_is_answered_is_not() -> None:
    statuses = (ItemStatus.SATISFIED, ItemStatus.PARTIAL, ItemStatus.UNSATISFIED)
    gaps = ("the unsatisfied part", "who paid")
    assert opened(*statuses, gaps=gaps) == [
        "the partial part (answered in part)",
        "the unsatisfied part",
        "who paid",
    ]
    assert opened(ItemStatus.SATISFIED) == []


def test_a_part_that_has_nothing_to_say_is_left_out() -> None:
    quiet = limits(changed(warnings=(), degradations=(), gaps=(), checklist=Checklist()))
    assert [part.id for part in quiet.sections] == ["end", "checks"]


@pytest.mark.parametrize("truncated", [True, False])
def test_research_that_was_cut_short_is_told_as_such(*, truncated: bool) -> None:
    made = limits(changed(truncated=truncated, degradations=()))
    (end,) = (part for part in made.sections if part.id == "end")
    (bullets,) = end.blocks
    assert isinstance(bullets, Bullets)
    assert len(bullets.items) == 1 + truncated


def test_without_a_sentence_no_verdicts_are_counted() -> None:
    with_some = "\n".join(lines(limits(valley())))
    without = "\n".join(lines(limits(changed(sentences=()))))
    assert "Of the sentences shown" in with_some
    assert "Of the sentences shown" not in without
