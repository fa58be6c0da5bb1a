"""Makes one page of what extraction returns in pieces."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from quaere.domain.source import Mark, Page

_BETWEEN = "\n\n"


def whole(pages: Sequence[Page]) -> Page:
    """Return the one page of a document, or all records of a table as one.

    Raises:
        IndexError: when there is no page.
    """
    first = pages[0]
    if len(pages) == 1:
        return first
    starts = accumulate((len(page.text) + len(_BETWEEN) for page in pages), initial=0)
    marks = [
        Mark(start=start + mark.start, label=mark.label)
        for start, page in zip(starts, pages, strict=False)
        for mark in page.marks
    ]
    url, _, _ = first.url.partition("#")
    text = _BETWEEN.join(page.text for page in pages)
    return first.model_copy(update={"url": url, "text": text, "marks": tuple(marks)})
