from __future__ import annotations

from itertools import pairwise

from tests.graphs.world import passage_of, url_of

from quaere.evidence.score import PRIOR_FIRST, PRIOR_HALF, place_worth, rank_priors

HASK, DUNMERE = passage_of("Hask", "Hask sells wool."), passage_of("Dunmere", "A harbour.")


def test_a_place_is_worth_less_than_the_one_before_and_never_nothing() -> None:
    worth = [place_worth(place) for place in range(500)]
    assert all(above > below > 0 for above, below in pairwise(worth))
    assert worth[0] == PRIOR_FIRST
    assert worth[PRIOR_HALF] == PRIOR_FIRST / 2


def test_every_passage_of_a_source_gets_what_its_place_is_worth() -> None:
    more = passage_of("Hask", "Its market is weekly.")
    considered = [url_of("Dunmere"), url_of("Hask")]
    assert rank_priors([HASK, more, DUNMERE], considered) == {
        DUNMERE.id: place_worth(0),
        HASK.id: place_worth(1),
        more.id: place_worth(1),
    }


def test_a_source_is_known_by_any_spelling_of_its_url() -> None:
    spelled = passage_of("Hask", "Wool.", url=f"{url_of('Hask').upper()}/?utm_source=x#top")
    considered = ["https://shelf.test/HASK"]
    assert rank_priors([spelled], considered) == {spelled.id: place_worth(0)}


def test_a_source_that_no_search_has_brought_counts_nothing() -> None:
    assert rank_priors([HASK], []) == {HASK.id: 0.0}
    assert rank_priors([], [url_of("Hask")]) == {}
