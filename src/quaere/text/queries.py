"""Questions and queries as people and models type them, made fit to be searched for.

Apostrophes that are left out are put back. "And when was he born?" is about what was asked and
answered before: without a model nobody can tell who "he" is, but a search for the question with the
names of the turn before finds him. And some syntax of a query is understood by some search services
alone (R4.2).
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from quaere.domain.question import Query, SourceKind
from quaere.text.lazy_regex import lazy_regex

_BEFORE_IS = r"what|who|where|when|how|why|that|there"
_NOT = r"do|does|did|is|are|was|were|ca|could|wo|would|should|has|have|had"
_LEFT_OUT: Final = re.compile(
    rf"(?i)\b(?:(?P<asked>{_BEFORE_IS})(?P<is>s)|(?P<verb>(?:{_NOT})n)(?P<not>t))(?![\w'’-])"
)
"""Those that are not words themselves, as "its", "were", "wed" and "ill" are."""


def with_apostrophes(text: str) -> str:
    """Return English ``text`` with "whats" as "what's" and "dont" as "don't"."""
    return _LEFT_OUT.sub(_spelled, text)


def _spelled(found: re.Match[str]) -> str:
    if found["asked"]:
        return f"{found['asked']}'{found['is']}"
    return f"{found['verb']}'{found['not']}"


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


_ENDED: Final = lazy_regex(r"[.?!。？！\n](?=\s)|[。？！]")
_CUT_WORD: Final = lazy_regex(r"(?<=\S)\s+\S{0,40}\Z")
_CUT_BEGINNING: Final = lazy_regex(r"\A\S{0,40}\s+(?=\S)")


def both_ends(text: str, length: int) -> str:
    """Return ``text`` with no more than ``length`` characters of each of its ends.

    What is left begins and ends with a sentence, where one does within half of that, else with a
    word: two halves of sentences would be read as one question.
    """
    if len(text) <= 2 * length:
        return text
    head, tail, half = text[:length], text[-length:], length // 2
    ends = [each.end() for each in _ENDED.finditer(head, half)]
    begun = _ENDED.search(tail, 0, half)
    head = head[: ends[-1]] if ends else _CUT_WORD.sub("", head, count=1)
    tail = tail[begun.end() :] if begun else _CUT_BEGINNING.sub("", tail, count=1)
    return f"{head.rstrip()} {tail.lstrip()}"
