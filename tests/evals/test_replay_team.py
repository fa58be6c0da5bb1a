"""The perfect planner as a supervisor."""

from __future__ import annotations

import pytest

from quaere_evals.datasets import Document, MultihopQuestion, SubQuestion
from quaere_evals.replay import Step
from quaere_evals.replay_team import TeamReplay, chains_of


def _step(*after: int) -> Step:
    return Step(wordings=("?",), after=frozenset(after))


def _document(title: str, text: str) -> Document:
    return Document(doc_id=title, dataset="own", title=title, text=text)


@pytest.mark.parametrize(
    ("steps", "chains"),
    [
        ([_step()], ((0,),)),
        ([_step(), _step(0), _step(1)], ((0, 1, 2),)),
        ([_step(), _step(), _step(0, 1)], ((0,), (1,))),
        ([_step(), _step(0), _step(), _step(2), _step(1, 3)], ((0, 1), (2, 3))),
        ([_step(), _step(0), _step(0)], ((0, 1, 2),)),
    ],
)
def test_steps_that_build_on_each_other_are_one_chain_and_a_join_is_in_none(
    steps: list[Step], chains: tuple[tuple[int, ...], ...]
) -> None:
    assert chains_of(steps) == chains


def test_a_topic_is_answered_by_the_documents_that_are_nearest_to_it() -> None:
    """People did not write down which document a step without an answer takes."""
    question = MultihopQuestion(
        id="1",
        dataset="own",
        question="Could a heron carry a millstone?",
        answers=("no",),
        gold_docs=frozenset({"Heron", "Wading", "Millstone"}),
        hops=2,
        sub_questions=(
            SubQuestion(q="How much can a heron carry?"),
            SubQuestion(q="What does a millstone weigh?"),
            SubQuestion(q="Is #1 more than #2?"),
        ),
    )
    gold = [
        _document("Heron", "A heron can lift some two hundred grams."),
        _document("Wading", "Like the heron, some birds carry their prey."),
        _document("Millstone", "A millstone may weigh a ton."),
    ]
    replay = TeamReplay(question, gold)
    held = {topic: sorted(planner.gold) for topic, planner in replay.planners.items()}
    assert held == {
        "How much can a heron carry?": ["Heron", "Wading"],
        "What does a millstone weigh?": ["Millstone"],
    }


def test_no_topic_is_left_without_a_document() -> None:
    steps = (SubQuestion(q="Who keeps bees?"), SubQuestion(q="Who keeps wasps?"))
    question = MultihopQuestion(
        id="1",
        dataset="own",
        question="Who keeps bees, and who wasps?",
        answers=("Ada",),
        gold_docs=frozenset({"Bees"}),
        hops=2,
        sub_questions=steps,
    )
    replay = TeamReplay(question, [_document("Bees", "Ada keeps bees, nobody wasps.")])
    assert [sorted(planner.gold) for planner in replay.planners.values()] == [["Bees"], ["Bees"]]
