"""PDF: the text layer, page by page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, dropwhile, takewhile
from typing import Protocol, cast

from pypdfium2 import PdfDocument, PdfiumError

from quaere.domain.source import Mark, Page, ReadStatus
from quaere.errors import ReadError
from quaere.ports.read import Body
from quaere.read.clean import clean_line, clean_text
from quaere.read.extract.page import broken, empty, make_page, name_of
from quaere.read.formats import Format
from quaere.read.sniff import file_name
from quaere.text.tokens import is_stop_word

_HYPHENS = "\x02\ufffe"
"""What PDFium writes for a hyphen at the end of a line."""
_SPLIT_WORD = re.compile(rf"\b(\w++)([{_HYPHENS}]\n?|-\n|- )(\w++)")
_WORD = re.compile(r"\w+(?:-\w+)*")
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_AS_WRITTEN = str.maketrans({**_LIGATURES, "\xa0": " "})
_PAIRED_QUOTES = re.compile("‘‘|’’|``")

_EDGE_LINES = 3
"""Running heads and feet are looked for among so many lines at either edge of a page ..."""
_NEIGHBOURS = 10
"""... of so many pages before and behind, for they change with the chapter ..."""
_RETURNS = 0.4
"""... and must return on this share of them, two at least: left and right pages may differ, while
what a few pages in a row share, such as the name above the tables of a balance, is their own."""
_NUMBER = re.compile(r"\d+|\b[ivxlc]+\b", re.IGNORECASE)

_NEARBY_LINES = 3
_FULL = 0.75
"""A line at least this share of the column's width ended at the margin, not on purpose."""
_MIN_WIDTH = 25
_BULLET = re.compile(r"\s*[-–—•‣◦▪·*●■□¨]\s")
_ITEM = re.compile(r"\s*\(?(?:\d{1,3}|[a-zA-Z])[.)]\s")
_FIGURE = r"[-–(]*[$€£¥]?\d[\d.,]*[)%]*"
_ROW_END = re.compile(rf"\s(?:{_FIGURE}|[-–—])\s{_FIGURE}$|\s(?:\(|[$€£¥]\s?){_FIGURE}$")
_SENTENCE_END = re.compile(r"[.!?:;][\"'”’»)\]]*$")


def reflow(pages: Sequence[str]) -> list[str]:
    """Return the text of ``pages``, one for one.

    Words divided at line ends are joined, running heads and feet left out, and lines that end at
    the margin joined with the next. Paragraphs have a blank line between them; rows of a table and
    other short lines follow each other.
    """
    whole = (_SPLIT_WORD.sub(" ", page) for page in pages)
    vocabulary = {word.lower() for page in whole for word in _WORD.findall(page)}
    lined = [_lines(_joined_words(page, vocabulary)) for page in pages]
    return [_joined(list(_paragraphs(lines))) for lines in _without_running_heads(lined)]


def _lines(text: str) -> list[str]:
    text = _PAIRED_QUOTES.sub('"', text.translate(_AS_WRITTEN))
    return [" ".join(line.split()) for line in text.split("\n") if line.strip()]


def _joined_words(text: str, vocabulary: set[str]) -> str:
    """Return ``text`` with divided words whole, for a ``vocabulary`` of those that are not divided.

    A hyphen stays where the document has it elsewhere, or has both parts as words and never as one.
    What comes after the hyphen in capitals or figures was never one word with what is before it.
    """

    def whole(found: re.Match[str]) -> str:
        first, gap, second = found.groups()
        hyphened, joined = f"{first}-{second}", first + second
        if not second[0].islower() or not first[-1].isalpha():
            return found[0] if gap == "- " else hyphened
        if joined.lower() in vocabulary:
            return joined
        if gap == "- ":  # as in "two- and threefold"
            return found[0]
        is_compound = hyphened.lower() in vocabulary or {first.lower(), second} <= vocabulary
        return hyphened if is_compound else joined

    return _SPLIT_WORD.sub(whole, text)


