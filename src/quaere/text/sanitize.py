"""Text from outside made safe to repeat: without addresses, markup or secrets.

What a page says may have been written to make a reader, or a program, go somewhere. So may what a
model wrote that obeyed a page.
"""

from __future__ import annotations

import re
import unicodedata
from base64 import b64decode
from collections.abc import Container, Iterable, Iterator
from functools import cache, lru_cache
from importlib.machinery import ModuleSpec
from importlib.resources import files
from importlib.util import find_spec, module_from_spec
from ipaddress import IPv4Address, IPv6Address
from typing import cast
from urllib.parse import unquote_plus

from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import STOP_WORDS

LEFT_OUT = "(address left out)"
"""What replaces an address in a sentence."""

MIN_RUN, MIN_SWITCHES = 16, 4
"""A key is a long run of letters and digits that changes between the two again and again. Hashes
look so too; names, numbers of trials and genes, formulas and DOIs don't."""

_JOINERS = "\u200c\u200d"  # Persian, Indic scripts and emoji are misspelt without them
_IMAGE = lazy_regex(r"!\[[^\]\n]{0,500}\](?:\([^)\n]*\)?|\[[^\]\n]{0,500}\])?")
_LINK = lazy_regex(r"\[([^\]\n]{0,500})\]\([^)\n]*\)?")
_TAG = lazy_regex(r"<[^>\n]*>?")
_ADDRESS = re.compile(
    r"(?i)(?:\b(?:[a-z][a-z0-9+.-]{0,20}://|(?:javascript|data|mailto|vbscript):(?=\S)|www\.)|(?<![\w/])//(?=\w))"
    r"(?:\S*[^\s.,;:!?)}\]>'\"”»])?"
)
# A host that is named without a scheme: labels between dots, and browsers take three other signs
# for a dot; labels hold none of them. Labels are of any script; the last one ends where letters of
# another begin, for some scripts have no spaces. A port and a path may follow. The search begins at
# the first label alone: where nothing is found from there, nothing would be from a later one.
_DOT = "[.\u3002\uff0e\uff61]"
_PAUSE = (
    "\u00a0-\u00bf\u2010-\u2027\u2030-\u205e\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff5f-\uff65"
)
_LATIN, _OTHER = "A-Za-z0-9\uff10-\uff19\uff21-\uff3a\uff41-\uff5a-", rf"\x00-\x7f\s{_PAUSE}"
_IN_LABEL = rf"(?:[{_LATIN}_]|[^{_OTHER}])"
_REST = r"(?::\d{1,5}(?!\d))?(?:[/?#](?:\S*[^\s.,;:!?)}\]>'\"”»])?)?"
_HOST = re.compile(
    rf"(?P<bare>(?<!{_IN_LABEL})(?<!{_IN_LABEL}{_DOT})(?:{_IN_LABEL}++{_DOT})+"
    rf"(?:[{_LATIN}]+|[^{_OTHER}]+)(?![A-Za-z0-9_\u00c0-\u024f\u0370-\u052f])"
    rf"|(?<![\w:.])[0-9A-Fa-f]{{0,4}}(?::[0-9A-Fa-f]{{0,4}}){{2,7}}(?::\d{{1,3}}(?:\.\d{{1,3}}){{3}})?"
    rf"(?![\w:.])){_REST}"
)
_USED = lazy_regex(r"[^\S\n]*(?:[(\[]|[-+*/|&]?=)")
_RESERVED = frozenset(
    {"example", "home", "internal", "invalid", "lan", "local", "localhost", "test"}
)
"""Names at the top that are nobody's (RFC 2606, RFC 6762), or a local network's."""
_SUFFIX = re.compile(r"^(?:[^\s/]*\.)?([^\s./]+)", re.MULTILINE)
"""A line of the list, and its last label; lines that begin with a slash are comments."""
_FILE_ENDINGS = frozenset({"cc", "md", "mov", "pl", "ps", "py", "rs", "sh", "so", "zip"})
"""Domains whose names end files more often than hosts."""
_RUN = lazy_regex(rf"[A-Za-z0-9]{{{MIN_RUN},}}")
# Prefixes by which vendors mark their keys, so that they can be found where they should not be.
_MARKED = lazy_regex(
    r"(?<![A-Za-z0-9])(?:(?:sk|pk|rk|qk|tvly|xai|gsk|gh[opsur]|github_pat|hf|pplx|r8|glpat|npm|nvapi"
    r"|pypi|dop_v1|xox[abeprs])[-_]|AIza|AKIA|ASIA|SG\.|ya29\.)[A-Za-z0-9_.-]{13,}[A-Za-z0-9_-]"
)
_FORMAL = lazy_regex(
    r"(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{10,8000}+\.[\w-]{10,}(?:\.[\w-]*)?"  # of RFC 7519
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----(?:(?!-----END )[\s\S])*(?:-----END [A-Z ]*KEY-----)?"
    r"|(?<=://)[^\s/@:]+:[^\s/@]+(?=@)"  # user and password in an address
    r"|(?i:(?<=\bbearer )[\w.~+/-]{16,}=*)"  # RFC 6750
)
_PERCENT = lazy_regex(r"(?<![\w.~+/=-])[\w.~+/=-]*(?:%[0-9A-Fa-f]{2}[\w.~+/=-]*)+", re.ASCII)
_PACKED = lazy_regex(r"[A-Za-z0-9+/_-]{20,}={0,2}")
_SUSPECT = re.compile(rf"[\w.~+/-]{{{MIN_RUN}}}|://|-----BEGIN|%[0-9A-Fa-f]{{2}}")
"""What every secret holds: nearly all texts have none of it and are looked through once."""
_HEX = lazy_regex(r"(?i:[0-9a-f]{2}){15,}")
_STANDARD = str.maketrans("-_", "+/")
_PACKED_CHARS = 10_000
"""What is longer is a picture or another file; no key is that long."""
_SWITCH = lazy_regex(r"(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])")
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


