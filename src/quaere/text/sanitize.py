"""Text from outside made safe to repeat: without addresses, markup or secrets.

What a page says may have been written to make a reader, or a program, go somewhere. So may what a
model wrote that obeyed a page.
"""

from __future__ import annotations

import re
from collections.abc import Container

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
# Domains of hosts that are named without a scheme. Those of countries and the newer ones are words
# of some language or parts of some program, such as "it", "is", "py" and "run".
_DOMAINS = "ai|app|biz|com|dev|edu|eu|example|gov|info|int|invalid|io|mil|net|online|org|shop"
_HOST = re.compile(
    rf"\b(?:[a-z0-9](?:[a-z0-9-]{{0,61}}[a-z0-9])?\.)+(?:{_DOMAINS}|site|test|top|xyz)\b"
    r"(?:\.[a-z]{2}\b)?(?:(?::\d{1,5})?/\S*)?"
)
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
    flat = "".join(char if char.isprintable() or char in _JOINERS else " " for char in text)
    flat = _TAG.sub(" ", _LINK.sub(r"\1", _IMAGE.sub(" ", flat)))
    flat = _ADDRESS.sub(lambda m: m[0] if m[0] in known else " ", flat)
    flat = _HOST.sub(lambda m: m[0] if m[0] in known else _word(m[0]), flat)
    kept = (word for word in flat.split() if word in known or not find_secrets(word))
    return " ".join(kept).translate(_ROUND)


def without_links(text: str, hosts: Container[str] = ()) -> str:
    """Return ``text`` without what leads to other ``hosts``, in lower case, than those given.

    For sentences. LEFT_OUT stands where an address was; the name of a host becomes a word.
    """
    text = _ADDRESS.sub(lambda m: m[0] if _host(m[0]) in hosts else LEFT_OUT, text)
    return _HOST.sub(lambda m: m[0] if _host(m[0]) in hosts else _word(m[0]), text)


def hosts_in(text: str) -> frozenset[str]:
    """Return the hosts that ``text`` names, in lower case."""
    found = (*_ADDRESS.findall(text), *(match[0] for match in _HOST.finditer(text.lower())))
    return frozenset(filter(None, map(_host, found)))


def find_secrets(text: str) -> list[str]:
    """Return what looks like a key or another secret in ``text``."""
    marked = [run for run in _MARKED.findall(text) if any(map(str.isdigit, run))]
    mixed = [run for run in _RUN.findall(text) if len(_SWITCH.findall(run)) >= MIN_SWITCHES]
    return list(dict.fromkeys([*marked, *mixed]))


def _host(address: str) -> str:
    """Return the host in an address with or without a scheme."""
    authority = re.split(r"[/?#\\]", address.partition("//")[2] or address, maxsplit=1)[0]
    return authority.rpartition("@")[2].partition(":")[0].lower()


def _word(host: str) -> str:
    """Return the name in a host: "mill" for "mill.example/start"."""
    return re.split(r"[:/]", host, maxsplit=1)[0].rpartition(".")[0].replace(".", " ")


MAX_QUOTED_CHARS = 100


def quoted(typed: str) -> str:
    """Return ``typed`` in quotes with its unprintable characters escaped, cut where it is long."""
    if len(typed) <= MAX_QUOTED_CHARS:
        return repr(typed)
    return f"{typed[:MAX_QUOTED_CHARS]!r}... ({len(typed):,} characters)"
