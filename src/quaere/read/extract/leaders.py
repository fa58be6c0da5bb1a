"""Lines on which dots lead from a label to its value, as menus and contents have: "Soup ... 4.50".

They are written as a form has them, "Soup: 4.50": the dots would end a sentence between the two.
"""

from __future__ import annotations

from collections.abc import Sequence

from quaere.text.lazy_regex import lazy_regex

# Two of the sign "…" are the usual pause of Chinese.
_DOTS = lazy_regex(r"(?:\. ?){4,}|…{3,}")
_FEWEST = 2
"""Such lines of a text, at least: a single one may be a pause."""
_LONGEST_LABEL, _LONGEST_VALUE = 100, 30
"""Characters; what is longer is prose with a pause in it."""
_SIGNS = "£$€¥₹+(-"
"""What a value may begin with besides a letter or a figure."""
_ENDS = (".", "!", "?", "。", "！", "？")


def without_leaders(lines: Sequence[str]) -> list[str]:
    """Return as many ``lines``, with a colon for the dots between a label and its value."""
    shown = [_labelled(line) or line for line in lines]
    changed = sum(one is not other for one, other in zip(shown, lines, strict=True))
    return shown if changed >= _FEWEST else list(lines)


def _labelled(line: str) -> str:
    """Return ``line`` as label and value; empty where no dots lead from one to the other."""
    dots = _DOTS.search(line)
    if dots is None:
        return ""
    label, value = line[: dots.start()].rstrip(), line[dots.end() :].strip()
    if not (_is_value(value) and label.strip() and len(label) <= _LONGEST_LABEL):
        return ""
    return f"{label.rstrip(':')}: {value}" if any(map(str.isalnum, label)) else ""


def _is_value(text: str) -> bool:
    """Whether ``text`` may be a value: it is short, and does not end as a sentence does."""
    is_short = 0 < len(text) <= _LONGEST_VALUE and _DOTS.search(text) is None
    is_sentence = text.endswith(_ENDS) and not any(map(str.isdecimal, text))
    return is_short and not is_sentence and (text[0].isalnum() or text[0] in _SIGNS)
