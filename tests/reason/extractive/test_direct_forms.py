"""What answers by its form (a table, a heading, a list, a command), and how sure that is."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, pool

from quaere.domain.report import DirectKind
from quaere.reason.extractive.decision import AGREED, Decision
from quaere.reason.extractive.direct import BY_QUALITY, CERTAIN, UNDECIDED, decide
from quaere.reason.extractive.lacking import NAMED_IN_FULL
from quaere.reason.extractive.look_ups import IN_TABLE, looked_up
from quaere.reason.extractive.ranking import Ranking


def decided(question: str, *texts: Text) -> Decision:
    read = pool(*texts)
    return decide(question, read, Ranking(read, question))


SETTINGS: Text = ("Settings", "| Setting | Default |\n|---|---|\n| max_lamps | 9 |")
FAQ: Text = (
    "FAQ",
    (
        "## How many lamps does Hask have?\n\nHask has nine.\n\n## Does Hask have a mill?\n\n"
        "No, there is none.\n\n## Does Hask have a pier?\n\nYes, a long one.\n\n## Who?\n\nBo."
    ),
)
TOOLS: Text = ("Hask", "The tools needed to build Hask are:\n\n- a saw\n- a plane\n\nOther.")
INSTALL = "To install hask, run:\n\n    apt install hask\n\nThen go."
SIDES: Text = (
    "x",
    "All.\n\n| | lens | mirror |\n|---|---|---|\n| light | bends | throws |\n| price | 3 | 9 |",
)


@pytest.mark.parametrize(
    ("question", "texts", "kind", "text", "lines"),
    [
        ("What is the default of max_lamps?", [SETTINGS], DirectKind.NUMBER, "9", 1),
        ("How many lamps does Hask have?", [FAQ], DirectKind.SENTENCE, "Hask has nine.", 1),
        ("Does Hask have a mill?", [FAQ], DirectKind.YES_NO, "No", 1),
        ("Does Hask have a pier?", [FAQ], DirectKind.YES_NO, "Yes", 1),
        ("Which tools are needed to build Hask?", [TOOLS], DirectKind.SENTENCE, "a saw", 2),
        (
            "How do I install hask?",
            [("Hask", INSTALL)],
            DirectKind.SENTENCE,
            "To install hask, run:",
            2,
        ),
    ],
)
def test_what_answers_by_its_form_is_whole(
    question: str, texts: list[Text], kind: DirectKind, text: str, lines: int
) -> None:
    decision = decided(question, *texts)
    assert (decision.kind, decision.text, len(decision.lines)) == (kind, text, lines)
    assert decision.whole
    assert not decision.both_sides
    assert decision.confidence == (IN_TABLE if texts == [SETTINGS] else AGREED)


def test_commands_in_a_file_of_changes_are_not_looked_up() -> None:
    assert not decided("How do I install hask?", ("NEWS", INSTALL)).whole
    assert decided("How do I install hask?", ("Hask", INSTALL)).whole


def test_two_sides_in_a_table_are_shown_as_one() -> None:
    decision = decided("What is the difference between a lens and a mirror?", SIDES)
    assert (len(decision.lines), decision.whole, decision.both_sides) == (2, True, True)
    assert decision.table is not None
    assert decision.confidence == AGREED
    assert decision.text == decision.lines[0].text


@pytest.mark.parametrize(
    ("question", "text", "confidence"),
    [
        ("Is Hask lit?", "Hask is lit at night.", UNDECIDED),
        ("Is the harbour of Hask lit at night?", "The harbour of Hask is lit at night.", AGREED),
    ],
)
def test_a_short_question_is_no_sure_yes(question: str, text: str, confidence: float) -> None:
    decision = decided(question, ("Hask", text))
    assert (decision.kind, decision.text) == (DirectKind.YES_NO, "Yes")
    assert decision.confidence == confidence


def test_two_dates_make_a_surer_choice_than_a_quality() -> None:
    films = (("Auk", "Auk is a film of 1934."), ("Eider", "Eider is a wooden boat of 1929."))
    by_date = decided("Which came out first, Auk or Eider?", *films)
    assert (by_date.kind, by_date.text) == (DirectKind.CHOICE, "Eider")
    assert (by_date.confidence, by_date.both_sides) == (CERTAIN, True)
    fitting = decided("Which is a wooden boat, Auk or Eider?", *films)
    assert (fitting.text, fitting.confidence) == ("Eider", BY_QUALITY)
    assert (fitting.both_sides, len(fitting.lines)) == (False, 1)


def test_a_side_is_named_with_a_capital() -> None:
    rivers = (("Sorrel", "The Sorrel is 12 km long."), ("Esk", "The Esk is 9 km long."))
    assert decided("Which is longer, the Sorrel or the Esk?", *rivers).text == "The Sorrel"


def test_sides_that_nothing_decides_are_told_and_unsure() -> None:
    rivers = (("Sorrel", "The Sorrel is 12 km long."), ("Esk", "The Esk is quite long."))
    decision = decided("Which is longer, the Sorrel or the Esk?", *rivers)
    assert (decision.kind, len(decision.lines)) == (DirectKind.SENTENCE, 2)
    assert 0 < decision.confidence <= UNDECIDED
    assert not decision.whole


def test_the_likelier_a_line_leads_the_surer_it_is() -> None:
    sure = decided("Where is the mill of Hask?", ("Hask", "The mill of Hask is on the Esk."))
    rivals = [(f"Hask {n}", f"The mill number {n} was seen by all of Hask.") for n in range(9)]
    unsure = decided("Where is the mill of Hask?", *rivals)
    assert 0 < unsure.confidence < sure.confidence < 1


def test_a_cell_is_less_certain_where_its_row_and_head_say_less_of_what_is_asked() -> None:
    ferries = pool(("Ferries", "| ferry | fare |\n|---|---|\n| Tern | £4 |\n| Gull | £7 |\n"))
    whole = looked_up("What is the fare of the Tern?", ferries)
    less = looked_up("What fare does the ferry Tern charge?", ferries)
    assert whole is not None
    assert less is not None
    assert whole.text == less.text == "£4"
    assert whole.confidence == IN_TABLE
    assert less.confidence == IN_TABLE * NAMED_IN_FULL
