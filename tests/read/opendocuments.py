"""Builds small OpenDocument files, with what LibreOffice writes into them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from xml.sax.saxutils import escape

_DC, _XLINK = "http://purl.org/dc/elements/1.1/", "http://www.w3.org/1999/xlink"
_SPACES = f'xmlns:dc="{_DC}" xmlns:xlink="{_XLINK}" ' + " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{space}:1.0"'
    for name, space in {
        "office": "office",
        "text": "text",
        "table": "table",
        "draw": "drawing",
        "style": "style",
        "meta": "meta",
        "chart": "chart",
        "presentation": "presentation",
        "svg": "svg-compatible",
        "fo": "xsl-fo-compatible",
        "manifest": "manifest",
    }.items()
)
TYPE = "application/vnd.oasis.opendocument"


def opendocument(
    kind: str,
    content: str,
    *,
    styles: str = "",
    title: str = "",
    parts: Mapping[str, str] = {},
    template: bool = False,
) -> bytes:
    """Return a document.

    Args:
        kind: What it is: "text", "spreadsheet" or "presentation".
        content: The XML of what is in it.
        styles: The XML of its own styles.
        title: Its own title.
        parts: The content of further parts by name.
        template: Whether it is one for further documents.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        suffix = "-template" if template else ""
        archive.writestr("mimetype", f"{TYPE}.{kind}{suffix}", zipfile.ZIP_STORED)
        archive.writestr("content.xml", document(kind, content, styles=styles))
        archive.writestr(
            "meta.xml",
            f"<office:document-meta {_SPACES}><office:meta><dc:title>{escape(title)}</dc:title>"
            "<meta:initial-creator>Mara Lind</meta:initial-creator><dc:creator>Tom Ash</dc:creator>"
            "<dc:date>2031-05-04T10:00:00</dc:date></office:meta></office:document-meta>",
        )
        for name, part in parts.items():
            archive.writestr(name, part)
    return out.getvalue()


def document(kind: str, content: str, *, styles: str = "") -> str:
    """Return the content of a document, or of a chart in one."""
    return (
        f"<office:document-content {_SPACES}><office:automatic-styles>{styles}"
        f"</office:automatic-styles><office:body><office:{kind}>{content}</office:{kind}>"
        "</office:body></office:document-content>"
    )


def named_styles(styles: str) -> str:
    """Return the part of a document that holds the ``styles`` with names."""
    return f"<office:document-styles {_SPACES}>{styles}</office:document-styles>"


def flat(kind: str, content: str) -> bytes:
    """Return a document as one file of XML."""
    whole = document(kind, content).replace("document-content", "document")
    typed = whole.replace("<office:document", f'<office:document office:mimetype="{TYPE}.{kind}"')
    return f'<?xml version="1.0" encoding="UTF-8"?>\n\n{typed}'.encode()


LOCK = (
    f"<manifest:manifest {_SPACES}><manifest:file-entry manifest:full-path='content.xml'>"
    "<manifest:encryption-data/></manifest:file-entry></manifest:manifest>"
)
"""The list of the parts of a document of which one is locked with a password."""


def paragraph(text: str) -> str:
    """Return a paragraph of ``text``."""
    return f"<text:p>{escape(text)}</text:p>"


def cell(text: str, *, about: str = "") -> str:
    """Return a cell of a table; ``about`` are its attributes."""
    return f"<table:table-cell {about}>{paragraph(text) if text else ''}</table:table-cell>"


def row(*cells: str, about: str = "") -> str:
    """Return a row of a table of these ``cells``; one that is XML is taken as it is."""
    told = (each if each.startswith("<") else cell(each) for each in cells)
    return f"<table:table-row {about}>{''.join(told)}</table:table-row>"


def frame(text: str, *, place: str = "", at: tuple[str, str] | None = None) -> str:
    """Return a frame of a slide.

    Args:
        text: The XML of what is in it.
        place: Which place of the layout it fills, as "title".
        at: How far it is from the left and from the top, with units; it is an inch high.
    """
    box = f'svg:x="{at[0]}" svg:y="{at[1]}" svg:height="1in"' if at else ""
    filled = f'presentation:class="{place}"' if place else ""
    return f"<draw:frame {box} {filled}><draw:text-box>{text}</draw:text-box></draw:frame>"
