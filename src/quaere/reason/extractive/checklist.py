"""What a complete answer must contain, what of it the evidence has, and how sure that is.

The checklist is drawn from the question and the first look.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from quaere.domain.question import Checklist, Item, ItemStatus, Question
from quaere.reason.extractive.answer_fit import answer_fit
from quaere.reason.extractive.chains import Chain, Goal, Search
from quaere.reason.extractive.identifiers import holds_identifiers
from quaere.reason.extractive.pool import Pool
from quaere.reason.extractive.questions.kinds import (
    Kind,
    compared_kind,
    expected_kind,
    last_question,
)
from quaere.reason.extractive.questions.parts import (
    Comparison,
    aspects,
    comparison,
    descriptions,
    questions,
)
from quaere.text.languages.language import frame
from quaere.text.lazy_regex import lazy_regex
from quaere.text.sentences import QUESTION_MARKS
from quaere.text.tokens import terms

MAX_ITEMS = 7
"""R4.2 asks for at most 7 items. There are as many as the question asks for, and one at least:
what is added to reach a number is not asked by anybody."""

OWN_WORDS = 2
"""Words from which a further question can be looked for by itself: "and why so late?" cannot."""

_ASPECTS = lazy_regex(r"(?i)^(?!(?:who|what|which|when|where|whose|how)\b)[\w' -]{2,60}$")
"""In what a question compares two things, by itself: "cost and performance"."""
UNNAMED = "the question"
"""What a question of white space is called."""
_BROAD = frozenset({Kind.DEFINITION, Kind.REASON, Kind.MANNER, Kind.LIST, Kind.STATEMENT})


def _add_questions(draft: _Draft, text: str) -> None:
    asked = questions(text)
    for part in asked[:5]:
        role, own = "answer" if part is asked[0] else "part", terms(part)
        wanted = terms(text) if role == "part" and len(own) < OWN_WORDS else own
        draft.add(role, _shortened(part) or UNNAMED, wanted, own)


def build_checklist(question: Question) -> Checklist:
    """Return the 1 to 7 things that a complete answer to ``question`` must contain.

    They are the question, or each of several; the sides of a comparison; the descriptions that must
    be resolved first; the aspects that are listed.
    """
    text = " ".join(question.text.split())
    draft = _Draft()
    _add_questions(draft, text)
    compared = comparison(last_question(text))
    if compared is not None:
        _add_compared(draft, compared)
    elif is_factual(text):
        for asked in questions(text):
            _add_links(draft, asked)
    else:
        _add_aspects(draft, text)
    return Checklist(items=tuple(draft.items[:MAX_ITEMS]))


def is_factual(text: str) -> bool:
    """Return whether ``text`` asks for one fact, and not for an account of something."""
    kind = expected_kind(text)
    asks = last_question(text).endswith(QUESTION_MARKS)
    return kind not in _BROAD or (kind is Kind.STATEMENT and asks and bool(descriptions(text)))


class _Draft:
    """Items in the order found; one that asks for nothing beyond an earlier one is left out."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self._seen: list[frozenset[str]] = []
        self._numbers: Counter[str] = Counter()

    def add(
        self, role: str, description: str, wanted: Iterable[str], own: Iterable[str] | None = None
    ) -> None:
        """Add an item; ``own`` are the words that tell it from others, or else those ``wanted``."""
        found = tuple(dict.fromkeys(wanted))
        asked = frozenset(found if own is None else own)
        if asked in self._seen or (not found and self.items):
            return
        self._seen.append(asked)
        self._numbers[role] += 1
        identity = role if role == "answer" else f"{role}-{self._numbers[role]}"
        self.items.append(Item(id=identity, description=description, terms=found))


def _shortened(text: str, limit: int = 300) -> str:
    if len(text) <= limit:
        return text
    return text[:limit].rsplit(" ", 1)[0].rstrip(",;: ") + " …"


def _add_compared(draft: _Draft, compared: Comparison) -> None:
    sides = compared.first, compared.second
    shared = [t for t in terms(compared.about) if t not in terms(" ".join(sides))]
    told = frame().account.told_of
    wanted = _decisive().get(compared_kind(compared.about), told)
    aspects = wanted is told and _ASPECTS.match(compared.about)
    for side in sides:
        thing = _whole(side, compared.first)
        named = f"{thing}: {compared.about}" if aspects else wanted.format(thing=thing)
        draft.add("side", _opened(named), [*terms(side), *shared])


