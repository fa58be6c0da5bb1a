"""Puts pages first whose title a query names."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from quaere.domain.source import Hit
from quaere.domain.url import without_site
from quaere.evidence.features import phrase, title_forms
from quaere.text.tokens import is_stop_word, words

MAX_CHARS = 300
"""Of a title that is looked at; no query is longer than that by much."""


def named_first(hits: Sequence[Hit], queries: Sequence[str]) -> tuple[Hit, ...]:
    """Return ``hits`` with those first whose whole title is in one of ``queries``, word for word.

    "Where is Iceland located" finds pages on many things in Iceland, and services rank them by
    their words; the one that is called "Iceland" is about it.
    """
    asked = [phrase(words(query)) for query in queries]
    return tuple(sorted(hits, key=lambda hit: not _is_named(hit, asked)))


def _is_named(hit: Hit, asked: Sequence[str]) -> bool:
    names = _names(hit.title[:MAX_CHARS], hit.url)
    return any(f" {name} " in query for name in names for query in asked)


@lru_cache(maxsize=4096)  # each page is found by several queries, and looked at twice for each
def _names(title: str, url: str) -> frozenset[str]:
    forms = title_forms(without_site(title, url))
    return frozenset(name for name in (forms.full, forms.base) if name and not is_stop_word(name))
