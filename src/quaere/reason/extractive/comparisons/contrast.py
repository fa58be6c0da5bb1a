"""Finds the rows of a table that tell two things apart, where a question asks how they differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quaere.reason.extractive.pool import Line, Pool, cells, record
from quaere.reason.extractive.questions.kinds import Kind, expected_kind, last_question
from quaere.reason.extractive.questions.parts import Comparison, comparison
from quaere.text.languages.language import spoken
from quaere.text.synonyms import related_words
from quaere.text.tokens import stem, terms, words


@dataclass(frozen=True, slots=True)
class Contrast:
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
    found = [contrast for rows in _tables(pool) if (contrast := _told(rows, sides, wanted))]
    return max(found, key=_tells, default=None)


def _tells(contrast: Contrast) -> tuple[int, int]:
    """Return how much ``contrast`` tells: its rows, and of these the ones with figures."""
    figures = sum(any(map(str.isdigit, row.text)) for row in contrast.lines)
    return len(contrast.lines), figures


def side_by_side(question: str) -> Comparison | None:
    """Return what ``question`` wants described side by side; None where it asks for a decision.

    "Which is cheaper, day or week?" and "Are both cheap?" ask for one.
    """
    text = last_question(question)
    if " or " in text or spoken() is not None or expected_kind(text) is Kind.YES_NO:
        return None
    return comparison(text)


def meant(about: str) -> frozenset[str]:
    """Return the stems of the words of ``about``, and of words with the same meaning."""
    said = [word for each in words(about) for word in (each, *related_words(each))]
    return frozenset(stem(word) for word in said if terms(word)).union(terms(about))


def _tables(pool: Pool) -> Iterator[tuple[Line, ...]]:
    """Yield the rows of each table, without its head; of a page in several passages, all."""
    found: dict[tuple[str, tuple[str, ...]], list[Line]] = {}
    for line in pool.lines:
        if line.columns and not line.heading and _fits(line):
            page = pool.passages[line.owner].url.partition("#")[0]
            found.setdefault((page, line.columns), []).append(line)
    yield from map(tuple, found.values())


def _fits(row: Line) -> bool:
    return len(_values(row)) == len(row.columns)


def _values(row: Line) -> Sequence[str]:
    return record(row.text) or cells(row.text)


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
    if places := _places([frozenset(terms(_values(row)[0])) for row in rows], sides):
        return _of_rows((rows[places[0]], rows[places[1]]), wanted)
    return None


def _of_columns(
    rows: Sequence[Line], places: tuple[int, int], wanted: frozenset[str]
) -> Contrast | None:
    """Return what the columns at ``places`` say differently."""
    differing = tuple(
        row
        for row in rows
        if _differ(_values(row), *places) and _is_wanted(_values(row)[0], wanted)
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
