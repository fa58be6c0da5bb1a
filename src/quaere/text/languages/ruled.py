"""Which clauses of a sentence one rule is about, in other languages than English."""

from __future__ import annotations

import re
from collections.abc import Iterable

from quaere.text.languages.language import Language


def ruled_together(language: Language, clauses: Iterable[str]) -> list[str]:
    """Return ``clauses``, each that a rule or a denial lists joined to the one that has that.

    As in "It is forbidden to cook, wash or camp", "not liable for loss, theft or damage", and in
    "It is forbidden, to cook", which German parts.
    """
    found = list[str]()
    for clause in clauses:
        if found and _begins(language, found[-1], clause) and _goes_on(language, clause):
            found[-1] = f"{found[-1]} {clause}"
        else:
            found.append(clause)
    return found


def _begins(language: Language, before: str, clause: str) -> bool:
    """Whether what is ``before`` may begin a list: a rule does, a denial where "or" ends it."""
    if language.rules.asks_leave(before):
        return True
    is_last = re.search(rf"(?i)\b(?:{language.ors})\b", clause) is not None
    return is_last and re.search(f"(?i){language.denies}", before) is not None


def _goes_on(language: Language, clause: str) -> bool:
    """Whether ``clause`` says nothing by itself: it has no verb, no rule and no denial."""
    if re.search(f"(?i){language.denies}", clause):
        return False
    if re.search(f"(?i){language.infinitive}", clause):
        return True
    has_verb = re.search(rf"(?i)\b(?:{language.verbs})\b", clause) is not None
    return not has_verb and language.rules.bare(clause) == clause
