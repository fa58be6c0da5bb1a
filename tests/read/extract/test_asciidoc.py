"""What the marks of AsciiDoc become."""

from __future__ import annotations

import time

import pytest

from quaere.ports.read import Body
from quaere.read.extract.asciidoc import plain
from quaere.read.extract.markdown import TextExtractor

GUIDE = """\
= Tern guide
:toc: left
// not shown

Tern is a pump, and image::pump.png[] its picture.

[horizontal]
bilge:: The lowest part of the hull.
float switch::
  What starts the pump.

== Hosting::Ports
"""
SHOWN = """\
# Tern guide

Tern is a pump, and image::pump.png[] its picture.

- bilge: The lowest part of the hull.

- float switch: What starts the pump.

## Hosting::Ports
"""


def text_of(name: str) -> str:
    (page,) = TextExtractor().extract(Body(data=GUIDE.encode(), url=f"file:///boat/{name}"))
    return page.text


def test_headings_and_definitions_are_shown_as_plain_text_has_them() -> None:
    shown = [line for line in text_of("guide.adoc").split("\n") if line]
    assert shown == [line for line in SHOWN.split("\n") if line]


def test_each_line_stays_in_its_place() -> None:
    assert list(plain(GUIDE.split("\n"))).index("## Hosting::Ports") == 11


def test_other_text_is_left_as_it_is() -> None:
    assert "bilge:: The" in text_of("guide.txt")


@pytest.mark.parametrize(
    "line", ["=" * 50_000, "a" * 50_000, ":" * 50_000, "[" * 50_000, "a:" * 25_000]
)
def test_long_lines_are_read_at_once(line: str) -> None:
    started = time.perf_counter()
    assert list(plain([line])) == [line]
    assert time.perf_counter() - started < 1
