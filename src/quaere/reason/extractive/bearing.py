"""Whether the sources are about what is asked: else a question is declined.

They have what it calls by its name, and they cover enough of its words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from quaere.domain.source import Passage
from quaere.domain.url import is_annals, needs_annals
from quaere.reason.extractive.chains import Goal, Search
from quaere.reason.extractive.comparisons.compare import order
from quaere.reason.extractive.identifiers import holds_identifiers, identifiers
from quaere.reason.extractive.line_context import points_back
from quaere.reason.extractive.plain_answers import is_nowhere
from quaere.reason.extractive.pool import Line, Pool, file_stem, page_of, spaced, title_subject
from quaere.reason.extractive.questions.kinds import Kind, last_question
from quaere.reason.extractive.questions.parts import (
    Comparison,
    claimed_order,
    comparison,
    questions,
)
from quaere.text.languages.language import in_english, is_english, language_in_use
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import TITLES
from quaere.text.names import Name, names
from quaere.text.tokens import stem, terms, words

FLOOR, NAMED_FLOOR = 0.45, 0.25
"""Least mean of what a sentence covers of the question's weight, alone and with what leads to it;
the second where a passage is about something that the question names. With them 89 of 100 questions
from other fields than the sources' are declined and 7 of 100 real ones, on the first half of six
sets; higher ones decline questions in languages whose words change more."""
NAMED = 0.3
"""Share of the weight of a question's names that must be found for there to be an answer."""
HEADED_FLOOR, HEADED = 0.35, 0.1
"""The floor where a title or headings hold that share of the weight: they say what a page is about,
in the words in which one asks. For English questions that name nothing and describe nothing by
others. Chosen on 170 questions over these docs and manuals of Debian and on 306 from other fields
than theirs and than those of the first half of five sets, none of them answered for it."""


def answers(question: str, kind: Kind, goal: Goal, pool: Pool) -> bool:
    """Return whether ``pool`` bears on the question, or on a part that can be answered by itself.

    Args:
        question: What is asked.
        kind: The kind of answer it asks for.
        goal: Its words, weighed.
        pool: The evidence, read.
    """
    if not holds_identifiers(pool, question) or is_nowhere(question, pool):
        return False
    asked = last_question(question)  # without what is said besides
    if _is_ordered(asked, pool):
        return True
    texts = [question, asked, *questions(question)]
    compared, known = comparison(asked), (Kind.PERSON,) if language_in_use() else Kind
    if compared is not None:
        if not (sides := _of_sides(compared, pool)):
            return False
        texts += sides
    elif kind in known and goal.asks_nothing_of(pool):
        return False
    if not has_the_named(pool, asked, compares=compared is not None):
        # The first question alone, of which others name something strange.
        texts = [each for each in questions(asked)[:1] if each != asked]
        texts = [each for each in texts if has_the_named(pool, each, compares=False)]
    return any(_bears_on(pool, text) for text in dict.fromkeys(texts))


def _is_ordered(asked: str, pool: Pool) -> bool:
    """Whether figures tell which of two things is more: prices, of which is "cheaper"."""
    claimed = claimed_order(asked)
    return claimed is not None and bool(order(claimed, pool).winner)


def _of_sides(compared: Comparison, pool: Pool) -> list[str]:
    """Return what is asked of each side; nothing where the sources tell of neither."""
    sides = (compared.first, compared.second)
    if not any(is_told_of(pool, side) for side in sides):
        return []
    return [f"{side} {compared.about}" for side in sides]


def _bears_on(pool: Pool, text: str) -> bool:
    goal = Goal(text, pool)
    if all(term.isascii() and len(term) < 2 for term in goal.terms):
        return False
    search = Search(pool, goal)
    chains = search.chains()
    found = max(((c.own + c.covered) / 2 for c in chains), default=0.0)
    floor = NAMED_FLOOR if is_about_named(pool, text) or identifiers(text, pool) else FLOOR
    if found >= floor:
        return max(goal.named(c.mask) for c in chains) >= NAMED
    is_plain = is_english() and not names(text) and not goal.hops
    if not is_plain or found < HEADED_FLOOR:
        return False
    return any(goal.share(search.over(c.end)) >= HEADED for c in chains)


