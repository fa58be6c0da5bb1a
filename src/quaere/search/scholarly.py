"""Kinds, DOIs and snippets of the providers of scholarly works."""

from __future__ import annotations

import re
from types import MappingProxyType
from urllib.parse import quote

from quaere.domain.question import SourceKind
from quaere.search.markup import line, shortened

_ABSTRACT_CHARS = 300

SCHOLARLY_KINDS = frozenset({SourceKind.SCHOLARLY})

_CODES = """
    ar:ara bg:bul bn:ben ca:cat cs:cze da:dan de:ger el:gre en:eng es:spa et:est fa:per fi:fin
    fr:fre he:heb hi:hin hr:hrv hu:hun id:ind is:ice it:ita ja:jpn ko:kor lt:lit lv:lav nl:dut
    no:nor pl:pol pt:por ro:rum ru:rus sk:slo sl:slv sr:srp sv:swe th:tha tr:tur uk:ukr vi:vie
    zh:chi
"""
MEDLINE_LANGUAGES = MappingProxyType({pair[:2]: pair[3:] for pair in _CODES.split()})
"""What MEDLINE, and with it PubMed and Europe PMC, calls the languages of ISO 639-1."""

_DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|doi:\s*)?(10\.\d{4,9}/\S+)", re.IGNORECASE)


def doi_of(text: str) -> str:
    """Return the DOI that ``text`` is, without the resolver in front of it; empty if it is none."""
    match = _DOI.fullmatch(text.strip())
    return match[1] if match else ""


def doi_url(doi: str) -> str:
    """Return the address of the work with that ``doi``; empty for an empty one."""
    return "https://doi.org/" + quote(doi, safe="/:;()") if doi else ""


def described(abstract: str, *reference: str) -> str:
    """Return a snippet: the parts of the ``reference`` that are there, and how ``abstract`` begins.

    The reference adds what an abstract lacks: the journal, the date, the ids.
    """
    parts = [f"{part.rstrip('.')}." for part in map(line, reference) if part]
    head = shortened(" ".join(abstract.split()), _ABSTRACT_CHARS)
    return " ".join([*parts, head] if head else parts)
