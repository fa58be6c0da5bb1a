"""What an answer says by itself, in the language of its question."""

from __future__ import annotations

import pytest

from quaere.domain.question import Checklist, Item
from quaere.domain.report import Direct, DirectKind, Sentence
from quaere.synthesize.compose import INCOMPLETE, TRUNCATED, missing, notices, settled
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
    assert named == (f"{language.frame.unanswered}: the owner.",)
    assert unsure == f"{language.frame.uncertain}: {ASKED}"
    assert unsure not in {*before, *after, *named}


@pytest.mark.parametrize("code", sorted(languages()))
def test_a_gap_that_only_says_how_a_part_ended_is_not_told_again(code: str) -> None:
    language = languages()[code]
    with speaking(language):
        assert missing([_unsure()]) == (language.frame.incomplete,)
    assert missing([_unsure()]) == (INCOMPLETE,)


def test_a_question_in_english_has_the_words_of_the_requirements_r0_8() -> None:
    before, after = notices(limited=True, truncated=True)
    assert before == ["Search capabilities were limited; answer is based on partial information."]
    assert after == [TRUNCATED]
    assert ENGLISH_FRAME.nothing == "No evidence found that answers the question."


def _unsure() -> str:
    """Return the gap of a question whose direct answer is not sure."""
    told = Direct(kind=DirectKind.SENTENCE, text="It was old.", evidence=(1,), confidence=0.1)
    checklist = Checklist(items=(Item(id="question", description=ASKED),))
    return settled(checklist, (), [Sentence(text="It was old.", evidence=(1,), direct=told)])[1][0]