def _whole(side: str, first: str) -> str:
    """Return ``side`` with what it leaves to ``first`` to say: "the toll of a car and of a van".

    Only what is shown needs it; its words are searched with all that both share anyway.
    """
    head, of, _ = first.partition(" of ")
    return f"{head} {side}" if of and side.startswith("of ") else side


def _decisive() -> Mapping[Kind, str]:
    """Return what decides a comparison, by its kind, in the words of the question's language."""
    said = frame().account
    return {Kind.DATE: said.date_for, Kind.NUMBER: said.figure_for, Kind.PLACE: said.place_for}


def _add_links(draft: _Draft, text: str) -> None:
    for link in descriptions(text)[:3]:
        draft.add("link", f"Who or what is meant by “{_shortened(link, 160)}”", terms(link))


def _add_aspects(draft: _Draft, text: str) -> None:
    for aspect in aspects(text)[:5]:
        draft.add("aspect", f"{_opened(aspect)}: what the sources say about it", terms(aspect))


def _opened(text: str) -> str:
    return text[:1].upper() + text[1:]


def _is_worded(said: str, form: str) -> bool:
    before, _, after = form.partition("{thing}")
    return said.startswith(before) and said.endswith(after)


def item_kind(item: Item) -> Kind:
    """Return the kind of answer that ``item`` waits for; any statement unless it asks."""
    role = item.id.partition("-")[0]
    if role == "side":
        return next(
            (kind for kind, form in _decisive().items() if _is_worded(item.description, form)),
            Kind.STATEMENT,
        )
    asks = role in {"answer", "part"} or role.startswith("topic")
    return expected_kind(item.description) if asks else Kind.STATEMENT


SATISFIED = 0.9
"""Share of an item's weight that must be covered for it to count as answered."""
PARTIAL = 0.45
RELATED = 0.15
"""Share of the question's weight that a passage must cover to speak for any item."""
MAX_EVIDENCE = 4


class Ticked(NamedTuple):
    """A checklist as the evidence leaves it."""

    checklist: Checklist
    gaps: tuple[str, ...]
    """What is missing of what was asked, in plain words; empty when nothing is."""
    match: float
    """Share of the question's weight that the best chain of sentences covers, 0 to 1."""


def tick(checklist: Checklist, pool: Pool, question: Question) -> Ticked:
    """Return ``checklist`` with the status of every item and the passages that bear it.

    An item is satisfied when a sentence, with the rest of its passage and the sentences that lead
    to it, covers nearly all the weight of its terms and can hold the kind of answer it waits for.

    Args:
        checklist: The items, whatever their status was.
        pool: The evidence, read.
        question: What was asked.
    """
    judge = _Judge(pool, question)
    judged = [judge.judge(item) for item in checklist.items]
    sides = [item for item, _ in judged if item.id.startswith("side")]
    if sides:
        judged = [_decided(item, gap, sides) for item, gap in judged]
    items = tuple(item for item, _ in judged)
    return Ticked(Checklist(items=items), tuple(gap for _, gap in judged if gap), judge.match)


def without_answer(ticked: Ticked) -> Ticked:
    """Return ``ticked`` with no more than parts found: a row that is needed has not been seen."""
    partial = {"status": ItemStatus.PARTIAL}
    items = tuple(
        item.model_copy(update=partial) if item.status is ItemStatus.SATISFIED else item
        for item in ticked.checklist.items
    )
    outcome = frame().found_in_part
    gaps = ticked.gaps or tuple(frame().gap(outcome, item.description) for item in items[:1])
    return Ticked(Checklist(items=items), gaps, ticked.match)


def _borne_out(ranked: Sequence[tuple[float, Chain]]) -> tuple[ItemStatus, list[Chain]]:
    """Return how far an item is answered by what was ``ranked`` for it, and what bears that out."""
    best = ranked[0][0] if ranked else 0.0
    if best < PARTIAL:
        return ItemStatus.UNSATISFIED, []
    status = ItemStatus.SATISFIED if best >= SATISFIED else ItemStatus.PARTIAL
    return status, [chain for worth, chain in ranked if worth >= max(PARTIAL, best - 0.1)]


