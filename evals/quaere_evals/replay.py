"""Replays the sub-questions that people broke a question into, as a perfect planner asks them.

It is a model used by the real reasoner: prompts, contracts, budgets, selection and stopping are the
engine's own. It knows the sub-questions, their answers and the passages that hold them; where those
are it does not know, and of the corpus it sees what a prompt shows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncGenerator, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from time import perf_counter

from quaere.domain.model import Completion, ModelRequest, Role
from quaere.reason.llm.contracts import MAX_ITEMS, MAX_QUERIES, Found, OpeningAnswer, Wanted
from quaere.testing import ScriptedModel
from quaere.testing.doubles import Answer
from quaere.text.names import names
from quaere.text.tokens import terms, words
from quaere_evals.datasets import Document, MultihopQuestion, SubQuestion

LATENCY_S = 0.001
"""What a call takes, so that calls made side by side can be told from calls in a row."""

MAX_CHARS = 400
"""What a query may hold."""

ATTEMPTS = 2
"""Wordings of a step that are tried before the steps that build on it are asked."""

HELD = 100
"""What it weighs that a passage holds the answer of a step, against each word that both have."""

_REFERENCE = re.compile(r"#(\d+)")
_BLOCK = re.compile(r"<data-(\w+) id=\"(\d+)\"[^>\n]*>\n(.*?)\n</data-\1>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Step:
    """One sub-question with its references filled in."""

    wordings: tuple[str, ...]
    """How it is asked: as it stands, then by its names alone, then with the whole question."""
    after: frozenset[int]
    """Places of the steps whose answers it takes."""
    gold: str = ""
    """Id of the document that answers it; empty where nobody says, as when it has no answer."""

    @property
    def text(self) -> str:
        """The sub-question as it stands."""
        return self.wordings[0]


def steps_of(question: MultihopQuestion, gold: Mapping[str, Document]) -> tuple[Step, ...]:
    """Return the sub-questions of ``question`` as they should be asked.

    Args:
        question: With its sub-questions, and what they are answered with.
        gold: The documents that the answer takes, by id.
    """
    asked = question.sub_questions[:MAX_ITEMS]
    answers = [part.a or _told(part.q, question.facts) for part in asked]
    texts = [_filled(part.q, answers) for part in asked]
    holders = _holders(texts, asked, gold)
    return tuple(
        Step(
            wordings=_wordings(text, question.question),
            after=frozenset(place for place in _references(part.q) if 0 <= place < len(asked)),
            gold=holder,
        )
        for text, part, holder in zip(texts, asked, holders, strict=True)
    )


class Replay:
    """The planner of one question."""

    def __init__(self, question: MultihopQuestion, gold: Sequence[Document]) -> None:
        """Replay the sub-questions of ``question``, whose answer takes the documents ``gold``."""
        known = {document.doc_id: document for document in gold}
        self._steps = steps_of(question, known)
        self._gold = {key: _flat(f"{each.title} {each.text}") for key, each in known.items()}
        self._asked = Counter[int]()

    def __call__(self, request: ModelRequest) -> Answer:
        """Return what a perfect planner answers to ``request``."""
        if request.step == "check":
            return _checked(request)
        blocks = {int(match[2]): match[3] for match in _BLOCK.finditer(_told_to(request))}
        shown = self._known(blocks)
        if request.output is None:
            return _cited(shown or blocks)
        return self._judgement(shown)

    @property
    def gold(self) -> Collection[str]:
        """Ids of the documents that it looks for."""
        return self._gold.keys()

    def take_as_asked(self, query: str) -> None:
        """Count ``query`` among what was asked already, as the engine asks the question itself."""
        for place, step in enumerate(self._steps):
            if query == step.text:
                self._asked[place] = 1

    def _judgement(self, shown: Mapping[int, str]) -> OpeningAnswer:
        found = frozenset(shown.values())
        complete = found >= self._gold.keys()
        left = [n for n, step in enumerate(self._steps) if not complete and step.gold not in found]
        return OpeningAnswer(
            checklist=[step.text for step in self._steps],
            findings=[Found(id=n, items=self._items(key)) for n, key in shown.items()],
            satisfied=[n for n in range(1, len(self._steps) + 1) if n - 1 not in left],
            gaps=[self._steps[n].text for n in left],
            queries=[self._query(n) for n in self._next(left)],
            sufficient=complete,
            confidence=len(found) / len(self._gold),
            answer=_cited(shown) if complete else "",
        )

    def _next(self, left: Sequence[int]) -> list[int]:
        """Return the steps among ``left`` to be asked now, those that were asked least first."""
        known = {n for n in range(len(self._steps)) if n not in left or self._given_up(n)}
        askable = [
            n
            for n in left
            if self._asked[n] < len(self._steps[n].wordings) and self._steps[n].after <= known
        ]
        return sorted(askable, key=lambda n: (self._asked[n], n))[:MAX_QUERIES]

    def _given_up(self, place: int) -> bool:
        """Whether a step was asked so often that its answer is taken from elsewhere."""
        return self._asked[place] >= (ATTEMPTS if self._steps[place].gold else 1)

    def _query(self, place: int) -> Wanted:
        before = self._asked[place]
        self._asked[place] += 1
        return Wanted(
            query=self._steps[place].wordings[before],
            item=place + 1,
            intent="reformulation" if before else "part",
        )

    def _items(self, key: str) -> list[int]:
        return [place for place, step in enumerate(self._steps, 1) if step.gold in ("", key)]

    def _known(self, blocks: Mapping[int, str]) -> dict[int, str]:
        """Return the gold documents of which ``blocks`` are passages, by the same ids."""
        known: dict[int, str] = {}
        for number, text in blocks.items():
            passage = _flat(text)
            for key, whole in self._gold.items():
                if passage.strip() and passage in whole:
                    known[number] = key
        return known


class ReplayModel(ScriptedModel):
    """A replay as a model that also knows when its calls were made."""

    def __init__(self, replay: Replay) -> None:
        """Answer as ``replay`` does."""
        super().__init__(replay, name="human:planner", latency_s=LATENCY_S)
        self.calls: list[tuple[float, float]] = []
        """When each call began and ended, in seconds."""

    async def complete(self, request: ModelRequest) -> Completion:
        """Return the answer."""
        started = perf_counter()
        try:
            return await super().complete(request)
        finally:
            self.calls.append((started, perf_counter()))

    async def stream(self, request: ModelRequest) -> AsyncGenerator[str | Completion]:
        """Yield the answer piece by piece."""
        started = perf_counter()
        try:
            async for piece in super().stream(request):
                yield piece
        finally:
            self.calls.append((started, perf_counter()))


def _holders(
    texts: Sequence[str], asked: Sequence[SubQuestion], gold: Mapping[str, Document]
) -> Sequence[str]:
    """Return for each step the id of its own document, all of them together fitting best.

    Nobody wrote down which it is. Where steps have no answers there may be none for a step, or
    several, and it stays open.
    """
    if len(asked) != len(gold) or not all(part.a for part in asked):
        return [""] * len(asked)
    fits = [
        {key: _fit(text, part.a, document) for key, document in gold.items()}
        for text, part in zip(texts, asked, strict=True)
    ]
    return max(
        permutations(sorted(gold)),
        key=lambda order: sum(fit[key] for fit, key in zip(fits, order, strict=True)),
    )


def _fit(text: str, answer: str, document: Document) -> int:
    whole = f"{document.title} {document.text}"
    shared = len(frozenset(terms(text)) & frozenset(terms(whole)))
    return shared + HELD * (_flat(answer) in _flat(whole))


def _wordings(text: str, question: str) -> tuple[str, ...]:
    named = " ".join(name.text for name in names(text))
    whole = f"{text} {question}".strip()
    return tuple(dict.fromkeys(wording[:MAX_CHARS] for wording in (text, named, whole) if wording))


def _references(text: str) -> Iterable[int]:
    """Yield the places of the steps that ``text`` refers to, from 0."""
    return (int(number) - 1 for number in _REFERENCE.findall(text))


def _filled(text: str, answers: Sequence[str]) -> str:
    """Return ``text`` with the answers it refers to, and without the marks of a bare relation."""

    def answer(match: re.Match[str]) -> str:
        return dict(enumerate(answers, 1)).get(int(match[1]), "")

    return " ".join(_REFERENCE.sub(answer, text).replace(">>", " ").split())


def _told(text: str, facts: Iterable[str]) -> str:
    """Return what the fact that is nearest to ``text`` says beyond it."""
    asked = frozenset(terms(text))
    nearest = max(facts, key=lambda fact: len(asked & frozenset(terms(fact))), default="")
    said = (word for word in nearest.split() if (own := terms(word)) and not asked & frozenset(own))
    return " ".join(said)


def _told_to(request: ModelRequest) -> str:
    return "\n".join(m.content for m in request.messages if m.role is Role.USER)


def _cited(shown: Iterable[int]) -> str:
    return " ".join(f"Passage {number} was needed [{number}]." for number in shown)


def _flat(text: str) -> str:
    return f" {' '.join(words(text))} "


def _checked(request: ModelRequest) -> Answer:
    """Return that every sentence asked about is supported: this planner cites what holds it."""
    listed = _told_to(request).split("Passages:")[0]
    numbers = map(int, re.findall(r"(?m)^(\d+)\. ", listed))
    return {"verdicts": [{"number": number, "verdict": "supported"} for number in numbers]}
