"""Finds what a manual says under the heading of a function: "### `pump.start(speed)`"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import Final

from quaere.domain.url import is_annals
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import last_question
from quaere.text.languages.language import in_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import stem

SHOWN: Final = 2
"""Sentences that are shown of what is said of a function."""

_ASKS: Final = lazy_regex(
    r"(?i)\W*what (?:do|does|is)\s+(?:the\s+)?(?:function\s+|method\s+)?`?(?P<name>[\w.$]{2,80})"
    r"(?:\(\))?`?(?:\s+(?:function|method))?\s+(?P<deed>do|for|return|raise|throw|yield)\W*$"
)
_IS_NAME: Final = lazy_regex(r"\w[._$]\w|[a-z]\d*[A-Z]")
"""What tells the name of a function from a word: "pump.start", "readAll"."""
_HEADS: Final = lazy_regex(r"(?:\W*+(?:static\s+|async\s+|new\s+)*)(?P<name>[\w.$]+)\(")
_CODE: Final = lazy_regex(r"(?://|#|\W*$)")
_SAYS: Final = lazy_regex(r"(?:The|This|It|Returns?|Throws?|Raises?)\b")
"""How a sentence begins that tells it of the function, and not of a case."""
_IDLE: Final = frozenset({"do", "for"})


def find_function(question: str, pool: Pool) -> tuple[Line, ...]:
    """Return the sentences under the heading of the function that ``question`` asks about.

    Asked what it returns or raises, those that say so. Of functions that end in the same name the
    one that is called just so; none where several are, or where the name may be a plain word.
    English alone.

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    asked = in_english(_ASKS.match, last_question(question))
    if asked is None or not _IS_NAME.search(asked["name"]):
        return ()
    section = _meant(asked["name"], list(_sections(asked["name"], pool)))
    deed = asked["deed"].casefold()
    return _does(section, pool) if deed in _IDLE else _says_of(deed, section)


def _meant(name: str, sections: Sequence[tuple[str, Sequence[Line]]]) -> Sequence[Line]:
    """Return the lines of the one section of ``name``; none where several may be meant."""
    exact = [told for called, told in sections if called == name]
    found = exact or [told for _, told in sections]
    return found[0] if len(found) == 1 else ()


def _sections(name: str, pool: Pool) -> Iterator[tuple[str, Sequence[Line]]]:
    """Yield the functions that are called ``name``, or end so, with the lines under each."""
    for passage, lines in zip(pool.passages, pool.lines_of, strict=True):
        if not is_annals(passage.url):
            yield from _under(name, lines)


def _under(name: str, lines: Sequence[Line]) -> Iterator[tuple[str, Sequence[Line]]]:
    heads = [line.place for line in lines if line.heading]
    for at, end in pairwise([*heads, len(lines)]):
        head = _HEADS.match(lines[at].text)
        if head and f".{head['name']}".endswith(f".{name}"):
            yield head["name"], lines[at + 1 : end]


def _does(lines: Sequence[Line], pool: Pool) -> tuple[Line, ...]:
    """Return the first sentences among ``lines`` that are of none of its parameters."""
    prose = (line for line in _prose(lines) if not _is_of_item(line, lines, pool))
    return tuple(islice(prose, SHOWN))


def _says_of(deed: str, lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return what is said with ``deed``, of the function itself before single cases."""
    own = stem(deed)
    said = [line for line in _prose(lines) if own in line.terms]
    said.sort(key=lambda line: (_SAYS.match(line.text) is None, line.listed))
    return tuple(said[:SHOWN])


def _prose(lines: Sequence[Line]) -> Iterator[Line]:
    return (line for line in lines if not (line.columns or _CODE.match(line.text)))


def _is_of_item(line: Line, lines: Sequence[Line], pool: Pool) -> bool:
    """Whether ``line`` is an item of a list, or of one with no blank line between."""
    text = pool.passages[line.owner].text
    items = [each for each in lines if each.listed and each.place <= line.place]
    return bool(items) and "\n\n" not in text[items[-1].start : line.start]
