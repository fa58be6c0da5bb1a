"""Follows what a question describes by a relation to something named, to the page about it.

"Where did the director of Tin Lanterns die?" is answered on the director's page, which the page
about Tin Lanterns leads to. The words of the question speak for the wrong page: the film's has more
of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from quaere.reason.extractive.pool import Line, Pool, title_subject
from quaere.text.languages.language import is_english
from quaere.text.synonyms import related_words
from quaere.text.tokens import is_stop_word, stem, words

_PARENT = "son daughter child children parents born"
_TOLD_BY = {
    "father": f"father {_PARENT}",
    "mother": f"mother {_PARENT}",
    "son": "son father mother parents",
    "daughter": "daughter father mother parents",
    "child": "son daughter child children father mother",
} | {
    relation: " ".join([relation, *related_words(relation)])
    for relation in (
        "author",
        "brother",
        "composer",
        "creator",
        "designer",
        "director",
        "founder",
        "husband",
        "inventor",
        "keyboardist",
        "performer",
        "producer",
        "sibling",
        "singer",
        "sister",
        "spouse",
        "wife",
        "writer",
    )
}
"""Relations, and the words by which a page tells who has them."""
_STEPS = {
    "grandfather": ("father", "father"),
    "grandmother": ("mother", "father"),
}
"""Relations of two steps: the last one, and the first where nothing says which it is."""
_SIDES = {"paternal": "father", "maternal": "mother"}
_SECOND = "mother"
"""Of two parents who are named together, the second."""
_BEFORE_NAME = frozenset(
    ["the", "film", "movie", "song", "album", "novel", "book", "play", "series", "band", "company"]
)
_OF = frozenset(["of", "to", "behind"])
_FAR = 12
"""Words between what tells the relation and the name, at most."""


class Followed(NamedTuple):
    """Where the relations of a question lead."""

    owner: int
    """The passage about who or what is described."""
    by: tuple[Line, ...]
    """The lines that lead there, in the order to be read."""


def follow(question: str, pool: Pool) -> tuple[Followed, ...]:
    """Return the passages about what ``question`` describes by relations, the likeliest first.

    None where it describes nothing so, names no page of the pool next to the relation, or the
    pool has no page that its lines lead to. Relations are read in English alone.
    """
    if not is_english():
        return ()
    asked = words(question)
    for owner, title, relations in _described(asked, pool):
        steps = relations[:-1] if _asks_who(asked, title, relations) else relations
        found = [Followed(owner, ())]
        for relation in steps:
            found = [new for one in found for new in _step(one, relation, pool)]
        if steps and found:
            return tuple(found)
    return ()


def _asks_who(asked: Sequence[str], title: Sequence[str], relations: Sequence[str]) -> bool:
    """Return whether nothing more is asked than who is described: the page before tells that."""
    described = frozenset([*title, *relations, *_STEPS, *_SIDES, *_BEFORE_NAME])
    return all(word in described or is_stop_word(word) for word in asked)


def _described(
    asked: Sequence[str], pool: Pool
) -> Iterator[tuple[int, tuple[str, ...], tuple[str, ...]]]:
    """Yield the passages whose title is next to relations, with both, longer titles first."""
    titles = {
        (owner, tuple(words(form)))
        for owner, passage in enumerate(pool.passages)
        for form in (passage.title, title_subject(passage.title))
    }
    for owner, title in sorted(titles, key=lambda each: (-len(each[1]), each[0])):
        for at in _occurrences(title, asked):
            relations = (*_after(asked[at + len(title) :]), *_before(asked[:at]))
            if relations:
                yield owner, title, relations


def _occurrences(title: tuple[str, ...], asked: Sequence[str]) -> Iterator[int]:
    """Yield where in ``asked`` the words of ``title`` begin."""
    for at in range(len(asked) - len(title) + 1):
        if title and tuple(asked[at : at + len(title)]) == title:
            yield at


def _after(asked: Sequence[str]) -> Iterator[str]:
    """Yield the relations with which ``asked`` begins: "'s father", "'s maternal grandfather"."""
    side = _SIDES.get(asked[0]) if asked else None
    for word in asked[1:] if side else asked:
        steps = _steps(word, side)
        if not steps:
            return
        yield from steps
        side = None


def _before(asked: Sequence[str]) -> Iterator[str]:
    """Yield the relations with which ``asked`` ends, the last first: "the director of the film"."""
    left = list(asked)
    while left:
        while left and left[-1] in _BEFORE_NAME:
            left.pop()
        if len(left) < 2 or left.pop() not in _OF:
            return
        word = left.pop()
        steps = _steps(word, _SIDES.get(left[-1]) if left else None)
        if not steps:
            return
        yield from steps


def _steps(word: str, side: str | None) -> tuple[str, ...]:
    if word in _STEPS:
        last, first = _STEPS[word]
        return side or first, last
    return (word,) if word in _TOLD_BY else ()


def _step(one: Followed, relation: str, pool: Pool) -> Iterator[Followed]:
    """Yield the passages about who is the ``relation`` of what ``one`` is about."""
    told_by = frozenset(map(stem, _TOLD_BY[relation].split()))
    title = pool.passages[one.owner].title
    near = list[tuple[int, int, Line]]()
    for line in pool.lines_of[one.owner]:
        said = line.flat.split()
        told = [at for at, word in enumerate(said) if stem(word) in told_by]
        second = relation == _SECOND and relation not in said
        for other, at in _named_in(said, title, pool) if told else ():
            far = min(abs(at - place) for place in told)
            if far <= _FAR:
                near.append((-far if second else far, other, line))
    near.sort(key=lambda each: each[:2])
    for _, other, line in near:
        yield Followed(other, (*one.by, line))


def _named_in(said: Sequence[str], title: str, pool: Pool) -> Iterator[tuple[int, int]]:
    """Yield the passages of other titles that the words ``said`` name, and where."""
    for other, passage in enumerate(pool.passages):
        if passage.title != title:
            for at in _places(said, words(title_subject(passage.title))):
                yield other, at


def _places(said: Sequence[str], title: Sequence[str]) -> Iterator[int]:
    """Yield where ``said`` names ``title``, initials aside."""
    places = [at for at, word in enumerate(said) if len(word) > 1]
    wanted = [word for word in title if len(word) > 1]
    for first in range(len(places) - len(wanted) + 1):
        named = places[first : first + len(wanted)]
        if len(wanted) > 1 and [said[at] for at in named] == wanted:
            yield named[0]
