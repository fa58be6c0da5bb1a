"""Parses XML and HTML with every door shut: no entities, no DTD, no network.

The one module that touches lxml, which has no types of its own.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Protocol, cast

from quaere.text.clean import clean_line
from quaere.text.raised import raised


class Element(Protocol):
    """The little of an lxml element that is used here; its own documentation holds."""

    tag: object
    """A string; for comments and processing instructions a function."""
    text: str | None
    tail: str | None

    def __iter__(self) -> Iterator[Element]: ...
    def __len__(self) -> int: ...

    def find(self, path: str) -> Element | None:
        """Return the first element at ``path``."""
        ...

    def findall(self, path: str) -> Sequence[Element]:
        """Return the elements at ``path``."""
        ...

    def itertext(self) -> Iterator[str]:
        """Yield the pieces of text inside."""
        ...

    def iter(self, *tags: str) -> Iterator[Element]:
        """Yield this element and all inside it, or those of these ``tags``."""
        ...

    def get(self, name: str, default: str = "") -> str:
        """Return an attribute, or ``default``."""
        ...

    def items(self) -> Iterable[tuple[str, str]]:
        """Return the attributes."""
        ...

    def getparent(self) -> Element | None:
        """Return the element that this one is in; None at the root."""
        ...

    def getprevious(self) -> Element | None:
        """Return the element before this one in its parent; None for the first."""
        ...

    def remove(self, child: Element) -> None:
        """Take ``child`` out, and the text after it."""
        ...

    def insert(self, index: int, element: Element) -> None:
        """Put ``element`` in at that place."""
        ...

    def set(self, key: str, value: str) -> None:
        """Give the attribute ``key`` that value."""
        ...

    def getroottree(self) -> Tree:
        """Return the document that it is in."""
        ...


class _Subset(Protocol):
    def iterentities(self) -> Iterator[object]: ...


class _About(Protocol):
    @property
    def internalDTD(self) -> _Subset | None: ...  # noqa: N802 (a name of lxml's)


class Tree(Protocol):
    """The little of an lxml document that is used here."""

    docinfo: _About


class _Parse(Protocol):
    def __call__(self, data: bytes, *, parser: object) -> Element | None: ...


class _Problem(Protocol):
    type: int


class _Parser(Protocol):
    error_log: Iterable[_Problem]

    def set_element_class_lookup(self, lookup: object) -> None: ...


class _Make(Protocol):
    def __call__(self, **options: bool | str) -> _Parser: ...


class _Lookup(Protocol):
    def __call__(self, *, element: object) -> object: ...


class _Path(Protocol):
    def __call__(self, path: str, *, smart_strings: bool) -> Callable[[Element], object]: ...


class _Strip(Protocol):
    def __call__(self, root: Element, *names: str, with_tail: bool) -> None: ...


class _Serialize(Protocol):
    def __call__(self, root: Element, *, encoding: str) -> str: ...


_parse_xml = cast("_Parse", pkgutil.resolve_name("lxml.etree:fromstring"))
_parse_html = cast("_Parse", pkgutil.resolve_name("lxml.html:document_fromstring"))
_xml_parser = cast("_Make", pkgutil.resolve_name("lxml.etree:XMLParser"))
_html_parser = cast("_Make", pkgutil.resolve_name("lxml.html:HTMLParser"))
_xpath = cast("_Path", pkgutil.resolve_name("lxml.etree:XPath"))
_strip = cast("_Strip", pkgutil.resolve_name("lxml.etree:strip_elements"))
_serialize = cast("_Serialize", pkgutil.resolve_name("lxml.html:tostring"))
_lookup = cast("_Lookup", pkgutil.resolve_name("lxml.etree:ElementDefaultClassLookup"))
_ParseError = cast("type[SyntaxError]", pkgutil.resolve_name("lxml.etree:LxmlError"))

# One class for all elements: lxml.html would ask Python for the class of every single one.
_CLASSES = _lookup(element=pkgutil.resolve_name("lxml.html:HtmlElement"))
_UNWRITABLE = re.compile(
    r"&#(?:0*(?:[0-8]|1[124-9]|2[0-9]|3[01]|6553[45])"
    "|[Xx]0*(?:[0-8BCEFbcef]|1[0-9A-Fa-f]|[Ff]{3}[EFef]))(?:;|(?![0-9A-Fa-f]))"
)
_NO_MEMORY, _ID_TWICE = 2, 513  # XML_ERR_NO_MEMORY, XML_DTD_ID_REDEFINED in libxml2's xmlerror.h


def parse_xml(data: bytes) -> Element:
    """Return the root of an XML document.

    Entities stay unresolved, and libxml2's own limits on depth and size hold. Two elements may
    have one id: there are programs that write such documents, and all open them.

    Raises:
        ValueError: when it is not well-formed, or declares entities.
    """
    if _declares_entities(data):
        raise _declared()
    parser = _strict_parser()
    try:
        root = _parsed(_parse_xml, data, parser)
    except ValueError:
        if {each.type for each in parser.error_log} != {_ID_TWICE}:
            raise
        root = _parsed(_parse_xml, data, _strict_parser(recover=True))
    if _has_entities(root):
        raise _declared()
    return root


def _declares_entities(data: bytes) -> bool:
    # UTF-16 and UTF-32, in either byte order, have zeros between the letters.
    return b"<!ENTITY" in data.replace(b"\0", b"")


def _has_entities(root: Element) -> bool:
    """Whether the document of ``root`` declares any, as the parser has read it.

    An encoding such as UTF-7 has ways to write a declaration that nobody can foresee.
    """
    subset = root.getroottree().docinfo.internalDTD
    return subset is not None and any(True for _ in subset.iterentities())


def _declared() -> ValueError:
    return ValueError("it declares entities, which are not expanded here")


def _strict_parser(*, recover: bool = False) -> _Parser:
    # To leave ids alone with collect_ids=False would make lxml open external files.
    return _xml_parser(
        resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False, recover=recover
    )


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
    parser.set_element_class_lookup(_CLASSES)
    return _parsed(_parse_html, _writable(text).encode(), parser)


def _writable(text: str) -> str:
    """Return HTML without what lxml reads but will not write, not even to another place.

    That is noncharacters, and references to them or to control characters.
    """
    return _UNWRITABLE.sub("", text).replace("\ufffe", "").replace("\uffff", "")


def _parsed(parse: _Parse, data: bytes, parser: object) -> Element:
    try:
        root = parse(data, parser=parser)
    except _ParseError as error:
        if getattr(error, "code", None) == _NO_MEMORY:
            raise MemoryError from error
        message = f"it is not well-formed: {clean_line(str(error))}"
        raise ValueError(message) from error
    if root is None:
        message = "it holds no element"
        raise ValueError(message)
    return root


def local_name(element: Element) -> str:
    """Return the tag without its namespace; empty for comments and processing instructions."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def inner_text(element: Element, left_out: Collection[str] = ()) -> Iterator[str]:
    """Yield the pieces of text in ``element``, but for that of elements called as ``left_out``."""
    yield element.text or ""
    for child in element:
        if (name := local_name(child)) and name.lower() not in left_out:
            yield from inner_text(child, left_out)
        yield child.tail or ""


