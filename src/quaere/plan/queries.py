"""Decides which queries are planned, which of those proposed are asked, and where.

Before a plan is made, that is which names are followed that the first look has brought up.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Container, Iterable, Iterator, Sequence

from quaere.domain.budget import Budget, Remaining
from quaere.domain.evidence import Evidence, Lead
from quaere.domain.question import Checklist, Intent, ItemStatus, Plan, Query, SourceKind
from quaere.text.languages.language import cached_by_language
from quaere.text.queries import as_understood, has_pubmed_tags, names_site
from quaere.text.tokens import is_stop_word, stem, words

LEAST_PLANNED = 3
"""Queries of a plan (R0.3)."""
PLACES = 4
"""Places in the selection that what is found for a question with its gap gets together."""
MOST_EACH = 2
"""Queries of a round for PubMed, and for the web, where both are searched (R4.2)."""

_BOTH = frozenset({SourceKind.PUBMED, SourceKind.WEB})

Key = tuple[frozenset[str], frozenset[str]]


def query_key(query: Query) -> Key:
    """Return what makes two queries the same: their words, and the titles they look for."""
    return _key(query.text, query.titles)


@cached_by_language(maxsize=1024)  # each proposal is compared with all that were asked before
def _key(text: str, titles: tuple[str, ...]) -> Key:
    return frozenset(words(text)), frozenset(" ".join(words(title)) for title in titles)


def admit(
    proposed: Iterable[Query], asked: Iterable[Query], *, allowance: int
) -> tuple[Query, ...]:
    """Return the first ``allowance`` proposed queries that were not asked before.

    Two queries with the same words in another order are the same query.
    """
    known = {query_key(query) for query in asked}
    admitted: list[Query] = []
    for query in proposed:
        key = query_key(query)
        if len(admitted) >= allowance:
            break
        if key not in known:
            known.add(key)
            admitted.append(query)
    return tuple(admitted)


def topped_up(plan: Plan, checklist: Checklist, asked: str) -> tuple[Query, ...]:
    """Return the queries of ``plan``, each once, and others until there are three (R0.3, R2.2).

    What is added is held in reserve.

    Args:
        plan: As a reasoner has made it.
        checklist: Of the plan, with what the first search has satisfied.
        asked: The question.
    """
    planned = admit(plan.queries, (), allowance=len(plan.queries))
    added = admit(_reserves(plan, checklist, asked), planned, allowance=LEAST_PLANNED)
    return (*planned, *added[: max(0, LEAST_PLANNED - len(planned))])


def _reserves(plan: Plan, checklist: Checklist, asked: str) -> Iterator[Query]:
    """Yield what else could be asked, the most telling first."""
    for item in sorted(checklist.items, key=lambda each: each.status is ItemStatus.SATISFIED):
        if words(item.description):
            yield Query(text=item.description, intent=Intent.GAP, item=item.id, reserve=True)
    terms = next(filter(words, (" ".join(plan.key_terms), plan.refined_question, asked)))
    yield Query(text=terms, intent=Intent.TERMS, reserve=True)
    if words(asked):
        yield Query(text=" ".join(asked.split()), intent=Intent.RAW, reserve=True)
    for term in filter(words, plan.key_terms):
        yield Query(text=term, intent=Intent.ENTITY, reserve=True)
    for word in ("overview", "background", "review"):
        yield Query(text=f"{terms} {word}", intent=Intent.REFORMULATION, reserve=True)


def needed(planned: Iterable[Query], checklist: Checklist) -> tuple[Query, ...]:
    """Return the ``planned`` queries that the first search has not made needless (R0.3).

    Those for an item that it has satisfied are, and those in reserve.
    """
    done = {item.id for item in checklist.with_status(ItemStatus.SATISFIED)}
    return tuple(q for q in planned if q.item not in done and not q.reserve)


def first_round(
    planned: Sequence[Query],
    proposed: Sequence[Query],
    asked: Sequence[Query],
    *,
    allowance: int,
    least: int,
) -> tuple[Query, ...]:
    """Return what to ask after the first search: at least ``least`` queries where there are any.

    Args:
        planned: Queries of the plan; those in reserve are asked only where others are too few.
        proposed: What the evaluation wants besides, without what is needless.
        asked: What was asked before.
        allowance: Most queries to return.
        least: Fewest queries to return, within the allowance.
    """
    wanted = admit(proposed, asked, allowance=allowance)
    spare = tuple(query for query in planned if query.reserve)
    room = min(allowance, max(len(wanted), least))
    return (*wanted, *admit(spare, (*asked, *wanted), allowance=room - len(wanted)))


def _is_with_gap(query: Query, question: str) -> bool:
    is_rewording = query.reserve and query.intent is Intent.REFORMULATION
    return is_rewording and query.text.startswith(question)


def with_gap(asked: str, gaps: Iterable[str], known: Iterable[Query]) -> tuple[Query, ...]:
    """Return the question together with what is missing, for when all that was proposed is known.

    Proposals that were asked before say that something is missing, but not how to ask for it. It
    is held in reserve until then, and asked once a run.

    Args:
        asked: The question.
        gaps: What is missing, the most important first; in words that the question lacks.
        known: What was asked before.
    """
    question = " ".join(asked.split())
    if any(_is_with_gap(query, question) for query in known):
        return ()
    heard = frozenset(words(question))
    new = next(filter(None, (_unheard(gap, heard) for gap in gaps)), "")
    if not new:
        return ()
    text = f"{question} {new}"
    return (Query(text=text, intent=Intent.REFORMULATION, reserve=True, places=PLACES),)


def aimed(queries: Iterable[Query], targets: Iterable[str]) -> tuple[Query, ...]:
    """Return ``queries``, those for no kind of source aimed at the kinds in ``targets`` (R3.2).

    Anything but a kind of source is ignored.
    """
    kinds = tuple(SourceKind(each) for each in dict.fromkeys(targets) if each in list(SourceKind))
    return tuple(
        query if query.source_kinds else query.model_copy(update={"source_kinds": kinds})
        for query in queries
    )


def is_split(kinds: Collection[SourceKind]) -> bool:
    """Return whether PubMed and the web are both searched, so that they share a round (R4.2)."""
    return frozenset(kinds) >= _BOTH


def _unheard(gap: str, heard: Container[str]) -> str:
    """Return the words of ``gap`` that are not among those ``heard``, each once."""
    return " ".join(dict.fromkeys(word for word in words(gap) if word not in heard))


def split(queries: Sequence[Query], kinds: Collection[SourceKind]) -> tuple[Query, ...]:
    """Return the queries of a round: one or two for PubMed, one or two for the web (R4.2).

    A query for no kind of source, or for several, counts for each. Beyond two it is aimed at what
    has room, or left out; where one of the two would get none, the first query for the other is
    asked there as well, in the syntax that is understood there.

    Args:
        queries: The best first.
        kinds: Those that the providers of the run search. Without both, all queries are returned.
    """
    if not is_split(kinds):
        return tuple(queries)
    room = dict.fromkeys(_BOTH, MOST_EACH)
    taken: list[Query] = []
    for query in queries:
        sides = sides_of(query)
        open_ = {side for side in sides if room[side]}
        if open_ == sides:
            taken.append(query)
        elif open_:
            taken.append(_narrowed(query, open_, kinds))
        for side in open_:
            room[side] -= 1
    unasked = (side for side in sorted(_BOTH) if room[side] == MOST_EACH)
    return (*taken, *_also_asked(taken, unasked, kinds))


def _also_asked(
    taken: Sequence[Query], sides: Iterable[SourceKind], kinds: Collection[SourceKind]
) -> Iterator[Query]:
    """Yield the first of ``taken`` that is for PubMed or the web, for each of ``sides``."""
    for side in sides:
        for query in itertools.islice(filter(sides_of, taken), 1):
            yield as_understood(_narrowed(query, {side}, kinds), {side})


def sides_of(query: Query) -> set[SourceKind]:
    """Return which of PubMed and the web ``query`` is for: what its syntax says goes first."""
    if has_pubmed_tags(query.text):
        return {SourceKind.PUBMED}
    if names_site(query.text):
        return {SourceKind.WEB}
    kinds = set(query.source_kinds)
    literature, local = {SourceKind.PUBMED, SourceKind.SCHOLARLY}, {SourceKind.FOLDER}
    if not kinds:
        return set(_BOTH)
    pubmed = {SourceKind.PUBMED} if kinds & literature else set[SourceKind]()
    return pubmed | ({SourceKind.WEB} if kinds - literature - local else set())


def _narrowed(query: Query, sides: Collection[SourceKind], kinds: Collection[SourceKind]) -> Query:
    """Return ``query`` for ``sides`` alone; folders cost nothing and stay with the web."""
    local = {SourceKind.FOLDER} & set(kinds) if SourceKind.WEB in sides else set[SourceKind]()
    return query.model_copy(update={"source_kinds": tuple(sorted({*sides, *local}))})


def queries_now(*, left: int, loops_left: int) -> int:
    """Return how many of the ``left`` queries a loop may ask, the first of ``loops_left``.

    Half of what is left, and so few that one remains for every later loop; everything in the last
    one. Eager models fill every list, the best first, and the last step of a chain is known last.
    """
    if loops_left <= 1:
        return left
    return max(min(1, left), min(-(-left // 2), left - loops_left + 1))


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
