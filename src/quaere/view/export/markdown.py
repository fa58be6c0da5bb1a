"""The long form of a report as Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from quaere.synthesize.inert import escaped, escaped_cell
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
)


def long_markdown(document: Document) -> str:
    """Return ``document`` as CommonMark with tables, ended by a line break.

    Whatever a source says renders as text; the only links are those of the sources.
    """
    blocks = [f"# {escaped(document.title)}", _line(document.summary)]
    for section in document.sections:
        blocks += _section(section, 2)
    return "\n\n".join(blocks) + "\n"


def _section(section: Section, level: int) -> Iterator[str]:
    yield f"{'#' * level} {escaped(section.title)}"
    for block in section.blocks:
        yield _block(block)
    for part in section.sections:
        yield from _section(part, level + 1)


def _block(block: Block) -> str:
    match block:
        case Paragraph():
            return _line(block.line)
        case Bullets():
            return "\n".join(
                f"{f'{number}.' if block.numbered else '-'} {_line(item)}"
                for number, item in enumerate(block.items, block.first)
            )
        case Code():
            return f"```\n{block.text}\n```\n{_line(block.signs)}"
        case Table():
            return _table(block)
        case Source():
            return _source(block)


def _line(line: Line) -> str:
    """Return ``line`` on one line of Markdown.

    Neighbouring words are escaped as one: what is harmless in the middle may start a list.
    """
    return escaped(_written(line), markers=True)


def _written(line: Line) -> str:
    return "".join(
        f"[{part.number}]" if isinstance(part, Marker) else _with_marks(part) for part in line
    )


def _with_marks(words: Words) -> str:
    mark = {Tone.CODE: "`", Tone.STRONG: "**"}.get(words.tone, "")
    return f"{mark}{words.text}{mark}"


def _table(table: Table) -> str:
    head = f"| {' | '.join(escaped_cell(each, markers=True) for each in table.head)} |"
    rule = f"| {' | '.join('---' for _ in table.head)} |"
    rows = (f"| {' | '.join(map(_cell, row))} |" for row in table.rows)
    title = (f"*{table.title}*", "") if table.title else ()
    return "\n".join((*title, head, rule, *rows))


def _cell(line: Line) -> str:
    return escaped_cell(_written(line), markers=True)


def _source(source: Source) -> str:
    title = escaped(source.title)
    head = f"[{title}](<{source.href}>)" if source.href else title
    where = ", ".join(filter(None, (head, escaped(source.place))))
    # Two blanks more than the number has digits: what follows belongs to the list item.
    indent = " " * (len(str(source.number)) + 2)
    facts = f"\n\n{indent}{escaped('; '.join(source.facts))}" if source.facts else ""
    return f"{source.number}. {where}\n\n{indent}> {escaped(source.quote)}{facts}"
