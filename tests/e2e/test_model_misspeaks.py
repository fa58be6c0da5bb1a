"""A model at the other end that says the right thing in the wrong way: its answer stands."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from pydantic import JsonValue
from tests.e2e.test_model_lost import BORN
from tests.e2e.test_model_refused import opened
from tests.graphs.minds import Mind, thinking
from tests.graphs.world import Told, told, url_of
from tests.testing.server import DoubleServer

from quaere.domain.model import Completion, Finish, ModelRequest
from quaere.domain.report import AnswerStatus
from quaere.testing import ScriptedModel

pytestmark = pytest.mark.anyio

_CITED = re.compile(r" \[\d+\]")
Said = dict[str, JsonValue] | str


async def run_of(said: Callable[[ModelRequest], Said | Completion]) -> tuple[Told, Counter[str]]:
    """Return the run of a model that answers with ``said``, and how often each step was asked."""
    model = ScriptedModel(said)
    async with DoubleServer(model) as server, opened("compatible:double", server.base_url) as real:
        run = await told(thinking(real))
    return run, Counter(model.steps())


@dataclass
class Uncited(Mind):
    """Cites nothing, and adds what no passage says."""

    more: str = ""

    def written(self, request: ModelRequest) -> str:
        return f"{_CITED.sub('', super().written(request))} {self.more}".strip()


@pytest.mark.parametrize("changes", [{}, {"answer": ""}], ids=["with the plan", "by itself"])
async def test_an_answer_that_cites_nothing_is_kept_as_far_as_passages_have_its_words(
    changes: dict[str, JsonValue],
) -> None:
    made_up = "Her father sold painted kites to sailors."
    run, steps = await run_of(Uncited(changes=changes, more=made_up))
    report = run.report
    assert BORN in report.answer
    assert all(sentence.evidence for sentence in report.sentences)
    assert [(each.text, bool(each.reason)) for each in report.dropped] == [(made_up, True)]
    assert ["cited nothing" in each.reason for each in report.degradations] == [True]
    assert steps["synthesize"] == (1 if changes else 0)


@pytest.mark.parametrize(
    "answer", ["Kites sell well.", "No passage says who designed the Skarrow Lighthouse."]
)
async def test_an_answer_with_no_word_of_a_passage_or_of_silence_is_asked_for_once_more(
    answer: str,
) -> None:
    def said(request: ModelRequest) -> Said:
        strange = request.step == "synthesize"
        return answer if strange else Mind(changes={"answer": ""})(request)

    run, steps = await run_of(said)
    assert steps["synthesize"] == 2
    assert BORN in run.report.answer, "words write in its place"


async def test_who_cannot_judge_is_left_alone_after_two_judgements_and_writes() -> None:
    def said(request: ModelRequest) -> Said:
        judges = request.step in {"plan", "evaluate"}
        return "It is all there." if judges else Mind()(request)

    run, steps = await run_of(said)
    assert steps["plan"] + steps["evaluate"] == 4, "each judgement is asked for twice"
    assert steps["synthesize"] == 1
    assert BORN in run.report.answer
    reasons = [each.reason for each in run.report.degradations if each.step == "evaluate"]
    assert ["It was not asked again." in reason for reason in reasons] == [True]


@pytest.mark.parametrize(
    "name",
    ["passage {number}", "[{number}]", "doc-{number}", "{title}", "{url}", "the second one", "77"],
)
async def test_findings_are_of_the_passages_that_they_name_or_that_words_find(name: str) -> None:
    def said(request: ModelRequest) -> Said:
        judged = Mind()(request)
        if isinstance(judged, str) or "findings" not in judged:
            return judged
        text = request.messages[-1].content
        found = re.findall(r'id="(\d+)"[^>]*title="([^"]*)"', text)
        titles = {int(number): str(title) for number, title in found}
        findings: JsonValue = [
            {
                **each,
                "id": name.format(number=number, title=titles[number], url=url_of(titles[number])),
            }
            for each in (judged["findings"] if isinstance(judged["findings"], list) else [])
            if isinstance(each, dict) and isinstance(number := each["id"], int)
        ]
        return {**judged, "findings": findings}

    run, steps = await run_of(said)
    assert run.report.status is AnswerStatus.ANSWERED
    assert BORN in run.report.answer
    assert not run.report.degradations
    assert steps["plan"] + steps["evaluate"] <= 2, "nothing was asked for twice"
    assert all(item.evidence for item in run.report.checklist.items)


@pytest.mark.parametrize("share", [0.55, 0.75])
async def test_a_judgement_that_is_cut_off_twice_counts_as_far_as_it_is_whole(share: float) -> None:
    def said(request: ModelRequest) -> Said | Completion:
        whole = Mind()(request)
        if request.step not in {"plan", "evaluate"}:
            return whole
        text = json.dumps(whole)
        return Completion(text=text[: int(len(text) * share)], finish=Finish.LENGTH)

    run, steps = await run_of(said)
    assert BORN in run.report.answer
    assert not run.report.degradations
    assert steps["plan"] == 2
