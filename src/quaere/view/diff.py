"""What two runs have in common, and in what they differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import ndiff
from typing import Final

from quaere.domain.events import Event, RunFinished, SearchFinished
from quaere.domain.report import Report
from quaere.domain.trace import Trace
from quaere.domain.url import canonical_url
from quaere.domain.value import Value
from quaere.synthesize.inert import visible
from quaere.view.layout import columns


class Sides(Value):
    """What one side has, the other has, and both have, in the order of its appearance."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    both: tuple[str, ...]


class Figure(Value):
    """One thing that was counted in both runs; None where a run did not come so far."""

    name: str
    first: float | None
    second: float | None


class Comparison(Value):
    """Two runs side by side."""

    traces: tuple[str, str]
    statuses: tuple[str, str]
    questions: tuple[str, str]
    queries: Sides
    sources: Sides
    """Canonical URLs that the answers cite."""
    answers: tuple[str, str]
    figures: tuple[Figure, ...]


class Side(Value):
    """One run, as far as it is compared."""

    trace: Trace
    queries: tuple[str, ...]
    report: Report | None


def side(trace: Trace, events: Sequence[Event]) -> Side:
    """Return what of a run is compared."""
    reports = [event.report for event in events if isinstance(event, RunFinished)]
    queries = [event.query for event in events if isinstance(event, SearchFinished)]
    return Side(
        trace=trace,
        queries=tuple(dict.fromkeys(queries)),
        report=reports[-1] if reports else None,
    )


def compare(first: Side, second: Side) -> Comparison:
    """Return the two runs side by side."""
    return Comparison(
        traces=(first.trace.id, second.trace.id),
        statuses=(str(first.trace.status), str(second.trace.status)),
        questions=(first.trace.question, second.trace.question),
        queries=_sides(first.queries, second.queries),
        sources=_sides(_cited(first.report), _cited(second.report)),
        answers=(_answer(first.report), _answer(second.report)),
        figures=tuple(
            Figure(name=name, first=one, second=other)
            for (name, one), (_, other) in zip(
                _figures(first.report), _figures(second.report), strict=True
            )
        ),
    )


def told(comparison: Comparison) -> str:
    """Return ``comparison`` for a person: what only the first has after -, the second after +."""
    lines = [
        f"- {visible(comparison.traces[0])}, {comparison.statuses[0]}",
        f"+ {visible(comparison.traces[1])}, {comparison.statuses[1]}",
    ]
    lines += _differing("Question", *comparison.questions)
    lines += _listed("Queries", comparison.queries)
    lines += _listed("Sources", comparison.sources)
    lines += _differing("Answer", *comparison.answers)
    rows = [(f.name, _shown(f.first), _shown(f.second)) for f in comparison.figures]
    return "\n".join(lines) + "\n\nCost\n" + columns([("", "-", "+"), *rows])


def _sides(first: Sequence[str], second: Sequence[str]) -> Sides:
    return Sides(
        first=tuple(each for each in first if each not in second),
        second=tuple(each for each in second if each not in first),
        both=tuple(each for each in first if each in second),
    )


def _cited(report: Report | None) -> tuple[str, ...]:
    if report is None:
        return ()
    return tuple(dict.fromkeys(canonical_url(each.url) for each in report.citations))


def _answer(report: Report | None) -> str:
    return report.answer if report else ""


_FIGURES: Final[Mapping[str, Callable[[Report], float | None]]] = {
    "confidence": lambda report: report.confidence,
    "loops": lambda report: report.spend.iterations,
    "queries": lambda report: report.spend.queries,
    "pages opened": lambda report: report.spend.reads,
    "citations": lambda report: len(report.citations),
    "model calls": lambda report: report.spend.model_calls,
    "tokens": lambda report: report.spend.tokens,
    "dollars": lambda report: report.spend.cost_usd,
    "seconds": lambda report: round(report.seconds, 1),
}


def _figures(report: Report | None) -> list[tuple[str, float | None]]:
    return [(name, figure(report) if report else None) for name, figure in _FIGURES.items()]


def _listed(title: str, sides: Sides) -> list[str]:
    shown = [f"- {visible(each)}" for each in sides.first]
    shown += [f"+ {visible(each)}" for each in sides.second]
    shown += [f"  {visible(each)}" for each in sides.both]
    return ["", title, *shown] if shown else []


def _differing(title: str, first: str, second: str) -> list[str]:
    one, other = ([visible(line) for line in text.splitlines()] for text in (first, second))
    if not one and not other:
        return []
    return ["", title, *(line for line in ndiff(one, other) if not line.startswith("?"))]


def _shown(figure: float | None) -> str:
    return "none" if figure is None else f"{figure:,g}" if figure % 1 else f"{figure:,.0f}"
