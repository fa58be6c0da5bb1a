"""How reliable and how timely a source is, and whether an earlier answer will do."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.graphs.world import passage_of
from tests.timing import cpu_s

from quaere.domain.evidence import NEUTRAL, SiteKind
from quaere.domain.question import SourceKind
from quaere.evidence.quality import (
    Need,
    Quality,
    can_retract,
    is_fresh,
    is_of,
    last_read_day,
    quality,
    recency,
    retracted,
    same_question,
    site_kind,
    source_need,
)
from quaere.evidence.weights import (
    CURRENT_DAYS,
    FRESH_DAYS,
    RETRACTED,
    SITE_WORTH,
    TOO_EARLY,
    WITNESS,
)

PLAIN = "The bridge has five arches."
FOLDER = "file:///shelf/bridge.md"
ELSEWHERE = "https://bridges.example/five"


def of(url: str, text: str = PLAIN, title: str = "Bridge") -> Quality:
    return quality(passage_of(title, text, url))


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://www.epa.gov/report.pdf", SiteKind.GOVERNMENT),
        ("https://ministry.gov.au/a", SiteKind.GOVERNMENT),
        ("https://www.moj.go.jp/a", SiteKind.GOVERNMENT),
        ("https://ec.europa.eu/a", SiteKind.GOVERNMENT),
        ("https://www.who.int/a", SiteKind.GOVERNMENT),
        ("https://www.rfc-editor.org/rfc/rfc9110", SiteKind.STANDARDS),
        ("https://pubmed.ncbi.nlm.nih.gov/123/", SiteKind.JOURNAL),
        ("https://www.ncbi.nlm.nih.gov/pmc/articles/PMC123/", SiteKind.JOURNAL),
        ("https://www.ncbi.nlm.nih.gov/about", SiteKind.GOVERNMENT),
        ("https://doi.org/10.5555/moss.17", SiteKind.JOURNAL),
        ("https://doi.org/10.1101/2020.01.17", SiteKind.PREPRINT),
        ("https://arxiv.org/abs/2101.01234", SiteKind.PREPRINT),
        ("https://physics.college.edu/a", SiteKind.UNIVERSITY),
        ("https://www.college.ac.uk/a", SiteKind.UNIVERSITY),
        ("https://www.uni-musterstadt.de/a", SiteKind.UNIVERSITY),
        ("https://en.wikipedia.org/wiki/Moss", SiteKind.ENCYCLOPEDIA),
        ("https://plato.stanford.edu/entries/moss", SiteKind.ENCYCLOPEDIA),
        ("https://docs.python.org/3/", SiteKind.DOCUMENTATION),
        ("https://docs.moss.example/api", SiteKind.DOCUMENTATION),
        ("https://www.bbc.co.uk/news/1", SiteKind.NEWS),
        ("https://stackoverflow.com/q/1", SiteKind.FORUM),
        ("https://forum.moss.example/t/1", SiteKind.FORUM),
        ("https://x.com/moss/1", SiteKind.SOCIAL),
        (ELSEWHERE, SiteKind.UNKNOWN),
        ("", SiteKind.UNKNOWN),
        ("http://[broken", SiteKind.FOLDER),
        (FOLDER, SiteKind.FOLDER),
    ],
)
def test_kinds_of_sites(url: str, kind: SiteKind) -> None:
    assert site_kind(url) is kind
    assert of(url).site is kind
    assert of(url).value == SITE_WORTH[kind]


@pytest.mark.parametrize(
    "url",
    [
        "https://nature.com.moss.example/a",
        "https://epa.gov.moss.example/a",
        "https://notnature.com/a",
        "https://moss.example/nature.com/10.1101/2020.01.17",
        "https://moss.example/?u=https://www.epa.gov",
        "https://www.epa.gov@moss.example/a",
    ],
)
def test_a_site_is_what_its_host_is_whatever_the_address_says(url: str) -> None:
    assert site_kind(url) is SiteKind.UNKNOWN


def test_every_kind_has_a_worth_and_what_is_not_known_is_neutral() -> None:
    assert set(SITE_WORTH) == set(SiteKind)
    assert all(0 <= worth <= 1 for worth in SITE_WORTH.values())
    assert SITE_WORTH[SiteKind.FOLDER] == SITE_WORTH[SiteKind.UNKNOWN] == NEUTRAL
    assert SITE_WORTH[SiteKind.JOURNAL] > SITE_WORTH[SiteKind.PREPRINT] > NEUTRAL
    assert SITE_WORTH[SiteKind.SOCIAL] < SITE_WORTH[SiteKind.FORUM] < NEUTRAL


@pytest.mark.parametrize(
    "title",
    [
        "Retracted: Moss on walls",
        "RETRACTED ARTICLE: Moss on walls",
        "[Retracted] Moss on walls",
        "Withdrawn: Moss on walls",
        "Retraction notice to: Moss on walls",
        "Moss on walls (Retracted)",
    ],
)
def test_a_title_can_say_that_a_work_is_retracted(title: str) -> None:
    found = of("https://www.nature.com/articles/1", title=title)
    assert found.retracted
    assert found.value == RETRACTED < WITNESS
    assert "retracted or withdrawn" in found.remarks


@pytest.mark.parametrize(
    "title", ["How papers are retracted", "Retracted claws of cats", "The withdrawn envoy", ""]
)
def test_a_title_about_retraction_retracts_nothing(title: str) -> None:
    assert not of("https://www.nature.com/articles/1", title=title).retracted


def test_a_text_speaks_of_itself_only_where_it_is_the_work() -> None:
    said = "This article has been retracted at the request of its authors."
    assert of("https://www.nature.com/articles/1", said).retracted
    assert of(FOLDER, said).retracted
    assert not of("https://www.bbc.co.uk/news/1", said).retracted
    assert not of("https://stackoverflow.com/q/1", said).retracted


def test_only_a_scholarly_site_can_retract_for_others() -> None:
    title = "Retracted: Moss on walls"
    assert can_retract(of("https://pubmed.ncbi.nlm.nih.gov/123/", title=title))
    assert not can_retract(of(ELSEWHERE, title=title))
    assert not can_retract(of("https://pubmed.ncbi.nlm.nih.gov/123/"))


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("https://bridges.click/five", PLAIN),
        ("https://best-cheap-bridges-online.example/five", PLAIN),
        (ELSEWHERE, "Order now! Free shipping on every bridge. Buy now!"),
        (ELSEWHERE, "Bridge prices, bridge tours and old bridge maps here. " * 10),
    ],
)
def test_signs_of_spam_take_something_off(url: str, text: str) -> None:
    found = of(url, text)
    assert found.value < NEUTRAL
    assert len(found.remarks) == 1


def test_two_signs_of_spam_are_no_witness() -> None:
    url = "https://best-cheap-bridges-online.click/five"
    assert of(url).value < WITNESS <= of(ELSEWHERE).value


def test_a_known_site_and_a_folder_are_not_searched_for_spam() -> None:
    sold = "Order now! Free shipping on every bridge. Buy now!"
    assert of("https://www.epa.gov/a", sold).value == SITE_WORTH[SiteKind.GOVERNMENT]
    assert of(FOLDER, sold) == Quality(SiteKind.FOLDER, NEUTRAL)


@given(st.text(max_size=60), st.text(max_size=200), st.text(max_size=60))
def test_any_page_has_a_quality(url: str, text: str, title: str) -> None:
    found = of(url or ELSEWHERE, text, title)
    assert 0 <= found.value <= 1
    assert retracted(found).value <= found.value
    assert retracted(retracted(found)) == retracted(found)


@pytest.mark.parametrize(
    ("kinds", "kind", "url", "wanted"),
    [
        ([SourceKind.FOLDER], SourceKind.FOLDER, FOLDER, True),
        ([SourceKind.FOLDER], SourceKind.WEB, ELSEWHERE, False),
        ([SourceKind.WEB], SourceKind.WEB, ELSEWHERE, False),
        ([SourceKind.PUBMED], SourceKind.WEB, "https://pubmed.ncbi.nlm.nih.gov/123/", True),
        ([SourceKind.PUBMED], SourceKind.WEB, ELSEWHERE, False),
        ([SourceKind.FOLDER], SourceKind.WEB, "https://pubmed.ncbi.nlm.nih.gov/123/", False),
        ([SourceKind.GOV], SourceKind.WEB, "https://www.epa.gov/report.pdf", True),
        ([SourceKind.NEWS, SourceKind.GOV], SourceKind.WEB, "https://www.epa.gov/a", True),
        ([SourceKind.NEWS], SourceKind.WEB, "https://www.epa.gov/report.pdf", False),
        ([], SourceKind.WEB, "https://www.epa.gov/report.pdf", False),
    ],
)
def test_a_source_is_of_a_kind_by_its_provider_or_its_host(
    kinds: list[SourceKind], kind: SourceKind, url: str, *, wanted: bool
) -> None:
    """R3.2."""
    assert is_of(kinds, kind, url) is wanted


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://college.ac.uk/a", SiteKind.UNIVERSITY),
        ("https://ac.uk/a", SiteKind.UNKNOWN),
        ("https://college.edu.au/a", SiteKind.UNIVERSITY),
        ("https://uni-musterstadt.at/a", SiteKind.UNIVERSITY),
        ("https://uni-musterstadt.uk/a", SiteKind.UNKNOWN),
        ("https://moj.go.jp/a", SiteKind.GOVERNMENT),
        ("https://moj.go.uk/a", SiteKind.UNKNOWN),
        ("https://docs.example/a", SiteKind.UNKNOWN),
        ("https://www.docs.example/a", SiteKind.UNKNOWN),
    ],
)
def test_a_name_tells_by_its_place_and_its_country(url: str, kind: SiteKind) -> None:
    assert site_kind(url) is kind


def test_a_text_of_few_words_is_not_stuffed() -> None:
    def remarks(count: int) -> tuple[str, ...]:
        words = " ".join(f"word{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(count - 12))
        return of(ELSEWHERE, f"{words} {'lamps ' * 12}").remarks

    assert remarks(59) == remarks(81) == ()
    assert remarks(60) == remarks(80) == ("repeats one word over and over",)
    assert of(ELSEWHERE, "Buy now! Buy now! BUY NOW!").remarks == ()
    assert of(ELSEWHERE, "Buy now! Free shipping!").remarks == ("sells something",)


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
    assert source_need(question, TODAY) == needed


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
    asked = source_need("What will happen in 2030?", TODAY)
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


ASKED = "When was the mill of Tressel Ford built, and who owned it in 1840?"


@pytest.mark.parametrize(
    "earlier",
    [
        ASKED,
        "when was the mill of Tressel Ford built and who owned it in 1840",
        "when was the mill of tressel ford built, and who owned it in 1840?",
        "Who owned the mill of Tressel Ford in 1840, and when was it built?",
    ],
)
def test_the_same_in_other_clothes(earlier: str) -> None:
    assert same_question(ASKED, earlier)
    assert same_question(earlier, ASKED)


@pytest.mark.parametrize(
    "earlier",
    [
        "When was the mill of Tressel Ford built, and who owned it in 1841?",
        "When was the mill of Dunmere Ford built, and who owned it in 1840?",
        "Why was the mill of Tressel Ford built, and who owned it in 1840?",
        "When was the mill of Tressel Ford not built, and who owned it in 1840?",
        "When was the bridge of Tressel Ford built, and who painted the walls of it in 1840?",
        "",
    ],
)
def test_what_differs_in_a_fact_is_another_question(earlier: str) -> None:
    assert not same_question(ASKED, earlier)


LONG = (
    "When was the stone mill on the north bank of the river in Tressel Ford built, and who owned it"
    " and its weir in 1840?"
)


@pytest.mark.parametrize("place", ["Dunmere Ford", "Tressel"])
def test_a_long_question_about_another_place_is_another_question(place: str) -> None:
    other = LONG.replace("Tressel Ford", place)
    assert not same_question(LONG, other)
    assert not same_question(other, LONG)


@given(st.text(max_size=80), st.text(max_size=80))
def test_it_makes_no_difference_which_came_first(a: str, b: str) -> None:
    assert same_question(a, b) == same_question(b, a)


NOW = datetime(2031, 5, 4, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("Who founded the observatory?", timedelta(days=30)),
        ("What is the latest price of flax?", timedelta(hours=12)),
        ("Who is the mayor of Hask?", timedelta(hours=12)),
    ],
)
def test_what_changes_is_read_anew_sooner(question: str, kept: timedelta) -> None:
    assert is_fresh(question, read=NOW - kept, now=NOW)
    assert not is_fresh(question, read=NOW - kept - timedelta(seconds=1), now=NOW)


def test_a_long_question_is_compared_with_many_in_time() -> None:
    asked = "1," * 2000 + " When was the bridge opened?"

    def compared() -> None:
        assert not any(same_question(asked, f"When was mill {at} built?") for at in range(100))

    assert cpu_s(compared, enough_s=0.5) < 0.5
