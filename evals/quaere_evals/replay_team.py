"""Replays the sub-questions of people as topics: the perfect planner as a supervisor.

What builds on another answer belongs to the topic of that answer, and its researcher follows it
step by step; what can be asked without it is a topic of its own. Each researcher is led by a
perfect planner of its topic.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from quaere.domain.model import ModelRequest, Role
from quaere.reason.llm.contracts import Briefing, Supervision
from quaere.testing.doubles import Answer
from quaere.text.tokens import terms
from quaere_evals.datasets import Document, MultihopQuestion
from quaere_evals.replay import Replay, Step, steps_of

JOINING = 2
"""Steps that another one takes up from which it joins them: it is left to the report."""

_QUESTION = re.compile(r"^Question: (.*)$", re.MULTILINE)
_REFERENCE = re.compile(r"#(\d+)")


class TeamReplay(Replay):
    """The planner of one question that a team researches."""

    def __init__(self, question: MultihopQuestion, gold: Sequence[Document]) -> None:
        """Replay the sub-questions of ``question``, whose answer takes the documents ``gold``."""
        super().__init__(question, gold)
        documents = {each.doc_id: each for each in gold}
        steps = steps_of(question, documents)
        chains = chains_of(steps)
        self.planners: Mapping[str, Replay] = {}
        """The planner of each topic; none where the question is the only one."""
        if len(chains) > 1:
            self.planners = {
                " ".join(steps[place].text for place in chain): Replay(
                    _alone(question, chain), held
                )
                for chain, held in zip(chains, _documents(steps, chains, documents), strict=True)
            }
        for topic, planner in self.planners.items():
            planner.take_as_asked(topic)
        self._topics = list(self.planners) or [question.question]

    def __call__(self, request: ModelRequest) -> Answer:
        """Return what a perfect planner answers to ``request``."""
        if request.step == "brief":
            return Briefing(brief="What the question asks.", topics=self._topics, last=True)
        if request.step == "supervise":
            return Supervision(topics=[], complete=True)
        planner = self.planners.get(_asked(request))
        return planner(request) if planner else super().__call__(request)


def chains_of(steps: Sequence[Step]) -> tuple[tuple[int, ...], ...]:
    """Return the places of steps that build on each other, those of one chain together."""
    joined = {place for place, step in enumerate(steps) if len(step.after) >= JOINING}
    home: dict[int, int] = {}
    for place, step in enumerate(steps):
        if place not in joined:
            before = sorted(other for other in step.after if other in home)
            home[place] = home[before[0]] if before else place
    chains: dict[int, list[int]] = {}
    for place, first in home.items():
        chains.setdefault(first, []).append(place)
    return tuple(map(tuple, chains.values()))


def _alone(question: MultihopQuestion, chain: Sequence[int]) -> MultihopQuestion:
    """Return the steps of ``chain`` as a question of its own, with its own numbers."""
    numbers = {place + 1: number for number, place in enumerate(chain, 1)}

    def numbered(match: re.Match[str]) -> str:
        own = numbers.get(int(match[1]))
        return f"#{own}" if own else ""

    parts = [question.sub_questions[place] for place in chain]
    own = tuple(p.model_copy(update={"q": _REFERENCE.sub(numbered, p.q)}) for p in parts)
    return question.model_copy(update={"sub_questions": own})


def _documents(
    steps: Sequence[Step],
    chains: Sequence[Sequence[int]],
    documents: Mapping[str, Document],
) -> Sequence[Sequence[Document]]:
    """Return the documents that the steps of each of ``chains`` take.

    Where nobody wrote down which a step takes, each document is taken by the chain whose wording
    is nearest to it, and a chain that would be left with none takes the one that is nearest to it.
    """
    homes = {steps[n].gold: place for place, chain in enumerate(chains) for n in chain}
    asked = [frozenset(terms(" ".join(steps[n].text for n in chain))) for chain in chains]
    said = {key: frozenset(terms(f"{d.title} {d.text}")) for key, d in documents.items()}
    held: list[list[Document]] = [[] for _ in chains]
    for key, document in documents.items():
        near = [len(words & said[key]) for words in asked]
        held[homes.get(key, near.index(max(near)))].append(document)
    for words, own in zip(asked, held, strict=True):
        if not own:
            own.append(documents[max(said, key=lambda key: len(words & said[key]))])
    return held


def _asked(request: ModelRequest) -> str:
    """Return the question in a prompt."""
    text = "\n".join(m.content for m in request.messages if m.role is Role.USER)
    found = _QUESTION.search(text)
    return " ".join(found[1].split()) if found else ""
