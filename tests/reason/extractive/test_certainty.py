"""How likely a line that leads is to answer."""

from __future__ import annotations

from tests.reason.extractive.passages import Text, pool

from quaere.reason.extractive.certainty import likely, signs_of
from quaere.reason.extractive.ranking import Ranking

BELL: Text = ("Notes", "The bell was cast by Ada Novak.")
GATE: Text = ("Letter", "The gate was bought in spring.")


def test_the_more_a_line_covers_by_itself_the_likelier_it_answers() -> None:
    all_said, less_said = (
        Ranking(pool(BELL, GATE), question)
        for question in ("Who cast the bell?", "Who cast the bell with silver?")
    )
    assert signs_of(all_said).by_itself > signs_of(less_said).by_itself
    assert likely(all_said) > likely(less_said)


def test_a_line_with_rivals_is_less_likely_to_answer() -> None:
    alone, beside = (
        Ranking(pool(*texts), "Who cast the bell?")
        for texts in ((BELL, GATE), (BELL, ("Letter", "The bell was cast again by Bo Lind.")))
    )
    assert signs_of(alone).share > signs_of(beside).share
    assert likely(alone) > likely(beside)
