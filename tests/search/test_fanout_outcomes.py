from __future__ import annotations

from quaere.domain.question import Query
from quaere.domain.source import Hit
from quaere.search.fanout import Answer, Failure, summarize

SLATE, FLAX = Query(text="slate"), Query(text="flax")


def answer(query: Query, *urls: str, provider: str = "shelf") -> Answer:
    hits = (Hit(url=u, title=u, provider=provider, rank=n) for n, u in enumerate(urls))
    return Answer(query, provider, tuple(hits))


def failure(query: Query, provider: str = "odd", *, retryable: bool = True) -> Failure:
    return Failure(query, provider, "search_error", "HTTP 503", retryable)


A, B, C = "https://hask.test/a", "https://hask.test/b", "https://hask.test/c"


def test_each_query_has_one_outcome_in_the_order_asked() -> None:
    results = [answer(FLAX, C), answer(SLATE, A, B)]
    outcomes, warnings = summarize([SLATE, FLAX], results, known=(), iteration=2)
    assert [(o.query, o.hits, o.fresh, o.iteration) for o in outcomes] == [
        (SLATE, 2, 2, 2),
        (FLAX, 1, 1, 2),
    ]
    assert [o.error for o in outcomes] == ["", ""]
    assert warnings == ()


def test_a_source_is_fresh_once() -> None:
    results = [answer(SLATE, A, B), answer(FLAX, B, C)]
    outcomes, _ = summarize([SLATE, FLAX], results, known={C}, iteration=0)
    assert [o.fresh for o in outcomes] == [2, 0]
    assert [o.hits for o in outcomes] == [2, 2]


def test_a_source_found_twice_by_one_query_is_one_hit() -> None:
    results = [answer(SLATE, A, f"{A}?utm_source=x"), answer(SLATE, A, provider="other")]
    outcomes, _ = summarize([SLATE], results, known=(), iteration=0)
    assert (outcomes[0].hits, outcomes[0].fresh) == (1, 1)


def test_a_query_that_nobody_answered_has_failed_with_every_reason() -> None:
    results = [failure(SLATE), failure(SLATE, "other", retryable=False)]
    outcomes, warnings = summarize([SLATE], results, known=(), iteration=0)
    assert outcomes[0].error == "odd: HTTP 503; other: HTTP 503"
    assert outcomes[0].hits == 0
    assert [(w.kind, w.message, w.subject, w.retryable) for w in warnings] == [
        ("search", "odd: HTTP 503", "slate", True),
        ("search", "other: HTTP 503", "slate", False),
    ]


def test_a_query_that_one_answered_has_not_failed_and_the_failure_is_told() -> None:
    results = [failure(SLATE), answer(SLATE)]
    outcomes, warnings = summarize([SLATE], results, known=(), iteration=0)
    assert outcomes[0].error == ""
    assert outcomes[0].poor
    assert len(warnings) == 1


def test_without_providers_nothing_is_found_and_nothing_has_failed() -> None:
    outcomes, warnings = summarize([SLATE], [], known=(), iteration=0)
    assert (outcomes[0].hits, outcomes[0].error) == (0, "")
    assert warnings == ()
    assert summarize([], [], known=(), iteration=0) == ((), ())
