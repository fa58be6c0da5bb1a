"""An audit in words, and as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from quaere.domain.audit import Audit, CheckedSentence, CheckedSource, Place, Summary
from quaere.domain.report import WORDING_DIFFERS, Support
from quaere.synthesize.inert import link, literal
from quaere.synthesize.wording import CHECKERS, VERDICTS, location, verdict_name

NO_CITATIONS = "It cites nothing, so nothing could be checked."


def shortcoming(audit: Audit) -> str:
    """Return why nothing could be checked; empty where something was."""
    compared = audit.summary.cited or any(sentence.found for sentence in audit.sentences)
    return "" if compared else NO_CITATIONS


def summary_rows(summary: Summary) -> list[tuple[str, str]]:
    """Return every figure of ``summary`` with its name."""
    counts = {
        VERDICTS[verdict].capitalize(): str(summary.verdicts.get(verdict, 0)) for verdict in Support
    }
    if summary.unread:
        unread = f" ({summary.unread} of them because no source could be read)"
        counts[VERDICTS[Support.NOT_JUDGED].capitalize()] += unread
    return [
        ("Sentences", str(summary.sentences)),
        ("Claims", str(summary.claims)),
        ("Claims with a citation", str(summary.cited)),
        *counts.items(),
        *([("Supported without a citation", str(summary.found))] if summary.found else []),
        ("Sources", str(summary.sources)),
        ("Sources not read", str(summary.sources_unread)),
        ("Citation precision", percent(summary.citation_precision)),
        ("Citation recall", percent(summary.citation_recall)),
    ]


def percent(value: float | None) -> str:
    """Return ``value`` in percent, or a dash where there is none."""
    return "–" if value is None else f"{value:.0%}"


def source_name(source: CheckedSource) -> str:
    """Return what a reader finds ``source`` by: its address, else its title, else its marker."""
    labels = ", ".join(f"[{label}]" for label in source.labels)
    found_at = location(source.url, "") if source.found else ""
    return source.address or found_at or source.title or labels


def how_read(source: CheckedSource) -> str:
    """Return how reading ``source`` ended, or that it was looked up."""
    return "found" if source.found else source.status.value


def place_name(place: Place, audit: Audit) -> str:
    """Return which source, and where in it."""
    name = source_name(audit.sources[place.source - 1])
    return ", ".join(filter(None, (name, place.locator)))


def audit_markdown(audit: Audit, *, name: str) -> str:
    """Return ``audit`` of the text called ``name`` as CommonMark with tables.

    What the text and its sources say renders as text; the only links are those to ``http`` and
    ``https`` addresses of sources.
    """
    sentences = [_sentence(sentence, audit) for sentence in audit.sentences]
    sources = [_source(source) for source in audit.sources]
    said_head = ("Line", "Verdict", "Likely", "Sentence", "Nearest words", "Why")
    blocks = [
        f"# Check of {literal(name)}",
        shortcoming(audit),
        _table(("What", "How many"), summary_rows(audit.summary)),
        _section("Sentences", _table(said_head, sentences)),
        _section("Sources", _table(("Number", "Status", "Source", "Reason"), sources)),
        _section("Warnings", "\n".join(f"- {literal(each.told)}" for each in audit.warnings)),
    ]
    return "\n\n".join(filter(None, blocks)) + "\n"


def _section(title: str, body: str) -> str:
    return f"## {title}\n\n{body}" if body else ""


def why(sentence: CheckedSentence) -> str:
    """Return why ``sentence`` has its verdict, and who gave it."""
    reason = "" if sentence.reason == WORDING_DIFFERS else sentence.reason
    whose = CHECKERS[sentence.by] if sentence.by else ""
    return ": ".join(filter(None, (whose, reason)))


def _sentence(sentence: CheckedSentence, audit: Audit) -> Sequence[str]:
    place = sentence.place
    nearest = f"“{literal(place.text)}” ({literal(place_name(place, audit))})" if place else ""
    return (
        str(sentence.line),
        verdict_name(sentence.verdict, sentence.reason),
        percent(sentence.probability),
        literal(sentence.text),
        nearest,
        literal(why(sentence)),
    )


def _source(source: CheckedSource) -> Sequence[str]:
    name, href = literal(source_name(source)), link(source.address)
    shown = f"[{name}](<{href}>)" if href else name
    moved = source.url and source.url != source.address and source.address.startswith("http")
    read = f"read at {source.url}" if moved else ""
    return str(source.number), how_read(source), shown, literal(source.reason or read)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    if not lines:
        return ""
    return "\n".join((f"| {' | '.join(head)} |", f"| {' | '.join('---' for _ in head)} |", *lines))
