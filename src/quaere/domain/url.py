"""What addresses and titles tell of sources: their canonical form, and which belong to one work.

A wrong yes loses a source, a wrong no only repeats one: in doubt the answer is no.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import (
    SplitResult,
    quote_from_bytes,
    unquote,
    unquote_to_bytes,
    urlsplit,
    urlunsplit,
)

from quaere.domain.question import SourceKind

if sys.platform == "win32":
    from urllib.request import url2pathname as path_in

    url2pathname = path_in
else:
    url2pathname = unquote
    """What it is there. The module that has it loads a client of HTTP as well."""

# Parameters that say where a click came from and never which page it leads to.
_TRACKING = re.compile(
    r"(?i)utm_.*|mc_[ce]id|[gd]clid|gclsrc|[gw]braid|(fb|tt|tw|y)clid|msclkid|igshi?d?|ref_(src|url)"
    r"|_hs(enc|mi)|mkt_tok|srsltid|_g[al]|oly_(anon|enc)_id|vero_id"
)
_DEFAULT_PORT = {"http": 80, "https": 443}
_SAFE_IN_PATH = ":@!$&'()*+,;=~-._"
_SAFE_IN_QUERY = "/:@!$'()*,;~-._?"
_NO_HOST = re.compile(r"[\x00-\x20\x7f\s\\<>^`{|}\"]")
_KEPT = 1 << 11
"""URLs whose canonical form is kept: each step of a run asks for those of all its sources again."""


_NO_ID = re.compile(r"[^a-z0-9]+")


def id_of_folder(name: str) -> str:
    """Return what a folder called ``name`` is called in addresses, as far as one can hold it."""
    return _NO_ID.sub("-", name.lower()).strip("-") or "folder"


@lru_cache(maxsize=_KEPT)
def canonical_url(url: str) -> str:
    """Return the one spelling under which ``url`` counts as a source.

    Scheme and host in lower case; default port, user and password, dot segments and tracking
    parameters gone; parameters sorted; one spelling of escapes; no trailing slash. The fragment
    goes too, except in ``file:`` URLs, where it names a record of the file. Text that is not
    a URL comes back stripped; the function never raises.
    """
    text = url.strip()
    try:
        parts = urlsplit(text)
        host, port = (parts.hostname or "").lower().rstrip("."), parts.port
    except ValueError:
        return text
    if parts.scheme == "file":
        return parts.scheme + text[text.index(":") :]
    if not parts.scheme or not host or _NO_HOST.search(host):
        return text
    netloc = _netloc(parts.scheme, host, port)
    split = SplitResult(parts.scheme, netloc, _path(parts.path), _query(parts.query), "")
    return urlunsplit(split)


def _netloc(scheme: str, host: str, port: int | None) -> str:
    if ":" in host:  # IPv6
        host = f"[{host}]"
    return host if port in {None, _DEFAULT_PORT.get(scheme)} else f"{host}:{port}"


def _path(path: str) -> str:
    kept: list[str] = []
    for segment in path.split("/"):
        escaped = _escaped(segment, safe=_SAFE_IN_PATH)
        if escaped == "..":
            if len(kept) > 1:
                kept.pop()
        elif escaped != ".":
            kept.append(escaped)
    return "/".join(kept).rstrip("/")


def _query(query: str) -> str:
    kept: list[tuple[str, str, str]] = []
    for pair in query.replace("+", " ").split("&"):
        name, equals, value = pair.partition("=")
        name, value = (_escaped(part, safe=_SAFE_IN_QUERY) for part in (name, value))
        if pair and not _TRACKING.fullmatch(name):
            kept.append((name, value, equals))
    return "&".join(name + equals + value for name, value, equals in sorted(kept))


def _escaped(text: str, *, safe: str) -> str:
    # By bytes, so that escapes in another encoding than UTF-8 stay apart.
    return quote_from_bytes(unquote_to_bytes(text.encode("utf-8", "surrogatepass")), safe=safe)


TITLE_CHARS = 30
"""Letters and digits from which a title is taken to be one source's own: "Annual report 2024"
and "Frequently asked questions" are shorter, the title of a paper is longer."""

_IDENTIFIERS = (
    ("arxiv", r"(?:arxiv|ar5iv|alphaxiv)\.org/\w+/(\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})"),
    ("arxiv", r"\b10\.48550/arxiv\.(\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})"),
    ("pmid", r"pubmed\.ncbi\.nlm\.nih\.gov/(\d{1,9})\b"),
    ("pmid", r"ncbi\.nlm\.nih\.gov/pubmed/(\d{1,9})\b"),
    ("pmid", r"europepmc\.org/(?:\w+/)?med/(\d{1,9})\b"),
    ("pmc", r"(?:nih\.gov|europepmc\.org)/(?:\w+/)*(pmc\d{1,9})\b"),
    ("doi", r"\b(10\.\d{4,9}/[^\s?#&]+)"),
)
_PATTERNS = tuple((scheme, re.compile(p, re.IGNORECASE)) for scheme, p in _IDENTIFIERS)

_PUBMED_HOSTS = ("pubmed.ncbi.nlm.nih.gov", "ncbi.nlm.nih.gov", "europepmc.org")

# What publishers append to a DOI: the version of a preprint, the view of a page.
_DOI_TAIL = re.compile(
    r"(?:(?<=\d)v\d{1,2})?(?:[/.](?:full|pdf|epdf|abstract|html?|meta|full-?text))*/?$"
)
_SAME_PAGE_LABELS = frozenset({"www", "m", "mobile", "amp"})
_TITLE_HEAD = re.compile(
    r"^\s*(?:[(\[](?:pdf|html|[\d.]+(?:v\d+)?)[)\]]\s*|(?:retracted|withdrawn):\s+)", re.IGNORECASE
)
_TITLE_SITE = re.compile(r"^(.*\S)\s[-–—]\s(.+)$", re.DOTALL)
_MAX_TITLE_CHARS = 1000
_MAX_URL_CHARS = 2000
_MIN_SITE_CHARS = 3


@dataclass(frozen=True, slots=True)
class Copy:
    """One place where a work is kept."""

    home: str
    """Key of the place: copies with one home are one."""
    url: str = ""
    """Its address; empty in a folder, where neither address nor title identifies the work."""
    title: str = ""


def same_works(copies: Sequence[Copy]) -> list[list[int]]:
    """Return the places in ``copies`` in groups, one for each work.

    Two copies are of one work when they share a home, a DOI, a PubMed, PMC or arXiv id, or a long
    title. A title that two homes of one host bear, or two works with different ids, tells nothing.
    """
    works = _Works()
    titled: defaultdict[str, list[Copy]] = defaultdict(list)
    for copy in copies:
        for scheme, value in identifiers(copy.url).items():
            works.join(copy.home, f"{scheme}\0{value}")
        if copy.url and (title := title_key(copy.title, copy.url)):
            titled[title].append(copy)
    for title in sorted(titled):
        _join_namesakes(titled[title], works)
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for place, copy in enumerate(copies):
        groups[works.root(copy.home)].append(place)
    return list(groups.values())


def identifiers(url: str) -> dict[str, str]:
    """Return the ids of a work that ``url`` holds, under ``doi``, ``pmid``, ``pmc``, ``arxiv``."""
    text = unquote(url[:_MAX_URL_CHARS])
    ids: dict[str, str] = {}
    for scheme, pattern in _PATTERNS:
        if scheme not in ids and (match := pattern.search(text)):
            ids[scheme] = match[1].lower()
    if "doi" in ids:
        ids["doi"] = _DOI_TAIL.sub("", ids["doi"], count=1)
    if "arxiv" in ids:
        ids.pop("doi", None)
    return ids


def pmid_of(url: str) -> str:
    """Return the PubMed id of the work at ``url``, an address of PubMed or Europe PMC, or empty."""
    host = host_of(url).lower()
    return identifiers(url).get("pmid", "") if is_on(host, _PUBMED_HOSTS) else ""


def is_on(host: str, sites: Iterable[str]) -> bool:
    """Return whether ``host`` is one of ``sites`` or a subdomain of one."""
    return any(host == site or host.endswith(f".{site}") for site in sites)


def pmcid_of(url: str) -> str:
    """Return the id in PubMed Central of the article at ``url``, as "PMC123", or empty."""
    return identifiers(url).get("pmc", "").upper()


def pmc_url(pmcid: str) -> str:
    """Return the address of an article in PubMed Central; empty where ``pmcid`` is not an id."""
    known = re.fullmatch(r"PMC\d{1,9}", pmcid)
    return f"https://pmc.ncbi.nlm.nih.gov/articles/{pmcid}/" if known else ""


ABSTRACT, FULL_TEXT = "abstract", "full text"
"""What of a scholarly work was read."""


def part_of(url: str, *, provided: bool) -> str:
    """Return whether what was read at ``url`` is a work's `ABSTRACT` or its `FULL_TEXT`.

    Empty for what is neither a record of a library nor kept by an archive of full texts.

    Args:
        url: Where it was read.
        provided: Whether it came with the answer of a search.
    """
    ids = identifiers(url)
    host = host_of(url).removeprefix("www.")
    if not provided and _is_archived(ids, host, url):
        return FULL_TEXT
    libraries = {"arxiv.org", "doi.org"} if provided else {"arxiv.org"}
    return ABSTRACT if ids and (pmid_of(url) or host in libraries) else ""


def _is_archived(ids: Mapping[str, str], host: str, url: str) -> bool:
    """Return whether an archive keeps the full text at ``url``, which has these ids."""
    return "pmc" in ids or (host == "arxiv.org" and "/abs/" not in url)


def doi_of(url: str) -> str:
    """Return the DOI in ``url``, in lower case as two that differ in case are one, or empty."""
    return identifiers(url).get("doi", "")


def source_type(url: str) -> str:
    """Return what kind of source ``url`` is, as R4.1 has it: ``pubmed``, ``web`` or ``folder``.

    Whatever has a PubMed id is of PubMed, no matter which provider found it (R4.4).
    """
    if url and not url.lower().startswith(("http:", "https:")):
        return SourceKind.FOLDER.value
    return (SourceKind.PUBMED if pmid_of(url) else SourceKind.WEB).value


def pubmed_url(pmid: str) -> str:
    """Return the address of a record of PubMed; empty where ``pmid`` is not an id."""
    known = pmid.isascii() and pmid.isdigit()
    return f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/" if known else ""


def title_key(title: str, url: str) -> str:
    """Return the letters and digits of the ``title`` at ``url``, empty when they are too few.

    A mark of its format ("[PDF]") or fate ("Retracted: ") before it and the name of the site after
    it do not count.
    """
    letters = _letters(without_site(_TITLE_HEAD.sub("", title[:_MAX_TITLE_CHARS]), url))
    return letters if len(letters) >= TITLE_CHARS else ""


def without_site(title: str, url: str) -> str:
    """Return the ``title`` of the page at ``url`` without the name of its site after it."""
    title = title[:_MAX_TITLE_CHARS].split(" | ", maxsplit=1)[0]
    host = _letters(host_of(url))
    while match := _TITLE_SITE.match(title):
        site = _letters(match[2])
        if len(site) < _MIN_SITE_CHARS or site not in host:
            break
        title = match[1]
    return title


def page_key(url: str) -> str:
    """Return the key of a page, whichever its scheme, mobile or AMP host; empty for no URL."""
    url = canonical_url(url)
    scheme, _, rest = url.partition("://")
    if scheme not in {"http", "https"}:
        return url
    host, slash, path = rest.partition("/")
    labels = host.split(".")
    kept = [label for label in labels[:-2] if label not in _SAME_PAGE_LABELS]
    return f"{'.'.join(kept + labels[-2:])}{slash}{path.removesuffix('/amp')}"


_ANNALS = re.compile(
    r"(?:.*[._-])?(?:(?i:change[-_]?logs?|release[-_]?notes|copyright|licen[cs]e|copying|credits)"
    r"|NEWS|CHANGES|AUTHORS|THANKS)(?:[._-].*)?"
)

_ASKS_FOR_ANNALS = re.compile(
    r"(?i)\b(?:new|when|since|who|wrote|bugs?"
    r"|(?:chang|add|remov|introduc|deprecat|fix|releas|licen|copyright|author|writt|maintain|histor"
    r"|thank|contribut)\w*)\b"
)


def is_annals(url: str) -> bool:
    """Return whether the file at ``url`` is named as one of changes, of rights or of thanks.

    It tells how a program came about, and not how to use it.
    """
    return _ANNALS.fullmatch(unquote(urlsplit(url).path).rpartition("/")[2]) is not None


def needs_annals(question: str) -> bool:
    """Return whether ``question`` may be answered by such a file."""
    return _ASKS_FOR_ANNALS.search(question) is not None


def host_of(url: str) -> str:
    """Return the host of ``url`` in lower case; empty when it has none."""
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""


def source_keys(title: str, url: str) -> frozenset[str]:
    """Return what a page shares with others of its source: its URL, its title on its site.

    An article over several pages has one title, and who names a passage of it may mean any of them.
    """
    host = host_of(url)
    return frozenset({url, f"{host} {title}"} if host and title else {url})


class _Works:
    """Disjoint sets of keys, each set a work."""

    def __init__(self) -> None:
        self._parents: dict[str, str] = {}

    def root(self, key: str) -> str:
        """Return the key that stands for the set of ``key``."""
        while (parent := self._parents.setdefault(key, key)) != key:
            self._parents[key] = key = self._parents[parent]
        return key

    def join(self, one: str, other: str) -> None:
        """Make the sets of the two keys one."""
        self._parents[self.root(one)] = self.root(other)


def _join_namesakes(namesakes: Sequence[Copy], works: _Works) -> None:
    """Join the works of copies that bear one title, if it can be one work."""
    by_host: defaultdict[str, set[str]] = defaultdict(set)
    by_scheme: defaultdict[str, set[str]] = defaultdict(set)
    for copy in namesakes:
        by_host[host_of(copy.url)].add(works.root(copy.home))
        for scheme, value in identifiers(copy.url).items():
            by_scheme[scheme].add(value)
    if any(len(seen) > 1 for seen in (*by_host.values(), *by_scheme.values())):
        return
    for copy in namesakes[1:]:
        works.join(copy.home, namesakes[0].home)


def _letters(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text).casefold()
    return "".join(filter(str.isalnum, folded))
