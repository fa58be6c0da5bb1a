"""Hostile answers of web servers, written after the development corpus and of other kinds.

Each has the form of ``corpora/hostile_pages``: a line of the manifest, and the bytes of its body.
"""

from __future__ import annotations

import gzip
import io
import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

FACT = "The ferry to Skarholm sails from Vessel Quay every second day of the week."
MORE = "It carries letters, salt and now and then a piano. The crossing takes four hours."
HTML = "text/html; charset=utf-8"
MB = 1_000_000


class Trick(NamedTuple):
    """What a server answers, and what is to become of it: read with FACT, or one of the errors."""

    name: str
    body: bytes
    outcome: str = "extract-or-refuse"
    errors: Sequence[str] = ("too_large", "parse_error", "empty", "truncated", "timeout")
    kind: str = HTML
    coding: str = ""
    raw: bool = False
    behaviour: str = "plain"
    absent: Sequence[str] = ()


def _page(inner: str = "", head: str = "") -> bytes:
    text = f"<p>{FACT} {MORE}</p>"
    return (
        f"<!doctype html><html><head><title>Ferries</title>{head}</head><body><article>"
        f"<h1>Ferries</h1>{text}{inner}{text}</article></body></html>"
    ).encode()


def _raw(head: str, body: bytes = b"") -> bytes:
    return head.replace("\n", "\r\n").encode("latin-1") + body


def _packed(parts: Mapping[str, str | bytes]) -> bytes:
    """Return an archive of ``parts`` by name, the type of a document uncompressed."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, part in parts.items():
            packed.writestr(name, part, zipfile.ZIP_STORED if name == "mimetype" else None)
    return out.getvalue()


def _slides(*slides: str | bytes) -> bytes:
    """Return a presentation whose slides have ``slides`` for the XML of their shapes."""
    spaces = 'xmlns:p="p" xmlns:a="a" xmlns:r="r"'
    numbers = range(1, len(slides) + 1)
    listed = "".join(f'<p:sldId r:id="r{n}"/>' for n in numbers)
    links = "".join(f'<Relationship Id="r{n}" Target="slides/slide{n}.xml"/>' for n in numbers)
    head = f"<p:sld {spaces}><p:cSld><p:spTree>".encode()
    return _packed(
        {
            "[Content_Types].xml": "<Types/>",
            "ppt/presentation.xml": (
                f"<p:presentation {spaces}><p:sldIdLst>{listed}</p:sldIdLst></p:presentation>"
            ),
            "ppt/_rels/presentation.xml.rels": f"<Relationships>{links}</Relationships>",
            **{
                f"ppt/slides/slide{n}.xml": head
                + (each if isinstance(each, bytes) else each.encode())
                + b"</p:spTree></p:cSld></p:sld>"
                for n, each in zip(numbers, slides, strict=True)
            },
        }
    )


def _open_document(kind: str, content: str | bytes, head: str = "") -> bytes:
    """Return an OpenDocument file of that ``kind`` with ``content`` for what is in it."""
    spaces = 'xmlns:o="o" xmlns:t="t" xmlns:d="d"'
    begin = f"{head}<o:document-content {spaces}><o:body><o:{kind}>".encode()
    given = content if isinstance(content, bytes) else content.encode()
    return _packed(
        {
            "mimetype": f"{OPEN}.{kind}",
            "content.xml": begin + given + f"</o:{kind}></o:body></o:document-content>".encode(),
        }
    )


def _epub(chapter: bytes) -> bytes:
    """Return an e-book of three parts, each of which holds ``chapter``."""
    items = "".join(
        f'<item id="c{n}" href="c{n}.xhtml" media-type="application/xhtml+xml"/>' for n in range(3)
    )
    refs = "".join(f'<itemref idref="c{n}"/>' for n in range(3))
    package = f"<package><manifest>{items}</manifest><spine>{refs}</spine></package>"
    container = '<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>'
    return _packed(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": container,
            "a.opf": package,
            **{f"c{n}.xhtml": b"<html><body>" + chapter for n in range(3)},
        }
    )


def _xlsx(sheet: str | bytes, *, head: str = "", strings: str = FACT) -> bytes:
    """Return a workbook of one sheet with ``sheet`` for its XML; "A1" is the string 0."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    given = sheet if isinstance(sheet, bytes) else sheet.encode()
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": b"<Types/>",
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>'
        '<sheet name="Ferries" sheetId="1" r:id="r1"/></sheets></workbook>'.encode(),
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}"><Relationship Id="r1" '
        'Target="worksheets/sheet1.xml"/></Relationships>'.encode(),
        "xl/sharedStrings.xml": (
            f'{head}<sst xmlns="{main}"><si><t>{strings}</t></si></sst>'.encode()
        ),
        "xl/worksheets/sheet1.xml": f'{head}<worksheet xmlns="{main}">'.encode()
        + given
        + b"</worksheet>",
    }
    return _packed(parts)


