"""Jupyter notebooks: the text, the code and what it printed, with a mark for each cell.

Versions 3 and 4 of the format (https://nbformat.readthedocs.io).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from quaere.domain.source import Mark, Page
from quaere.errors import ReadError
from quaere.ports.read import Body, Extractor
from quaere.read.clean import clean_text, decode
from quaere.read.extract.html_text import render, spread_spans
from quaere.read.extract.markdown import MarkdownExtractor, TextExtractor
from quaere.read.extract.markup import parse_html
from quaere.read.extract.page import broken, empty, make_page
from quaere.read.extract.records import Json, JsonExtractor, parse
from quaere.read.formats import Format

MAX_OUTPUT_CHARS = 5_000
"""Of one output: more is a log, or a table that its writer did not mean to show whole."""
_MOST_OUTPUTS = 50
"""Of one cell."""
_MAX_HTML_CHARS = 500_000
_LEVELS = range(1, 7)
_BETWEEN = "\n\n"


class NotebookExtractor:
    """Reads notebooks; pictures are left out, and of a long output the end."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield the one page of ``body``; what is JSON of another kind is read as that.

        Raises:
            ReadError: ``broken`` when it is not JSON, ``empty`` for a notebook without a word.
        """
        try:
            value = parse(decode(body.data, body.content_type))
        except ValueError as error:
            raise broken(
                body, f"is not a valid notebook: {error}; open it in Jupyter and save it again"
            ) from error
        cells = _cells(value)
        if cells is None or not isinstance(value, dict):
            yield from JsonExtractor().extract(body)
            return
        text, title = "", ""
        pieces: list[str] = []
        marks: list[Mark] = []
        length = 0
        for number, cell in enumerate(cells, 1):
            text, headline = _shown(body, cell)
            if not text:
                continue
            title = title or headline
            marks.append(Mark(start=length, label=f"cell {number}"))
            pieces.append(text)
            length += len(text) + len(_BETWEEN)
        if not pieces:
            raise empty(body)
        told = _fields(value.get("metadata"))
        yield make_page(
            body,
            Format.NOTEBOOK,
            _BETWEEN.join(pieces),
            title=_joined(told.get("title")) or title,
            marks=marks,
            author=", ".join(_authors(told)),
        )


def _cells(value: Json) -> list[Mapping[str, Json]] | None:
    """Return the cells of a notebook; None for any other value."""
    fields = _fields(value)
    held = fields.get("cells")
    if held is None and isinstance(sheets := fields.get("worksheets"), list):  # version 3
        lists = (_fields(sheet).get("cells") for sheet in sheets)
        held = [cell for each in lists if isinstance(each, list) for cell in each]
    if not isinstance(held, list) or "nbformat" not in fields:
        return None
    return [cell for cell in held if isinstance(cell, dict)]


def _fields(value: Json) -> Mapping[str, Json]:
    return value if isinstance(value, dict) else {}


def _joined(value: Json) -> str:
    """Return a text, which may be a list of its lines."""
    if isinstance(value, list):
        return "".join(line for line in value if isinstance(line, str))
    return value if isinstance(value, str) else ""


def _authors(told: Mapping[str, Json]) -> Iterator[str]:
    listed = told.get("authors")
    for each in listed if isinstance(listed, list) else ():
        if name := _joined(each) or _joined(_fields(each).get("name")):
            yield name


def _shown(body: Body, cell: Mapping[str, Json]) -> tuple[str, str]:
    """Return the text of ``cell``, and the title that it gives the notebook, if it is the first."""
    kind, source = cell.get("cell_type"), _joined(cell.get("source"))
    if kind == "code":
        source = clean_text(source or _joined(cell.get("input"))).strip("\n").rstrip()
        outputs = cell.get("outputs")
        listed = outputs[:_MOST_OUTPUTS] if isinstance(outputs, list) else ()
        shown = (_output(body, each) for each in listed)
        return _BETWEEN.join(filter(None, [source, *shown])), ""
    if kind == "heading":  # version 3
        level = _joined(cell.get("level"))
        source = "#" * (int(level) if level in map(str, _LEVELS) else 1) + f" {source.strip()}"
    page = _read(MarkdownExtractor(), body, source)
    if page is None:
        return "", ""
    return page.text.strip("\n"), page.title if page.text.startswith("#") else ""


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
    if fields.get("output_type") == "error" or fields.get("output_type") == "pyerr":
        return _cut(f"{_joined(fields.get('ename'))}: {_joined(fields.get('evalue'))}")
    data = _fields(fields.get("data")) or fields  # version 3 has the types among the others
    for names, show in _SHOWN:
        told = next(filter(None, (_joined(data.get(name)) for name in names)), "")
        if text := show(body, told) if told else "":
            return _cut(text)
    return ""


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
