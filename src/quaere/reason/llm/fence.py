"""Marks page text as data in a prompt.

The marks carry a random word that is drawn anew for every run, so that no page can close its block
and go on as if it were the prompt.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from quaere.domain.source import Passage

MAX_TITLE_CHARS = 160

_MARK = re.compile(r"<(/?)data-", re.IGNORECASE)
_BLANK = re.compile(r"[\s\x00-\x1f\x7f]+")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]")


def _random_word() -> str:
    return secrets.token_hex(4)


@dataclass(frozen=True, slots=True)
class Fence:
    """The marks of one run."""

    word: str = field(default_factory=_random_word)

    def block(self, number: int, passage: Passage, *, new: bool = False) -> str:
        """Return ``passage`` as the data block of evidence ``number``.

        Its address is reduced to the host: a model that has not seen an address cannot repeat it.
        """
        head = [f'id="{number}"', f'title="{_attribute(passage.title)}"']
        if host := urlsplit(passage.url).hostname:
            head.append(f'from="{_attribute(host)}"')
        if passage.published:
            head.append(f'date="{_attribute(passage.published)}"')
        if new:
            head.append("new")
        opening = " ".join([f"<data-{self.word}", *head])
        return f"{opening}>\n{self.inert(passage.text)}\n</data-{self.word}>"

    def inert(self, text: str) -> str:
        """Return ``text`` without anything that looks like a mark, and without control characters.

        Characters that turn the direction of text are control characters here.
        """
        return _CONTROL.sub(" ", _MARK.sub(r"(\1data-", text.replace(self.word, "")))


def _attribute(text: str) -> str:
    flat = _BLANK.sub(" ", text).strip()[:MAX_TITLE_CHARS]
    return _CONTROL.sub(" ", flat.replace('"', "'").replace("<", "(").replace(">", ")"))
