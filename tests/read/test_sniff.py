from __future__ import annotations

import io
import json
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.read.documents import pdf, web_page, word
from tests.read.opendocuments import flat, opendocument
from tests.timing import cpu_s

from quaere.read import formats
from quaere.read.formats import Format, Reading, file_name, sniff

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
        (HTML, "", "page.html", Format.HTML),
        (HTML, "text/plain", "page.txt", Format.HTML),
        (HTML, "application/pdf", "report.pdf", Format.HTML),
        (b"<p>Only a fragment</p>", "", "", Format.HTML),
        (b"no tag at all", "text/html; charset=utf-8", "", Format.HTML),
        (b"<?xml version='1.0'?>\n<html xmlns='x'>", "application/xhtml+xml", "", Format.HTML),
        (PDF, "text/html", "page.html", Format.PDF),
        (b"\r\njunk before\n" + PDF, "", "", Format.PDF),
        (word(["Fog"]), "", "notes.docx", Format.DOCX),
        (word(["Fog"]), "application/zip", "notes.zip", Format.DOCX),
        (archive("xl/workbook.xml"), "", "sheet.xlsx", Format.XLSX),
        (archive("ppt/presentation.xml"), "", "talk.pptm", Format.PPTX),
        (opendocument("text", "", template=True), "text/plain", "letter.ott", Format.ODT),
        (opendocument("spreadsheet", ""), "application/zip", "fees.zip", Format.ODS),
        (opendocument("presentation", ""), "", "talk.pptx", Format.ODP),
        (opendocument("graphics", ""), "", "plan.odt", Format.UNSUPPORTED),
        (flat("text", ""), "text/xml", "letter.fodt", Format.ODT),
        (flat("graphics", ""), "", "plan.fodg", Format.XML),
        (archive("word/document.xml")[:-30], "", "cut.docx", Format.DOCX),
        (archive("xl/workbook.xml") + word(["Fog"]), "", "holds another.xlsx", Format.XLSX),
        (b"# Title\n\ntext", "", "README.md", Format.MARKDOWN),
        (b"<h1 align=center>Title</h1>\n\ntext", "", "README.md", Format.MARKDOWN),
        (b"# Title", "text/markdown", "", Format.MARKDOWN),
        (b"plain words", "", "notes.txt", Format.TEXT),
        (b"plain words", "", "", Format.TEXT),
        (b"plain words", "", "LICENSE", Format.TEXT),
        (b"plain words", "", "md", Format.TEXT),
        (b"a,b\n1,2\n", "", "T.CSV.GZ", Format.CSV),
        (b"<a/>", "application/x-tides+xml", "", Format.XML),
        (b"[1]", "application/x-tides+json; charset=utf-8", "", Format.JSON),
        (b"a,b\n1,2\n", "", "t.csv", Format.CSV),
        (b"a,b\n1,2\n", "text/plain", "t.csv", Format.CSV),
        (b"a,b\n1,2\n", "text/csv", "download", Format.CSV),
        (b"a\tb\n1\t2\n", "", "t.tsv", Format.TSV),
        (b'{"a": 1}', "", "t.json", Format.JSON),
        (b'{"a": 1}', "text/html", "api", Format.JSON),
        (b'{\n "a": [1, 2]\n}', "", "", Format.JSON),
        (b"{not json", "", "", Format.TEXT),
        (b'{"a": 1}\n{"a": 2}\n', "", "t.json", Format.JSONL),
        (b'{"a": 1}\n{"a": 2}\n', "application/x-ndjson", "", Format.JSONL),
        (b'{"a": 1}\n', "", "one.jsonl", Format.JSONL),
        (b'[\n {"a": 1},\n {"a": 2}\n]', "", "t.jsonl", Format.JSON),
        (b'\n [\n {"a": 1}]', "", "t.jsonl", Format.JSON),
        (b"[1, 2]\n[3, 4]\n", "", "t.jsonl", Format.JSONL),
        (b"[1, 2]\n[3, 4]\n", "", "t.json", Format.JSON),
        (b'{"a": 1}\nnot json', "", "t.json", Format.JSONL),
        (b"not json\n[1]", "", "t.jsonl", Format.JSONL),
        (b"[\n[1]\n]", "", "t.jsonl", Format.JSON),
        (b'{\n"a": 1}\n', "", "t.json", Format.JSON),
        (b'\n{"a": 1}\n{"a": 2}', "", "t.json", Format.JSONL),
        (b'{"a": 1}\n\n{"a": 2}', "", "t.json", Format.JSONL),
        (b"<?xml version='1.0'?><feed/>", "text/html", "", Format.XML),
        (b"<svg xmlns='x'></svg>", "image/svg+xml", "", Format.XML),
        (b"<a/>", "application/atom+xml", "", Format.XML),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00", "text/html", "x.html", Format.UNSUPPORTED),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "", "a.doc", Format.UNSUPPORTED),
        (b"{\\rtf1 hello}", "", "a.txt", Format.RTF),
        (b"From pell Tue Mar  4 09:00:00 2025\nTo: a\n\nb", "", "Inbox", Format.MBOX),
        (b"From pell Tue Mar  4 09:00:00 2025\nTo: a\n\nb", "", "a.eml", Format.MAIL),
        (b"From Pell in 2025\nTo be sure", "", "a.txt", Format.TEXT),
        (bytes(range(256)) * 8, "", "a.txt", Format.UNSUPPORTED),
        (b"", "", "a.md", Format.MARKDOWN),
        ("Fähre und Fluß".encode("utf-16"), "", "a.txt", Format.TEXT),
        ("Fähre und Fluß".encode("utf-16-le"), "", "a.txt", Format.TEXT),
        ("Прилив в порту".encode("koi8-r"), "", "a.txt", Format.TEXT),
    ],
)
def test_what_it_is_counts_more_than_what_it_is_called(
    data: bytes, content_type: str, name: str, kind: Format
) -> None:
    assert sniff(data, content_type, name) is kind


