"""The list prices that come with the package, and those of a user's own file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from pydantic import ValidationError

from quaere.domain.model import Prices
from quaere.domain.value import Value, told
from quaere.errors import SettingsError

MOST_FAULTS = 3
"""Faults of a file that one message lists."""


class Source(Value):
    """Where prices come from."""

    url: str
    as_of: str
    """Year and month."""
    note: str = ""


class PriceList(Prices):
    """A file of prices. Only ``models`` is needed."""

    note: str = ""
    sources: Mapping[str, Source] = {}
    """By vendor."""


@lru_cache(maxsize=1)
def list_prices() -> PriceList:
    """Return the prices that come with the package, for main models at the time of its release."""
    text = files("quaere.models").joinpath("prices.json").read_text("utf-8")
    return PriceList.model_validate_json(text)


def known_prices(path: Path | None = None) -> Prices:
    """Return the list prices, with those of the JSON file at ``path`` added and in their place.

    Raises:
        SettingsError: when the file cannot be read or is not a valid price list.
    """
    return list_prices() if path is None else list_prices().extended(read_prices(path))


def read_prices(path: Path) -> PriceList:
    """Return the prices of the JSON file at ``path``.

    Raises:
        SettingsError: when it cannot be read or is not a valid price list, naming what is wrong.
    """
    try:
        return PriceList.model_validate_json(path.read_bytes(), strict=True)
    except OSError as error:
        raise SettingsError(
            f"The prices at {path} cannot be read: {error.strerror or error}."
        ) from error
    except ValidationError as error:
        raise SettingsError(f"{path} is not a valid price list: {_faults(error)}.") from error


def _faults(error: ValidationError) -> str:
    faults = error.errors()
    more = f"; and {len(faults) - MOST_FAULTS} more" if len(faults) > MOST_FAULTS else ""
    return told(faults[:MOST_FAULTS], "the file") + more
