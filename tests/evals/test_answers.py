"""What answers are scored by, and the command that asks for them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.evals.questions import write_questions

from quaere.domain.report import AnswerStatus
from quaere.runtime.settings import Settings
from quaere_evals.answer_scores import AnswerRow, auc, summed, token_f1
from quaere_evals.answer_sets import load_answer_sets, own_sets
from quaere_evals.answers import Half, evaluate_answers, halved
from quaere_evals.datasets import load_multihop


def _row(**changes: Any) -> AnswerRow:
    facts: dict[str, Any] = {
        "answers": ["Pellham"],
        "direct": "Pellham",
        "lead": "Tamsin Wray was born in Pellham.",
        "answer": "Tamsin Wray was born in Pellham.",
        "sentences": 1,
        "off_page": [False],
        "confidence": 0.9,
        "status": AnswerStatus.ANSWERED,
    }
    return AnswerRow(**facts | changes)


def test_a_yes_counts_only_where_it_is_said() -> None:
    """In running text yes and no are everywhere."""
    assert _row(answers=["no"], direct="No", lead="It is taller.").lead_right
    assert not _row(answers=["no"], direct="It has no roof", lead="It has no roof").lead_right
    assert not _row(answers=["no"], direct="Yes", lead="No roof").direct_right


def test_a_leaning_counts_as_a_yes_or_a_no() -> None:
    scores = summed([_row(answers=["no"], direct="No, probably not")], declined=[])
    assert (scores.yes_no_accuracy, scores.yes_no_decided) == (1.0, 1.0)


def test_answers_are_summed_by_what_is_known() -> None:
    """Leads, yes and no, what is off the page, and what an exit code of 0 is worth."""
    wrong = _row(
        direct="Sket",
        lead="Sket",
        confidence=0.2,
        status=AnswerStatus.INSUFFICIENT,
        off_page=[True],
    )
    undecided = _row(answers=["no"], direct="It is 21 metres tall.", lead="", confidence=0.1)
    scores = summed([_row(), wrong, undecided], declined=[True, False])
    assert scores.n == 3
    assert scores.lead_has_gold == scores.first_has_gold == pytest.approx(1 / 3)
    assert scores.answer_has_gold == pytest.approx(2 / 3)
    assert scores.lead_f1 == 0.5
    assert scores.off_page_share == pytest.approx(1 / 3)
    assert (scores.yes_no_accuracy, scores.yes_no_decided) == (0.0, 0.0)
    assert scores.confidence_auc == 1.0
    assert (scores.exit0_share, scores.exit0_right) == (pytest.approx(2 / 3), 0.5)
    assert scores.exit_other_right == 0.0
    assert (scores.declined_unanswerable, scores.declined_answerable) == (0.5, 0.0)
    assert scores.answered_right == pytest.approx(1 / 3)


def test_what_is_answered_without_a_row_is_counted() -> None:
    absent = [_row(answers=[], status=status) for status in AnswerStatus]
    pretended = 1 / len(AnswerStatus)
    assert summed([_row(), *absent], []).absent_unanswered == pytest.approx(1 - pretended)
    assert summed([_row()], []).absent_unanswered == 1.0


def test_a_question_is_right_by_what_is_known_of_it() -> None:
    """A list has to be whole, and what the corpus does not answer declined."""
    items = {"answers": ["oil", "gas"], "wants_all": True, "direct": "oil", "lead": "oil"}
    assert _row(**items, answer="oil [1]. gas [1].").right
    assert not _row(**items, answer="oil [1].").right
    assert not _row(answers=[]).right
    declined = _row(answers=[], status=AnswerStatus.NO_EVIDENCE)
    assert declined.right
    scores = summed([_row(), declined], declined=[])
    assert (scores.n, scores.right, scores.declined_answerable) == (1, 1.0, 0.0)


@pytest.mark.parametrize(
    ("answers", "direct", "right"),
    [
        (["Nein"], "Nein", True),
        (["Nein"], "Kein Hund", False),
        (["いいえ"], "いいえ", True),
        (["是", "可以"], "否", False),
        (["紫砂壶"], "展厅有紫砂壶和银器。", True),
    ],
)
def test_answers_in_other_languages_are_found(answers: list[str], direct: str, right: bool) -> None:
    assert _row(answers=answers, direct=direct, lead="", answer="").lead_right is right


@pytest.mark.anyio
@pytest.mark.parametrize("name", [name for name in own_sets() if name != "own"])
async def test_most_questions_of_a_language_are_got_right(name: str, tmp_path: Path) -> None:
    """Over ten pages in it, with no model."""
    (data,) = load_answer_sets(None, [name])
    result = await evaluate_answers(
        [data.first(7)], Settings(cache_dir=tmp_path / "cache"), work=tmp_path / "corpora"
    )
    assert result.sets[name].right >= 0.75


def test_ties_and_shared_words_count_half() -> None:
    assert auc([(0.5, True), (0.5, False)]) == 0.5
    assert auc([(0.9, True), (0.5, False), (0.9, False)]) == 0.75
    assert token_f1("the Tamsin Wray", ["Tamsin Wray Smith"]) == pytest.approx(0.8)
    assert token_f1("Sket", ["Pellham"]) == 0.0


def test_the_halves_share_no_question(tmp_path: Path) -> None:
    """Whatever is asked besides, a question stays in its half."""
    data = load_multihop(write_questions(tmp_path))[0]
    ids = [{q.id for q in halved(data, half).questions} for half in (Half.FIRST, Half.SECOND)]
    assert not ids[0] & ids[1]
    assert ids[0] | ids[1] == {q.id for q in data.questions} == {"q1", "q2"}


@pytest.mark.anyio
async def test_reports_are_scored(tmp_path: Path) -> None:
    """Each question is asked once; where there is but one set, nothing foreign is."""
    told: list[tuple[str, int, int]] = []

    def tell(dataset: str, done: int, total: int) -> None:
        told.append((dataset, done, total))

    result = await evaluate_answers(
        load_multihop(write_questions(tmp_path / "a1_multihop")),
        Settings(cache_dir=tmp_path / "cache"),
        work=tmp_path / "corpora",
        progress=tell,
    )
    scores = json.loads(result.model_dump_json())["sets"]["isles"]
    assert told == [("isles", 1, 2), ("isles", 2, 2)]
    assert scores["n"] == 2
    assert scores["words_median"] > 0
    assert scores["off_page_share"] < 1
    assert scores["declined_unanswerable"] == 0.0
