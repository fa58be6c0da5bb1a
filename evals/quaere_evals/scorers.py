"""Scores one run against what is known of its question. Pure."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby

from quaere.domain.verdict import StopReason
from quaere.text.tokens import UNSPACED

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What a run found, as document ids."""

    rounds: Sequence[Sequence[str]]
    """The selection, best first, after each loop."""
    stop_reason: StopReason
    text: str
    """The text of the final selection."""

    @property
    def final(self) -> Sequence[str]:
        """The selection at the end."""
        return self.rounds[-1] if self.rounds else ()


def recall(found: Collection[str], gold: Collection[str]) -> float:
    """Return the share of ``gold`` in ``found``."""
    return len(set(gold) & set(found)) / len(gold)


def has_all(found: Collection[str], gold: Collection[str]) -> bool:
    """Whether all of ``gold`` is in ``found``."""
    return set(gold) <= set(found)


def normalize_answer(text: str) -> str:
    """Return ``text`` as SQuAD's evaluation compares it: lower case, no articles or punctuation."""
    plain = _ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION))
    return " ".join(plain.split())


def holds_answer(text: str, answers: Sequence[str]) -> bool:
    """Whether ``text`` holds one of ``answers``, both normalized.

    In a script without spaces a word may begin and end anywhere.
    """
    hay = f" {normalize_answer(text)} "
    return any((wanted := _bounded(normalize_answer(a))) and wanted in hay for a in answers)


def _bounded(answer: str) -> str:
    return answer if not answer or _UNSPACED.search(answer) else f" {answer} "


def begins_with(text: str, answers: Sequence[str]) -> bool:
    """Whether the first word of ``text`` is one of ``answers``, both normalized."""
    said = f" {normalize_answer(text)} "
    return any(said.startswith(f" {_bounded(normalize_answer(a)).lstrip()}") for a in answers)


def stopped_early(run: Retrieved, gold: Collection[str]) -> bool:
    """Whether the run called itself sufficient while a gold passage was missing."""
    return run.stop_reason is StopReason.SUFFICIENT and not has_all(run.final, gold)


def stopped_late(run: Retrieved, gold: Collection[str]) -> bool:
    """Whether the run went on for more than one loop after all gold passages were in."""
    complete = [has_all(found, gold) for found in run.rounds]
    return True in complete and len(complete) - complete.index(True) > 2


def longest_chain(calls: Sequence[tuple[float, float]]) -> int:
    """Return how many of ``calls``, each its begin and its end, came one after another.

    The most of them such that each begins after the one before it has ended.
    """
    count, free = 0, float("-inf")
    for begun, ended in sorted(calls, key=lambda call: call[1]):
        if begun >= free:
            count, free = count + 1, ended
    return count


def calls_in_a_row(topics: Sequence[str]) -> int:
    """Return how many calls of a team came one after another.

    Researchers work side by side, so that of a round the one with the most calls counts. Clocks
    would not tell: on one processor the steps between the calls of a team come in turn.

    Args:
        topics: Of each call, in order, the topic that it was made for; empty where the supervisor
            made it.
    """
    count = 0
    for of_supervisor, made in groupby(topics, key=lambda topic: not topic):
        by_topic = Counter(made)
        count += by_topic.total() if of_supervisor else max(by_topic.values())
    return count
