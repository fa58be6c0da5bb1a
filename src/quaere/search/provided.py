"""Keeps the text that a provider returned with its hit, so that the page need not be opened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC

from quaere.domain.source import Hit, Page, Passage, ReadStatus, passage_id
from quaere.ports.clock import Clock
from quaere.ports.read import Chunker

Choose = Callable[[Sequence[Passage], str], Sequence[Passage]]
"""Picks of a page's passages those that fit some words, the best first."""

WHOLE_CHARS = 3_000
"""A text of this length, an abstract with all its sections, stays one passage."""
MAX_CHARS = 60_000
"""What of a page is kept: some 10,000 words."""


class ProvidedText:
    """Makes passages of provided text."""

    def __init__(self, chunk: Chunker, choose: Choose, clock: Clock) -> None:
        self._chunk = chunk
        self._choose = choose
        self._clock = clock

    def passages(self, hit: Hit, text: str, query: str) -> tuple[Passage, ...]:
        """Return ``text``, or what is chosen of it for ``query`` if it is long.

        None at all when there is no text.
        """
        page = Page(
            url=hit.url,
            title=hit.title,
            text=text[:MAX_CHARS],
            status=ReadStatus.PROVIDED,
            retrieved_at=self._clock.now().astimezone(UTC).isoformat(timespec="seconds"),
            published=hit.published,
        )
        passages = (
            self._choose(self._chunk(page), query) if len(text) > WHOLE_CHARS else _whole(page)
        )
        return tuple(passage.model_copy(update={"provided": True}) for passage in passages)


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
