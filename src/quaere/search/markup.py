"""Parses the XML and HTML of services, safely, and turns markup into plain text.

Safely: entities are not expanded, no DTD is loaded and nothing is fetched.
"""

from __future__ import annotations

import html
import pkgutil
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Protocol, cast

from quaere.errors import SearchError
from quaere.text.lazy_regex import lazy_regex
from quaere.text.sanitize import declares_entities


class Element(Protocol):
    """The little of an lxml element that is used here; its own documentation holds."""

    tag: object

    def find(self, path: str) -> Element | None:
        """Return the first element at ``path``."""
        ...

    def findall(self, path: str) -> Sequence[Element]:
        """Return the elements at ``path``."""
        ...

    def itertext(self) -> Iterator[str]:
        """Yield the pieces of text inside."""
        ...

    def get(self, name: str, default: str) -> str:
        """Return an attribute, or ``default``."""
        ...


class _Parse(Protocol):
    def __call__(self, data: bytes, *, parser: object) -> Element | None: ...


class _Make(Protocol):
    def __call__(self, **options: bool | str) -> object: ...


def parse_xml(service: str, data: bytes) -> Element:
    """Return the root of an XML answer.

    Raises:
        SearchError: when it is not well-formed, or declares entities.
    """
    if declares_entities(data):
        raise SearchError(f"{service} answered with XML that declares entities.")
    make, parse = _named("lxml.etree", "XMLParser")
    parser = make(resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False)
    return _parsed(service, "XML", parse, data, parser)


def parse_html(service: str, data: bytes) -> Element:
    """Return the root of an HTML answer, comments left out.

    Raises:
        SearchError: when there is not a single element in it.
    """
    make, parse = _named("lxml.html", "HTMLParser")
    parser = make(encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True)
    return _parsed(service, "HTML", parse, data, parser)


def words_of(element: Element | None) -> str:
    """Return all text inside ``element`` on one line; empty for None."""
    return "" if element is None else " ".join("".join(element.itertext()).split())


def words_at(element: Element, path: str) -> str:
    """Return the text of the first element at ``path``."""
    return words_of(element.find(path))


def _parsed(service: str, kind: str, parse: _Parse, data: bytes, parser: object) -> Element:
    broken = f"{service} answered with something that is not {kind}."
    try:
        root = parse(data, parser=parser)
    except _parse_error() as error:
        raise SearchError(broken) from error
    if root is None:
        raise SearchError(broken)
    return root


@cache
def _named(module: str, parser: str) -> tuple[_Make, _Parse]:
    # lxml has no types of its own, and takes too long to import for what may not need it.
    make = cast("_Make", pkgutil.resolve_name(f"{module}:{parser}"))
    return make, cast("_Parse", pkgutil.resolve_name(f"{module}:fromstring"))


@cache
def _parse_error() -> type[SyntaxError]:
    return cast("type[SyntaxError]", pkgutil.resolve_name("lxml.etree:LxmlError"))


SNIPPET_CHARS = 600
MAX_TEXT_CHARS = 100_000

# A tag has a letter directly after its bracket; "p < 0.05" and "a<1" have none.
_TAG = lazy_regex(r"</?[A-Za-z][^<>]{0,2000}>|<!--[^<>]{0,2000}-->")
_HEADING = lazy_regex(
    r"<(h[1-6]|jats:title|title)\b[^<>]{0,200}>([^<>]{0,200})</\1>", re.IGNORECASE
)
_BLOCK = lazy_regex(
    r"</?(?:jats:)?(?:p|sec|div|br|li|ul|ol|list|list-item|tr|table|title)\b[^<>]{0,2000}>",
    re.IGNORECASE,
)
_UNSEEN = lazy_regex(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)
_SURROGATE = lazy_regex("[\ud800-\udfff]")
_SPACE = lazy_regex(r"[^\S\n]+")
_MARK = "\ufdd0"  # a noncharacter: no text contains it
_AFTER_HEADING = lazy_regex(_MARK + r":\s*")
_BREAKS = lazy_regex(r"\s*\n\s*")


def line(markup: str, limit: int = SNIPPET_CHARS) -> str:
    """Return the words of ``markup`` on one line of at most ``limit`` characters.

    Tags are gone and entities are the characters that they stand for. A longer text is cut after a
    word and ends with an ellipsis.
    """
    # What is cut off need not be cleaned first; tags can be several times as long as their words.
    words = _clean(_TAG.sub("", _BLOCK.sub(" ", markup[: limit * 20]))).split()
    return shortened(" ".join(words), limit)


def paragraphs(markup: str) -> str:
    """Return ``markup`` as paragraphs, a heading ("Methods: ") at the head of the one it opens."""
    text = _HEADING.sub(_headed, markup[:MAX_TEXT_CHARS])
    text = _SPACE.sub(" ", _clean(_TAG.sub("", _BLOCK.sub("\n", text))))
    text = _AFTER_HEADING.sub(": ", _BREAKS.sub("\n\n", text))
    return text.strip().removeprefix("Abstract: ")


def one_line(text: str) -> str:
    """Return plain ``text``, in which a bracket is a bracket, clean and on one line."""
    return " ".join(_seen(text).split())


def shortened(text: str, limit: int) -> str:
    """Return ``text``, cut after a word if it is longer than ``limit`` characters."""
    if len(text) <= limit:
        return text
    head, space, _ = text[:limit].rpartition(" ")
    return (head if space else text[: limit - 1]) + "…"


def _headed(match: re.Match[str]) -> str:
    heading = match[2].strip().rstrip(":")
    return f"\n{heading}{_MARK}: " if heading else "\n"


def _clean(text: str) -> str:
    return _seen(html.unescape(text))


def _seen(text: str) -> str:
    return _SURROGATE.sub("\ufffd", _UNSEEN.sub("", text))
