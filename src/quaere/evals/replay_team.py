"""Replays the sub-questions of people as topics: the perfect planner as a supervisor.

It gives out what can be asked now, and what builds on that in the next round. Each researcher is
led by a perfect planner of its own topic.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from quaere.domain.model import ModelRequest, Role
from quaere.evals.datasets import Document, MultihopQuestion, SubQuestion
from quaere.evals.replay import Replay, steps_of
from quaere.reason.llm.contracts import Briefing, Supervision
from quaere.testing.double import Answer

_QUESTION = re.compile(r"^Question: (.*)$", re.MULTILINE)


class TeamReplay(Replay):
    """The planner of one question that a team researches."""

    def __init__(self, question: MultihopQuestion, gold: Sequence[Document]) -> None:
        """Replay the sub-questions of ``question``, whose answer takes the documents ``gold``."""
        super().__init__(question, gold)
        documents = {each.doc_id: each for each in gold}
        self._topics = steps_of(question, documents)
        self._given = set[int]()
        self._planners = {
            step.text: Replay(
                _alone(question, step.text),
                [documents[step.gold]] if step.gold in documents else list(gold),
            )
            for step in self._topics
        }

    def __call__(self, request: ModelRequest) -> Answer:
        """Return what a perfect planner answers to ``request``."""
        if request.step == "brief":
            topics, last = self._next_topics()
            return Briefing(brief="What the question asks.", topics=topics, last=last)
        if request.step == "supervise":
            topics, last = self._next_topics()
            return Supervision(topics=topics, complete=not topics, last=last)
        planner = self._planners.get(_asked(request))
        return planner(request) if planner else super().__call__(request)

    def _next_topics(self) -> tuple[list[str], bool]:
        """Return the steps that wait for nothing any more, and whether these are all the rest."""
        left = [n for n in range(len(self._topics)) if n not in self._given]
        now = [n for n in left if self._topics[n].after <= self._given]
        self._given.update(now)
        return [self._topics[n].text for n in now], now == left


def _alone(question: MultihopQuestion, topic: str) -> MultihopQuestion:
    """Return ``topic`` as a question of one step."""
    return question.model_copy(update={"question": topic, "sub_questions": (SubQuestion(q=topic),)})


def _asked(request: ModelRequest) -> str:
    """Return the question in a prompt."""
    text = "\n".join(m.content for m in request.messages if m.role is Role.USER)
    found = _QUESTION.search(text)
    return " ".join(found[1].split()) if found else ""
