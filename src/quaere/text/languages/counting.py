"""Number words under a hundred, put together as a language does it."""

from __future__ import annotations

from collections.abc import Callable


def under_hundred(
    counted: str, tens: str, joined: Callable[[str, str], str], *, ones: str
) -> dict[str, int]:
    """Return the values of the number words from two to ninety-nine, by the word.

    Args:
        counted: The words from two to nineteen, in order.
        tens: Those from twenty to ninety, in order.
        joined: Puts a word of tens and one of ones together: "dreißig", "vier" to "vierunddreißig".
        ones: What "one" is where it follows tens; several where it has genders.
    """
    values = dict(zip(counted.split(), range(2, 20), strict=True))
    units = dict.fromkeys(ones.split(), 1) | {
        word: value for word, value in values.items() if value < 10
    }
    for value, ten in zip(range(20, 100, 10), tens.split(), strict=True):
        values[ten] = value
        values |= {joined(ten, word): value + unit for word, unit in units.items()}
    return values
