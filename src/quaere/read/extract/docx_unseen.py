"""What a Word document does not show: hidden runs, tiny ones, white ones on paper, deleted rows.

A run is hidden by its own properties or by its styles, which take what they do not say themselves
from the styles that they are based on, and at last from the defaults of the document. White letters
are taken for unseen where the document has nothing they could be on: no shading, table, frame or
picture.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Mapping, Sequence

from quaere.read.extract.office import attribute, whole
from quaere.text.markup import Element, drop, elements, local_name

_TINY = 4
"""Half points: letters of two points nobody reads."""
_ORDINARY = 22
_OFF = frozenset({"0", "FALSE", "OFF"})
_WHITE = frozenset({"FFFFFF", "FEFEFE", "FDFDFD", "WHITE"})
_PAPER = frozenset({"", "AUTO", *_WHITE})
_GROUNDS = frozenset({"tc", "tbl", "txbxContent"})
"""What has a ground of its own, or one by its style."""
_BEHIND = elements("//*[local-name()='anchor' and @behindDoc='1'] | //*[local-name()='background']")
_DELETED_ROWS = elements("//*[local-name()='trPr']/*[local-name()='del']/../..")

_Told = Mapping[str, str]
"""What properties say of the letters, by the names that a document has for it."""


def drop_unseen(root: Element, styles: Element | None, headers: Iterable[Element] = ()) -> None:
    """Take the runs out of a part of a document that it does not show.

    Args:
        root: That of the part.
        styles: The root of the styles of the document.
        headers: The roots of what heads its pages, whose pictures may be behind all text.
    """
    for row in _DELETED_ROWS(root):
        drop(row)
    known = _Styles(styles)
    is_plain = not any(map(_BEHIND, (root, *headers)))
    for run in list(root.iter("{*}r")):
        told = known.of(run)
        if told.hide() or (is_plain and told.are_white() and not _is_on_ground(run)):
            drop(run)


class _Letters:
    """How the letters of a run look: by its own properties, its styles and the defaults."""

    def __init__(self, own: _Told, styles: Sequence[_Told], defaults: _Told) -> None:
        self._own, self._styles, self._defaults = own, styles, defaults
        self._all = ChainMap(*map(dict[str, str], (own, *styles, defaults)))

    def hide(self) -> bool:
        """Whether they cannot be seen, whatever they stand on."""
        return self._vanish() or whole(self._all.get("sz", ""), _ORDINARY) <= _TINY

    def are_white(self) -> bool:
        """Whether they are white, and no shading is behind them."""
        return self._all.get("color") in _WHITE and self._all.get("shd", "") in _PAPER

    def _vanish(self) -> bool:
        """Whether they are hidden; of several styles that hide, two show again what one hides."""
        if "vanish" in self._own:
            return _is_on(self._own)
        return _is_on(self._defaults) or sum(map(_is_on, self._styles)) % 2 == 1


class _Styles:
    """The styles of a document."""

    def __init__(self, root: Element | None) -> None:
        found = list(root.iter("{*}style")) if root is not None else []
        defaults = None if root is None else root.find("{*}docDefaults/{*}rPrDefault/{*}rPr")
        self._defaults = _told(defaults)
        self._by_id = {attribute(style, "styleId"): style for style in found}
        self._ordinary = next(map(_id, filter(_is_ordinary, found)), "")
        self._merged: dict[str, _Told] = {"": {}}

    def of(self, run: Element) -> _Letters:
        """Return how the letters of ``run`` look."""
        own, paragraph, table = run.find("{*}rPr"), _around(run, "p"), _around(run, "tbl")
        about = None if paragraph is None else paragraph.find("{*}pPr")
        of_paragraph = _val(about, "{*}pStyle") or self._ordinary
        of_table = _val(table, "{*}tblPr/{*}tblStyle")
        named = (_val(own, "{*}rStyle"), of_paragraph, of_table)
        around = {name: told for name, told in _told(about).items() if name == "shd"}
        return _Letters({**around, **_told(own)}, list(map(self._of, named)), self._defaults)

    def _of(self, name: str) -> _Told:
        """Return what the style ``name`` says, with what those say that it is based on."""
        chain: dict[str, Element] = {}
        while name not in self._merged and name not in chain and name in self._by_id:
            chain[name] = self._by_id[name]
            name = _val(chain[name], "{*}basedOn")
        told = self._merged.get(name, {})
        for each, style in reversed(chain.items()):
            own = (_told(style.find("{*}pPr")), _told(style.find("{*}rPr")))
            told = self._merged[each] = {**told, **own[0], **own[1]}
        return told


def _told(properties: Element | None) -> _Told:
    """Return what ``properties`` of a run, a paragraph or a style say themselves."""
    if properties is None:
        return {}
    told = {
        name: attribute(element, "fill" if name == "shd" else "val").upper()
        for name in ("vanish", "sz", "color", "shd")
        if (element := properties.find(f"{{*}}{name}")) is not None
    }
    return told if properties.find("{*}highlight") is None else {**told, "shd": "HIGHLIGHT"}


def _is_on(told: _Told) -> bool:
    return told.get("vanish", "0") not in _OFF


def _is_ordinary(style: Element) -> bool:
    """Whether ``style`` is that of paragraphs that name none."""
    is_default = attribute(style, "default").upper() not in {"", *_OFF}
    return is_default and attribute(style, "type") == "paragraph"


def _id(style: Element) -> str:
    return attribute(style, "styleId")


def _val(element: Element | None, path: str) -> str:
    return "" if element is None else attribute(element.find(path), "val")


def _is_on_ground(run: Element) -> bool:
    """Whether ``run`` is in something that has a ground of its own."""
    return any(_around(run, name) is not None for name in _GROUNDS)


def _around(element: Element, name: str) -> Element | None:
    """Return the innermost element called ``name`` around ``element``; None where there is none."""
    around = element.getparent()
    while around is not None and local_name(around) != name:
        around = around.getparent()
    return around
