"""What a Word document does not show: hidden runs, tiny ones, and white ones on white paper.

A run is hidden by its own properties or by a style. White letters are taken for unseen where
the document has nothing they could be on: no shading, table, frame or picture.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet

from quaere.read.extract.markup import Element, drop, elements, local_name
from quaere.read.extract.office import attribute, whole

_TINY = 4
"""Half points: letters of two points nobody reads."""
_ORDINARY = 22
_OFF = frozenset({"0", "false", "off"})
_WHITE = frozenset({"FFFFFF", "FEFEFE", "FDFDFD", "WHITE"})
_PAPER = frozenset({"", "AUTO", *_WHITE})
_GROUNDS = frozenset({"tc", "tbl", "txbxContent"})
"""What has a ground of its own, or one by its style."""
_BEHIND = elements("//*[local-name()='anchor' and @behindDoc='1'] | //*[local-name()='background']")


def drop_unseen(root: Element, styles: Element | None) -> None:
    """Take the runs out of a part of a document that it does not show.

    Args:
        root: That of the part.
        styles: The root of the styles of the document.
    """
    found = list(styles.iter("{*}style")) if styles is not None else []
    vanishing = _ids(found, lambda style: _vanishes(style.find("{*}rPr")))
    tiny = _ids(found, lambda style: _is_tiny(style.find("{*}rPr")))
    shaded = _ids(found, _is_shaded)
    is_plain = not _BEHIND(root)
    for run in list(root.iter("{*}r")):
        if _is_hidden(run, vanishing, tiny) or (
            is_plain and _is_white(run) and _is_on_paper(run, shaded)
        ):
            drop(run)


def _ids(styles: Iterable[Element], has_it: Callable[[Element], bool]) -> set[str]:
    return {_id(style) for style in styles if has_it(style)}


def _is_hidden(run: Element, vanishing: AbstractSet[str], tiny: AbstractSet[str]) -> bool:
    """Whether ``run`` is hidden or tiny: what it says itself counts, and else its styles."""
    own = run.find("{*}rPr")
    if _vanishes(own) or _is_tiny(own):
        return True
    by_style = set[str]()
    if not _sets(own, "{*}vanish"):
        by_style |= vanishing
    if not _sets(own, "{*}sz"):
        by_style |= tiny
    return bool(by_style and by_style & _styles_of(run))


def _sets(properties: Element | None, name: str) -> bool:
    return properties is not None and properties.find(name) is not None


def _id(style: Element) -> str:
    return attribute(style, "styleId")


def _styles_of(run: Element) -> set[str]:
    """Return the ids of the styles of ``run`` and of its paragraph."""
    paragraph = _around(run, "p")
    style = None if paragraph is None else paragraph.find("{*}pPr/{*}pStyle")
    return {attribute(run.find("{*}rPr/{*}rStyle"), "val"), attribute(style, "val")} - {""}


def _vanishes(properties: Element | None) -> bool:
    """Whether these ``properties`` of runs hide them."""
    vanish = None if properties is None else properties.find("{*}vanish")
    return vanish is not None and attribute(vanish, "val") not in _OFF


def _is_tiny(properties: Element | None) -> bool:
    """Whether these ``properties`` of runs make their letters tiny."""
    size = None if properties is None else properties.find("{*}sz")
    return whole(attribute(size, "val"), _ORDINARY) <= _TINY


def _is_white(run: Element) -> bool:
    return attribute(run.find("{*}rPr/{*}color"), "val").upper() in _WHITE


def _is_on_paper(run: Element, shaded: AbstractSet[str]) -> bool:
    """Whether ``run`` is on nothing but the page."""
    own = run.find("{*}rPr/{*}highlight") is not None or _is_shaded(run)
    if own or not shaded.isdisjoint(_styles_of(run)):
        return False
    paragraph = _around(run, "p")
    if paragraph is not None and _is_shaded(paragraph):
        return False
    return not any(_around(run, name) is not None for name in _GROUNDS)


def _is_shaded(element: Element) -> bool:
    """Whether ``element``, a style, a paragraph or a run, says itself that it has a ground."""
    grounds = (element.find(f"{{*}}{name}/{{*}}shd") for name in ("rPr", "pPr"))
    return any(attribute(each, "fill").upper() not in _PAPER for each in grounds)


def _around(element: Element, name: str) -> Element | None:
    """Return the innermost element called ``name`` around ``element``; None where there is none."""
    around = element.getparent()
    while around is not None and local_name(around) != name:
        around = around.getparent()
    return around
