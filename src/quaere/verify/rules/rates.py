"""How often, or in what time: "36 litres a minute" is not "36 litres an hour"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, islice

from quaere.text.amounts import rates
from quaere.text.numbers import Number
from quaere.verify.ground import ground
from quaere.verify.quantities import amounts, is_equal


def has_other_rate(said: str, lines: Iterable[str]) -> bool:
    """Return whether those of ``lines`` with an amount of ``said`` have another span of time to it.

    Where ``said`` has no amount, whether the first of ``lines`` that says how often has another
    span: "checked weekly" is not "checked monthly".

    Args:
        said: A sentence, such as "it pumps 36 litres an hour".
        lines: Sentences of its sources, the nearest first.
    """
    mine = rates(said)
    if not mine:
        return False
    own = [each for each in amounts(ground(said)) if each.unit not in mine]
    rated = filter(rates, lines)
    told = [line for line in rated if _shares_amount(own, line)] if own else [*islice(rated, 1)]
    return bool(told) and mine.isdisjoint(chain.from_iterable(map(rates, told)))


def _shares_amount(own: Sequence[Number], line: str) -> bool:
    return any(is_equal(a, b) for b in amounts(ground(line)) for a in own)
