"""How reliable a source is, by the kind of its site and what is wrong with it, and how timely.

Of the kind of site only the host decides, never what a page says about itself, for anybody can say
that. The numbers are in `quaere.evidence.weights`. They are judgements, not measurements: they
decide which of two sources that fit the question equally well to show first, never what is true.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Final, NamedTuple

from quaere.domain.evidence import NEUTRAL, SiteKind
from quaere.domain.question import SourceKind
from quaere.domain.source import Passage
from quaere.domain.url import host_of, identifiers, pmid_of
from quaere.evidence.weights import (
    CURRENT_DAYS,
    FRESH_DAYS,
    RETRACTED,
    SITE_WORTH,
    SPAM_COST,
    SPAM_FLOOR,
    TOO_EARLY,
)
from quaere.text.dates import dates, first_and_last_day
from quaere.text.facts import name_words, stated_facts
from quaere.text.lazy_regex import lazy_regex
from quaere.text.similarity import jaccard
from quaere.text.tokens import is_stop_word, terms, words

_SITES_OF: Final[Mapping[str, frozenset[SiteKind]]] = {
    SourceKind.GOV: frozenset({SiteKind.GOVERNMENT}),
    SourceKind.STANDARDS: frozenset({SiteKind.STANDARDS}),
    SourceKind.DOCS: frozenset({SiteKind.DOCUMENTATION}),
    SourceKind.NEWS: frozenset({SiteKind.NEWS}),
    SourceKind.SCHOLARLY: frozenset({SiteKind.JOURNAL, SiteKind.PREPRINT}),
}
"""Kinds of site on which sources of a kind that was asked for stand."""

_SCHEMES: Final = frozenset({"http", "https"})

_LISTED: Final[Mapping[SiteKind, str]] = {
    SiteKind.GOVERNMENT: """
        gov mil int europa.eu gc.ca canada.ca admin.ch bund.de bundestag.de bundesregierung.de
        bundesbank.de destatis.de service.gv.at insee.fr istat.it ine.es ssb.no scb.se dst.dk
        stat.fi cbs.nl un.org worldbank.org imf.org oecd.org wto.org ilo.org fao.org unesco.org
        unicef.org iaea.org icrc.org ecb.europa.eu bis.org parliament.uk nhs.uk
    """,
    SiteKind.STANDARDS: """
        iso.org iec.ch itu.int ietf.org rfc-editor.org w3.org whatwg.org unicode.org ansi.org
        standards.ieee.org etsi.org oasis-open.org ecma-international.org bipm.org iana.org
        astm.org din.de bsigroup.com cen.eu cenelec.eu iupac.org codata.org khronos.org 3gpp.org
    """,
    SiteKind.JOURNAL: """
        pubmed.ncbi.nlm.nih.gov pmc.ncbi.nlm.nih.gov europepmc.org doi.org dx.doi.org nature.com
        science.org sciencemag.org cell.com thelancet.com nejm.org bmj.com jamanetwork.com pnas.org
        plos.org journals.plos.org sciencedirect.com springer.com link.springer.com springeropen.com
        onlinelibrary.wiley.com academic.oup.com cambridge.org tandfonline.com journals.sagepub.com
        biomedcentral.com frontiersin.org elifesciences.org pubs.acs.org pubs.rsc.org aps.org
        journals.aps.org iopscience.iop.org ieeexplore.ieee.org dl.acm.org aclanthology.org
        jmlr.org proceedings.mlr.press cochranelibrary.com annualreviews.org karger.com
        royalsocietypublishing.org jstor.org muse.jhu.edu ahajournals.org jbc.org asm.org
        usenix.org acpjournals.org lww.com degruyter.com copernicus.org
    """,
    SiteKind.PREPRINT: """
        arxiv.org ar5iv.org biorxiv.org medrxiv.org chemrxiv.org psyarxiv.com osf.io ssrn.com
        researchsquare.com preprints.org techrxiv.org eartharxiv.org openreview.net zenodo.org
        hal.science
    """,
    SiteKind.UNIVERSITY: """
        edu ethz.ch epfl.ch uzh.ch unibe.ch unibas.ch unige.ch sorbonne-universite.fr ens.fr
        polytechnique.edu kuleuven.be ugent.be uva.nl tudelft.nl uu.nl leidenuniv.nl ku.dk au.dk
        lu.se uu.se kth.se uio.no helsinki.fi aalto.fi unibo.it uniroma1.it ub.edu utoronto.ca
        ubc.ca mcgill.ca mpg.de fraunhofer.de helmholtz.de cern.ch tum.de lmu.de kit.edu
        rwth-aachen.de
    """,
    SiteKind.ENCYCLOPEDIA: """
        wikipedia.org britannica.com wikidata.org wiktionary.org scholarpedia.org treccani.it
        plato.stanford.edu iep.utm.edu encyclopedia.com larousse.fr snl.no citizendium.org
        oxfordreference.com merriam-webster.com
    """,
    SiteKind.DOCUMENTATION: """
        readthedocs.io readthedocs.org docs.rs developer.mozilla.org learn.microsoft.com pkg.go.dev
        man7.org cppreference.com kernel.org postgresql.org python.org rust-lang.org
        kubernetes.io gnu.org debian.org
    """,
    SiteKind.NEWS: """
        reuters.com apnews.com afp.com bbc.co.uk bbc.com nytimes.com washingtonpost.com
        theguardian.com ft.com economist.com wsj.com bloomberg.com npr.org pbs.org
        cnn.com nbcnews.com
        cbsnews.com abcnews.go.com usatoday.com latimes.com time.com theatlantic.com politico.com
        politico.eu axios.com aljazeera.com dw.com france24.com lemonde.fr lefigaro.fr liberation.fr
        spiegel.de zeit.de faz.net sueddeutsche.de tagesschau.de nzz.ch elpais.com elmundo.es
        corriere.it repubblica.it ansa.it cbc.ca theglobeandmail.com abc.net.au smh.com.au
        thehindu.com indianexpress.com timesofindia.indiatimes.com japantimes.co.jp nhk.or.jp
        asahi.com scmp.com straitstimes.com independent.co.uk telegraph.co.uk thetimes.co.uk
        sky.com euronews.com propublica.org arstechnica.com wired.com techcrunch.com theverge.com
        statnews.com newscientist.com scientificamerican.com nationalgeographic.com irishtimes.com
        haaretz.com svt.se nrk.no dr.dk yle.fi nos.nl forbes.com cnbc.com
    """,
    SiteKind.FORUM: """
        stackoverflow.com stackexchange.com superuser.com serverfault.com askubuntu.com
        mathoverflow.net quora.com reddit.com news.ycombinator.com answers.yahoo.com
        answers.microsoft.com discourse.org groups.google.com gutefrage.net zhihu.com ask.fm
        boards.ie answers.com
    """,
    SiteKind.SOCIAL: """
        twitter.com x.com t.co facebook.com instagram.com tiktok.com youtube.com youtu.be
        linkedin.com pinterest.com tumblr.com threads.net bsky.app mastodon.social vk.com weibo.com
        snapchat.com t.me telegram.me medium.com substack.com blogspot.com wordpress.com
        livejournal.com blogger.com
    """,
}
"""Hosts, each with all below them; of two that fit, the longer one counts."""

_KINDS: Final = {host: kind for kind, hosts in _LISTED.items() for host in hosts.split()}

# Second levels under which countries register their authorities and schools, and where "go" is one.
_STATE_LEVELS: Final = frozenset({"gov", "gob", "gouv", "govt", "gub", "gv", "mil"})
_GO_COUNTRIES: Final = frozenset({"cr", "id", "jp", "ke", "kr", "th", "tz", "ug"})
_SCHOOL_LEVELS: Final = frozenset({"ac", "edu"})
_SCHOOL_NAME: Final = lazy_regex(r"(?:uni|univ|tu|fh)-\w.*|u-(?:paris|bordeaux|bourgogne)\d*.*")
_SCHOOL_COUNTRIES: Final = frozenset({"at", "de", "fr"})

_SUBDOMAINS: Final = {
    **dict.fromkeys(("doc", "docs", "developer", "developers"), SiteKind.DOCUMENTATION),
    **dict.fromkeys(("forum", "forums", "community"), SiteKind.FORUM),
}

_PREPRINT_DOI: Final = lazy_regex(r"10\.(?:1101|2139|20944|21203|26434|31219|31234|48550)/")
"""Prefixes of bioRxiv and medRxiv, SSRN, Preprints.org, Research Square, ChemRxiv, OSF, PsyArXiv
and arXiv, as registered with Crossref and DataCite."""


@lru_cache(maxsize=2048)
def site_kind(url: str) -> SiteKind:
    """Return the kind of site at ``url``; a folder for anything but a web address."""
    scheme, _, _ = url.partition(":")
    host = host_of(url)
    if scheme.lower() not in _SCHEMES or not host:
        return SiteKind.FOLDER if url else SiteKind.UNKNOWN
    listed = next((_KINDS[name] for name in _suffixes(host) if name in _KINDS), None)
    return _by_paper(listed, url) if listed else _by_name(host.split("."))


def _by_paper(listed: SiteKind, url: str) -> SiteKind:
    """Return the kind of a site ``listed`` as one; of a paper, ``url`` may tell another."""
    if listed is SiteKind.JOURNAL and _PREPRINT_DOI.match(identifiers(url).get("doi", "")):
        return SiteKind.PREPRINT
    if listed is SiteKind.GOVERNMENT and identifiers(url).keys() & {"pmid", "pmc"}:
        return SiteKind.JOURNAL  # the old addresses of PubMed, and PMC under www
    return listed


def is_of(kinds: Collection[str], kind: SourceKind, url: str) -> bool:
    """Return whether a source is of one of the ``kinds`` that are wanted (R3.2).

    Args:
        kinds: Values of `SourceKind`.
        kind: What its provider takes it for.
        url: Its address, whose host may tell more.
    """
    if kind is not SourceKind.WEB and kind in kinds:
        return True
    if SourceKind.PUBMED in kinds and pmid_of(url):
        return True
    return any(site_kind(url) in _SITES_OF.get(wanted, ()) for wanted in kinds)


def _suffixes(host: str) -> Iterator[str]:
    """Yield ``host`` and the domains above it, the longest first."""
    labels = host.split(".")
    yield from (".".join(labels[at:]) for at in range(len(labels)))


def _by_name(labels: list[str]) -> SiteKind:
    """Return the kind that the name of a host suggests, unknown when it suggests none."""
    below = labels[0] if len(labels) > 2 else ""
    return _by_country(labels) or _SUBDOMAINS.get(below, SiteKind.UNKNOWN)


def _by_country(labels: list[str]) -> SiteKind | None:
    if len(labels) < 2 or len(labels[-1]) != 2:
        return None
    second, country = labels[-2:]
    if second in _STATE_LEVELS or (second == "go" and country in _GO_COUNTRIES):
        return SiteKind.GOVERNMENT
    return SiteKind.UNIVERSITY if _is_school(labels) else None


def _is_school(labels: list[str]) -> bool:
    second, country = labels[-2:]
    if second in _SCHOOL_LEVELS and len(labels) > 2:
        return True
    return country in _SCHOOL_COUNTRIES and _SCHOOL_NAME.fullmatch(second) is not None


_FATE = r"(?:retracted|withdrawn)"
_TITLE_FATE = lazy_regex(
    rf"(?i)\W*(?:{_FATE}(?:\s(?:article|paper|publication))?\s*[:\])–—]"
    r"|(?:retraction|withdrawal)(?:\s(?:notice|note))?(?:\s(?:to|of|for))?\s*:)"
    rf"|.{{0,1000}}[(\[]{_FATE}(?:\s(?:article|paper))?[)\]]\W*$",
    re.DOTALL,
)
_TEXT_FATE = lazy_regex(
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
_SALES = lazy_regex(
    r"(?i)\b(?:buy now|order now|add to cart|limited[- ]time offer|act now|100% free|risk[- ]free"
    r"|money[- ]back guarantee|click here|best price|free shipping|promo code|coupon code"
    r"|affiliate links?|online casino|work from home|earn money|doctors hate|miracle cure)\b"
)
_MANY_SALES = 2
_MANY_HYPHENS = 3
_LONG_WORD = lazy_regex(r"[^\W\d_]{4,}")
_STUFFED_FROM, _STUFFED = 60, 0.15
"""Words from which a text is examined, and the share of one word that is no longer prose. The
commonest content word of an encyclopedia's passages seldom reaches a tenth."""


