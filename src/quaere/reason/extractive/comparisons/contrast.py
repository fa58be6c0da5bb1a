"""Finds what tells two things apart, where a question asks how they differ or compares them.

Rows of a table that has both; what a manual says about each; parallel sentences: "An air pump costs
9,000 pounds" and "A ground pump costs 20,000 pounds" share all words except the things themselves
and their figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from quaere.reason.extractive.comparisons.sides import passages_about
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.quality import FIT_TO_SHOW, needs_context, quality
from quaere.reason.extractive.questions.kinds import Kind, expected_kind, last_question
from quaere.reason.extractive.questions.parts import Comparison, comparison
from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.synonyms import related_words
from quaere.text.tokens import stem, terms, words


class Contrast(NamedTuple):
    """What a table tells of two things, each of which heads a column of it or begins a row."""

    lines: tuple[Line, ...]
    """Its rows, in order."""
    columns: frozenset[str]
    """The heads of the columns that are told."""


def find_contrast(question: str, pool: Pool) -> Contrast | None:
    """Return the rows that say how the two things that ``question`` sets side by side differ.

    Where each heads a column, those are the rows whose two cells differ; where each begins a row,
    those two rows. Of several tables, the one that tells most counts.

    Args:
        question: What was asked; of one that says in what to compare, only that is told.
        pool: The evidence, read.
    """
    compared = side_by_side(question)
    if compared is None:
        return None
    wanted = meant(compared.about)
    sides = frozenset(terms(compared.first)), frozenset(terms(compared.second))
    if not all(sides) or sides[0] == sides[1]:
        return None
    found = [contrast for rows in pool.tables(_is_row) if (contrast := _told(rows, sides, wanted))]
    return max(found, key=_tells, default=None)


def _tells(contrast: Contrast) -> tuple[int, int]:
    """Return how much ``contrast`` tells: its rows, and of these the ones with figures."""
    figures = sum(any(map(str.isdigit, row.text)) for row in contrast.lines)
    return len(contrast.lines), figures


_YEAR = lazy_regex(r"(?i)(?:(?:the )?(?:fiscal )?years? |fy ?)?(?:19|20)\d\d\W*")


def side_by_side(question: str) -> Comparison | None:
    """Return what ``question`` wants described side by side; None where it asks for a decision.

    "Which is cheaper, day or week?" and "Are both cheap?" ask for one, and what changed between
    two years asks for a figure.
    """
    text = last_question(question)
    if " or " in text or not is_english() or expected_kind(text) is Kind.YES_NO:
        return None
    compared = comparison(text)
    if compared is not None and any(map(_YEAR.fullmatch, (compared.first, compared.second))):
        return None
    return compared


def meant(about: str) -> frozenset[str]:
    """Return the stems of the words of ``about``, and of words with the same meaning."""
    said = [word for each in words(about) for word in (each, *related_words(each))]
    return frozenset(stem(word) for word in said if terms(word)).union(terms(about))


def _is_row(line: Line) -> bool:
    """Return whether ``line`` is a row that is not the head of its table, with a cell a column."""
    fits = bool(line.columns) and not line.heading
    return fits and len(line.values) == len(line.columns)


def _told(
    rows: tuple[Line, ...], sides: tuple[frozenset[str], frozenset[str]], wanted: frozenset[str]
) -> Contrast | None:
    """Return what ``rows`` tell of ``sides``; None where they do not tell of both.

    Of what is ``wanted`` alone, if anything is: the rows or the columns that are called so.
    """
    if not rows:
        return None
    heads = [frozenset(terms(head)) for head in rows[0].columns]
    if places := _places(heads[1:], sides):
        return _of_columns(rows, (places[0] + 1, places[1] + 1), wanted)
    if places := _places([frozenset(terms(row.values[0])) for row in rows], sides):
        return _of_rows((rows[places[0]], rows[places[1]]), wanted)
    return None


def _of_columns(
    rows: Sequence[Line], places: tuple[int, int], wanted: frozenset[str]
) -> Contrast | None:
    """Return what the columns at ``places`` say differently."""
    differing = tuple(
        row for row in rows if _differ(row.values, *places) and _is_wanted(row.values[0], wanted)
    )
    columns = frozenset(rows[0].columns[place] for place in (0, *places))
    return Contrast(differing, columns) if differing else None


def _of_rows(both: tuple[Line, Line], wanted: frozenset[str]) -> Contrast | None:
    """Return what two rows say."""
    columns = both[0].columns
    told = [head for head in columns[1:] if _is_wanted(head, wanted)]
    return Contrast(both, frozenset({columns[0], *told})) if told else None


def _is_wanted(name: str, wanted: frozenset[str]) -> bool:
    return not (wanted and wanted.isdisjoint(terms(name)))


def _places(
    names: Sequence[frozenset[str]], sides: tuple[frozenset[str], frozenset[str]]
) -> tuple[int, int] | None:
    """Return which of ``names`` are the two sides; None unless each is just one of them.

    A side may say more than its name: "the deep profile" of "deep".
    """
    first, second = _named(names, *sides), _named(names, *sides[::-1])
    return (first[0], second[0]) if len(first) == len(second) == 1 else None


def _named(
    names: Sequence[frozenset[str]], side: frozenset[str], other: frozenset[str]
) -> list[int]:
    """Return which of ``names`` the one side has in it, and not the other."""
    return [at for at, name in enumerate(names) if name and name <= side and not name <= other]


def _differ(values: Sequence[str], first: int, second: int) -> bool:
    return bool(values[first] and values[second]) and values[first] != values[second]


_ASKS = lazy_regex(r"(?i)\b(?:differ\w*|compare\w*|contrast|distinguish\w*|versus|vs)\b")
_BEFORE = frozenset(("a", "an", "the", "await", "new"))
"""Words that may come before what a line begins with."""
PROSE = 0.5
"""Least quality of a line that tells: labels and pictures come before it."""
NEAR = 4
"""Lines below a heading of which the first one that tells is taken."""


def find_told_apart(question: str, pool: Pool) -> tuple[Line, ...]:
    """Return a line for each of the two things of which ``question`` asks how they differ.

    It begins with the thing, or stands below a heading that does. None unless both are told of so,
    and where the question says in what to compare.

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    compared = side_by_side(question) if _ASKS.search(question) else None
    if compared is None or terms(compared.about):
        return ()
    first, second = words(compared.first), words(compared.second)
    if not (first and second) or first == second:
        return ()
    one, other = _told_of(first, second, pool), _told_of(second, first, pool)
    if one is None or other is None:
        return ()
    return (one, other) if _are_of_a_kind((one, other), pool) else ()


