"""Decides which names that the first look has brought up are followed before a plan is made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from quaere.domain.budget import Budget, Remaining
from quaere.domain.evidence import Evidence, Lead
from quaere.plan.queries import LEAST_PLANNED
from quaere.text.tokens import is_stop_word, stem, words

MOST_FOLLOWED = 2
"""Names that are followed, side by side."""

OPEN_LEAD = 0.2
"""Strength from which a name is followed."""

RIVAL = 0.8
"""Share of the best passage's score from which another source is next to it. The question then
names several things that were found together, as comparisons do, and leads nowhere else."""

NEW_SHARE = 1 / 3
"""A name leads on if more of its words than this are not those of the question: a name of three
words of which the question has two is another spelling of what it asks about."""

LONGEST_NAME = 6
"""Words of a name. What is longer was a row of a table or a heading."""

AS_STRONG = 0.9
"""Share of a name's strength from which a longer wording of it is asked for in its place."""

TIME_KEPT = 0.5
"""Share of a run's time that has to be left."""


def queries_to_follow(left: Remaining, budget: Budget) -> int:
    """Return how many names may be followed with what is ``left`` of ``budget``.

    The plan keeps the queries that it has at least, and a round in which they are asked.
    """
    if left.iterations < 2 or left.seconds < TIME_KEPT * budget.max_execution_time_s:
        return 0
    return max(0, min(MOST_FOLLOWED, left.queries - LEAST_PLANNED))


def leads_to_follow(
    asked: str, leads: Iterable[Lead], selection: Sequence[Evidence], *, limit: int
) -> tuple[Lead, ...]:
    """Return at most ``limit`` of ``leads``, those that are most likely to close the question.

    None where the first look has found several things side by side.

    Args:
        asked: The question.
        leads: Strongest first.
        selection: What the first look has selected, scored by the question.
        limit: Most leads to return.
    """
    if _stand_side_by_side(selection):
        return ()
    known = frozenset(map(stem, words(asked)))
    strong = (lead for lead in leads if lead.strength >= OPEN_LEAD)
    return tuple(_worded_best(lead for lead in strong if _leads_on(lead.name, known))[:limit])


def _worded_best(leads: Iterable[Lead]) -> list[Lead]:
    """Return each of ``leads`` once, of several wordings of a name the one that says most."""
    chosen: list[Lead] = []
    for lead in leads:
        place = next((n for n, other in enumerate(chosen) if _is_same(lead, other)), None)
        if place is None:
            chosen.append(lead)
        elif _says_more(lead, chosen[place]):
            chosen[place] = lead
    return chosen


def _stand_side_by_side(selection: Sequence[Evidence]) -> bool:
    best = max(selection, key=lambda each: each.score.total, default=None)
    if best is None:
        return False
    others = (each.score.total for each in selection if each.url != best.url)
    return max(others, default=0.0) >= RIVAL * best.score.total


def _leads_on(name: str, known: frozenset[str]) -> bool:
    content = [word for word in name.split() if not is_stop_word(word)]
    new = [word for word in content if stem(word) not in known]
    return len(name.split()) <= LONGEST_NAME and len(new) > NEW_SHARE * len(content)


def _is_same(lead: Lead, other: Lead) -> bool:
    """Return whether one of two names is part of the other."""
    return f" {lead.name} " in f" {other.name} " or f" {other.name} " in f" {lead.name} "


def _says_more(lead: Lead, other: Lead) -> bool:
    """Return whether ``lead``, a wording of the same name, is longer and about as strong."""
    return len(lead.name) > len(other.name) and lead.strength >= AS_STRONG * other.strength
