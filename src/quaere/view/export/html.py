"""The long form of a report as one self-contained HTML page, and that page printed to PDF.

No script, no picture, no font and no request: the page's own policy (CSP) allows nothing but its
style sheet, which it names by its hash.
"""

from __future__ import annotations

import base64
import hashlib
import logging
import unicodedata
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from html import escape
from importlib import resources
from itertools import count
from threading import get_ident
from typing import cast

from quaere.errors import UsageError
from quaere.synthesize.wording import counted
from quaere.text.language_detection import detect
from quaere.view.export.document import (
    Block,
    Bullets,
    Code,
    Document,
    Line,
    Marker,
    Paragraph,
    Section,
    Source,
    Table,
    Tone,
    Words,
    runs_leftwards,
)

_TAGS = {Tone.STRONG: "strong", Tone.QUIET: "small", Tone.DOUBT: "em", Tone.CODE: "code"}
_UNSURE = "und"
MOST_COLUMNS = 6
"""Columns of a table that have room side by side on paper as they are."""


def html(document: Document, *, paper: bool = False, notice: str = "") -> str:
    """Return ``document`` as an HTML page.

    Args:
        document: What to show. All of its text is escaped.
        paper: Whether the page is only a step to paper: no hints over the markers, and no links
            to files, which nobody else has.
        notice: What readers of this form must know first.
    """
    return "".join(_Page(document, paper=paper, notice=notice).render())


class _Page:
    """One page in the making."""

    def __init__(self, document: Document, *, paper: bool, notice: str) -> None:
        self._paper, self._notice = paper, notice
        self._hints = count(1)
        self._marked: set[int] = set()
        self._document = document

    def render(self) -> Iterator[str]:
        document = self._document
        style = _style("base", "paper") if self._paper else _style("base", "screen", "paper")
        title = escape(document.title)
        yield _head(title, style, document.language)
        told = f"{_dir(document.title)}{self._lang(document.title)}"
        yield "<body>\n<header>\n"
        if self._notice:
            yield f'<p lang="en" dir="ltr"><strong>{escape(self._notice)}</strong></p>\n'
        yield f"<h1{told}>{title}</h1>\n"
        yield f'<p class="summary">{self._line(document.summary)}</p>\n</header>\n'
        yield f'<nav aria-label="{escape(document.said.contents)}">\n<ul>\n'
        yield from (
            f'<li><a href="#{s.id}">{escape(s.title)}</a></li>\n' for s in document.sections
        )
        yield "</ul>\n</nav>\n<main>\n"
        for section in document.sections:
            yield from self._section(section, 2)
        yield "</main>\n</body>\n</html>\n"

    def _section(self, section: Section, level: int) -> Iterator[str]:
        heading = f"{section.id}-heading"
        title = escape(section.title)
        yield f'<section id="{section.id}" aria-labelledby="{heading}">\n'
        told = f"{_dir(section.title)}{self._lang(section.title)}"
        yield f'<h{level} id="{heading}"{told}>{title}</h{level}>\n'
        sources = [block for block in section.blocks if isinstance(block, Source)]
        for block in section.blocks:
            if not isinstance(block, Source):
                yield from self._block(block, heading)
        if sources:
            yield '<ol class="sources">\n'
            yield from map(self._source, sources)
            yield "</ol>\n"
        for part in section.sections:
            yield from self._section(part, level + 1)
        yield "</section>\n"

    def _block(self, block: Block, heading: str) -> Iterator[str]:
        match block:
            case Paragraph():
                text = _text(block.line)
                yield f"<p{_dir(text)}{self._lang(text)}>{self._line(block.line)}</p>\n"
            case Bullets():
                yield from self._bullets(block)
            case Code():
                yield f"<pre><code>{escape(block.text)}</code></pre>\n"
                yield f'<p class="signs">{self._line(block.signs)}</p>\n'
            case Table():
                yield from self._table(block, heading)
            case Source():
                yield self._source(block)

    def _bullets(self, block: Bullets) -> Iterator[str]:
        tag = "ol" if block.numbered else "ul"
        start = f' start="{block.first}"' if block.first > 1 else ""
        # The marks of its items stand where the list begins.
        turned = _turned("".join(map(_text, block.items)))
        yield f"<{tag}{start}{turned}>\n"
        yield from (f"<li{_dir(_text(i))}>{self._line(i)}</li>\n" for i in block.items)
        yield f"</{tag}>\n"

    def _table(self, table: Table, heading: str) -> Iterator[str]:
        name = (
            f'aria-label="{escape(table.title)}"' if table.title else f'aria-labelledby="{heading}"'
        )
        # A wide table scrolls in a box of its own, which a keyboard has to reach.
        wide = " wide" if len(table.head) > MOST_COLUMNS else ""
        turned = _turned("".join(table.head))
        yield f'<div class="table{wide}" role="group" tabindex="0" {name}>\n<table{turned}>\n'
        if table.title:
            yield f"<caption>{escape(table.title)}</caption>\n"
        heads = "".join(f'<th scope="col"{_turned(h)}>{escape(h)}</th>' for h in table.head)
        yield f"<thead>\n<tr>{heads}</tr>\n</thead>\n<tbody>\n"
        for row in table.rows:
            cells = "".join(f"<td{_dir(_text(cell))}>{self._line(cell)}</td>" for cell in row)
            yield f"<tr>{cells}</tr>\n"
        yield "</tbody>\n</table>\n</div>\n"

    def _source(self, source: Source) -> str:
        href = source.href or ("" if self._paper else source.file)
        title = f"<cite{_dir(source.title)}>{escape(source.title)}</cite>"
        if href:
            title = f'<a href="{escape(href)}" rel="noreferrer noopener">{title}</a>'
        place = (
            f' <span class="place" dir="auto">{escape(source.place)}</span>' if source.place else ""
        )
        back = ""
        if source.number in self._marked and not self._paper:
            label = escape(self._document.said.back.format(number=source.number))
            back = f' <a class="back" href="#cited-{source.number}" aria-label="{label}">↑</a>'
        facts = f'<p class="facts">{escape("; ".join(source.facts))}</p>\n' if source.facts else ""
        number = source.number
        return (
            f'<li id="source-{number}" value="{number}">\n<p>{title}{place}{back}</p>\n'
            f"<blockquote{_dir(source.quote)}{self._lang(source.quote)}>{escape(source.quote)}"
            f"</blockquote>\n{facts}</li>\n"
        )

    def _lang(self, text: str) -> str:
        """Return the attribute that names the language of ``text``, if known and not the page's."""
        language = detect(text)
        is_told = language in {_UNSURE, self._document.language}
        return "" if is_told else f' lang="{language}"'

    def _line(self, line: Line) -> str:
        return "".join(
            self._marker(part) if isinstance(part, Marker) else _toned(part) for part in line
        )

    def _marker(self, marker: Marker) -> str:
        first = "" if marker.number in self._marked else f' id="cited-{marker.number}"'
        self._marked.add(marker.number)
        link = f'<a href="#source-{marker.number}"'
        if self._paper:
            return f'{link} class="marker"{first}>[{marker.number}]</a>'
        hint = f"hint-{next(self._hints)}"
        return (
            f'<span class="marker">{link}{first} aria-describedby="{hint}">[{marker.number}]</a>'
            f'<span class="hint" role="tooltip" id="{hint}">'
            f'<q dir="auto"{self._lang(marker.quote)}>{escape(marker.quote)}</q> '
            f'<cite dir="auto">{escape(marker.source)}</cite></span></span>'
        )