def without_links(text: str, hosts: Container[str] = (), *, code: bool = False) -> str:
    """Return ``text`` without what leads to other ``hosts``, in lower case, than those given.

    For sentences. LEFT_OUT stands where an address was; the name of a host becomes a word.

    Args:
        text: What to show.
        hosts: Those that may stay.
        code: Whether it is code, in which a name with dots that is called, indexed or set is none
            of a host.
    """

    def named(match: re.Match[str]) -> str:
        is_used = code and _USED.match(text, match.end("bare")) is not None
        return match[0] if is_used or _host(match[0]) in hosts else _inert(match)

    text = _ADDRESS.sub(lambda m: m[0] if _host(m[0]) in hosts else LEFT_OUT, text)
    return _HOST.sub(named, text)


def hosts_in(text: str) -> frozenset[str]:
    """Return the hosts that ``text`` names, in lower case."""
    bare = (match[0] for match in _HOST.finditer(text) if _inert(match) != match[0])
    found = (*_ADDRESS.findall(text), *bare)
    return frozenset(filter(None, map(_host, found)))


def find_secrets(text: str) -> list[str]:
    """Return what looks like a key or another secret in ``text``, the longest first.

    That is what `find_keys` returns, and every long run of mixed letters and digits.
    """
    if _SUSPECT.search(text) is None:
        return []
    return _longest_first([*find_keys(text), *_mixed_runs(text)])


def find_keys(text: str) -> list[str]:
    """Return what has the form of a key in ``text``, the longest first.

    Hexadecimal numbers do not: hashes, which name things, look the same. Keys are found in base64,
    in hexadecimal and percent-encoded as well.
    """
    if _SUSPECT.search(text) is None:
        return []
    mixed = (run for run in _mixed_runs(text) if not _HEX.fullmatch(run))
    return _longest_first([*_plain_keys(text), *mixed, *_encoded_keys(text)])