def test_a_long_json_file_is_known_by_its_beginning() -> None:
    long = json.dumps({"rows": [{"n": n} for n in range(5000)]}, indent=1).encode()
    assert sniff(long, "application/json") is Format.JSON


@given(st.binary(max_size=600), st.text(max_size=30), st.text(max_size=30))
def test_every_input_has_a_kind(data: bytes, content_type: str, name: str) -> None:
    assert sniff(data, content_type, name) in set(Format)


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


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\x01" * 20 + b"a" * 980, Format.TEXT),
        (b"\x01" * 21 + b"a" * 979, Format.UNSUPPORTED),
        ("é".encode() * 20 + b"\xff" * 20 + b"a" * 60, Format.TEXT),
        ("é".encode() * 21 + b"\xff" * 21 + b"a" * 58, Format.UNSUPPORTED),
        (b"a" * 4096 + b"\x01" * 4096, Format.TEXT),
    ],
    ids=["few controls", "many controls", "few broken", "many broken", "controls further on"],
)
def test_a_damaged_text_is_one_still(data: bytes, kind: Format) -> None:
    assert sniff(data, "", "a.txt") is kind


@pytest.mark.parametrize(("before", "kind"), [(1019, Format.PDF), (1020, Format.TEXT)])
def test_the_header_of_a_pdf_is_within_its_first_kilobyte(before: int, kind: Format) -> None:
    assert sniff(b" " * before + b"%PDF-1.7 and more") is kind


@pytest.mark.parametrize(
    ("data", "content_type", "name", "told"),
    [
        (b"TIDE\x00\x01", "", "download", "application/x-tide"),
        (b"SALT 1", "", "wall.SALT", "application/x-salt"),
        (b"SALT 1", "text/x-salt; charset=utf-8", "", "application/x-salt"),
        (b"SALT 1", "application/x-salt", "", "application/x-salt"),
        (b"SALT 1", "", "wall.txt", "text/plain"),
        (b"PEPPER 1", "", "wall.salt", "text/plain"),
    ],
    ids=["bytes alone", "bytes and suffix", "and alias", "and type", "no suffix", "other bytes"],
)
def test_a_plugin_s_own_bytes_tell_its_format_beside_a_suffix_where_it_has_any(
    monkeypatch: pytest.MonkeyPatch, data: bytes, content_type: str, name: str, told: str
) -> None:
    brought = [
        Reading("application/x-tide", "tides.read:Tides", magic=(b"TIDE",)),
        Reading(
            "application/x-salt",
            "salt:Salt",
            suffixes=("salt",),
            aliases=("text/x-salt",),
            magic=(b"SALT",),
        ),
        Reading("text/plain", "plain:Plain", magic=(b"PEPPER",)),
    ]

    def plugins(*_: object) -> list[Reading]:
        return brought

    monkeypatch.setattr(formats, "plugins", plugins)
    formats.plugin_formats.cache_clear()
    try:
        found = sniff(data, content_type, name)
        assert found == told
        assert Format(found.value) is found
    finally:
        formats.plugin_formats.cache_clear()


def test_comments_above_a_root_are_looked_at_once() -> None:
    comments = b"<!-- a -->" * 40
    assert sniff(comments + b"<html>") is Format.HTML
    # With each way of ending each comment tried, this would take longer than there is.
    assert cpu_s(lambda: sniff(comments + b"<!-- b" * 300), enough_s=0.1) < 0.1


def test_a_large_body_that_nobody_calls_json_is_not_parsed_to_find_out() -> None:
    rows = b"[\n" + b'{"a": 1, "b": [2, 3]},\n' * 400_000
    assert cpu_s(lambda: sniff(rows + b'{"a": 1}]'), enough_s=0.1) < 0.1
    assert sniff(rows + b'{"a": 1}]\n') is Format.JSON
    assert sniff(rows + b"and so on") is Format.TEXT
