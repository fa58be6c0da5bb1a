"""Tables drawn with lines in plain text: +---+---+ and ┌───┬───┐ around cells between bars.

Also those that have a rule under their heads and bars between their cells, but none around, and
lists with dots that lead from a label to its value: "Soup ... 4.50". A bar down the left of a text
alone is its margin.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from quaere.text.lazy_regex import lazy_regex

_UPRIGHT = "|│┃║┆┇┊┋"
_LEVEL = "=─━═┄┅┈┉╌╍-"
_JOINT = r"+\u250c-\u254b\u2552-\u2570"
"""Corners, and where lines meet: none of the level lines is among them."""
_RULE = lazy_regex(rf"[|{_JOINT}][{_LEVEL}]+(?:[{_JOINT}][{_LEVEL}]+)*[|{_JOINT}]")
_BARE_RULE = lazy_regex(
    rf":?[{_LEVEL}]{{2,}}:?(?:[{_JOINT}][{_LEVEL}]{{2,}}|\s*\|\s*:?[{_LEVEL}]{{2,}}:?)+"
)
"""Between the heads and the rows of a table that nothing is drawn around."""
_PLAIN_RULE = lazy_regex(r"[|:\s-]+")
"""As Markdown writes it, which needs no change."""
_BAR = lazy_regex(rf"[{_UPRIGHT}]")
_MARGIN = lazy_regex(r"(?P<indent>[ \t]*)\|(?=\s|$)")
_LONGEST_INDENT = 40
_FEWEST_OF_MARGIN = 3
"""Lines that a margin is beside, at least."""
_FEWEST_ROWS = 2
"""Rows below the heads, at least: fewer are more often a picture of boxes."""
# Two of the sign "…" are the usual pause of Chinese.
_DOTS = lazy_regex(r"(?:\. ?){4,}|…{3,}")
_FEWEST_LED = 2
"""Such lines of a text, at least: a single one may be a pause."""
_LONGEST_LABEL, _LONGEST_VALUE = 100, 30
"""Characters; what is longer is prose with a pause in it."""
_SIGNS = "£$€¥₹+(-"
"""What a value may begin with besides a letter or a figure."""
_ENDS = (".", "!", "?", "。", "！", "？")


def without_margin(lines: Sequence[str]) -> list[str]:
    """Return ``lines`` with a space in place of each bar of a margin, as `help()` draws one.

    All are at one column down the left, and hardly any of these lines have another one.
    """
    shown = list(lines)
    for margin, run in groupby(range(len(lines)), key=lambda at: _margin(lines[at])):
        beside = list(run)
        if not margin or len(beside) < _FEWEST_OF_MARGIN:
            continue
        if not any(lines[at].strip() == "|" for at in beside):
            continue  # a command in several lines, or alternatives of a grammar
        if 4 * sum(lines[at].count("|") > 1 for at in beside) < len(beside):
            for at in beside:
                shown[at] = f"{margin[:-1]} {lines[at][len(margin) :]}".rstrip()
    return shown


def _margin(line: str) -> str:
    """Return ``line`` up to the bar with which it begins; empty where it begins otherwise."""
    bar = _MARGIN.match(line, endpos=_LONGEST_INDENT)
    return bar[0] if bar else ""


def undrawn(lines: Sequence[str]) -> list[str]:
    """Return ``lines``, those of drawn tables as rows with bars between their cells.

    There are as many as before, for citations tell a line's number: a line that is drawn within a
    table becomes the rule that Markdown has there, one around it is left empty. What a cell has on
    further lines stands on its first one. A picture of boxes stays as it is.
    """
    shown = list(lines)
    at = 0
    while at < len(lines):
        end = _end_of(lines, at)
        is_table = end > at + _FEWEST_ROWS and any(map(_is_drawn, lines[at:end]))
        table = _read(lines[at:end]) if is_table else None
        if table is not None:
            shown[at:end] = table
        at = max(end, at + 1)
    return shown


def _end_of(lines: Sequence[str], first: int) -> int:
    """Return where the lines end that may be a drawn table from ``first`` on; there without any."""
    if _is_framed(lines[first]):
        return next((n for n in range(first, len(lines)) if not _is_framed(lines[n])), len(lines))
    after = lines[first + 1].strip() if first + 1 < len(lines) else ""
    if not _BARE_RULE.fullmatch(after):
        return first
    count = len(_split(lines[first]))
    if count != _columns(after):
        return first
    rows = range(first + 2, len(lines))
    return next((n for n in rows if len(_split(lines[n])) != count), len(lines))


def _is_framed(line: str) -> bool:
    """Whether ``line`` is drawn, or a row between bars on its left and its right."""
    plain = line.strip()
    if len(plain) < 3:
        return False
    return _is_rule(plain) or (plain[0] in _UPRIGHT and plain[-1] in _UPRIGHT)


def _is_rule(plain: str) -> bool:
    return bool(_RULE.fullmatch(plain) or _BARE_RULE.fullmatch(plain))


def _is_drawn(line: str) -> bool:
    """Whether ``line`` is not a row or a rule of Markdown: it begins with another sign than a bar.

    A rule between bars may have other signs within.
    """
    plain = line.strip()
    return plain[0] != "|" or (_is_rule(plain) and not _PLAIN_RULE.fullmatch(plain))


def _split(line: str) -> list[str]:
    """Return what is between the bars of ``line``."""
    plain = line.strip()
    framed = plain[:1] in _UPRIGHT and plain[-1:] in _UPRIGHT and len(plain) > 1
    return [cell.strip() for cell in _BAR.split(plain[1:-1] if framed else plain)]


def _columns(rule: str) -> int:
    return len(re.findall(rf"[{_LEVEL}]+", rule))


@dataclass(slots=True)
class _Row:
    """A row, and the place of its line among those of the table."""

    at: int
    cells: list[str]

    def add(self, more: Sequence[str]) -> None:
        """Add what the cells of a further line of it say."""
        self.cells = [
            f"{cell} {other}".strip() for cell, other in zip(self.cells, more, strict=True)
        ]


def _read(lines: Sequence[str]) -> list[str] | None:
    """Return what is shown of ``lines`` as a table; None where they are none."""
    plain = [line.strip() for line in lines]
    count = max((_columns(line) for line in plain if _is_rule(line)), default=0)
    groups = list(_groups(lines, count))
    titles: list[_Row] = []
    while groups and all(_is_title(row) for row in groups[0]):
        titles += groups.pop(0)
    rows = _rows(groups)
    if count < 2 or len(rows) <= _FEWEST_ROWS or any(len(row.cells) != count for row in rows):
        return None
    return _shown(len(lines), titles, rows)


def _groups(lines: Sequence[str], count: int) -> Iterator[list[_Row]]:
    """Yield the rows between one rule and the next; a row of one cell goes over all columns."""
    own: list[_Row] = []
    joints: list[int] = []
    for at, line in enumerate(lines):
        if _is_rule(line.strip()):
            joints = _joints(line) if _columns(line.strip()) == count else joints
            if own:
                yield own
            own = []
        else:
            own.append(_Row(at, _cells(line, count, joints)))
    if own:
        yield own


def _joints(rule: str) -> list[int]:
    """Return where the lines between the columns meet ``rule``."""
    first = len(rule) - len(rule.lstrip())
    inner = re.finditer(rf"(?<=[{_LEVEL}])[{_JOINT}](?=[{_LEVEL}])", rule)
    return [found.start() for found in inner if found.start() > first]


def _cells(line: str, count: int, joints: Sequence[int]) -> list[str]:
    """Return the cells of ``line``: a bar that is in none of the ``joints`` is in a cell."""
    told = _split(line)
    if len(told) > count and all(line[at : at + 1] in _UPRIGHT for at in joints):
        left = len(line) - len(line.lstrip())
        places = [left, *joints, len(line.rstrip()) - 1]
        parts = (line[start + 1 : end] for start, end in pairwise(places))
        told = [_BAR.sub("/", part).strip() for part in parts]
    if len(told) == 1 and told[0]:
        return [told[0], *[""] * (count - 1)]
    return told


def _is_title(row: _Row) -> bool:
    """Whether ``row``, over the heads, has but one thing to say."""
    return sum(map(bool, row.cells)) < 2


def _rows(groups: Sequence[list[_Row]]) -> list[_Row]:
    """Return the heads and the rows below, each with what further lines of it say."""
    if not groups:
        return []
    first, *others = groups
    if not others:
        return first
    rows = [_merged(first)]
    for group in others:
        is_one = len(others) > 1 and all(_goes_on(row) for row in group[1:])
        rows += [_merged(group)] if is_one else group
    return rows


def _goes_on(row: _Row) -> bool:
    """Whether ``row`` may be more of the one above it: some of its cells say nothing."""
    return not all(row.cells)


def _merged(group: Sequence[_Row]) -> _Row:
    first, *others = group
    for row in others:
        if len(row.cells) == len(first.cells):
            first.add(row.cells)
    return first


def _shown(count: int, titles: Sequence[_Row], rows: Sequence[_Row]) -> list[str]:
    """Return ``count`` lines with the rows at their places, and rules in what is between them."""
    rule = f"|{'---|' * len(rows[0].cells)}"
    shown = [""] * count
    for row in titles:
        shown[row.at] = " ".join(filter(None, row.cells))
    last = rows[-1].at
    shown[rows[0].at : last + 1] = [rule] * (last + 1 - rows[0].at)
    for row in rows:
        shown[row.at] = f"| {' | '.join(row.cells)} |"
    return shown


def without_leaders(lines: Sequence[str]) -> list[str]:
    """Return as many ``lines``, with a colon for the dots between a label and its value.

    The dots would end a sentence between the two; "Soup: 4.50" is as a form has it.
    """
    shown = [_labelled(line) or line for line in lines]
    changed = sum(one is not other for one, other in zip(shown, lines, strict=True))
    return shown if changed >= _FEWEST_LED else list(lines)


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
