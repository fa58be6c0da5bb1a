"""Whatever a page holds, the rules take linear time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from tests.timing import cpu_s

from quaere.text.dates import dates
from quaere.text.language_detection import detect
from quaere.text.names import names
from quaere.text.numbers import numbers
from quaere.text.sentences import sentences
from quaere.text.tokens import tokenize

SIZE = 20_000
LIMIT_S = 0.4
"""CPU seconds: ten times what linear time takes, a fraction of what quadratic time does."""
REPEATED = [
    *["a", "A", ".", "1", " ", "\n", "-", "東", "ア", "\u0301", "“", '"', "(", "\ud800"],
    *["A ", "Abc ", "A. ", "A-", "A's ", "Abc of ", "& ", "one ", "hundred ", "twenty-", "is a "],
    *[
        "1,",
        "1.",
        "1 ",
        ",000",
        "1,00",
        "1,000.1",
        "1 000 ",
        "1–",
        "1 May ",
        "2004-",
        "$",
        "½",
        "AD ",
    ],
    *[". ", ".[1]", "|\n", "a\n", "A\n", "- a\n", "\n ", ". . ", " ” "],
]


@pytest.mark.parametrize("rule", [tokenize, sentences, names, numbers, dates, detect])
def test_time_is_linear(rule: Callable[[str], object]) -> None:
    for seed in REPEATED:
        text = "A" + seed * (SIZE // len(seed)) + "1x"
        assert cpu_s(partial(rule, text), enough_s=LIMIT_S) <= LIMIT_S, repr(seed)
