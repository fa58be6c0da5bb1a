"""What the providers that search the whole web have in common."""

from __future__ import annotations

from quaere.domain.question import Query, SourceKind

WEB_KINDS = frozenset(
    {SourceKind.WEB, SourceKind.NEWS, SourceKind.GOV, SourceKind.STANDARDS, SourceKind.DOCS}
)
"""The whole web has authorities, standards and manuals in it; for news there is a second index."""


def kind_wanted(query: Query) -> SourceKind:
    """Return NEWS for a query that asks for news and not for the web at large, else WEB."""
    news_alone = set(query.source_kinds) == {SourceKind.NEWS}
    return SourceKind.NEWS if news_alone else SourceKind.WEB
