"""What a page of a PDF does not show: letters without ink, white ones on paper, and tiny ones.

Letters are on paper where no picture, no shading and no shape of another colour than white is
around them. So the text that lies behind the picture of a scan is kept, as are white heads of
coloured columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from ctypes import byref, c_float, c_int, c_uint
from itertools import chain
from math import hypot
from typing import Final, NamedTuple

from pypdfium2 import PdfPage, raw

_PALE: Final = 240
"""Of 255: what has no less of red, green and blue is white to the eye."""
_TINY: Final = 400
"""As many lines as high as tiny letters, or more, would fill a page."""
_BROAD: Final = 4.0
"""Points: lines of that width may be what letters stand on."""
_DEEPEST: Final = 5
"""Groups inside one another that are looked into."""
_MOST_PAIRS: Final = 1_000_000
"""Letters and shapes that are compared; a page of more is a map, and is left as it is."""
_FILLED: Final = frozenset({0, 2, 4, 6})
_OUTLINED: Final = frozenset({1, 2, 5, 6})
"""Modes of text, by table 104 of ISO 32000-2."""
_Placed = object
"""A handle of PDFium: of letters, a picture, a shape or a group."""


class _Box(NamedTuple):
    left: float
    bottom: float
    right: float
    top: float

    def holds(self, other: _Box) -> bool:
        """Whether the middle of ``other`` is in it."""
        x, y = (other.left + other.right) / 2, (other.bottom + other.top) / 2
        return self.left <= x <= self.right and self.bottom <= y <= self.top


class _Group(NamedTuple):
    """The objects of a page, or of a group on it, in coordinates of their own."""

    form: _Placed | None
    """None for the page."""
    objects: Sequence[_Placed]
    least: float
    """The height of letters that are not tiny."""
    depth: int

    def of_kind(self, *kinds: int) -> list[_Placed]:
        """Return the objects of one of these ``kinds``."""
        return [each for each in self.objects if raw.FPDFPageObj_GetType(each) in kinds]

    def groups(self) -> Iterator[_Group]:
        """Yield the groups in it."""
        for form in self.of_kind(raw.FPDF_PAGEOBJ_FORM) if self.depth < _DEEPEST else ():
            count = raw.FPDFFormObj_CountObjects(form)
            inside = [raw.FPDFFormObj_GetObject(form, at) for at in range(count)]
            yield _Group(form, inside, self.least / (_scale(form) or 1), self.depth + 1)


def drop_unseen(page: PdfPage) -> None:
    """Take the letters off ``page`` that it does not show; its text is read afterwards."""
    count = raw.FPDFPage_CountObjects(page.raw)
    objects = [raw.FPDFPage_GetObject(page.raw, at) for at in range(count)]
    _drop_from(_Group(None, objects, max(page.get_size()) / _TINY, 0), page, is_on_ground=False)


def _drop_from(group: _Group, page: PdfPage, *, is_on_ground: bool) -> None:
    """Take unseen letters out of ``group``; ``is_on_ground`` where it is in front of something."""
    tiny, other = _parted(group.of_kind(raw.FPDF_PAGEOBJ_TEXT), group.least)
    pale = [] if is_on_ground else list(filter(_is_pale, other))
    inner = list(group.groups())
    grounds = list(_grounds(group)) if pale or inner else []
    is_map = len(pale) * len(grounds) > _MOST_PAIRS
    unseen = [] if is_map else [each for each in pale if not _is_held(_box(each), grounds)]
    for each in (*tiny, *unseen):
        if group.form is None:
            raw.FPDFPage_RemoveObject(page.raw, each)
        else:
            raw.FPDFFormObj_RemoveObject(group.form, each)
        raw.FPDFPageObj_Destroy(each)
    for each in inner:
        behind = is_on_ground or is_map or _is_held(_box(each.form), grounds)
        _drop_from(each, page, is_on_ground=behind)


def _parted(texts: Sequence[_Placed], least: float) -> tuple[list[_Placed], list[_Placed]]:
    """Return those of ``texts`` that are tiny, and the others."""
    tiny: list[_Placed] = []
    other: list[_Placed] = []
    for each in texts:
        (tiny if _is_tiny(each, least) else other).append(each)
    return tiny, other


def _is_held(box: _Box | None, grounds: Sequence[_Box]) -> bool:
    return box is None or any(each.holds(box) for each in grounds)


def _grounds(group: _Group) -> Iterator[_Box]:
    """Yield where letters of ``group`` may stand on something else than paper."""
    found = group.of_kind(raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_SHADING)
    shapes = group.of_kind(raw.FPDF_PAGEOBJ_PATH)
    boxes = map(_box, chain(found, filter(_is_coloured, shapes)))
    return (each for each in boxes if each is not None)


def _is_coloured(shape: _Placed) -> bool:
    """Whether ``shape`` is filled, or drawn in a broad line, with another colour than white."""
    mode, stroked, width = c_int(), c_int(), c_float()
    raw.FPDFPath_GetDrawMode(shape, byref(mode), byref(stroked))
    raw.FPDFPageObj_GetStrokeWidth(shape, byref(width))
    is_broad = bool(stroked.value) and width.value >= _BROAD
    is_filled = mode.value != raw.FPDF_FILLMODE_NONE
    return (is_filled and not _is_white(shape)) or (is_broad and not _is_white(shape, line=True))


def _is_pale(text: _Placed) -> bool:
    """Whether ``text`` has no ink, or white ink alone."""
    mode = raw.FPDFTextObj_GetTextRenderMode(text)
    is_filled, is_outlined = mode in _FILLED, mode in _OUTLINED
    return (not is_filled or _is_white(text)) and (not is_outlined or _is_white(text, line=True))


def _is_tiny(text: _Placed, least: float) -> bool:
    """Whether the letters of ``text`` are less high than ``least``, by their size and their ink.

    Fonts that are made of pictures often have another size than their letters.
    """
    size = c_float()
    raw.FPDFTextObj_GetFontSize(text, byref(size))
    if abs(size.value) * _scale(text) >= least:
        return False
    box = _box(text)
    return box is not None and box.top - box.bottom < least


def _is_white(placed: _Placed, *, line: bool = False) -> bool:
    """Whether what is ``placed``, or its ``line``, is white or lets all light through."""
    told = [c_uint() for _ in range(4)]
    if line:
        is_told = raw.FPDFPageObj_GetStrokeColor(placed, *map(byref, told))
    else:
        is_told = raw.FPDFPageObj_GetFillColor(placed, *map(byref, told))
    *colours, alpha = (each.value for each in told)
    return bool(is_told) and (alpha == 0 or min(colours) >= _PALE)


def _box(placed: _Placed | None) -> _Box | None:
    """Return where something is on the page; None for nothing, or nowhere."""
    edges = [c_float() for _ in range(4)]
    if placed is None or not raw.FPDFPageObj_GetBounds(placed, *map(byref, edges)):
        return None
    return _Box(*(edge.value for edge in edges))


def _scale(placed: _Placed) -> float:
    """Return by how much what is ``placed`` is made higher there."""
    matrix = raw.FS_MATRIX()
    found = raw.FPDFPageObj_GetMatrix(placed, byref(matrix))
    return hypot(matrix.c, matrix.d) if found else 1.0