def find_marked_keys(text: str) -> list[str]:
    """Return what is marked as a key in ``text`` by its vendor or its form, the longest first.

    For names of files: many are made of letters and digits alike, as hashes are.
    """
    return _longest_first([*_plain_keys(text)])


def without_secrets(text: str, instead: str) -> str:
    """Return ``text`` with ``instead`` in place of each secret that `find_secrets` finds."""
    return without(find_secrets(text), text, instead)


def without(secrets: Iterable[str], text: str, instead: str) -> str:
    """Return ``text`` with ``instead`` in place of each of ``secrets``."""
    for secret in secrets:
        text = text.replace(secret, instead)
    return text


def _plain_keys(text: str) -> Iterator[str]:
    yield from (run for run in _MARKED.findall(text) if any(map(str.isdigit, run)))
    yield from _FORMAL.findall(text)


def _mixed_runs(text: str) -> Iterator[str]:
    return (run for run in _RUN.findall(text) if len(_SWITCH.findall(run)) >= MIN_SWITCHES)


def _encoded_keys(text: str) -> Iterator[str]:
    """Yield each stretch of ``text`` that is a key once it is decoded."""
    for run in _PERCENT.findall(text):
        decoded = unquote_plus(run)
        if any(_plain_keys(decoded)) or any(_mixed_runs(decoded)) or any(_packed_keys(decoded)):
            yield run
    yield from _packed_keys(text)


def _packed_keys(text: str) -> Iterator[str]:
    for run in _PACKED.findall(text):
        if len(run) <= _PACKED_CHARS and any(any(_plain_keys(each)) for each in _unpacked(run)):
            yield run


def _unpacked(run: str) -> Iterator[str]:
    """Yield what ``run`` may be in hexadecimal and in base64, wherever that begins in it."""
    if len(run) % 2 == 0 and _HEX.fullmatch(run):
        yield bytes.fromhex(run).decode("latin-1")
    for skipped in range(4):
        part = run.rstrip("=")[skipped:].translate(_STANDARD)
        part = part[: len(part) - (len(part) % 4 == 1)]
        yield b64decode(part + "=" * (-len(part) % 4)).decode("latin-1")


def _longest_first(found: list[str]) -> list[str]:
    return sorted(dict.fromkeys(found), key=len, reverse=True)


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
    if host.isascii() and ":" not in host and len(host) < len("1.1.1.1"):
        return False  # as the decimals are of which tables are full
    try:
        IPv6Address(host) if ":" in host else IPv4Address(unicodedata.normalize("NFKC", host))
    except ValueError:
        return False
    return len(host) > len("::1")


@lru_cache(maxsize=4096)
def _is_public_suffix(label: str) -> bool:
    """Return whether names of hosts end in ``label``, by the list of publicsuffix.org."""
    folded = unicodedata.normalize("NFKC", label).lower()
    if folded.startswith("xn--"):
        try:
            folded = folded.encode("ascii").decode("idna")
        except UnicodeError:
            return False
    return folded in _RESERVED or folded in _last_labels()


@cache
def _last_labels() -> frozenset[str]:
    """Return the last label of every public suffix, also of those that stand for no name alone.

    The list is the one that comes with the package ``tld``; nothing is fetched. That package's own
    reader makes a tree of all suffixes, which takes ten times as long. It is not even imported.
    """
    package = cast("ModuleSpec", find_spec("tld"))
    names = files(module_from_spec(package)) / "res" / "effective_tld_names.dat.txt"
    return frozenset(_SUFFIX.findall(names.read_text("utf-8")))


MAX_QUOTED_CHARS = 100


def quoted(typed: str) -> str:
    """Return ``typed`` in quotes with its unprintable characters escaped, cut where it is long."""
    if len(typed) <= MAX_QUOTED_CHARS:
        return repr(typed)
    return f"{typed[:MAX_QUOTED_CHARS]!r}... ({len(typed):,} characters)"
