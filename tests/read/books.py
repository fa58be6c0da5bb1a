"""Builds small e-books, part by part, as programs that make them write these."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import quoteattr

_CONTAINER = """<?xml version="1.0"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/>
</rootfiles></container>"""


def chapter(inside: str) -> str:
    """Return a part of a book."""
    return (
        '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml" '
        'xmlns:epub="http://www.idpf.org/2007/ops"><head><title/></head>'
        f"<body>{inside}</body></html>"
    )


def epub(
    parts: Mapping[str, str | bytes],
    *,
    about: str = "<dc:title>The Long Pier</dc:title>",
    aside: Sequence[str] = (),
    nav: Sequence[tuple[str, str]] = (),
    ncx: Sequence[tuple[str, str]] = (),
    extra: Mapping[str, str] | None = None,
) -> bytes:
    """Return an e-book.

    Args:
        parts: What its files hold, in reading order, by their names; one that begins with nothing
            is listed and missing.
        about: What its package says of it.
        aside: The parts that are beside the main text.
        nav: Where the entries of its contents lead, and their names, as EPUB 3 has them.
        ncx: The same as EPUB 2 has them.
        extra: Further files of the archive by their paths.
    """
    items = [
        f'<item id="p{n}" href={quoteattr(name)} media-type="application/xhtml+xml"/>'
        for n, name in enumerate(parts)
    ]
    refs = [
        f'<itemref idref="p{n}"{" linear=" + quoteattr("no") if name in aside else ""}/>'
        for n, name in enumerate(parts)
    ]
    files: dict[str, str | bytes] = {f"OEBPS/{name}": told for name, told in parts.items() if told}
    if nav:
        items.append(
            '<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>'
        )
        refs.insert(0, '<itemref idref="nav"/>')
        links = "".join(f"<li><a href={quoteattr(to)}>{name}</a></li>" for to, name in nav)
        files["OEBPS/nav.xhtml"] = chapter(f'<nav epub:type="toc"><ol>{links}</ol></nav>')
    if ncx:
        items.append('<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>')
        points = "".join(
            f"<navPoint><navLabel><text>{name}</text></navLabel><content src={quoteattr(to)}/>"
            "</navPoint>"
            for to, name in ncx
        )
        files["OEBPS/toc.ncx"] = (
            f'<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>{points}</navMap></ncx>'
        )
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" '
        'xmlns:opf="http://www.idpf.org/2007/opf"><metadata '
        f'xmlns:dc="http://purl.org/dc/elements/1.1/">{about}</metadata>'
        f"<manifest>{''.join(items)}</manifest><spine>{''.join(refs)}</spine></package>"
    )
    return packed(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": _CONTAINER,
            "OEBPS/content.opf": package,
            **files,
            **(extra or {}),
        }
    )


def packed(files: Mapping[str, str | bytes]) -> bytes:
    """Return an archive of ``files``, the first of which is not compressed."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for n, (name, told) in enumerate(files.items()):
            archive.writestr(name, told, zipfile.ZIP_DEFLATED if n else zipfile.ZIP_STORED)
    return out.getvalue()