def _toned(part: Words) -> str:
    tag = _TAGS.get(part.tone)
    text = escape(part.text)
    return f"<{tag}>{text}</{tag}>" if tag else text


def _dir(text: str) -> str:
    """Return the attribute that has ``text`` begin at its own side; "auto" is not read on paper."""
    return _turned(text) or ' dir="auto"'


def _turned(text: str) -> str:
    """Return the attribute of what holds ``text`` that runs from the right; else nothing."""
    return ' dir="rtl"' if runs_leftwards(text) else ""


def _text(line: Iterable[Words | Marker]) -> str:
    return "".join(part.text for part in line if isinstance(part, Words))


def _head(title: str, style: str, language: str) -> str:
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta name="referrer" content="no-referrer">\n'
        '<meta name="generator" content="Quaere">\n'
        f"<title>{title}</title>\n<style>{style}</style>\n</head>\n"
    )


@cache
def _style(*names: str) -> str:
    """Return the style sheets ``names``, one after the other."""
    folder = resources.files(__package__ or "") / "style"
    return "".join((folder / f"{name}.css").read_text("utf-8") for name in names)


def pdf(document: Document) -> bytes:
    """Return ``document`` as the bytes of a PDF. Nothing is fetched for it.

    Raises:
        UsageError: when the library, or what it needs of the system, is not installed.
    """
    try:
        from weasyprint import HTML  # noqa: PLC0415 - an extra, and half a second
    except (ImportError, OSError) as error:  # it loads pango when it is imported
        raise UsageError(
            "PDF needs an extra, pip install 'quaere[pdf]', and the library pango of the system "
            "(on Debian: libpango-1.0-0 and libpangoft2-1.0-0)."
        ) from error

    def written(notice: str) -> bytes:
        page = HTML(string=html(document, paper=True, notice=notice), url_fetcher=_refuse)
        write = cast("Callable[..., bytes]", page.write_pdf)  # with no target it returns the file
        # Hints are such as the number that a list begins with; a reader aloud goes by the tags.
        return write(presentational_hints=True, pdf_tags=True)

    with _without_font() as missing:
        paper = written("")
    return written(_boxes(missing)) if missing else paper


@contextmanager
def _without_font() -> Generator[set[str]]:
    """Yield a set that gets each character for which this thread finds no font within.

    WeasyPrint prints a box in its place, and tells nobody but its log.
    """
    missing: set[str] = set()
    us = get_ident()

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.thread == us and isinstance(record.args, tuple) and ".notdef" in record.msg:
                missing.add(str(record.args[0]))

    log, listener = logging.getLogger("weasyprint"), Listener(logging.WARNING)
    log.addHandler(listener)
    try:
        yield missing
    finally:
        log.removeHandler(listener)


def _boxes(missing: set[str]) -> str:
    """Return what stands above a report of which ``missing`` cannot be printed.

    In English: the words of another language may be among what is missing.
    """
    names = (unicodedata.name(letter, "") for letter in missing if letter.isalpha())
    scripts = sorted({name.split()[0] for name in names if name})
    named = f" ({', '.join(scripts)})" if scripts else ""
    return (
        f"The machine that wrote this file has no font for {counted(len(missing), 'character')} of "
        f"this report{named}; boxes are printed in their place. Install a font that has them, such "
        "as those of Noto, or export the report as .html or .docx."
    )


def _refuse(url: str, *_: object, **__: object) -> object:
    """Fetch nothing: the page has all that it needs."""
    del url
    raise ValueError("a report fetches nothing")
