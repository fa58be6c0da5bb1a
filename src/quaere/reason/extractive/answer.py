"""Writes an answer out of whole sentences of the sources, the most direct one first."""

from __future__ import annotations

from collections.abc import Iterable

from quaere.domain.question import Checklist, Question
from quaere.domain.report import Quote, Sentence
from quaere.reason.extractive.compare import decide_comparison
from quaere.reason.extractive.pool import Line, Pool, cells, title_subject
from quaere.reason.extractive.ranking import FIT_TO_SHOW, Ranking, needs_context, quality
from quaere.text.tokens import tokenize, words

KEEP = 0.65
"""A further sentence must be worth this share of the first one, ..."""
RELEVANT = 0.4
"""... and of the part of it that comes from words shared with the question."""
TELLS = 2.5
"""... at least. Words shared in full, in one sentence, are worth 6.5."""
SAME = 0.6
"""Two sentences that share more of their terms than this say the same."""
MAX_LABEL = 60
"""Characters of a title that may precede a sentence to say what "it" is."""


def write_answer(
    question: Question, checklist: Checklist, pool: Pool, *, max_words: int, max_citations: int
) -> tuple[Sentence, ...]:
    """Return the sentences of the answer, each with its evidence and an exact quote.

    The first is the one that answers the question most directly; then come those that lead to it
    and those that serve the other items of the checklist. Nothing relevant gives no sentence.

    Args:
        question: What was asked.
        checklist: What the answer must contain, in order.
        pool: The evidence, read.
        max_words: Length that the answer keeps within.
        max_citations: Number of distinct passages that may be cited.
    """
    ranking = Ranking(pool, question.text)
    if not ranking.answers:
        return ()
    draft = _Draft(max_words, max_citations)
    first = ranking.first
    answered = checklist.items[0].id if checklist.items else None
    for line in decide_comparison(question.text, pool) or (first.chain.end,):
        draft.take(line, answered)
    for helper in first.chain.helpers:
        draft.take(helper, None)
    for item in checklist.items:
        best = ranking.best_for(item)
        if best is not None:
            draft.take(best, item.id)
    for rated in ranking.ranked:
        if rated.worth < KEEP * first.worth:
            break
        if rated.bearing >= max(TELLS, RELEVANT * first.bearing):
            draft.take(rated.chain.end, None)
    return tuple(draft.sentences(pool))


class _Draft:
    """Lines taken so far, within the length and the number of citations."""

    def __init__(self, max_words: int, max_citations: int) -> None:
        self._max_words = self._words_left = max_words
        self._max_citations = max_citations
        self._taken: list[tuple[Line, str | None]] = []
        self._cited: set[int] = set()

    def take(self, line: Line, item: str | None) -> None:
        """Take ``line`` unless it says what is said already, or there is no room for it."""
        length = len(words(line.text))
        if any(_alike(line, other) for other, _ in self._taken):
            return
        if self._taken and (length > self._words_left or quality(line) < FIT_TO_SHOW):
            return
        if line.owner not in self._cited and len(self._cited) >= self._max_citations:
            return
        self._taken.append((line, item))
        self._cited.add(line.owner)
        self._words_left -= length

    def sentences(self, pool: Pool) -> Iterable[Sentence]:
        """Yield the sentences in reading order: the answer, then passage by passage."""
        turn: dict[int, int] = {}
        for line, _ in self._taken:
            turn.setdefault(line.owner, len(turn))
        rest = sorted(self._taken[1:], key=lambda pair: (turn[pair[0].owner], pair[0].place))
        before: Line | None = None
        for line, item in [*self._taken[:1], *rest]:
            follows = before is not None and _goes_on(before, line)
            yield self._sentence(line, item, pool, follows=follows)
            before = line

    def _sentence(self, line: Line, item: str | None, pool: Pool, *, follows: bool) -> Sentence:
        passage = pool.passages[line.owner]
        end = _cut(passage.text, line.start, line.end, self._max_words)
        text = line.text
        if end < line.end:
            text = f"{' '.join(passage.text[line.start : end].split())} …"
        elif text.startswith("|"):
            text = _as_record(line)
        elif needs_context(text) and not follows:
            text = _labelled(text, passage.title)
        quote = Quote(
            passage=passage.id,
            text=passage.text[line.start : end],
            start=passage.start + line.start,
            end=passage.start + end,
        )
        return Sentence(
            text=text, evidence=(pool.evidence[line.owner].id,), quotes=(quote,), item=item
        )


def _alike(line: Line, other: Line) -> bool:
    if line.text == other.text:
        return True
    union = line.terms | other.terms
    return bool(union) and len(line.terms & other.terms) / len(union) > SAME


def _goes_on(before: Line, line: Line) -> bool:
    return (before.owner, before.place + 1) == (line.owner, line.place)


def _cut(text: str, start: int, end: int, max_words: int) -> int:
    """Return where ``text[start:end]`` has to end to have at most ``max_words`` words."""
    tokens = tokenize(text[start:end])
    return end if len(tokens) <= max_words else start + tokens[max_words - 1].end


def _labelled(text: str, title: str) -> str:
    """Return ``text`` with what its "he" or "it" stands for before it, where a title can tell."""
    about = title_subject(title)
    fits = 0 < len(about) <= MAX_LABEL and "|" not in about
    told = f" {' '.join(words(about))} " in f" {' '.join(words(text))} "
    return f"{about}: {text}" if fits and not told else text


def _as_record(line: Line) -> str:
    """Return a row of a table as "column: value; column: value"."""
    values = cells(line.text)
    if len(line.columns) != len(values):
        return "; ".join(value for value in values if value)
    pairs = zip(line.columns, values, strict=True)
    return "; ".join(f"{column}: {value}" if column else value for column, value in pairs if value)
