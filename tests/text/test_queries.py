"""Questions and queries as people and models type them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.question import Query, Question, SourceKind, Turn
from quaere.text.queries import (
    MAX_NAMES,
    as_understood,
    has_pubmed_tags,
    leans,
    left_unsaid,
    names_site,
    with_apostrophes,
    without_pubmed_tags,
    without_sites,
)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("whats the default of gully?", "what's the default of gully?"),
        (
            "Wheres the tide gate, and why cant it open?",
            "Where's the tide gate, and why can't it open?",
        ),
        ("dont gulls wont DOESNT", "don't gulls won't DOESN'T"),
        ("its hulls were wed; ill winds", "its hulls were wed; ill winds"),
        ("what's left, whats_left, whats-new", "what's left, whats_left, whats-new"),
    ],
)
def test_apostrophes_are_put_back_where_no_other_word_is_meant(typed: str, meant: str) -> None:
    assert with_apostrophes(typed) == meant


FOUNDER = Turn(
    question="Who founded the Quill Observatory?",
    answer="It was founded in 1902 by Odile Varga. Anselm Pryce had no part in it.",
)


@pytest.mark.parametrize(
    ("text", "unsaid"),
    [
        ("And when was she born?", "Odile Varga"),
        ("What else did she found?", "Odile Varga"),
        ("Und wann wurde sie geboren?", "Odile Varga"),
        ("What about Hask?", "Quill Observatory, Odile Varga"),
        ("Where did Varga live then?", ""),
        ("What is the tallest mountain, and how high is it?", ""),
        ("So when was Odile Varga born?", ""),
        ("And when did the mill at Orrin close?", ""),
        ("Und wann wurde die alte Mühle in Orrin geschlossen?", ""),
        ("What about the second bridge of Hask?", "Quill Observatory, Odile Varga"),
        ("And what about the second bridge of Hask?", "Quill Observatory, Odile Varga"),
        ("And the second bridge of Hask?", "Quill Observatory, Odile Varga"),
        ("And in Orrin?", "Quill Observatory, Odile Varga"),
        ("And when did Hask leave?", "Quill Observatory, Odile Varga"),
        ("But who designed the second bridge?", "Quill Observatory, Odile Varga"),
        ("And where did she meet Anselm Pryce?", "Odile Varga"),
        ("And how high is it?", "Quill Observatory, Odile Varga"),
        ("Why?", "Quill Observatory, Odile Varga"),
        ("How many arches has the bridge of Tressel Ford?", ""),
        ("When was Odile Varga born?", ""),
    ],
)
def test_a_follow_up_is_about_what_was_named_before(text: str, unsaid: str) -> None:
    assert left_unsaid(text, [FOUNDER]) == unsaid


def test_the_last_turn_counts() -> None:
    later = Turn(question="How high is Mount Sorrel?", answer="1,904 metres [1].")
    assert left_unsaid("Can it be climbed by rail?", [FOUNDER, later]) == "Mount Sorrel"


@pytest.mark.parametrize(
    ("asked", "unsaid"),
    [
        ("Who runs Station 12345?", "Station 12345"),
        ("Who runs Station 12345b?", "Station"),
        ("Who runs Station 12?", "Station 12"),
    ],
)
def test_the_number_of_what_was_named_is_part_of_its_name(asked: str, unsaid: str) -> None:
    turn = Turn(question=asked, answer="")
    assert left_unsaid("And when was it opened?", [turn]) == unsaid


def test_without_a_name_the_words_of_the_question_help() -> None:
    turn = Turn(question="what do lantern moths eat?", answer="salt lichen.")
    assert left_unsaid("and where do they live?", [turn]) == "lantern moths eat"


def test_after_a_turn_that_says_nothing_itself_the_one_before_counts() -> None:
    """Such as "and when?", after which "why?" is still about the moths."""
    moths = Turn(question="what do lantern moths eat?", answer="salt lichen.")
    bare = Turn(question="and when?", answer="at night.")
    assert left_unsaid("why?", [moths, bare, bare]) == "lantern moths eat"
    assert left_unsaid("why?", [moths, FOUNDER]) == left_unsaid("why?", [FOUNDER])


@pytest.mark.parametrize(("before", "is_read"), [(1_995, True), (1_996, False)])
def test_only_the_first_two_thousand_characters_of_what_was_said_are_read(
    before: int, *, is_read: bool
) -> None:
    said = f"{('la ' * 665).rjust(before, 'l')}Orrin"
    for turn in (Turn(question=said, answer="Yes."), Turn(question="why?", answer=said)):
        assert (left_unsaid("And how high is it?", [turn]) == "Orrin") is is_read


def test_without_a_conversation_nothing_is_left_unsaid() -> None:
    assert left_unsaid("And when was she born?", []) == ""


@given(st.text(max_size=80), st.text(max_size=300), st.text(max_size=300))
def test_whatever_was_said_it_stays_short(text: str, question: str, answer: str) -> None:
    unsaid = left_unsaid(text, [Turn(question=question, answer=answer)])
    assert unsaid.count(", ") < MAX_NAMES or "," in f"{question}{answer}"
    assert not unsaid or leans(text)


def test_a_question_is_searched_for_with_what_it_leaves_unsaid() -> None:
    assert Question(text="When was she born?", about="Odile Varga").full_text == (
        "Odile Varga: When was she born?"
    )
    assert Question(text="Who?").full_text == "Who?"
    assert Question(text="It?", meant="Is it high?", about="Hask").full_text == "Is it high?"


def test_a_bare_question_word_of_another_language_is_about_the_words_of_the_last_question() -> None:
    """Its capital makes no name of it, nor of a German noun."""
    turn = Turn(question="Sind Hunde im Hof erlaubt?", answer="Nein [1].")
    assert left_unsaid("Warum?", [turn]) == "hunde hof erlaubt"


@pytest.mark.parametrize(
    ("text", "tagged"),
    [
        ("asthma[tiab]", True),
        ("asthma [Title/Abstract] AND budesonide[MH]", True),
        ('"night cough"[tiab:~2]', True),
        ("2021[dp]", True),
        ("asthma", False),
        ("rows[1]", False),
        ("asthma[sic]", False),
        ("asthma (tiab)", False),
    ],
)
def test_a_tag_of_pubmed_tells_its_syntax(text: str, tagged: bool) -> None:
    assert has_pubmed_tags(text) is tagged


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("inhalers site:fda.gov", True),
        ("SITE:example.org moths", True),
        ("moths -site:example.org", True),
        ("the website:example.org", False),
        ("site: fda.gov", False),
        ("a camp site", False),
    ],
)
def test_a_site_is_named_by_its_host(text: str, named: bool) -> None:
    assert names_site(text) is named


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("asthma[tiab] AND (budesonide[mh] OR steroids[tiab])", "asthma budesonide steroids"),
        ("asthma[tiab] NOT children[mh]", "asthma"),
        ('asthma[tiab] NOT "young children"[mh] AND 2021[dp]', "asthma 2021"),
        ("research AND development", "research AND development"),
        ("(Not) Waving", "(Not) Waving"),
    ],
)
def test_the_web_takes_the_words_without_tags_and_what_is_excluded(text: str, bare: str) -> None:
    assert without_pubmed_tags(text) == bare


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("inhalers site:fda.gov recall", "inhalers recall"),
        ("moths -site:example.org", "moths"),
        ("site:a.example site:b.example", ""),
        ("moths  of\tHask", "moths of Hask"),
    ],
)
def test_pubmed_takes_the_words_without_sites(text: str, bare: str) -> None:
    assert without_sites(text) == bare


BOTH = Query(text="asthma[tiab] site:fda.gov", titles=("Asthma",))


@pytest.mark.parametrize(
    ("kinds", "text"),
    [
        ({SourceKind.PUBMED}, "asthma[tiab]"),
        ({SourceKind.PUBMED, SourceKind.SCHOLARLY}, "asthma[tiab]"),
        ({SourceKind.WEB}, "asthma site:fda.gov"),
        (set[SourceKind](), "asthma site:fda.gov"),
    ],
)
def test_each_service_is_asked_in_its_own_syntax(kinds: set[SourceKind], text: str) -> None:
    asked = as_understood(BOTH, kinds)
    assert asked == BOTH.model_copy(update={"text": text})


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("site:fda.gov", {SourceKind.PUBMED}),
        ("NOT children[mh]", {SourceKind.WEB}),
        ("plain words", {SourceKind.WEB}),
        ("plain words", {SourceKind.PUBMED}),
    ],
)
def test_a_query_stays_where_nothing_would_change_or_be_left(
    text: str, kinds: set[SourceKind]
) -> None:
    query = Query(text=text)
    assert as_understood(query, kinds) is query
