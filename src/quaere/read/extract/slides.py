"""The slides of a presentation as text, one after the other, in the order in which they are read.

Each is a ``## Heading`` with what is on it below, and then what its speaker notes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Unpack

from quaere.domain.source import Page
from quaere.ports.read import Body
from quaere.read.extract.page import About, empty, joined_parts, make_page
from quaere.read.formats import Format
from quaere.text.clean import clean_text

_OWN_NAME = re.compile(r"(?:\w+ ){0,3}powerpoint[ -]?\w*|presentation|[^\W\d_]+ 1", re.IGNORECASE)
"""What a program calls a presentation that nobody has named: by itself, or by the first slide."""


@dataclass(frozen=True, slots=True)
class Slide:
    """What is on a slide."""

    number: int
    """As the program shows it, hidden slides counted."""
    title: str = ""
    blocks: Sequence[str] = ()
    """Its paragraphs, lists and tables in reading order."""
    notes: Sequence[str] = ()
    """The same of what its speaker notes."""

    def __str__(self) -> str:
        """Return all of it as text; empty for a slide of pictures."""
        told = [*self.blocks, *self._told_notes()]
        if not (self.title or told):
            return ""
        heading = self.title or f"Slide {self.number}"
        return clean_text("\n\n".join([f"## {heading}", *told])).strip()

    def _told_notes(self) -> Iterator[str]:
        for at, block in enumerate(self.notes):
            parting = "\n" if block.startswith(("- ", "|")) else " "
            yield block if at else f"Notes:{parting}{block}"


class Placed(NamedTuple):
    """What one shape of a slide says, and where that is from the top and the left."""

    blocks: Sequence[str]
    top: float
    left: float
    height: float


@dataclass(slots=True)
class Shapes:
    """What the shapes of a slide or of a group say."""

    first: list[str] = field(default_factory=list)
    """Of those whose place the layout of the slide tells, as it has them."""
    free: list[Placed] = field(default_factory=list)

    def in_order(self) -> list[str]:
        """Return all blocks, those of free shapes row by row, each from the left to the right.

        Shapes are in one row when each begins above the middle of the first of them.
        """
        told = list(self.first)
        row: list[Placed] = []
        for shape in [*sorted(self.free, key=lambda shape: shape.top), None]:
            if shape and row and shape.top < row[0].top + row[0].height / 2:
                row.append(shape)
                continue
            for each in sorted(row, key=lambda shape: shape.left):
                told += each.blocks
            row = [shape] if shape else []
        return told


def slides_page(
    body: Body, kind: Format, slides: Iterable[Slide], *, title: str = "", **about: Unpack[About]
) -> Page:
    """Return the page of a presentation with a mark for each slide that says anything.

    Args:
        body: The presentation.
        kind: What it is.
        slides: Those that are shown, in that order.
        title: Its own title; one that its program gave it counts less than that of the
            first slide.
        about: What it declares about itself.

    Raises:
        ReadError: ``empty`` when none says anything.
    """
    shown = [(slide, text) for slide in slides if (text := str(slide))]
    if not shown:
        raise empty(body)
    text, marks = joined_parts((f"slide {slide.number}", text) for slide, text in shown)
    if not title.strip() or _OWN_NAME.fullmatch(title.strip()):
        title = shown[0][0].title
    return make_page(body, kind, text, title=title, marks=marks, **about)
