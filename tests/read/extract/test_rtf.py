from __future__ import annotations

import time

import pytest
from tests.contracts.extractor import FACT, ExtractorContract, outcome
from tests.read.documents import body

from quaere.domain.source import Page, ReadStatus
from quaere.ports.read import Body
from quaere.read.extract.rtf import RtfExtractor
from quaere.read.formats import Format, sniff

HEAD = (
    r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fswiss\fcharset0 Arial;}"
    r"{\f1\fswiss\fcharset204 Arial Cyr;}{\f2\fmodern\fcharset128 Mincho;}}"
    r"{\colortbl;\red0\green0\blue0;\red255\green255\blue254;}"
    r"{\stylesheet{\s0 Normal;}{\s1\sbasedon0\b heading 1;}"
    r"{\s2\outlinelevel1 Abschnitt;}{\*\cs3 heading 2;}}"
)


def rich(inside: str) -> str:
    """Return a document."""
    return f"{HEAD}{inside}}}"


class TestRtfExtractor(ExtractorContract):
    @pytest.fixture
    def extractor(self) -> RtfExtractor:
        return RtfExtractor()

    @pytest.fixture
    def body(self) -> Body:
        return body(rich(rf"\pard\s1 Ferries\par\pard\plain {FACT}\par"), "letter.rtf")


def read(inside: str) -> Page:
    return next(RtfExtractor().extract(body(rich(inside), "letter.rtf")))


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        (r"One.\par Two.\line Three.\par", "One.\n\nTwo.\nThree."),
        ("One.\\\nTwo.\\\n", "One.\n\nTwo."),
        ("One li\nne.", "One line."),
        (
            r"10{\super 6} m\super 2\nosupersub  of x\up6 3\up0 , H\sub 2\plain O",
            "10⁶ m² of x³, H2O",
        ),
        (r"\{a\}\\b\~c\_d-\-e\tab f", "{a}\\b c-d-e f"),
        (r"\ldblquote a\rdblquote\emdash b\rquote s", "“a”—b’s"),
        (r"Fl\'fc\'dfe kosten 12 \'80", "Flüße kosten 12 €"),
        (r"{\f1 \'cf\'f0\'e8\'e2\'e5\'f2} \'e9", "Привет é"),
        (r"{\f2 \'93\'fa\'96\'7b}", "日本"),
        (r"{\f2 \'83A}", "ア"),
        (r"\u8364?12 \u-10179?\u-8704?", "€12 😀"),
        (r"\uc0\u233 t\u233 {\uc2 \u8364 ab!}", "été€!"),
        (r"\uc1\u8211\'96x", "–x"),
        (r"\uc1\u8220\'93\'c4rger", "“Ärger"),
        (r"A {\v hidden }\v no\v0 shown{\deleted  gone}", "A shown"),
        (r'{\field{\*\fldinst HYPERLINK "http://a.example"}{\fldrslt the page}}', "the page"),
        (r"{\header Page 1}{\pict\pngblip 89504e47}{\*\unknown x}Text", "Text"),
        (r"{\pict\bin5 }}{{}}Text", "Text"),
        (r"{\shp{\*\shpinst{\sp{\sn a}{\sv b}}{\shptxt In a box.\par}}}", "In a box."),
        (r"Above.{\*\footnote Below.} On.\par", "Above. On.\n\nBelow."),
        (r"A}{\par Behind the end.", "A"),
    ],
)
def test_words_are_told_from_what_controls_them(inside: str, text: str) -> None:
    assert read(inside).text == text


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        (r"\pard\s1 Quays\par\pard\s0 Text.\par", "# Quays\n\nText."),
        (r"\pard\s2 Quays\par", "## Quays"),
        (r"{\pard \outlinelevel2 \b Quays\par}{\pard Text.\par}", "### Quays\n\nText."),
        (r"\pard\outlinelevel9 Text.\par", "Text."),
        (r"\pard{\listtext\'95\tab}rope\par{\pntext 2.\tab}chain\par", "- rope\n2. chain"),
        (r"\pard \bullet\tab rope\par \bullet\tab chain\par", "- rope\n- chain"),
    ],
)
def test_headings_and_items_are_marked(inside: str, text: str) -> None:
    assert read(inside).text == text


ROW = r"\trowd\cellx100\cellx200 \pard\intbl {0}\cell {1}\cell\row "


def test_rows_of_a_table_are_on_a_line_each() -> None:
    rows = "".join(ROW.format(*row) for row in (("Quay", "Length"), ("North", r"140\par m")))
    assert read(rf"{rows}\pard After.\par").text == (
        "| Quay | Length |\n| North | 140 m |\n\nAfter."
    )


