from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.reason.extractive.passages import (
    BIRTH,
    BORN,
    CHEESE,
    FOUNDER,
    LENS,
    SHELF,
    TOWN,
    passage,
    pool,
    ticked,
)

from quaere.domain.question import Checklist, Item, ItemStatus, Question
from quaere.reason.extractive.checklist import MAX_EVIDENCE, Ticked, tick, without_answer


def statuses(outcome: Ticked) -> dict[str, ItemStatus]:
    return {item.id: item.status for item in outcome.checklist.items}


def test_an_answer_over_two_passages_satisfies_its_item() -> None:
    """R2.3: the slot is filled by what fills it, and says by what."""
    outcome = ticked(BORN, *SHELF)
    assert set(statuses(outcome).values()) == {ItemStatus.SATISFIED}
    assert outcome.gaps == ()
    answer = outcome.checklist.items[0]
    assert {passage(*BIRTH).id, passage(*FOUNDER).id} <= set(answer.evidence)


def test_a_missing_hop_leaves_a_gap() -> None:
    """R3.2."""
    outcome = ticked(BORN, LENS, CHEESE, FOUNDER, TOWN)
    assert statuses(outcome)["answer"] is not ItemStatus.SATISFIED
    assert any("Where was the founder" in gap for gap in outcome.gaps)


def test_a_gap_names_what_nothing_was_found_on() -> None:
    outcome = ticked("Who ground the lenses of Hask Lens Works for Admiral Brandt?", LENS)
    assert any("Admiral" in gap and gap.startswith("Found only in part") for gap in outcome.gaps)


def test_unrelated_passages_that_share_a_word_tick_nothing() -> None:
    outcome = ticked("Which market did the Brandt family sell the Zenith telescope at?", CHEESE)
    assert ItemStatus.SATISFIED not in statuses(outcome).values()
    assert all(gap.startswith("Not found: ") for gap in outcome.gaps)
    assert ticked(BORN, CHEESE, LENS).match == 0.0


def test_the_expected_kind_must_be_there() -> None:
    question = "When did the Hask Lens Works burn down?"
    told = ticked(question, LENS)
    untold = ticked(question, ("Hask Lens Works", "The Hask Lens Works did burn down in a storm."))
    assert statuses(told)["answer"] is ItemStatus.SATISFIED
    assert statuses(untold)["answer"] is not ItemStatus.SATISFIED


def test_a_comparison_needs_both_sides() -> None:
    question = "Who was born first, Odile Varga or Jon Hask?"
    hask = ("Jon Hask", "Jon Hask (born 9 May 1902) keeps goats.")
    assert ticked(question, BIRTH, hask).gaps == ()
    one = statuses(ticked(question, BIRTH))
    assert one["answer"] is ItemStatus.PARTIAL
    assert one["side-2"] is ItemStatus.UNSATISFIED


def test_without_its_row_an_answer_is_found_in_part_and_what_is_missing_stays_missing() -> None:
    items = (
        Item(id="answer", description="The revenue of Brell", status=ItemStatus.SATISFIED),
        Item(id="part-1", description="Its wages", status=ItemStatus.UNSATISFIED),
    )
    outcome = without_answer(Ticked(Checklist(items=items), (), 0.5))
    assert statuses(outcome) == {"answer": ItemStatus.PARTIAL, "part-1": ItemStatus.UNSATISFIED}
    assert outcome.gaps == ("Found only in part: The revenue of Brell",)


def test_items_that_another_planner_wrote_are_ticked_too() -> None:
    items = (
        Item(id="1", description="Who founded Quill Observatory", terms=("found", "quill")),
        Item(id="2", description="What the telescope cost"),
    )
    outcome = tick(Checklist(items=items), pool(*SHELF), Question(text=BORN))
    assert statuses(outcome)["1"] is ItemStatus.SATISFIED


@given(st.text(min_size=1, max_size=120), st.lists(st.text(max_size=120), max_size=4))
def test_ticking_cites_only_what_was_read(text: str, texts: list[str]) -> None:
    read = pool(*((f"t{n}", t) for n, t in enumerate(texts)))
    known = {p.id for p in read.passages}
    item = Item(id="answer", description="The answer: x", terms=tuple(text.split()))
    outcome = tick(Checklist(items=(item,)), read, Question(text=text))
    (judged,) = outcome.checklist.items
    assert set(judged.evidence) <= known
    assert len(judged.evidence) <= MAX_EVIDENCE
    assert bool(judged.evidence) == (judged.status is not ItemStatus.UNSATISFIED)
    assert 0.0 <= outcome.match <= 1.0 + 1e-9


def test_a_name_of_code_that_no_source_has_leaves_its_item_open() -> None:
    """A longer name is another one."""
    text = "Set HASK_PAGERSECURE and the hask pager shows no pages of others. It does so at once."
    for name, status in (
        ("HASK_PAGER", ItemStatus.UNSATISFIED),
        ("HASK_PAGERSECURE", ItemStatus.SATISFIED),
    ):
        found = ticked(f"What does the hask pager do with {name} set?", ("Hask", text))
        assert found.checklist.items[0].status is status
