"""A letter that is sent as plain text and as a page: programs show the page, so it decides.

The plain text reads better, but no program shows it. What the page does not say is left out of it.
"""

from __future__ import annotations

import re

from quaere.read.extract.unseen import drop_hidden
from quaere.text.clean import clean_text
from quaere.text.markup import inner_text, parse_html

_PARTED = re.compile(r"\n[ \t]*\n")
_ADDRESS = re.compile(r"https?://[^\s<>]*")
_WORD = re.compile(r"[\u2e80-\uffef]|\w+")
_CODE = frozenset({"script", "style", "head"})
_MOST_NEW = 0.5
"""Share of the words of a paragraph that the page may lack: one lays out what the other spells."""


def said_by_page(plain: str, html: str) -> str:
    """Return the paragraphs of ``plain`` that the page ``html`` says as well.

    All of them where it cannot be read, or has no words that could be compared.
    """
    try:
        root = parse_html(clean_text(html))
    except ValueError:
        return plain
    drop_hidden(root)
    shown = _words(" ".join(inner_text(root, _CODE)))
    if not shown:
        return plain
    return "\n\n".join(part for part in _PARTED.split(plain) if _is_said(part, shown))


def _is_said(paragraph: str, shown: frozenset[str]) -> bool:
    words = _words(_ADDRESS.sub("", paragraph))
    return len(words - shown) <= _MOST_NEW * len(words)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))