def test_a_cell_that_goes_on_from_above_says_what_that_does() -> None:
    below = r"\trowd\clvmrg\cellx100\cellx200 \pard\intbl \cell 95 m\cell\row "
    rows = ROW.format("Quay", "Length") + ROW.format("North", "140 m") + below
    assert read(rows).text.endswith("| North | 140 m |\n| North | 95 m |")


def test_a_table_that_is_cut_off_keeps_its_rows() -> None:
    torn = HEAD + ROW.format("Quay", "Length") + r"\trowd\pard\intbl North"
    page = next(RtfExtractor().extract(body(torn, "letter.rtf")))
    assert page.text == "| Quay | Length |\n| North |"


def test_the_document_tells_its_title_author_and_day() -> None:
    page = read(
        r"{\info{\title The harbour}{\author R\'f3sa}{\creatim\yr2020\mo1\dy2}"
        r"{\revtim\yr2021\mo5\dy4\hr9}}Text."
    )
    assert (page.title, page.author, page.published) == ("The harbour", "Rósa", "2021-05-04")


def test_without_a_title_its_first_heading_is_one() -> None:
    assert read(r"\pard\s1 Quays\par").title == "Quays"
    assert read(r"{\info{\revtim\yr0\mo0\dy0}}Text.").title == "letter.rtf"


def test_one_that_is_nested_too_deep_is_broken() -> None:
    pages, error = outcome(RtfExtractor(), body(rich("{" * 2_000), "letter.rtf"))
    assert not pages
    assert error is not None
    assert error.status == ReadStatus.BROKEN


@pytest.mark.parametrize(
    "inside",
    ["\\'", "\\", "{" * 900 + "\\u", "\\u99999999 \\uc-5 a", "\\bin-3 a", "\\f77\\s77\\'ff"],
)
def test_what_no_program_writes_ends_well(inside: str) -> None:
    outcome(RtfExtractor(), body(HEAD + inside, "letter.rtf"))


def test_pictures_cost_little_time() -> None:
    begun = time.process_time()
    assert read("{\\pict " + ("ab" * 64 + "\n") * 40_000 + "}Text").text == "Text"
    assert time.process_time() - begun < 2


def test_its_bytes_tell_it() -> None:
    assert sniff(rich("a").encode(), "text/plain", "a.doc") is Format.RTF


CYRILLIC = r"{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial;}}"


@pytest.mark.parametrize(
    ("head", "told", "words"),
    [
        (rf"\ansi\deff1{CYRILLIC}\pard\plain ", r"\'cf\'e8\'f0\'f1", "Пирс"),
        (rf"\ansi\deff0{CYRILLIC}\pard\plain ", r"\'cf\'e8", "Ïè"),
        (rf"\ansi\ansicpg1251\deff0{CYRILLIC}\pard\plain ", r"\'cf\'e8\'f0\'f1", "Пирс"),
        (r"\ansi\ansicpg950 ", r"\'bd\'58\'c0\'59", "碼頭"),
        (r"\ansi\ansicpg10000 ", r"Caf\'8e", "Café"),
    ],
)
def test_what_names_no_font_is_in_the_character_set_of_the_default_one(
    head: str, told: str, words: str
) -> None:
    data = rf"{{\rtf1{head}{told}}}"
    assert next(RtfExtractor().extract(body(data, "letter.rtf"))).text == words


def test_what_is_skipped_within_a_title_or_a_style_costs_no_word_before_it() -> None:
    told = r"{\info{\title {\upr{The pier}{\*\ud{\u1055 ?}}}}}\par Words."
    assert read(told).title == "The pier"
    styles = r"{\stylesheet{\s7 heading 2{\*\note x};}}{\pard\s7 Boats\par}Words."
    assert read(styles).text == "## Boats\n\nWords."


def test_a_new_column_begins_a_paragraph() -> None:
    assert read(r"Heron\column Sorrel").text == "Heron\n\nSorrel"


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        (r"A {\cf2 white }\cf2 too\cf1  shown", "A shown"),
        (r"A {\fs4 tiny }\fs2 too\fs24  shown", "A shown"),
        (r"A \cf2\fs2 none\plain  shown", "A shown"),
        (r"A {\cf1 black} {\fs5 small}", "A black small"),
        (r"A {\highlight1\cf2 white} shown", "A white shown"),
        (r"{\chcbpat1\cf2 white} shown", "white shown"),
    ],
)
def test_letters_that_nobody_can_see_are_not_read(inside: str, text: str) -> None:
    assert read(inside).text == text
