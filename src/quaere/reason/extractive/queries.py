"""The queries of a run without a model: the first ones, those that follow names, and rewordings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, filterfalse

from quaere.domain.evidence import Lead
from quaere.domain.question import Intent, Query, Question, SourceKind
from quaere.domain.report import QueryOutcome
from quaere.domain.source import Passage
from quaere.ports.search import TermStatistics
from quaere.reason.extractive.manuals.definitions import words_defined
from quaere.reason.extractive.manuals.needs import versioned
from quaere.reason.extractive.questions.parts import comparison, questions
from quaere.reason.extractive.things_counted import things_counted
from quaere.text.names import names
from quaere.text.sorts import sort_words
from quaere.text.synonyms import everyday_words, other_spellings, related_words
from quaere.text.tokens import is_stop_word, words

TITLES_PER_QUERY = 32
"""Names that one query may look up as titles."""

MIN_FIRST, MAX_FIRST = 3, 6
"""Queries of a plan (R0.3)."""


def content_words(text: str) -> tuple[str, ...]:
    """Return the words of ``text``, folded, each once, stop words left out."""
    return tuple(dict.fromkeys(word for word in words(text) if not is_stop_word(word)))


def first_queries(
    question: Question, bridges: Sequence[Query], allowance: int
) -> tuple[Query, ...]:
    """Return the plan's 3 to 6 queries: bridges first, then the question's own parts and names.

    Fewer than three are returned only when ``allowance`` or the question has no more to give.
    """
    parts = [
        Query(text=part, intent=Intent.PART, purpose="one part of what is asked")
        for part in _parts(question.text)
    ]
    named = [
        Query(
            text=name.text,
            intent=Intent.ENTITY,
            purpose=f"who or what {name.text} is",
            titles=(name.text,),
        )
        for name in names(question.text)
    ]
    terms = Query(
        text=" ".join(content_words(question.text)) or question.text,
        intent=Intent.TERMS,
        purpose="the key terms alone",
    )
    own: dict[tuple[str, ...], Query] = {}
    for query in (*parts, *named, terms):
        own.setdefault(tuple(words(query.text)), query)
    fill = max(0, MIN_FIRST - len(bridges))
    return (*bridges, *[*own.values()][:fill])[: min(MAX_FIRST, allowance)]


def everyday_queries(text: str, statistics: TermStatistics) -> tuple[Query, ...]:
    """Return ``text`` with everyday words of the sources for those that they lack; if any."""
    content = content_words(text)
    kept = list(filter(statistics.document_share, content))
    lacking = list(filterfalse(statistics.document_share, content))
    others = chain.from_iterable((*everyday_words(word), *sort_words(word)) for word in lacking)
    called = list(filter(statistics.document_share, others))
    if not called:
        return ()
    return (
        Query(
            text=" ".join(dict.fromkeys([*kept, *called])),
            intent=Intent.REFORMULATION,
            purpose="the question in everyday words of the sources",
        ),
    )


COUNT_PLACES = 2
"""Places in the selection for what tells how many there are of something."""


MEANING_PLACES = 2
"""Places in the selection for lists of terms and what they mean, and for what is needed."""


def count_queries(text: str, kinds: Collection[SourceKind]) -> tuple[Query, ...]:
    """Return a query for the things that ``text`` asks the number of, and whose they are; if any.

    When that was, and other circumstances, are said of much else in a long document. Of folders
    alone: a service is not paid to look once more.
    """
    things = things_counted(text)
    if not things or SourceKind.FOLDER not in kinds:
        return ()
    told = dict.fromkeys([*content_words(things), *words(" ".join(n.text for n in names(text)))])
    if not told:
        return ()
    return (_part(" ".join(told), f"how many {things} there are", COUNT_PLACES),)


def meaning_queries(text: str, kinds: Collection[SourceKind]) -> tuple[Query, ...]:
    """Return a query for a list of terms that has the one ``text`` asks the meaning of; if any.

    A page that is called so is found by the question itself, a line of a glossary is not. Of
    folders alone.
    """
    named = words_defined(text)
    if not named or SourceKind.FOLDER not in kinds:
        return ()
    name = " ".join(named)
    return (_part(f"{name} glossary term meaning", f"what {name} means", MEANING_PLACES),)


def version_queries(text: str, kinds: Collection[SourceKind]) -> tuple[Query, ...]:
    """Return a query for the line that says which version ``text`` asks for is needed; if any.

    It has the number and no word for a version: "You need Tern 4.2 or newer". Of folders alone.
    """
    named = versioned(text)
    if not named or SourceKind.FOLDER not in kinds:
        return ()
    sought = f"{named} needs requires newer later"
    return (_part(sought, f"which {named} is needed", MEANING_PLACES),)


def _part(text: str, purpose: str, places: int) -> Query:
    """Return a query of folders alone, for which so many ``places`` of the selection are kept."""
    return Query(
        text=text,
        intent=Intent.PART,
        purpose=purpose,
        source_kinds=(SourceKind.FOLDER,),
        places=places,
    )


def _parts(text: str) -> list[str]:
    """Return the questions that ``text`` is made of, or the sides of its comparison."""
    compared = comparison(text)
    if compared:
        return [f"{side} {compared.about}".strip() for side in (compared.first, compared.second)]
    several = questions(text)
    return list(several) if len(several) > 1 else []


def bridge_queries(
    question: Question, leads: Sequence[Lead], outcomes: Iterable[QueryOutcome], *, limit: int
) -> tuple[Query, ...]:
    """Return at most ``limit`` queries after the strongest names that nothing has asked for yet.

    Each asks for the name together with what the passage that named it leaves open of the question.
    The first also looks up every other name as a title, which costs nothing more.
    """
    queries = [outcome.query for outcome in outcomes]
    followed = {name for query in queries for name in query.focus}
    looked_up = {title for query in queries for title in query.titles}
    titles = [lead.name for lead in leads if lead.name not in looked_up]
    open_leads = [lead for lead in leads if lead.name not in followed][:limit]
    return tuple(
        _bridge(question, lead, titles[:TITLES_PER_QUERY] if position == 0 else ())
        for position, lead in enumerate(open_leads)
    )


def _bridge(question: Question, lead: Lead, titles: Sequence[str]) -> Query:
    covered, content = frozenset(lead.covered), content_words(question.text)
    open_words = [word for word in content if word not in covered]
    return Query(
        text=" ".join([lead.name, *open_words]),
        intent=Intent.BRIDGE,
        purpose=f"what {lead.name} has to do with it",
        focus=(lead.name,),
        faint=tuple(word for word in content if word in covered),
        titles=tuple(titles),
        parent=lead.passage,
    )


ALIKE = 80.0
"""Spelling similarity, 0 to 100 (normalized indel), from which a word of the corpus replaces one
that it does not hold."""


def reformulations(
    outcomes: Iterable[QueryOutcome],
    passages: Iterable[Passage],
    statistics: TermStatistics | None = None,
) -> tuple[Query, ...]:
    """Return other wordings of every query that was answered with fewer than three results.

    Three ways are tried: words that the corpus does not hold in the spelling it does hold, words
    that speak of the same relation, and fewer words.

    Args:
        outcomes: Every query so far.
        passages: What was read; words that the corpus spells in another way come from here.
        statistics: How common words are in what is searched, where a provider knows.
    """
    poor = [outcome.query for outcome in outcomes if outcome.poor and not outcome.error]
    first = [query for query in poor if query.intent is not Intent.REFORMULATION]
    if not first:
        return ()
    vocabulary = sorted({word for passage in passages for word in words(passage.text)})
    return tuple(
        Query(text=text, intent=Intent.REFORMULATION, purpose=why, item=query.item)
        for query in first
        for text, why in _rewordings(query, vocabulary, statistics)
    )


def _rewordings(
    query: Query, vocabulary: Sequence[str], statistics: TermStatistics | None
) -> Iterator[tuple[str, str]]:
    content = content_words(query.text)
    known = [word for word in content if not statistics or statistics.document_share(word) > 0]
    spelled = [word if word in known else _respelled(word, vocabulary) for word in content]
    if spelled != list(content) and any(spelled):
        yield " ".join(filter(None, spelled)), "the same in the corpus's own spelling"
    synonyms = [*chain.from_iterable(map(related_words, content))]
    if statistics:
        spelled_otherwise = chain.from_iterable(map(other_spellings, content))
        synonyms += (word for word in spelled_otherwise if statistics.document_share(word) > 0)
    if synonyms:
        yield " ".join(dict.fromkeys([*known, *synonyms])), "the same in related words"
    if len(content) > 2:
        kept = sorted(content, key=lambda word: (word not in known, -len(word), word))
        yield " ".join(kept[: (len(content) + 1) // 2]), "a broader question"


def _respelled(word: str, vocabulary: Sequence[str]) -> str:
    from rapidfuzz import fuzz, process  # noqa: PLC0415 - 30 modules, for words not found alone

    found = process.extractOne(word, vocabulary, scorer=fuzz.ratio, score_cutoff=ALIKE)
    return found[0] if found else ""
