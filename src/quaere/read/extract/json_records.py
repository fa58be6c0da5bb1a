"""JSON and JSON Lines: a page for each record."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TypeGuard, cast

from quaere.domain.source import Page
from quaere.ports.read import Body
from quaere.read.charset import decode
from quaere.read.clean import clean_text
from quaere.read.extract.page import broken, empty, make_page
from quaere.read.extract.records import MAX_NAME, Field, RecordPages, lines_of, render
from quaere.read.formats import Format

Json = dict[str, "Json"] | list["Json"] | str | bool | None
"""A parsed value. Numbers stay the text they were: 1.10 is not 1.1, and 10^5000 parses."""

_DECODER = json.JSONDecoder(parse_int=str, parse_float=str)
_MAX_DEPTH = 50
_WRAPPER_FIELDS = 5
_NESTED = "."


def parse(text: str) -> Json:
    """Return the value that ``text`` spells.

    Raises:
        ValueError: when it is not JSON, or is nested deeper than Python's parser goes.
    """
    try:
        return cast("Json", _DECODER.decode(text))
    except RecursionError as error:
        message = "nested too deep"
        raise ValueError(message) from error


class JsonLinesExtractor:
    """Reads one JSON value a line; each is a page with the fragment ``line=N``."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield a page for each line that holds a record with text.

        Raises:
            ReadError: ``broken`` at the end when lines were not JSON; ``empty`` when none had text.
        """
        records = RecordPages(body, Format.JSONL, "line")
        for number, line in enumerate(lines_of(decode(body.data, body.content_type)), 1):
            if not line.strip():
                continue
            try:
                page = records.page(number, flatten(parse(line)))
            except ValueError as error:
                records.lose(f"line {number}", error)
                continue
            if page:
                yield page
        records.close()


class JsonExtractor:
    """Reads a JSON file: an array of objects as records, ``item=N``; anything else as one page."""

    def extract(self, body: Body) -> Iterator[Page]:
        """Yield a page for each object of an array, or the one page of another value.

        Raises:
            ReadError: ``broken`` when it is not JSON, ``empty`` when it holds no words.
        """
        try:
            value = parse(decode(body.data, body.content_type))
        except ValueError as error:
            raise broken(body, f"is not valid JSON: {error}; correct it or leave it out") from error
        items = _records(value)
        if items is None:
            yield _whole(body, value)
            return
        records = RecordPages(body, Format.JSON, "item")
        for number, item in enumerate(items, 1):
            if page := records.page(number, flatten(item)):
                yield page
        records.close()


def flatten(value: Json) -> Iterator[Field]:
    """Yield the scalars of ``value`` under dotted names; a list of scalars is one value."""
    yield from _flatten(value, "", 0)


def _flatten(value: Json, name: str, depth: int) -> Iterator[Field]:
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, dict):
        for key, inner in value.items():
            inner_name = f"{name}{_NESTED}{key}" if name else key
            yield from _flatten(inner, inner_name[:MAX_NAME], depth + 1)
    elif isinstance(value, list):
        if not any(isinstance(inner, (dict, list)) for inner in value):
            yield name, ", ".join(scalar for inner in value if (scalar := _scalar(inner)))
            return
        for number, inner in enumerate(value, 1):
            yield from _flatten(inner, f"{name} {number}".strip(), depth + 1)
    else:
        yield name, _scalar(value)


def _scalar(value: Json) -> str:
    if isinstance(value, str):
        return clean_text(value)
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else ""


def _records(value: Json) -> list[Json] | None:
    """Return the objects of an array, or of the one array that a small object wraps."""
    if isinstance(value, dict) and len(value) <= _WRAPPER_FIELDS:
        arrays = [inner for inner in value.values() if _are_records(inner)]
        value = arrays[0] if len(arrays) == 1 else value
    return value if _are_records(value) else None


def _are_records(value: Json) -> TypeGuard[list[Json]]:
    return isinstance(value, list) and bool(value) and all(isinstance(v, dict) for v in value)


def _whole(body: Body, value: Json) -> Page:
    fields = [(name, text) for name, text in flatten(value) if text.strip()]
    if not fields:
        raise empty(body)
    lines = [f"{name}: {text}" if name else text for name, text in fields]
    title = render(fields).title
    return make_page(body, Format.JSON, "\n".join(lines), title=title)
