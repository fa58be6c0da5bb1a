"""Figures of a PDF that stand raised over their line, told by the boxes of its letters."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import takewhile
from typing import NamedTuple

from quaere.read.extract.pdf_lines import RAISED
from quaere.text.raised import RAISED as FIGURES
from quaere.text.raised import raised

SMALL = 0.9
"""Heights of a letter before it up to which a figure is small: browsers print .83, others less."""
_RUN = re.compile(r"(?<=[^\s\x02\ufffe])[−–-]?[0-9](?:[0-9]|[,–-](?=[0-9]))*")
_DIGIT = re.compile(r"[0-9]")
_MINUS = re.compile(rf"(?<=[0-9A-Za-z])[−–-](?=[{FIGURES}])")


_BROKEN = re.compile(rf"(?<=[{FIGURES}])\r?\n(?=[ ,;.])")
"""Where PDFium ends a line after a raised figure: no line begins with a space or a comma."""


class Box(NamedTuple):
    """Where a letter stands, in points from the lower left: as high as its font is."""

    left: float
    right: float
    bottom: float
    top: float

    @property
    def height(self) -> float:
        """How high its font is, in points."""
        return self.top - self.bottom

    @property
    def middle(self) -> float:
        """How high up its middle is, in points."""
        return (self.bottom + self.top) / 2


def raised_at(signs: str, box_at: Callable[[int], Box | None]) -> dict[int, str]:
    """Return the raised figures, by where they are in the ``signs`` of a page.

    Args:
        signs: The letters of a page in order.
        box_at: Returns the box of the letter at a place; None for one that has none.
    """
    found = dict[int, str]()
    for run in _RUN.finditer(signs):
        places = list(_raised_in(run, box_at))
        shown = raised("".join(signs[at] for at in places))
        if len(shown) == len(places):
            found.update(zip(places, shown, strict=True))
    return found


def _raised_in(run: re.Match[str], box_at: Callable[[int], Box | None]) -> Iterator[int]:
    """Yield the places of ``run`` from the first that stands raised over what is before it."""
    begin, last = run.start(), box_at(run.end() - 1)
    line = box_at(begin - 1)
    if line is None or not (_is_over(last, line) or _is_over(last, box_at(begin))):
        return  # so it is with nearly all
    while begin < run.end() and not _is_over(box_at(begin), line):
        line, begin = box_at(begin), begin + 1
    yield from takewhile(lambda at: _is_over(box_at(at), line), range(begin, run.end()))


def _is_over(box: Box | None, line: Box | None) -> bool:
    """Whether a letter is smaller than the one before it on its ``line``, and higher up."""
    if box is None or line is None or box.left < line.left:
        return False
    is_small = box.height <= SMALL * line.height
    return is_small and line.bottom + RAISED * line.height < box.bottom < line.top


def unbroken(text: str) -> str:
    """Return ``text`` with the lines whole that PDFium ends after a raised figure."""
    return _BROKEN.sub("", text)


def with_raised(text: str, signs: str, found: Mapping[int, str]) -> str:
    """Return ``text``, which has the figures of ``signs`` in order, with those ``found``.

    It is returned as it is where the two differ in their figures.
    """
    places = [match.start() for match in _DIGIT.finditer(signs)]
    if not found or [signs[at] for at in places] != _DIGIT.findall(text):
        return text
    shown = iter([found.get(at, signs[at]) for at in places])
    told = _DIGIT.sub(lambda _: next(shown), text)
    return unbroken(_MINUS.sub("⁻", told) if "⁻" in found.values() else told)
