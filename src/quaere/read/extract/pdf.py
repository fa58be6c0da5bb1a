"""PDF: the text layer, page by page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from ctypes import addressof, c_float, c_int, c_void_p, sizeof
from functools import partial
from itertools import accumulate, dropwhile, repeat, takewhile
from math import pi
from statistics import mode
from typing import Protocol, cast

from pypdfium2 import PdfDocument, PdfiumError, raw

from quaere.domain.source import Mark, Page, ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Body
from quaere.read.extract.page import broken, empty, make_page, name_of
from quaere.read.extract.pdf_lines import Letter, in_lines
from quaere.read.extract.pdf_raised import Box, raised_at, with_raised
from quaere.read.extract.pdf_running import joined_pages
from quaere.read.extract.pdf_tables import Head, Tables, may_have_tables, with_tables
from quaere.read.extract.pdf_unseen import drop_unseen
from quaere.read.extract.pdfium import direct, handle
from quaere.read.formats import Format, file_name
from quaere.text.clean import WORD, clean_line, clean_text, undivided

_SPLIT_WORD = re.compile(r"\b(\w++)(?:[\x02\ufffe]\n?|-\n)(\w++)")
"""PDFium writes U+0002 or U+FFFE for a hyphen at the end of a line."""


def join_words(pages: Sequence[str]) -> list[str]:
    """Return ``pages`` with the words whole that the end of a line divides."""
    parted = (_SPLIT_WORD.sub(" ", page) for page in pages)
    vocabulary = {word.lower() for page in parted for word in WORD.findall(page)}

    def whole(found: re.Match[str]) -> str:
        return undivided(found[1], found[2], vocabulary)

    return [_SPLIT_WORD.sub(whole, page) for page in pages]


_PASSWORD_ERROR = 4  # FPDF_ERR_PASSWORD in fpdfview.h
_DATE = re.compile(r"D:(\d{4})(\d\d)?(\d\d)?")
# Titles that a program left behind: file names, and what it calls a new document; what filings
# with the SEC begin with.
_NO_TITLE = re.compile(
    r"untitled|document\d*|form \d+-\w+|united states(?: securities and exchange commission)?"
    r"|microsoft (?:word|powerpoint|excel) - .*|.*\.\w{2,4}|[\W\d_]*",
    re.IGNORECASE,
)
_TOLD = 5
_TITLE_CHARS = 1500
_LOOKED_AT = 24
_TITLE_WORD = re.compile(r"[^\W\d_]{2,}")
_TITLE_WORDS = range(2, 30)


class _TextPage(Protocol):
    """The little of a pypdfium2 text page that is used here."""

    raw: object

    def get_text_bounded(self) -> str: ...
    def count_chars(self) -> int: ...
    def get_text_range(self, index: int, count: int) -> str: ...
    def get_charbox(self, index: int, loose: bool) -> tuple[float, float, float, float]: ...
    def close(self) -> None: ...


class PdfExtractor:
    """Reads PDF files that have a text layer."""

    def __init__(self, *, joins_words: bool = True) -> None:
        """Leave divided words as they are where an evaluation asks what joining them gains."""
        self._joins_words = joins_words

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the one page of ``body``, with a mark for each printed page.

        Raises:
            ReadError: ``encrypted``, ``empty`` for a scan without a text layer, ``broken``; also
                ``broken`` at the end when single pages could not be read.
        """
        document = _open(body)
        try:
            sheets = list(_texts(document))
            about = document.get_metadata_dict()
            title = _told_title(about) or _shown_title(document)
        finally:
            document.close()
        lost = [number for number, sheet in enumerate(sheets, 1) if sheet is None]
        texts = joined_pages(self._cleaned([sheet or "" for sheet in sheets]))
        if "".join(texts).strip():
            yield make_page(
                body,
                Format.PDF,
                "".join(texts),
                title=title or file_name(body.url).removesuffix(".pdf"),
                marks=_marks(texts),
                author=about.get("Author", ""),
                published=_date(about.get("CreationDate", "")),
            )
        elif not lost:
            raise empty(body, "has no text layer, only pictures of text; run OCR on it first")
        if lost:
            raise broken(body, f"is damaged: no text could be extracted from {_named(lost)}")

    def _cleaned(self, texts: Sequence[str]) -> list[str]:
        joined = join_words(texts) if self._joins_words else texts
        return [clean_text(text).strip() for text in joined]


