"""What an audit finds: a verdict on every sentence, and the state of its sources."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

from pydantic import Field

from quaere.domain.model import ModelCall
from quaere.domain.report import CheckedBy, RunWarning, Support
from quaere.domain.source import ReadStatus
from quaere.domain.value import Count, Outside, Sensitivity, Value
from quaere.domain.verdict import Confidence


class Place(Value):
    """Words of a source, at ``[start, end)`` of its text."""

    source: Annotated[int, Field(ge=1)]
    """Number of the source."""
    text: Annotated[Outside, Sensitivity.PAGE_TEXT]
    start: Count
    end: Count
    locator: Outside = ""
    """Where that is: "page 3", "lines 12-20"."""


class CheckedSentence(Value):
    """One sentence of the text, at ``[start, end)``, and what was found of it."""

    line: Annotated[int, Field(ge=1)]
    start: Count
    end: Count
    text: Annotated[Outside, Sensitivity.QUESTION]
    """Without markers, addresses and markup."""
    verdict: Support
    by: CheckedBy | None = None
    """Whose verdict it is; None where nothing was compared."""
    reason: Annotated[Outside, Sensitivity.QUESTION] = ""
    """Why it is that verdict, in words of the text itself, or why nothing could be compared."""
    cites: tuple[int, ...] = ()
    """Numbers of the sources that it cites."""
    found: tuple[int, ...] = ()
    """Where it cites none: the number of the source that was found to come nearest to it."""
    probability: Confidence | None = None
    """How likely its sources say it, as who gave the verdict has it (words: where as many sentences
    are supported as not); None where that one has no number, or nothing was compared."""
    place: Place | None = None
    """What comes nearest to it in its sources."""
    read: bool = False
    """Whether any of its sources could be read."""


class CheckedSource(Value):
    """A source that the text cites, or that was found for what cites nothing."""

    number: Annotated[int, Field(ge=1)]
    labels: tuple[Outside, ...] = ()
    """Its markers in the text: "3", "mill2020"; empty when its address does."""
    address: Outside = ""
    """As the text gives it; empty when it gives none."""
    url: Outside = ""
    """What was read, after redirects; empty when nothing was."""
    title: Outside = ""
    """As the text gives it, else as the source itself does."""
    status: ReadStatus
    reason: Annotated[Outside, Sensitivity.MESSAGE] = ""
    """Why it was not read."""
    characters: Count = 0
    retrieved_at: str = ""
    content_hash: str = ""
    found: bool = False
    """Whether the text does not cite it: it was looked up."""


class Summary(Value):
    """The figures of an audit."""

    sentences: Count
    claims: Count
    """Sentences that say something about the world."""
    cited: Count
    """Claims with a citation."""
    verdicts: dict[Support, Count]
    """How many sentences have each verdict."""
    unread: Count
    """Cited claims without a source that could be read."""
    sources: Count
    sources_unread: Count
    found: Count = 0
    """Claims that cite nothing, and that a source supports all the same."""
    citation_precision: Confidence | None
    """Share of the cited claims that are supported; None when nothing is cited."""
    citation_recall: Confidence | None
    """Share of all claims that are cited and supported; None when there is no claim."""


class Audit(Value):
    """A text checked against what it cites."""

    summary: Summary
    sentences: tuple[CheckedSentence, ...]
    sources: tuple[CheckedSource, ...]
    warnings: tuple[RunWarning, ...] = ()
    calls: tuple[ModelCall, ...] = ()
    """Every call of a model, in order."""


def summarized(sentences: Sequence[CheckedSentence], sources: Sequence[CheckedSource]) -> Summary:
    """Return the figures of ``sentences`` and ``sources``."""
    given = [sentence.verdict for sentence in sentences]
    counts = {verdict: given.count(verdict) for verdict in Support}
    claims = len(given) - counts[Support.NOT_A_CLAIM]
    citing = [sentence for sentence in sentences if sentence.cites]
    cited = sum(sentence.verdict is not Support.NOT_A_CLAIM for sentence in citing)
    supported = _supported(citing)
    return Summary(
        sentences=len(given),
        claims=claims,
        cited=cited,
        verdicts=counts,
        unread=sum(not sentence.read for sentence in citing),
        sources=len(sources),
        sources_unread=sum(not source.url for source in sources),
        found=_supported(sentences) - supported,
        citation_precision=_share(supported, cited),
        citation_recall=_share(supported, claims),
    )


def _supported(sentences: Iterable[CheckedSentence]) -> int:
    return sum(sentence.verdict.holds for sentence in sentences)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
