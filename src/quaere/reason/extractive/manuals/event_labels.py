"""Finds where and when something was, in a head of labels: "Ort: Vereinsheim", "Fecha: 3 de mayo".

So minutes and notices begin. English reads the fields of events otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.pool import Line, Pool
from quaere.reason.extractive.questions.kinds import last_question
from quaere.text.dates import dates
from quaere.text.languages.language import Language, language_in_use
from quaere.text.languages.wordings import Labels
from quaere.text.lazy_regex import lazy_regex

COVERED = 0.9
"""Share of what else is asked that the title of the page and the headings over it must hold."""
_LABELLED = lazy_regex(
    r"(?<!\S)[*_]*(?P<label>[^\W\d_][^:：|.!?\n]{0,30}?)[*_]*\s?[:：][*_]*\s*"
    r"(?P<value>\S.*?)(?=\s[^\W\d_][^:：|.!?\s]{0,15}\s?[:：]|\Z)"
)
"""A label with what is said of it, as far as the next label in the same line."""
_LEFT_OUT = lazy_regex(r"[的是在了里儿\s?？]+")
"""What parts the words of a question without spaces and belongs to none."""


class Held(NamedTuple):
    """Where or when something was, and the line that says so."""

    text: str
    line: Line
    is_date: bool


def find_held(question: str, pool: Pool) -> Held | None:
    """Return what the label of a page says of where or when that was which ``question`` names.

    All else that is asked is in the title or the headings over the label. None where two labels say
    different things.
    """
    text, language = last_question(question), language_in_use()
    if language is None or language.labels is None:
        return None
    found = list(_held(text, language, language.labels, pool))
    return found[0] if len({each.text for each in found}) == 1 else None


def _held(text: str, language: Language, labels: Labels, pool: Pool) -> Iterator[Held]:
    for is_date, (asks, label) in enumerate((labels.place, labels.date)):
        asked = re.match(rf"(?i)\W*(?:{asks})", text)
        if asked is None:
            continue
        rest = text if language.pieces else text[asked.end() :]
        told = _with_label(label, pool)
        for line, value in filter(_is_dated, told) if is_date else told:
            if _is_of(rest, language, line, pool):
                yield Held(value.rstrip("."), line, bool(is_date))


def _is_dated(told: tuple[Line, str]) -> bool:
    return bool(dates(told[1]))


def _with_label(label: str, pool: Pool) -> Iterator[tuple[Line, str]]:
    for line in pool.lines:
        for told in () if line.heading or line.columns else _LABELLED.finditer(line.text):
            if re.fullmatch(f"(?i){label}", told["label"]):
                yield line, told["value"]


def _is_of(text: str, language: Language, line: Line, pool: Pool) -> bool:
    """Whether all that ``text`` says of what took place is over ``line``."""
    held = language.labels.held if language.labels else ""
    rest = re.sub(f"(?i){held}", " ", text)
    if language.pieces:
        for asks in (language.asks["place"], language.asks["date"]):
            rest = re.sub(asks, " ", rest)
        title = f"{pool.passages[line.owner].title} {pool.headings_over(line)}"
        said = list(filter(None, _LEFT_OUT.split(rest)))
        return bool(said) and all(each in title for each in said)
    goal = Goal.besides(frozenset(), text, pool, rest)
    return goal is not None and goal.share_in(pool.over(line)) >= COVERED