def has_the_named(pool: Pool, question: str, *, compares: bool) -> bool:
    """Return whether the sources have most of what an English question names; half, to compare.

    Parts of a name are other things: what a page says of Ferdinand Porsche is not about "Susanne
    Porsche". In languages whose words change with their case or are written together, names seldom
    look as they do in the question.
    """
    # The capital of a first word tells nothing: "Кто" does not name anybody.
    found = (name for name in names(question) if name.start or " " in name.text)
    named = [] if language_in_use() else list(found)
    there = sum(_stands(pool, name.text) for name in named)
    return 2 * there > len(named) or (2 * there == len(named) and (compares or not named))


def _stands(pool: Pool, name: str) -> bool:
    """Return whether all words of ``name``, in any form and order, are in one line or title.

    "Of" and "the" need not be, which may join two names, nor accents: "Gołąb" is "Golab".
    """
    wanted = frozenset(terms(name))
    small = [f" {word} " for word in words(name) if stem(word) not in {*wanted, *_JOINING}]
    return any(
        wanted <= found and all(word in flat for word in small) for found, flat in _told_by(pool)
    )


def _told_by(pool: Pool) -> Iterator[tuple[frozenset[str], str]]:
    """Yield the terms of each line and each title, and its words in a row."""
    for line in pool.lines:
        yield line.terms, line.flat
    for found, passage in zip(pool.title_terms, pool.passages, strict=True):
        yield found, spaced(passage.title)


_JOINING = frozenset({"of", "the"})


def _spaced(named: Iterable[Name]) -> list[str]:
    """Return the words of names in lower case, a space around each."""
    return [spaced(name.text) for name in named]


def is_told_of(pool: Pool, side: str) -> bool:
    """Return whether a title or a line has ``side``, a name in it, or half of its words."""
    forms = [spaced(side), *_spaced(names(side))]
    if any(form in line.flat for form in forms for line in pool.lines):
        return True
    wanted = frozenset(terms(side))
    held = [*pool.title_terms, *(line.terms for line in pool.lines)]
    return not wanted or any(2 * len(wanted & found) > len(wanted) for found in held)


def is_about_named(pool: Pool, text: str) -> bool:
    """Return whether the title of a passage is a name in ``text``, or part of one."""
    named = _spaced(names(text))
    titles = (" ".join(words(title_subject(passage.title))) for passage in pool.passages)
    return any(title and any(f" {title} " in name for name in named) for title in titles)


def others_aside(question: str, goal: Goal, pool: Pool) -> tuple[bool, ...]:
    """Return for each passage whether ``question`` calls a page of several, and it is of another.

    "How do I draw a table with rich?" asks of the page that is titled "Rich", or of rich.md: what
    other pages say of drawing tables answers it only where they speak of rich as well. What a page
    is called is the weightiest that is asked, as "pay" is not in "What is paid to Brandreth?", or
    what does or is what is asked: "Does rich draw tables?". A page of one passage names its subject
    in what it says, or leads on to pages that do not.
    """
    long = {page_of(passage) for passage in pool.passages if passage.start}
    named = [name for each in pool.passages if page_of(each) in long for name in _names_of(each)]
    subject = _subject_of(question)
    called = frozenset[str]().union(
        *(name for name in named if goal.is_called(name) or name == subject)
    )
    read = zip(pool.passages, pool.lines_of, strict=True)
    held = (frozenset[str]().union(*_names_of(one), *_of(lines)) for one, lines in read)
    return tuple(not called <= each for each in held)


_HAS_SUBJECT = lazy_regex(
    r"(?i)\b(?:is|are|does|do|did|can|could|will|has|have|was|were)\s+(?P<subject>[\w.-]+)"
)


def _subject_of(question: str) -> frozenset[str]:
    """Return the stem of the word of which an English question asks what it is, does or can."""
    found = in_english(_HAS_SUBJECT.search, question)
    return frozenset(terms(found["subject"])) if found else frozenset()


_SORTS = frozenset(
    terms(
        "readme faq guide manual handbook reference tutorial news notes changelog intro docs help"
    )
)
"""What sort of document a file is, which its name may tell besides what it is about."""


def _names_of(passage: Passage) -> tuple[frozenset[str], ...]:
    """Return the stems of what the page of ``passage`` is called: by its title, and by its file."""
    filed = frozenset(terms(file_stem(passage)))
    return frozenset(terms(title_subject(passage.title))), filed - _SORTS or filed


def is_of_namesake(question: str, line: Line, pool: Pool) -> bool:
    """Return whether ``line`` names another bearer of a surname that ``question`` gives in full.

    "Ada Novak was born in 1870" does not tell when Otto Novak was born. English alone.
    """
    if not is_english():
        return False
    there = frozenset([*line.flat.split(), *words(pool.passages[line.owner].title)])
    surnames = {each.split()[-1] for each in line.names if " " in each}
    asked = (words(name.text) for name in names(question))
    return any(
        len(name) > 1 and name[-1] in surnames and not there.union(TITLES).issuperset(name[:1])
        for name in asked
    )


