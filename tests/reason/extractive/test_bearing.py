"""What a question calls by the name of a page."""

from __future__ import annotations

import time

import pytest
from tests.reason.extractive.passages import Text, passage

from quaere.domain.evidence import Evidence, Score
from quaere.reason.extractive.bearing import answers, others_aside
from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.identifiers import IDENTIFIER
from quaere.reason.extractive.pool import Pool
from quaere.reason.extractive.questions.kinds import Kind
from quaere.reason.extractive.ranking import Ranking

HASK: Text = ("hask", "A table of tides can be printed with all of its rows in colour.")
WIRE: Text = ("kelp", "Kelp is a word for how wire is drawn with a table of rolls.")
DRAWN = "How do I draw a table with hask?"


def shelf(*texts: Text, several: bool) -> Pool:
    """Return a pool of second passages of their pages, or of pages of one passage."""
    passages = [passage(title, text, 900 if several else 0) for title, text in texts]
    evidence = [
        Evidence(id=10 + n, passage=p.id, url=p.url, title=p.title, score=Score())
        for n, p in enumerate(passages)
    ]
    return Pool(evidence, {p.id: p for p in passages})


def aside_of(question: str, pool: Pool) -> tuple[bool, ...]:
    return others_aside(question, Goal(question, pool), pool)


def test_what_a_page_of_several_passages_is_called_is_what_is_asked_about() -> None:
    found = Ranking(shelf(WIRE, HASK, several=True), DRAWN)
    assert found.leading[0].rated.chain.end.text == HASK[1]
    assert found.leading[0].share < 0.5, "it is no surer for being the one that is asked about"


@pytest.mark.parametrize(
    ("question", "aside"),
    [
        (DRAWN, (True, False)),
        ("How do I draw a table?", (False, False)),
        ("How do I draw a table with hask or kelp?", (True, True)),
        ("?", (False, False)),
    ],
)
def test_a_page_that_is_not_called_is_set_aside(question: str, aside: tuple[bool, ...]) -> None:
    assert aside_of(question, shelf(WIRE, HASK, several=True)) == aside


def test_another_page_that_speaks_of_it_is_not_set_aside() -> None:
    guide = ("Guide", "With hask a table is drawn by its rows.")
    assert aside_of(DRAWN, shelf(guide, HASK, several=True)) == (False, False)


def test_a_page_of_one_passage_leads_on_to_others() -> None:
    assert aside_of(DRAWN, shelf(WIRE, HASK, several=False)) == (False, False)


def test_what_weighs_little_in_a_question_calls_no_page() -> None:
    table = ("table", "Rows of any table are printed in a table of a table.")
    wire = ("kelp", "Wire is drawn, and a table tells how.")
    assert aside_of("How is wire drawn in a table?", shelf(table, wire, several=True)) == (
        False,
        False,
    )


@pytest.mark.parametrize(
    ("question", "bears"),
    [
        ("Is the Swift cheaper than the Cargo?", True),
        ("Is the Swift faster than the Cargo?", False),
    ],
)
def test_figures_that_decide_an_order_bear_on_it_in_other_words(question: str, bears: bool) -> None:
    said = "The Swift weighs 11 kg and costs €18 a day. The Cargo costs €35 a day."
    bikes = shelf(("Bikes", said), several=False)
    assert answers(question, Kind.YES_NO, Goal(question, bikes), bikes) is bears


def test_names_of_code_are_found_whole_and_in_no_time() -> None:
    named = [found[0] for found in IDENTIFIER.finditer("set max_runs, --no-color, a__b, _c and d_")]
    assert named == ["max_runs", "--no-color", "a__b"]
    began = time.process_time()
    assert not IDENTIFIER.findall("Za_" * 7_000)
    assert time.process_time() - began < 0.2


def test_the_name_of_a_file_tells_what_it_is_about_besides_what_it_is() -> None:
    texts = ("hask", "kelp")
    found = [
        passage("Notes", f"A table of {name} is drawn.", 900).model_copy(
            update={"url": f"file:///shelf/{name}-README.md", "id": name}
        )
        for name in texts
    ]
    evidence = [
        Evidence(id=10 + n, passage=p.id, url=p.url, title=p.title, score=Score())
        for n, p in enumerate(found)
    ]
    read = Pool(evidence, {p.id: p for p in found})
    assert aside_of("How is a table drawn with hask?", read) == (False, True)
    assert aside_of("Can kelp draw a table in any colour?", read) == (True, False)
