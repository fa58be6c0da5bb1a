"""What a line of a passage leans on: the head of its table or paragraph, what its pronoun means.

The passage may begin within a table. "It has 17 employees" after "The Graz office is in Murgasse
19" is about the office. Languages that leave the pronoun out begin with the verb. Of those without
spaces nothing is told. "Diving is not, unless you ask" after "Cycling is covered" is about cover.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from quaere.text.dates import tells_a_life
from quaere.text.languages.language import Language, in_english, is_english, language_in_use
from quaere.text.lazy_regex import lazy_regex
from quaere.text.sentences import Span
from quaere.text.tables import cells_of_row as cells
from quaere.text.tables import empty_head
from quaere.text.tokens import stem, stop_words

_POINTS_BACK = lazy_regex(
    r"(?:It|They|He|She|Its|His|Her|Their)\b"
    r"|(?:After|Before|If|In order to|Once|To|Until|When)\s(?:[\w-]+\s){0,2}(?:it|them|they)\b"
)
_LIT = r"(?:[\w-]+ ){1,3}(?:lit|on|off|blink\w*|flash\w*)"
_SUBJECT = lazy_regex(
    rf"(?:(?:\w+(?: \d+)?|{_LIT}): )?(?:(?P<named>(?:[^\s.;:|]+\s){{1,8}}?)"
    r"(?:is|are|was|were|has|have|had|can|may|must|will|does|do)\b"
    r"|(?P<thing>(?:The|An?|Our|Your)\s(?:[\w-]+\s){1,3}?)[a-z]{2,}(?:s|ed)\b"
    r"|To\s[a-z]+\s(?P<object>(?:the|an?|your)\s(?:[\w-]+\s){0,2}[\w-]+),)"
)
_TO_BE = r"(?:is|are|was|were|may|must|can|will|do|does|did|has|have|had)"
_LEFT_OUT = lazy_regex(
    rf"(?i)\b(?:{_TO_BE} not|need not|cannot|(?:is|are|was|were|do|does|did|has|have|had)n['’]t)"
    r"(?=\s*(?:[.,;:!?)]|$|(?:but|except|if|unless|until|when)\b))"
)
_PREDICATE = lazy_regex(
    rf"(?i)\b{_TO_BE}(?: not| also| all| both)? (?P<said>[a-z][^.,;:]*)[.;:]?\W*$"
)
_CLAUSE_BEFORE = lazy_regex(
    rf"(?i)\A(?:.*\b{_TO_BE}\b[^,;:]*[,;:]|.*[;:]|.*\b(?:but|while|whereas)\b)"
)


def denied_by_itself(sentence: str) -> str:
    """Return of what ``sentence`` says no more than that it is not so, as of "Diving is not".

    Empty where it says of what it is not. English alone.
    """
    denial = in_english(_LEFT_OUT.search, sentence)
    return _CLAUSE_BEFORE.sub("", sentence[: denial.start()]) if denial else ""


def predicate_told(sentence: str) -> str:
    """Return what ``sentence`` says of what it is about, after its last verb; empty without one."""
    found = in_english(_PREDICATE.search, sentence)
    return found["said"] if found else ""


def points_back(sentence: str) -> bool:
    """Return whether ``sentence`` begins with a word for what was named before."""
    language = language_in_use()
    pattern = _POINTS_BACK if language is None else re.compile(language.points_back)
    return pattern.match(sentence) is not None


def subject_told(sentence: str) -> str:
    """Return the words of ``sentence`` before its verb; empty where that is not told by form.

    Of "To empty the tank, open the valve" the tank.
    """
    language = language_in_use()
    if language is not None:
        told = _before_verb(language).match(sentence)
        return told["named"] if told else ""
    found = _SUBJECT.match(sentence)
    return next(filter(None, found.groups()), "") if found else ""


@cache
def _before_verb(language: Language) -> re.Pattern[str]:
    return re.compile(rf"(?P<named>(?:[^\s.;:|]+\s){{1,8}}?)(?:{language.verbs})\b")


RULE = lazy_regex(r"[\s|:=-]*|[`~]{3,}\w*|\.\. [\w-]+::.*")
"""What is under the head of a table, or around code, and says nothing."""
BREAK = lazy_regex(r"\n[^\S\n]*\n")
_HEADS_FIGURES = lazy_regex(r"[^\W\d_]{3}|^(?:19|20)\d\d$")


def gap_before(text: str, spans: Sequence[Span], place: int) -> str:
    """Return what is written between the sentence at ``place`` and the one before it."""
    return text[spans[place - 1].end if place else 0 : spans[place].start]


def heads_table(
    text: str, spans: Sequence[Span], place: int, *, is_first: bool, is_begun: bool
) -> bool:
    """Return whether the row at ``place`` begins a table.

    One at the head of the passage may continue a table that was cut, unless a rule is under it,
    the passage ``is_first`` of its page, or no head is known of it and its cells are words alone.
    """
    if empty_head(gap_before(text, spans, place)):
        return False
    around = spans[max(0, place - 1) : place + 2]
    rows = [text.startswith("|", span.start) for span in around]
    if place == 0 and rows == [True, True]:
        between = text[spans[0].end : spans[1].start]
        row = text[spans[0].start : spans[0].end]
        if between.count("\n") == 1 and (is_first or (is_begun and _is_of_words(row))):
            return True
        return _is_rule(between)
    return rows == [False, True, True] or (rows == [True, True, True] and _is_apart(text, around))


def _is_rule(between: str) -> bool:
    return "-" in between and RULE.fullmatch(between) is not None


def _is_apart(text: str, around: Sequence[Span]) -> bool:
    """Return whether the second of three rows is below a blank line, and has a rule under it."""
    above, row, below = around
    return BREAK.search(text, above.end, row.start) is not None and _is_rule(
        text[row.end : below.start]
    )


def _is_of_words(row: str) -> bool:
    """Whether each cell of ``row`` has something, and none a figure: it heads what is below it.

    So does what has nothing over the first column, and words or a year over each of the others.
    """
    first, *others = cells(row)
    if not first and others:
        return all(map(_HEADS_FIGURES.search, others))
    return all((first, *others)) and not any(map(str.isdigit, row))


ENDS = (".", "!", "?", ":", ";", ",", "…", "。", "：")
"""What a sentence ends with, and what goes on in another one."""
_LONGEST_RUN_IN = 4
"""Words of a heading with which a paragraph begins."""
NUMBERED = lazy_regex(r"(?:§\s?)?\d{1,2}(?:\.\d{1,2}){0,3}[.)]?[^\S\n]+")
"""The number of a clause, of an item of minutes, or of a step."""
_SAYS = lazy_regex(
    r"(?i)\b(?:am|is|are|was|were|be|been|do|does|did|has|have|had|can|could|will|would|shall|should"
    r"|may|might|must|i|you|he|she|it|we|they|this|that|these|those|nobody|nothing|yes|no|not|\w+ed"
    r")\b|\d|['’]"
)


def run_ins(text: str, spans: Sequence[Span]) -> frozenset[int]:
    """Return the places of headings with which paragraphs begin, as in "Food. Avoid plums".

    A number may be before one, as in a contract: "2. Food. Avoid plums". In plain text, and where
    a web page lists terms with what they are, one may be a line of its own, without a point.
    Where one paragraph alone begins so, that is a short sentence. English alone.
    """
    if not is_english():
        return frozenset()
    found = frozenset(at for at in range(len(spans) - 1) if _may_run_in(text, spans, at))
    return found if len(found) > 1 else frozenset()


def _may_run_in(text: str, spans: Sequence[Span], place: int) -> bool:
    span, before = spans[place], text[: spans[place].start].rstrip(" \t")
    number = NUMBERED.match(text, span.start, span.end)
    said = text[number.end() if number else span.start : span.end]
    begins = not before or before.endswith("\n")
    after = spans[place + 1]
    breaks = text[span.end : after.start].count("\n")
    goes_on = breaks in ((0,) if said.endswith(".") else (1, 2)) and not said.endswith(ENDS[1:])
    is_short = "\n" not in said and len(said.split()) <= _LONGEST_RUN_IN
    if breaks and not _is_above(text, span, after):
        return False
    return begins and goes_on and is_short and said[:1].isupper() and not _SAYS.search(said)


def _is_above(text: str, span: Span, after: Span) -> bool:
    """Whether ``span`` is a line above a sentence that begins a paragraph; neither is indented."""
    begins = span.start == 0 or text.endswith("\n\n", 0, span.start)
    return begins and text[after.start - 1] == "\n" and text[after.end - 1] == "."


_HYPHENED = lazy_regex(r"(?<![\w-])([A-Za-z]+)-([A-Za-z]+)(?![\w-])")
_ONE_DAY = lazy_regex(r"(?i)\b24[ -]h(?:ours?)?\b")


def stems_said(text: str, said: Iterable[str]) -> frozenset[str]:
    """Return the stems in ``text``; the years of a life imply "born" and "die".

    What is hyphened may be written as one word as well: an "e-mail" is an "email", and 24 hours are
    a day. English alone.
    """
    common = stop_words()
    found = {stem(word) for word in said if word not in common}
    if is_english():
        found.update(stem(f"{a}{b}".casefold()) for a, b in _HYPHENED.findall(text))
        found.update(("day",) if _ONE_DAY.search(text) else ())
    return frozenset(found.union(_lived() if tells_a_life(text) else ()))


def _lived() -> Iterable[str]:
    language = language_in_use()
    return ("born", "die") if language is None else map(stem, language.life)
