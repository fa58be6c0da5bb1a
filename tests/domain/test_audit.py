from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quaere.audit.report import summary_rows
from quaere.domain.audit import CheckedSentence, CheckedSource, summarized
from quaere.domain.report import Support
from quaere.domain.source import ReadStatus

UNREAD = CheckedSource(number=1, status=ReadStatus.BLOCKED)
CITING = frozenset(Support) - {Support.NOT_A_CLAIM}


def said(verdict: Support, *, read: bool = True, cites: bool = True) -> CheckedSentence:
    numbers = (1,) if cites and verdict in CITING else ()
    return CheckedSentence(
        line=1, start=0, end=1, text="x", verdict=verdict, cites=numbers, read=read
    )


def test_the_shares_are_what_they_are_called() -> None:
    sentences = [
        said(Support.SUPPORTED),
        said(Support.PARTLY),
        said(Support.NOT_JUDGED, read=False),
        said(Support.NOT_JUDGED, read=False, cites=False),
        said(Support.NOT_A_CLAIM, read=False),
    ]
    summary = summarized(sentences, [UNREAD])
    assert (summary.sentences, summary.claims, summary.cited, summary.unread) == (5, 4, 3, 1)
    assert (summary.citation_precision, summary.citation_recall) == (1 / 3, 1 / 4)
    assert (summary.sources, summary.sources_unread) == (1, 1)
    shown = dict(summary_rows(summary))
    assert shown["Not judged"] == "2 (1 of them because no source could be read)"
    assert shown["Citation precision"] == "33%"


@given(st.lists(st.sampled_from(Support), max_size=12))
def test_one_more_supported_sentence_lowers_no_share(verdicts: list[Support]) -> None:
    before = summarized([said(each) for each in verdicts], [])
    after = summarized([said(each) for each in [*verdicts, Support.SUPPORTED]], [])
    assert sum(before.verdicts.values()) == before.sentences
    assert (after.citation_precision or 0) >= (before.citation_precision or 0)
    assert (after.citation_recall or 0) >= (before.citation_recall or 0)
    assert (before.citation_precision is None) == (before.cited == 0)
    assert (before.citation_recall is None) == (before.claims == 0)
