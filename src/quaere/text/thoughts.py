"""What a model thinks first, where its server leaves that at the head of the answer itself.

It is between marks such as ``<think>`` and ``</think>``, and weighs what may be wrong: nothing of
it is said.
"""

from __future__ import annotations

from typing import Final

from quaere.text.lazy_regex import lazy_regex

_NAMES: Final = "think|thinking|thought|thoughts|reasoning|reflection|analysis|scratchpad"
OPENING: Final = rf"(?i:<(?:{_NAMES})(?:\s[^<>]{{0,80}})?>|\[THINK\]|◁think▷)"
ENDING: Final = rf"(?i:</(?:{_NAMES})\s?>|\[/THINK\]|◁/think▷)"

_OPENING: Final = lazy_regex(rf"\s*(?:{OPENING})")
_ENDING: Final = lazy_regex(rf"(?:{ENDING})")
_MAY_OPEN: Final = lazy_regex(r"\s*(?:[<\[◁][\w\s=\"']{0,90})?\Z")
_LONGEST: Final = 20
"""Characters of the longest mark that ends a thought."""


def thoughts_at_head(text: str) -> tuple[int, int]:
    """Return where the thoughts begin and end with which ``text`` begins; both 0 without any.

    A mark that is never closed counts as text.
    """
    opening = _OPENING.match(text)
    ending = _ENDING.search(text, opening.end()) if opening else None
    return (0, ending.end()) if ending else (0, 0)


class Spoken:
    """Takes pieces of an answer and gives what is said, without the thoughts at its head."""

    def __init__(self) -> None:
        self._blank = list[str]()
        """What precedes all that is written; looked at once, however slowly it comes."""
        self._held = ""
        self._has_begun = False
        self._thinks = False
        self._has_thought = False

    def feed(self, piece: str) -> str:
        """Return what ``piece`` adds to what is said."""
        if self._has_begun:
            return piece
        written = piece if self._held else piece.lstrip()
        self._blank.append(piece[: len(piece) - len(written)])
        self._held += written
        return self._read() if written else ""

    def _read(self) -> str:
        """Return what is said, as far as it is known."""
        if not self._thinks and (opening := _OPENING.match(self._held)):
            self._thinks = self._has_thought = True
            self._held = self._held[opening.end() :]
        if self._thinks:
            return self._after_thoughts()
        return "" if _MAY_OPEN.match(self._held) else self._begun()

    def close(self) -> str:
        """Return what is left to say; thoughts without an end are not said."""
        return "" if self._thinks else self._begun()

    def _after_thoughts(self) -> str:
        ending = _ENDING.search(self._held)
        if ending is None:
            self._held = self._held[-_LONGEST:]
            return ""
        rest, self._held, self._thinks = self._held[ending.end() :], "", False
        return self.feed(rest)

    def _begun(self) -> str:
        said, self._held, self._has_begun = self._held, "", True
        blank, self._blank = "".join(self._blank), []
        return said if self._has_thought else blank + said
