"""Text from outside made safe to repeat: without addresses, markup or secrets.

What a page says may have been written to make a reader, or a program, go somewhere. So may what a
model wrote that obeyed a page.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address

from quaere.text.lexicon import STOP_WORDS

LEFT_OUT = "(address left out)"
"""What replaces an address in a sentence."""

MIN_RUN, MIN_SWITCHES = 16, 4
"""A key is a long run of letters and digits that changes between the two again and again. Hashes
look so too; names, numbers of trials and genes, formulas and DOIs don't."""

_JOINERS = "\u200c\u200d"  # Persian, Indic scripts and emoji are misspelt without them
_IMAGE = re.compile(r"!\[[^\]\n]*\](?:\([^)\n]*\)?|\[[^\]\n]*\])?")
_LINK = re.compile(r"\[([^\]\n]*)\]\([^)\n]*\)?")
_TAG = re.compile(r"<[^>\n]*>?")
_ADDRESS = re.compile(
    r"(?i)(?:\b(?:[a-z][a-z0-9+.-]{0,20}://|(?:javascript|data|mailto|vbscript):(?=\S)|www\.)|(?<![\w/])//(?=\w))"
    r"(?:\S*[^\s.,;:!?)}\]>'\"”»])?"
)
# A host that is named without a scheme: labels between dots, and browsers take three other signs
# for a dot. Labels are of any script; the last one ends where letters of another begin, for some
# scripts have no spaces. A port and a path may follow.
_DOT = "[.\u3002\uff0e\uff61]"
_PAUSE = (
    "\u00a0-\u00bf\u2010-\u2027\u2030-\u205e\u3000-\u303f\uff01-\uff0d\uff0f\uff1a-\uff20"
    "\uff5f-\uff65"
)
_LATIN, _OTHER = "A-Za-z0-9\uff10-\uff19\uff21-\uff3a\uff41-\uff5a-", rf"\x00-\x7f\s{_PAUSE}"
_LABEL = rf"(?:[{_LATIN}_]|[^{_OTHER}]){{1,63}}"
_REST = r"(?::\d{1,5}(?!\d))?(?:[/?#](?:\S*[^\s.,;:!?)}\]>'\"”»])?)?"
_HOST = re.compile(
    rf"(?P<bare>(?:{_LABEL}{_DOT})+(?:[{_LATIN}]{{1,63}}|[^{_OTHER}]{{1,63}})(?![A-Za-z0-9_\u00c0-\u024f\u0370-\u052f])"
    rf"|(?<![\w:.])[0-9A-Fa-f]{{0,4}}(?::[0-9A-Fa-f]{{0,4}}){{2,7}}(?::\d{{1,3}}(?:\.\d{{1,3}}){{3}})?"
    rf"(?![\w:.])){_REST}"
)
_RESERVED = frozenset(
    {"example", "home", "internal", "invalid", "lan", "local", "localhost", "test"}
)
"""Names at the top that are nobody's (RFC 2606, RFC 6762), or a local network's."""
_FILE_ENDINGS = frozenset({"cc", "md", "mov", "pl", "ps", "py", "rs", "sh", "so", "zip"})
"""Domains whose names end files more often than hosts."""
_RUN = re.compile(rf"[A-Za-z0-9]{{{MIN_RUN},}}")
# Prefixes by which vendors mark their keys, so that they can be found where they should not be.
_MARKED = re.compile(
    r"\b(?:sk|pk|rk|tvly|xai|gsk|ghp|gho|hf|pplx|r8|AIza|AKIA|ASIA|glpat|xox[abp])[-_]?"
    r"[A-Za-z0-9_-]{14,}"
)
_SWITCH = re.compile(r"(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])")
_ROUND = str.maketrans("[]{}<>`", "()()‹›'")


