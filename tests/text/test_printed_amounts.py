"""Amounts in the conventions of several countries."""

from __future__ import annotations

import pytest

from quaere.text.printed_amounts import amount_in, decimal_sign


@pytest.mark.parametrize(
    ("figures", "sign"),
    [
        (["1.204.611", "61"], ","),
        (["1.204,5", "–"], ","),
        (["12,5", "7"], ","),
        (["61.904", "4.315", "(7.123)"], ","),
        (["61.904"], "."),
        (["0.123", "0.444"], "."),
        (["61.904", "4.3"], "."),
        (["1,204", "61.904", "4.315"], "."),
        (["1 204 611", "7"], "."),
        ([], "."),
    ],
)
def test_the_sign_before_decimals_is_that_of_the_whole_table(figures: list[str], sign: str) -> None:
    assert decimal_sign(figures) == sign


@pytest.mark.parametrize(
    ("printed", "sign", "amount"),
    [
        ("$1,204.50", ".", (1204.5, 2)),
        ("$ (1,204)", ".", (-1204, 0)),
        ("-7", ".", (-7, 0)),
        ("1’204’611", ".", (1204611, 0)),
        ("1 204 611,5 €", ",", (1204611.5, 1)),
        ("1.204,50", ",", (1204.5, 2)),
        ("(67) (2)", ".", (-67, 0)),
        (".5", ".", (0.5, 1)),
        ("—", ".", None),
    ],
)
def test_amounts(printed: str, sign: str, amount: tuple[float, int] | None) -> None:
    assert amount_in(printed, sign) == amount