class Quality(NamedTuple):
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


_FRESH = lazy_regex(
    r"(?i)\b(?:now|nowadays|today|tonight|current(?:ly)?|latest|newest|recent(?:ly)?"
    r"|up[- ]to[- ]date|these days|at the moment|so far|this (?:year|month|week|season)"
    r"|state of the art)\b"
)
_CHANGING = lazy_regex(
    r"(?i)\b(?:who (?:is|are) the (?:\w+ ){0,3}?(?:presidents?|prime ministers?|ministers?|ceo"
    r"|chancellor|mayor|governor|chair\w*|leaders?|head|owner|champions?|record holder)"
    r"|price|prices|cost|costs|salary|exchange rate|interest rates?|inflation|unemployment"
    r"|market share|version|guidelines?|deadline|how many (?:people|users|employees|inhabitants)"
    r"|how (?:much|expensive) (?:is|are|does|do))\b"
)
_ISO = lazy_regex(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?!\d)")
_SLACK = timedelta(days=2)
"""A page may be dated a little later than it was read: zones, and editions of tomorrow."""


class Need(NamedTuple):
    """What a question needs of the dates of its sources."""

    half_life: float | None = None
    """Days after which a source is worth half; None where age alone makes no difference."""
    year: int | None = None
    """The latest year that is asked about."""


