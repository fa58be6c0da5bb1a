"""Whole tables as they are found among passages: which rows are theirs, and what sums these up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from quaere.domain.evidence import Evidence
from quaere.domain.source import Passage
from quaere.reason.extractive.pool import Line, Pool, cells, file_name, file_stem
from quaere.reason.extractive.tables.cell_values import number_of
from quaere.reason.extractive.tables.columns import FEWEST, TOTALS, Column, Table
from quaere.reason.extractive.tables.feet import levels_in
from quaere.reason.extractive.tables.lexicon import LEAGUE, measures_named
from quaere.reason.extractive.tables.scales import scale_told
from quaere.text.languages.language import cached_by_language
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import MONTHS
from quaere.text.tables import ROW, rows_of
from quaere.text.tokens import stem, stop_words, terms, words

FOOT, TOTAL_WORDS = 5, 3
"""Rows that the foot of a table has at most, such as net, tax and total; words of such a label."""
CAPTION_WORDS = 8
"""Words that a caption has at most: a paragraph before a table may be of anything."""

_MIN, _MAX = (lazy_regex(rf"(?i)(?<![^\W_]){each}(?![^\W_])") for each in ("min", r"max(?:imum)?"))
_SIGN = lazy_regex(r"(?:^|[\s(,;:])([^\s=,;:()]{1,4}) = (\w[\w' -]*)")


def tables_in(evidence: Sequence[Evidence], passages: Mapping[str, Passage]) -> tuple[Table, ...]:
    """Return the whole tables among ``evidence``, each read once; one cut short is left out."""
    found = _of_whole_tables(evidence, passages)
    return _tables_of(tuple(found), tuple(passages[each.passage] for each in found))


@cached_by_language(maxsize=16)  # a selection is judged, and written from as it stands
def _tables_of(evidence: tuple[Evidence, ...], held: tuple[Passage, ...]) -> tuple[Table, ...]:
    pool = Pool(evidence, {passage.id: passage for passage in held})
    return tuple(
        table
        for passage, lines in zip(pool.passages, pool.lines_of, strict=True)
        if len(passage.text) == passage.end - passage.start
        for table in _table(pool, [line for line in lines if line.columns])
    )


def tables_seen(pool: Pool) -> tuple[Table, ...]:
    """Return the tables of which rows are in ``pool``, each with those rows alone."""
    found: dict[str, list[Line]] = {}
    for line in pool.lines:
        if line.columns and not line.heading:
            url = pool.passages[line.owner].url
            found.setdefault(f"{url.partition('#')[0]} {_kind_of(line)}", []).append(line)
    return tuple(_seen(pool, lines) for lines in found.values())


def _kind_of(line: Line) -> str:
    """Return what rows of one table have in common: the head, but for records their form."""
    return " | ".join(line.columns) if line.text.startswith(ROW) else ""


def _seen(pool: Pool, lines: Sequence[Line]) -> Table:
    told = [dict(zip(line.columns, line.values, strict=False)) for line in lines]
    heads = dict.fromkeys(head for each in told for head in each)
    rows = [[each.get(head, "") for head in heads] for each in told]
    around = (line.text for line in pool.lines_of[lines[0].owner] if not line.columns)
    return _made(pool, lines, list(heads), rows, beside="\n".join(around))


def unread_tables(evidence: Sequence[Evidence], passages: Mapping[str, Passage]) -> tuple[str, ...]:
    """Return what is said of tables that are too large to be read as a whole."""
    held = (passages[each.passage] for each in _of_whole_tables(evidence, passages))
    return tuple(each.text for each in held if not rows_of(each.text))


def _of_whole_tables(
    evidence: Sequence[Evidence], passages: Mapping[str, Passage]
) -> list[Evidence]:
    known = (each for each in evidence if each.passage in passages)
    return [each for each in known if passages[each.passage].whole_table]


def _table(pool: Pool, lines: Sequence[Line]) -> Iterator[Table]:
    parted = dict(_parted(lines))
    levels = levels_in(list(parted.values()))
    rows = [line for at, line in enumerate(parted) if at not in levels]
    held = [parted[line] for line in rows]
    end = _foot_of(held)
    if end >= FEWEST and _is_square(heads := rows[0].columns, held):
        yield _made(pool, rows[:end], heads, held[:end], tuple(rows[end:]))


def _parted(lines: Sequence[Line]) -> Iterator[tuple[Line, tuple[str, ...]]]:
    """Yield those of ``lines`` that are rows, each with its cells."""
    for line in lines:
        own = () if line.heading else cells(line.text)
        if own and own != line.columns and not _names_a_part(own):
            yield line, own


def _names_a_part(row: Sequence[str]) -> bool:
    """Whether ``row`` is what the rows below it are of: "Current assets:" alone."""
    label, *others = row
    return label.endswith(":") and not any(others)


def _foot_of(rows: Sequence[Sequence[str]]) -> int:
    """Return where the totals of a table begin: past its end without any."""
    last = max(0, len(rows) - FOOT)
    foots = (at for at in range(last, len(rows)) if _is_foot(rows[at:]))
    return next(foots, len(rows) - _is_of_all(rows))


def _is_of_all(held: Sequence[Sequence[str]]) -> bool:
    """Whether the last row is what "all" come to: each figure is the sum of those above."""
    if not held or words(held[-1][0])[:1] != ["all"]:
        return False
    columns = list(zip(*held, strict=False))[1:]
    figures = [[number[0] for cell in each if (number := number_of(cell))] for each in columns]
    figures = [each for each in figures if len(each) == len(held)]
    return bool(figures) and all(each[-1] == sum(each[:-1]) for each in figures)


def _is_square(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether there are several heads, and a cell for each in every row."""
    return len(heads) >= 2 and all(len(row) == len(heads) for row in rows)


