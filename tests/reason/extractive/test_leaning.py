"""Which way reports of findings lean, and when nothing is said of it."""

from __future__ import annotations

import pytest
from tests.reason.extractive.passages import Text, pool

from quaere.domain.report import SURE, DirectKind
from quaere.reason.extractive.decision import Decision
from quaere.reason.extractive.denials import poses
from quaere.reason.extractive.direct import decide
from quaere.reason.extractive.leaning import Leaning, lean
from quaere.reason.extractive.questions.kinds import Kind, expected_kind
from quaere.reason.extractive.ranking import Ranking
from quaere.reason.extractive.yes_no import decide_yes_no
from quaere.text.languages.language import language_of, speaking

QUESTION = "Does willow tea shorten a winter cough?"
DYES = "Does oak bark dye wool?"
AIM = "To determine whether willow tea shortens a winter cough."
DONE = "We assessed 214 patients with a winter cough, 107 of them with willow tea."
WORKS: Text = (
    "",
    (
        f"{AIM} {DONE} The cough was significantly shorter with willow tea (P < 0.01). Willow tea"
        " was associated with a significantly lower risk of fever (P = 0.02)."
    ),
)
IDLE: Text = (
    "",
    (
        f"{AIM} {DONE} The cough did not differ with willow tea and without (P = 0.61). No effect"
        " of willow tea on fever or on sleep was observed."
    ),
)
MIXED: Text = (
    "",
    (
        f"{AIM} {DONE} With willow tea the cough was significantly shorter (P < 0.01). Willow tea"
        " had no effect on fever, and a winter fever was not shorter."
    ),
)
LEAFLET: Text = ("", "Willow tea is sold for a winter cough. It does not taste of willow.")
TALE: Text = (
    "",
    (
        "Willow tea was drunk for a winter cough long ago. A study of letters says that its effect"
        " is significantly better by a fire."
        f"{' People cut the bark in spring, tied it in bundles and hung it under the roof.' * 10}"
    ),
)


def leaning(*texts: Text, question: str = QUESTION) -> Leaning:
    found = lean(question, pool(*texts))
    assert found is not None
    return found


def decision(question: str, *texts: Text) -> Decision:
    evidence = pool(*texts)
    return decide(question, evidence, Ranking(evidence, question, {}))


def test_what_differed_significantly_leans_to_a_yes_that_counts_as_answered() -> None:
    found = decision(QUESTION, WORKS)
    assert (found.kind, found.text) == (DirectKind.YES_NO, "Yes, probably")
    assert found.confidence >= SURE
    assert "significantly shorter" in found.lines[0].text


def test_lines_about_something_else_hardly_weigh() -> None:
    seen = ("hail on the roof", "fog on the moor", "frost on the pond", "rain on the hill")
    beside = "".join(f" No {each} was observed." for each in seen)
    assert decision(QUESTION, ("", f"{WORKS[1]}{beside}")).confidence >= SURE


def test_what_did_not_differ_leans_to_a_no_with_the_lines_that_deny() -> None:
    found = leaning(IDLE)
    assert (found.says, found.text) == (False, "No, probably not")
    assert [line.text.split()[0] for line in found.lines] == ["The", "No"]


def test_findings_that_go_both_ways_lean_neither_way() -> None:
    assert lean(QUESTION, pool(MIXED)) is None


def test_a_question_whether_something_is_needed_leans_less_to_a_yes() -> None:
    needed = leaning(WORKS, question="Is willow tea always needed for a winter cough?")
    assert needed.belief < leaning(WORKS).belief


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (QUESTION, LEAFLET),
        (QUESTION, TALE),
        ("Does basil soup cure gout?", WORKS),
        ("Does willow tea leave a winter cough the same?", WORKS),
        (QUESTION, ("", "")),
        ("Does?", WORKS),
        (QUESTION, ("", "Cough. " * 3 + "x" * 5_000)),
    ],
)
def test_what_is_no_report_or_is_about_something_else_leans_to_nothing(
    question: str, text: Text
) -> None:
    assert lean(question, pool(text)) is None


def test_other_languages_lean_to_nothing() -> None:
    with speaking(language_of("Hilft Weidentee gegen den Husten im Winter?")):
        assert lean(QUESTION, pool(WORKS)) is None


@pytest.mark.parametrize(
    "said",
    [
        AIM,
        "The aim of this study was to assess the effect of oak bark.",
        "This paper evaluates oak bark as a dye.",
        "Little is known about oak bark as a dye.",
        "It is unclear whether oak bark dyes wool.",
        "AIM: To test the hypothesis that oak bark dyes wool.",
    ],
)
def test_a_sentence_that_sets_out_to_learn_something_says_neither_yes_nor_no(said: str) -> None:
    assert poses(said, DYES)
    assert decide_yes_no(DYES, pool(("", said))) is None
    assert not poses(said, "Did anybody assess whether oak bark dyes wool?")


@pytest.mark.parametrize(
    "said",
    [
        "To assess the tide, look at the gauge.",
        "The pump works whether or not the lid is shut.",
        "We compared oak and elm and found that oak dyes wool.",
        "The aim of the fund is to support sailors.",
        "",
    ],
)
def test_a_sentence_that_tells_something_is_not_taken_for_a_question(said: str) -> None:
    assert not poses(said, DYES)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Double glazing in old houses: is it worth the money?", Kind.YES_NO),
        ("Moss on a roof: a danger?", Kind.YES_NO),
        ("Slates -- do they last?", Kind.YES_NO),
        ("Annual permit: price?", Kind.STATEMENT),
        ("Moss on a roof: how is it removed?", Kind.MANNER),
    ],
)
def test_what_is_asked_after_a_heading_decides_the_kind(question: str, kind: Kind) -> None:
    assert expected_kind(question) is kind


def test_a_leaning_does_not_outweigh_a_sentence_that_says_the_opposite() -> None:
    survey = (
        "Results of the study of visitors: the survey showed 12% more visitors and a risk of"
        " queues. The shop is closed on Monday."
    )
    found = decision("Is the shop open on Monday?", ("Shop", survey))
    assert found.text == "No"
    assert found.confidence < SURE
