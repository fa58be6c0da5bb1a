"""What a browser does not show of a page: written for machines, maybe to tell a model what to do.

That is what an attribute, its own style or a style sheet in the page hides: not shown at all, moved
off the screen, cut away, or in letters too small or too pale to be seen. What another file or a
script hides is not known here. Something of no opacity is left: many pages fade in so. So is what
a reader can open: the answers of a list of questions, the panels below tabs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import chain

from quaere.read.extract.style_sheets import Declared, StyleSheets, declarations, keys_of
from quaere.text.markup import Element, drop, elements, local_name, number, texts

_OFF = r"-(?:\d{4,}|999)(?:\.\d+)?(?:px|pt|r?em|%)?|-\d{3,}(?:\.\d+)?(?:v[wh]|vmin|vmax|r?em)"
_OFFSET = re.compile(rf"(?:{_OFF})")
_OFFSETS = re.compile(rf"(?:.*\s)?(?:{_OFF})(?:\s.*)?")
_NOTHING = re.compile(r"[+-]?(?:0+\.?0*|\.0+)(?:[a-z]+|%)?")
_TINY = re.compile(
    r"(?:0*(?:[0-2](?:\.\d*)?|\.\d+)(?:px|pt)?|0*\.[01]\d*em|0*\.0\d*rem|(?:\d|1\d)(?:\.\d*)?%)(?:\s*/.*)?"
)
"""Sizes of letters that nobody can read: up to two pixels, or a fifth of the letters around.