def sanitize_label(text: str, known: str = "") -> str:
    """Return ``text`` as one line that leads nowhere and reveals no secret, possibly empty.

    For what a model wrote to name something. Images, tags and addresses go, links keep their text,
    the name of a host becomes a word without its domain, and words that look like keys go. What
    ``known`` holds stays: the question may speak of a host or a key.
    """
    flat = _TAG.sub(" ", _LINK.sub(r"\1", _IMAGE.sub(" ", _in_one_line(text))))
    flat = _ADDRESS.sub(lambda m: m[0] if m[0] in known else " ", flat)
    flat = _HOST.sub(lambda m: m[0] if m[0] in known else _inert(m), flat)
    kept = (word for word in flat.split() if word in known or not find_secrets(word))
    return " ".join(kept).translate(_ROUND)


def _in_one_line(text: str) -> str:
    return "".join(char if char.isprintable() or char in _JOINERS else " " for char in text)


def without_links(text: str, hosts: Container[str] = ()) -> str:
    """Return ``text`` without what leads to other ``hosts``, in lower case, than those given.

    For sentences. LEFT_OUT stands where an address was; the name of a host becomes a word.
    """
    text = _ADDRESS.sub(lambda m: m[0] if _host(m[0]) in hosts else LEFT_OUT, text)
    return _HOST.sub(lambda m: m[0] if _host(m[0]) in hosts else _inert(m), text)


def hosts_in(text: str) -> frozenset[str]:
    """Return the hosts that ``text`` names, in lower case."""
    bare = (match[0] for match in _HOST.finditer(text) if _inert(match) != match[0])
    found = (*_ADDRESS.findall(text), *bare)
    return frozenset(filter(None, map(_host, found)))


def find_secrets(text: str) -> list[str]:
    """Return what looks like a key or another secret in ``text``."""
    marked = [run for run in _MARKED.findall(text) if any(map(str.isdigit, run))]
    mixed = [run for run in _RUN.findall(text) if len(_SWITCH.findall(run)) >= MIN_SWITCHES]
    return list(dict.fromkeys([*marked, *mixed]))


def _host(address: str) -> str:
    """Return the host in an address with or without a scheme."""
    authority = re.split(r"[/?#\\]", address.partition("//")[2] or address, maxsplit=1)[0]
    host = unicodedata.normalize("NFKC", authority.rpartition("@")[2]).replace("\u3002", ".")
    return (host if _is_ip(host) else host.partition(":")[0]).lower()


def _inert(match: re.Match[str]) -> str:
    """Return what replaces a possible host: itself when it is none.

    The name of a host becomes a word: "mill" for "mill.example/start". Where it may as well be a
    name with capitals, that of a file, or the end of a sentence without a space after it, a space
    parts it.
    """
    bare = match["bare"]
    if _is_ip(bare):
        return LEFT_OUT
    *names, last = re.split(_DOT, bare)
    if not names or not _is_public_suffix(last):
        return match[0]
    if bare == match[0] and _is_ambiguous(bare, last):
        return f"{'.'.join(names)}. {last}"
    return " ".join(names)


def _is_ambiguous(bare: str, last: str) -> bool:
    return last in STOP_WORDS or last in _FILE_ENDINGS or bare != bare.lower()


def _is_ip(host: str) -> bool:
    try:
        IPv6Address(host) if ":" in host else IPv4Address(unicodedata.normalize("NFKC", host))
    except ValueError:
        return False
    return len(host) > len("::1")


@lru_cache(maxsize=4096)
def _is_public_suffix(label: str) -> bool:
    """Return whether names of hosts end in ``label``, by the public suffix list (publicsuffix.org).

    The list is the one that comes with the package ``tld``; nothing is fetched.
    """
    from tld import is_tld  # noqa: PLC0415 - it takes a tenth of a second, which most do without

    folded = unicodedata.normalize("NFKC", label).lower()
    if folded.startswith("xn--"):
        try:
            folded = folded.encode("ascii").decode("idna")
        except UnicodeError:
            return False
    return folded in _RESERVED or (not folded.isdecimal() and is_tld(folded))


MAX_QUOTED_CHARS = 100


def quoted(typed: str) -> str:
    """Return ``typed`` in quotes with its unprintable characters escaped, cut where it is long."""
    if len(typed) <= MAX_QUOTED_CHARS:
        return repr(typed)
    return f"{typed[:MAX_QUOTED_CHARS]!r}... ({len(typed):,} characters)"