def _sums_up(row: Sequence[str]) -> bool:
    """Whether ``row`` has the name of one that adds up others: "Total", "Net total"."""
    named = words(next(filter(None, row), ""))
    return not TOTALS.isdisjoint(named) and len(named) <= TOTAL_WORDS


def _is_foot(rows: Sequence[Sequence[str]]) -> bool:
    """Whether ``rows``, the last of a table, are its totals and what comes between these."""
    return _sums_up(rows[0]) and _sums_up(rows[-1])


def _signs(beside: str) -> tuple[tuple[str, str], ...]:
    """Return the signs that the text ``beside`` a table explains, each with what it means."""
    return tuple((sign, meaning.strip()) for sign, meaning in _SIGN.findall(beside))


_MONTH_OF_FILE = lazy_regex(r"(?<!\d)(?:19|20)\d\d[-_ ](0[1-9]|1[0-2])(?!\d)")
"""A month in the name of a file: "rides-2021-07"."""
HEADING_WORDS = 12
"""Words of a heading that names what is below it, at most: longer ones lead in to one table."""


def _made(
    pool: Pool,
    rows: Sequence[Line],
    heads: Sequence[str],
    held: Sequence[Sequence[str]],
    totals: tuple[Line, ...] = (),
    beside: str = "",
) -> Table:
    passage = pool.passages[rows[0].owner]
    beside = beside or passage.beside
    over = pool.headings_over(rows[0])
    signs = _signs(beside)
    meanings = _meanings(heads, file_stem(passage))
    return Table(
        columns=tuple(
            _column(
                at, head, tuple(each[at] for each in held), meant, signs, scale_told(beside, head)
            )
            for at, (head, meant) in enumerate(zip(heads, meanings, strict=True))
        ),
        lines=tuple(rows),
        named=_stems_of_names(passage, over),
        name=file_name(passage),
        pool=pool,
        totals=totals,
        beside=frozenset(terms(beside)),
        title=_title(beside, over),
    )


def _stems_of_names(passage: Passage, over: str) -> frozenset[str]:
    """Return the stems of what a table is called: its file, the headings ``over`` it, its page."""
    headings = (each for each in over.split("\n") if len(words(each)) <= HEADING_WORDS)
    page = passage.title if "#" not in passage.url else ""
    name = file_stem(passage).replace("_", " ")
    months = (MONTHS[int(found[1]) - 1] for found in _MONTH_OF_FILE.finditer(name))
    told = f"{name} {' '.join(months)} {' '.join(headings)} {page}"
    return frozenset(stem(word) for word in words(told) if word not in stop_words())


def _title(beside: str, headings: str) -> str:
    """Return the caption ``beside`` a table, where it is as short as one; else the last heading."""
    is_caption = 0 < len(words(beside)) <= CAPTION_WORDS
    return beside if is_caption else headings.rpartition("\n")[2]


def _meanings(heads: Sequence[str], name: str) -> list[str]:
    """Return what ``heads`` stand for by what is next to them; nothing of those that are plain.

    Args:
        heads: What heads the columns of a table.
        name: What its file is called.
    """
    ways = (_meant_in_leagues, _meant_as_least, _meant_of_offices)
    told = [*(way(heads) for way in ways), _meant_by_file(heads, name)]
    return [next((each[at] for each in told if each[at]), "") for at in range(len(heads))]


_BARE_COUNTS = frozenset({"cnt", "count", "counts", "n", "value", "values"})
"""Heads that say of figures no more than that they are figures."""


def _meant_by_file(heads: Sequence[str], name: str) -> list[str]:
    """Return what the one bare figure among ``heads`` is of, if the ``name`` of the file says so.

    The counts in airport_traffic.csv are of traffic.
    """
    bare = [head.strip().casefold() in _BARE_COUNTS for head in heads]
    measures = measures_named(words(name.replace("_", " ")))
    if sum(bare) != 1 or len(measures) != 1:
        return [""] * len(heads)
    return [f"{measures[0]} count" if is_bare else "" for is_bare in bare]


_OF_PREMIERS = lazy_regex(r"(?i)^pm(?=[_ ]\w)")


def _meant_of_offices(heads: Sequence[str]) -> list[str]:
    """Return what ``heads`` are that begin with the letters of an office: "pm_name"."""
    return [
        _OF_PREMIERS.sub("prime minister", head) if _OF_PREMIERS.search(head) else ""
        for head in heads
    ]


def _meant_in_leagues(heads: Sequence[str]) -> list[str]:
    """Return what ``heads`` are short for in a league: single letters only next to "W" and "L"."""
    plain = [head.strip(". ").casefold() for head in heads]
    by_letters = {"w", "l"} <= set(plain)
    return [LEAGUE.get(head, "") if by_letters or len(head) > 1 else "" for head in plain]


def _meant_as_least(heads: Sequence[str]) -> list[str]:
    """Return "minimum" for "min", which is not minutes where another head has the "max"."""
    has_most = any(map(_MAX.search, heads))
    return [_MIN.sub("minimum", head) if has_most and _MIN.search(head) else "" for head in heads]


@cached_by_language(maxsize=256)
def _column(
    at: int,
    head: str,
    cells: tuple[str, ...],
    meant: str,
    signs: tuple[tuple[str, str], ...],
    scale: str,
) -> Column:
    """Return a column that is read once, however often a run asks for its table."""
    return Column(at, head, cells, meant, signs, scale=scale)
