"""How far a source can be relied on, by where it stands and what is wrong with it.

The numbers are in `quaere.evidence.weights`. They are judgements and not measured: they say which
of two sources that fit the question alike to show first, and never what is true.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from quaere.domain.evidence import SiteKind
from quaere.domain.source import Passage
from quaere.domain.works import host_of
from quaere.evidence.sites import site_kind
from quaere.evidence.weights import RETRACTED, SITE_WORTH, SPAM_COST, SPAM_FLOOR
from quaere.text.tokens import is_stop_word

_FATE = r"(?:retracted|withdrawn)"
_TITLE_FATE = re.compile(
    rf"(?i)\W*(?:{_FATE}(?:\s(?:article|paper|publication))?\s*[:\])–—]"
    r"|(?:retraction|withdrawal)(?:\s(?:notice|note))?(?:\s(?:to|of|for))?\s*:)"
    rf"|.{{0,1000}}[(\[]{_FATE}(?:\s(?:article|paper))?[)\]]\W*$",
    re.DOTALL,
)
_TEXT_FATE = re.compile(
    r"\bRETRACTED ARTICLE\b"
    r"|(?i:\bthis (?:article|paper|preprint|study|publication|manuscript)"
    rf" (?:has been|was|is|has now been) (?:formally |fully |officially )?{_FATE}\b)"
)
_SCHOLARLY = frozenset({SiteKind.JOURNAL, SiteKind.PREPRINT, SiteKind.UNIVERSITY})
_TELLS_OF_ITSELF = _SCHOLARLY | {SiteKind.FOLDER, SiteKind.UNKNOWN}
"""Sites whose "this paper has been retracted" speaks of the page itself; news tells of others."""

_SPECIAL = {
    SiteKind.GOVERNMENT: "an official site",
    SiteKind.STANDARDS: "a standards body",
    SiteKind.JOURNAL: "peer-reviewed work or an index of it",
    SiteKind.PREPRINT: "a preprint, not peer-reviewed",
    SiteKind.UNIVERSITY: "a university or research institute",
    SiteKind.ENCYCLOPEDIA: "an encyclopedia",
    SiteKind.DOCUMENTATION: "documentation",
    SiteKind.NEWS: "a news site",
    SiteKind.FORUM: "a forum, where anybody may answer",
    SiteKind.SOCIAL: "a social network or blog host, where anybody may write",
}

# Top-level domains that cost next to nothing, and what pages that only sell something say.
_CHEAP = frozenset(
    ["bid", "cfd", "click", "cyou", "gq", "icu", "loan", "men", "sbs", "top", "win", "work", "xyz"]
)
_SALES = re.compile(
    r"(?i)\b(?:buy now|order now|add to cart|limited[- ]time offer|act now|100% free|risk[- ]free"
    r"|money[- ]back guarantee|click here|best price|free shipping|promo code|coupon code"
    r"|affiliate links?|online casino|work from home|earn money|doctors hate|miracle cure)\b"
)
_MANY_SALES = 2
_MANY_HYPHENS = 3
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")
_STUFFED_FROM, _STUFFED = 60, 0.15
"""Words from which on a text is looked at, and the share of one word that is no longer prose. The
commonest content word of an encyclopedia's passages seldom reaches a tenth."""


@dataclass(frozen=True, slots=True)
class Quality:
    """What a source is worth before anybody has asked anything of it."""

    site: SiteKind
    value: float
    """0 to 1; a half where nothing is known."""
    remarks: tuple[str, ...] = ()
    """What speaks for and against it, in words."""
    retracted: bool = False


def quality(passage: Passage) -> Quality:
    """Return the quality of the source of ``passage``."""
    site = site_kind(passage.url)
    said = (_SPECIAL[site],) if site in _SPECIAL else ()
    if is_retracted(passage, site):
        return retracted(Quality(site, SITE_WORTH[site], said))
    if site is not SiteKind.UNKNOWN:
        return Quality(site, SITE_WORTH[site], said)
    spam = tuple(_spam(passage))
    value = max(SPAM_FLOOR, SITE_WORTH[site] - SPAM_COST * len(spam)) if spam else SITE_WORTH[site]
    return Quality(site, value, spam)


def retracted(known: Quality) -> Quality:
    """Return ``known`` as of a work that no longer stands."""
    remarks = tuple(dict.fromkeys((*known.remarks, "retracted or withdrawn")))
    return Quality(known.site, min(known.value, RETRACTED), remarks, retracted=True)


def is_retracted(passage: Passage, site: SiteKind) -> bool:
    """Return whether the source of ``passage``, on a ``site``, says that it no longer stands."""
    if _TITLE_FATE.match(passage.title):
        return True
    return site in _TELLS_OF_ITSELF and _TEXT_FATE.search(passage.text) is not None


def can_retract(known: Quality) -> bool:
    """Return whether a source's word that a work is retracted counts for its other copies."""
    return known.retracted and known.site in _SCHOLARLY


def _spam(passage: Passage) -> Iterator[str]:
    """Yield what makes ``passage`` look like a page that is there to be found, not to be read."""
    host = host_of(passage.url)
    if host.rpartition(".")[2] in _CHEAP:
        yield "a top-level domain that costs next to nothing"
    if host.count("-") >= _MANY_HYPHENS:
        yield "a host name made of search words"
    yield from _spam_text(passage.text)


@lru_cache(maxsize=2048)
def _spam_text(text: str) -> tuple[str, ...]:
    found: list[str] = []
    if len({match.lower() for match in _SALES.findall(text)}) >= _MANY_SALES:
        found.append("sells something")
    if _is_stuffed(text):
        found.append("repeats one word over and over")
    return tuple(found)


def _is_stuffed(text: str) -> bool:
    total = len(text.split())
    if total < _STUFFED_FROM:
        return False
    counts = Counter(_LONG_WORD.findall(text.lower()))
    return any(n >= _STUFFED * total and not is_stop_word(w) for w, n in counts.items())
