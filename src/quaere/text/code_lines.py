"""Which paragraphs of a text are code: commands to type, or lines of a program."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import filterfalse
from typing import Final

from quaere.text.lexicon import STOP_WORDS

PROSE: Final = 0.12
"""Share of stop words among the words of lines from which they are prose: commands have hardly any.
"""

_PROMPT = re.compile(r"\s*(?:[$%]\s+\S|>>>\s|PS>\s|C:\\)")
_PROGRAM = re.compile(
    r"\s*(?:(?:import\s+[\w.]+(?:\s+as\s+\w+)?\s*$|from\s+[\w.]+\s+import\s|def\s+\w+\(|class\s+\w+[(:]"
    r"|(?:const|let|var|export|alias|set)\s+[\w.$-]+\s*=)"
    r"|[\w.\[\]\"']+\s*(?:=|\+=|:=)\s*\S|[@}\])])|.*(?:[;{]|\)\)?;?|\\)\s*$"
)
_COMMENT = re.compile(r"\s*(?:#{1,6}(?:\s|$)|//|[`~]{3,}\w*\s*$)")
"""What does not tell whether the lines around it are code: comments, and marks of a block."""
_ITEM = re.compile(r"\s*(?:[-*+•|]\s|\d{1,3}[.)]\s)")
_SHELL = re.compile(r"\s*(?:sudo\s+|\./|~/)?[a-z][\w.+/@-]*(?:\s+\S+)+\s*$")
_SIGNS = re.compile(r"(?<!\S)-{1,2}[a-zA-Z]|[=|<>${}\\]|\w\(|\w/\w|\w\.\w|[@#]|\"[^\"]*\"\s*$")
_ENDS = re.compile(r"(?<!\.\.)[.!?,;:]\s*$")
_ASIDE = re.compile(r"\s#\s[^\n]*|\"[^\"\n]*\"|'[^'\n]*'")
"""A comment behind code, or words in quotation marks: what they say is not code."""
_WORD = re.compile(r"(?<!\S)[A-Za-z]+(?!\S)")


def is_code(lines: Sequence[str]) -> bool:
    """Return whether the ``lines`` of one paragraph are code rather than prose.

    Each looks like a command or like a line of a program, one has a sign that prose has not, and
    they hold no words that join others in sentences.
    """
    told = list(filter(_tells, lines))
    if not told or not all(map(_may_be_code, told)):
        return False
    if any(map(_PROMPT.match, told)):
        return True
    typed = list(filterfalse(_PROGRAM.match, told))
    if _are_joined("\n".join(typed)):
        return False
    return len(typed) < len(told) or any(map(_SIGNS.search, told))


def _tells(line: str) -> bool:
    """Whether ``line`` tells if it and those around it are code."""
    return bool(line.strip()) and not _COMMENT.match(line)


def _are_joined(typed: str) -> bool:
    """Whether the words of what may be commands are joined to sentences by others."""
    said = _WORD.findall(_ASIDE.sub(" ", typed).casefold())
    joining = sum(word in STOP_WORDS for word in said)
    return joining > PROSE * len(said)


def _may_be_code(line: str) -> bool:
    if _ITEM.match(line):
        return False
    if _PROMPT.match(line) or (_PROGRAM.match(line) and not _ends_prose(line)):
        return True
    return _SHELL.match(line) is not None and not _ENDS.search(line)


def _ends_prose(line: str) -> bool:
    return line.rstrip().endswith((".", "?", "!"))