def _pdf(objects: Sequence[bytes]) -> bytes:
    out = b"%PDF-1.5\n"
    for number, body in enumerate(objects, 1):
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    return out + b"trailer << /Root 1 0 R /Size %d >>\n%%%%EOF" % (len(objects) + 1)


def _stream(data: bytes, *entries: bytes) -> bytes:
    head = b" ".join((b"<< /Length %d" % len(data), *entries, b">>"))
    return head + b"\nstream\n" + data + b"\nendstream"


CATALOGUE = b"<< /Type /Catalog /Pages 2 0 R >>"
ENTITIES = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 12}">' for n in range(1, 12))
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
OPEN = "application/vnd.oasis.opendocument"
EPUB = "application/epub+zip"
RST = "text/x-rst"
REFUSED = ("too_large", "parse_error", "empty", "timeout", "unsupported_type")
SHAPE = f"<p:sp><p:txBody><a:p><a:r><a:t>{FACT}</a:t></a:r></a:p></p:txBody></p:sp>"
PARAGRAPH = f"<t:p>{FACT}</t:p>"
WIDE = (
    '<t:table><t:table-row t:number-rows-repeated="1048576"><t:table-cell '
    f't:number-columns-repeated="16384">{PARAGRAPH}</t:table-cell></t:table-row></t:table>'
)
CELL = '<row r="1"><c r="A1" t="s"><v>0</v></c></row>'
EXTERNAL = '<!DOCTYPE r [<!ENTITY x SYSTEM "http://127.0.0.1:9/x">]>'

