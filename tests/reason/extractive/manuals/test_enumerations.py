"""The sentence that names all there is of a sort."""

from __future__ import annotations

import time

import pytest
from tests.reason.extractive.passages import Text, answer, passage, pool

from quaere.domain.evidence import Evidence, Score
from quaere.reason.extractive.manuals.enumerations import find_enumeration, names_all
from quaere.reason.extractive.pool import Pool
from quaere.text.tokens import stem

GULLY: Text = (
    "gully",
    (
        "OPTIONS\n"
        "       --mode name\n"
        "           Set the draining mode. The supported modes are tide, ebb and slack. The\n"
        "           modes are set by hand in the yard, and this is slow in a winter like ours.\n\n"
        "       --paint name\n"
        "           Colours that are not supported include teal, rust and bone.\n\n"
        "       The rigs include sloop. The berths are in the yard.\n"
    ),
)


MODES = "The supported modes are tide, ebb and slack."
COLOURS = "Colours that are not supported include teal, rust and bone."


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which draining modes does gully support?", MODES),
        ("What draining modes are there in gully?", MODES),
        ("Which colours are not supported by gully?", COLOURS),
        ("Which colours are supported by gully?", None),
        ("Which rigs does gully include?", None),
        ("Which berths does gully have in the yard?", None),
        ("Which draining modes does the harbour master of Tarnholm support?", None),
    ],
    ids=["supported", "there are", "denied", "it denies", "one alone", "none named", "elsewhere"],
)
def test_things_of_a_sort_are_named_in_one_sentence(question: str, text: str | None) -> None:
    found = find_enumeration(question, pool(GULLY))
    assert (found.text if found else None) == text


def test_which_one_something_has_asks_for_no_enumeration() -> None:
    said = ("Gully", "You may ask too often: the watch, the pier or the yard. Gully has berth 4.")
    assert find_enumeration("Which berth does Gully use?", pool(said)) is None


def test_the_sentence_answers_by_itself() -> None:
    (said,) = answer("Which draining modes does gully support?", GULLY)
    assert said.text == "The supported modes are tide, ebb and slack."
    assert said.direct is not None
    assert said.direct.confidence >= 0.6


HASH: Text = (
    "gull",
    (
        "OPTIONS\n"
        "       -E plumage\n"
        "           Tells the plumage in which gulls are drawn. Valid options are:\n"
        "           \u201cgrey\u201d and \u201cwhite\u201d. The default is \u201cgrey\u201d.\n\n"
        "       --flight kind\n"
        '           The flight in which gulls leave. One of "low", "high" and "level".\n\n'
        "       Gulls are one of many, and much liked.\n"
    ),
)


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("Which plumages can gulls be drawn in?", "Valid options are"),
        ("Which kinds of flight can gulls leave in?", "One of"),
    ],
)
def test_what_may_be_given_for_an_option_is_what_the_label_calls_it(
    question: str, begins: str
) -> None:
    found = find_enumeration(question, pool(HASH))
    assert found is not None
    assert found.text.startswith(begins)


RESTART: Text = (
    "sluiced.service",
    (
        "OPTIONS\n"
        "       Reopen=\n"
        "           Tells whether the gate of the service is opened again. Takes one of no,\n"
        "           on-flood, or always. Opened gates ring.\n\n       End of the page is here.\n"
    ),
)


def test_the_values_of_a_setting_may_begin_with_no() -> None:
    found = find_enumeration("What are the possible values of Reopen= in a service?", pool(RESTART))
    assert found is not None
    assert found.text == "Takes one of no, on-flood, or always."


HELP: Text = (
    "gully",
    (
        "Options:\n"
        "      --report <FORM>\n"
        "          In what form the report is written\n\n"
        "          [possible values: chart, log, letter]\n"
    ),
)


@pytest.mark.parametrize(
    "question",
    [
        "Which forms of report are there in gully?",
        "List all forms of the report of gully",
        "Name the forms of a gully report",
    ],
)
def test_values_in_brackets_are_named_under_their_option(question: str) -> None:
    found = find_enumeration(question, pool(HELP))
    assert found is not None
    assert found.text.startswith("[possible values: chart")


def test_values_are_named_after_what_is_chosen() -> None:
    told = ("gully", "Options:\n  --rig=NAME   choose the rig, one of sloop, yawl and ketch\n")
    found = find_enumeration("List all values of the rig in gully", pool(told))
    assert found is not None
    assert found.text.startswith("choose the rig")


def test_the_name_of_the_file_says_of_what_the_values_are() -> None:
    page = passage("gully-dig", HELP[1]).model_copy(update={"title": "Gully"})
    evidence = [Evidence(id=1, passage=page.id, url=page.url, title=page.title, score=Score())]
    question = "List all forms of the report of gully dig"
    assert find_enumeration(question, Pool(evidence, {page.id: page})) is not None
    assert find_enumeration(question, pool(HELP)) is None


@pytest.mark.parametrize(
    ("told", "named"),
    [
        (
            "Hask has two arms: Tern U.S., Tern Sea and Orrin Yards.",
            "Tern U.S., Tern Sea and Orrin",
        ),
        ("The arms of Hask are: North; Lakes & Rivers; and South (old).", "North; Lakes & Rivers;"),
        ("The arms are regularly reviewed by Hask and are shown below.", None),
    ],
)
def test_names_may_have_full_stops_or_be_parted_by_semicolons(told: str, named: str | None) -> None:
    found = names_all(told, frozenset({stem("arms")}))
    assert (found is not None) is (named is not None)
    if found is not None and named is not None:
        assert found["named"].startswith(named)


def test_things_are_asked_for_by_their_owner() -> None:
    hask: Text = ("Hask", "Hask has three arms: ferries, cargo and yards.")
    assert find_enumeration("What are Hask's arms?", pool(hask)) is not None


@pytest.mark.parametrize("repeated", ["modes are a ", "is one of ", "a include a. ", "are "])
def test_hostile_sentences_take_no_time(repeated: str) -> None:
    hostile = repeated * (50_000 // len(repeated))
    began = time.process_time()
    assert names_all(hostile, frozenset({stem("modes")})) is None
    assert names_all(f"modes:{' ' * 50_000}", frozenset({stem("modes")})) is None
    assert time.process_time() - began < 0.5


@pytest.mark.parametrize(
    ("said", "is_found"),
    [
        ("Gully reads charts in the formats Tide, Ebb and Slack.", True),
        ("Gully reads a chart in one of the formats (tide, ebb or slack).", True),
        ("Gully reads charts in the formats that come, go and stay.", False),
        ("The formats Tide and Ebb are read.", False),
        ("Gully reads charts of format A and Tide and Ebb sails.", False),
    ],
    ids=["behind the word", "in brackets", "a clause", "two", "one of them"],
)
def test_names_may_stand_behind_the_word_for_them(said: str, *, is_found: bool) -> None:
    found = find_enumeration("Which chart formats does gully read?", pool(("gully", said)))
    assert (found is not None) is is_found


def test_figures_behind_a_verb_are_no_names() -> None:
    said = ("Boats", "The Gannet costs 8,400 and the Tern 5,250.")
    assert find_enumeration("Which costs more, the Tern or the Gannet?", pool(said)) is None
