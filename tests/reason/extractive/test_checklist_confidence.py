from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.question import Checklist, Item, ItemStatus
from quaere.reason.extractive.checklist import confidence

STATUSES = st.lists(st.sampled_from(ItemStatus), min_size=1, max_size=7)


def wanted(*statuses: ItemStatus) -> Checklist:
    items = (Item(id=str(n), description="x", status=s) for n, s in enumerate(statuses))
    return Checklist(items=tuple(items))


def test_nothing_found_is_no_confidence() -> None:
    full = wanted(ItemStatus.SATISFIED)
    assert confidence(full, match=0.0, origins=3) == 0.0
    assert confidence(full, match=1.0, origins=0) == 0.0


def test_everything_found_in_many_places_comes_near_one() -> None:
    assert confidence(wanted(ItemStatus.SATISFIED), match=1.0, origins=10) > 0.98


def test_a_second_origin_raises_it() -> None:
    full = wanted(ItemStatus.SATISFIED)
    assert confidence(full, match=1.0, origins=1) < confidence(full, match=1.0, origins=2)


@given(STATUSES, st.floats(0, 1), st.integers(0, 50))
def test_it_is_a_share_and_grows_with_coverage(
    statuses: list[ItemStatus], match: float, origins: int
) -> None:
    some = confidence(wanted(*statuses), match=match, origins=origins)
    every = confidence(
        wanted(*[ItemStatus.SATISFIED] * len(statuses)), match=match, origins=origins
    )
    assert 0.0 <= some <= every <= 1.0
