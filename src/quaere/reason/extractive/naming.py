"""Whether the sources have what a question calls by its name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from quaere.domain.source import Passage
from quaere.domain.url import is_annals, needs_annals
from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.pool import Line, Pool, file_stem, page_of, spaced, title_subject
from quaere.text.languages.language import is_english, spoken
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import TITLES
from quaere.text.names import Name, names
from quaere.text.tokens import stem, terms, words

IDENTIFIER = lazy_regex(r"(?<![\w-])(?:--[a-z][\w-]*\w|[A-Za-z]\w*_\w*[A-Za-z0-9])(?!\w)")
"""A name of code: `max_runs`, `--no-color`."""


def has_the_named(pool: Pool, question: str, *, compares: bool) -> bool:
    """Return whether the sources have most of what an English question names; half, to compare.

    Parts of a name are other things: what a page says of Ferdinand Porsche is not about "Susanne
    Porsche". In languages whose words change with their case or are written together, names seldom
    look as they do in the question.
    """
    # The capital of a first word tells nothing: "Кто" does not name anybody.
    found = (name for name in names(question) if name.start or " " in name.text)
    named = [] if spoken() else list(found)
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


def others_aside(goal: Goal, pool: Pool) -> tuple[bool, ...]:
    """Return for each passage whether ``goal`` calls a page of several, and it is of another.

    "How do I draw a table with rich?" asks of the page that is titled "Rich", or of rich.md: what
    other pages say of drawing tables answers it only where they speak of rich as well. What a page
    is called is the weightiest that is asked, as "pay" is not in "What is paid to Brandreth?". A
    page of one passage names its subject in what it says, or leads on to pages that do not.
    """
    long = {page_of(passage) for passage in pool.passages if passage.start}
    named = [name for each in pool.passages if page_of(each) in long for name in _names_of(each)]
    called = frozenset[str]().union(*filter(goal.is_called, named))
    read = zip(pool.passages, pool.lines_of, strict=True)
    held = (frozenset[str]().union(*_names_of(one), *_of(lines)) for one, lines in read)
    return tuple(not called <= each for each in held)


def _names_of(passage: Passage) -> tuple[frozenset[str], ...]:
    """Return the stems of what the page of ``passage`` is called: by its title, and by its file."""
    titled = frozenset(terms(title_subject(passage.title)))
    return titled, frozenset(terms(file_stem(passage)))


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


def holds_identifiers(pool: Pool, question: str) -> bool:
    """Return whether the sources have what ``question`` calls by a name of code, each by its whole.

    Its parts are not it: `MAX_RUNS` is not answered by what `MAX_FILES` is.
    """
    identifiers = {found[0].casefold() for found in IDENTIFIER.finditer(question)}
    wanted = [re.compile(rf"(?<!\w){re.escape(name)}(?!\w)") for name in identifiers]
    held = [text.casefold() for p in pool.passages for text in (p.text, p.title, p.table_head)]
    return all(any(map(each.search, held)) for each in wanted)


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