def raise_figures(root: Element) -> None:
    """Write what stands raised under ``root`` in raised figures, where it is one: 10⁶, not 106."""
    for element in root.iter("{*}sup"):
        said = "".join(inner_text(element))
        if (shown := raised(said)) != said:
            for child in list(element):
                element.remove(child)
            element.text = shown


def elements(path: str) -> Callable[[Element], list[Element]]:
    """Return what finds the elements at the XPath ``path``, in document order."""
    return cast("Callable[[Element], list[Element]]", _xpath(path, smart_strings=False))


def texts(path: str) -> Callable[[Element], list[str]]:
    """Return what finds the pieces of text at the XPath ``path``, in document order."""
    return cast("Callable[[Element], list[str]]", _xpath(path, smart_strings=False))


def number(path: str) -> Callable[[Element], float]:
    """Return what computes the number that the XPath ``path`` stands for."""
    return cast("Callable[[Element], float]", _xpath(path, smart_strings=False))


def html_of(root: Element) -> str:
    """Return the tree under ``root`` as HTML."""
    return _serialize(root, encoding="unicode")


def drop_all(root: Element, names: Iterable[str]) -> None:
    """Take all elements of these ``names`` out of the tree, leaving the text behind each."""
    _strip(root, *names, with_tail=False)


def drop(element: Element) -> None:
    """Take ``element`` out of its tree, leaving the text after it where it was."""
    parent = element.getparent()
    if parent is None:
        return
    before = element.getprevious()
    if element.tail and before is not None:
        before.tail = (before.tail or "") + element.tail
    elif element.tail:
        parent.text = (parent.text or "") + element.tail
    parent.remove(element)
