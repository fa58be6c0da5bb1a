"""A date is good or bad only against what a question needs (R3.5)."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.graphs.world import passage_of

from quaere.domain.evidence import NEUTRAL
from quaere.evidence.recency import Need, last_read_day, need, recency
from quaere.evidence.weights import CURRENT_DAYS, FRESH_DAYS, TOO_EARLY

TODAY = date(2026, 6, 15)
NEEDS = st.builds(
    Need, st.sampled_from([None, FRESH_DAYS, CURRENT_DAYS]), st.none() | st.integers(1900, 2030)
)
DAYS = st.dates(date(1900, 1, 1), TODAY)


@pytest.mark.parametrize(
    ("question", "needed"),
    [
        ("What is the latest version of Quill?", Need(FRESH_DAYS)),
        ("Which mills are currently open?", Need(FRESH_DAYS)),
        ("What happened in Hask in 2026?", Need(FRESH_DAYS, 2026)),
        ("What happened in Hask in 2019?", Need(None, 2019)),
        ("What changed between 2017 and 2019?", Need(None, 2019)),
        ("Who is the mayor of Hask?", Need(CURRENT_DAYS)),
        ("How many inhabitants has Hask?", Need(CURRENT_DAYS)),
        ("Who founded the Quill Observatory?", Need()),
        ("How did people dress in the 1920s?", Need()),
        ("", Need()),
    ],
)
def test_what_a_question_needs(question: str, needed: Need) -> None:
    assert need(question, TODAY) == needed


def test_where_the_latest_is_asked_for_age_counts() -> None:
    fresh = Need(FRESH_DAYS)
    assert recency("2026-06-15", fresh, TODAY) == 1.0
    assert recency("2025-06-15", fresh, TODAY) == pytest.approx(NEUTRAL)
    assert recency("2019-06-15", fresh, TODAY) < 0.01


def test_what_changes_with_the_years_ages_five_times_as_slowly_as_the_latest() -> None:
    current = Need(CURRENT_DAYS)
    assert recency("2026-06-15", current, TODAY) == 1.0
    assert recency("2021-06-16", current, TODAY) == pytest.approx(NEUTRAL, abs=0.001)
    assert NEUTRAL < recency("2025-06-15", current, TODAY) < 1.0


def test_where_nothing_changes_age_does_not_count() -> None:
    assert recency("1956-01-01", Need(), TODAY) == recency("2026-01-01", Need(), TODAY) == NEUTRAL


def test_a_source_older_than_what_is_asked_about_cannot_tell_of_it() -> None:
    asked = Need(None, 2019)
    assert recency("2018-12-31", asked, TODAY) == TOO_EARLY
    assert recency("2019", asked, TODAY) == recency("2024-05", asked, TODAY) == NEUTRAL


def test_a_year_to_come_is_no_reason_to_distrust_what_there_is() -> None:
    asked = need("What will happen in 2030?", TODAY)
    assert recency("2026-06-01", asked, TODAY) > NEUTRAL


@pytest.mark.parametrize(
    "published", ["", "soon", "3 days ago", "2026-13-01", "2027-01-01", "0000", "\x00"]
)
@given(needed=NEEDS)
def test_a_date_that_says_nothing_is_neutral(published: str, needed: Need) -> None:
    assert recency(published, needed, TODAY) == NEUTRAL


def test_a_date_of_tomorrow_counts_as_today() -> None:
    assert recency("2026-06-16T01:00:00+09:00", Need(FRESH_DAYS), TODAY) == 1.0


def test_a_date_in_part_is_as_late_as_it_can_be() -> None:
    fresh = Need(FRESH_DAYS)
    assert recency("2025", fresh, TODAY) == recency("2025-12-31", fresh, TODAY)
    assert recency("2025-02", fresh, TODAY) == recency("2025-02-28", fresh, TODAY)
    assert recency("2026", fresh, TODAY) == 1.0


@given(NEEDS, DAYS, st.integers(0, 5000))
def test_newer_is_never_worse(needed: Need, day: date, more: int) -> None:
    later = min(TODAY, day + timedelta(days=more))
    older, newer = (recency(d.isoformat(), needed, TODAY) for d in (day, later))
    assert 0 <= older <= newer <= 1


@given(st.text(max_size=20), NEEDS)
def test_any_text_can_be_a_date(published: str, needed: Need) -> None:
    assert 0 <= recency(published, needed, TODAY) <= 1


def test_today_is_when_the_last_passage_was_read() -> None:
    one, other = passage_of("Hask", "Wool."), passage_of("Dunmere", "Herring.")
    assert last_read_day([one, other]) is None
    read = one.model_copy(update={"retrieved_at": "2026-06-15T10:00:00+00:00"})
    earlier = other.model_copy(update={"retrieved_at": "2026-06-14T10:00:00+00:00"})
    assert last_read_day([read, earlier, one]) == TODAY