def _without_running_heads(pages: Sequence[list[str]]) -> Iterator[list[str]]:
    """Yield the lines of each page without those that come back at the edge of its neighbours."""
    heads = [[_shape(line) for line in lines[:_EDGE_LINES]] for lines in pages]
    feet = [[_shape(line) for line in lines[: -_EDGE_LINES - 1 : -1]] for lines in pages]
    for number, lines in enumerate(pages):
        top, bottom = _repeated(heads, number), _repeated(feet, number)
        yield lines[top : max(top, len(lines) - bottom)]


def _shape(line: str) -> str:
    """Return ``line`` with its numbers made alike: page numbers differ from page to page."""
    return _NUMBER.sub("#", line)


def _repeated(edges: list[list[str]], number: int) -> int:
    """Return how many lines from the edge of page ``number`` are running heads."""
    around = (
        edges[max(0, number - _NEIGHBOURS) : number] + edges[number + 1 : number + 1 + _NEIGHBOURS]
    )
    count = 0
    for line in edges[number]:
        if sum(line in edge for edge in around) < max(2, _RETURNS * len(around)):
            break
        count += 1
    return count


def _joined(paragraphs: Sequence[tuple[str, bool]]) -> str:
    parts: list[str] = []
    after_text = False
    for paragraph, is_text in paragraphs:
        parts += ("\n\n" if is_text or after_text else "\n", paragraph)
        after_text = is_text
    return "".join(parts[1:])


