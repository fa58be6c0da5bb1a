"""Instances of JSON schemas."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, product

from pydantic import JsonValue

Schema = Mapping[str, JsonValue]

MAX_DEPTH = 12
"""Levels of a schema that refers to itself."""

_FORMATS: Mapping[str, str] = {
    "date": "2031-05-04",
    "date-time": "2031-05-04T03:02:01Z",
    "email": "reader@example.com",
    "time": "03:02:01Z",
    "uri": "https://example.com/",
    "uuid": "00000000-0000-4000-8000-000000000000",
}
_PATTERN_PARTS = ("a", "1", "A", "a1", "p1", "E1", "-", "_")


def sample(schema: Schema) -> JsonValue:
    """Return the smallest instance of ``schema``, a JSON schema of draft 2020-12.

    Texts are the names of their properties, so that they can be told apart. Known are references
    inside the schema, constants, enumerations, alternatives, limits of length and value, formats
    and simple patterns.

    Raises:
        ValueError: when no instance of a part can be made up.
    """
    return _Writer(schema).write(schema, "text")


def obeyed(schema: Schema, *, text: str, parts: Mapping[str, JsonValue]) -> JsonValue:
    """Return an instance of ``schema`` that says ``text`` wherever it may say anything.

    Lists have at least one entry, numbers are as large as allowed, and optional properties are
    there. A property that ``parts`` names has that value, as far as it fits.

    Raises:
        ValueError: when no instance of a part can be made up.
    """
    return _Writer(schema, text=text, parts=parts).write(schema, "text")


@dataclass(frozen=True)
class _Writer:
    root: Schema
    text: str | None = None
    """What free texts say; None for the name of their property."""
    parts: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])

    def write(self, schema: Schema, name: str, depth: int = 0) -> JsonValue:
        schema = self._resolved(schema, depth)
        if "const" in schema:
            return schema["const"]
        choices = schema.get("enum")
        if isinstance(choices, list) and choices:
            return choices[0]
        return self._of_kind(_kind(schema, eager=self.text is not None), schema, name, depth)

    def _of_kind(self, kind: str, schema: Schema, name: str, depth: int) -> JsonValue:
        match kind:
            case "object":
                return self._object(schema, depth)
            case "array":
                return self._array(schema, name, depth)
            case "string":
                return self._string(schema, name)
            case "integer" | "number":
                return self._number(schema, whole=kind == "integer")
            case "boolean":
                return self.text is not None
            case _:
                return None

    def _resolved(self, schema: Schema, depth: int) -> Schema:
        """Return ``schema`` with references, alternatives and conjunctions put in."""
        if depth > MAX_DEPTH:
            raise ValueError(f"The schema is more than {MAX_DEPTH} levels deep.")
        merged = dict(schema)
        reference = merged.pop("$ref", None)
        if isinstance(reference, str):
            merged = {**self._resolved(_pointed(self.root, reference), depth + 1), **merged}
        for part in _schemas(merged.pop("allOf", None)):
            merged = _both(self._resolved(part, depth + 1), merged)
        for keyword in ("anyOf", "oneOf"):
            options = _schemas(merged.pop(keyword, None))
            if options:
                merged = _both(self._resolved(self._chosen(options, depth), depth + 1), merged)
        return merged

    def _chosen(self, options: Sequence[Schema], depth: int) -> Schema:
        """Return the first of ``options`` that is filled in, or else empty, as this depth wants."""
        empty = [option for option in options if option.get("type") == "null"]
        filled = [option for option in options if option not in empty]
        return (filled + empty if self._is_full(depth) else empty + filled)[0]

    def _is_full(self, depth: int) -> bool:
        """Return whether optional parts are filled in at this depth."""
        return self.text is not None and depth < MAX_DEPTH // 2

    def _object(self, schema: Schema, depth: int) -> JsonValue:
        properties = _properties(schema)
        wanted = list(properties) if self._is_full(depth) else []
        wanted += map(str, _required(schema))
        return {
            name: self._property(properties.get(name, {}), name, depth + 1)
            for name in dict.fromkeys(wanted)
        }

    def _property(self, schema: Schema, name: str, depth: int) -> JsonValue:
        given = self.parts.get(name)
        if given is None:
            return self.write(schema, name, depth)
        own = self._resolved(schema, depth)
        if _kind(own, eager=True) == "array" and isinstance(given, list):
            return self._listed(own, name, given, depth)
        fits = isinstance(given, _TYPES.get(_kind(own, eager=True), ())) and "enum" not in own
        return given if fits else self.write(schema, name, depth)

    def _listed(
        self, schema: Schema, name: str, given: Sequence[JsonValue], depth: int
    ) -> list[JsonValue]:
        """Return the entries of a list that say one by one what ``given`` says."""
        most = _whole(schema.get("maxItems"), len(given))
        entries = [
            _Writer(self.root, text=entry if isinstance(entry, str) else str(entry))
            for entry in given[:most]
        ]
        return [entry.write(_items(schema), name, depth + 1) for entry in entries]

    def _array(self, schema: Schema, name: str, depth: int) -> JsonValue:
        least = _whole(schema.get("minItems"), 0)
        if self._is_full(depth):
            least = max(least, min(1, _whole(schema.get("maxItems"), 1)))
        leading = _schemas(schema.get("prefixItems"))
        entries = [*leading, *[_items(schema)] * (least - len(leading))]
        return [self.write(entry, name, depth + 1) for entry in entries]

    def _string(self, schema: Schema, name: str) -> str:
        least = _whole(schema.get("minLength"), 0)
        most = _whole(schema.get("maxLength"), max(least, 100_000))
        wanted = (self.text if self.text is not None else name.replace("_", " "))[:most]
        wanted = wanted.ljust(least, "x")
        form = schema.get("format")
        if isinstance(form, str) and form in _FORMATS:
            return _FORMATS[form]
        pattern = schema.get("pattern")
        if not isinstance(pattern, str):
            return wanted
        return _matching(pattern, chain([wanted], _simple_texts(least, most)))

    def _number(self, schema: Schema, *, whole: bool) -> int | float:
        """Return the limit that lies nearest to zero, or when eager the upper one."""
        step = 1 if whole else 0.001
        low = _limit(schema, "minimum", "exclusiveMinimum", step)
        high = _limit(schema, "maximum", "exclusiveMaximum", -step)
        eager = self.text is not None
        if eager and high is not None:
            return _converted(high, whole=whole)
        value = max(low or 0, int(eager and whole))
        value = min(value, value if high is None else high)
        return _converted(value, whole=whole)


_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "object": dict,
    "string": str,
    "boolean": bool,
    "number": (int, float),
    "integer": int,
}


def _kind(schema: Schema, *, eager: bool) -> str:
    kind = schema.get("type")
    if isinstance(kind, list):
        names = map(str, kind)
        return next((each for each in names if each != "null" or not eager), "null")
    if isinstance(kind, str):
        return kind
    return "object" if "properties" in schema else "string"


def _pointed(root: Schema, reference: str) -> Schema:
    """Return the part of ``root`` that a reference such as ``#/$defs/Item`` points to."""
    found: JsonValue = dict(root)
    for part in reference.removeprefix("#").split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        found = found.get(key) if isinstance(found, dict) else None
    if not isinstance(found, dict):
        raise ValueError(f"The schema refers to {reference!r}, which it does not hold.")
    return found


