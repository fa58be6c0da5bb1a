"""What a browser does not show of a page: written for machines, maybe to tell a model what to do.

That is what an attribute, its own style or a style sheet in the page hides: not shown at all, moved
off the screen, cut away, or in letters too small or too pale to be seen. What another file or a
script hides is not known here. Something of no opacity is left: many pages fade in so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from quaere.read.extract.markup import Element, drop, elements, local_name, number, texts
from quaere.read.extract.style_sheets import Declared, StyleSheets, declarations, keys_of

_OFF = r"-(?:\d{4,}|999)(?:\.\d+)?(?:px|pt|r?em|%)?|-\d{3,}(?:\.\d+)?(?:v[wh]|vmin|vmax|r?em)"
_OFFSET = re.compile(rf"(?:{_OFF})")
_NOTHING = re.compile(r"[+-]?0*\.?0*[a-z%]*(?<=[0.a-z%])")
_TINY = re.compile(
    r"(?:0*(?:[0-2](?:\.\d*)?|\.\d+)(?:px|pt)?|0*\.[01]\d*r?em|(?:\d|1\d)(?:\.\d*)?%)(?:\s*/.*)?"
)
"""Sizes of letters that nobody can read: up to two pixels, or a fifth of the letters around."""
_HIDING = {
    "display": re.compile(r"none"),
    "visibility": re.compile(r"hidden"),
    "content-visibility": re.compile(r"hidden"),
    "font-size": _TINY,
    "left": _OFFSET,
    "right": _OFFSET,
    "top": _OFFSET,
    "text-indent": _OFFSET,
    "margin-left": _OFFSET,
    "margin-top": _OFFSET,
    "transform": re.compile(
        rf".*(?:scale[xy]?\(\s*0*\.?0*\s*[,)]|translate\w*\([^)]*(?:{_OFF})).*"
    ),
    "clip": re.compile(r"rect\((?:[\s,]*[01](?:px)?)+\s*\)"),
    "clip-path": re.compile(r"inset\(\s*(?:[5-9]\d|100)%.*|circle\(\s*0.*"),
}
"""What hides an element, by property."""
_FONT = re.compile(r"(?:^|\s)((?:\d+|\d*\.\d+)(?:px|pt|r?em|%)?)(?=\s|/)")
"""The size of letters in the short form, such as "italic 1px/2 serif"."""
_BOXES = ("height", "max-height", "width", "max-width")
_BACKGROUNDS = ("background", "background-color", "background-image")
_NO_BACKGROUND = re.compile(r"(?:none|transparent|initial|inherit|unset|)")
_WHITE = re.compile(
    r"white|snow|#f[c-f]?f[c-f]?f[c-f]?(?:ff?)?|rgba?\(\s*25[2-5]\s*,?\s*25[2-5]\s*,?\s*25[2-5]\b.*"
)
_CLEAR = re.compile(
    r"transparent|rgba?\([^)]*[,/]\s*0?\.?0+%?\s*\)|#(?:[0-9a-f]{3}0|[0-9a-f]{6}00)"
)
_PROPERTIES = frozenset(
    (
        *(*_HIDING, *_BOXES, *_BACKGROUNDS, "font", "color", "overflow", "overflow-y"),
        *("background-clip", "-webkit-background-clip", "-webkit-text-fill-color"),
    )
)
_SHOWN = "shown"
_SHEETS = texts("//style[not(@media) or @media='all' or @media='screen']/text()")
_LINKED = elements("//link[contains(concat(' ', @rel, ' '), 'stylesheet')]")
_ALL = elements("//body//*")
_LENGTH = number("string-length(normalize-space(.))")
_MOST_HIDDEN = 0.5
"""Share of a page beyond which what a style sheet hides is the page itself: a script shows it."""


def drop_hidden(root: Element) -> None:
    """Take out of the page under ``root`` what a browser does not show."""
    for element in _ALL(root):
        if _hides_itself(element):
            drop(element)
    sheets = StyleSheets(frozenset(key for each in root.iter() for key in keys_of(each)))
    for sheet in _SHEETS(root):
        sheets.add(sheet, _PROPERTIES)
    knows_colours = not _LINKED(root)
    hidden = [each for each in _ALL(root) if _is_hidden(each, sheets, knows_colours=knows_colours)]
    whole = sum(map(_LENGTH, elements("//body")(root)))
    if sum(map(_LENGTH, _outermost(hidden))) <= _MOST_HIDDEN * whole:
        for element in hidden:
            drop(element)


def _hides_itself(element: Element) -> bool:
    """Whether ``element`` says itself that it is not to be shown."""
    if local_name(element) == "template" or element.get("hidden", _SHOWN) != _SHOWN:
        return True
    if element.get("role") == "tooltip":  # shown over what it explains, when pointed at
        return True
    return _hides(declarations(element.get("style", "")))


def _is_hidden(element: Element, sheets: StyleSheets, *, knows_colours: bool) -> bool:
    """Whether style sheets hide ``element``, or it is white on white where colours are known."""
    declared = sheets.declared_for(element)
    if _hides(declared):
        return True
    return knows_colours and _is_pale(element, declared) and _is_on_white(element, sheets)


def _outermost(hidden: Sequence[Element]) -> Iterator[Element]:
    """Yield those of ``hidden``, in the order of the page, that are in no other one."""
    known = set(hidden)
    for element in hidden:
        around = element.getparent()
        while around is not None and around not in known:
            around = around.getparent()
        if around is None:
            yield element


def _hides(declared: Mapping[str, Declared]) -> bool:
    """Whether what is ``declared`` for an element hides it."""
    told = {name: each.value for name, each in declared.items()}
    if any(hides.fullmatch(told.get(name, "-")) for name, hides in _HIDING.items()):
        return True
    short = _FONT.search(f"{told.get('font', '')} ")
    if short and "font-size" not in told and _TINY.fullmatch(short[1]):
        return True
    return _is_cut_away(told) or _is_invisible(told)


def _is_cut_away(told: Mapping[str, str]) -> bool:
    """Whether an element has no size, and what does not fit in it is not shown."""
    is_cut = "hidden" in f"{told.get('overflow', '')} {told.get('overflow-y', '')}"
    return is_cut and any(name in told and _NOTHING.fullmatch(told[name]) for name in _BOXES)


def _is_invisible(told: Mapping[str, str]) -> bool:
    """Whether letters are of no colour, or of that of what they stand on.

    Letters cut out of a picture have none, and are seen.
    """
    colour = told.get("-webkit-text-fill-color") or told.get("color", "")
    if (
        not colour
        or "text" in f"{told.get('background-clip')}{told.get('-webkit-background-clip')}"
    ):
        return False
    behind = [told[name] for name in _BACKGROUNDS if name in told]
    return _CLEAR.fullmatch(colour) is not None or colour in behind or _are_white(colour, *behind)


def _are_white(colour: str, *behind: str) -> bool:
    return bool(behind) and all(map(_WHITE.fullmatch, (colour, *behind)))


def _is_pale(element: Element, declared: Mapping[str, Declared]) -> bool:
    """Whether the letters of ``element`` are said to be white."""
    own = element.get("color", "") if local_name(element) == "font" else ""
    colour = declared["color"].value if "color" in declared else own.strip().lower()
    return _WHITE.fullmatch(colour) is not None


def _is_on_white(element: Element, sheets: StyleSheets) -> bool:
    """Whether neither ``element`` nor anything around it has a background but white."""
    around: Element | None = element
    while around is not None:
        told = sheets.declared_for(around)
        behind = [told[name].value for name in _BACKGROUNDS if name in told]
        behind += [around.get("bgcolor", "").lower(), around.get("background", "")]
        if not all(_NO_BACKGROUND.fullmatch(each) or _WHITE.fullmatch(each) for each in behind):
            return False
        around = around.getparent()
    return True
