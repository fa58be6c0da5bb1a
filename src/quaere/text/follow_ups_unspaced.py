"""The same as `follow_ups`, in Chinese and Japanese.

What is only named, as in "蛋挞呢？" and "蛋挞は？", takes the place of what was asked about. Where
that belongs to something, it takes that of the part that is most alike, or of the owner.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from quaere.text.languages.language import Language

_END = r"\s*[?？。.!！]*\s*\Z"


@dataclass(frozen=True)
class AskedUnspaced:
    """A question that was asked."""

    language: Language
    question: str

    def whole(self, text: str) -> str:
        """Return what ``text`` asks after it; empty where no form tells."""
        goes_on, topic, of = self.language.goes_on
        named = re.match(rf"\s*(?:{goes_on}){_END}", text)
        asked = re.match(topic, self.question)
        if named is None or asked is None or not asked["topic"]:
            return ""
        thing = named["thing"].strip()
        # Of equals the first is taken.
        replaced = max(asked["topic"].split(of), key=lambda part: len(set(part) & set(thing)))
        return self.question.replace(replaced, thing, 1)
