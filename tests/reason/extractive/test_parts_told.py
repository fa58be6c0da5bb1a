"""The direct answer to a question of several parts."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, pool, ticked

from quaere.domain.question import Question
from quaere.domain.report import Direct, DirectKind
from quaere.reason.extractive.answer import write_answer

FERRY: Text = (
    "The Harrow ferry",
    (
        "The Harrow ferry opened in 1991. It crosses the Brill in nine minutes.\n\n"
        "The Harrow ferry was designed by Edda Moor, an engineer from Selm.\n\n"
        "A crossing costs four crowns."
    ),
)
MILL: Text = (
    "The mill at Orrin",
    "The mill at Orrin was built in 1874 by Tamsin Wray. It grinds rye.",
)


def direct(question: str) -> Direct:
    wanted, read = ticked(question, FERRY, MILL).checklist, pool(FERRY, MILL)
    asked = Question(text=question)
    told = write_answer(asked, wanted, read, max_words=200, max_citations=10)[0].direct
    assert told is not None
    return told


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("When did the Harrow ferry open, and who designed it?", "1991; Edda Moor"),
        ("When did the Harrow ferry open?", "1991"),
        (
            "Who designed the Harrow ferry and when was the mill at Orrin built?",
            "Edda Moor; 1874",
        ),
    ],
)
def test_each_part_is_told_in_few_words(question: str, text: str) -> None:
    assert direct(question).text == text


def test_what_proves_a_part_proves_the_direct_answer() -> None:
    told = direct("Who designed the Harrow ferry and when was the mill at Orrin built?")
    assert len(told.evidence) == 2
    assert any("1874" in quote.text for quote in told.quotes)


def test_a_part_that_is_open_is_said_to_be() -> None:
    told = direct("When did the Harrow ferry open, and who owns it?")
    assert told.text.startswith("1991; ")
    assert told.text.endswith(": who owns it")
    assert not told.is_sure


def test_where_a_part_takes_a_sentence_sentences_answer() -> None:
    told = direct("Who built the mill at Orrin, and what does it grind?")
    assert told.kind is DirectKind.SENTENCE