def source_need(question: str, today: date) -> Need:
    """Return what ``question``, asked ``today``, needs."""
    year = _latest_year(question)
    if year is not None:
        return Need(FRESH_DAYS if year >= today.year else None, year)
    if _FRESH.search(question):
        return Need(FRESH_DAYS)
    return Need(CURRENT_DAYS if _CHANGING.search(question) else None)


def recency(published: str, needed: Need, today: date) -> float:
    """Return how well a source ``published`` then suits what is ``needed``, 0 to 1.

    ``published`` is ISO 8601, as exact as it is known. A date that is not known, that cannot be or
    that has not come yet says nothing, which is worth `NEUTRAL`.
    """
    span = _span(published)
    if span is None or span[0] > today + _SLACK:
        return NEUTRAL
    latest = min(span[1], today)
    worth = NEUTRAL
    if needed.half_life is not None:
        worth = 0.5 ** ((today - latest).days / needed.half_life)
    if needed.year is not None and latest.year < needed.year <= today.year:
        worth = min(worth, TOO_EARLY)
    return worth


def last_read_day(passages: Iterable[Passage]) -> date | None:
    """Return the last day on which any of ``passages`` was read; None when no day is known.

    For the age of what was read that is today, and a run that is resumed or replayed gives the same
    scores.
    """
    spans = (_span(passage.retrieved_at) for passage in passages)
    return max((span[1] for span in spans if span), default=None)


