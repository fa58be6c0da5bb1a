"""What a user types who is shown topics: which to keep, or others in their place."""

from __future__ import annotations

_APPROVALS = frozenset({"y", "yes", "ok", "okay", "approve", "approved", "all"})


def chosen(typed: str, topics: tuple[str, ...]) -> tuple[str, ...]:
    """Return the ``topics`` whose numbers were ``typed``, or the topics that were typed instead.

    Nothing for what approves them as they are: an empty line, or a word such as "yes".
    """
    if typed.strip().rstrip(".!").lower() in _APPROVALS:
        return ()
    numbers = _parts(typed.replace(",", ";"))
    wanted = _parts(typed)
    if numbers and all(map(str.isdecimal, numbers)):
        wanted = [topics[n - 1] for n in map(int, numbers) if 0 < n <= len(topics)]
    return tuple(dict.fromkeys(wanted))


def _parts(text: str) -> list[str]:
    """Return the parts of ``text`` that semicolons separate."""
    return [part for part in map(str.strip, text.split(";")) if part]
