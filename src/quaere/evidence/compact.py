"""Shortens what a reasoner is shown when tokens run low; the text itself stays in the page store.

A shortened passage keeps its id and stays an exact stretch of its page, so that every quote taken
from it can still be found. Triggers and the rule "the newest stay whole" are R0.7's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from quaere.domain.evidence import Evidence
from quaere.domain.source import Passage
from quaere.text.markdown import rows_of
from quaere.text.sentences import Span, sentences
from quaere.text.synonyms import other_spellings
from quaere.text.tokens import estimate_tokens, terms, words

LOW_SHARE = 0.25
"""Share of the token budget below which passages are shortened."""

LARGE_TOKENS = 50_000
"""Size of the serialized state, with the text of what would be shown, from which passages are
shortened."""

NEWEST_WHOLE = 10
"""Passages that stay whole, the latest found first."""


def passage_tokens(passages: Iterable[Passage]) -> int:
    """Return about how many tokens the texts of ``passages`` take."""
    return sum(estimate_tokens(passage.text) for passage in passages)


def is_pressed(*, state: int, left: int, budget: int, writing: bool) -> bool:
    """Whether passages must be shortened.

    Args:
        state: Tokens of the run's serialized state, with the text of the selected passages.
        left: Tokens left to spend.
        budget: Tokens that there were to spend.
        writing: Whether the answer is written now.
    """
    return writing or left < LOW_SHARE * budget or state > LARGE_TOKENS


def compact(
    evidence: Sequence[Evidence],
    passages: Mapping[str, Passage],
    question: str,
    *,
    bearing: Collection[str] = (),
) -> dict[str, Passage]:
    """Return ``passages``, most of them cut to the sentence that fits ``question`` best.

    A heading that fits best keeps the sentence under it. The newest stay whole, those ``bearing``
    the answer, by passage id, and those with rows of tables: a row says nothing without what heads
    its columns.
    """
    newest = sorted(evidence, key=lambda e: (-e.iteration, -e.score.total, e.id))[:NEWEST_WHOLE]
    whole = {item.passage for item in newest}.union(bearing)
    spelled = " ".join(other for word in words(question) for other in other_spellings(word))
    worth = _worth({*terms(question), *terms(spelled)}, passages.values())
    return {
        key: passage if key in whole or rows_of(passage.text) else _best_stretch(passage, worth)
        for key, passage in passages.items()
    }


def _worth(asked: Collection[str], passages: Iterable[Passage]) -> dict[str, float]:
    """Return what each term that is ``asked`` is worth: the more, the fewer passages have it."""
    counts = Counter(asked)
    for passage in passages:
        counts.update(frozenset(asked).intersection(terms(passage.text)))
    return {term: 1.0 / counts[term] for term in sorted(asked)}


def _best_stretch(passage: Passage, worth: Mapping[str, float]) -> Passage:
    spans = sentences(passage.text)
    if len(spans) < 2:
        return passage
    best = max(spans, key=lambda span: (_overlap(passage.text, span, worth), -span.start))
    end = best.end
    if passage.text.startswith("#", best.start):
        end = next((span.end for span in spans if span.start > best.start), end)
    return passage.stretch(best.start, end)


def _overlap(text: str, span: Span, worth: Mapping[str, float]) -> float:
    said = frozenset(terms(text[span.start : span.end]))
    return sum(worth[term] for term in worth if term in said)
