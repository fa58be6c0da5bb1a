"""What is computed over a table, and is not in any row of it: a difference, the most of all.

Where nothing computes it, a row that has the other words of the question is not a certain answer.
English alone.
"""

from __future__ import annotations

from collections.abc import Iterable

from quaere.reason.extractive.pool import Line
from quaere.reason.extractive.questions.kinds import last_question
from quaere.reason.extractive.tables.asked import RowsAnswer
from quaere.text.languages.language import in_english, is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import stem, terms, words

_OF_SEVERAL = (
    r"most|least|fewest|highest|lowest|largest|smallest|biggest|greatest|longest|shortest"
    r"|previous|how (?:much|many) (?:more|less|fewer)|(?:time|years) between"
)
_OF_SEVERAL_ROWS = lazy_regex(rf"(?i)\b(?:{_OF_SEVERAL})\b(?<!\bat most)(?<!\bat least)")
_RECKONED = lazy_regex(
    rf"(?i)\b(?:{_OF_SEVERAL}|differences?|average|proportion|ratio|number of|combined"
    r"|altogether|how many times)\b"
)
"""What asks for something that is told by several rows, or by two cells of one."""


_BOUNDED = lazy_regex(
    r"(?i)\b(?:before|after|since|until|(?:more|less|fewer|[a-z]{2,12}er) than|over|under|above"
    r"|below|at least|at most|between) (?:the )?(?:end of )?[£$€]?\d"
)
"""What the rows on one side of a figure are asked for by: no other row is one of them."""
_BY_HOW_MUCH = lazy_regex(r"(?i)\bdifferences? in\b|\bhow (?:much|many) (?:more|less|fewer)\b")


def asks_by_how_much(question: str) -> bool:
    """Return whether ``question`` asks for the difference of two figures, not of two things."""
    return _BY_HOW_MUCH.search(question) is not None


def is_reckoned(question: str, line: Line) -> bool:
    """Return whether ``question`` asks for what the row ``line`` does not tell by itself.

    A row or a column that is called so tells it: "Average" of marks, "Most popular". Nor does it
    tell whether it is on the side of a bound that is asked for: "stored before 2020".
    """
    if line.columns and is_english() and _BOUNDED.search(question):
        return True
    asked = (found[0] for found in _RECKONED.finditer(question))
    return _lacks_any(asked, line)


def is_of_several_rows(question: str, line: Line) -> bool:
    """Return whether a cell of ``line`` is what ``question`` asks of several rows: the highest."""
    asked = (found[0] for found in _OF_SEVERAL_ROWS.finditer(question))
    return _lacks_any(asked, line)


def _lacks_any(asked: Iterable[str], line: Line) -> bool:
    if not line.columns or not is_english():
        return False
    return any(line.terms.isdisjoint(map(stem, words(each))) for each in asked)


_ASKS_WHICH = lazy_regex(
    r"(?i)^\W*which (?P<thing>[^?]{1,60}?) (?:did|does|do|is|are|was|were|has|have|had|will|can)\b"
)
_FIGURE_ALONE = lazy_regex(r"[^\w]*\d[\d.,]*(?:\s?%)?[^\w]*")


def tells_no_thing(question: str, rows: RowsAnswer) -> bool:
    """Return whether ``question`` asks which thing, and ``rows`` tell a figure of something else.

    A figure is one where a column says so: "Which size did Ben order?" of sizes. English alone.
    """
    asked = in_english(_ASKS_WHICH.match, last_question(question))
    if asked is None or not _FIGURE_ALONE.fullmatch(rows.text):
        return False
    heads = frozenset(terms(" ".join(rows.columns)))
    return heads.isdisjoint(terms(asked["thing"]))
