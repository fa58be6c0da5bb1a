"""What a page of a PDF does not show: letters off it or without ink, white ones, and tiny ones.

Letters are on paper where no picture, no shading and no shape of another colour than white is
around them. So the text that lies under the picture of a scan is kept, as are white heads of
coloured columns.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from ctypes import addressof, c_float, c_int, c_uint, c_void_p, sizeof
from functools import partial
from itertools import chain, product
from math import hypot, inf
from typing import Final, NamedTuple, Self, TypeAlias, cast

from pypdfium2 import PdfPage, raw

from quaere.read.extract.pdfium import direct, handle

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
_Placed: TypeAlias = int
"""A handle of PDFium: of letters, a picture, a shape or a group."""


_object_at = direct("FPDFPage_GetObject", c_void_p, c_void_p, c_int)
_object_in = direct("FPDFFormObj_GetObject", c_void_p, c_void_p, c_int)
_kind = direct("FPDFPageObj_GetType", c_int, c_void_p)
_bounds = direct("FPDFPageObj_GetBounds", c_int, *[c_void_p] * 5)
_fill_colour = direct("FPDFPageObj_GetFillColor", c_int, *[c_void_p] * 5)
_line_colour = direct("FPDFPageObj_GetStrokeColor", c_int, *[c_void_p] * 5)
_line_width = direct("FPDFPageObj_GetStrokeWidth", c_int, c_void_p, c_void_p)
_drawn = direct("FPDFPath_GetDrawMode", c_int, c_void_p, c_void_p, c_void_p)
_text_mode = direct("FPDFTextObj_GetTextRenderMode", c_int, c_void_p)
_font_size = direct("FPDFTextObj_GetFontSize", c_int, c_void_p, c_void_p)
_matrix = direct("FPDFPageObj_GetMatrix", c_int, c_void_p, c_void_p)
_take_off = direct("FPDFPage_RemoveObject", c_int, c_void_p, c_void_p)
_take_out = direct("FPDFFormObj_RemoveObject", c_int, c_void_p, c_void_p)
_page_bounds = direct("FPDF_GetPageBoundingBox", c_int, c_void_p, c_void_p)
_count_on = direct("FPDFPage_CountObjects", c_int, c_void_p)
_count_in = direct("FPDFFormObj_CountObjects", c_int, c_void_p)
_destroy = direct("FPDFPageObj_Destroy", c_int, c_void_p)

_COLOUR: Final = (c_uint * 4)()
_COLOUR_AT: Final = [addressof(_COLOUR) + at * sizeof(c_uint) for at in range(4)]
_EDGES: Final = (c_float * 4)()
_EDGES_AT: Final = [addressof(_EDGES) + at * sizeof(c_float) for at in range(4)]
_NUMBER, _MODES, _MATRIX, _SHEET = c_float(), (c_int * 2)(), raw.FS_MATRIX(), raw.FS_RECTF()
"""Where PDFium writes what it is asked for."""


class _Box(NamedTuple):
    left: float
    bottom: float
    right: float
    top: float

    def holds(self, other: _Box) -> bool:
        """Whether the middle of ``other`` is in it."""
        x, y = (other.left + other.right) / 2, (other.bottom + other.top) / 2
        return self.left <= x <= self.right and self.bottom <= y <= self.top

    def shows(self, left: float, bottom: float, right: float, top: float) -> bool:
        """Whether anything of what has these edges is in it, or it is nothing that has ink."""
        is_beside = right < self.left or left > self.right
        return left >= right or not (is_beside or top < self.bottom or bottom > self.top)


class _Group(NamedTuple):
    """The objects of a page, or of a group on it, in coordinates of their own."""

    form: _Placed | None
    """None for the page."""
    objects: Mapping[int, Sequence[_Placed]]
    """By their kinds."""
    least: float
    """The height of letters that are not tiny."""
    sheet: _Box
    """What is seen of the page."""
    depth: int

    @classmethod
    def of(
        cls, form: _Placed | None, objects: Sequence[_Placed], least: float, sheet: _Box, depth: int
    ) -> Self:
        """Return the group of these ``objects``."""
        kinds = defaultdict[int, list[_Placed]](list)
        for kind, each in zip(map(_kind, objects), objects, strict=True):
            kinds[kind].append(each)
        return cls(form, kinds, least, sheet, depth)

    def of_kind(self, *kinds: int) -> Iterator[_Placed]:
        """Yield the objects of these ``kinds``."""
        return chain.from_iterable(self.objects.get(kind, ()) for kind in kinds)

    def take_out(self, placed: _Placed, sheet: int) -> None:
        """Take what is ``placed`` in it off the page, whose handle is ``sheet``."""
        if self.form is None:
            _take_off(sheet, placed)
        else:
            _take_out(self.form, placed)
        _destroy(placed)

    def groups(self) -> Iterator[_Group]:
        """Yield the groups in it."""
        for form in self.of_kind(raw.FPDF_PAGEOBJ_FORM) if self.depth < _DEEPEST else ():
            inside = [_object_in(form, at) for at in range(_count_in(form))]
            least, sheet = self.least / (_scale(form) or 1), _within(form, self.sheet)
            yield _Group.of(form, inside, least, sheet, self.depth + 1)


def drop_unseen(page: PdfPage) -> None:
    """Take the letters off ``page`` that it does not show; its text is read afterwards."""
    sheet = handle(cast("object", page.raw))
    objects = list(map(partial(_object_at, sheet), range(_count_on(sheet))))
    _page_bounds(sheet, addressof(_SHEET))
    seen = _Box(_SHEET.left, _SHEET.bottom, _SHEET.right, _SHEET.top)
    height = max(seen.right - seen.left, seen.top - seen.bottom)
    _drop_from(_Group.of(None, objects, height / _TINY, seen, 0), sheet, is_on_ground=False)


def _drop_from(group: _Group, sheet: int, *, is_on_ground: bool) -> None:
    """Take unseen letters out of ``group``; ``is_on_ground`` where it is in front of something."""
    lost, pale = _lost_and_pale(group)
    if is_on_ground:
        pale.clear()
    inner = list(group.groups())
    own = list(_grounds(group)) if pale or inner else []
    grounded = list(_grounded(inner))
    unseen = _on_paper(pale, [*own, *(box for _, box in grounded)])
    for each in (*lost, *unseen):
        group.take_out(each, sheet)
    for each in inner:
        behind = is_on_ground or _is_held(_box(each.form), [*own, *_of_others(each, grounded)])
        _drop_from(each, sheet, is_on_ground=behind)


def _grounded(groups: Iterable[_Group]) -> Iterator[tuple[_Group, _Box]]:
    """Yield those of ``groups`` on which letters may stand, and where they are."""
    for each in groups:
        box = _box(each.form)
        if box and _has_ground(each):
            yield each, box


def _of_others(group: _Group, grounded: Iterable[tuple[_Group, _Box]]) -> Iterator[_Box]:
    """Yield where the groups are that ``group`` may stand on."""
    return (box for other, box in grounded if other is not group)


def _on_paper(letters: Sequence[_Placed], grounds: Sequence[_Box]) -> list[_Placed]:
    """Return those of ``letters`` that stand on none of ``grounds``; none of those of a map."""
    if len(letters) * len(grounds) > _MOST_PAIRS:
        return []
    return [each for each in letters if not _is_held(_box(each), grounds)]


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
    _drawn(shape, addressof(_MODES), addressof(_MODES) + sizeof(c_int))
    _line_width(shape, addressof(_NUMBER))
    filled, stroked = _MODES
    is_broad = bool(stroked) and _NUMBER.value >= _BROAD
    is_filled = filled != raw.FPDF_FILLMODE_NONE
    return (is_filled and not _is_white(shape)) or (is_broad and not _is_white(shape, line=True))


def _lost_and_pale(group: _Group) -> tuple[list[_Placed], list[_Placed]]:
    """Return the letters of ``group`` that are tiny or off the page, and others without dark ink.

    Tiny are those less high than others by their ink and by their size: a full stop has little
    ink, and fonts made of pictures have another size than their letters.
    """
    lost: list[_Placed] = []
    pale: list[_Placed] = []
    least, (left, bottom, right, top) = group.least, _EDGES_AT
    for text in group.of_kind(raw.FPDF_PAGEOBJ_TEXT):  # a thousand times a page, so without calls
        if _bounds(text, left, bottom, right, top):
            if not group.sheet.shows(*_EDGES):
                lost.append(text)
                continue
            if _EDGES[3] - _EDGES[1] < least:
                _font_size(text, addressof(_NUMBER))
                if abs(_NUMBER.value) * _scale(text) < least:
                    lost.append(text)
                    continue
        mode = _text_mode(text)
        if mode in _FILLED and not _is_white(text):
            continue
        if mode not in _OUTLINED or _is_white(text, line=True):
            pale.append(text)
    return lost, pale


def _is_white(placed: _Placed, *, line: bool = False) -> bool:
    """Whether what is ``placed``, or its ``line``, is white or lets all light through."""
    ask = _line_colour if line else _fill_colour
    if not ask(placed, *_COLOUR_AT):
        return False
    is_pale = _COLOUR[0] >= _PALE and _COLOUR[1] >= _PALE and _COLOUR[2] >= _PALE
    return is_pale or _COLOUR[3] == 0


def _box(placed: _Placed | None) -> _Box | None:
    """Return where something is on the page; None for nothing, or nowhere."""
    return _Box(*_EDGES) if placed is not None and _bounds(placed, *_EDGES_AT) else None


def _within(form: _Placed, box: _Box) -> _Box:
    """Return the ``box`` in the coordinates of a ``form``; all there is where that has no size."""
    if not _matrix(form, addressof(_MATRIX)):
        return box
    a, b, c, d = _MATRIX.a, _MATRIX.b, _MATRIX.c, _MATRIX.d
    size = a * d - b * c
    if not size:
        return _Box(-inf, -inf, inf, inf)
    corners = product(
        (box.left - _MATRIX.e, box.right - _MATRIX.e), (box.bottom - _MATRIX.f, box.top - _MATRIX.f)
    )
    xs, ys = zip(
        *(((d * x - c * y) / size, (a * y - b * x) / size) for x, y in corners), strict=True
    )
    return _Box(min(xs), min(ys), max(xs), max(ys))


def _scale(placed: _Placed) -> float:
    """Return by how much what is ``placed`` is made higher there."""
    found = _matrix(placed, addressof(_MATRIX))
    return hypot(_MATRIX.c, _MATRIX.d) if found else 1.0
