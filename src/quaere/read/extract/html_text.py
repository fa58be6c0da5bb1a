"""A tree of HTML as readable text: paragraphs, ``# headings``, ``- items``, ``| table | rows |``.

Takes HTML proper and the TEI-like tags into which trafilatura turns it.
"""

from __future__ import annotations

import re

from quaere.read.clean import clean_text
from quaere.read.extract.markup import Element, local_name

_SKIPPED_NAMES = (
    "script style noscript template title meta link iframe object embed svg math canvas button"
    " select option textarea input audio video graphic"
)
_BLOCK_NAMES = (
    "address article aside blockquote body caption center comments dd details dialog div dl dt"
    " fieldset figcaption figure footer form header hgroup hr html legend list main nav ol p pre"
    " quote search section summary table tbody tfoot thead ul"
)
_SKIPPED = frozenset(_SKIPPED_NAMES.split())
_BLOCKS = frozenset(_BLOCK_NAMES.split())
_ITEMS = frozenset({"li", "item"})
_ROWS = frozenset({"tr", "row"})
_CELLS = frozenset({"td", "th", "cell"})
_LINE_ENDS = frozenset({"br", "lb"})
_VERBATIM = frozenset({"pre", "code"})
_HEADING = re.compile(r"h([1-6])")

_ROW_CHARS = 800
"""A table row that is longer, or holds paragraphs, lays out a page."""


def render(root: Element) -> str:
    """Return the words under ``root``, its own tail left out."""
    writer = _Writer()
    writer.write(root)
    blocks = writer.finish()
    joined = "".join(f"{_gap(*pair)}{pair[1]}" for pair in zip(["", *blocks], blocks, strict=False))
    return clean_text(joined).strip()


def _gap(before: str, after: str) -> str:
    """Return the line breaks between two blocks: items and rows follow each other closely."""
    return "\n" if before[:2] == after[:2] and after[:2] in ("- ", "| ") else "\n\n"


class _Writer:
    """Collects text and breaks it into blocks."""

    def __init__(self) -> None:
        self._blocks: list[str] = []
        self._inline: list[str] = []
        self._prefix = ""

    def write(self, element: Element, *, verbatim: bool = False) -> None:
        """Write ``element`` and what is in it, but not what follows it."""
        name = local_name(element)
        if not name or name in _SKIPPED:
            return
        if name in _LINE_ENDS:
            self._inline.append("\n")
        elif name in _ROWS:
            self._write_row(element)
        elif (prefix := _prefix(element, name)) is None:
            self._write_inside(element, verbatim=verbatim or name in _VERBATIM)
        else:
            self._end_block()
            self._prefix = prefix or self._prefix
            self._write_inside(element, verbatim=verbatim or name in _VERBATIM)
            self._end_block()
            self._prefix = "" if prefix else self._prefix

    def finish(self) -> list[str]:
        """Return all blocks."""
        self._end_block()
        return self._blocks

    def _end_block(self) -> None:
        if not self._inline:
            return
        lines = (" ".join(line.split()) for line in "".join(self._inline).split("\n"))
        words = "\n".join(line for line in lines if line)
        self._inline.clear()
        if words:
            if self._prefix:
                words = self._prefix + words.replace("\n", " ")
            self._blocks.append(words)
            self._prefix = ""

    def _write_row(self, row: Element) -> None:
        """Write a row as one block, or its cells as blocks of their own where they are pages."""
        self._end_block()
        cells = [_cell(child) for child in row if local_name(child) in _CELLS]
        blocks = [block for cell in cells for block in cell]
        is_page = any(len(cell) > 1 for cell in cells) or sum(map(len, blocks)) > _ROW_CHARS
        if len(blocks) < 2 or is_page:
            self._blocks += blocks
        else:
            shown = (" ".join(cell).replace("\n", " ") for cell in cells)
            self._blocks.append(f"| {' | '.join(shown)} |")

    def _write_inside(self, element: Element, *, verbatim: bool) -> None:
        self._write_text(element.text, verbatim=verbatim)
        for child in element:
            self.write(child, verbatim=verbatim)
            self._write_text(child.tail, verbatim=verbatim)

    def _write_text(self, text: str | None, *, verbatim: bool) -> None:
        if text:
            self._inline.append(text if verbatim else text.replace("\n", " "))


def _cell(element: Element) -> list[str]:
    """Return the blocks in a cell of a table."""
    writer = _Writer()
    writer.write(element)
    return writer.finish()


def _prefix(element: Element, name: str) -> str | None:
    """Return what a block begins with; None for an element that is not a block."""
    if name == "head":
        name = element.get("rend") or "h2"
    if heading := _HEADING.fullmatch(name):
        return "#" * int(heading[1]) + " "
    if name in _ITEMS:
        return "- "
    return "" if name in _BLOCKS else None
