"""Builds small documents of every format, with words that the tests look for."""

from __future__ import annotations

import io
from collections.abc import Sequence

import docx

from quaere.ports.read import Body

LOREM = (
    "Mooring lines were inspected on the first Monday of each month. "
    "The harbour master kept a ledger with the name of every vessel. "
    "Fog signals were sounded whenever the far mole could not be seen. "
)


def body(data: bytes | str, name: str = "notes.txt", content_type: str = "") -> Body:
    """Return a body as it comes from a file of that name."""
    raw = data.encode() if isinstance(data, str) else data
    return Body(
        data=raw,
        url=f"file:///docs/{name}",
        content_type=content_type,
        retrieved_at="2025-03-04T05:06:07+00:00",
    )


def pdf(
    pages: Sequence[Sequence[str]], *, title: str = "", date: str = "", trailer: str = ""
) -> bytes:
    """Return a PDF with these lines on its pages, 12 points apart."""
    contents = (
        f"BT /F1 10 Tf 12 TL 72 760 Td {' '.join(f'({_escaped(line)}) Tj T*' for line in lines)} ET"
        for lines in pages
    )
    about = f"/Title ({title}) /CreationDate ({date})"
    return drawn_pdf(list(contents), about=about, trailer=trailer)


def drawn_pdf(
    contents: Sequence[str],
    *,
    size: tuple[float, float] = (612, 792),
    turned: int = 0,
    about: str = "",
    trailer: str = "",
) -> bytes:
    """Return a PDF with a page for each of ``contents``, which is what draws it; F1 is Helvetica.

    Args:
        contents: What draws each page.
        size: Width and height of a page, in points.
        turned: Degrees by which a viewer turns each page.
        about: Entries that say what the document is.
        trailer: Further entries of the trailer.
    """
    kids = " ".join(f"{5 + 2 * number} 0 R" for number in range(len(contents)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(contents)} /Kids [{kids}] >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        f"<< {about} >>",
    ]
    for number, content in enumerate(contents):
        page = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {size[0]:g} {size[1]:g}] "
            f"/Rotate {turned} "
            f"/Resources << /Font << /F1 3 0 R >> >> /Contents {6 + 2 * number} 0 R >>"
        )
        length = len(content.encode("cp1252"))
        objects += [page, f"<< /Length {length} >>\nstream\n{content}\nendstream"]
    return _assembled(objects, trailer)


def _escaped(line: str) -> str:
    return line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def _assembled(objects: Sequence[str], trailer: str) -> bytes:
    out = bytearray(b"%PDF-1.4\n")
    offsets: list[int] = []
    for number, content in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{content}\nendobj\n".encode("cp1252")
    start = len(out)
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    out += (
        f"xref\n0 {size}\n0000000000 65535 f \n{table}"
        f"trailer\n<< /Size {size} /Root 1 0 R /Info 4 0 R {trailer} >>\n"
        f"startxref\n{start}\n%%EOF\n"
    ).encode()
    return bytes(out)


LOCK = (
    "/ID [(0123456789abcdef) (0123456789abcdef)] /Encrypt << /Filter /Standard /V 1 /R 2 /P -44 "
    f"/O <{'5a' * 32}> /U <{'a5' * 32}> >>"
)
"""A trailer entry that says: encrypted, and not with an empty password."""


def word(paragraphs: Sequence[str], *, heading: str = "", title: str = "") -> bytes:
    """Return a DOCX with a heading, paragraphs and a table of two rows."""
    document = docx.Document()
    document.core_properties.title = title
    document.core_properties.author = "Mara Lind"
    if heading:
        document.add_heading(heading, level=1)
    for paragraph in paragraphs:
        document.add_paragraph(paragraph)
    table = document.add_table(rows=2, cols=2)
    for cell, text in zip(
        (cell for row in table.rows for cell in row.cells),
        ("Quay", "Length", "North", "140 m"),
        strict=True,
    ):
        cell.text = text
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def web_page(main: str, *, title: str = "Harbour notes", head: str = "") -> str:
    """Return an HTML page with navigation, an article and a footer."""
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title} - Pell Gazette</title>{head}</head>
<body>
<nav><ul><li><a href="/a">Home</a></li><li><a href="/b">Subscribe today</a></li></ul></nav>
<main><article><h1>{title}</h1>{main}</article></main>
<aside class="related"><a href="/x">Ten boats you must see</a></aside>
<footer>All rights reserved by the Pell Gazette</footer>
</body></html>"""
