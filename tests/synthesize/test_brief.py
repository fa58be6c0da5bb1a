from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st
from tests.synthesize.drafts import (
    EVIDENCE,
    SPANS,
    SUNK,
    TOWNSFOLK,
    drafts,
    markers,
    reported,
    supported,
    unanswered,
)

from quaere.domain.evidence import Evidence
from quaere.domain.report import Degradation, Direct, DirectKind, Opens, Sentence, Support
from quaere.domain.source import Passage
from quaere.domain.verdict import StopReason
from quaere.synthesize.brief import MAX_WORDS, brief
from quaere.synthesize.layout import word_count
from quaere.text.languages.language import ENGLISH_FRAME

LONG = supported(
    "The ferry sank, " + "as everybody told everybody for years, " * 14 + "in 1888.",
    (3, "The ferry sank in the storm of 1888"),
)


def test_r2_1_a_brief_is_an_answer_and_its_citations() -> None:
    short = brief(reported([TOWNSFOLK, SPANS]))
    assert json.loads(short.model_dump_json()) == {
        "answer": "Velling has 18,450 inhabitants [1]. It spans 312 metres [2].",
        "citations": [
            {"id": 1, "title": "Velling", "url": "file:///valley/velling%20town.md"},
            {"id": 2, "title": "Orrin Bridge", "url": EVIDENCE[0].url},
        ],
    }
    assert list(json.loads(short.model_dump_json())) == ["answer", "citations"]


def test_r2_1_what_does_not_fit_goes_with_its_citation_and_the_numbers_close_up() -> None:
    short = brief(reported([LONG, SPANS]))
    assert short.answer == "It spans 312 metres [1]."
    assert [(c.id, c.title) for c in short.citations] == [(1, "Orrin Bridge")]


def test_r2_1_what_goes_on_about_what_does_not_fit_goes_with_it() -> None:
    """In the brief, "it" and "they" would be what stands before them there."""
    goes_on = supported("It was raised again.", (3, "The ferry sank in the storm of 1888"))
    again = goes_on.model_copy(update={"text": "They sold it.", "opens": None})
    anew = goes_on.model_copy(update={"text": "In 1890 they built one.", "opens": Opens.PARAGRAPH})
    short = brief(reported([TOWNSFOLK, LONG, goes_on, again, SPANS, anew]))
    told = (
        "Velling has 18,450 inhabitants [1]. It spans 312 metres [2]. In 1890 they built one [3]."
    )
    assert short.answer == told


def test_r2_1_one_sentence_too_long_is_cut_and_keeps_its_citation() -> None:
    short = brief(reported([LONG]))
    assert short.answer.startswith("The ferry sank, as everybody told")
    assert short.answer.endswith(" [1]…")
    assert 75 < word_count(short.answer) <= MAX_WORDS
    assert [c.title for c in short.citations] == ["Ferries of the Orrin"]


def test_r1_8_a_brief_of_research_that_was_cut_short_says_so() -> None:
    cut = reported([LONG, SPANS]).model_copy(update={"truncated": True})
    assert brief(cut).answer == f"It spans 312 metres [1]. {ENGLISH_FRAME.cut_short}"
    one = brief(reported([LONG]).model_copy(update={"truncated": True}))
    assert one.answer.endswith(ENGLISH_FRAME.cut_short)
    assert word_count(one.answer) <= MAX_WORDS
    none = reported([]).model_copy(update={"truncated": True})
    assert brief(none).answer == ENGLISH_FRAME.nothing, "which is said plainly (R2.4)"


def test_r2_4_no_evidence_makes_a_plain_answer() -> None:
    short = brief(reported([]))
    assert (short.answer, short.citations) == (ENGLISH_FRAME.nothing, ())
    about = Sentence(text="The sources are silent.", support=Support.NOT_A_CLAIM)
    assert brief(reported([about])).answer == ENGLISH_FRAME.nothing


def test_r2_4_places_to_look_are_no_part_of_a_brief() -> None:
    assert json.loads(brief(unanswered()).model_dump_json()) == {
        "answer": ENGLISH_FRAME.nothing,
        "citations": [],
    }