def _latest_year(question: str) -> int | None:
    years = (d.year for d in dates(question) if d.year is not None and d.years == 1)
    return max(years, default=None)


def _span(written: str) -> tuple[date, date] | None:
    """Return the first and the last day that an ISO date can be; None when it is none."""
    match = _ISO.match(written.strip())
    if not match:
        return None
    try:
        return first_and_last_day(*map(int, match.groups("0")))
    except ValueError:
        return None


SAME = 0.8
"""Share of stems that two questions must have in common. Word sets tell few rewordings, and below
this they take questions for the same that are not: see docs/lab-book.md on repeated topics."""

FRESH_KEPT = timedelta(hours=12)
"""For how long the evidence serves a question whose answer changes."""
KEPT = timedelta(days=30)
"""The same for any other."""

_ASKING = lazy_regex(
    r"(?i)\b(who|whom|whose|what|which|when|where|why|how(?: (?:many|much|long|far|old|often))?"
    r"|wer|wen|wem|was|welche[rsmn]?|wann|wo|warum|wie(?: viele?)?)\b"
)


def same_question(asked: str, earlier: str) -> bool:
    """Whether ``earlier`` asks what ``asked`` asks.

    Their stems must nearly agree; what they ask for, whom they name, the figures, the dates and
    what they deny must agree altogether. A name may be typed in small letters.
    """
    # What is quickly told comes first: hundreds of earlier questions may be compared with one.
    if jaccard(frozenset(terms(asked)), frozenset(terms(earlier))) < SAME:
        return False
    if not (name_words(asked) <= {*words(earlier)} and name_words(earlier) <= {*words(asked)}):
        return False
    return _asked_for(asked) == _asked_for(earlier) and stated_facts(asked) == stated_facts(earlier)


def is_fresh(asked: str, *, read: datetime, now: datetime) -> bool:
    """Whether what was read at ``read`` may still serve the question ``asked``."""
    ages = source_need(asked, now.date()).half_life is not None
    return now - read <= (FRESH_KEPT if ages else KEPT)


def _asked_for(text: str) -> frozenset[str]:
    return frozenset(" ".join(match[0].casefold().split()) for match in _ASKING.finditer(text))
