"""Which share of some rows something holds for: "What share of the women survived?".

The question is read twice: up to its verb, for the rows that are the whole, and to its end, for
those of them that are meant. English alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from quaere.domain.report import DirectKind
from quaere.reason.extractive.tables.asked import CALCULATED, RowsAnswer
from quaere.reason.extractive.tables.columns import Table
from quaere.reason.extractive.tables.reading import Reading
from quaere.reason.extractive.tables.wording import Undecided
from quaere.text.lazy_regex import lazy_regex
from quaere.text.lexicon import word_set
from quaere.text.tokens import Token, tokenize

_SHARE = lazy_regex(
    r"(?i)^\W*(?:what|which) (?:share|percentage|proportion|part|fraction|per ?cent) of\s+"
    r"(?:(?:all|the)\s+)*(?P<rest>[^?\s][^?]*)\?*\s*$"
)
_GOES_ON = word_set("in of from with at on by for and or to under over who that which")
"""Words behind which more is said of the whole."""
LONGEST = 40
"""Words of such a question, at most."""
_WHOLE = Decimal(100)


def counted_share(text: str, table: Table) -> RowsAnswer | None:
    """Return in per cent how many of the rows that ``text`` names are what it asks for.

    Raises:
        Undecided: when several columns could be meant.
    """
    found = _SHARE.match(text)
    tokens = tokenize(found["rest"]) if found else []
    if found is None or not 1 < len(tokens) <= LONGEST:
        return None
    part = Reading(f"how many {found['rest']}", table)
    if part.counted() is None:
        return None
    whole = _whole_of(part, found["rest"], tokens)
    return None if whole is None else _told(part, whole)


def _whole_of(part: Reading, said: str, tokens: Sequence[Token]) -> Reading | None:
    """Return the reading of more rows than those of ``part``, by most of the start of what is said.

    Args:
        part: The reading of all that is ``said``.
        said: What follows "share of".
        tokens: Its words.
    """
    for at in range(len(tokens) - 1, 0, -1):
        if tokens[at].text.casefold() in _GOES_ON:
            continue
        whole = _counted(said[: tokens[at].start], part.table)
        if whole is not None and set(part.rows) < set(whole.rows):
            return whole
    return None


def _counted(said: str, table: Table) -> Reading | None:
    """Return the reading of rows that are counted by ``said``; None where it counts none."""
    whole = Reading(f"how many {said}", table)
    try:
        return whole if whole.counted() else None
    except Undecided:
        return None


def _told(part: Reading, whole: Reading) -> RowsAnswer:
    share = _WHOLE * len(part.rows) / len(whole.rows)
    of = f"{len(part.rows):,} of {len(whole.rows):,} in {part.table.name}"
    return part.answered(DirectKind.NUMBER, f"{share:.1f} % ({of})", part.rows, CALCULATED)
