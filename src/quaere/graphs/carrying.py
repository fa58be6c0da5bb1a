"""The answer of the only researcher, which is the run's where its topic is the whole question.

Who judged its evidence sufficient has just read all of it, as in the loop. To have the same
evidence written up once more would take a call and bring nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from quaere.domain.budget import Budget
from quaere.domain.evidence import Evidence
from quaere.graphs.researchers import Finding
from quaere.graphs.state import SupervisorState
from quaere.graphs.views import answer_words
from quaere.plan.topics import topic_similarity
from quaere.reason.llm.sentences import with_ids


def is_whole(topics: Sequence[str], state: SupervisorState) -> bool:
    """Return whether ``topics`` are one whose answer is that of the question.

    It is where the supervisor has said so, or asks the question itself, and nothing was researched
    before: an answer that builds on an earlier topic does not tell what that one has found.
    """
    if len(topics) != 1 or state["topics"]:
        return False
    asked = state["question"].full_text
    return wants_no_more(state) or topic_similarity(topics[0], asked) == 1


def wants_no_more(state: SupervisorState) -> bool:
    """Return whether the question is answered as soon as all topics are that were dispatched.

    It is not while a topic waits that the supervisor has named and that was put off.
    """
    said = state["delegation"]
    if said is None or not said.last:
        return False
    return set(said.topics) <= {*state["dispatched_topics"], *state["skipped_topics"]}


def for_whole(budget: Budget, state: SupervisorState) -> Budget:
    """Return ``budget``, of the only researcher, with the length of the run's answer.

    That of a topic stays where the run's answer will be written in a step of its own.
    """
    words = answer_words(state)
    return budget if words is None else budget.model_copy(update={"answer_words": words})


def carried_answer(
    findings: Sequence[Finding], pool: Sequence[Evidence], state: SupervisorState
) -> str:
    """Return the answer that the only one of ``findings`` came with, by the ids of ``pool``.

    It is empty where there is none, where it is not that of the whole question, and where the run's
    answer will be written in a step of its own.
    """
    if not is_whole([each.topic for each in findings], state) or answer_words(state) is None:
        return ""
    (found,) = findings
    reflection = found.state["reflection"]
    if found.error or reflection is None or not reflection.sufficient:
        return ""
    ids = {entry.passage: entry.id for entry in pool}
    own = {entry.id: ids[entry.passage] for entry in found.state["pool"]}
    return with_ids(reflection.answer, own)
