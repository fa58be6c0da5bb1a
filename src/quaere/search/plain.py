"""Turns what services write in HTML or JATS into plain text."""

from __future__ import annotations

import html
import re

SNIPPET_CHARS = 600
MAX_TEXT_CHARS = 100_000

# A tag has a letter right behind its bracket; "p < 0.05" and "a<1" have none.
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,2000}>|<!--[^<>]{0,2000}-->")
_HEADING = re.compile(
    r"<(h[1-6]|jats:title|title)\b[^<>]{0,200}>([^<>]{0,200})</\1>", re.IGNORECASE
)
_BLOCK = re.compile(
    r"</?(?:jats:)?(?:p|sec|div|br|li|ul|ol|list|list-item|tr|table|title)\b[^<>]{0,2000}>",
    re.IGNORECASE,
)
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_SPACE = re.compile(r"[^\S\n]+")
_MARK = "\ufdd0"  # a noncharacter: it stands in no text
_AFTER_HEADING = re.compile(_MARK + r":\s*")
_BREAKS = re.compile(r"\s*\n\s*")


def line(markup: str, limit: int = SNIPPET_CHARS) -> str:
    """Return the words of ``markup`` on one line of at most ``limit`` characters.

    Tags are gone and entities are the characters that they stand for. A longer text is cut behind a
    word and ends with an ellipsis.
    """
    # What is cut off need not be cleaned first; tags can be several times as long as their words.
    words = _clean(_TAG.sub("", _BLOCK.sub(" ", markup[: limit * 20]))).split()
    return shortened(" ".join(words), limit)


def paragraphs(markup: str) -> str:
    """Return ``markup`` as paragraphs, a heading ("Methods: ") at the head of the one it opens."""
    text = _HEADING.sub(_headed, markup[:MAX_TEXT_CHARS])
    text = _SPACE.sub(" ", _clean(_TAG.sub("", _BLOCK.sub("\n", text))))
    text = _AFTER_HEADING.sub(": ", _BREAKS.sub("\n\n", text))
    return text.strip().removeprefix("Abstract: ")


def one_line(text: str) -> str:
    """Return plain ``text``, in which a bracket is a bracket, clean and on one line."""
    return " ".join(_seen(text).split())


def shortened(text: str, limit: int) -> str:
    """Return ``text``, cut behind a word if it is longer than ``limit`` characters."""
    if len(text) <= limit:
        return text
    head, space, _ = text[:limit].rpartition(" ")
    return (head if space else text[: limit - 1]) + "…"


def _headed(match: re.Match[str]) -> str:
    heading = match[2].strip().rstrip(":")
    return f"\n{heading}{_MARK}: " if heading else "\n"


def _clean(text: str) -> str:
    return _seen(html.unescape(text))


def _seen(text: str) -> str:
    return _SURROGATE.sub("\ufffd", _UNSEEN.sub("", text))
