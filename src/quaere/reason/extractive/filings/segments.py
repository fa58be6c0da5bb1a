"""Finds the sentence in which a report names all segments of its company."""

from __future__ import annotations

from collections.abc import Iterator

from quaere.reason.extractive.filings.reports import Found, Report
from quaere.reason.extractive.manuals.enumerations import names_all
from quaere.text.lazy_regex import lazy_regex
from quaere.text.sentences import sentences
from quaere.text.tokens import stem

_OWN = lazy_regex(
    r"(?i)\b(?:(?:one|two|three|four|five|six|seven|eight|nine|ten|\d{1,2}|our|the company['’]s)\s"
    r"(?:[a-z]+\s){0,2}segments)\b"
)
"""How all of them are spoken of."""
_GOES_ON = lazy_regex(r"(?<=[^\W_]), (?:and|which|with|as|each) (?-i:[a-z])")
"""How a sentence goes on after names, which begin with capitals."""
_SEGMENTS = frozenset({stem("segments")})


def segments(report: Report) -> Iterator[Found]:
    """Yield the names of the segments, in the order of the passages."""
    for owner, passage in report.passages:
        for span in sentences(passage.text):
            said = " ".join(passage.text[span.start : span.end].split())
            own = _OWN.search(said)
            told = names_all(_GOES_ON.split(said, maxsplit=1)[0], _SEGMENTS) if own else None
            if told is not None:
                names = told["named"].strip(" .;,")
                yield Found(names, owner, span.start, span.end, is_said=True)
