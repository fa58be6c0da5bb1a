"""Takes out of a text what a reader cannot see but a parser, a terminal or a model would."""

from __future__ import annotations

from quaere.text.lazy_regex import lazy_regex

MAX_TITLE_CHARS = 300

_BREAKS = "\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029"
# Control characters; soft hyphens and zero-width spaces, which hide a word from a search; the
# direction marks that reorder what is shown (Unicode TR 36, "Trojan Source"); tag characters.
# Zero-width joiners stay: Persian and Indic spelling needs them.
_UNSEEN = (
    "\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
)
_FIXED_SPACES = "\u00a0\u2007\u202f"
_SURROGATES = "\ud800-\udfff"
_UNCLEAN = lazy_regex(f"[{_BREAKS}{_UNSEEN}{_FIXED_SPACES}{_SURROGATES}]")
_ASCII_UNCLEAN = bytes(range(128)).translate(None, bytes(range(32, 127)) + b"\t\n")
"""Of ASCII the same: looked for without a pattern, as a text that has none is the rule."""
_RULES = (
    # What makes letters bold or underlined on a terminal, in manuals formatted for one.
    (lazy_regex(r"\x1b\[[\d;]*m|[^\n]\x08"), ""),
    (lazy_regex(f"\r\n?|[{_BREAKS}]"), "\n"),
    (lazy_regex(f"[{_UNSEEN}]"), ""),
    (lazy_regex(f"[{_FIXED_SPACES}]"), " "),
    (lazy_regex(f"[{_SURROGATES}]"), "\ufffd"),
)


def clean_text(text: str) -> str:
    r"""Return ``text`` with ``\n`` as its only line break and nothing invisible in it.

    Spaces that forbid a line break become plain ones; lone surrogates, which no encoding can carry,
    become U+FFFD.
    """
    # By far the most frequent two, which need no pattern.
    text = text.replace("\r\n", "\n").replace("\u00a0", " ")
    if text.isascii():
        encoded = text.encode()
        if len(encoded.translate(None, _ASCII_UNCLEAN)) == len(encoded):
            return text
    elif not _UNCLEAN.search(text):
        return text
    for pattern, instead in _RULES:
        text = pattern.sub(instead, text)
    return text


def clean_line(text: str, limit: int = MAX_TITLE_CHARS) -> str:
    """Return ``text`` clean, on one line and at most ``limit`` characters long."""
    # The cut comes first: a title of a megabyte is not worth cleaning whole.
    line = " ".join(clean_text(text[: limit * 8]).split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"
