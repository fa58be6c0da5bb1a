"""What a page of a PDF does not show: letters without ink, white ones on paper, and tiny ones.

Letters are on paper where no picture, no shading and no shape of another colour than white is
around them. So the text that lies under the picture of a scan is kept, as are white heads of
coloured columns.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from ctypes import byref, c_float, c_int, c_uint
from itertools import chain
from math import hypot
from typing import Final, NamedTuple, Self, cast

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

_RED, _GREEN, _BLUE, _ALPHA = (c_uint() for _ in range(4))
_COLOURS: Final = tuple(map(byref, (_RED, _GREEN, _BLUE, _ALPHA)))
_LEFT, _BOTTOM, _RIGHT, _TOP = (c_float() for _ in range(4))
_EDGES: Final = tuple(map(byref, (_LEFT, _BOTTOM, _RIGHT, _TOP)))
"""Where PDFium, which one thread alone may use, writes what it is asked for: a page may have a
thousand letters that are asked about one by one."""


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
    objects: Mapping[int, Sequence[_Placed]]
    """By their kinds."""
    least: float
    """The height of letters that are not tiny."""
    depth: int

    @classmethod
    def of(cls, form: _Placed | None, objects: Iterable[_Placed], least: float, depth: int) -> Self:
        """Return the group of these ``objects``."""
        kinds = defaultdict[int, list[_Placed]](list)
        for each in objects:
            kind = cast("int", raw.FPDFPageObj_GetType(each))
            kinds[kind].append(each)
        return cls(form, kinds, least, depth)

    def of_kind(self, *kinds: int) -> Iterator[_Placed]:
        """Yield the objects of these ``kinds``."""
        return chain.from_iterable(self.objects.get(kind, ()) for kind in kinds)

    def groups(self) -> Iterator[_Group]:
        """Yield the groups in it."""
        for form in self.of_kind(raw.FPDF_PAGEOBJ_FORM) if self.depth < _DEEPEST else ():
            count = cast("int", raw.FPDFFormObj_CountObjects(form))
            inside = [raw.FPDFFormObj_GetObject(form, at) for at in range(count)]
            yield _Group.of(form, inside, self.least / (_scale(form) or 1), self.depth + 1)


def drop_unseen(page: PdfPage) -> None:
    """Take the letters off ``page`` that it does not show; its text is read afterwards."""
    count = raw.FPDFPage_CountObjects(page.raw)
    objects = [raw.FPDFPage_GetObject(page.raw, at) for at in range(count)]
    _drop_from(_Group.of(None, objects, max(page.get_size()) / _TINY, 0), page, is_on_ground=False)


def _drop_from(group: _Group, page: PdfPage, *, is_on_ground: bool) -> None:
    """Take unseen letters out of ``group``; ``is_on_ground`` where it is in front of something."""
    tiny: list[_Placed] = []
    pale: list[_Placed] = []
    for each in group.of_kind(raw.FPDF_PAGEOBJ_TEXT):
        if _is_tiny(each, group.least):
            tiny.append(each)
        elif not is_on_ground and _is_pale(each):
            pale.append(each)
    inner = list(group.groups())
    own = list(_grounds(group)) if pale or inner else []
    grounded = [(each, box) for each in inner if (box := _box(each.form)) and _has_ground(each)]
    grounds = [*own, *(box for _, box in grounded)]
    is_map = len(pale) * len(grounds) > _MOST_PAIRS
    unseen = [] if is_map else [each for each in pale if not _is_held(_box(each), grounds)]
    for each in (*tiny, *unseen):
        if group.form is None:
            raw.FPDFPage_RemoveObject(page.raw, each)
        else:
            raw.FPDFFormObj_RemoveObject(group.form, each)
        raw.FPDFPageObj_Destroy(each)
    for each in inner:
        around = [*own, *(box for other, box in grounded if other is not each)]
        behind = is_on_ground or _is_held(_box(each.form), around)
        _drop_from(each, page, is_on_ground=behind)


def _is_held(box: _Box | None, grounds: Iterable[_Box]) -> bool:
    return box is None or any(each.holds(box) for each in grounds)


def _grounds(group: _Group) -> Iterator[_Box]:
    """Yield where letters of ``group`` may stand on something else than paper."""
    found = group.of_kind(raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_SHADING)
    shapes = group.of_kind(raw.FPDF_PAGEOBJ_PATH)
    boxes = map(_box, chain(found, filter(_is_coloured, shapes)))
    return (each for each in boxes if each is not None)


def _has_ground(group: _Group) -> bool:
    """Whether ``group`` has something on which letters may stand."""
    return any(True for _ in _grounds(group)) or any(map(_has_ground, group.groups()))


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
    """Whether the letters of ``text`` are less high than ``least``, by their ink and their size.

    A full stop has little ink; fonts made of pictures have another size than their letters.
    """
    if not raw.FPDFPageObj_GetBounds(text, *_EDGES) or _TOP.value - _BOTTOM.value >= least:
        return False
    size = c_float()
    raw.FPDFTextObj_GetFontSize(text, byref(size))
    return abs(size.value) * _scale(text) < least


def _is_white(placed: _Placed, *, line: bool = False) -> bool:
    """Whether what is ``placed``, or its ``line``, is white or lets all light through."""
    if line:
        is_told = raw.FPDFPageObj_GetStrokeColor(placed, *_COLOURS)
    else:
        is_told = raw.FPDFPageObj_GetFillColor(placed, *_COLOURS)
    if not is_told:
        return False
    is_pale = _RED.value >= _PALE and _GREEN.value >= _PALE and _BLUE.value >= _PALE
    return is_pale or _ALPHA.value == 0


def _box(placed: _Placed | None) -> _Box | None:
    """Return where something is on the page; None for nothing, or nowhere."""
    if placed is None or not raw.FPDFPageObj_GetBounds(placed, *_EDGES):
        return None
    return _Box(_LEFT.value, _BOTTOM.value, _RIGHT.value, _TOP.value)


def _scale(placed: _Placed) -> float:
    """Return by how much what is ``placed`` is made higher there."""
    matrix = raw.FS_MATRIX()
    found = raw.FPDFPageObj_GetMatrix(placed, byref(matrix))
    return hypot(matrix.c, matrix.d) if found else 1.0