def test_r0_8_what_has_to_be_said_about_the_run_is_said_in_brief_too() -> None:
    degradations = (Degradation(step="search", reason="the breaker is open"),)
    short = brief(
        reported(
            [LONG, SUNK],
            stop_reason=StopReason.TIMEOUT,
            gaps=("who paid",),
            degradations=degradations,
        )
    )
    assert short.answer == (
        f"{ENGLISH_FRAME.limited} The ferry sank in 1888 [1]. "
        "Not answered by what was found: who paid."
    )
    nothing = brief(reported([], stop_reason=StopReason.DEGRADED))
    assert nothing.answer == f"{ENGLISH_FRAME.limited} {ENGLISH_FRAME.nothing}"


def test_r2_1_sentences_are_taken_until_the_words_are_used_up() -> None:
    many = [supported(f"Shaft {n} has salt.", (2, "the salt mines")) for n in range(40)]
    short = brief(reported(many))
    assert short.answer.endswith("Shaft 15 has salt [1].")
    assert word_count(short.answer) == MAX_WORDS


def test_a_claim_whose_citation_is_lost_is_marked() -> None:
    lost = reported([SPANS]).model_copy(update={"citations": ()})
    assert brief(lost).answer == "It spans 312 metres (not judged)."


def test_doubt_stays_marked() -> None:
    doubtful = SPANS.model_copy(update={"support": Support.NOT_JUDGED})
    assert brief(reported([doubtful])).answer == "It spans 312 metres (not judged) [1]."


@given(
    drafts(),
    st.lists(st.sampled_from([LONG, SPANS, SUNK, TOWNSFOLK]), max_size=9),
    st.sampled_from(StopReason),
)
def test_r2_1_a_brief_is_never_over_80_words_and_every_marker_resolves(
    drafted: tuple[list[Sentence], tuple[Evidence, ...], tuple[Passage, ...]],
    ordinary: list[Sentence],
    stop_reason: StopReason,
) -> None:
    sentences, evidence, passages = drafted
    for report in (
        reported(sentences, evidence, passages, stop_reason=stop_reason, gaps=("x",)),
        reported(ordinary, stop_reason=stop_reason, gaps=("x",)),
    ):
        short = brief(report)
        assert 0 < len(short.answer.split()) <= word_count(short.answer) <= MAX_WORDS
        ids = [citation.id for citation in short.citations]
        assert ids == list(range(1, len(ids) + 1))
        assert set(markers(short.answer)) == set(ids)
        json.dumps(short.model_dump(mode="json")).encode("ascii")


def test_r1_8_what_was_answered_before_a_limit_ended_the_search_was_not_cut_short() -> None:
    """It was while the question is open, and where a team looked for more."""
    direct = Direct(
        kind=DirectKind.SENTENCE,
        text=SPANS.text,
        evidence=SPANS.evidence,
        quotes=SPANS.quotes,
        confidence=0.75,
    )
    limit = {"truncated": True, "stop_reason": StopReason.MAX_ITERATIONS}
    found = reported([SPANS.model_copy(update={"direct": direct})]).model_copy(update=limit)
    assert brief(found).answer == "It spans 312 metres [1]."
    team = found.model_copy(update={"dispatched_topics": ("The bridge",)})
    assert brief(team).answer.endswith(ENGLISH_FRAME.cut_short)
    doubtful = SPANS.model_copy(update={"direct": direct.model_copy(update={"confidence": 0.3})})
    assert brief(reported([doubtful]).model_copy(update=limit)).answer.endswith(
        ENGLISH_FRAME.cut_short
    )


def test_r2_1_a_brief_numbers_steps_and_leaves_none_out_between_others() -> None:
    numbered = {"opens": Opens.NUMBERED}
    first, last = (each.model_copy(update=numbered) for each in (TOWNSFOLK, SPANS))
    both = brief(reported([first, last])).answer
    assert both == "1. Velling has 18,450 inhabitants [1].\n2. It spans 312 metres [2]."
    cut = brief(reported([first, LONG.model_copy(update=numbered), last])).answer
    assert cut == "1. Velling has 18,450 inhabitants [1]. …"


def test_r2_1_a_brief_shows_the_code_to_which_its_first_sentence_leads_in() -> None:
    lead = SPANS.model_copy(update={"text": "To measure the bridge, type:"})
    code = SPANS.model_copy(update={"text": "rope --all\nrope --read", "opens": Opens.CODE})
    led = brief(reported([lead, code])).answer
    assert "rope --all\nrope --read" in led
    assert "rope" not in brief(reported([TOWNSFOLK, code])).answer
