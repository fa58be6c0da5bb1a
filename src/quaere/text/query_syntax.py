"""The syntax that a query may be in, and which search services understand it (R4.2)."""

from __future__ import annotations

import re
from collections.abc import Collection

from quaere.domain.question import Query, SourceKind
from quaere.text.lazy_regex import lazy_regex

# https://pubmed.ncbi.nlm.nih.gov/help/#search-tags: the tags that models use, short and long.
PUBMED_TAG = (
    r"\[(?:ab|ad|all|au|dp|edat|filter|la|majr|mesh|mh|nm|pdat|pmid|pt|ptyp|rn|sb|sh|ta|ti|tiab|tw|"
    r"abstract|all fields|author|date - publication|journal|language|mesh major topic|mesh terms|"
    r"mesh subheading|publication date|publication type|text word|title|title/abstract)(?::~\d+)?\]"
)
SITE = r"(?<!\w)-?site:[a-z0-9][a-z0-9.-]*[a-z0-9]"

_TAG = lazy_regex(PUBMED_TAG, re.IGNORECASE)
_SITE = lazy_regex(SITE, re.IGNORECASE)
_EXCLUDED = lazy_regex(rf'\bNOT\s+(?:"[^"]*"|[^\s()]+)\s*{PUBMED_TAG}', re.IGNORECASE)
_OPERATOR = lazy_regex(r"\b(?:AND|OR|NOT)\b|[()]")


def has_pubmed_tags(text: str) -> bool:
    """Return whether ``text`` is in PubMed's syntax, like ``asthma[tiab]``."""
    return bool(_TAG.search(text))


def names_site(text: str) -> bool:
    """Return whether ``text`` names a site, like ``site:fda.gov``, which web searches keep to."""
    return bool(_SITE.search(text))


def without_pubmed_tags(text: str) -> str:
    """Return ``text`` as a web search takes it: no tags, operators or brackets of PubMed's."""
    if not has_pubmed_tags(text):
        return text
    bare = _OPERATOR.sub(" ", _TAG.sub(" ", _EXCLUDED.sub(" ", text)))
    return " ".join(bare.split())


def without_sites(text: str) -> str:
    """Return ``text`` without the sites that it names."""
    return " ".join(_SITE.sub(" ", text).split())


def as_understood(query: Query, kinds: Collection[SourceKind]) -> Query:
    """Return ``query`` in the syntax of a service that searches sources of these ``kinds``.

    PubMed's tags are for PubMed and sites for all others; whatever else stays as it is.
    """
    plain = without_sites if SourceKind.PUBMED in kinds else without_pubmed_tags
    text = plain(query.text)
    return query if text in {query.text, ""} else query.model_copy(update={"text": text})