def _paragraphs(lines: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Yield ``lines`` joined where one goes on in the next; and whether it is running text."""
    parts: list[str] = []
    for number, line in enumerate(lines):
        parts.append(line)
        after = lines[number + 1] if number + 1 < len(lines) else ""
        if not (after and _goes_on(line, after, _width(lines, number))):
            yield " ".join(parts), len(parts) > 1 or _SENTENCE_END.search(line) is not None
            parts = []


def _width(lines: Sequence[str], number: int) -> int:
    """Return the width of the column around line ``number``.

    That is the second longest line: PDFium takes two lines for one now and then.
    """
    near = lines[max(0, number - _NEARBY_LINES) : number + _NEARBY_LINES + 1]
    return sorted(len(line) for line in near)[-2]


def _goes_on(line: str, after: str, width: int) -> bool:
    """Whether ``after`` continues the paragraph of ``line``: it is not a new item or table row."""
    if width < _MIN_WIDTH or _BULLET.match(after):
        return False
    ended = _SENTENCE_END.search(line) is not None
    if not ended and is_stop_word(line.rsplit(" ", 1)[-1]):
        return True
    if len(line) + 1 + len(after.split(" ", 1)[0]) < _FULL * width:
        return not ended and after[0].islower() and len(line) > width / 2
    if _ITEM.match(after):
        return not ended
    return after[0].islower() or not _ROW_END.search(line)


_PASSWORD_ERROR = 4  # FPDF_ERR_PASSWORD in fpdfview.h
_GAP = "\n\n"
_DATE = re.compile(r"D:(\d{4})(\d\d)?(\d\d)?")
# Titles that a program left behind: file names, and what it calls a new document.
_NO_TITLE = re.compile(
    r"untitled|document\d*|microsoft (?:word|powerpoint|excel) - .*|.*\.\w{2,4}|[\W\d_]*",
    re.IGNORECASE,
)
_TOLD = 5
_TITLE_CHARS = 1500
_TITLE_WORD = re.compile(r"[^\W\d_]{2,}")
_TITLE_WORDS = range(2, 30)


class _TextPage(Protocol):
    """The little of a pypdfium2 text page that is used here."""

    def get_text_bounded(self) -> str: ...
    def count_chars(self) -> int: ...
    def get_text_range(self, index: int, count: int) -> str: ...
    def get_charbox(self, index: int, loose: bool) -> tuple[float, float, float, float]: ...
    def close(self) -> None: ...


class PdfExtractor:
    """Reads PDF files that have a text layer."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the one page of ``body``, with a mark for each printed page.

        Raises:
            ReadError: ``encrypted``, ``empty`` for a scan without a text layer, ``broken``; also
                ``broken`` at the end when single pages could not be read.
        """
        document = _open(body)
        try:
            sheets = [_text(document, number) for number in range(len(document))]
            about = document.get_metadata_dict()
            title = _told_title(about) or _shown_title(document)
        finally:
            document.close()
        lost = [str(number) for number, sheet in enumerate(sheets, 1) if sheet is None]
        texts = [clean_text(text) for text in reflow([sheet or "" for sheet in sheets])]
        if any(texts):
            yield make_page(
                body,
                Format.PDF,
                _GAP.join(texts),
                title=title or file_name(body.url).removesuffix(".pdf"),
                marks=_marks(texts),
                author=about.get("Author", ""),
                published=_date(about.get("CreationDate", "")),
            )
        elif not lost:
            raise empty(body, "has no text layer, only pictures of text; run OCR on it first")
        if lost:
            some = ", ".join([*lost[:_TOLD], *(["..."] if lost[_TOLD:] else [])])
            raise broken(body, f"is damaged: no text could be extracted from pages {some}")


def _open(body: Body) -> PdfDocument:
    try:
        return PdfDocument(body.data)
    except PdfiumError as error:
        if getattr(error, "err_code", None) == _PASSWORD_ERROR:
            message = f"{name_of(body)} is locked with a password; save it without one"
            raise ReadError(message, status=ReadStatus.ENCRYPTED) from error
        message = "is not a complete PDF; download it again or print it to a new one"
        raise broken(body, message) from error


def _text(document: PdfDocument, index: int) -> str | None:
    """Return the text of one printed page; None when it is damaged."""
    try:
        sheet = document[index]
    except PdfiumError:
        return None
    try:
        text_page = cast("_TextPage", sheet.get_textpage())
        text = text_page.get_text_bounded().replace("\r\n", "\n")
        text_page.close()
    except PdfiumError:
        return None
    finally:
        sheet.close()
    return text


def _marks(texts: Sequence[str]) -> Iterator[Mark]:
    starts = accumulate((len(text) + len(_GAP) for text in texts[:-1]), initial=0)
    for number, start in enumerate(starts, 1):
        yield Mark(start=start, label=f"page {number}")


def _told_title(about: Mapping[str, str]) -> str:
    title = clean_line(about.get("Title", ""))
    return "" if _NO_TITLE.fullmatch(title) else title


def _shown_title(document: PdfDocument) -> str:
    """Return what is printed largest on the first page; empty when that is not a line of words."""
    try:
        text_page = cast("_TextPage", document[0].get_textpage())
        letters = [
            (text_page.get_text_range(index, 1), _height(text_page, index))
            for index in range(min(text_page.count_chars(), _TITLE_CHARS))
        ]
    except (PdfiumError, IndexError):
        return ""
    largest = max((height for letter, height in letters if letter.strip()), default=0)
    headline = dropwhile(lambda letter: letter[1] < largest, letters)
    headline = takewhile(lambda letter: letter[1] == largest or not letter[0].strip(), headline)
    title = clean_line("".join(letter or " " for letter, _ in headline))
    return title if len(_TITLE_WORD.findall(title)) in _TITLE_WORDS else ""


def _height(text_page: _TextPage, index: int) -> int:
    """Return the height of a letter's line in points; a font's own size may be scaled."""
    _, bottom, _, top = text_page.get_charbox(index, loose=True)
    return round(top - bottom)


def _date(written: str) -> str:
    """Return the ISO date of ``D:YYYYMMDD...``."""
    found = _DATE.match(written)
    return "-".join(part for part in found.groups() if part) if found else ""
