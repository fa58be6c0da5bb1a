"""Tells which hits lead to the same source."""

from __future__ import annotations

from collections.abc import Sequence

from quaere.domain.question import SourceKind
from quaere.domain.source import Hit
from quaere.domain.works import Copy, page_key, same_works


def same_sources(hits: Sequence[Hit]) -> list[list[int]]:
    """Return the places in ``hits`` in groups, one for each source.

    A source is a work, wherever it is kept (`quaere.domain.works`). In a folder the unit is not the
    file but the passage, and nothing else counts; a hit without an address is told by its words.
    """
    return same_works([_copy(hit) for hit in hits])


def _copy(hit: Hit) -> Copy:
    home = page_key(hit.url)
    if hit.kind is SourceKind.FOLDER:
        return Copy(f"passage\0{home}\0{hit.passage.id}" if hit.passage else home)
    return Copy(home or f"words\0{hit.title}\0{hit.snippet}", hit.url, hit.title)
