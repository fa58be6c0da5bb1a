"""An audit as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from quaere.audit.verdict import Audit, CheckedSentence, CheckedSource
from quaere.audit.wording import NO_CITATIONS, VERDICTS, figures, share, source_name, where
from quaere.synthesize.inert import escaped, link, plain


def audit_markdown(audit: Audit, *, name: str) -> str:
    """Return ``audit`` of the text called ``name`` as CommonMark with tables.

    What the text and its sources say renders as text; the only links are those to ``http`` and
    ``https`` addresses of sources.
    """
    sentences = [_sentence(sentence, audit) for sentence in audit.sentences]
    sources = [_source(source) for source in audit.sources]
    blocks = [
        f"# Check of {_text(name)}",
        "" if audit.summary.cited else NO_CITATIONS,
        _table(("What", "How many"), figures(audit.summary)),
        "## Sentences" if sentences else "",
        _table(("Line", "Verdict", "Likely", "Sentence", "Nearest words", "Note"), sentences),
        "## Sources" if sources else "",
        _table(("Number", "Status", "Source", "Reason"), sources),
        "## Warnings" if audit.warnings else "",
        "\n".join(f"- {_text(warning.message)}" for warning in audit.warnings),
    ]
    return "\n\n".join(filter(None, blocks)) + "\n"


def _sentence(sentence: CheckedSentence, audit: Audit) -> Sequence[str]:
    place = sentence.place
    nearest = f"“{_text(place.text)}” ({_text(where(place, audit))})" if place else ""
    return (
        str(sentence.line),
        VERDICTS[sentence.verdict],
        share(sentence.probability),
        _text(sentence.text),
        nearest,
        _text(sentence.note),
    )


def _source(source: CheckedSource) -> Sequence[str]:
    name, href = _text(source_name(source)), link(source.address)
    shown = f"[{name}](<{href}>)" if href else name
    moved = source.url and source.url != source.address and source.address.startswith("http")
    read = f"read at {source.url}" if moved else ""
    return str(source.number), source.status.value, shown, _text(source.reason or read)


def _text(text: str) -> str:
    return escaped(plain(text))


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    if not lines:
        return ""
    return "\n".join((f"| {' | '.join(head)} |", f"| {' | '.join('---' for _ in head)} |", *lines))
