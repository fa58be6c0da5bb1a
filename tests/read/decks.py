"""Builds small PowerPoint presentations, part by part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

from tests.read.workbooks import zipped

_SPACES = (
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
    'xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
)
SIZE = '<p:sldSz cx="9144000" cy="6858000"/>'
"""Ten inches by seven and a half."""
_KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def shape(
    paragraphs: Sequence[str] | str,
    *,
    place: str = "",
    at: tuple[int, int] | None = None,
    hidden: bool = False,
) -> str:
    """Return a shape.

    Args:
        paragraphs: Its words, or the XML of its paragraphs.
        place: What tells which place of the layout it fills: 'type="title"', 'idx="1"'.
        at: How far it is from the left and from the top, in inches; it is one inch high.
        hidden: Whether it is not shown.
    """
    xml = paragraphs if isinstance(paragraphs, str) else "".join(map(paragraph, paragraphs))
    filled = f"<p:ph {place}/>" if place else ""
    shown = ' hidden="1"' if hidden else ""
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"{shown}/><p:cNvSpPr/><p:nvPr>{filled}</p:nvPr>'
        f"</p:nvSpPr><p:spPr>{_box(at)}</p:spPr><p:txBody><a:bodyPr/><a:lstStyle/>{xml}"
        "</p:txBody></p:sp>"
    )


def paragraph(text: str, *, about: str = "") -> str:
    """Return a paragraph; ``about`` is the XML of what is told of it."""
    return f"<a:p>{about}<a:r><a:t>{escape(text)}</a:t></a:r></a:p>"


def group(shapes: str, *, at: tuple[int, int]) -> str:
    """Return a group of ``shapes``."""
    return (
        '<p:grpSp><p:nvGrpSpPr><p:cNvPr id="3" name="x"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>'
        f"<p:grpSpPr>{_box(at)}</p:grpSpPr>{shapes}</p:grpSp>"
    )


def frame(graphic: str) -> str:
    """Return what a table, a chart or a diagram is in."""
    return (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="x"/><p:cNvGraphicFramePr/>'
        f"<p:nvPr/></p:nvGraphicFramePr><p:xfrm/><a:graphic><a:graphicData>{graphic}"
        "</a:graphicData></a:graphic></p:graphicFrame>"
    )


def table(rows: Sequence[Sequence[str]]) -> str:
    """Return a table; a cell ``^`` goes on from the one above it, ``<`` from the one before it."""
    merged = {"^": ' vMerge="1"', "<": ' hMerge="1"'}
    cells = (
        "".join(
            f"<a:tc{merged.get(cell, '')}><a:txBody>{paragraph('' if cell in merged else cell)}"
            "</a:txBody></a:tc>"
            for cell in row
        )
        for row in rows
    )
    return frame(f"<a:tbl>{''.join(f'<a:tr>{each}</a:tr>' for each in cells)}</a:tbl>")


def _box(at: tuple[int, int] | None) -> str:
    inch = 914_400
    place = at and f'<a:off x="{at[0] * inch}" y="{at[1] * inch}"/><a:ext cx="9" cy="{inch}"/>'
    return f"<a:xfrm>{place}</a:xfrm>" if place else ""


def deck(
    slides: Sequence[str],
    *,
    notes: Mapping[int, str] = {},
    hidden: Sequence[int] = (),
    parts: Mapping[str, str] = {},
    title: str = "",
    first: int = 1,
    size: str = SIZE,
) -> bytes:
    """Return a presentation whose first slide has the number ``first``.

    The bodies of its layout have bullets, but for those of the place 9. Its slides are named in
    another order than they are shown in.

    Args:
        slides: The XML of the shapes on each.
        notes: The shapes on the notes of some of them, by place from 0.
        hidden: The places of those that are not shown.
        parts: The content of further parts by name; each slide names all of them.
        title: Its own title.
        first: The number of its first slide.
        size: The XML of the size of its slides.
    """
    made: dict[str, str] = {}
    listed, links = list[str](), list[str]()
    for at, shapes in enumerate(slides):
        name = f"slide{len(slides) - at}"
        kept = ' show="0"' if at in hidden else ""
        made[f"ppt/slides/{name}.xml"] = _tree(f"p:sld{kept}", shapes)
        own = [("slideLayout", "../slideLayouts/one.xml")]
        own += [(part.partition("/")[0], f"../{part}") for part in parts]
        if at in notes:
            made[f"ppt/notesSlides/{name}.xml"] = _tree("p:notes", notes[at])
            own.append(("notesSlide", f"/ppt/notesSlides/{name}.xml"))
        made[f"ppt/slides/_rels/{name}.xml.rels"] = _links(own)
        listed.append(f'<p:sldId id="{256 + at}" r:id="r{at}"/>')
        links.append(f"slides/{name}.xml")
    sections = "".join(f'<p14:sldId id="{256 + at}"/>' for at in range(len(slides)))
    main = (
        f"<p:sldIdLst>{''.join(listed)}</p:sldIdLst><p:extLst><p14:sectionLst><p14:section>"
        f"<p14:sldIdLst>{sections}</p14:sldIdLst></p14:section></p14:sectionLst></p:extLst>"
    )
    made["ppt/presentation.xml"] = (
        f'<p:presentation {_SPACES} firstSlideNum="{first}">{main}{size}</p:presentation>'
    )
    made["ppt/_rels/presentation.xml.rels"] = _links([("slide", link) for link in links])
    plain = shape("", place='type="body" idx="9"').replace(
        "<a:lstStyle/>", "<a:lstStyle><a:lvl1pPr><a:buNone/></a:lvl1pPr></a:lstStyle>"
    )
    made["ppt/slideLayouts/one.xml"] = _tree("p:sldLayout", plain)
    made["ppt/slideLayouts/_rels/one.xml.rels"] = _links([("slideMaster", "../master.xml")])
    bullets = "".join(
        f'<a:lvl{n}pPr><a:buFont typeface="Arial"/><a:buChar char="•"/></a:lvl{n}pPr>'
        for n in (1, 2)
    )
    made["ppt/master.xml"] = (
        f"<p:sldMaster {_SPACES}><p:txStyles><p:bodyStyle>{bullets}</p:bodyStyle></p:txStyles>"
        "</p:sldMaster>"
    )
    made["docProps/core.xml"] = (
        f'<cp:coreProperties xmlns:cp="c" xmlns:dc="d"><dc:title>{escape(title)}</dc:title>'
        "<dc:creator>Mara Lind</dc:creator></cp:coreProperties>"
    )
    made.update(
        (f"ppt/{name}", content.replace("SPACES", _SPACES)) for name, content in parts.items()
    )
    return zipped(made)


def _tree(tag: str, shapes: str) -> str:
    name = tag.partition(" ")[0]
    return f"<{tag} {_SPACES}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></{name}>"


def _links(links: Sequence[tuple[str, str]]) -> str:
    told = "".join(
        f'<Relationship Id="r{at}" Type="{_KINDS}/{kind}" Target={quoteattr(target)}/>'
        for at, (kind, target) in enumerate(links)
    )
    space = "http://schemas.openxmlformats.org/package/2006/relationships"
    return f'<Relationships xmlns="{space}">{told}</Relationships>'
