"""The limits of every profile, as the documentation tells them (R0.6, R3.1)."""

from __future__ import annotations

import pytest

from quaere.domain.profile import ANSWERING_EARLY, PROFILES, ProfileName


@pytest.mark.parametrize(
    ("name", "reads", "citations", "words", "tokens"),
    [
        (ProfileName.CHAT, 4, 8, 60, 200_000),
        (ProfileName.SIMPLE, 8, 5, 60, 200_000),
        (ProfileName.STANDARD, 20, 10, 200, 200_000),
        (ProfileName.DEEP, 32, 12, 600, 400_000),
    ],
)
def test_a_larger_profile_reads_cites_and_writes_more(
    name: ProfileName, reads: int, citations: int, words: int, tokens: int
) -> None:
    budget = PROFILES[name]
    assert (budget.max_reads, budget.max_citations) == (reads, citations)
    assert (budget.answer_words, budget.token_budget) == (words, tokens)
    assert budget.max_cost_usd is None


def test_a_chat_is_answered_within_twenty_seconds_r3_1() -> None:
    chat = PROFILES[ProfileName.CHAT]
    assert chat.max_execution_time_s == 20
    assert (chat.max_iters, chat.max_queries, chat.max_sources) == (2, 4, 8)


def test_only_a_long_answer_is_always_written_in_a_call_of_its_own() -> None:
    lengths = {name: PROFILES[name].answer_words for name in ProfileName}
    assert {name for name, words in lengths.items() if words <= 200} == ANSWERING_EARLY