_SAYS_WHAT = lazy_regex(r"(?i)\b(?:is|are)\s(?:an?|any|one|the)\b")


def _are_of_a_kind(lines: Sequence[Line], pool: Pool) -> bool:
    """Whether ``lines`` are of one page, or each says what its thing is.

    Another statement on each of two pages need not tell how two things differ.
    """
    pages = {pool.passages[line.owner].url for line in lines}
    return len(pages) == 1 or all(_SAYS_WHAT.search(line.text) for line in lines)


def _told_of(side: Sequence[str], other: Sequence[str], pool: Pool) -> Line | None:
    """Return the line that tells best of ``side``: that names little else before it tells."""
    found = [*_opened(side, other, pool), *_headed(side, other, pool)]
    return min(found, key=lambda each: each[0], default=(0, None))[1]


def _opened(side: Sequence[str], other: Sequence[str], pool: Pool) -> Iterator[tuple[int, Line]]:
    """Yield the lines that begin with ``side``, each with the words before it."""
    for line in pool.lines:
        said = line.flat.split()
        at = _place(side, said)
        if at is None or not _BEFORE.issuperset(said[:at]) or quality(line) < PROSE:
            continue
        if not line.columns and _place(other, said) is None:
            yield at, line


def _headed(side: Sequence[str], other: Sequence[str], pool: Pool) -> Iterator[tuple[int, Line]]:
    """Yield the lines below headings that begin with ``side``, each with what else these say."""
    for lines in pool.lines_of:
        for heading in lines:
            said = heading.flat.split()
            if not heading.heading or said[: len(side)] != list(side):
                continue
            if _place(other, said) is None and (below := _below(heading, lines)):
                yield len(said) - len(side), _pairs(" ".join(said[: len(side)]), heading, below)


def _below(heading: Line, lines: Sequence[Line]) -> Line | None:
    """Return the first line below ``heading`` that tells something."""
    for line in lines[heading.place + 1 : heading.place + 1 + NEAR]:
        if line.heading and not line.columns:
            return None
        if quality(line) >= PROSE and not line.columns:
            return line
    return None


def _pairs(name: str, heading: Line, line: Line) -> Line:
    """Return ``line`` after the ``name`` in its ``heading``, with which its quote begins."""
    if needs_context(line.text) or not line.terms >= frozenset(terms(name)):
        text = f"{name}: {line.text}"
        return replace(line, start=heading.start, text=text, terms=line.terms | heading.terms)
    return line


