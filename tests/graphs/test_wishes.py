"""What an asker wants of the answer reaches who writes it, and what cannot be had is told."""

from __future__ import annotations

import pytest
from tests.graphs.world import HOP, engine, told

from quaere.domain.budget import PROFILES, ProfileName
from quaere.domain.question import AnswerForm, Question, Turn
from quaere.domain.report import Sentence
from quaere.graphs.context import SHORT_WORDS, answer_words, words_wanted
from quaere.graphs.nodes.synthesize import other_language
from quaere.graphs.state import LoopState, initial_state
from quaere.text.follow_ups import whole_question

GERMAN = Sentence(text="Die Motte lebt an der Küste und frisst die Flechten von den Felsen.")


def state(question: Question, profile: ProfileName = ProfileName.SIMPLE) -> LoopState:
    return initial_state(question, requested=profile, limits={})


def test_a_short_answer_is_short_and_no_longer_than_the_budget_allows() -> None:
    short = state(Question(text=HOP, form=AnswerForm.SHORT), ProfileName.DEEP)
    assert words_wanted(short) == SHORT_WORDS < PROFILES[ProfileName.DEEP].answer_words
    short["budget"] = short["budget"].override({"answer_words": 20})
    assert words_wanted(short) == 20
    assert words_wanted(state(Question(text=HOP))) == PROFILES[ProfileName.SIMPLE].answer_words


@pytest.mark.parametrize("form", [None, *AnswerForm])
def test_an_answer_with_a_form_of_its_own_is_written_in_a_step_of_its_own(
    form: AnswerForm | None,
) -> None:
    early = answer_words(state(Question(text=HOP, form=form)))
    assert (early is None) is (form in {AnswerForm.REPORT, AnswerForm.LIST, AnswerForm.TABLE})


def test_a_follow_up_is_searched_for_as_a_whole_question() -> None:
    turn = Turn(question="Who founded the Quill Observatory?", answer="Odile Varga [1].")
    text = "And where was she born?"
    asked = Question(text=text, conversation=(turn,), whole=whole_question(text, [turn]))
    (query,) = state(asked)["pending"]
    assert query.text == "Where was Odile Varga born?"


def test_an_answer_in_another_language_than_asked_for_is_told() -> None:
    told = [d.reason for d in other_language(Question(text=HOP, language="en"), [GERMAN])]
    assert told == ["the answer is in German; English was asked for"]
    told = [d.reason for d in other_language(Question(text=HOP, language="cs"), [GERMAN])]
    assert told == ["the answer is in German; the language cs was asked for"]


@pytest.mark.parametrize(
    ("language", "written"), [("de", [GERMAN]), (None, [GERMAN]), ("en", [Sentence(text="1861.")])]
)
def test_an_answer_that_may_be_in_the_right_language_is_left_alone(
    language: str | None, written: list[Sentence]
) -> None:
    assert list(other_language(Question(text=HOP, language=language), written)) == []


@pytest.mark.anyio
async def test_a_follow_up_is_answered_without_a_model() -> None:
    text = "And where was she born?"
    turn = Turn(question="Who founded the Quill Observatory?", answer="Odile Varga [1].")
    asked = Question(text=text, conversation=(turn,), whole=whole_question(text, [turn]))
    alone, resolved = await told(engine(), text), await told(engine(), asked.full_text)
    assert "Tressel Ford in 1861" not in alone.report.answer.partition(".")[0]
    assert resolved.report.direct.text == "Tressel Ford"
    assert "born in Tressel Ford in 1861" in resolved.report.answer
