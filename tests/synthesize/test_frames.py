"""What an answer says by itself, in the language of its question."""

from __future__ import annotations

import re

import pytest

from quaere.domain.question import Checklist, Item
from quaere.domain.report import WORDING_DIFFERS, Direct, DirectKind, Sentence, Support
from quaere.synthesize.compose import marked, missing, notices
from quaere.synthesize.standing import settled
from quaere.synthesize.wording import VERDICTS, mark_of
from quaere.text.languages.language import ENGLISH_FRAME, languages, speaking

ASKED = "Wer baute die Mühle?"


@pytest.mark.parametrize("code", sorted(languages()))
def test_warnings_and_gaps_are_in_the_language_of_the_question_r0_8(code: str) -> None:
    language = languages()[code]
    with speaking(language):
        before, after = notices(limited=True, truncated=True)
        named = missing(["the owner"])
        unsure = _unsure()
    assert (before, after) == ([language.frame.limited], [language.frame.cut_short])
    told = language.frame
    assert named == (f"{told.unanswered}{told.colon}the owner{told.stop}",)
    assert unsure == f"{told.uncertain}{told.colon}{ASKED}"
    assert unsure not in {*before, *after, *named}


@pytest.mark.parametrize("code", sorted(languages()))
def test_a_gap_that_only_says_how_a_part_ended_is_not_told_again(code: str) -> None:
    language = languages()[code]
    with speaking(language):
        lost = language.frame.gap(language.frame.not_found, "the owner")
        assert missing([_unsure()]) == (language.frame.doubtful,)
        assert missing([_unsure(), lost]) == missing([]) == (language.frame.incomplete,)
    assert missing([_unsure()]) == (ENGLISH_FRAME.doubtful,)
    assert missing([]) == (ENGLISH_FRAME.incomplete,)


def test_punctuation_is_that_of_the_language() -> None:
    assert [languages()[code].frame.colon for code in ("de", "fr", "zh")] == [": ", " : ", "："]
    with speaking(languages()["zh"]):
        assert marked(Sentence(text="否", evidence=(1,), support=Support.QUOTED), [1]) == "否 [1]。"


def test_a_question_in_english_has_the_words_of_the_requirements_r0_8() -> None:
    before, after = notices(limited=True, truncated=True)
    assert before == ["Search capabilities were limited; answer is based on partial information."]
    assert after == [ENGLISH_FRAME.cut_short]
    assert ENGLISH_FRAME.nothing == "No evidence found that answers the question."


def _unsure() -> str:
    """Return the gap of a question whose direct answer is not sure."""
    told = Direct(kind=DirectKind.SENTENCE, text="It was old.", evidence=(1,), confidence=0.1)
    checklist = Checklist(items=(Item(id="question", description=ASKED),))
    return settled(checklist, (), [Sentence(text="It was old.", evidence=(1,), direct=told)])[1][0]


@pytest.mark.parametrize("code", sorted(languages()))
def test_marks_and_disagreements_are_in_the_language_of_the_question(code: str) -> None:
    own = languages()[code].frame
    doubtful = Sentence(text="It was old.", support=Support.NOT_JUDGED)
    with speaking(languages()[code]):
        assert mark_of(doubtful) == f"({own.not_judged})"
        reworded = doubtful.model_copy(update={"reason": WORDING_DIFFERS})
        assert mark_of(reworded) == f"({own.differs}, {own.not_judged})"
        partly = doubtful.model_copy(update={"support": Support.PARTLY})
        assert mark_of(partly) == f"({own.partly})"
    for each in (own.disagree, own.says_both):
        assert each != ENGLISH_FRAME.disagree
        assert {"{one}", "{other}"} <= set(re.findall(r"\{\w+\}", each))
    assert "{about}" in own.disagree
    assert "{about}" in own.about


def test_marks_in_english_are_the_names_of_the_verdicts() -> None:
    for support, said in (
        (Support.PARTLY, ENGLISH_FRAME.partly),
        (Support.CONTRADICTED, ENGLISH_FRAME.contradicted),
        (Support.NOT_JUDGED, ENGLISH_FRAME.not_judged),
    ):
        assert said == VERDICTS[support]
    assert ENGLISH_FRAME.differs == WORDING_DIFFERS
