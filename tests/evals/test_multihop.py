"""The loop over multi-hop questions, on a set of four passages."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.evals.questions import write_questions

from quaere.domain.team import Strategy
from quaere.runtime.settings import Settings
from quaere_evals.datasets import load_multihop
from quaere_evals.multihop import Conditions, MultihopResult, ReasonerName, evaluate_multihop

pytestmark = pytest.mark.anyio


async def _evaluate(
    folder: Path, told: list[tuple[str, int, int]], conditions: Conditions | None = None
) -> MultihopResult:
    def tell(dataset: str, done: int, total: int) -> None:
        told.append((dataset, done, total))

    return await evaluate_multihop(
        load_multihop(write_questions(folder / "a1_multihop")),
        Settings(cache_dir=folder / "cache"),
        work=folder / "corpora",
        conditions=conditions,
        progress=tell,
    )


async def test_the_loop_is_scored_beside_one_query(tmp_path: Path) -> None:
    """Evidence, answers, loops and stopping, each against what is known."""
    told: list[tuple[str, int, int]] = []
    result = await _evaluate(tmp_path, told)
    scores = result.datasets["isles"]
    assert told == [("isles", 1, 2), ("isles", 2, 2)]
    assert scores.n == 2
    assert scores.all_gold_at_10 == scores.recall_at_10 == 1.0
    assert scores.recall_at_5 == 1.0
    # One query finds what the question names; who built the lighthouse, only a passage names.
    assert 0.5 <= scores.baseline_recall_at_10 <= scores.recall_at_10
    # The question about heights is answered by "no", which stands in no passage and is left out.
    assert scores.answer_in_evidence == 1.0
    assert scores.all_gold_by_loop[-1] == 1.0
    assert len(scores.recall_by_loop) == len(scores.all_gold_by_loop) >= scores.loops_mean
    assert scores.queries_mean >= 1
    assert 2 <= scores.passages_mean <= 4
    assert scores.stopped_early == 0.0
    assert scores.seconds > 0


async def test_the_sub_questions_of_people_drive_the_reasoner_with_a_model(tmp_path: Path) -> None:
    """A perfect planner needs a call a hop, the last of which carries the answer."""
    conditions = Conditions(reasoner=ReasonerName.SCRIPTED)
    result = await _evaluate(tmp_path, told := [], conditions)
    assert told == [("isles", 1, 1)]  # the other question has no sub-questions
    assert (result.conditions, conditions.evaluation) == (conditions, "multihop-scripted")
    scores = result.datasets["isles"]
    assert scores.all_gold_at_10 == scores.stopped_in_time == 1.0
    assert 1 <= scores.depth_mean == scores.model_calls_mean <= 2
    assert scores.model_calls_mean == scores.loops_mean + 1, "the check of what was written"
    two = scores.by_hops[2]
    assert (two.n, two.depth, two.all_gold_at_10) == (1, scores.depth_mean, 1.0)


async def test_the_engine_need_not_know_how_common_words_are(tmp_path: Path) -> None:
    conditions = Conditions(statistics=False)
    scores = (await _evaluate(tmp_path, [], conditions)).datasets["isles"]
    assert conditions.evaluation == "multihop-no-statistics"
    assert scores.n == 2
    assert scores.recall_at_10 == 1.0
    assert (scores.model_calls_mean, scores.depth_mean) == (0, 0)


async def test_figures_are_the_single_numbers(tmp_path: Path) -> None:
    scores = (await _evaluate(tmp_path, [])).datasets["isles"]
    assert scores.figures["all_gold_at_10"] == scores.all_gold_at_10
    assert "recall_by_loop" not in scores.figures
    assert set(scores.figures) < set(scores.model_dump())


async def test_the_supervisor_is_measured_on_the_same_questions(tmp_path: Path) -> None:
    conditions = Conditions(strategy=Strategy.SUPERVISOR)
    assert conditions.evaluation == "multihop-supervisor"
    result = await _evaluate(tmp_path, [], conditions)
    scores = result.datasets["isles"]
    assert scores.n == 2
    assert scores.all_gold_at_10 == 1.0


async def test_a_perfect_planner_gives_its_steps_out_as_topics(tmp_path: Path) -> None:
    """The second step builds on the first, and the first look holds what both need."""
    conditions = Conditions(reasoner=ReasonerName.SCRIPTED, strategy=Strategy.SUPERVISOR)
    result = await _evaluate(tmp_path, [], conditions)
    scores = result.datasets["isles"]
    assert scores.all_gold_at_10 == 1.0
    assert scores.loops_mean == 1, "the first look alone"
    assert (scores.model_calls_mean, scores.depth_mean) == (3, 2), "the brief is asked beside it"
