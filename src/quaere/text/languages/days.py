"""How a language names the days of the week, and says on which of them something is open."""

from __future__ import annotations

from dataclasses import dataclass

_Seven = tuple[str, str, str, str, str, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Days:
    """Patterns, which ignore case."""

    names: _Seven
    """Of the days, Monday first, in all their forms."""
    asked: str
    """What asks for one of them."""
    through: str
    """What is between the first and the last of several days in a row, besides a dash."""
    edge: str = r"\b"
    """What is on both sides of a name."""
    groups: tuple[str, str, str]
    """What says the weekend, the other days, and all days."""
    but: str
    """What leaves days out: these, as the group ``shut``."""
    open: str
    closed: str

    @property
    def any(self) -> str:
        """The pattern of a single day."""
        return rf"{self.edge}(?:{'|'.join(self.names)}){self.edge}"


def forms(words: str, after: str = "", *, before: str = "") -> _Seven:
    """Return the patterns of seven ``words`` with what may be ``before`` and ``after`` each."""
    one, two, three, four, five, six, seven = (f"{before}{word}{after}" for word in words.split())
    return one, two, three, four, five, six, seven


def excepting(*words: str) -> str:
    """Return the pattern of what leaves out the days after it, by the words for "except"."""
    return rf"\b(?:{'|'.join(words)})\b(?P<shut>.*)"


ENGLISH_DAYS = Days(
    names=forms("monday tuesday wednesday thursday friday saturday sunday", "s?"),
    asked=r"\b(?:which|what) (?:week)?days?\b",
    through="to|until|till|through",
    groups=("weekends?", "weekdays?|working days?", "daily|every day|all days"),
    but=excepting("except", "apart from", "but for", "other than", "unless"),
    open=r"\bopen(?:s|ed|ing)?\b",
    closed=r"^(?!.*\b(?:until|till|not|never)\b).*\b(?:closed|shut)\b",
)
