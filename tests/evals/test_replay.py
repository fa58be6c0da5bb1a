"""The sub-questions of people as a model: what it asks, in which order, and when it has enough."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import pytest
from tests.evals.questions import DOCUMENTS, QUESTIONS

from quaere.domain.model import Message, ModelRequest, Role
from quaere.models.structured.ask import output_schema
from quaere.reason.llm.contracts import Opening, OpeningAnswer
from quaere_evals.datasets import Document, MultihopQuestion
from quaere_evals.replay import Replay, ReplayModel, steps_of
from quaere_evals.scorers import longest_chain

DOCS = {row["doc_id"]: Document.model_validate(row) for row in DOCUMENTS}
QUESTION = MultihopQuestion.model_validate(QUESTIONS[0])
GOLD = [DOCS["d1"], DOCS["d2"]]


def request(shown: Mapping[int, Document], *, writing: bool = False) -> ModelRequest:
    blocks = "\n".join(
        f'<data-ab12 id="{number}" title="{document.title}" new>\n{document.text}\n</data-ab12>'
        for number, document in shown.items()
    )
    return ModelRequest(
        step="synthesize" if writing else "evaluate",
        messages=(Message(role=Role.USER, content=f"Passages:\n\n{blocks}\n\nJudge."),),
        output=None if writing else output_schema(Opening),
        max_output_tokens=500,
    )


def judged(replay: Replay, *shown: str) -> OpeningAnswer:
    answer = replay(request({number: DOCS[key] for number, key in enumerate(shown, 1)}))
    assert isinstance(answer, OpeningAnswer)
    return answer


def asked(judgement: OpeningAnswer) -> Sequence[str]:
    return [query.query for query in judgement.queries]


def test_a_step_waits_for_the_answer_it_builds_on() -> None:
    replay = Replay(QUESTION, GOLD)
    first = judged(replay, "d3", "d4")
    assert asked(first) == ["who built the Orrin lighthouse"]
    assert (first.sufficient, first.findings, first.satisfied) == (False, [], [])
    second = judged(replay, "d3", "d1")
    assert asked(second) == ["Tamsin Wray place of birth"]
    assert [(found.id, found.items) for found in second.findings] == [(2, [1])]
    assert second.satisfied == [1]
    assert second.gaps == ["Tamsin Wray place of birth"]


def test_it_has_enough_when_the_last_passage_is_shown() -> None:
    done = judged(Replay(QUESTION, GOLD), "d2", "d1")
    assert (done.sufficient, done.gaps, done.queries, done.confidence) == (True, [], [], 1.0)
    assert done.satisfied == [1, 2]
    assert "[1]" in done.answer
    assert "[2]" in done.answer


def test_what_is_not_found_is_asked_in_other_words_and_then_passed_over() -> None:
    replay = Replay(QUESTION, GOLD)
    assert asked(judged(replay, "d1")) == ["Tamsin Wray place of birth"]
    (again,) = judged(replay, "d1").queries
    assert (again.query, again.intent, again.item) == ("Tamsin Wray", "reformulation", 2)
    assert asked(judged(replay, "d1")) == [f"Tamsin Wray place of birth {QUESTION.question}"]
    assert asked(judged(replay, "d1")) == []
    lost = Replay(QUESTION, GOLD)
    assert [len(asked(judged(lost, "d4"))) for _ in range(3)] == [1, 1, 2]


def test_steps_without_answers_take_them_from_the_facts_and_go_on_once_asked() -> None:
    question = MultihopQuestion.model_validate(
        {
            **QUESTIONS[1],
            "sub_questions": [
                {"q": "How tall is the Orrin lighthouse?"},
                {"q": "Is #1 less than #4 or #0?"},
            ],
            "facts": ["Herring are salted.", "The Orrin lighthouse is 21 metres."],
        }
    )
    replay = Replay(question, [DOCS["d1"], DOCS["d3"]])
    assert asked(judged(replay)) == ["How tall is the Orrin lighthouse?"]
    next_, again = judged(replay, "d1").queries
    assert (next_.query, next_.intent) == ("Is 21 metres. less than or ?", "part")
    assert (again.query, again.intent) == ("Orrin", "reformulation")


def test_every_step_gets_the_document_that_fits_it_best() -> None:
    steps = steps_of(QUESTION, {key: DOCS[key] for key in ("d2", "d1")})
    assert [(step.gold, step.after) for step in steps] == [("d1", set()), ("d2", {0})]


def test_what_is_written_cites_what_is_shown() -> None:
    replay = Replay(QUESTION, GOLD)
    assert replay(request({3: DOCS["d4"], 5: DOCS["d2"]}, writing=True)) == (
        "Passage 5 was needed [5]."
    )
    assert "[3]" in str(replay(request({3: DOCS["d4"]}, writing=True)))


@pytest.mark.anyio
async def test_the_model_knows_when_it_was_called() -> None:
    model = ReplayModel(Replay(QUESTION, GOLD))
    completion = await model.complete(request({1: DOCS["d1"]}))
    assert json.loads(completion.text)["satisfied"] == [1]
    async for _ in model.stream(request({1: DOCS["d1"]}, writing=True)):
        pass
    assert longest_chain(model.calls) == 2
