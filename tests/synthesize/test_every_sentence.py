"""R0.9: whatever form a report takes, no sentence is without a citation or a mark."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from tests.synthesize.drafts import drafts, markers, reported

from quaere.domain.evidence import Evidence
from quaere.domain.report import Report, Sentence, Support
from quaere.domain.source import Passage
from quaere.domain.verdict import StopReason
from quaere.synthesize.brief import brief
from quaere.synthesize.compose import marked, missing
from quaere.synthesize.inert import escaped
from quaere.synthesize.wording import VERDICTS
from quaere.text.languages.language import ENGLISH_FRAME
from quaere.view.export.markdown import markdown

Drafted = tuple[list[Sentence], tuple[Evidence, ...], tuple[Passage, ...]]
CASES = (drafts(), st.sampled_from(StopReason), st.booleans())

_NUMBERS = re.compile(r"(?:\[\d+\])+")


def made(drafted: Drafted, reason: StopReason, *, gaps: bool) -> Report:
    sentences, evidence, passages = drafted
    return reported(
        sentences, evidence, passages, stop_reason=reason, gaps=("open",) if gaps else ()
    )


def shown(report: Report) -> list[str]:
    """Return the sentences of ``report`` as its answer has them, whatever their numbers."""
    known = {citation.evidence: citation.id for citation in report.citations}
    return [
        _unnumbered(marked(said, [known[number] for number in said.evidence if number in known]))
        for said in report.sentences
    ]


def _unnumbered(text: str) -> str:
    return _NUMBERS.sub("[#]", text)


def is_accounted_for(text: str) -> bool:
    return "[#]" in text or any(f"{name})" in text for name in VERDICTS.values())


def left_of(answer: str, sentences: Sequence[str]) -> str:
    """Return what stands in ``answer`` beside ``sentences``, which stand in it in their order."""
    left = _unnumbered(answer)
    for sentence in sentences:
        before, found, after = left.partition(sentence)
        left = before + after if found else left
    return left


@given(*CASES)
def test_every_claim_has_a_citation_or_a_mark(
    drafted: Drafted, reason: StopReason, gaps: bool
) -> None:
    report = made(drafted, reason, gaps=gaps)
    for said, text in zip(report.sentences, shown(report), strict=True):
        assert is_accounted_for(text) or said.support is Support.NOT_A_CLAIM


@given(*CASES)
def test_an_answer_is_made_of_such_sentences_alone(
    drafted: Drafted, reason: StopReason, gaps: bool
) -> None:
    report = made(drafted, reason, gaps=gaps)
    left = left_of(
        report.answer,
        [*shown(report), ENGLISH_FRAME.limited, ENGLISH_FRAME.nothing, *missing(report.gaps)],
    )
    assert left.strip() == ""


@given(*CASES)
def test_so_is_a_brief_one(drafted: Drafted, reason: StopReason, gaps: bool) -> None:
    report = made(drafted, reason, gaps=gaps)
    claims = [
        text
        for said, text in zip(report.sentences, shown(report), strict=True)
        if said.support is not Support.NOT_A_CLAIM
    ]
    assert all(map(is_accounted_for, claims))
    answer = brief(report).answer
    left = left_of(
        answer, [*claims, ENGLISH_FRAME.limited, ENGLISH_FRAME.nothing, *missing(report.gaps)]
    ).strip()
    # One sentence that is too long alone is cut, and keeps its citation or its mark.
    assert left == "" or ("…" in left and is_accounted_for(left))


@given(*CASES)
def test_in_markdown_the_answer_stands_as_it_is(
    drafted: Drafted, reason: StopReason, gaps: bool
) -> None:
    report = made(drafted, reason, gaps=gaps)
    assert f"\n\n{escaped(report.answer, markers=True)}\n" in markdown(report)
    assert set(markers(report.answer)) == {c.id for c in report.citations}