def names_another(question: str, line: Line, pool: Pool) -> bool:
    """Return whether ``line`` names another thing in the place of one that ``question`` names.

    "The office in Madrid is closed" does not say that the one in Bonn is, where the sources tell of
    that one elsewhere. English alone.
    """
    if not is_english():
        return False
    around = pool.over(line) | pool.file_terms(line)
    if points_back(line.text) and line.place:
        around |= pool.lines_of[line.owner][line.place - 1].terms
    asked = _named_beside(question)
    lacking = {
        beside
        for name, beside in asked
        if name.isdisjoint(line.terms | around) and all(map(pool.holds, name))
    }
    known = around.union(*(name for name, _ in asked))
    return any(
        beside & other
        for beside in lacking
        for name, other in _named_beside(line.text)
        if name.isdisjoint(known)
    )


_NEXT = lazy_regex(r";\s|,?\s(?:and|but|while|whereas)\s(?=(?:the\s)?[A-Z])")
_GOES_ON = lazy_regex(r"\s(?:at|for|from|in|on|to|with|is|was|has|had|[a-z]+(?:ed|s))\b")


def is_of_the_next(question: str, sentence: str) -> bool:
    """Return whether ``sentence`` tells some of what ``question`` asks in a part on another alone.

    "Ada read law in Hask; Otto read it in Morn" does not say that Ada read law in Morn. The part on
    the one that is asked about has to say some of it as well. English alone.
    """
    first = next(iter(names(question)), None) if is_english() else None
    if first is None:
        return False
    subject, parts = frozenset(terms(first.text)), _NEXT.split(sentence)
    own = frozenset[str]().union(*filter(subject.issubset, map(frozenset, map(terms, parts))))
    asked = frozenset(terms(question)) - subject
    if own.isdisjoint(asked):
        return False
    others = (frozenset(terms(part)) for part in parts if _begins_with_a_name(part))
    return any(other & asked - own for other in others)


def _begins_with_a_name(part: str) -> bool:
    """Whether ``part`` begins with a name, and goes on as if something were said of it."""
    first = next(iter(names(part)), None)
    if first is None or part[: first.start].casefold().strip() not in {"", "the"}:
        return False
    return _GOES_ON.match(part, first.end) is not None


_CALLED_BEFORE = lazy_regex(
    r"(?i)\b(?:the|an?|our|your|this|each)\s(?:[\w-]+\s)?(?P<what>[\w-]+)\s"
    r"(?:in|of|at|for|to|from)\s(?:the\s)?\Z"
)
"""What is called by the name that follows: "the office in"."""


def _named_beside(text: str) -> list[tuple[frozenset[str], frozenset[str]]]:
    """Return the stems of each name in ``text``, and of what is called by it or comes after it."""
    found: list[tuple[frozenset[str], frozenset[str]]] = []
    for name in names(text):
        called = _CALLED_BEFORE.search(text[: name.start])
        beside = [*terms(text[name.end :])[:1], *(terms(called["what"]) if called else ())]
        found.append((frozenset(terms(name.text)), frozenset(beside)))
    return [(name, beside) for name, beside in found if name]


def annals_aside(question: str, pool: Pool) -> tuple[bool, ...]:
    """Return for each passage whether it is of a file of changes for which ``question`` is not.

    None is set aside where it asks for such, nor where the title of one names what it speaks of and
    no other page does: release notes may be all that a folder has of a program.
    """
    annals = tuple(is_annals(passage.url) for passage in pool.passages)
    if not any(annals) or needs_annals(question):
        return (False,) * len(annals)
    if frozenset(terms(question)) & _named_alone(annals, pool):
        return (False,) * len(annals)
    return annals


def _named_alone(annals: Iterable[bool], pool: Pool) -> frozenset[str]:
    """Return the terms in titles of files of changes that no other page has."""
    read = list(zip(annals, pool.title_terms, pool.lines_of, strict=True))
    named = frozenset[str]().union(*(title for is_one, title, _ in read if is_one))
    others = (each for is_one, title, lines in read if not is_one for each in (title, *_of(lines)))
    return named.difference(*others)


def _of(lines: Iterable[Line]) -> Iterator[frozenset[str]]:
    return (line.terms for line in lines)
