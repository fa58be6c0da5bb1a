"""Makes values of every kind that can stand in a state, with nothing in them left out."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from enum import Enum
from itertools import zip_longest
from typing import Annotated, Literal, Union, cast, get_args, get_origin, get_type_hints

from annotated_types import MaxLen
from pydantic.fields import FieldInfo

from quaere.domain.scope import Host, Language
from quaere.domain.value import Value

PLAIN: Mapping[object, Sequence[object]] = {
    str: ["Käse “läuft” 塔"],
    int: [20],
    float: [0.25],
    bool: [True, False],
    types.NoneType: [None],
    date: [date(2026, 3, 4)],
}
PATTERNED: Sequence[tuple[object, str]] = ((Host, "xn--kse-qla.example"), (Language, "de"))
"""Text that has to have a form of its own, and some that has it."""


def kinds_of(schema: object) -> set[type]:
    """Return the values and names of values that can stand in a state of ``schema``."""
    found: set[type] = set()

    def visit(kind: object) -> None:
        for part in get_args(kind):
            visit(part)
        if not isinstance(kind, type) or kind in found or not issubclass(kind, Value | Enum):
            return
        found.add(kind)
        for field in kind.model_fields.values() if issubclass(kind, Value) else ():
            visit(field.annotation)

    for hint in get_type_hints(schema).values():
        visit(hint)
    return found


def samples(kind: object) -> Iterator[object]:
    """Yield values of ``kind`` until every alternative that its parts have was in one of them.

    Raises:
        TypeError: for a kind that nobody has thought of here.
    """
    origin, parts = get_origin(kind), get_args(kind)
    if kind in PLAIN:
        yield from PLAIN[kind]
    elif origin is Annotated:
        patterned = [text for each, text in PATTERNED if each == kind]
        yield from patterned or samples(parts[0])
    elif origin is Literal:
        yield from parts
    elif origin in (Union, types.UnionType):
        for part in parts:
            yield from samples(part)
    elif origin is tuple:
        yield from _tuples(parts)
    elif origin is frozenset:
        yield frozenset(samples(parts[0]))
    elif isinstance(kind, type) and issubclass(kind, Enum):
        yield from kind
    elif isinstance(kind, type) and issubclass(kind, Value):
        yield from _values(kind)
    else:
        raise TypeError(f"no sample of {kind}")


def _tuples(parts: tuple[object, ...]) -> Iterator[object]:
    if parts[1:] == (...,):
        yield tuple(samples(parts[0]))
        yield ()
    else:
        yield from zip(*(list(samples(part))[:1] for part in parts), strict=True)


def _values(kind: type[Value]) -> Iterator[object]:
    fields = {name: list(_of_field(field)) for name, field in kind.model_fields.items()}
    for row in zip_longest(*fields.values()) if fields else [()]:
        chosen = zip(fields.items(), row, strict=True)
        yield kind.model_validate(
            {
                name: found[0] if value is None and None not in found else value
                for (name, found), value in chosen
            }
        )


def _of_field(field: FieldInfo) -> Iterator[object]:
    most = next((rule.max_length for rule in field.metadata if isinstance(rule, MaxLen)), None)
    for sample in samples(cast("object", field.annotation)):
        yield cast("tuple[object, ...]", sample)[:most] if isinstance(sample, tuple) else sample