def _decided(item: Item, gap: str, sides: Sequence[Item]) -> tuple[Item, str]:
    """Return the answer of a comparison as far as the facts about its sides decide it."""
    if item.id != "answer" or item.status is ItemStatus.SATISFIED:
        return item, gap
    bearing = tuple(dict.fromkeys(key for side in sides for key in side.evidence[:2]))
    if all(side.status is ItemStatus.SATISFIED for side in sides):
        found = {"status": ItemStatus.SATISFIED, "evidence": bearing[:MAX_EVIDENCE]}
        return item.model_copy(update=found), ""
    if bearing:
        found = {"status": ItemStatus.PARTIAL, "evidence": bearing[:MAX_EVIDENCE]}
        return item.model_copy(update=found), frame().gap(frame().found_in_part, item.description)
    return item, gap


class _Judge:
    def __init__(self, pool: Pool, question: Question) -> None:
        self.pool = pool
        self.question = question.text
        self.whole = Search(pool, Goal(question.text, pool))
        self._related = [self._relates(owner) for owner in range(len(pool.passages))]
        self.match = max((c.covered for c in self.whole.chains()), default=0.0)
        self._is_told = holds_identifiers(pool, question.text)

    def _relates(self, owner: int) -> bool:
        return any(
            self.whole.goal.share(self.whole.chain(line, alone=True).mask) >= RELATED
            for line in self.pool.lines_of[owner][:1]
        )

    def judge(self, item: Item) -> tuple[Item, str]:
        """Return ``item`` with its status and evidence, and the gap it leaves, if any."""
        wanted = item.terms or self.whole.goal.terms
        goal = Goal(f"{self.question}\n{item.description}", self.pool, wanted or ("?",))
        search = Search(self.pool, goal)
        kind = item_kind(item)
        status, bearing = _borne_out(self._ranked(search, goal, kind, item))
        ticked = item.model_copy(update={"status": status, "evidence": self._ids(bearing)})
        return ticked, _gap(ticked, goal, bearing[0] if bearing else None)

    def _ranked(
        self, search: Search, goal: Goal, kind: Kind, item: Item
    ) -> list[tuple[float, Chain]]:
        chained = item.id.split("-")[0] in {"answer", "part", "side", "link"}
        ranked: list[tuple[float, Chain]] = []
        lines = self.pool.lines if self._is_told else ()
        for line in lines:
            if not self._related[line.owner] or not search.mask(line):
                continue
            chain = search.chain(line, alone=not chained)
            covered = chain.covered if chained else chain.own
            if covered < PARTIAL:
                continue
            held = answer_fit(kind, line.text, goal.known)
            ranked.append((covered * (0.5 + 0.5 * held), chain))
        ranked.sort(key=lambda pair: (-pair[0], -pair[1].own, pair[1].end.owner, pair[1].end.place))
        return ranked

    def _ids(self, chains: Sequence[Chain]) -> tuple[str, ...]:
        owners = (o for c in chains for o in (c.end.owner, *(h.owner for h in c.helpers)))
        ids = (self.pool.passages[owner].id for owner in owners)
        return tuple(dict.fromkeys(ids))[:MAX_EVIDENCE]


def _gap(item: Item, goal: Goal, best: Chain | None) -> str:
    if item.status is ItemStatus.SATISFIED:
        return ""
    if best is None:
        return frame().gap(frame().not_found, item.description)
    missing = ", ".join(f"“{word}”" for word in goal.missing(best.mask)[:5])
    detail = f" ({frame().nothing_on} {missing})" if missing else ""
    return frame().gap(frame().found_in_part, f"{item.description}{detail}")


COVERAGE, MATCH, AGREEMENT = 0.6, 0.25, 0.15
"""Weights of the three parts; they sum to 1."""


def confidence(checklist: Checklist, *, match: float, origins: int) -> float:
    """Return a figure from 0 (nothing found) to 1 (all of it found, in several places).

    It is a weighted sum, not a probability: the share of the checklist that is answered, how
    fully the best sentence and what leads to it cover the words of the question, and in how many
    independent places the answer stands (one gives nothing, two half, three two thirds ...).

    Args:
        checklist: The checklist as ticked.
        match: Share, 0 to 1, of the question's terms that the best chain of sentences covers.
        origins: Number of independent origins of the passages that bear the answer.
    """
    if match <= 0.0 or origins < 1:
        return 0.0
    agreement = 1.0 - 1.0 / origins
    total = COVERAGE * checklist.coverage + MATCH * min(1.0, match) + AGREEMENT * agreement
    return round(total, 3)
