"""Which passages of the sources are about one of the things that a question compares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quaere.reason.extractive.pool import Line, Pool, spaced, title_subject
from quaere.reason.extractive.questions.parts import Comparison
from quaere.text.lazy_regex import lazy_regex
from quaere.text.synonyms import related_words
from quaere.text.tokens import stem, terms

_THE = lazy_regex(r"(?i)\A\W*the\s")


def flat_side(side: str) -> str:
    """Return the words of ``side``, which a row of a table has without "the"."""
    return spaced(title_subject(_THE.sub("", side)))


def passages_about(side: str, pool: Pool, compared: Comparison) -> list[int]:
    """Return the passages whose title is ``side``, or else those that name it.

    A title may say more of what ``compared`` says: asked for pumps, "Air pumps" is about "air".
    """
    flat = flat_side(side)
    naming = [
        owner
        for owner, lines in enumerate(pool.lines_of)
        if flat in spaced(pool.passages[owner].headings) or any(flat in x.flat for x in lines)
    ]
    return titled(side, pool, compared) or naming


def opens_with(side: str, line: Line) -> bool:
    """Return whether ``line`` begins with ``side``, so that "it" in the next one is that."""
    flat = flat_side(side)
    return line.flat.startswith((flat, f" the{flat}"))


def heading_of(line: Line, pool: Pool) -> str:
    """Return what the nearest heading over ``line`` names; empty without one.

    "Friar's Bridge, Kelderby" names the bridge.
    """
    return pool.headings_over(line).rpartition("\n")[2].partition(",")[0].strip()


def is_headed(side: str, line: Line, pool: Pool) -> bool:
    """Return whether ``line`` is below a heading that is ``side``."""
    wanted = _subject(side)
    return bool(wanted) and _subject(heading_of(line, pool)) == wanted


def titled(side: str, pool: Pool, compared: Comparison) -> list[int]:
    """Return the passages whose title is ``side``, or is most of it."""
    wanted = _subject(side)
    short = [_before_comma(passage.title) for passage in pool.passages]
    if wanted in short:
        return [owner for owner, title in enumerate(short) if title == wanted]
    return _titled_in_full(side, wanted, pool, compared)


def _titled_in_full(side: str, wanted: set[str], pool: Pool, compared: Comparison) -> list[int]:
    sides = [_subject(each) for each in (compared.first, compared.second)]
    others = [each for each in sides if not each <= wanted]
    titles = [_subject(passage.title) for passage in pool.passages]
    more = wanted.union(terms(compared.about), *sides)
    called = _called(wanted, more, others, titles) if wanted else []
    return called or _described_by(side, titles, others, pool)


def _before_comma(title: str) -> set[str] | None:
    """Return the terms of what a ``title`` names before saying where: "Penhale School, Ansley"."""
    name, comma, _ = title.partition(",")
    return _subject(name) if comma else None


def _subject(title: str) -> set[str]:
    return set(terms(title_subject(title)))


def _called(
    wanted: set[str], more: set[str], others: Sequence[set[str]], titles: Sequence[set[str]]
) -> list[int]:
    """Return the places of the ``titles`` that are ``wanted``, else of those that say ``more``.

    Titles of the ``others`` are not among them.
    """
    able = {
        owner: title
        for owner, title in enumerate(titles)
        if wanted <= title <= more and not any(other <= title for other in others)
    }
    return [owner for owner, title in able.items() if title == wanted] or list(able)


def _described_by(
    side: str, titles: Sequence[set[str]], others: Sequence[set[str]], pool: Pool
) -> list[int]:
    """Return the passages whose title ``side`` has in it and says little more than.

    "The birth of Ada Novak" is about "Ada Novak"; of several titles the longest is meant, and none
    that ``others`` have as well.
    """
    wanted, flat = set(terms(title_subject(side))), spaced(side)
    inside = {
        owner: title
        for owner, title in enumerate(titles)
        if title
        and 2 * len(title) >= len(wanted)
        and spaced(title_subject(pool.passages[owner].title)) in flat
        and not any(title <= other for other in others)
    }
    longest = max(map(len, inside.values()), default=0)
    return [owner for owner, title in inside.items() if len(title) == longest]


def led_to(owner: int, relation: str, pool: Pool) -> Iterator[tuple[int, tuple[Line, ...]]]:
    """Yield the passages about what a line of ``owner`` names with ``relation``, and that line."""
    alike = {stem(word) for word in (relation.casefold(), *related_words(relation.casefold()))}
    for line in pool.lines_of[owner]:
        if alike.isdisjoint(line.terms):
            continue
        for other, passage in enumerate(pool.passages):
            flat = spaced(title_subject(passage.title))
            if other != owner and flat.strip() and flat in line.flat:
                yield other, (line,)
