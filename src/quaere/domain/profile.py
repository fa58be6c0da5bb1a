"""The named budgets: simple, standard, deep and chat."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from quaere.domain.budget import Budget


class ProfileName(StrEnum):
    """Names under which a budget can be asked for."""

    SIMPLE = "simple"
    STANDARD = "standard"
    DEEP = "deep"
    CHAT = "chat"


PROFILES: Mapping[ProfileName, Budget] = MappingProxyType(
    {
        ProfileName.SIMPLE: Budget(
            max_iters=2,
            max_queries=3,
            max_sources=5,
            max_reads=8,
            max_execution_time_s=60,
            max_citations=5,
            answer_words=60,
        ),
        ProfileName.STANDARD: Budget(max_iters=5, max_queries=10, max_sources=15),
        ProfileName.DEEP: Budget(
            max_iters=10,
            max_queries=18,
            max_sources=20,
            max_reads=32,
            max_execution_time_s=120,
            token_budget=400_000,
            max_citations=12,
            answer_words=600,
        ),
        ProfileName.CHAT: Budget(
            max_iters=2,
            max_queries=4,
            max_sources=8,
            max_reads=4,
            max_execution_time_s=20,
            max_citations=8,
            answer_words=60,
        ),
    }
)
"""Limits by profile: R0.6 for simple, standard and deep, R3.1 for chat and the citation caps."""

ANSWERING_EARLY = frozenset({ProfileName.SIMPLE, ProfileName.STANDARD, ProfileName.CHAT})
"""Profiles in which the call that finds the evidence sufficient may carry the answer: it has just
read all of it. A long answer is worth a call of its own."""
