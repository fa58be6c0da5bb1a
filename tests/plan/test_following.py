"""Which names of a first look are followed before a model plans (issue 21)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.budget import PROFILES, Budget, ProfileName, Spend, remaining
from quaere.domain.evidence import Evidence, Lead, Score
from quaere.plan.following import MOST_FOLLOWED, OPEN_LEAD, leads_to_follow, queries_to_follow
from quaere.plan.queries import LEAST_PLANNED

ASKED = "What river flows through the city that Mara Olsen Vik played for?"


def found(*totals: tuple[str, float]) -> list[Evidence]:
    return [
        Evidence(id=n, passage=str(n), url=url, title=url, score=Score(total=total))
        for n, (url, total) in enumerate(totals, 1)
    ]


ALONE = found(("a", 1.2), ("a", 1.1), ("b", 0.5))
BESIDE = found(("a", 1.2), ("a", 1.1), ("b", 1.0))


def names(
    *leads: tuple[str, float], selection: list[Evidence] = ALONE, limit: int = 2
) -> list[str]:
    given_leads = [Lead(name=name, passage="1", strength=strength) for name, strength in leads]
    return [lead.name for lead in leads_to_follow(ASKED, given_leads, selection, limit=limit)]


def test_the_strongest_names_are_followed_and_no_more_than_may_be() -> None:
    strong = ("halden", 0.9), ("sarpsborg", 0.8), ("moss", 0.7)
    assert names(*strong) == ["halden", "sarpsborg"]
    assert names(*strong, limit=1) == ["halden"]
    assert names(*strong, limit=0) == []


def test_a_weak_name_is_not_followed() -> None:
    assert names(("halden", OPEN_LEAD), ("moss", OPEN_LEAD - 0.01)) == ["halden"]


def test_nothing_is_followed_where_several_things_stand_beside_each_other() -> None:
    assert names(("halden", 0.9), selection=BESIDE) == []
    assert names(("halden", 0.9), selection=[]) == ["halden"]


def test_another_spelling_of_what_is_asked_about_leads_nowhere() -> None:
    assert names(("mara ingrid olsen vik", 0.9), ("city of halden", 0.5)) == ["city of halden"]


def test_rows_and_headings_are_no_names() -> None:
    row = "halden 1962 fredrikstad 1963 moss 1964 sarpsborg"
    assert names((row, 0.9), ("moss", 0.5)) == ["moss"]


def test_a_name_and_a_part_of_it_are_one_and_the_longer_is_asked_if_it_is_as_strong() -> None:
    assert names(("halden", 0.9), ("halden norway", 0.9), ("moss", 0.5)) == [
        "halden norway",
        "moss",
    ]
    assert names(("halden", 1.0), ("halden norway", 0.9)) == ["halden norway"]
    assert names(("halden", 1.0), ("halden norway", 0.89)) == ["halden"]
    assert names(("halden", 0.9), ("halden norway", 0.5), ("moss", 0.4)) == ["halden", "moss"]
    assert names(("halden norway", 0.9), ("halden", 0.9)) == ["halden norway"]


@given(
    st.sampled_from(list(ProfileName)),
    st.integers(1, 12),
    st.integers(1, 12),
    st.floats(0, 200),
)
def test_the_plan_keeps_its_queries_and_its_round(
    profile: ProfileName, most_queries: int, loops: int, elapsed: float
) -> None:
    budget: Budget = PROFILES[profile].override({"max_queries": most_queries, "max_iters": loops})
    left = remaining(budget, Spend(queries=1), elapsed)
    followed = queries_to_follow(left, budget)
    assert 0 <= followed <= MOST_FOLLOWED
    if followed:
        assert left.queries - followed >= LEAST_PLANNED
        assert loops > 1
        assert elapsed <= budget.max_execution_time_s / 2


def test_small_profiles_leave_the_model_its_queries() -> None:
    def by_profile(name: ProfileName) -> int:
        return queries_to_follow(remaining(PROFILES[name], Spend(queries=1), 1.0), PROFILES[name])

    assert {name.value: by_profile(name) for name in ProfileName} == {
        "simple": 0,
        "standard": 2,
        "deep": 2,
        "chat": 0,
    }
