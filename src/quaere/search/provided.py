"""Keeps the text that a provider returned with its hit, so that the page need not be opened."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC

from quaere.domain.source import Hit, Page, Passage, ReadStatus, passage_id
from quaere.ports import Clock, Cutter
from quaere.text.similarity import Bm25
from quaere.text.tokens import terms

WHOLE_CHARS = 3_000
"""A text of this length, an abstract with all its sections, stays one passage."""
MAX_CHARS = 60_000
"""What of a page is kept: some 10,000 words."""


class ProvidedText:
    """Makes passages of provided text."""

    def __init__(self, cut: Cutter, clock: Clock) -> None:
        self._cut = cut
        self._clock = clock

    def passage(self, hit: Hit, text: str, query: str) -> Passage | None:
        """Return ``text``, or the passage of it that answers ``query`` best if it is long.

        None when there is no text.
        """
        page = Page(
            url=hit.url,
            title=hit.title,
            text=text[:MAX_CHARS],
            status=ReadStatus.PROVIDED,
            retrieved_at=self._clock.now().astimezone(UTC).isoformat(timespec="seconds"),
            published=hit.published,
        )
        passages = self._cut(page) if len(text) > WHOLE_CHARS else _whole(page)
        if not passages:
            return None
        return _best(passages, query).model_copy(update={"provided": True})


def _whole(page: Page) -> Sequence[Passage]:
    text = page.text.strip()
    if not text:
        return ()
    start = page.text.index(text)
    passage = Passage(
        id=passage_id(page.url, start, text),
        url=page.url,
        title=page.title,
        text=text,
        start=start,
        end=start + len(text),
        content_hash=page.content_hash,
        retrieved_at=page.retrieved_at,
        published=page.published,
    )
    return (passage,)


def _best(passages: Sequence[Passage], query: str) -> Passage:
    if len(passages) == 1:
        return passages[0]
    scores = Bm25([terms(passage.text) for passage in passages]).scores(terms(query))
    return max(zip(scores, passages, strict=True), key=lambda pair: pair[0])[1]
