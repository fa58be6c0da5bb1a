"""Finds addresses in a text: links, URLs, DOIs, arXiv numbers, paths of files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# Neither may occur in a URL unescaped (RFC 3986); the full stops and brackets of CJK may as an IRI,
# and hardly ever do.
_NO_URL = r"\s<>()\[\]\"`|\\^{}。，、；：！？「」『』（）【】〔〕“”„«»"
_URL = rf"(?:https?|ftp|file)://(?:\[[0-9A-Fa-f:.]{{2,45}}\])?(?:[^{_NO_URL}]|\([^{_NO_URL}]*\))++"
_INSIDE = r"(?:[^\[\]\n\\]|\\.|\[[^\[\]\n]{0,100}\]){0,400}+"
_TITLE = r"(?:\s{1,3}(?:\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'))?"
_BARE = r"(?:[^\s()<>]|\([^\s()<>]*\)){1,2000}+"
_IMAGE = rf"!\[{_INSIDE}\]\([^()\n]{{0,2000}}(?:\([^()\n]{{0,500}}\)[^()\n]{{0,500}})?\)"
_ADDRESS = re.compile(
    rf"(?P<image>{_IMAGE})"
    rf"|\[(?P<words>{_INSIDE})\]\(\s{{0,3}}"
    rf"(?:<(?P<angled>[^<>\n]{{0,2000}}+)>|(?P<bare>{_BARE})){_TITLE}\s{{0,3}}\)"
    rf"|<(?P<auto>(?i:https?|ftp|file)://[^<>\s]{{1,2000}})>"
    rf"|(?P<url>(?i:{_URL}))"
    r"|(?<![\w./@-])(?P<www>(?i:www)\.[\w-]{1,63}\.[^\s<>()\[\]\"`|\\^{}]{2,500})"
    r"|(?P<doi>(?:(?i:doi):\s?|(?<![\w./-]))10\.\d{4,9}/[^\s<>\"\[\]]{1,200})"
    r"|(?<!\w)(?i:arxiv):\s?(?P<arxiv>\d{4}\.\d{4,5}(?:v\d{1,2})?|[a-z-]{2,12}(?:\.[A-Z]{2})?/\d{7})"
)
_TRAILING = ".,;:!?*'…"
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_PATH = re.compile(
    r"(?i)(?<![\w.:/-])(?:(?:~|\.{1,2})?/)?(?:[\w.@+%-]{1,100}/){0,20}[\w.@+%-]{1,100}"
    r"\.(?:md|markdown|txt|text|pdf|docx|html?|csv|tsv|jsonl?|xml|rst)(?![\w/])"
)


@dataclass(frozen=True, slots=True)
class Address:
    """An address at ``[start, end)``."""

    start: int
    end: int
    target: str
    """URL or path; empty for a picture, and for what leads to a place in the text itself."""
    words: tuple[int, int] | None = None
    """Where the words of a link stand."""


def addresses(text: str) -> Iterator[Address]:
    """Yield the addresses of ``text`` in order; none overlaps another."""
    for match in _ADDRESS.finditer(text):
        yield _address(match)


def first_address(text: str) -> str:
    """Return the first URL of ``text``, else the first path; empty when there is neither."""
    found = (address.target for address in addresses(text))
    return next(filter(None, found), "") or first_path(text)


def first_path(text: str) -> str:
    """Return the first path of a file in ``text``; empty when there is none."""
    match = _PATH.search(unescaped(text))
    return match[0] if match else ""


def unescaped(text: str) -> str:
    """Return ``text`` without the backslashes that Markdown has before punctuation."""
    return _ESCAPED.sub(r"\1", text)


def _address(match: re.Match[str]) -> Address:
    start, end = match.span()
    if match["image"]:
        return Address(start, end, "")
    if match["words"] is not None:
        target = _led_to(unescaped(match["angled"] or match["bare"] or "").strip())
        return Address(start, end, target, match.span("words"))
    if match["auto"]:
        return Address(start, end, match["auto"])
    said = match[0].rstrip(_TRAILING)
    while said.endswith(")") and said.count(")") > said.count("("):
        said = said[:-1].rstrip(_TRAILING)
    end = start + len(said)
    if match["doi"]:
        return Address(start, end, f"https://doi.org/{said[said.index('10.') :]}")
    if match["arxiv"]:
        return Address(start, end, f"https://arxiv.org/abs/{match['arxiv']}")
    return Address(start, end, f"https://{said}" if match["www"] else said)


def _led_to(target: str) -> str:
    scheme = re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", target)
    if target.startswith("#") or (scheme and not re.match(r"(?i)(?:https?|ftp|file):", target)):
        return ""
    return f"https:{target}" if target.startswith("//") else target
