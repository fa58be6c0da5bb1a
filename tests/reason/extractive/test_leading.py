"""Which line leads an answer, by signs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reason.extractive.passages import answer, pool

from quaere.reason.extractive.leading import (
    ASKED,
    FITS,
    SENTENCE,
    UNASKED,
    WEIGHTS,
    Signs,
    belief,
    shares,
    tells,
)
from quaere.reason.extractive.ranking import Ranking

NONE = Signs(**dict.fromkeys(Signs._fields, 0.0))
SHARE = st.floats(0, 1)
SIGNS = st.builds(Signs, **dict.fromkeys(Signs._fields, SHARE))


@pytest.mark.parametrize(
    ("first", "asked", "anew", "says"),
    [
        (0.0, ASKED, FITS, True),
        (UNASKED - 0.01, 1.0, 1.0, True),
        (UNASKED, 1.0, 1.0, False),
        (0.0, ASKED - 0.01, 1.0, False),
        (0.0, 1.0, FITS - 0.01, False),
    ],
)
def test_a_line_that_says_what_is_asked_is_preferred_to_one_that_does_not(
    first: float, asked: float, anew: float, *, says: bool
) -> None:
    line = NONE._replace(asked=asked, anew=anew)
    assert tells(line, NONE._replace(asked=first)) is says


@given(SIGNS)
def test_no_line_tells_more_than_itself(signs: Signs) -> None:
    assert not tells(signs, signs)


@given(SIGNS, st.sampled_from(Signs._fields), SHARE, st.sampled_from([WEIGHTS, SENTENCE]))
def test_each_sign_counts_by_its_weight(
    signs: Signs, name: str, value: float, weights: Signs
) -> None:
    changed = signs._replace(**{name: value})
    by = getattr(weights, name) * (value - getattr(signs, name))
    assert belief(changed, weights) - belief(signs, weights) == pytest.approx(by, abs=1e-9)


@given(st.lists(st.floats(-20, 20), min_size=1, max_size=9))
def test_shares_of_belief_make_a_whole_and_keep_their_order(beliefs: list[float]) -> None:
    found = shares(beliefs)
    assert sum(found) == pytest.approx(1.0)
    assert sorted(found) == [share for _, share in sorted(zip(beliefs, found, strict=True))]


def test_a_line_without_a_figure_does_not_lead_outright_where_one_is_asked_for() -> None:
    texts = (
        ("Halls", "The secret signs sessions that last."),
        ("Doors", "Visitors are signed in at the door. A session lasts twelve hours."),
    )
    first = answer("How long does a signed session last?", *texts)[0]
    assert first.text == "A session lasts twelve hours."


def test_a_line_that_gives_a_reason_leads_where_one_is_asked_for() -> None:
    texts = (
        ("Tolls", "The harbour toll fell in 1911 by a half, and rose in 1912."),
        ("Dues", "The harbour toll fell in 1911 due to the new bridge."),
    )
    first = answer("Why did the harbour toll fall in 1911?", *texts)[0]
    assert first.text == "The harbour toll fell in 1911 due to the new bridge."


def test_a_line_that_tells_the_means_leads_where_it_is_asked_how() -> None:
    texts = (
        ("Tanks", "Tanks that are emptied at night are full of rain in the morning."),
        ("Siphon", "It is old. You can use the siphon to try to empty a tank."),
    )
    first = answer("How do I empty a tank of rain?", *texts)[0]
    assert first.text == "You can use the siphon to try to empty a tank."


def test_when_it_was_so_once_is_not_since_when_it_is_so() -> None:
    texts = (
        ("Report", "The firm Hask audited the harbour on 31 May 1919."),
        ("Letter", "Hask has audited the harbour since 1874."),
    )
    first = answer("Since when has Hask audited the harbour?", *texts)[0]
    assert first.text == "Hask has audited the harbour since 1874."
    alone = answer("Since when has Hask audited the harbour?", texts[0])[0]
    assert alone.direct is not None
    assert alone.direct.confidence < 0.6


def test_what_has_nothing_that_the_question_names_is_not_certain() -> None:
    texts = (
        ("Rules", "The new harbour rules went public in May 1918."),
        ("Hask", "Hask is a firm that grinds lenses."),
    )
    first = answer("When did Hask go public?", *texts)[0]
    assert first.direct is not None
    assert first.direct.confidence < 0.6


def test_an_instruction_leads_that_names_what_it_is_for_in_other_words() -> None:
    guide = (
        "The lamp of the buoy is green when the buoy is ready. It blinks while a chart is loaded."
        " To restore the winter settings, press the knob for ten seconds."
    )
    lead = answer("How do I reset the buoy to winter settings?", ("Buoy", guide))[0].text
    assert lead.startswith("To restore the winter settings")


@pytest.mark.parametrize(
    ("question", "text", "lead"),
    [
        (
            "How many steps lead up to the Hask light?",
            "Steps lead up to the Hask light from the quay. There are 212 of them. Mind your head.",
            "There are 212 of them.",
        ),
        (
            "When was the observatory of Hask closed?",
            "The observatory of Hask was closed, which many regretted. That was in 1931.",
            "That was in 1931.",
        ),
        (
            "How long is the pier of Hask?",
            "The pier of Hask is long and narrow, and open all year. It measures 240 metres.",
            "It measures 240 metres.",
        ),
    ],
)
def test_within_a_passage_the_sentence_leads_that_answers_what_the_one_before_it_names(
    question: str, text: str, lead: str
) -> None:
    first = Ranking(pool(("Hask", text)), question).leading[0]
    assert first.rated.chain.end.text == lead


def test_a_better_sentence_of_another_passage_does_not_take_the_lead() -> None:
    texts = (
        ("Hask", "Steps lead up to the Hask light. The door is locked at night."),
        ("Brell", "Brell has a mill. There are 212 of them in all."),
    )
    first = Ranking(pool(*texts), "How many steps lead up to the Hask light?").leading[0]
    assert first.rated.chain.end.text == "Steps lead up to the Hask light."


def test_a_line_that_puts_the_question_does_not_answer_it() -> None:
    asked = "Why does the lock of Hask stay shut at night?"
    texts = (
        ("Examples", f'Type ask("{asked}") and wait. It prints what it finds.'),
        ("Lock", "The lock of Hask stays shut at night, because the keeper sleeps."),
    )
    said = answer(asked, *texts)
    assert [each.text for each in said] == [
        "The lock of Hask stays shut at night, because the keeper sleeps."
    ]
