"""The small words by which a follow-up question is told, in a language that is not English."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Following:
    """Patterns, which ignore case."""

    lead_in: str
    """What a further question begins with: "and", "and what about"."""
    articles: str
    prepositions: str
    pronouns: str
    """Words for whom or what was named, which a name may replace."""
    bound: str = r"(?!)"
    """The same where a name can not: it is bound to the verb."""
    neuter: str = r"(?!)"
    """Those of the pronouns that stand for no person."""
    stand_ins: str = r"(?!)"
    """Words besides articles that stand for the thing asked about: "celui de Lyon"."""
    drops_subject: bool = False
    """Whether a verb alone says that what was named does it: "¿Dónde nació?"."""
    last: str = r"(?!)"
    """What may end a question and belongs to its verb: "geschlossen"."""
    is_verb_first: bool = False
    """Whether a question without a question word begins with its verb."""
    has_capitals: bool = False
    """Whether common nouns are written with a capital, as names are."""
