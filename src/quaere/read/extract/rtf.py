"""Rich text (RTF 1.9.1): its words, headings, items and tables, in whatever code page.

A document is nested groups of words that control it, each after a backslash. What a group sets ends
with it; a group that begins with a destination holds something else than the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from quaere.domain.source import Page
from quaere.ports.read import Body
from quaere.read.extract.docx import LEVEL
from quaere.read.extract.html_text import joined
from quaere.read.extract.office import table_lines
from quaere.read.extract.page import broken, text_page
from quaere.read.formats import Format
from quaere.text.clean import codec_of
from quaere.text.raised import raised

_HEAD = b"{\\rtf"
_MAX_DEPTH = 1000
"""Groups within each other; a word processor writes a dozen."""
_TOKEN = re.compile(
    r"\\(?:(?P<word>[A-Za-z]{1,32})(?P<number>-?\d{1,9})? ?|'(?P<byte>[0-9A-Fa-f]{2})"
    r"|(?P<sign>[^A-Za-z]))|(?P<brace>[{}])|(?P<text>[^\\{}\r\n]+)|[\r\n]+|\\",
    re.DOTALL,
)
_SIGNS = {"~": " ", "_": "-", "{": "{", "}": "}", "\\": "\\"}
_WORDS = {
    "line": "\n",
    "tab": " ",
    "emspace": " ",
    "enspace": " ",
    "nestcell": " ",
    "emdash": "—",
    "endash": "–",
    "bullet": "•",
    "lquote": "‘",
    "rquote": "’",
    "ldblquote": "“",
    "rdblquote": "”",
}
_BINARY = "bin"
"""The word after which there are as many bytes of data as its number says."""
_ENDS = frozenset({"par", "sect", "page", "column", "nestrow"})
_SKIPPED_NAMES = (
    "colortbl filetbl listoverridetable pict header headerl headerr headerf footer footerl footerr"
    " footerf xe rxe tc nonesttables sp shprslt"
)
_READ = frozenset({"footnote", "shpinst", "shptxt"})
"""Destinations with text, though those who do not know them are told to skip them."""
_PARTS = {
    **dict.fromkeys(_SKIPPED_NAMES.split(), "skip"),
    **dict.fromkeys(("listtext", "pntext"), "item"),
    **{name: name for name in ("title", "author", "info")},
    "fonttbl": "fonts",
    "stylesheet": "styles",
}
"""Destinations that hold other words than those of the text, and what these are."""
_MOMENTS = frozenset({"revtim", "creatim", "printim"})
"""Destinations that hold the parts of a date."""
_CHARSETS = {
    0: "cp1252",
    77: "mac-roman",
    128: "cp932",
    129: "cp949",
    134: "gb18030",
    136: "big5hkscs",
    161: "cp1253",
    162: "cp1254",
    163: "cp1258",
    177: "cp1255",
    178: "cp1256",
    186: "cp1257",
    204: "cp1251",
    222: "cp874",
    238: "cp1250",
    254: "cp437",
    255: "cp850",
}
"""Of a font (``\\fcharset``)."""
_CODE_PAGES = {950: "big5hkscs", 1361: "johab", 10000: "mac-roman"}
"""Those that no web page has, by their numbers."""
_SYSTEMS = {"mac": "mac-roman", "pc": "cp437", "pca": "cp850"}
_DEFAULT = "cp1252"
_TINY = 4
"""Half points: letters of two points nobody reads."""
_PALE = 253
_COLOURS = re.compile(r"\\colortbl\b([^{}]{0,20000})")
_SHADE = re.compile(r"\\(?:red|green|blue)(\d{1,3})")
_GROUND = re.compile(
    r"\\(?:cl|tr|ch)?cb(?:pat)?\d|\\highlight\d|\\background|\\shp|\\do\b|\\pict\b|\\trowd\b"
)
"""Shading, shapes, pictures and tables, which have grounds of their own."""
_NUMBERED = re.compile(r"\(?\w{1,4}[.)]")
_BULLET = re.compile(r"[•·▪◦]\s")


class RtfExtractor:
    """Reads RTF; headings become ``# Heading`` lines and table rows ``| a | b |``."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the one page of ``body``.

        Raises:
            ReadError: ``broken`` for what is not RTF or is nested too deep, ``empty`` for a
                document without text.
        """
        if not body.data.startswith(_HEAD):
            raise broken(body, "is not a rich text document; save it as RTF or DOCX")
        document = _Document(body)
        document.read(body.data.decode("latin-1"))
        blocks = document.blocks + document.notes
        yield text_page(
            body,
            Format.RTF,
            joined(blocks),
            blocks,
            title=document.about["title"],
            author=document.about["author"],
            published=document.date,
        )


class _State(NamedTuple):
    """What holds in a group, until it ends."""

    part: str = ""
    """What its words are: those of the document where empty, else "skip", "fonts", "title" ..."""
    codec: str = ""
    """Of its font; that of the document where empty."""
    fallback: int = 1
    """Characters after one in Unicode that old programs show instead."""
    is_hidden: bool = False
    is_tiny: bool = False
    is_white: bool = False
    is_raised: bool = False
    in_note: bool = False
    in_table: bool = False
    prefix: str = ""
    """What the paragraph begins with, as its style or its own level has it."""


class _Document:
    """Takes the tokens of a document one by one."""

    def __init__(self, body: Body) -> None:
        self.blocks: list[str] = []
        self.notes: list[str] = []
        self.about = {"title": "", "author": ""}
        self._body = body
        self._state, self._outer = _State(), list[_State]()
        self._starred, self._skip = False, 0
        self._codec = _DEFAULT
        self._fonts: dict[int, str] = {}
        self._styles: dict[int, str] = {}
        self._style, self._font, self._default_font = 0, 0, 0
        self._raw, self._words = bytearray(), list[str]()
        self._kept = list[str]()
        self._named, self._item = list[str](), ""
        self._table = _Table()
        self._white = frozenset[int]()
        self._when: dict[str, dict[str, int]] = {}
        self._moment = ""

    @property
    def date(self) -> str:
        """The day on which it was changed last, or made; empty where it does not tell."""
        for moment in ("revtim", "creatim"):
            told = self._when.get(moment, {})
            year, month, day = (told.get(unit, 0) for unit in ("yr", "mo", "dy"))
            if 1000 <= year <= 9999 and 1 <= month <= 12 and 1 <= day <= 31:
                return f"{year}-{month:02}-{day:02}"
        return ""

    def read(self, text: str) -> None:
        """Take all of ``text``, to the end of its outermost group.

        Raises:
            ReadError: ``broken`` when it is nested too deep.
        """
        at, self._white = 0, _white_colours(text)
        while found := _TOKEN.match(text, at):
            at = found.end() + _binary_after(found)
            self._take(found)
            if found["brace"] and not self._outer:
                break
        self._end_paragraph()
        self._table.end(self.blocks)

    def _take(self, found: re.Match[str]) -> None:
        """Take a token."""
        if brace := found["brace"]:
            self._turn(brace)
        elif (word := found["word"]) is None:
            self._characters(found)
        elif word != _BINARY:
            self._control(word, _number_of(found))

    def _turn(self, brace: str) -> None:
        """Begin or end a group."""
        self._flush()
        self._starred, self._skip = False, 0
        if brace == "{":
            if len(self._outer) >= _MAX_DEPTH:
                raise broken(self._body, "is nested too deep; save it again in a word processor")
            self._outer.append(self._state)
        elif self._outer:
            ended, self._state = self._state, self._outer.pop()
            self._leave(ended)

    def _leave(self, ended: _State) -> None:
        """Keep what the group that ``ended`` told."""
        if ended.in_note and not self._state.in_note:
            self._end_note(ended)
        if ended.part == "styles" or ended.part not in (self._state.part, "skip"):
            self._keep_named(ended.part)

    def _begin_note(self) -> None:
        """Begin a note, within the paragraph that refers to it."""
        self._flush()
        self._kept, self._words = self._words, []
        self._state = self._state._replace(in_note=True, in_table=False, prefix="")

    def _end_note(self, ended: _State) -> None:
        """Go on in the paragraph that refers to the note."""
        self._end_paragraph(ended)
        self._words, self._kept = self._kept, []

    def _keep_named(self, part: str) -> None:
        """Keep what was told in a group that is such a ``part``."""
        named = "".join(self._named).strip()
        self._named.clear()
        if part == "styles":
            self._name_style(named.removesuffix(";"))
        elif part == "item":
            self._item = f"{named} " if _NUMBERED.fullmatch(named) else "- "
        elif part in self.about:
            self.about[part] = self.about[part] or named

    def _name_style(self, name: str) -> None:
        """Make the style that was told of one of headings, if that is what it is called."""
        if level := LEVEL.match(name):
            self._styles.setdefault(self._style, "#" * int(level[1] or 1) + " ")

    def _characters(self, found: re.Match[str]) -> None:
        """Take a byte, a sign or a run of text."""
        if byte := found["byte"]:
            if self._skip:
                self._skip -= 1
            else:
                self._raw += bytes.fromhex(byte)
        elif text := found["text"]:
            skipped = min(self._skip, len(text))
            self._skip -= skipped
            self._raw += text[skipped:].encode("latin-1")
        elif sign := found["sign"]:
            self._sign(sign)

    def _sign(self, sign: str) -> None:
        if sign == "*":
            self._starred = True
        elif sign in "\r\n":
            self._end_paragraph()
        else:
            self._say(_SIGNS.get(sign, ""))

    def _control(self, word: str, number: int | None) -> None:
        """Do what a word says, with its number."""
        starred, self._starred = self._starred, False
        if self._state.part == "skip":
            return
        if self._enter(word, starred=starred):
            self._flush()
        elif word in _WORDS:
            self._say(_WORDS[word])
        elif word in _ENDS:
            self._end_paragraph()
        elif (act := _ACTS.get(word)) is not None:
            act(self, number)
        else:
            self._note(word, number)

    def _note(self, word: str, number: int | None) -> None:
        """Take what a word says about the whole document."""
        if word in _SYSTEMS:
            self._codec = _SYSTEMS[word]
        elif word in ("yr", "mo", "dy"):
            self._when.setdefault(self._moment, {})[word] = number or 0

    def _enter(self, word: str, *, starred: bool) -> bool:
        """Begin the destination ``word``; False where it is none."""
        if word in _MOMENTS:
            self._moment = word
        elif word == "footnote" and not self._state.in_note:
            self._begin_note()
        elif word not in _READ:
            part = _PARTS.get(word, "skip" if starred else "")
            if not part:
                return False
            self._state = self._state._replace(part=part)
        return True

    def set_code_page(self, number: int | None) -> None:
        """Take the code page of all fonts that have none of their own."""
        self._flush()
        self._codec = _CODE_PAGES.get(number or 0) or codec_of(f"cp{number}") or self._codec

    def set_charset(self, number: int | None) -> None:
        """Take the character set of the font that is being told of."""
        if codec := _CHARSETS.get(number or 0):
            self._fonts[self._font] = codec

    def set_default_font(self, number: int | None) -> None:
        """Take the font of what names none."""
        self._default_font = number or 0

    def set_font(self, number: int | None) -> None:
        """Go on in another font, or begin to tell of one."""
        self._flush()
        self._font = number or 0
        if self._state.part != "fonts":
            self._state = self._state._replace(codec=self._fonts.get(number or 0, ""))

    def set_style(self, number: int | None) -> None:
        """Go on in a style of paragraphs, or begin to tell of one."""
        self._style = number or 0
        if self._state.part != "styles":
            self._state = self._state._replace(prefix=self._styles.get(number or 0, ""))

    def set_level(self, number: int | None) -> None:
        """Make the paragraph, or the style that is being told of, a heading."""
        if number is None or not 0 <= number < 6:
            return
        prefix = "#" * (number + 1) + " "
        if self._state.part == "styles":
            self._styles[self._style] = prefix
        else:
            self._state = self._state._replace(prefix=self._state.prefix or prefix)

    def begin_paragraph(self, _: int | None) -> None:
        """Go back to the plain style of paragraphs."""
        self._state = self._state._replace(prefix="", in_table=False)

    def begin_plain(self, _: int | None) -> None:
        """Go back to plain characters."""
        self._flush()
        self._state = self._state._replace(
            is_hidden=False, is_tiny=False, is_white=False, is_raised=False, codec=""
        )

    def in_table(self, _: int | None) -> None:
        """Make the paragraph one of a table."""
        self._state = self._state._replace(in_table=True)

    def hide(self, number: int | None) -> None:
        """Begin what is hidden or deleted; with 0, end it."""
        self._flush()
        self._state = self._state._replace(is_hidden=number != 0)

    def set_size(self, number: int | None) -> None:
        """Go on in letters of that size, in half points."""
        self._flush()
        self._state = self._state._replace(is_tiny=0 < (number or 0) <= _TINY)

    def set_colour(self, number: int | None) -> None:
        """Go on in a colour of the table."""
        self._flush()
        self._state = self._state._replace(is_white=(number or 0) in self._white)

    def lift(self, number: int | None) -> None:
        """Begin what stands raised; with 0, end it."""
        self._flush()
        self._state = self._state._replace(is_raised=number != 0)

    def settle(self, _: int | None) -> None:
        """Go back to the line."""
        self.lift(0)

    def set_fallback(self, number: int | None) -> None:
        """Take how many characters stand for one of Unicode."""
        self._state = self._state._replace(fallback=min(max(number or 0, 0), 99))

    def put_unicode(self, number: int | None) -> None:
        """Add a character, which is half of one beyond U+FFFF."""
        self._say(chr((number or 0) & 0xFFFF))
        self._skip = self._state.fallback

    def begin_row(self, _: int | None) -> None:
        """Begin the description of a row."""
        self._table.merged.clear()

    def merge(self, _: int | None) -> None:
        """Let the cell that is described next go on from above."""
        self._table.goes_on = True

    def describe_cell(self, _: int | None) -> None:
        """End the description of a cell."""
        self._table.describe_cell()

    def end_cell(self, _: int | None) -> None:
        """End a cell."""
        self._flush()
        self._table.end_cell(self._said())

    def end_row(self, _: int | None) -> None:
        """End a row."""
        self._table.end_row()

    def _say(self, text: str) -> None:
        self._flush()
        self._put(text)

    def _flush(self) -> None:
        """Take the bytes that were gathered as characters of the code page."""
        if self._raw:
            self._put(self._raw.decode(self._state.codec or self._usual_codec, "replace"))
            self._raw.clear()

    @property
    def _usual_codec(self) -> str:
        """That of the default font, if it tells more than that it is a Western one."""
        codec = self._fonts.get(self._default_font, _DEFAULT)
        return self._codec if codec == _DEFAULT else codec

    def _put(self, text: str) -> None:
        state = self._state
        if state.part in ("styles", "item", *self.about):
            self._named.append(text)
        elif not (state.part or state.is_hidden or state.is_tiny or state.is_white):
            self._words.append(raised(text) if state.is_raised else text)

    def _said(self) -> str:
        """Return the words of the paragraph, pairs of surrogates made one character."""
        text = "".join(self._words)
        self._words.clear()
        whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return "\n".join(" ".join(line.split()) for line in whole.strip().split("\n"))

    def _end_paragraph(self, state: _State | None = None) -> None:
        """End the paragraph, which is one of ``state`` where that has just ended."""
        self._flush()
        state = state or self._state
        if state.part:
            return
        words, item = self._said(), self._item
        self._item = ""
        if state.in_note:
            self.notes += _blocks(words, state.prefix, item)
        elif state.in_table:
            self._table.words.append(words)
        else:
            self._table.end(self.blocks)
            self.blocks += _blocks(words, state.prefix, item)


def _white_colours(text: str) -> frozenset[int]:
    """Return the numbers of the colours that are white, if there is nothing to see them on."""
    table = _COLOURS.search(text)
    if table is None or _GROUND.search(text):
        return frozenset()
    shades = (_SHADE.findall(colour) for colour in table[1].split(";"))
    return frozenset(at for at, told in enumerate(shades) if told and min(map(int, told)) >= _PALE)


def _number_of(found: re.Match[str]) -> int | None:
    """Return the number of a control word; None where it has none."""
    return None if found["number"] is None else int(found["number"])


def _binary_after(found: re.Match[str]) -> int:
    """Return how many characters after a token are data, such as a picture."""
    return max(0, _number_of(found) or 0) if found["word"] == _BINARY else 0


def _blocks(words: str, prefix: str, item: str) -> Iterator[str]:
    """Yield the block that a paragraph makes; none without ``words``.

    Args:
        words: Those of the paragraph, which may have a bullet typed before them.
        prefix: What a paragraph of its style begins with.
        item: The number or bullet that its list gives it.
    """
    if _BULLET.match(words):
        words, item = words[2:], "- "
    mark = prefix or item
    if words:
        yield mark + words.replace("\n", " ") if mark else words


class _Table:
    """A table as far as it has been read."""

    def __init__(self) -> None:
        self.words: list[str] = []
        """Paragraphs of the cell."""
        self.merged: list[bool] = []
        """Whether each cell of the row goes on from above."""
        self.goes_on = False
        self._cells: list[str] = []
        self._rows: list[list[str]] = []

    def describe_cell(self) -> None:
        """End the description of a cell of the row."""
        self.merged.append(self.goes_on)
        self.goes_on = False

    def end_cell(self, words: str) -> None:
        """End a cell with its last ``words``."""
        self._cells.append(" ".join(" ".join([*self.words, words]).split()))
        self.words.clear()

    def end_row(self) -> None:
        """End a row; a cell that goes on from above says what that does."""
        above = self._rows[-1] if self._rows else []
        row = [
            above[at] if self.merged[at : at + 1] == [True] and at < len(above) else cell
            for at, cell in enumerate(self._cells)
        ]
        self._cells.clear()
        if row:
            self._rows.append(row)

    def end(self, blocks: list[str]) -> None:
        """Add the table to ``blocks``, if there is one."""
        if self._cells or self.words:
            self.end_cell("")
            self.end_row()
        if lines := list(table_lines(self._rows)):
            blocks.append("\n".join(lines))
        self._rows = []


_ACTS: Mapping[str, Callable[[_Document, int | None], None]] = {
    "ansicpg": _Document.set_code_page,
    "fcharset": _Document.set_charset,
    "deff": _Document.set_default_font,
    "f": _Document.set_font,
    "s": _Document.set_style,
    "outlinelevel": _Document.set_level,
    "pard": _Document.begin_paragraph,
    "plain": _Document.begin_plain,
    "intbl": _Document.in_table,
    "fs": _Document.set_size,
    "cf": _Document.set_colour,
    "v": _Document.hide,
    "deleted": _Document.hide,
    "super": _Document.lift,
    "up": _Document.lift,
    "sub": _Document.settle,
    "nosupersub": _Document.settle,
    "uc": _Document.set_fallback,
    "u": _Document.put_unicode,
    "trowd": _Document.begin_row,
    "clvmrg": _Document.merge,
    "cellx": _Document.describe_cell,
    "cell": _Document.end_cell,
    "row": _Document.end_row,
}
"""What control words do."""
