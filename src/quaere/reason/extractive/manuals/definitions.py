"""Finds the sentence in which a page says what it is about: "Hask is a pump for tapes"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from quaere.domain.url import is_annals
from quaere.reason.extractive.pool import Line, Pool, cells, file_name
from quaere.reason.extractive.questions.kinds import Kind, expected_kind, last_question
from quaere.text.languages.language import in_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tables import ROW
from quaere.text.tokens import stem, stems_of, terms, words

_WHAT_IS = lazy_regex(
    r"(?i)\W*what(?:(?:['’]s| is| are)(?P<meant> meant by)?|(?P<does> does| do))\s+"
    r"(?:an?\s+|the\s+)?[\"“]?(?P<what>[^?]+?)[\"”]?"
    r"(?(does)\s+(?:mean|refer to|do)|(?:\s(?:used\s)?for)?)\W*$"
)
_WHAT_DOES = lazy_regex(
    r"(?i)\W*what(?:['’]s| is| does| do)\s+(?:an?\s+|the\s+)?(?P<what>[^?]+?)"
    r"(?:\s+(?:for|do|mean|stand for))?\W*$"
)
_WHERE = lazy_regex(
    r"(?i)\A(?:(?P<asks>\W*what(?:['’]s| is)\s+(?:an?\s|meant by\s)[^?,]{1,60}?)\s+in\s+(?:the\s+)?"
    r"[\w-]+(?:\s+(?:world|context|sense|docs|documentation|manual|terminology))?\W*$"
    r"|(?P<does>\W*what does\s+(?:the\s+)?\S{1,40}\s+(?:mean|stand for))\s+in\s[^?]{1,60}\W*$)"
)
"""Tells where a word is used that is asked about: "What is a wheel in the Python world?"."""
_MEANS_QUOTED = lazy_regex(
    r"(?i)\W*what does (?:it|this|that) mean\b[^\"“”`]*[\"“`](?P<what>[^\"“”`]{2,60})[\"”`]"
)
"""Asks the meaning of what is told, word by word."""
_ASKS_DOES = lazy_regex(
    r"\W*[Ww]hat does\s(?:the\s)?[^?\s]*(?:[A-Z]{2}|[_.(-])[^?\s]*(?:\s[a-z]+)?\s+do\W*$"
)
"""Asks what something does that is called by a name of code."""
MOST_WORDS = 4
"""Words of what is asked about, at most: more of them describe something."""
SUBJECT = 8
"""Words with which a sentence begins that tell of what it speaks."""
_WITHIN = lazy_regex(r"\s(?:in|of|for|on|at)\s")
_IS = lazy_regex(
    r"(?i)\b(?:is|are|was|were|means?|refers? to|denotes?|stands? for|lets|allows|provides"
    r"|contains)\b|[:–—]|\s-\s"
)
"""How a sentence goes on that says what something is."""
_OF_IT = lazy_regex(r"(?i)\W*(?:it|this|that)\s+(?:is|was)\s+(?:an?|another|one|the)\b")
_MARKS = r"[\s`*_\"“”]*"
_SORT = r"(?:\s+(?:library|package|module|tool|program|command|utility|project|plugin))?"
_DEFINES = (
    r"\s+(?:(?:is|are)\s+(?:an?|another|any|one|the|yet another)|means|mean|refers? to|denotes?)\b"
)
_LISTED = r"\s+(?:[-–—]|&[mn]dash;)\s+[a-z]"
_DOES = (
    r"\s+(?!(?:is|was|has|does)\b)[a-z]{2,}s\s+(?:an?|all|any|each|every|how|its|no|one|only|that|the"
    r"|this|to|what|when|whether|which|your)\b"
)
"""How a sentence goes on that says what a thing does."""
_OF_CODE = stems_of(
    "signal command option flag setting function method parameter variable key directive header"
    " field module hook keyword argument"
)
"""What a name of code is of, said after it: "the DRAIN signal"."""
_ENTRY = r"\s*[:.][*_]*\s+\S"
"""How an item of a list goes on that begins with a term: "Tern: a boat", "Tern. A boat"."""


def find_definition(question: str, pool: Pool) -> Line | None:
    """Return the line that begins with what ``question`` asks the meaning of, and says what it is.

    The one row of a table that is called so goes first: "What is `TIDE_DB` for?".
    Of several the one whose page is called so, else the best ranked. None in other languages than
    English, and where something is described rather than named.
    """
    text = last_question(question)
    if (row := _row_of(text, pool)) is not None:
        return row
    what = words_defined(text)
    if not what:
        return None
    named = frozenset(what)
    does = in_english(_ASKS_DOES.match, text) is not None
    defined = min(
        _defining(what, pool, does=does),
        key=lambda line: (not named <= _called(line, pool), line.owner),
        default=None,
    )
    return defined or next(_summed_up(what, pool), None)


_SUMMARY = lazy_regex(r"(?i)\W*(?:summary|description|abstract)\W*[:=]\s*[\"'“]?(?=\w)")
"""What labels what a package, a project or a paper is, in a few words."""


def _summed_up(what: Sequence[str], pool: Pool) -> Iterator[Line]:
    """Yield what the pages or files that are called ``what`` have as their summary."""
    for line in pool.lines:
        label = _SUMMARY.match(line.text)
        if label is None or line.heading or line.columns:
            continue
        passage = pool.passages[line.owner]
        if what in (words(passage.title), words(file_name(passage).partition(".")[0])):
            start = line.start + label.end()
            if passage.text[start : line.end] == line.text[label.end() :]:
                yield replace(line, start=start, text=line.text[label.end() :])


def _defining(what: Sequence[str], pool: Pool, *, does: bool) -> Iterator[Line]:
    """Yield the lines that begin with ``what`` is asked, and may say what it is, or ``does``."""
    name = r"[\W_]+".join(map(re.escape, what))
    told = rf"{_SORT}{_DEFINES}|{_LISTED}{f'|{_DOES}' if does else ''}"
    said = re.compile(rf"(?i){_MARKS}(?:the\s+|an?\s+)?{name}{_MARKS}(?:{told})")
    entry = re.compile(rf"(?i){_MARKS}{name}{_MARKS}{_ENTRY}")
    for each in pool.lines:
        line = _with_next(each, pool) if each.listed else each
        begins = said.match(line.text) or (line.listed and entry.match(line.text))
        if (begins or _begins_entry(line, what, pool)) and _may_define(line, pool):
            yield line


def _row_of(text: str, pool: Pool) -> Line | None:
    """Return the one row of a table whose first cell is the name that ``text`` asks about."""
    what = _called_in(text)
    if not 0 < len(what) <= MOST_WORDS:
        return None
    found = [line for line in pool.lines if _is_row_of(what, line)]
    if len(found) > 1:
        found = list(filter(_is_of_terms, found))
    return found[0] if len(found) == 1 else None


def _called_in(text: str) -> list[str]:
    """Return the words of the name that ``text`` asks about, or of what it tells word by word."""
    asked = in_english(_MEANS_QUOTED.match, text) or in_english(_WHAT_DOES.match, text)
    return words(asked["what"]) if asked else []


_OF_TERMS = stems_of("term meaning definition")
"""What heads the columns of a table of terms: of several rows the one of it says what it is."""


def _is_of_terms(row: Line) -> bool:
    return not _OF_TERMS.isdisjoint(terms(" ".join(row.columns)))


def _is_row_of(what: Sequence[str], line: Line) -> bool:
    is_row = line.text.startswith(ROW) and any(line.columns) and not line.heading
    return is_row and words(cells(line.text)[0]) == what


def lacks_subject(question: str, line: Line) -> bool:
    """Return whether ``line`` does not say of the thing whose meaning is asked that it is one.

    "Available since Hask 2" does not say what Hask is. English alone.
    """
    what = words_defined(question)
    core = _WITHIN.split(" ".join(what))[0]
    named = frozenset(terms(core))
    if not named or _OF_IT.match(line.text):
        return False
    opening = " ".join(words(line.text)[:SUBJECT])
    is_entry = named == line.led or bool(line.columns)
    return not (is_entry or (named <= frozenset(terms(opening)) and _IS.search(line.text)))


def words_defined(question: str) -> list[str]:
    """Return the words of the name that ``question`` asks the meaning of; none of anything else."""
    text = _WHERE.sub(r"\g<asks>\g<does>?", last_question(question))
    asked = in_english(_WHAT_IS.match, text)
    if asked is None:
        return []
    asks_meaning = asked["meant"] or asked["does"]
    if not asks_meaning and expected_kind(text) is not Kind.DEFINITION:
        return []
    what = words(asked["what"])
    what = _without_sort(what) if asked["does"] else what
    return what if len(what) <= MOST_WORDS else []


def _without_sort(what: list[str]) -> list[str]:
    """Return ``what`` without the word at its end for what a name of code is of."""
    return what[:-1] if len(what) > 1 and stem(what[-1]) in _OF_CODE else what


_IS_TERM = lazy_regex(r"(?![<-]).*\w$")
"""What stands on its own and is not a sentence, an element ("<tide>") or an option."""


def _begins_entry(line: Line, what: Sequence[str], pool: Pool) -> bool:
    """Return whether ``line`` is the first below a term that is all of ``what``, on its own.

    So a list of terms and what they mean reads that was made for a web page.
    """
    before = pool.lines_of[line.owner][line.place - 1] if line.place else None
    if before is None or before.columns or line.listed:
        return False
    is_marked = pool.passages[line.owner].text[: before.start].rstrip(" ").endswith("#")
    return not is_marked and _IS_TERM.match(before.text) is not None and words(before.text) == what


def _is_of_its_item(after: Line, line: Line, pool: Pool) -> bool:
    """Whether ``after`` is the next sentence of the item, or of the paragraph, of ``line``."""
    if after.listed or after.heading or after.columns:
        return False
    return "\n\n" not in pool.passages[line.owner].text[line.end : after.start]


def _with_next(line: Line, pool: Pool) -> Line:
    """Return ``line`` with the next one of its item where it is but a term: "Tern. A boat"."""
    if len(words(line.text)) > MOST_WORDS or not line.text.endswith("."):
        return line
    after = pool.after(line)
    if after is None or not _is_of_its_item(after, line, pool):
        return line
    text = f"{line.text} {after.text}"
    return replace(line, end=after.end, text=text, terms=line.terms | after.terms)


def _may_define(line: Line, pool: Pool) -> bool:
    return not line.heading and not is_annals(pool.passages[line.owner].url)


def _called(line: Line, pool: Pool) -> frozenset[str]:
    """Return the words in the title of the page of ``line``."""
    return frozenset(words(pool.passages[line.owner].title))
