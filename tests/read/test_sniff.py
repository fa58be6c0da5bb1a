from __future__ import annotations

import io
import json
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.read.documents import pdf, web_page, word

from quaere.read.sniff import Kind, file_name, sniff

HTML = web_page("<p>Fog signals.</p>").encode()
PDF = pdf([["Fog signals"]])


def archive(name: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as zipped:
        zipped.writestr(name, "<x/>")
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "content_type", "name", "kind"),
    [
        (HTML, "", "page.html", Kind.HTML),
        (HTML, "text/plain", "page.txt", Kind.HTML),
        (HTML, "application/pdf", "report.pdf", Kind.HTML),
        (b"<p>Only a fragment</p>", "", "", Kind.HTML),
        (b"no tag at all", "text/html; charset=utf-8", "", Kind.HTML),
        (b"<?xml version='1.0'?>\n<html xmlns='x'>", "application/xhtml+xml", "", Kind.HTML),
        (PDF, "text/html", "page.html", Kind.PDF),
        (b"\r\njunk before\n" + PDF, "", "", Kind.PDF),
        (word(["Fog"]), "", "notes.docx", Kind.DOCX),
        (word(["Fog"]), "application/zip", "notes.zip", Kind.DOCX),
        (archive("xl/workbook.xml"), "", "sheet.xlsx", Kind.UNSUPPORTED),
        (archive("word/document.xml")[:-30], "", "cut.docx", Kind.DOCX),
        (b"# Title\n\ntext", "", "README.md", Kind.MARKDOWN),
        (b"<h1 align=center>Title</h1>\n\ntext", "", "README.md", Kind.MARKDOWN),
        (b"# Title", "text/markdown", "", Kind.MARKDOWN),
        (b"plain words", "", "notes.txt", Kind.TEXT),
        (b"plain words", "", "", Kind.TEXT),
        (b"plain words", "", "LICENSE", Kind.TEXT),
        (b"a,b\n1,2\n", "", "t.csv", Kind.CSV),
        (b"a,b\n1,2\n", "text/plain", "t.csv", Kind.CSV),
        (b"a,b\n1,2\n", "text/csv", "download", Kind.CSV),
        (b"a\tb\n1\t2\n", "", "t.tsv", Kind.TSV),
        (b'{"a": 1}', "", "t.json", Kind.JSON),
        (b'{"a": 1}', "text/html", "api", Kind.JSON),
        (b'{\n "a": [1, 2]\n}', "", "", Kind.JSON),
        (b"{not json", "", "", Kind.TEXT),
        (b'{"a": 1}\n{"a": 2}\n', "", "t.json", Kind.JSONL),
        (b'{"a": 1}\n{"a": 2}\n', "application/x-ndjson", "", Kind.JSONL),
        (b'{"a": 1}\n', "", "one.jsonl", Kind.JSONL),
        (b'[\n {"a": 1},\n {"a": 2}\n]', "", "t.jsonl", Kind.JSON),
        (b"<?xml version='1.0'?><feed/>", "text/html", "", Kind.XML),
        (b"<svg xmlns='x'></svg>", "image/svg+xml", "", Kind.XML),
        (b"<a/>", "application/atom+xml", "", Kind.XML),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00", "text/html", "x.html", Kind.UNSUPPORTED),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "", "a.doc", Kind.UNSUPPORTED),
        (b"{\\rtf1 hello}", "", "a.txt", Kind.UNSUPPORTED),
        (bytes(range(256)) * 8, "", "a.txt", Kind.UNSUPPORTED),
        (b"", "", "a.md", Kind.MARKDOWN),
        ("Fähre und Fluß".encode("utf-16"), "", "a.txt", Kind.TEXT),
        ("Fähre und Fluß".encode("utf-16-le"), "", "a.txt", Kind.TEXT),
        ("Прилив в порту".encode("koi8-r"), "", "a.txt", Kind.TEXT),
    ],
)
def test_what_it_is_counts_more_than_what_it_is_called(
    data: bytes, content_type: str, name: str, kind: Kind
) -> None:
    assert sniff(data, content_type, name) is kind


def test_a_long_json_file_is_known_by_its_beginning() -> None:
    long = json.dumps({"rows": [{"n": n} for n in range(5000)]}, indent=1).encode()
    assert sniff(long, "application/json") is Kind.JSON


@given(st.binary(max_size=600), st.text(max_size=30), st.text(max_size=30))
def test_every_input_has_a_kind(data: bytes, content_type: str, name: str) -> None:
    assert sniff(data, content_type, name) in set(Kind)


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("file:///docs/Tide%20tables.csv#row=3", "Tide tables.csv"),
        ("https://pell.test/a/b/?q=1", "b"),
        ("https://pell.test", ""),
        ("http://[broken", ""),
    ],
)
def test_the_file_name_is_the_last_part_of_the_path(url: str, name: str) -> None:
    assert file_name(url) == name
