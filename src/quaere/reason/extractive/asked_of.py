"""What a figure is asked of: the thing of which it is asked how much there is, or what is named.

English alone.
"""

from __future__ import annotations

from typing import Final

from quaere.reason.extractive.questions.kinds import last_question
from quaere.reason.extractive.room import asks_room, rooms_told
from quaere.text.languages.language import is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.names import names
from quaere.text.tokens import terms

_THING: Final = lazy_regex(
    r"(?i)\bhow (?:much|many) (?!(?:people|times?|is|are|do|does|did|can|may|must|was|were|will"
    r"|would|should|more|less|of)\b)(?P<thing>[a-z-]+)"
)


class AskedOf:
    """Of what ``question`` asks a figure; false where it names nothing.

    "How much milk" asks of milk, "When does the train leave Oslo?" of Oslo.
    """

    def __init__(self, question: str) -> None:
        """Read ``question``."""
        self._question = question
        self._is_of_room = asks_room(question)
        self._wanted = _wanted(last_question(question)) if is_english() else ()

    def __bool__(self) -> bool:
        return self._is_of_room or bool(self._wanted)

    def is_told_by(self, sentence: str, said: frozenset[str]) -> bool:
        """Return whether ``sentence``, with stems ``said`` by it and over it, is about that."""
        if self._is_of_room:
            return bool(rooms_told(self._question, sentence))
        return any(each <= said for each in self._wanted)


def _wanted(text: str) -> tuple[frozenset[str], ...]:
    """Return the stems of each name in ``text``, else of the thing of which it asks how much."""
    named = (frozenset(terms(name.text)) for name in names(text) if name.start)
    thing = _THING.search(text)
    told = tuple(filter(None, named))
    return told or ((frozenset(terms(thing["thing"])),) if thing else ())
