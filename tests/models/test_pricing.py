"""The list of prices that ships, and a user's own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from quaere.domain.model import Usage
from quaere.errors import SettingsError
from quaere.models.pricing import known_prices, list_prices, read_prices


def written(folder: Path, text: str) -> Path:
    path = folder / "prices.json"
    path.write_text(text, "utf-8")
    return path


def test_every_price_that_ships_says_where_it_comes_from() -> None:
    prices = list_prices()
    assert "check" in prices.note
    for name, price in prices.models.items():
        source = prices.sources[name.partition(":")[0]]
        assert source.url.startswith("https://")
        assert re.fullmatch(r"\d{4}-\d{2}", source.as_of)
        # Every vendor asks more for writing than for reading, and less for what it has cached.
        assert price.input_usd <= price.output_usd
        assert price.cached_usd is None or price.cached_usd < price.input_usd


def test_a_dated_version_is_priced_and_a_model_of_ones_own_is_free() -> None:
    usage = Usage(prompt_tokens=1_000_000, completion_tokens=1_000_000)
    assert known_prices().cost("openai:gpt-4o-mini-2024-07-18", usage) == pytest.approx(0.75)
    assert known_prices().cost("ollama:qwen3:8b", usage) == 0
    assert known_prices().cost("openai:gpt-nobody-knows", usage) is None


def test_own_prices_are_added_and_stand_in_place_of_the_list(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        """{"models": {
            "openai:gpt-4o-mini": {"input_usd": 7, "output_usd": 8.5},
            "compatible:": {"input_usd": 1, "output_usd": 1, "cached_usd": 0}
        }}""",
    )
    usage = Usage(prompt_tokens=1_000_000)
    prices = known_prices(path)
    assert prices.cost("openai:gpt-4o-mini", usage) == 7
    assert prices.cost("compatible:anything", usage) == 1
    assert prices.cost("openai:gpt-4o", usage) == known_prices().cost("openai:gpt-4o", usage)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "the file: "),
        ("[]", "the file: "),
        ('{"models": {"a:b": {"input_usd": 1}}}', r"models\.a:b\.output_usd: is missing"),
        ('{"models": {"a:b": {"input_usd": -1, "output_usd": 1}}}', r"models\.a:b\.input_usd"),
        ('{"models": {"a:b": {"input_usd": "1", "output_usd": 1}}}', r"models\.a:b\.input_usd"),
        ('{"models": {"a:b": {"input_usd": NaN, "output_usd": 1}}}', r"models\.a:b\.input_usd"),
        ('{"models": {"": {"input_usd": 1, "output_usd": 1}}}', "models"),
        ('{"model": {}}', "model: is not known here"),
        ('{"models": {"a": 1, "b": 1, "c": 1, "d": 1, "e": 1}}', "; and 2 more"),
    ],
)
def test_a_file_that_is_no_list_of_prices_is_refused_with_its_fault(
    tmp_path: Path, text: str, fault: str
) -> None:
    with pytest.raises(SettingsError, match=fault) as raised:
        read_prices(written(tmp_path, text))
    assert str(tmp_path / "prices.json") in raised.value.message


def test_odd_bytes_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "prices.json"
    with pytest.raises(SettingsError, match="cannot be read: No such file"):
        known_prices(path)
    path.write_bytes(b"\xff\xfe\x00{")
    with pytest.raises(SettingsError, match="not a valid price list"):
        known_prices(path)
    with pytest.raises(SettingsError, match="cannot be read"):
        known_prices(tmp_path)