Those of the page itself, which ``rem`` counts by, are a hundred pixels large on some pages."""
_HIDING = {
    "display": re.compile(r"none"),
    "visibility": re.compile(r"hidden|collapse"),
    "content-visibility": re.compile(r"hidden"),
    "left": _OFFSET,
    "right": _OFFSET,
    "top": _OFFSET,
    "bottom": _OFFSET,
    "inset": _OFFSETS,
    "translate": _OFFSETS,
    "scale": re.compile(r"0*\.?0+%?(?:\s.*)?"),
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
_SIZE = re.compile(r"[\d.]+(?:px|pt|pc|mm|cm|in|rem|v\w+)|.*(?:small|medium|large|\))")
"""A size of letters that does not depend on that of the letters around."""
_COLOURS = ("color", "-webkit-text-fill-color")
_SIZES, _VISIBILITY = ("font-size", "font"), ("visibility",)
_BOXES = ("height", "max-height", "width", "max-width")
_BACKGROUNDS = ("background", "background-color", "background-image")
_CUTS = re.compile(r"hidden|clip")
_UNTOLD = re.compile(r"inherit|initial|unset|revert|currentcolor")
_NO_BACKGROUND = re.compile(r"(?:none|transparent|initial|inherit|unset|)")
_HARDLY_THERE = re.compile(r"rgba?\([^)]*[,/]\s*0?\.\d+\s*\)|rgba?\([^)]*/\s*\d\d?%\s*\)")
"""A colour through which what is behind is seen."""
_WHITE = re.compile(
    r"white|snow|#f[c-f]?f[c-f]?f[c-f]?(?:ff?)?|rgba?\(\s*25[2-5]\s*,?\s*25[2-5]\s*,?\s*25[2-5]\b.*"
    r"|hsla?\([^,%\s]+[,\s]+[\d.]+%?[,\s]+(?:99|100)(?:\.\d+)?%?\s*\)"
)
_CLEAR = re.compile(
    r"transparent|(?:rgb|hsl)a?\([^)]*[,/]\s*0?\.?0+%?\s*\)|#(?:[0-9a-f]{3}0|[0-9a-f]{6}00)"
)
_INHERITED: Sequence[Sequence[str]] = (_SIZES, _VISIBILITY, (*_COLOURS, *_BACKGROUNDS))
"""What is inherited, so that something within what is hidden by it can be shown again."""
_PROPERTIES = frozenset(
    (
        *(
            *_HIDING,
            *_BOXES,
            *_BACKGROUNDS,
            *_COLOURS,
            "font",
            "font-size",
            "overflow",
            "overflow-y",
        ),
        *("background-clip", "-webkit-background-clip"),
        *("position", "text-overflow", "transition"),
    )
)
_SHOWN = "shown"
_FOUND_OR_SHOWN = (_SHOWN, "until-found")
_NEVER_SHOWN = frozenset({"template", "noframes", "noembed"})
"""What is there for scripts, or for browsers of long ago."""
_SHEETS = texts(
    "//style[not(ancestor::noscript) and (not(@media) or @media='all' or @media='screen')]/text()"
)
_LINKED = elements("//link[contains(concat(' ', @rel, ' '), 'stylesheet')]")
_ALL = elements("//body//*")
_PICTURES = elements(".//img | .//picture | .//video | .//svg | .//canvas")
_OPENED = texts("//*[@aria-controls and (@aria-expanded or @role='tab')]/@aria-controls")
_LENGTH = number("string-length(normalize-space(.))")
_MOST_HIDDEN = 0.5
"""Share of a page beyond which what a style sheet hides is the page itself: a script shows it."""


def drop_hidden(root: Element) -> None:
    """Take out of the page under ``root`` what a browser does not show."""
    page = _Page.of(root)
    for element in _ALL(root):
        if page.hides_itself(element):
            page.take_out(element)
    hidden = [each for each in _ALL(root) if page.hides(each)]
    whole = sum(map(_LENGTH, elements("//body")(root)))
    if sum(map(_LENGTH, _outermost(hidden))) <= _MOST_HIDDEN * whole:
        for element in hidden:
            page.take_out(element)


@dataclass(frozen=True, slots=True)
class _Page:
    sheets: StyleSheets
    hiding: StyleSheets
    """Those rules of them that may have a part in hiding something."""
    behind: AbstractSet[str]
    """All backgrounds that they give."""
    opened: AbstractSet[str]
    """The ids of what its controls open."""
    knows_colours: bool

    @classmethod
    def of(cls, root: Element) -> _Page:
        keys = keys_of(root)
        sheets = StyleSheets(keys, frozenset(chain.from_iterable(keys.values())))
        for sheet in _SHEETS(root):
            sheets.add(sheet, _PROPERTIES)
        opened = frozenset(name for each in _OPENED(root) for name in each.split())
        behind = sheets.values_of(_BACKGROUNDS)
        hiding = sheets.among(lambda declared: _may_hide(_told(declared), behind))
        return cls(sheets, hiding, behind, opened, knows_colours=not _LINKED(root))

    def hides_itself(self, element: Element) -> bool:
        """Whether ``element`` says itself that it is not to be shown, and nobody can open it."""
        if self._opens(element):
            return False
        if _is_marked(element):
            return True
        style = element.get("style", "")
        return bool(style) and _hides(_told(declarations(style)))

    def hides(self, element: Element) -> bool:
        """Whether style sheets hide ``element`` in any state, or it is known to be white on white.

        What they hide until a reader does something is not hidden.
        """
        return (
            self._may_hide(element)
            and not self._opens(element)
            and self._hides_as(element, in_any_state=False)
            and self._hides_as(element, in_any_state=True)
        )

    def _may_hide(self, element: Element) -> bool:
        """Whether anything said of ``element`` may have a part in hiding it: of most is nothing."""
        style = element.get("style", "")
        if style and ("background" in style or _may_hide(_told(declarations(style)), self.behind)):
            return True
        is_white = bool(element.get("color", "")) and _is_pale(element, {})
        return is_white or self.hiding.say_something_of(element)

    def take_out(self, element: Element) -> None:
        """Take out ``element``, but not what in it is shown again."""
        told = self._told(element)
        ways = self._ways_hidden(element, told)
        others = told.keys() - set(chain.from_iterable(_INHERITED))
        if not ways or _is_marked(element) or _hides(_only(told, others)):
            drop(element)
            return
        unseen = [element]
        while unseen:
            around = unseen.pop()
            around.text = None
            for each in around:
                each.tail = None
                if not self._shows_again(each, ways):
                    unseen.append(each)

    def _shows_again(self, element: Element, ways: Iterable[Sequence[str]]) -> bool:
        """Whether ``element`` contradicts all ``ways`` in which it would be hidden."""
        told = self._told(element)
        return not _hides(told) and all(_shows(told, way) for way in ways)

    def _opens(self, element: Element) -> bool:
        return element.get("role") == "tabpanel" or element.get("id", "") in self.opened

    def _hides_as(self, element: Element, *, in_any_state: bool) -> bool:
        told = self._told(element, in_any_state=in_any_state)
        if _hides(told):
            return True
        is_pale = self.knows_colours and _is_pale(element, told)
        return is_pale and self._is_on_white(element, in_any_state=in_any_state)

    def _ways_hidden(self, element: Element, told: Mapping[str, str]) -> list[Sequence[str]]:
        """Return the ways in which ``element`` is hidden, of those that are inherited."""
        ways = [way for way in _INHERITED if _hides(_only(told, way))]
        if self.knows_colours and _is_pale(element, told):
            ways.append(_INHERITED[-1])
        return ways

    def _is_on_white(self, element: Element, *, in_any_state: bool) -> bool:
        """Whether neither ``element`` nor anything around it has a background but white.

        A picture that something is laid over may be one.
        """
        around: Element | None = element
        while around is not None:
            told = self._told(around, in_any_state=in_any_state)
            behind = [told[name] for name in _BACKGROUNDS if name in told]
            behind += [around.get("bgcolor", "").lower(), around.get("background", "")]
            if not all(_NO_BACKGROUND.fullmatch(each) or _WHITE.fullmatch(each) for each in behind):
                return False
            if told.get("position", "static") != "static" and _PICTURES(around):
                return False
            around = around.getparent()
        return True

    def _told(self, element: Element, *, in_any_state: bool = False) -> dict[str, str]:
        return _told(self.sheets.declared_for(element, in_any_state=in_any_state))


def _outermost(hidden: Sequence[Element]) -> Iterator[Element]:
    """Yield those of ``hidden``, in the order of the page, that are in no other one."""
    known = set(hidden)
    for element in hidden:
        around = element.getparent()
        while around is not None and around not in known:
            around = around.getparent()
        if around is None:
            yield element


def _is_marked(element: Element) -> bool:
    """Whether ``element`` is not shown by what it is, whatever its style."""
    is_tooltip = element.get("role") == "tooltip"  # shown over what it explains, when pointed at
    is_hidden = element.get("hidden", _SHOWN) not in _FOUND_OR_SHOWN
    is_closed = local_name(element) == "dialog" and element.get("open", _SHOWN) == _SHOWN
    return is_tooltip or is_hidden or is_closed or local_name(element) in _NEVER_SHOWN


def _told(declared: Mapping[str, Declared]) -> dict[str, str]:
    return {name: each.value for name, each in declared.items()}


def _only(told: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    return {name: told[name] for name in names if name in told}


def _shows(told: Mapping[str, str], way: Sequence[str]) -> bool:
    """Whether what is ``told`` of an element contradicts what it would inherit of ``way``."""
    if way is _SIZES:
        return _SIZE.match(_size(told)) is not None
    if way is _VISIBILITY:
        return told.get("visibility") == "visible"
    plain = (_UNTOLD, _NO_BACKGROUND, _CLEAR, _WHITE)
    return any(
        not any(form.fullmatch(colour) for form in plain) for colour in _only(told, way).values()
    )


def _size(told: Mapping[str, str]) -> str:
    short = _FONT.search(f"{told.get('font', '')} ")
    return told.get("font-size") or (short[1] if short else "")


def _hides(told: Mapping[str, str]) -> bool:
    """Whether what is ``told`` of an element hides it."""
    if any(hides.fullmatch(told.get(name, "-")) for name, hides in _HIDING.items()):
        return True
    return _TINY.fullmatch(_size(told)) is not None or _is_cut_away(told) or _is_invisible(told)


def _may_hide(told: Mapping[str, str], behind: AbstractSet[str]) -> bool:
    """Whether what is ``told`` hides something, or may with what another rule says.

    Args:
        told: What one rule says.
        behind: All backgrounds that rules give.
    """
    if _CUTS.search(f"{told.get('overflow', '')} {told.get('overflow-y', '')}") or _hides(told):
        return True
    colours = _only(told, _COLOURS).values()
    return any(each in behind or _WHITE.fullmatch(each) for each in colours)


def _is_cut_away(told: Mapping[str, str]) -> bool:
    """Whether an element has no size, and what does not fit in it is not shown.

    It has one where that changes slowly, which is how panels open, and in a column of a table
    that takes only the width that is left for it.
    """
    is_cut = _CUTS.search(f"{told.get('overflow', '')} {told.get('overflow-y', '')}") is not None
    grows = "height" in told.get("transition", "") or "ellipsis" in told.get("text-overflow", "")
    return is_cut and not grows and any(map(_NOTHING.fullmatch, _only(told, _BOXES).values()))


def _is_invisible(told: Mapping[str, str]) -> bool:
    """Whether letters are of no colour, or of that of what they stand on.

    Letters cut out of a picture have none, and are seen.
    """
    colour = told.get("-webkit-text-fill-color") or told.get("color", "")
    clip = f"{told.get('background-clip')}{told.get('-webkit-background-clip')}"
    if not colour or _UNTOLD.fullmatch(colour) or "text" in clip:
        return False
    behind = list(_only(told, _BACKGROUNDS).values())
    return _CLEAR.fullmatch(colour) is not None or colour in behind or _are_white(colour, *behind)


def _are_white(colour: str, *behind: str) -> bool:
    if not behind or any(map(_HARDLY_THERE.fullmatch, behind)):
        return False
    return all(map(_WHITE.fullmatch, (colour, *behind)))


def _is_pale(element: Element, told: Mapping[str, str]) -> bool:
    """Whether the letters of ``element`` are said to be white."""
    own = element.get("color", "") if local_name(element) == "font" else ""
    return _WHITE.fullmatch(told.get("color", own.strip().lower())) is not None
