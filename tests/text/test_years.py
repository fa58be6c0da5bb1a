"""Years in the heads of columns."""

from __future__ import annotations

import pytest

from quaere.text.years import years_in


@pytest.mark.parametrize(
    ("head", "years"),
    [
        ("Year ended December 31, 2023", {2023}),
        ("31.12.2021", {2021}),
        ("31/12/21", {2021}),
        ("Jun-22", {2022}),
        ("FY2023", {2023}),
        ("FY’23", {2023}),
        ("2019/20", {2020}),
        ("2019–2020", {2019, 2020}),
        ("2022 vs 2021", {2021, 2022}),
        ("Dec. 31", set[int]()),
        ("2,021", set[int]()),
        ("12021", set[int]()),
        ("Berth 23", set[int]()),
    ],
)
def test_years_of_every_form(head: str, years: set[int]) -> None:
    assert years_in(head) == years