def _both(first: Schema, second: Schema) -> dict[str, JsonValue]:
    """Return one schema that asks for what both ask for."""
    merged = {**first, **second}
    properties = {**_properties(first), **_properties(second)}
    if properties:
        merged["properties"] = {name: dict(each) for name, each in properties.items()}
    if first.get("required") or second.get("required"):
        merged["required"] = [*_required(first), *_required(second)]
    return merged


def _matching(pattern: str, texts: Iterable[str]) -> str:
    """Return the first of ``texts`` that the pattern is found in."""
    for text in texts:
        if re.search(pattern, text):
            return text
    raise ValueError(f"No text for the pattern {pattern!r} can be generated; script the answer.")


def _converted(value: float, *, whole: bool) -> int | float:
    return int(value) if whole else value


def _required(schema: Schema) -> Sequence[JsonValue]:
    names = schema.get("required")
    return names if isinstance(names, list) else ()


def _properties(schema: Schema) -> dict[str, Schema]:
    properties = schema.get("properties")
    if not isinstance(properties, dict):
        return {}
    return {name: each if isinstance(each, dict) else {} for name, each in properties.items()}


def _schemas(value: JsonValue) -> list[Schema]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _items(schema: Schema) -> Schema:
    items = schema.get("items")
    return items if isinstance(items, dict) else {}


def _whole(value: JsonValue, default: int) -> int:
    return value if isinstance(value, int) else default


def _limit(schema: Schema, keyword: str, excluding: str, step: float) -> float | None:
    """Return the lowest or highest value allowed, ``step`` inside of an excluded one."""
    inclusive, exclusive = schema.get(keyword), schema.get(excluding)
    if isinstance(inclusive, int | float):
        return inclusive
    return exclusive + step if isinstance(exclusive, int | float) else None


def _simple_texts(least: int, most: int) -> Iterator[str]:
    for count, part in product(range(1, 65), _PATTERN_PARTS):
        text = part * count
        if least <= len(text) <= most:
            yield text