def _named(numbers: Sequence[int]) -> str:
    """Return pages by their numbers: "page 3", "pages 1, 2"; of many, the first few."""
    noun = "page" if len(numbers) == 1 else "pages"
    rest = ["..."] if len(numbers) > _TOLD else []
    return f"{noun} {', '.join([*map(str, numbers[:_TOLD]), *rest])}"


def _open(body: Body) -> PdfDocument:
    try:
        return PdfDocument(body.data)
    except PdfiumError as error:
        if getattr(error, "err_code", None) == _PASSWORD_ERROR:
            message = f"{name_of(body)} is locked with a password; save it without one"
            raise ReadError(message, status=ReadStatus.ENCRYPTED) from error
        message = "is not a complete PDF; download it again or print it to a new one"
        raise broken(body, message) from error


def _texts(document: PdfDocument) -> Iterator[str | None]:
    """Yield the text of each printed page; None for one that is damaged."""
    goes_on: Head | None = None
    for index in range(len(document)):
        try:
            sheet = document[index]
        except PdfiumError:
            goes_on = None
            yield None
            continue
        try:
            drop_unseen(sheet)
            tables = _read(cast("_TextPage", sheet.get_textpage()), goes_on)
            goes_on = tables.goes_on
            yield tables.text
        except PdfiumError:
            yield None
        finally:
            sheet.close()


def _read(text_page: _TextPage, before: Head | None) -> Tables:
    """Return the text of a page and what goes on over it; ``before`` is what went on to it."""
    try:
        text = text_page.get_text_bounded().replace("\r\n", "\n")
        signs = _signs(text_page)
        if turned := _turned(text_page):
            letters = in_lines(_letters(text_page, signs, {}, turned))
            text = "".join(letter.text for letter in letters)
        else:
            box_at = partial(_box_at, text_page)
            raised = raised_at(signs, box_at)
            text = with_raised(text, signs, raised)
            if not may_have_tables(text, signs, box_at):
                return Tables(text)
            letters = _letters(text_page, signs, raised)
        found = with_tables(letters, before)
        return found if found.text else Tables(text)
    finally:
        text_page.close()


def _box_at(text_page: _TextPage, index: int) -> Box | None:
    box = raw.FS_RECTF()
    if not raw.FPDFText_GetLooseCharBox(text_page.raw, index, box):
        return None
    return Box(box.left, box.right, box.bottom, box.top)


_loose_box = direct("FPDFText_GetLooseCharBox", c_int, c_void_p, c_int, c_void_p)
_is_made_up = direct("FPDFText_IsGenerated", c_int, c_void_p, c_int)


def _letters(
    text_page: _TextPage, signs: str, raised: Mapping[int, str], turned: int = 0
) -> list[Letter]:
    """Return the letters of a page with their loose boxes: as wide as the font moves on.

    In boxes as wide as their ink a "1" stands alone, and the figures that it is in fall apart.

    Args:
        text_page: The page.
        signs: Its letters in order.
        raised: Those that stand raised, by their places.
        turned: Quarters by which its text is turned to the left; the boxes are as if it were not,
            and letters that are turned otherwise have none.
    """
    count = len(signs)
    edges = (c_float * (4 * count))()  # left, top, right and bottom, as in FS_RECTF
    page, there = handle(text_page.raw), addressof(edges)
    for index, sign in enumerate(signs):  # thousands a page, so without calls
        if not (sign.isspace() and _is_made_up(page, index)):
            _loose_box(page, index, there + index * sizeof(raw.FS_RECTF))
    lefts, tops, rights, bottoms = (edges[at::4] for at in range(4))
    shown = map(raised.get, range(count), repeat(""))
    letters = list(map(Letter, signs, lefts, rights, bottoms, tops, shown))
    return _all_upright(text_page, letters, turned) if turned else letters


