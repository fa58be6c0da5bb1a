"""Writes an answer out of whole sentences of the sources, the most direct one first."""

from __future__ import annotations

import re
from dataclasses import dataclass

from quaere.domain.question import Checklist, Item, Question
from quaere.domain.report import Quote, Sentence
from quaere.reason.extractive.checklist import item_kind
from quaere.reason.extractive.kinds import expected_kind, last_question, strength
from quaere.reason.extractive.parts import comparison, questions
from quaere.reason.extractive.reading import Chain, Goal, Line, Pool, Search, subject
from quaere.text.tokens import words

FLOOR = 0.42
"""Least mean of what a sentence covers of the question's weight, alone and with what leads to it.

With it 8 in 100 questions from other fields than the sources' get an answer, and no nonsense.
"""
NAMED = 0.3
"""Share of the weight of a question's names that must be found for there to be an answer."""
KEEP = 0.65
"""A further sentence must be worth this share of the first one, ..."""
RELEVANT = 0.4
"""... and of the part of it that comes from words shared with the question."""
CHAIN, OWN, FOCUS, NEAR = 5.0, 3.0, 3.0, 1.0
"""What a share of the question's weight is worth: covered in passages that lead to a sentence, in
the sentence, near what is asked for, in the rest of its passage."""
FIT, FIRST, RANK = 2.3, 1.7, 2.4
"""What it is worth to hold the expected kind of answer, to open a passage, to be ranked first."""
SAME = 0.6
"""Two sentences that share more of their terms than this say the same."""

_OPENS_AFAR = re.compile(
    r"(?:He|She|It|They|His|Her|Its|Their|This|These|That|Those|There|Here|Such|Er|Sie|Es|Il|Elle"
    r"|Ils|Elles|Он|Она|Оно|Они)\b|(?:她|他|它|هو |هي )"
)
_ENDS = tuple(".!。！؟।…\"”»’)'")
_NAVIGATION = re.compile(
    r"(?i)\b(?:click here|read more|log ?in|sign (?:in|up)|subscribe|cookies?|all rights reserved"
    r"|privacy policy|terms of (?:use|service)|share (?:this|on)|skip to|main menu|back to top)\b"
    r"|©|»|\|.*\|.*\|"
)


def write(
    question: Question, checklist: Checklist, pool: Pool, *, max_words: int, max_citations: int
) -> tuple[Sentence, ...]:
    """Return the sentences of the answer, each with its evidence and an exact quote.

    The first is the one that answers the question most directly; then come those that lead to it
    and those that serve the other items of the checklist. Nothing relevant gives no sentence.

    Args:
        question: What was asked.
        checklist: What the answer must contain, in order.
        pool: The evidence, read.
        max_words: Length that the answer keeps within, its first sentence excepted.
        max_citations: Number of distinct passages that may be cited.
    """
    ranking = _Ranking(pool, question.text)
    if not ranking.worthy:
        return ()
    draft = _Draft(max_words, max_citations)
    first = ranking.ranked[0]
    draft.take(first.chain.end, _served(checklist))
    for helper in first.chain.helpers:
        draft.take(helper, None)
    for item in checklist.items:
        best = ranking.best_for(item)
        if best is not None:
            draft.take(best, item.id)
    for rated in ranking.ranked:
        if rated.worth < KEEP * first.worth:
            break
        if rated.bearing >= RELEVANT * first.bearing:
            draft.take(rated.chain.end, None)
    return tuple(_sentence(line, item, pool, draft) for line, item in draft.ordered())


@dataclass(frozen=True, slots=True)
class _Rated:
    worth: float
    bearing: float
    """The part of it that comes from words shared with the question."""
    chain: Chain


