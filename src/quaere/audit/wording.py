"""How an audit is put in words."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from quaere.audit.verdict import Audit, CheckedSource, Place, Summary, Verdict

VERDICTS: Mapping[Verdict, str] = MappingProxyType(
    {
        Verdict.SUPPORTED: "supported",
        Verdict.PARTLY: "partly",
        Verdict.CONTRADICTED: "contradicted",
        Verdict.UNVERIFIABLE: "unverifiable",
        Verdict.UNCITED: "uncited",
        Verdict.NOT_A_CLAIM: "not a claim",
    }
)
NO_CITATIONS = "It cites nothing, so nothing could be checked."


def figures(summary: Summary) -> list[tuple[str, str]]:
    """Return every figure of ``summary`` with its name."""
    counts = {
        VERDICTS[verdict].capitalize(): str(summary.verdicts.get(verdict, 0)) for verdict in Verdict
    }
    if summary.unread:
        unread = f" ({summary.unread} of them because no source could be read)"
        counts[VERDICTS[Verdict.UNVERIFIABLE].capitalize()] += unread
    return [
        ("Sentences", str(summary.sentences)),
        ("Claims", str(summary.claims)),
        ("Claims with a citation", str(summary.cited)),
        *counts.items(),
        ("Sources", str(summary.sources)),
        ("Sources not read", str(summary.sources_unread)),
        ("Citation precision", share(summary.citation_precision)),
        ("Citation recall", share(summary.citation_recall)),
    ]


def share(value: float | None) -> str:
    """Return ``value`` in percent, or a dash where there is none."""
    return "–" if value is None else f"{value:.0%}"


def source_name(source: CheckedSource) -> str:
    """Return what a reader finds ``source`` by: its address, else its title, else its marker."""
    labels = ", ".join(f"[{label}]" for label in source.labels)
    return source.address or source.title or labels


def where(place: Place, audit: Audit) -> str:
    """Return which source, and where in it."""
    name = source_name(audit.sources[place.source - 1])
    return ", ".join(filter(None, (name, place.locator)))
