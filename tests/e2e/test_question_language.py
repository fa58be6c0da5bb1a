"""A report is in the language of its question, in every form that a reader gets it in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from io import StringIO
from string import Formatter
from typing import cast

import pytest
from rich.console import Console
from tests.synthesize.drafts import unanswered
from tests.view.export.reports import valley

from quaere.domain.report import CheckedBy, Report, Sentence, Support
from quaere.faces.cli.render import rendered, rendered_turn
from quaere.text.languages.language import ENGLISH_FRAME, Frame, languages
from quaere.view.export.html import html
from quaere.view.export.markdown import long_markdown, markdown
from quaere.view.export.sections import document

QUESTIONS = {
    "de": "Wie lang ist die Brücke von Orrin?",
    "es": "¿Cuánto mide el puente de Orrin?",
    "fr": "Quelle est la longueur du pont d'Orrin ?",
    "it": "Quanto è lungo il ponte di Orrin?",
    "ja": "オリン橋の長さはどれくらいですか？",
    "nl": "Hoe lang is de brug van Orrin?",
    "pt": "Qual é o comprimento da ponte de Orrin?",
    "zh": "奥林桥有多长？",
}
TOLD = 6
"""Characters of a stretch of a phrase from which it is looked for."""


def stretches(said: Frame) -> Iterator[str]:
    """Yield what the phrases of a language have between what is filled in."""
    for part in (said, said.account, said.headings, said.reasons):
        for each in fields(part):
            value = cast("str | tuple[str, ...] | object", getattr(part, each.name))
            several = cast("tuple[str, ...]", value) if isinstance(value, tuple) else (value,)
            for phrase in several:
                if isinstance(phrase, str):
                    yield from (said.strip(" ;:,.") for said, *_ in Formatter().parse(phrase))


def reports(question: str) -> Iterator[Report]:
    doubtful = Sentence(
        text="It was red.",
        support=Support.NOT_JUDGED,
        by=CheckedBy.WORDS,
        reason="not in its sources: 4, 7; has another order than its source, or puts it "
        "differently; wording differs",
    )
    parted = valley().model_copy(update={"question": question, "dropped": (doubtful,)})
    yield parted
    yield unanswered().model_copy(update={"question": question, "answer": "?", "gaps": ()})


def forms(report: Report) -> Iterator[str]:
    console = Console(file=StringIO(), width=400)
    yield rendered(report, console, full=False)
    yield rendered_turn(report, console)
    yield markdown(report)
    yield long_markdown(document(report))
    yield html(document(report)).partition("</style>")[2]
    yield html(document(report), paper=True).partition("</style>")[2]


@pytest.mark.parametrize("code", QUESTIONS)
def test_no_phrase_of_a_report_is_in_english(code: str) -> None:
    own = set(stretches(languages()[code].frame))
    english = {said for said in stretches(ENGLISH_FRAME) if len(said) >= TOLD} - own
    for report in reports(QUESTIONS[code]):
        of_sources = report.model_copy(update={"dropped": ()}).model_dump_json()
        looked_for = {said for said in english if said not in of_sources}
        for form in forms(report):
            assert not [each for each in looked_for if re.search(rf"{re.escape(each)}(?!\w)", form)]
    assert len(english) > 100


def test_a_follow_up_too_short_to_tell_is_answered_in_the_language_it_was_read_in() -> None:
    for report in reports("hoch?"):
        read = report.model_copy(update={"read_as": QUESTIONS["de"]})
        whole = report.model_copy(update={"question": QUESTIONS["de"]})
        for form, same in zip(forms(read), forms(whole), strict=True):
            assert ENGLISH_FRAME.headings.look not in form
            assert form.count("Quelle") == same.count("Quelle")


def test_the_reasons_for_a_verdict_are_told_one_by_one() -> None:
    report = next(reports(QUESTIONS["de"]))
    assert (
        "nicht in den angegebenen Quellen: 4, 7; nennt eine andere Reihenfolge als die Quelle, oder"
        " drückt es anders aus; anders formuliert"
    ) in long_markdown(document(report))


def test_a_page_says_which_language_it_is_in() -> None:
    german, english = next(reports(QUESTIONS["de"])), valley()
    assert '<html lang="de">' in html(document(german))
    assert '<html lang="en">' in html(document(english))
    assert '<q dir="auto" lang="en">' in html(document(german)), "the words of a source are English"
    assert '<q dir="auto" lang="en">' not in html(document(english))
