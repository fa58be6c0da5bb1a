"""What heads the table in the middle of which a text is cut."""

from __future__ import annotations

ROW = "|"
"""What a row of a table begins with, wherever tables are written with bars between their cells."""


class TableHeads:
    """Finds the heads of the tables of one text; places are asked for in rising order."""

    def __init__(self, text: str) -> None:
        """Look for tables in ``text``."""
        self._text = text
        self._asked = -1
        self._head = ""

    def over(self, start: int) -> str:
        """Return the head of the table in which ``start`` begins a further row; else nothing.

        Rows up to the last place asked for are not gone through again.
        """
        if not self._begins_row(start):
            return ""
        first = start
        while first and self._begins_row(before := self._line_before(first)):
            first = before
            if first == self._asked and self._head:
                return self._found(start, self._head)
        return self._found(start, self._line_at(first) if first < start else "")

    def _found(self, start: int, head: str) -> str:
        self._asked, self._head = start, head
        return head

    def _begins_row(self, at: int) -> bool:
        return self._text.startswith(ROW, at) and self._text[at - 1 : at] in {"", "\n"}

    def _line_at(self, at: int) -> str:
        end = self._text.find("\n", at)
        return self._text[at:end].rstrip()

    def _line_before(self, at: int) -> int:
        return self._text.rfind("\n", 0, at - 1) + 1
