"""What a direct answer says of the further parts of a question, each in a few words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from quaere.domain.question import Item, ItemStatus
from quaere.domain.report import Sentence
from quaere.reason.extractive.checklist import item_kind
from quaere.reason.extractive.pool import Line
from quaere.reason.extractive.ranking import Ranking
from quaere.reason.extractive.spans import clear_span
from quaere.text.languages.language import frame
from quaere.text.tokens import words


@dataclass(frozen=True, slots=True)
class ToldPart:
    """A part in a few words."""

    text: str
    sentence: Sentence | None = None
    """The one that proves it; None where the part is open."""


def parts_of(items: Iterable[Item]) -> list[Item]:
    """Return those of ``items`` that the question asks besides its first part."""
    return [item for item in items if item.id.startswith("part")]


def part_told(
    item: Item, line: Line | None, written: Sequence[Sentence], ranking: Ranking
) -> ToldPart | None:
    """Return ``item`` as words of the ``line`` that serves it, or that it is open.

    None where it is answered, and not in a few words that a sentence of ``written`` has.
    """
    if item.status is not ItemStatus.SATISFIED:
        said = frame()
        is_open = item.status is ItemStatus.UNSATISFIED
        outcome = said.not_found if is_open else said.found_in_part
        return ToldPart(f"{outcome[:1].lower()}{outcome[1:]}: {item.description}")
    shown = (each for each in written if line is not None and line.text in each.text)
    sentence = next(shown, None)
    if line is None or sentence is None:
        return None
    title = ranking.pool.passages[line.owner].title
    about = frozenset(words(f"{ranking.question} {title}"))
    span = clear_span(item_kind(item), item.description, line.text, about)
    return ToldPart(span.text, sentence) if span else None