def _place(side: Sequence[str], said: Sequence[str]) -> int | None:
    """Return where the words ``side`` begin in what is ``said``; None where they are not."""
    width = len(side)
    places = range(len(said) - width + 1)
    return next((at for at in places if list(said[at : at + width]) == list(side)), None)


ALIKE = 0.3
"""Share of its words that a sentence has in common with one of the other side, from which the two
are parallel. Chosen by reading: below it, most pairs are about different things."""
MOST = 3
"""Pairs that are told at most: six sentences are as long as an account."""
LEAST_PAIRS = 2
"""Pairs from which they answer a question that does not say in what to compare: one may be chance.
"""


def find_parallels(question: str, pool: Pool) -> tuple[Line, ...]:
    """Return the parallel lines about the two things in ``question``, one after the other.

    First those of the one, then those of the other, in the order of their pages; none where the
    sources have no parallel lines. Where the question names what to compare, only lines about it.

    Args:
        question: What was asked; one that asks for a decision has none.
        pool: The evidence, read.
    """
    compared = side_by_side(question)
    if compared is None:
        return ()
    pairs = _paired(*_lines_of(compared, pool), _subjects(compared))
    wanted = meant(compared.about)
    pairs = [pair for pair in pairs if _has_any(pair, wanted)] if wanted else pairs
    if len(pairs) < (1 if wanted else LEAST_PAIRS):
        return ()
    told = (sorted({pair[side] for pair in pairs[:MOST]}, key=_order) for side in (0, 1))
    return tuple(line for side in told for line in _introduced(side, pool))


def _has_any(pair: tuple[Line, Line], wanted: frozenset[str]) -> bool:
    return any(not wanted.isdisjoint(line.terms) for line in pair)


def _lines_of(compared: Comparison, pool: Pool) -> tuple[list[Line], list[Line]]:
    """Return the lines about one side alone, and those about the other.

    A line is about the side that it or the heading over it names, else about that of its page.
    """
    first = frozenset(passages_about(compared.first, pool, compared))
    second = frozenset(passages_about(compared.second, pool, compared))
    one, other = _cores(compared)
    sides: tuple[list[Line], list[Line]] = [], []
    for line in (line for owner in sorted(first | second) for line in _told_alike(owner, pool)):
        said = line.terms | line.under
        names = one <= said, other <= said
        tells = names if any(names) else (line.owner in first, line.owner in second)
        if tells[0] != tells[1]:
            sides[tells[1]].append(line)
    return sides


def _cores(compared: Comparison) -> tuple[frozenset[str], frozenset[str]]:
    """Return the stems that tell the sides apart: "air" and "ground heat pumps" share the rest."""
    one, other = terms(compared.first), terms(compared.second)
    length = min(len(one), len(other))
    return frozenset(one[:length]), frozenset(other[:length])


def _told_alike(owner: int, pool: Pool) -> Iterator[Line]:
    for line in pool.lines_of[owner]:
        if not (line.columns or line.listed) and quality(line) >= FIT_TO_SHOW:
            yield line


def _subjects(compared: Comparison) -> frozenset[str]:
    return frozenset(terms(f"{compared.first} {compared.second}"))


def _paired(
    one: Sequence[Line], other: Sequence[Line], subjects: frozenset[str]
) -> list[tuple[Line, Line]]:
    """Return each line with the most similar one of the other side, the most similar pair first."""
    rated = [(_likeness(*pair, subjects), pair) for pair in product(one, other)]
    rated.sort(key=lambda each: -each[0])
    pairs: list[tuple[Line, Line]] = []
    for share, pair in rated:
        if share >= ALIKE and all(set(pair).isdisjoint(taken) for taken in pairs):
            pairs.append(pair)
    return pairs


def _likeness(first: Line, second: Line, subjects: frozenset[str]) -> float:
    """Return the share of words in common, without ``subjects``; 0 where nothing differs."""
    left, right = first.terms - subjects, second.terms - subjects
    union = left | right
    return len(left & right) / len(union) if union and left != right else 0.0


def _order(line: Line) -> tuple[int, int]:
    return line.owner, line.place


def _introduced(lines: Sequence[Line], pool: Pool) -> Iterator[Line]:
    """Yield ``lines``, after the line of their page that says what their "it" is."""
    for line in lines[:1]:
        before = pool.lines_of[line.owner][: line.place]
        named = [each for each in before if not (each.heading or needs_context(each.text))]
        if needs_context(line.text) and named:
            yield named[-1]
    yield from lines
