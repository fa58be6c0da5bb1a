"""Parses the XML and HTML of services with every door shut: no entities, no DTD, no network."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Protocol, cast

from quaere.errors import SearchError


class Element(Protocol):
    """The little of an lxml element that is used here; its own documentation holds."""

    tag: object

    def find(self, path: str) -> Element | None: ...  # noqa: D102
    def findall(self, path: str) -> Sequence[Element]: ...  # noqa: D102
    def itertext(self) -> Iterator[str]: ...  # noqa: D102
    def get(self, name: str, default: str) -> str: ...  # noqa: D102


class _Parse(Protocol):
    def __call__(self, data: bytes, *, parser: object) -> Element | None: ...


class _Make(Protocol):
    def __call__(self, **options: bool | str) -> object: ...


def parse_xml(service: str, data: bytes) -> Element:
    """Return the root of an XML answer.

    Raises:
        SearchError: when it is not well-formed, or declares entities, which can grow without end.
    """
    if b"<!ENTITY" in data or "<!ENTITY".encode("utf-16-le") in data:
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
