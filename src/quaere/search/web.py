"""What the providers that search the whole web have in common."""

from __future__ import annotations

from quaere.domain.question import Query, SourceKind
from quaere.domain.scope import Bound, Scope, Sites
from quaere.search.wording import worded

FILTERS = frozenset({Bound.SITES, Bound.DATES})
"""What engines filter by themselves that take operators for sites and a range of days."""

WEB_KINDS = frozenset(
    {SourceKind.WEB, SourceKind.NEWS, SourceKind.GOV, SourceKind.STANDARDS, SourceKind.DOCS}
)
"""The whole web has authorities, standards and manuals in it; for news there is a second index."""


def kind_wanted(query: Query) -> SourceKind:
    """Return NEWS for a query that asks for news and not for the web at large, else WEB."""
    news_alone = set(query.source_kinds) == {SourceKind.NEWS}
    return SourceKind.NEWS if news_alone else SourceKind.WEB


def with_sites(
    text: str, scope: Scope | None, *, max_chars: int, max_words: int | None = None
) -> str:
    """Return ``text`` worded for an engine, with operators for the sites of ``scope``.

    The operators get at most half of the room. A list of the only sites is sent whole or not at
    all, for half of it would lose sources; of the excluded ones as many are sent as fit.
    """
    room, places = max_chars // 2, (max_words or max_chars) // 2
    operators: list[str] = []
    sites = scope.sites if scope else Sites()
    if sites.only:
        listed = " OR ".join(f"site:{host}" for host in sites.only)
        listed = f"({listed})" if len(sites.only) > 1 else listed
        if len(listed) < room and len(listed.split()) <= places:
            operators.append(listed)
    for host in sites.exclude:
        longer = " ".join([*operators, f"-site:{host}"])
        if len(longer) >= room or len(longer.split()) > places:
            break
        operators.append(f"-site:{host}")
    asked = " ".join(operators)
    words_left = max_words - len(asked.split()) if max_words else None
    chars_left = max_chars - len(asked) - 1 if asked else max_chars
    said = worded(text, max_chars=chars_left, max_words=words_left)
    return f"{said} {asked}".strip() if said else ""
