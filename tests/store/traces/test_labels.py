"""Tags, pins, shared links and the search of lists, on both databases."""

from __future__ import annotations

import pytest

from quaere.domain.trace import Owner, Trace, TraceStatus
from quaere.errors import TraceNotFound, UsageError
from quaere.store.traces.traces import Traces

pytestmark = pytest.mark.anyio

ANN, BEN = Owner(user="ann", org="mills"), Owner(user="ben")


async def asked(traces: Traces, name: str, question: str, owner: Owner = ANN) -> Trace:
    return await traces.create_trace(owner, {"question": question}, trace_id=name)


async def ids(traces: Traces, *, q: str | None = None, tag: str | None = None) -> set[str]:
    return {trace.id for trace in (await traces.list_traces(ANN, q=q, tag=tag)).traces}


async def test_tags_and_pins_are_kept_and_told_with_the_trace(traces: Traces) -> None:
    made = await asked(traces, "a", "Who?")
    assert (made.tags, made.pinned) == ((), False)
    labelled = await traces.label(ANN, "a", tags=["  Old  MILLS ", "old mills", "灯"])
    assert (labelled.tags, labelled.pinned) == (("old mills", "灯"), False)
    pinned = await traces.label(ANN, "a", pinned=True)
    assert (pinned.tags, pinned.pinned) == (("old mills", "灯"), True)
    assert await traces.get_trace(ANN, "a") == pinned
    assert await traces.label(ANN, "a") == pinned
    assert (await traces.label(ANN, "a", tags=[], pinned=False)) == made
    for odd in ([""], ["x" * 51], ["a\0"], ["\ud800"], [str(number) for number in range(21)]):
        with pytest.raises(UsageError):
            await traces.label(ANN, "a", tags=odd)


async def test_a_list_shows_what_has_a_tag_and_not_what_has_one_like_it(traces: Traces) -> None:
    tags = {"a": ["mill"], "b": ["mills"], "c": ['"mill"'], "d": ["%"], "e": ["Mühle"], "f": []}
    for name, given in tags.items():
        await asked(traces, name, "Who?")
        await traces.label(ANN, name, tags=given)
    await asked(traces, "ben", "Who?", BEN)
    await traces.label(BEN, "ben", tags=["mill"])
    assert await ids(traces, tag="Mill") == {"a"}
    assert await ids(traces, tag='"mill"') == {"c"}
    assert await ids(traces, tag="%") == {"d"}
    assert await ids(traces, tag="MÜHLE") == {"e"}
    for none in ("il", "", "x" * 99, "\0", "\ud800"):
        assert await ids(traces, tag=none) == set()


async def test_a_list_is_searched_by_the_words_of_the_question(traces: Traces) -> None:
    questions = {
        "a": "Who built the Mill at Orrin?",
        "b": "Wer baute die MÜHLE in Orrin?",
        "c": "100% of_it",
        "d": "",
    }
    for name, question in questions.items():
        await asked(traces, name, question)
    await traces.create_trace(ANN, {"mill": "mill"}, trace_id="tool", tool="other")
    assert await ids(traces, q="orrin MILL") == {"a"}
    assert await ids(traces, q="mühle") == {"b"}
    assert await ids(traces, q="orrin") == {"a", "b"}
    assert await ids(traces, q="0%") == {"c"}
    assert await ids(traces, q="f_i") == {"c"}
    assert await ids(traces, q="f%t") == set()
    assert await ids(traces, q="' OR 1=1 \0 \ud800") == set()
    assert len(await ids(traces, q="  ")) == 5


async def test_filters_hold_together_and_on_every_page(traces: Traces) -> None:
    for number in range(9):
        await asked(traces, f"r{number}", "Who?" if number % 2 else "When?")
        await traces.label(ANN, f"r{number}", pinned=number > 2)
    await traces.cancel(ANN, "r3")
    found: list[str] = []
    following = None
    while True:
        page = await traces.list_traces(
            ANN, q="who", pinned=True, status=TraceStatus.PENDING, limit=1, following=following
        )
        found += [trace.id for trace in page.traces]
        following = page.following
        if following is None:
            break
    assert found == ["r7", "r5"]


async def test_a_link_leads_to_a_trace_until_it_is_taken_back(traces: Traces) -> None:
    await asked(traces, "a", "Who?")
    nonce = await traces.share(ANN, "a")
    assert len(nonce) >= 32
    assert await traces.share(ANN, "a") == nonce
    shared = await traces.shared(nonce)
    assert (shared.id, shared.share) == ("a", nonce)
    await traces.unshare(ANN, "a")
    for lost in (nonce, "", "a", "\0", "\ud800", "x" * 99):
        with pytest.raises(TraceNotFound):
            await traces.shared(lost)
    assert await traces.share(ANN, "a") != nonce


async def test_only_its_owner_labels_and_shares_a_trace(traces: Traces) -> None:
    await asked(traces, "a", "Who?")
    for owner in (BEN, Owner(user="ann"), Owner(user="ann", org="barges")):
        for doing in (
            traces.label(owner, "a", tags=["x"]),
            traces.share(owner, "a"),
            traces.unshare(owner, "a"),
        ):
            with pytest.raises(TraceNotFound):
                await doing
