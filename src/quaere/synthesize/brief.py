"""The short form of a report: an answer of at most 80 words and what it cites (R2.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from quaere.domain.question import Checklist
from quaere.domain.report import Citation, Opens, Report, Sentence
from quaere.domain.value import Value
from quaere.domain.verdict import StopReason
from quaere.synthesize.compose import (
    claims_shown,
    is_limited,
    joined,
    marked,
    missing,
    opening_sentence,
    shown_text,
)
from quaere.synthesize.layout import Layout, first_words, word_count
from quaere.synthesize.standing import is_open
from quaere.text.languages.language import frame, language_of, speaking

MAX_WORDS = 80
"""Words of a brief answer, markers counted where they stand alone."""

MAX_GAP_WORDS = 30
"""Of them, words on what is missing."""
_ON_LINES = frozenset({Opens.NUMBERED, Opens.CODE})
_MARKED = frozenset({Opens.NUMBERED, Opens.ITEM})
"""What may begin with a number or a bullet, which counts as a word."""


class Reference(Value):
    """A source that a brief answer cites; ``id`` is the number in its marker."""

    id: int
    title: str
    url: str


class Brief(Value):
    """What ``brief`` prints: nothing else, in this order."""

    answer: str
    citations: tuple[Reference, ...] = ()


def brief(report: Report) -> Brief:
    """Return ``report`` in at most MAX_WORDS words, cut between sentences.

    Sentences that don't fit are left out and their citations with them; the numbers are given
    anew, in the order of the claims. When not even one fits, the first is cut short. That the
    research was cut short is said of one line of inquiry only while it leaves the question open.
    """
    with speaking(language_of(report.asked)):
        return _brief(report)


def _brief(report: Report) -> Brief:
    limited = is_limited(report.stop_reason, report.degradations)
    incomplete = is_open(report)
    claims = _claims(report)
    if not claims:
        return Brief(answer=joined([frame().nothing], limited=limited))
    open_ = _gaps(report) if incomplete else ()
    truncated = report.truncated and (incomplete or not _found_before_it_ended(report))
    about_run = joined([], limited=limited, open_=open_, truncated=truncated)
    known = {citation.evidence: citation for citation in report.citations}
    texts, cited = _fitting(claims, known, MAX_WORDS - word_count(about_run))
    references = (
        Reference(id=number, title=citation.title, url=citation.url)
        for number, citation in enumerate(cited, start=1)
    )
    answer = joined(texts, limited=limited, open_=open_, truncated=truncated)
    return Brief(answer=answer, citations=tuple(references))


def _gaps(report: Report) -> tuple[str, ...]:
    """Return what is open, or that something is where it takes too many words."""
    gaps = missing(report.gaps, report.sentences)
    return gaps if word_count(" ".join(gaps)) <= MAX_GAP_WORDS else (frame().incomplete,)


@dataclass(slots=True)
class _Shown:
    """The claims that are shown, with their markers and what they cite, and the room left."""

    known: Mapping[int, Citation]
    room: int
    claims: list[Sentence] = field(default_factory=list[Sentence])
    texts: list[str] = field(default_factory=list[str])
    cited: list[Citation] = field(default_factory=list[Citation])

    def takes(self, claim: Sentence) -> bool:
        """Take ``claim`` if there is room for it; return whether there is."""
        text, cited = _numbered(claim, self.known, self.cited)
        left = self.room - word_count(text) - (claim.opens in _MARKED)
        if left < 0:
            return False
        self.claims.append(claim)
        self.texts.append(text)
        self.cited, self.room = cited, left
        return True

    def laid_out(self, *, is_cut: bool) -> list[str]:
        """Return the texts; steps and code on lines of their own, with a sign where some lack."""
        if all(claim.opens not in _ON_LINES for claim in self.claims):
            return self.texts
        lines = Layout(None, Checklist()).body(self.claims, self.texts)
        return ["".join(lines), "…"] if is_cut and self.room > 0 else ["".join(lines)]


def _fitting(
    claims: Sequence[Sentence], known: Mapping[int, Citation], room: int
) -> tuple[list[str], list[Citation]]:
    """Return the claims that fit, or the first one cut short, and what they cite.

    What goes on about a claim that is left out is left out with it: after what another says, "he"
    would be somebody else. A step that is left out is the end. Steps have a line of their own each.

    Args:
        claims: At least one.
        known: The citations by the number of their evidence.
        room: In words.
    """
    shown = _Shown(known, room)
    lost: Sentence | None = None
    for claim in claims:
        is_lost_too = shown.claims and _goes_on(claim, lost)
        if not is_lost_too and shown.takes(claim):
            lost = None
        elif claim.opens is Opens.NUMBERED:
            break
        else:
            lost = claim
    if not shown.claims:
        text, cited = _cut_short(claims[0], known, room)
        return [text], cited
    return shown.laid_out(is_cut=len(shown.claims) < len(claims)), shown.cited


def _goes_on(claim: Sentence, before: Sentence | None) -> bool:
    """Whether ``claim`` is of one paragraph and one source with the one ``before`` it."""
    if before is None or claim.opens is not None:
        return False
    return not set(claim.evidence).isdisjoint(before.evidence)


def _found_before_it_ended(report: Report) -> bool:
    """Whether one line of inquiry ended at a limit, so that its answer tells what was missed."""
    return report.stop_reason is not StopReason.SUFFICIENT and not report.dispatched_topics


def _claims(report: Report) -> list[Sentence]:
    """Return what is claimed in prose, and the block of code to which the first claim leads in.

    Other blocks are shown only where there is nothing else.
    """
    claims = claims_shown(report.sentences)
    kept = claims[:2] if claims and claims[0].text.endswith(":") else claims[:0]
    shown = [claim for claim in claims if claim in kept or claim.opens is not Opens.CODE]
    return shown or claims


def _numbered(
    claim: Sentence, known: Mapping[int, Citation], cited: Sequence[Citation]
) -> tuple[str, list[Citation]]:
    """Return ``claim`` with its markers, and ``cited`` with what it cites first."""
    own, grown = _cited(claim.evidence, known, cited)
    text = marked(claim, [grown.index(citation) + 1 for citation in own])
    if claim.direct is None or not claim.direct.precedes:
        return text, grown
    proof, grown = _cited(claim.direct.evidence, known, grown)
    lead = opening_sentence(claim.direct, [grown.index(citation) + 1 for citation in proof])
    return f"{lead} {text}", grown


def _cited(
    evidence: Sequence[int], known: Mapping[int, Citation], cited: Sequence[Citation]
) -> tuple[list[Citation], list[Citation]]:
    """Return the citations of ``evidence``, and ``cited`` with those that were not in it yet."""
    own = [known[number] for number in evidence if number in known]
    return own, [*cited, *(citation for citation in dict.fromkeys(own) if citation not in cited)]


def _cut_short(
    claim: Sentence, known: Mapping[int, Citation], room: int
) -> tuple[str, list[Citation]]:
    """Return the beginning of ``claim`` with as many words as fit, its markers included."""
    text, cited = _numbered(claim, known, [])
    for count in range(room, 0, -1):
        if word_count(text) <= room:
            break
        begun = f"{first_words(shown_text(claim), count)}…"
        text, cited = _numbered(claim.model_copy(update={"text": begun}), known, [])
    return text, cited
