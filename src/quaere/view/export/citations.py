"""The sources of a report: their numbered list, and the markers that lead to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from quaere.domain.report import Citation, Sentence
from quaere.synthesize.compose import MARKS, marked
from quaere.synthesize.inert import file_link, plain
from quaere.view.export.document import Line, Marker, Section, Source, Tone, Words
from quaere.view.export.text_fragment import fragment_link

MARKER_CHARS = 400
"""Of a quote, next to its marker; the list of sources has all of it."""

_MARKER = re.compile(r"\[(\d+)\]")


class Citations:
    """The citations of a report, by number and by evidence."""

    def __init__(self, citations: Sequence[Citation]) -> None:
        self._citations = {citation.id: citation for citation in citations}
        self._by_evidence = {citation.evidence: citation.id for citation in citations}
        self._by_passage = {citation.quote.passage: citation.id for citation in citations}

    def sentence(self, sentence: Sentence) -> Line:
        """Return ``sentence`` with its mark and its markers, which show the words it rests on."""
        text = marked(sentence, self.numbers(sentence.evidence))
        tone = Tone.DOUBT if MARKS[sentence.support] else Tone.PLAIN
        quotes = {quote.passage: quote.text for quote in reversed(sentence.quotes)}
        return tuple(self._parts(text, tone, quotes))

    def numbers(self, evidence: Iterable[int]) -> list[int]:
        """Return the numbers under which ``evidence`` is cited, rising."""
        known = self._by_evidence
        return sorted({known[entry] for entry in evidence if entry in known})

    def of_passages(self, passages: Iterable[str]) -> Line:
        """Return the markers of the citations of ``passages``, rising."""
        known = self._by_passage
        return self.markers({known[passage] for passage in passages if passage in known})

    def markers(self, numbers: Iterable[int]) -> Line:
        """Return the markers of the citations ``numbers``, rising."""
        return tuple(self._marker(number, "") for number in sorted(numbers))

    def section(self) -> Section:
        """Return the list of sources, in the order of the claims."""
        return Section("sources", "Sources", tuple(map(_source, self._citations.values())))

    def _parts(self, text: str, tone: Tone, quotes: dict[str, str]) -> Iterator[Words | Marker]:
        for place, part in enumerate(_MARKER.split(text)):
            if place % 2:
                citation = self._citations[int(part)]
                yield self._marker(citation.id, quotes.get(citation.quote.passage, ""))
            elif part:
                yield Words(part, tone)

    def _marker(self, number: int, quote: str) -> Marker:
        citation = self._citations[number]
        shown = plain(quote or citation.quote.text)
        if len(shown) > MARKER_CHARS:
            shown = f"{shown[: MARKER_CHARS - 1].rstrip()}…"
        source = ", ".join(filter(None, (plain(citation.title), plain(citation.locator))))
        return Marker(number, shown, source)


def _source(citation: Citation) -> Source:
    href = fragment_link(citation.url, citation.quote.text, locator=citation.locator)
    read = f"read {plain(citation.retrieved_at)}" if citation.retrieved_at else ""
    digest = f"SHA-256 {plain(citation.content_hash)}" if citation.content_hash else ""
    return Source(
        number=citation.id,
        title=plain(citation.title),
        href=href,
        file=file_link(citation.url),
        place=plain(citation.locator if href else citation.location),
        quote=plain(citation.quote.text),
        facts=tuple(filter(None, (citation.type, read, digest))),
    )