def _all_upright(text_page: _TextPage, letters: Sequence[Letter], turned: int) -> list[Letter]:
    """Return ``letters`` turned back by so many quarters, and what is between them."""
    return [
        _upright(letter, turned) if letter.right > letter.left else letter
        for index, letter in enumerate(letters)
        if letter.right <= letter.left or _quarters(text_page, index) == turned
    ]


def _signs(text_page: _TextPage) -> str:
    """Return what the letters of a page are, one for each that PDFium counts."""
    count = text_page.count_chars()
    signs = text_page.get_text_range(0, count)
    if len(signs) == count:
        return signs
    # Some letters take two code units.
    return "".join(chr(raw.FPDFText_GetUnicode(text_page.raw, at)) for at in range(count))


def _upright(letter: Letter, turned: int) -> Letter:
    """Return ``letter`` with its box turned back by so many quarters."""
    sign, left, right, bottom, top, _ = letter
    if turned == 1:
        return Letter(sign, bottom, top, -right, -left)
    if turned == 2:
        return Letter(sign, -right, -left, -top, -bottom)
    return Letter(sign, -top, -bottom, left, right)


def _turned(text_page: _TextPage) -> int:
    """Return by how many quarters the text of a page is turned to the left; 0 for hardly any."""
    count = text_page.count_chars()
    looked_at = range(0, count, max(1, count // _LOOKED_AT))
    quarters = [_quarters(text_page, at) for at in looked_at]
    turned = mode(quarters) if quarters else 0
    return turned if quarters.count(turned) > len(quarters) / 2 else 0


def _quarters(text_page: _TextPage, index: int) -> int:
    """Return by how many quarters a letter is turned to the left; PDFium counts to the right."""
    return -round(raw.FPDFText_GetCharAngle(text_page.raw, index) / (pi / 2)) % 4


def _marks(texts: Sequence[str]) -> Iterator[Mark]:
    starts = accumulate(map(len, texts[:-1]), initial=0)
    for number, start in enumerate(starts, 1):
        yield Mark(start=start, label=f"page {number}")


def _told_title(about: Mapping[str, str]) -> str:
    title = clean_line(about.get("Title", ""))
    return "" if _NO_TITLE.fullmatch(title) else title


def _shown_title(document: PdfDocument) -> str:
    """Return what is printed largest on the first page; empty when that is not a line of words."""
    letters = _first_letters(document)
    largest = max((height for letter, height in letters if letter.strip()), default=0)
    headline = dropwhile(lambda letter: letter[1] < largest, letters)
    headline = takewhile(lambda letter: letter[1] == largest or not letter[0].strip(), headline)
    title = clean_line("".join(letter or " " for letter, _ in headline))
    is_title = len(_TITLE_WORD.findall(title)) in _TITLE_WORDS and not _NO_TITLE.fullmatch(title)
    return title if is_title else ""


def _first_letters(document: PdfDocument) -> list[tuple[str, int]]:
    """Return the letters with which the first page begins, each with its height."""
    try:
        sheet = document[0]
        drop_unseen(sheet)
        text_page = cast("_TextPage", sheet.get_textpage())
        return [
            (text_page.get_text_range(index, 1), _height(text_page, index))
            for index in range(min(text_page.count_chars(), _TITLE_CHARS))
        ]
    except (PdfiumError, IndexError):
        return []


def _height(text_page: _TextPage, index: int) -> int:
    """Return the height of a letter's line in points; a font's own size may be scaled."""
    _, bottom, _, top = text_page.get_charbox(index, loose=True)
    return round(top - bottom)


def _date(written: str) -> str:
    """Return the ISO date of ``D:YYYYMMDD...``."""
    found = _DATE.match(written)
    return "-".join(part for part in found.groups() if part) if found else ""
