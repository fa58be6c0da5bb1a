"""Keeps private dialect out of strings, docstrings and comments: ``python tests/lint_words.py``.

The patterns and what to write instead are in ``lint_words.toml``. Prints a line for
every finding and exits with 1 when there is one.
"""

from __future__ import annotations

import io
import re
import sys
import tokenize
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
TABLE = Path(__file__).with_suffix(".toml")
SOURCES = ("src", "evals")

_TEXT = frozenset({tokenize.STRING, tokenize.COMMENT, getattr(tokenize, "FSTRING_MIDDLE", -1)})


@dataclass(frozen=True, slots=True)
class Rule:
    """Wording to avoid, and what to write instead."""

    pattern: re.Pattern[str]
    suggestion: str


@dataclass(frozen=True, slots=True)
class Finding:
    """Wording that a rule objects to, on ``line`` (from 1) of a file."""

    line: int
    words: str
    suggestion: str


def load(table: Path = TABLE) -> tuple[Rule, ...]:
    """Return the rules in ``table``."""
    parsed = tomllib.loads(table.read_text("utf-8"))
    return tuple(
        Rule(re.compile(rf"(?i){pattern}".replace(" ", r"\s+")), suggestion)
        for pattern, suggestion in parsed["instead"].items()
    )


def findings(source: str, rules: Iterable[Rule]) -> Iterator[Finding]:
    """Yield what ``rules`` find in the strings, docstrings and comments of ``source``.

    Consecutive comments are read as one text, so that a phrase is found across a line break.
    """
    known = tuple(rules)
    for line, text in _texts(source):
        for rule in known:
            for match in rule.pattern.finditer(text):
                place = line + text.count("\n", 0, match.start())
                yield Finding(place, " ".join(match[0].split()), rule.suggestion)


def _texts(source: str) -> Iterator[tuple[int, str]]:
    """Yield every string and every block of comments with the line on which it begins."""
    first, block = 0, list[str]()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            if block and token.start[0] != first + len(block):
                yield first, "\n".join(block)
                block = []
            first = first if block else token.start[0]
            block.append(token.string.lstrip("#"))
        elif token.type in _TEXT:
            yield token.start[0], token.string
    if block:
        yield first, "\n".join(block)


def main() -> int:
    """Check every Python file below SOURCES; return the exit code."""
    rules = load()
    found = 0
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            for finding in findings(path.read_text("utf-8"), rules):
                found += 1
                sys.stdout.write(
                    f"{name}:{finding.line}: “{finding.words}”; write: {finding.suggestion}\n"
                )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
