"""Jupyter notebooks: the text, the code and what it printed, with a mark for each cell.

Versions 3 and 4 of the format (https://nbformat.readthedocs.io).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from quaere.domain.source import Page
from quaere.errors import ReadError
from quaere.ports.read import Body, Extractor
from quaere.read.extract.html_text import render, spread_spans
from quaere.read.extract.markdown import MarkdownExtractor, TextExtractor
from quaere.read.extract.page import broken, empty, joined_parts, make_page
from quaere.read.extract.records import Json, JsonExtractor, parse
from quaere.read.extract.unseen import drop_hidden
from quaere.read.formats import Format
from quaere.text.clean import clean_text, decode
from quaere.text.markup import parse_html, raise_figures

MAX_OUTPUT_CHARS = 5_000
"""Of one output: more is a log, or a table that its writer did not mean to show whole."""
_MOST_OUTPUTS = 50
"""Of one cell."""
_MAX_HTML_CHARS = 500_000
_PICTURE = re.compile(r"image/|(?:png|jpeg|svg)$")
"""The type of an output that is one, in either version."""
_LEVELS = range(1, 7)
_BETWEEN = "\n\n"


class NotebookExtractor:
    """Reads notebooks; pictures are left out, and of a long output the end."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the one page of ``body``; what is JSON of another kind is read as that.

        Raises:
            ReadError: ``broken`` when it is not JSON, ``empty`` for a notebook without a word.
        """
        value = _parsed(body)
        cells = _cells(value)
        if cells is None:
            yield from JsonExtractor().extract(body)
            return
        shown = [_shown(body, cell) for cell in cells]
        numbered = enumerate(shown, 1)
        text, marks = joined_parts((f"cell {n}", cell.text) for n, cell in numbered if cell.text)
        if not text:
            raise empty(body)
        told = _fields(_fields(value).get("metadata"))
        yield make_page(
            body,
            Format.NOTEBOOK,
            text,
            title=_joined(told.get("title")) or _first_title(shown),
            marks=marks,
            author=", ".join(_authors(told)),
        )


class _Shown(NamedTuple):
    """What a cell shows."""

    text: str = ""
    title: str = ""
    """That it gives the notebook, if it is the first that gives one."""


def _first_title(shown: Iterable[_Shown]) -> str:
    """Return the title that what is ``shown`` gives the notebook; empty where none does."""
    return next((cell.title for cell in shown if cell.text and cell.title), "")


def _parsed(body: Body) -> Json:
    """Return the value that ``body`` is.

    Raises:
        ReadError: ``broken`` when it is not JSON.
    """
    try:
        return parse(decode(body.data, body.content_type))
    except ValueError as error:
        raise broken(
            body, f"is not a valid notebook: {error}; open it in Jupyter and save it again"
        ) from error


def _cells(value: Json) -> list[Mapping[str, Json]] | None:
    """Return the cells of a notebook; None for any other value."""
    fields = _fields(value)
    held = fields.get("cells")
    if held is None:
        held = _cells_of_sheets(fields.get("worksheets"))
    if not isinstance(held, list) or "nbformat" not in fields:
        return None
    return [cell for cell in held if isinstance(cell, dict)]


def _cells_of_sheets(sheets: Json) -> list[Json] | None:
    """Return the cells of a notebook of version 3, which are on sheets; None without sheets."""
    if not isinstance(sheets, list):
        return None
    return [cell for sheet in sheets for cell in _listed(_fields(sheet).get("cells"))]


def _fields(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, dict) else {}


def _listed(value: Json) -> Sequence[Json]:
    return value if isinstance(value, list) else ()


def _joined(value: Json) -> str:
    """Return a text, which may be a list of its lines."""
    if isinstance(value, list):
        return "".join(line for line in value if isinstance(line, str))
    return value if isinstance(value, str) else ""


def _authors(told: Mapping[str, Json]) -> Iterator[str]:
    for each in _listed(told.get("authors")):
        if name := _joined(each) or _joined(_fields(each).get("name")):
            yield name


def _shown(body: Body, cell: Mapping[str, Json]) -> _Shown:
    kind, source = cell.get("cell_type"), _joined(cell.get("source"))
    if kind == "code":
        return _Shown(_code(body, cell))
    if kind == "heading":
        source = _heading(_joined(cell.get("level")), source)
    page = _read(MarkdownExtractor(), body, source)
    if page is None:
        return _Shown()
    return _Shown(page.text.strip("\n"), page.title if page.text.startswith("#") else "")


def _code(body: Body, cell: Mapping[str, Json]) -> str:
    """Return the code in ``cell`` and what it printed."""
    source = _joined(cell.get("source")) or _joined(cell.get("input"))
    outputs = _listed(cell.get("outputs"))[:_MOST_OUTPUTS]
    printed = (_output(body, each) for each in outputs)
    return _BETWEEN.join(filter(None, [clean_text(source).strip("\n").rstrip(), *printed]))


def _heading(level: str, words: str) -> str:
    """Return a heading of version 3, which has cells for them, as Markdown."""
    return "#" * (int(level) if level in map(str, _LEVELS) else 1) + f" {words.strip()}"


def _read(extractor: Extractor, body: Body, text: str) -> Page | None:
    """Return ``text`` as ``extractor`` reads it; None where it has no words."""
    data = text.encode("utf-8", "replace")
    inner = body.model_copy(update={"data": data, "content_type": "text/plain; charset=utf-8"})
    try:
        return next(iter(extractor.extract(inner)), None)
    except ReadError:
        return None


def _output(body: Body, output: Json) -> str:
    """Return what an output says; pictures and programs for the browser say nothing."""
    fields = _fields(output)
    if fields.get("output_type") in ("error", "pyerr"):
        return _cut(f"{_joined(fields.get('ename'))}: {_joined(fields.get('evalue'))}")
    data = _fields(fields.get("data")) or fields  # version 3 has the types among the others
    has_picture = any(map(_PICTURE.match, data))  # which is shown in the place of plain text
    shown = _SHOWN[:-1] if has_picture else _SHOWN
    texts = (show(body, told) for names, show in shown if (told := _first_of(data, names)))
    return _cut(next(filter(None, texts), ""))


def _first_of(data: Mapping[str, Json], names: Sequence[str]) -> str:
    """Return the first of what has these ``names`` that says anything."""
    return next(filter(None, (_joined(data.get(name)) for name in names)), "")


def _cut(text: str) -> str:
    text = clean_text(text).strip("\n").rstrip()
    if len(text) <= MAX_OUTPUT_CHARS:
        return text
    return text[:MAX_OUTPUT_CHARS].rpartition("\n")[0] or text[:MAX_OUTPUT_CHARS]


def _table(_: Body, html: str) -> str:
    """Return the words of HTML that has a table; other HTML draws, and says less than the text."""
    if "<table" not in html or len(html) > _MAX_HTML_CHARS:
        return ""
    try:
        root = parse_html(clean_text(html))
    except ValueError:
        return ""
    drop_hidden(root)
    raise_figures(root)
    spread_spans(root)
    return render(root)


def _as(extractor: Extractor) -> Callable[[Body, str], str]:
    """Return what shows a text as ``extractor`` reads it."""

    def shown(body: Body, text: str) -> str:
        page = _read(extractor, body, _cut(text))
        return page.text if page else ""

    return shown


_SHOWN: Sequence[tuple[Sequence[str], Callable[[Body, str], str]]] = (
    (("text/html", "html"), _table),
    (("text/markdown",), _as(MarkdownExtractor())),
    (("text/plain", "text"), _as(TextExtractor())),
)
"""The types of an output, the best first, and what shows them."""
