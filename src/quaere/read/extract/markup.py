"""Parses XML and HTML with every door shut: no entities, no DTD, no network.

The one module that touches lxml, which has no types of its own.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Iterator
from typing import Protocol, cast


class Element(Protocol):
    """The little of an lxml element that is used here; its own documentation holds."""

    tag: object
    """A string; for comments and processing instructions a function."""
    text: str | None
    tail: str | None

    def __iter__(self) -> Iterator[Element]: ...
    def __len__(self) -> int: ...
    def find(self, path: str) -> Element | None: ...  # noqa: D102
    def iter(self, *tags: str) -> Iterator[Element]: ...  # noqa: D102
    def get(self, name: str, default: str = "") -> str: ...  # noqa: D102
    def items(self) -> Iterable[tuple[str, str]]: ...  # noqa: D102
    def getparent(self) -> Element | None: ...  # noqa: D102
    def remove(self, child: Element) -> None: ...  # noqa: D102


class _Parse(Protocol):
    def __call__(self, data: bytes, *, parser: object) -> Element | None: ...


class _Make(Protocol):
    def __call__(self, **options: bool | str) -> object: ...


_parse_xml = cast("_Parse", pkgutil.resolve_name("lxml.etree:fromstring"))
_parse_html = cast("_Parse", pkgutil.resolve_name("lxml.html:document_fromstring"))
_xml_parser = cast("_Make", pkgutil.resolve_name("lxml.etree:XMLParser"))
_html_parser = cast("_Make", pkgutil.resolve_name("lxml.html:HTMLParser"))
_ParseError = cast("type[SyntaxError]", pkgutil.resolve_name("lxml.etree:LxmlError"))

_NO_MEMORY = 2  # XML_ERR_NO_MEMORY in libxml2's xmlerror.h


def parse_xml(data: bytes) -> Element:
    """Return the root of an XML document.

    Entities stay unresolved, and libxml2's own limits on depth and size hold.

    Raises:
        ValueError: when it is not well-formed, or declares entities, which can grow without end.
    """
    if b"<!ENTITY" in data or "<!ENTITY".encode("utf-16-le") in data:
        message = "it declares entities, which are not expanded here"
        raise ValueError(message)
    parser = _xml_parser(resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False)
    return _parsed(_parse_xml, data, parser)


def parse_html(text: str) -> Element:
    """Return the root of an HTML document, comments left out; anything is HTML of some kind.

    Raises:
        ValueError: when there is not a single element in it.
    """
    parser = _html_parser(
        encoding="utf-8",
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
        default_doctype=False,
        no_network=True,
        huge_tree=False,
    )
    return _parsed(_parse_html, text.encode(), parser)


def _parsed(parse: _Parse, data: bytes, parser: object) -> Element:
    try:
        root = parse(data, parser=parser)
    except _ParseError as error:
        if getattr(error, "code", None) == _NO_MEMORY:
            raise MemoryError from error
        message = f"it is not well-formed: {error}"
        raise ValueError(message) from error
    if root is None:
        message = "it holds no element"
        raise ValueError(message)
    return root


def local_name(element: Element) -> str:
    """Return the tag without its namespace; empty for comments and processing instructions."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def drop(element: Element) -> None:
    """Take ``element`` out of its tree, leaving the text behind it where it was."""
    parent = element.getparent()
    if parent is None:
        return
    before = None
    for child in parent:
        if child is element:
            break
        before = child
    if element.tail:
        if before is None:
            parent.text = (parent.text or "") + element.tail
        else:
            before.tail = (before.tail or "") + element.tail
    parent.remove(element)
