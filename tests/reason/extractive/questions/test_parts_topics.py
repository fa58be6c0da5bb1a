"""Topics from the wording of a question."""

from __future__ import annotations

import pytest

from quaere.domain.question import ItemStatus
from quaere.domain.team import Topic
from quaere.reason.extractive.questions.parts import follow_up_topics, topics_of


@pytest.mark.parametrize(
    ("question", "topics"),
    [
        (
            "Where is Hask? How many arches has the bridge of Tressel Ford?",
            ("Where is Hask?", "How many arches has the bridge of Tressel Ford?"),
        ),
        (
            "When was Hask founded and who built the organ of Dunmere?",
            ("When was Hask founded?", "Who built the organ of Dunmere?"),
        ),
        ("Compare Hask and Dunmere in terms of trade.", ("Hask: trade", "Dunmere: trade")),
        (
            "Summarize the costs, main risks and benefits of tunnels.",
            ("costs of tunnels", "main risks of tunnels", "benefits of tunnels"),
        ),
        (
            "1. What is flax? 2. What is rye?",
            ("What is flax?", "What is rye?"),
        ),
    ],
)
def test_a_question_falls_into_its_parts(question: str, topics: tuple[str, ...]) -> None:
    assert topics_of(question) == topics


@pytest.mark.parametrize(
    "question",
    [
        "Where was the founder of the Quill Observatory born?",
        "Who founded the Quill Observatory? When did he die?",
        "What is flax?",
        "x" * 3_000,
        "？",
    ],
)
def test_what_rests_on_another_part_or_has_none_stays_whole(question: str) -> None:
    assert topics_of(question) == (question,)


def _topic(text: str, *gaps: str, status: ItemStatus = ItemStatus.UNSATISFIED) -> Topic:
    return Topic(text=text, status=status, gaps=gaps)


def test_what_was_not_found_at_all_is_looked_for_by_its_name() -> None:
    gaps = (
        "Not found: Who or what is meant by “the founder of Quill”",
        "Not found: Dunmere: what the sources say about it",
        "Not found: Further facts from the sources",
    )
    found = follow_up_topics([_topic("When was the founder of Quill born?", *gaps)], ())
    assert found[0] == "the founder of Quill"
    assert len(found) <= 2
    assert not any("Further facts" in topic for topic in found)


def test_nothing_follows_what_is_known_found_or_broken_off() -> None:
    gap = "Not found: Who or what is meant by “the founder of Quill”"
    assert not follow_up_topics([_topic("t", gap)], ("The Founder of Quill",))
    assert not follow_up_topics([_topic("t", gap, status=ItemStatus.PARTIAL)], ())
    assert not follow_up_topics([_topic("t", gap).model_copy(update={"error": "it died"})], ())