TRICKS = (
    # How a body is packed.
    Trick(
        "gzip-thrice",
        gzip.compress(gzip.compress(gzip.compress(_page()))),
        errors=("bad_encoding", "unsupported_encoding", "too_large"),
        coding="gzip, gzip, gzip",
    ),
    Trick("gzip-not", _page(), errors=("bad_encoding",), coding="gzip"),
    Trick(
        "deflate-without-head",
        zlib.compress(_page())[2:-4],
        errors=("bad_encoding",),
        coding="deflate",
    ),
    Trick(
        "gzip-members",
        b"".join(gzip.compress(part) for part in (_page()[:60], _page()[60:])),
        errors=("bad_encoding", "truncated"),
        coding="gzip",
    ),
    Trick(
        "gzip-bomb-in-tail",
        gzip.compress(_page() + b" " * 250 * MB, 9),
        errors=("too_large",),
        coding="gzip",
    ),
    # How the answer is framed.
    Trick(
        "raw-no-status",
        _raw("HTTP/1.1\nContent-Type: text/html\n\n", _page()),
        "refuse",
        ("bad_http",),
        raw=True,
    ),
    Trick(
        "raw-negative-length",
        _raw("HTTP/1.1 200 OK\nContent-Length: -5\n\n", _page()),
        "refuse",
        ("bad_http",),
        raw=True,
    ),
    Trick(
        "raw-huge-chunk-size",
        _raw("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\nffffffffffffffffff\n", _page()),
        "refuse",
        ("bad_http", "too_large", "truncated", "connection"),
        raw=True,
    ),
    Trick(
        "raw-folded-header",
        _raw(
            "HTTP/1.1 200 OK\nX-A: b\n c\nContent-Type: text/html\nConnection: close\n\n", _page()
        ),
        errors=("bad_http",),
        raw=True,
    ),
    Trick(
        "raw-location-javascript",
        _raw("HTTP/1.1 302 F\nLocation: javascript:alert(1)\nContent-Length: 0\n\n"),
        "refuse",
        ("blocked", "bad_http", "unsupported_type"),
        raw=True,
    ),
    Trick(
        "raw-location-file",
        _raw("HTTP/1.1 302 F\nLocation: file:///etc/passwd\nContent-Length: 0\n\n"),
        "refuse",
        ("blocked", "bad_http"),
        raw=True,
    ),
    Trick(
        "raw-location-none",
        _raw("HTTP/1.1 302 F\nContent-Length: 0\n\n"),
        "refuse",
        ("bad_http", "http_status", "empty"),
        raw=True,
    ),
    Trick(
        "raw-100-forever",
        _raw("HTTP/1.1 100 Continue\n\n" * 20_000),
        "refuse",
        ("bad_http", "too_large", "truncated", "connection"),
        raw=True,
    ),
    Trick("silence", b"", "refuse", ("timeout",), behaviour="silence"),
    # What a page is made of.
    Trick("nested-200k", _page("<div>" * 200_000)),
    Trick("attributes-100k", _page(f"<p {' '.join(f'a{n}=1' for n in range(100_000))}>x</p>")),
    Trick("attribute-3mb", _page(f'<p title="{"x" * 3 * MB}">y</p>')),
    Trick("comment-open", _page(f"<!-- {'- ' * MB}")),
    Trick("script-open", _page(f"<script>{'if (1) { ' * 200_000}"), absent=("if (1)",)),
    Trick("table-cells-200k", _page(f"<table>{'<tr><td>x<td>y' * 100_000}</table>")),
    Trick("character-references", _page("&#x41;" * 400_000)),
    Trick("combining-signs", _page(f"<p>a{chr(0x301) * 500_000}</p>")),
    Trick("right-to-left", _page(f"<p>{chr(0x202E) * 200_000}</p>"), absent=(chr(0x202E),)),
    Trick(
        "meta-refresh",
        _page(head='<meta http-equiv="refresh" content="0;url=http://127.0.0.1:9/">'),
        "extract",
    ),
    Trick(
        "frames",
        _page(
            '<iframe src="http://127.0.0.1:9/x"></iframe><object data="file:///etc/passwd"></object>'
        ),
        "extract",
        absent=("root:",),
    ),
    Trick(
        "nul-bytes",
        _page().replace(b"every", b"\0e\0very\0"),
        errors=("parse_error", "empty", "unsupported_type"),
    ),
    Trick(
        "utf16-without-mark",
        _page().decode().encode("utf-16-le"),
        errors=("parse_error", "empty", "unsupported_type"),
    ),
    Trick("utf16-with-mark", b"\xff\xfe" + _page().decode().encode("utf-16-le"), "extract"),
    # Other formats.
    Trick(
        "xml-entities",
        f"<!DOCTYPE r [<!ENTITY e0 'ha'>{ENTITIES}]><r>&e11;</r>".encode(),
        errors=("parse_error", "too_large", "empty", "unsupported_type"),
        kind="application/xml",
    ),
    Trick(
        "xml-external",
        f"{EXTERNAL}<r>{FACT} &x;</r>".encode(),
        errors=("parse_error", "empty", "unsupported_type"),
        kind="text/xml",
    ),
    Trick(
        "svg-script",
        b'<svg xmlns="http://www.w3.org/2000/svg"><script>fetch("http://127.0.0.1:9")</script></svg>',
        "refuse",
        ("unsupported_type", "empty", "parse_error"),
        kind="image/svg+xml",
    ),
    Trick(
        "json-lists-100k",
        b"[" * 100_000,
        "refuse",
        ("parse_error", "too_large", "empty", "unsupported_type"),
        kind="application/json",
    ),
    Trick(
        "json-number-1mb",
        b'{"n": ' + b"9" * MB + b"}",
        errors=("parse_error", "too_large", "empty", "unsupported_type"),
        kind="application/json",
    ),
    Trick(
        "csv-columns-100k",
        b",".join(b"c%d" % n for n in range(100_000)) + b"\n" + b"1," * 99_999,
        errors=("parse_error", "too_large", "empty", "unsupported_type", "timeout"),
        kind="text/csv",
    ),
    Trick(
        "docx-bomb",
        _packed({"word/document.xml": b"<w:p>" + b" " * 150 * MB}),
        errors=("too_large", "parse_error", "empty", "unsupported_type"),
        kind="application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ),
    Trick("xlsx-ok", _xlsx(f"<sheetData>{CELL}</sheetData>"), "extract", kind=XLSX),
    Trick("xlsx-bomb", _xlsx(b"<sheetData>" + b" " * 150 * MB), errors=REFUSED, kind=XLSX),
    Trick(
        "xlsx-last-cell",
        _xlsx(
            f'<sheetData>{CELL}<row r="1048576"><c r="XFD1048576"><v>7</v></c></row></sheetData>'
        ),
        errors=REFUSED,
        kind=XLSX,
    ),
    Trick(
        "xlsx-merged-whole",
        _xlsx(
            f"<sheetData>{CELL}</sheetData>"
            '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>'
        ),
        errors=REFUSED,
        kind=XLSX,
    ),
    Trick(
        "xlsx-no-such-string",
        _xlsx('<sheetData><row r="1"><c r="A1" t="s"><v>99999999999</v></c></row></sheetData>'),
        errors=REFUSED,
        kind=XLSX,
    ),
    Trick(
        "xlsx-entities",
        _xlsx(
            f"<sheetData>{CELL}</sheetData>",
            head=f"<!DOCTYPE r [<!ENTITY e0 'ha'>{ENTITIES}]>",
            strings="&e11;",
        ),
        errors=REFUSED,
        kind=XLSX,
    ),
    Trick("epub-ok", _epub(f"<p>{FACT}</p>".encode()), "extract", kind=EPUB),
    Trick("epub-bomb", _epub(b" " * 80 * MB), "refuse", REFUSED, kind=EPUB),
    Trick("epub-cut", _epub(f"<p>{FACT}</p>".encode())[:-60], "refuse", REFUSED, kind=EPUB),
    Trick(
        "rtf-groups-1m",
        b"{\\rtf1" + b"{" * MB,
        "refuse",
        REFUSED,
        kind="application/rtf",
    ),
    Trick(
        "rtf-picture",
        b"{\\rtf1{\\pict " + b"ab" * (MB // 2) + b"}" + FACT.encode() + b"}",
        "extract",
        kind="application/rtf",
    ),
    Trick(
        "notebook-lists-100k",
        b'{"nbformat": 4, "cells": ' + b"[" * 100_000,
        "refuse",
        REFUSED,
        kind="application/x-ipynb+json",
    ),
    Trick(
        "subtitles-tags",
        b"WEBVTT\n\n00:01.000 --> 00:02.000\n" + b"<v " * (MB // 3),
        errors=REFUSED,
        kind="text/vtt",
    ),
    Trick(
        "mail-nested",
        b"Subject: deep\n" + b"Content-Type: message/rfc822\n\n" * 5_000 + FACT.encode(),
        errors=REFUSED,
        kind="message/rfc822",
    ),
    Trick("pptx-ok", _slides(SHAPE), "extract", kind=PPTX),
    Trick("pptx-bomb", _slides(SHAPE, b" " * 150 * MB), errors=REFUSED, kind=PPTX),
    Trick("pptx-cut", _slides(SHAPE)[:-400], "refuse", REFUSED, kind=PPTX),
    Trick(
        "pptx-groups-200",
        _slides("<p:grpSp>" * 200 + SHAPE + "</p:grpSp>" * 200),
        errors=REFUSED,
        kind=PPTX,
    ),
    Trick("odt-ok", _open_document("text", PARAGRAPH), "extract", kind=f"{OPEN}.text"),
    Trick(
        "odt-bomb",
        _open_document("text", b" " * 150 * MB),
        errors=REFUSED,
        kind=f"{OPEN}.text",
    ),
    Trick(
        "odt-entities",
        _open_document(
            "text", "<t:p>&e11;</t:p>", head=f"<!DOCTYPE r [<!ENTITY e0 'ha'>{ENTITIES}]>"
        ),
        errors=REFUSED,
        kind=f"{OPEN}.text",
    ),
    Trick(
        "odt-lists-200",
        _open_document(
            "text", "<t:list><t:list-item>" * 100 + PARAGRAPH + "</t:list-item></t:list>" * 100
        ),
        errors=REFUSED,
        kind=f"{OPEN}.text",
    ),
    Trick(
        "odt-cut",
        _open_document("text", PARAGRAPH)[:-60],
        "refuse",
        REFUSED,
        kind=f"{OPEN}.text",
    ),
    Trick(
        "ods-all-cells",
        _open_document("spreadsheet", WIDE * 20),
        errors=REFUSED,
        kind=f"{OPEN}.spreadsheet",
    ),
    Trick(
        "ods-cut",
        _open_document("spreadsheet", WIDE)[:-60],
        "refuse",
        REFUSED,
        kind=f"{OPEN}.spreadsheet",
    ),
    Trick(
        "odp-bomb",
        _open_document("presentation", f"<d:page>{PARAGRAPH}</d:page>".encode() * 500_000),
        errors=REFUSED,
        kind=f"{OPEN}.presentation",
    ),
    Trick(
        "odp-cut",
        _open_document("presentation", f"<d:page>{PARAGRAPH}</d:page>")[:-60],
        "refuse",
        REFUSED,
        kind=f"{OPEN}.presentation",
    ),
    Trick("rst-ok", f"Ferries\n=======\n\n{FACT} {MORE}\n".encode(), "extract", kind=RST),
    Trick("rst-titles-50k", b"Ferries\n=======\n\n" * 50_000, errors=REFUSED, kind=RST),
    Trick(
        "rst-rules-of-one", b"= " * 300_000 + b"\nx\n" + b"= " * 300_000, errors=REFUSED, kind=RST
    ),
    Trick("rst-marks-open", b"``a :b:`c *d **e |f " * 50_000, errors=REFUSED, kind=RST),
    Trick(
        "rst-deeper-1k",
        "".join(f"{' ' * depth}.. note:: x\n\n" for depth in range(1_000)).encode(),
        errors=REFUSED,
        kind=RST,
    ),
    Trick(
        "rst-include", b".. include:: /etc/passwd\n", absent=("root:",), errors=REFUSED, kind=RST
    ),
    Trick(
        "zip-slip",
        b"PK\x03\x04" + b"\0" * 40 + b"../../etc/passwd",
        "refuse",
        ("parse_error", "empty", "unsupported_type"),
        kind="application/zip",
    ),
    Trick(
        "pdf-no-pages",
        _pdf([CATALOGUE, b"<< /Type /Pages /Kids [] /Count 0 >>"]),
        "refuse",
        ("parse_error", "empty"),
        kind="application/pdf",
    ),
    Trick(
        "pdf-kids-loop",
        _pdf([CATALOGUE, b"<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000 >>"]),
        errors=("parse_error", "empty", "timeout"),
        kind="application/pdf",
    ),
    Trick(
        "pdf-count-lies",
        _pdf(
            [
                CATALOGUE,
                b"<< /Type /Pages /Kids [3 0 R] /Count 2147483647 >>",
                b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>",
            ]
        ),
        errors=("parse_error", "empty", "timeout", "too_large"),
        kind="application/pdf",
    ),
    Trick(
        "pdf-flate-bomb",
        _pdf(
            [
                CATALOGUE,
                b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
                b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R >>",
                _stream(zlib.compress(b" " * 200 * MB, 9), b"/Filter /FlateDecode"),
            ]
        ),
        errors=("parse_error", "empty", "too_large", "timeout"),
        kind="application/pdf",
    ),
    Trick(
        "pdf-as-html",
        b"%PDF-1.7\n" + _page(),
        errors=("parse_error", "empty"),
        kind="application/pdf",
    ),
    Trick(
        "png-as-html",
        b"\x89PNG\r\n\x1a\n" + b"\0" * 5_000,
        "refuse",
        ("unsupported_type", "empty", "parse_error"),
    ),
    Trick("plain-ok", _page(), "extract"),
)


def write(folder: Path) -> None:
    """Write the manifest and the bodies to ``folder``."""
    (folder / "bodies").mkdir(parents=True, exist_ok=True)
    with (folder / "manifest.jsonl").open("w", encoding="utf-8") as manifest:
        manifest.writelines(f"{line}\n" for line in _lines(folder))


def _lines(folder: Path) -> Iterator[str]:
    for trick in TRICKS:
        body = f"bodies/{trick.name}.bin"
        (folder / body).write_bytes(trick.body)
        headers = [["Content-Type", trick.kind]]
        headers += [["Content-Encoding", trick.coding]] if trick.coding else []
        wanted = {"must_contain": [FACT]} if trick.outcome == "extract" else {}
        yield json.dumps(
            {
                "id": trick.name,
                "path": f"/c/{trick.name}",
                "status": 200,
                "behaviour": {"type": trick.behaviour},
                "headers": headers,
                "raw": trick.raw,
                "body_file": body,
                "expect": {
                    "outcome": trick.outcome,
                    "error_class": list(trick.errors),
                    **wanted,
                    "must_not_contain": list(trick.absent),
                    "max_seconds": 15,
                    "max_rss_delta_mb": 250,
                },
            }
        )