class _Ranking:
    """All lines of a pool, by how directly they answer."""

    def __init__(self, pool: Pool, question: str) -> None:
        self.pool = pool
        self.question = question
        self.kind = expected_kind(question)
        search = Search(pool, Goal(question, pool))
        chains = search.chains()
        self.ranked = sorted(
            (self._rate(chain, search.goal) for chain in chains),
            key=lambda rated: (-rated.worth, rated.chain.end.owner, rated.chain.end.place),
        )
        self.worthy = any(_bears_on(pool, goal) for goal in self._goals())

    def _goals(self) -> list[Goal]:
        """Return what may be answered by itself: the question, its parts, the sides it compares."""
        texts = [self.question, *questions(self.question)]
        compared = comparison(last_question(self.question))
        if compared:
            texts += [f"{compared.first} {compared.about}", f"{compared.second} {compared.about}"]
        return [Goal(text, self.pool) for text in dict.fromkeys(texts)]

    def _rate(self, chain: Chain, goal: Goal) -> _Rated:
        line = chain.end
        bearing = (
            CHAIN * (chain.covered - chain.near)
            + OWN * chain.own
            + FOCUS * chain.focus
            + NEAR * (chain.near - chain.own)
        )
        fitting = (
            FIT * strength(self.kind, line.text, goal.known)
            + FIRST / (1 + line.place)
            + RANK / (1 + 0.2 * line.owner)
        )
        return _Rated((bearing + fitting) * quality(line.text), bearing, chain)

    def best_for(self, item: Item) -> Line | None:
        """Return the line that serves ``item`` best, if one does."""
        goal = Goal(f"{self.question}\n{item.description}", self.pool, item.terms)
        search = Search(self.pool, goal)
        kind = item_kind(item)
        best: tuple[float, Line] | None = None
        for line in self.pool.lines:
            chain = search.chain(line, helpers=0)
            if chain.own < 0.6:
                continue
            worth = chain.own * (0.5 + 0.5 * strength(kind, line.text, goal.known))
            worth *= quality(line.text) / (1.0 + 0.05 * line.place)
            if best is None or worth > best[0]:
                best = worth, line
        return best[1] if best and best[0] >= 0.4 else None


def _bears_on(pool: Pool, goal: Goal) -> bool:
    chains = Search(pool, goal).chains()
    found = max(((c.own + c.covered) / 2 for c in chains), default=0.0)
    return found >= FLOOR and max(goal.named(c.mask) for c in chains) >= NAMED


def quality(text: str) -> float:
    """Return how well ``text`` stands as a sentence of an answer: 1 for prose, near 0 for menus."""
    count = len(words(text))
    if count < 3 or _NAVIGATION.search(text):
        return 0.1
    if text.endswith(("?", "？", "؟")):
        return 0.3
    worth = 1.0
    if not text.endswith(_ENDS) and ": " not in text:
        worth *= 0.5
    if text[0].islower():
        worth *= 0.8
    if _OPENS_AFAR.match(text):
        worth *= 0.9
    return worth * (0.7 if count > 70 else 1.0)


class _Draft:
    """Lines taken so far, within the length and the number of citations."""

    def __init__(self, max_words: int, max_citations: int) -> None:
        self._words_left = max_words
        self._max_citations = max_citations
        self._taken: list[tuple[Line, str | None]] = []
        self._cited: set[int] = set()

    def take(self, line: Line, item: str | None) -> bool:
        """Take ``line`` unless it says what is said already, or there is no room for it."""
        length = len(words(line.text))
        if any(_alike(line, other) for other, _ in self._taken):
            return False
        if self._taken and (length > self._words_left or quality(line.text) < 0.3):
            return False
        if line.owner not in self._cited and len(self._cited) >= self._max_citations:
            return False
        self._taken.append((line, item))
        self._cited.add(line.owner)
        self._words_left -= length
        return True

    def ordered(self) -> list[tuple[Line, str | None]]:
        """Return the lines in reading order: the answer, then passage by passage."""
        first, rest = self._taken[:1], self._taken[1:]
        turn: dict[int, int] = {}
        for line, _ in [*first, *rest]:
            turn.setdefault(line.owner, len(turn))
        return first + sorted(rest, key=lambda pair: (turn[pair[0].owner], pair[0].place))

    def follows(self, line: Line) -> bool:
        """Whether the sentence before ``line`` in its passage stands right before it here."""
        order = [taken for taken, _ in self.ordered()]
        at = order.index(line)
        before = order[at - 1] if at else None
        return before is not None and (before.owner, before.place + 1) == (line.owner, line.place)


def _alike(line: Line, other: Line) -> bool:
    if line.text == other.text:
        return True
    union = line.terms | other.terms
    return bool(union) and len(line.terms & other.terms) / len(union) > SAME


def _served(checklist: Checklist) -> str | None:
    return checklist.items[0].id if checklist.items else None


def _sentence(line: Line, item: str | None, pool: Pool, draft: _Draft) -> Sentence:
    passage = pool.passages[line.owner]
    about = subject(passage.title)
    lost = _OPENS_AFAR.match(line.text) and not draft.follows(line)
    text = f"{about}: {line.text}" if lost and 0 < len(about) <= 80 else line.text
    quote = Quote(
        passage=passage.id,
        text=passage.text[line.start : line.end],
        start=passage.start + line.start,
        end=passage.start + line.end,
    )
    return Sentence(text=text, evidence=(pool.evidence[line.owner].id,), quotes=(quote,), item=item)
