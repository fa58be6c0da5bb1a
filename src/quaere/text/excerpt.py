"""The stretch of a text that is worth showing where there is no room for all of it."""

from __future__ import annotations

from collections.abc import Collection

from quaere.text.sentences import Span, sentences
from quaere.text.tokens import terms


def excerpt(text: str, wanted: Collection[str], max_chars: int) -> Span:
    """Return the run of whole sentences up to ``max_chars`` that holds most ``wanted`` terms.

    Of equal ones the first is taken. A first sentence that is longer than the room is cut at the
    last space that fits, or where the room ends.
    """
    if len(text) <= max_chars:
        return Span(0, len(text))
    spans = sentences(text)
    sought = frozenset(wanted)
    held = [sought.intersection(terms(text[span.start : span.end])) for span in spans]
    best, most = Span(0, 0), -1
    for first, span in enumerate(spans):
        last = first
        while last + 1 < len(spans) and spans[last + 1].end - span.start <= max_chars:
            last += 1
        found = len(frozenset[str]().union(*held[first : last + 1]))
        if found > most:
            best, most = Span(span.start, spans[last].end), found
    if not spans or best.end - best.start > max_chars:
        room = text[best.start : best.start + max_chars]
        cut = room.rfind(" ")
        return Span(best.start, best.start + (cut if cut > 0 else len(room)))
    return best
