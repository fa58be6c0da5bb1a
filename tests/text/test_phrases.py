"""What a report says of itself, in every language that questions are asked in."""

from __future__ import annotations

from dataclasses import fields
from string import Formatter

import pytest

from quaere.domain.report import BEYOND_LENGTH, BEYOND_LIMIT
from quaere.text.languages.language import ENGLISH_FRAME, Frame, languages
from quaere.text.languages.phrases import ENGLISH_ACCOUNT, ENGLISH_REASONS, tell

CODES = sorted(languages())
SIGNS = {"group", "point", "joint", "by", "why", "read_in"}
"""What parts figures or phrases, and may be as it is in English."""


def phrases(said: Frame) -> dict[str, object]:
    return {
        f"{kind}.{each.name}": getattr(getattr(said, kind), each.name)
        for kind in ("reasons", "account")
        for each in fields(getattr(said, kind))
    }


def placeholders(phrase: object) -> list[str]:
    return sorted(name for _, name, _, _ in Formatter().parse(str(phrase)) if name)


@pytest.mark.parametrize("code", CODES)
def test_every_phrase_is_in_every_language_with_its_placeholders(code: str) -> None:
    own, english = phrases(languages()[code].frame), phrases(ENGLISH_FRAME)
    assert own.keys() == english.keys()
    for name, phrase in english.items():
        assert placeholders(own[name]) == placeholders(phrase), name
        assert own[name], name


@pytest.mark.parametrize("code", CODES)
def test_hardly_a_phrase_is_left_in_english(code: str) -> None:
    own, english = phrases(languages()[code].frame), phrases(ENGLISH_FRAME)
    same = [
        name
        for name, phrase in english.items()
        if own[name] == phrase and name.partition(".")[2] not in SIGNS
    ]
    # Words that some languages share with English, such as "date" and "Plan".
    assert len(same) <= 6, same


def test_a_number_goes_with_its_noun_and_is_written_as_the_language_writes_it() -> None:
    german = languages()["de"].frame.account
    assert tell(ENGLISH_ACCOUNT, "{n:page|pages}", n=1) == "1 page"
    assert tell(ENGLISH_ACCOUNT, "{n:page|pages}", n=12_345) == "12,345 pages"
    assert tell(german, "{n:Seite|Seiten}", n=12_345) == "12.345 Seiten"
    assert tell(german, "{n} s", n=1_234.56) == "1.234,6 s"
    assert tell(german, "{n}", n="1,234.5") == "1,234.5"


def test_reasons_are_those_that_sentences_are_left_out_for() -> None:
    assert (ENGLISH_REASONS.too_many_sources, ENGLISH_REASONS.too_long) == (
        BEYOND_LIMIT,
        BEYOND_LENGTH,
    )
