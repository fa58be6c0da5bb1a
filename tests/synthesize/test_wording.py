"""What a run took and how its sentences were checked, in a line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaere.domain.model import ModelCall, Usage
from quaere.domain.report import Checks
from quaere.synthesize.wording import calls_in_words, checks_in_words, format_usd


def call(cost_usd: float | None, *, estimated: bool = False) -> ModelCall:
    usage = Usage(prompt_tokens=3_000, completion_tokens=1_115, estimated=estimated)
    return ModelCall(step="plan", model="openai:moth", usage=usage, cost_usd=cost_usd)


@pytest.mark.parametrize(
    ("calls", "line"),
    [
        ([], ""),
        ([call(0.001)], "1 model call, 4,115 tokens, $0.001"),
        ([call(0.001), call(0.002), call(0.001)], "3 model calls, 12,345 tokens, $0.004"),
        ([call(0.0)], "1 model call, 4,115 tokens, $0"),
        ([call(None)], "1 model call, 4,115 tokens, price not known"),
        (
            [call(None), call(0.25), call(None)],
            "3 model calls, 12,345 tokens, $0.25 and 2 of unknown price",
        ),
        (
            [call(1.0), call(0.5, estimated=True)],
            "2 model calls, about 8,230 tokens, $1.50",
        ),
    ],
)
def test_a_ledger_is_one_line(calls: list[ModelCall], line: str) -> None:
    assert calls_in_words(calls) == line


@pytest.mark.parametrize(
    ("usd", "shown"),
    [
        (0.0, "$0"),
        (0.00001, "under $0.0001"),
        (0.0001, "$0.0001"),
        (0.01084, "$0.0108"),
        (0.2, "$0.20"),
        (0.99999, "$1.00"),
        (1.006, "$1.01"),
        (12_345.6, "$12,345.60"),
    ],
)
def test_money_is_shown_as_finely_as_calls_cost(usd: float, shown: str) -> None:
    assert format_usd(usd) == shown


@given(st.floats(min_value=0.0001, max_value=1e6))
def test_what_is_shown_is_what_it_is(usd: float) -> None:
    shown = float(format_usd(usd).removeprefix("$").replace(",", ""))
    assert shown == pytest.approx(usd, abs=0.0051 if usd >= 1 else 0.000051)


@pytest.mark.parametrize(
    ("checks", "line"),
    [
        (Checks(written=1, supported=1), "Of 1 sentence written, 1 was supported as it was,"),
        (Checks(written=3, supported=2), "Of 3 sentences written, 2 were supported as they were,"),
    ],
)
def test_one_sentence_is_not_counted_as_many(checks: Checks, line: str) -> None:
    assert checks_in_words(checks) == f"{line} 0 repaired, 0 marked and 0 dropped."
