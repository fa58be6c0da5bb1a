"""Shows headings and definitions of AsciiDoc as plain text has them, line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from quaere.text.lazy_regex import lazy_regex

SUFFIXES = (".adoc", ".asciidoc")
_HEADING = lazy_regex(r"(={1,6})[ \t]+(?=\S)")
_TERM = lazy_regex(r"(?P<term>\S[^:\n]{0,80}):{2,4}(?:[ \t]+(?P<said>\S.*))?$")
_UNSHOWN = lazy_regex(r"(?:\[[^\[\]\n]*\]|:!?[\w-]{1,40}!?:(?:[ \t].*)?|//(?!//).*)$")
"""Attributes of a block or of the page, and comments."""


def plain(lines: Iterable[str]) -> Iterator[str]:
    """Yield as many ``lines``: headings with number signs, and each term with what it means."""
    term = ""
    for line in lines:
        found = _TERM.match(line)
        if found and not found["said"]:
            term = found["term"]
            yield ""
        elif term and line.strip():
            yield f"- {term}: {line.strip()}"
            term = ""
        else:
            yield _shown(line)


def _shown(line: str) -> str:
    """Return ``line`` as plain text has it: an item of a list for a term with its meaning."""
    if heading := _HEADING.match(line):
        return f"{'#' * len(heading[1])} {line[heading.end() :]}"
    if found := _TERM.match(line):
        return f"- {found['term']}: {found['said']}"
    return "" if _UNSHOWN.match(line) else line
