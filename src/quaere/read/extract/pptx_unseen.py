"""What a slide does not show: hidden shapes, those off it, letters like what they stand on.

That is the fill of their shape, or else the background of the slide where no picture, no frame and
no filled shape may lie between. Colours that are changed on the way, as lighter or clearer, and
those that only styles name are taken for seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from quaere.read.extract.office import attribute
from quaere.text.markup import Element, drop, elements, local_name

_WHITE = "FFFFFF"
_NAMED = {"white": _WHITE, "black": "000000"}
_FILLS = frozenset({"solidFill", "gradFill", "blipFill", "pattFill", "grpFill"})
_DRAWN = frozenset({"pic", "graphicFrame", "contentPart"})
_MAPPED = {"bg1": "lt1", "tx1": "dk1", "bg2": "lt2", "tx2": "dk2"}
_MOST_THINGS = 1_000
"""Of a slide; between more it is not told what lies where."""
_LENGTH = re.compile(r"-?[0-9]{1,15}")
_SHAPES = frozenset({"sp", "grpSp", "graphicFrame"})
_HIDDEN = elements("//*[local-name()='cNvPr'][@hidden='1' or @hidden='true']/../..")
_MOVED = elements("//*[local-name()='animMotion']")
_PLAIN = "1001"
"""The number of the first background of a theme, which is one colour."""
_SET_OFF = ("{*}ln", "{*}effectLst", "{*}highlight")
"""By these letters can be seen whatever they stand on."""


class _Box(NamedTuple):
    left: int
    top: int
    right: int
    bottom: int

    def meets(self, other: _Box) -> bool:
        """Whether the two overlap."""
        beside = self.right <= other.left or other.right <= self.left
        return not (beside or self.bottom <= other.top or other.bottom <= self.top)


def drop_hidden_shapes(slide: Element, size: Element | None) -> None:
    """Take out the shapes of ``slide`` that are hidden or off it; ``size`` is that of all."""
    for shape in _HIDDEN(slide):
        drop(shape)
    tree = slide.find("{*}cSld/{*}spTree")
    # An animation may move what is off the slide onto it.
    if tree is None or size is None or _MOVED(slide):
        return
    whole_slide = _Box(0, 0, _length(size, "cx"), _length(size, "cy"))
    for shape in list(tree):
        box = _box_of(shape) if local_name(shape) in _SHAPES else None
        if box is not None and not box.meets(whole_slide):
            drop(shape)


def drop_unseen(
    slide: Element, layout: Element | None, master: Element | None, theme: Element | None
) -> None:
    """Take the letters out of ``slide`` that it does not show, in its own shapes."""
    parts = [part for part in (slide, layout, master) if part is not None]
    colours = _colours_of(parts, master, theme)
    ground = _ground_of(parts, colours)
    things = [(each, _box_of(each)) for part in parts for each in part.iter() if _covers(each)]
    for shape in slide.iter("{*}sp"):
        letters = ((run, _colour_of_letters(run, colours)) for run in shape.iter("{*}r"))
        coloured = [(run, colour) for run, colour in letters if colour]
        if not coloured:
            continue
        under = _fill_of(shape.find("{*}spPr"), colours)
        if under is None:
            under = "" if _may_stand_on(shape, things) else ground
        _take_out(run for run, colour in coloured if colour == under)


def _take_out(runs: Iterable[Element]) -> None:
    for run in runs:
        if (around := run.getparent()) is not None:
            around.remove(run)


def _colours_of(
    parts: Sequence[Element], master: Element | None, theme: Element | None
) -> Mapping[str, str]:
    """Return the colours of a theme by the names that slides have for them."""
    if any(part.find("{*}clrMapOvr/{*}overrideClrMapping") is not None for part in parts):
        return {}
    scheme = None if theme is None else theme.find("{*}themeElements/{*}clrScheme")
    known = {local_name(each): _colour(each, {}) for each in (scheme if scheme is not None else ())}
    known = known or {"lt1": _WHITE}
    names = None if master is None else master.find("{*}clrMap")
    mapped = {to: attribute(names, to) or usual for to, usual in _MAPPED.items()}
    return {**known, **{to: known.get(name, "") for to, name in mapped.items()}}


def _colour(fill: Element | None, colours: Mapping[str, str]) -> str:
    """Return the colour of a ``fill``, in hexadecimal; empty where it is not known."""
    told = next(iter(fill), None) if fill is not None else None
    if told is None or len(told):
        return ""
    value = attribute(told, "val")
    match local_name(told):
        case "srgbClr":
            return value.upper()
        case "sysClr":
            return attribute(told, "lastClr").upper()
        case "prstClr":
            return _NAMED.get(value, "")
        case "schemeClr":
            return colours.get(value, "")
        case _:
            return ""


def _ground_of(parts: Sequence[Element], colours: Mapping[str, str]) -> str:
    """Return the colour of the background: that of the slide, else of its layout or its master."""
    found = (part.find("{*}cSld/{*}bg") for part in parts)
    ground = next((each for each in found if each is not None), None)
    if ground is None:
        return colours.get("bg1", "")
    by_theme = ground.find("{*}bgRef")
    if by_theme is not None:
        return _colour(by_theme, colours) if attribute(by_theme, "idx") == _PLAIN else ""
    return _colour(ground.find("{*}bgPr/{*}solidFill"), colours)


def _fill_of(about: Element | None, colours: Mapping[str, str]) -> str | None:
    """Return the colour that a shape is filled with; None where it is not filled."""
    fills = (each for each in (about if about is not None else ()) if local_name(each) in _FILLS)
    fill = next(fills, None)
    if fill is None:
        return None
    return _colour(fill, colours) if local_name(fill) == "solidFill" else ""


def _covers(element: Element) -> bool:
    """Whether ``element`` may lie on the background."""
    name = local_name(element)
    if name == "sp":
        style = attribute(element.find("{*}style/{*}fillRef"), "idx")
        return _fill_of(element.find("{*}spPr"), {}) is not None or style not in {"", "0"}
    if name == "grpSp":
        return _fill_of(element.find("{*}grpSpPr"), {}) is not None
    return name in _DRAWN


def _may_stand_on(shape: Element, things: Sequence[tuple[Element, _Box | None]]) -> bool:
    """Whether any of ``things`` may be between ``shape`` and the background."""
    own = _box_of(shape)
    if own is None or len(things) > _MOST_THINGS:
        return bool(things)
    return any(each is shape or box is None or own.meets(box) for each, box in things)


def _box_of(shape: Element) -> _Box | None:
    """Return where ``shape`` is; None where its layout or a group says that."""
    around = shape.getparent()
    frame = next((each for each in _frames(shape)), None)
    if frame is None or around is None or local_name(around) != "spTree":
        return None
    place, size = frame.find("{*}off"), frame.find("{*}ext")
    if place is None or size is None:
        return None
    left, top = _length(place, "x"), _length(place, "y")
    wide, high = _length(size, "cx"), _length(size, "cy")
    is_turned = attribute(frame, "rot") not in {"", "0"}
    return None if is_turned else _Box(left, top, left + wide, top + high)


def _length(element: Element, name: str) -> int:
    told = attribute(element, name)
    return int(told) if _LENGTH.fullmatch(told) else 0


def _frames(shape: Element) -> Iterator[Element]:
    for path in ("{*}xfrm", "*/{*}xfrm"):
        found = shape.find(path)
        if found is not None:
            yield found


def _colour_of_letters(run: Element, colours: Mapping[str, str]) -> str:
    own = run.find("{*}rPr")
    if own is None or any(own.find(name) is not None for name in _SET_OFF):
        return ""
    return _colour(own.find("{*}solidFill"), colours)
