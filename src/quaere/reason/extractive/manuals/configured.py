"""Finds what a configuration file or a program sets a name to: "port = 587", "image: redis:7".

The name with what is over it, and the name of the file, say what is asked. English alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter, itemgetter
from typing import Final, NamedTuple

from quaere.domain.source import Passage
from quaere.reason.extractive.chains import Goal
from quaere.reason.extractive.manuals.defaults import is_on
from quaere.reason.extractive.pool import Line, Pool, file_name
from quaere.reason.extractive.questions.kinds import (
    Kind,
    asks_what_it_does,
    expected_kind,
    last_question,
)
from quaere.text.configuration import Setting
from quaere.text.languages.language import in_english, is_english
from quaere.text.lazy_regex import lazy_regex
from quaere.text.tokens import apart, terms

COVERED: Final = 0.75
"""Share of the question's weight that a setting and what is over it must hold between them."""
WHOLE: Final = 0.97
"""Share of it from which the setting is the one that is asked for."""
MOST: Final = 0.25
"""Share of the lines of a passage, at least, that set something; fewer are an example in prose."""
_CONFIGURATION: Final = frozenset(
    ("cfg", "cnf", "conf", "defs", "env", "ini", "json", "properties", "toml", "yaml", "yml")
)
"""What the names of configuration files end with, however much is remarked in them."""
_FENCES: Final = ("```", "~~~")
_IDLE: Final = frozenset(
    terms(
        "value setting set sets option parameter variable configured configuration config file"
        " use uses used have has need needs needed default defaults many much long take run runs"
        " listen feature on off enabled disabled active turned switched make makes made may"
    )
)
"""Stems by which one asks for any setting."""
_VAGUE: Final = frozenset(terms("image version name number enabled disabled active"))
"""Stems that need not be said: "services.db.image: redis:7" has a version. What is called so alone
has the name of what is over it."""
_SHORT_FOR: Final = {
    short: frozenset(terms(meant))
    for short, meant in {
        "max": "maximum largest biggest highest longest most",
        "min": "minimum smallest lowest shortest least fewest",
        "db": "database",
        "dir": "directory folder",
        "env": "environment",
        "addr": "address",
    }.items()
}
"""What is written short in names, and what is asked for."""
_OTHER_KINDS: Final = frozenset({Kind.REASON, Kind.MANNER})
_DEFAULT: Final = lazy_regex(r"(?i)\bdefaults?\b")
_NO_VALUE: Final = lazy_regex(r"(?i)\W*(?:who|what(?:['’]s| is) an?\s)")
"""Asks for a person, or for what a thing is: "What is a port?"."""
_ASKS_NAME: Final = lazy_regex(
    r"(?i)\W*(?:which|what) (?:[a-z]+ )?(?:variable|setting|option|parameter|key|directive)s?\b"
)
"""Asks for the name, and not for what it is set to: "Which environment variable sets …?"."""
_WHERE: Final = lazy_regex(r"(?i)\W*where\b")
_SWITCH: Final = lazy_regex(r"(?i)[\d.]+|true|false|yes|no|on|off")
"""A value that cannot be a place."""
_PERSONS: Final = frozenset(terms("author maintainer contact"))
"""Stems of names that are set to persons: "written in" does not ask for an author."""


class Configured(NamedTuple):
    """What a name is set to."""

    text: str
    line: Line
    says: bool | None = None
    """Whether it says yes, where yes or no is asked."""
    is_clear: bool = True
    """Whether all that is asked is said, and no other setting says as much."""


class _Rating(NamedTuple):
    """How much of what is asked a setting has."""

    covered: float
    """With all that is over it."""
    named: float
    """In its name."""
    besides: int
    """Words of its name that were not asked for, below zero."""


class _Set(NamedTuple):
    """A line that sets something, and what it sets."""

    line: Line
    setting: Setting


def find_configured(question: str, pool: Pool) -> Configured | None:
    """Return what the setting that ``question`` asks of is set to; None where none clearly is.

    Args:
        question: What was asked.
        pool: The evidence, read.
    """
    text = last_question(question)
    kind = expected_kind(text)
    if not _may_ask_for_value(text, kind):
        return None
    told = [each for each in _set_in(pool) if _may_answer(text, kind, each.setting)]
    enough = [each for each in _rated(text, told, pool) if _is_enough(each[0])]
    return _most_fitting(text, kind, enough) if enough else None


def _may_ask_for_value(text: str, kind: Kind) -> bool:
    """Whether ``text`` may ask what a setting is set to: not who did, or what a thing is."""
    if not is_english() or kind in _OTHER_KINDS:
        return False
    return _NO_VALUE.match(text) is None and not asks_what_it_does(text)


def _most_fitting(text: str, kind: Kind, enough: Sequence[tuple[_Rating, _Set]]) -> Configured:
    """Return what the setting is set to that is rated best; clear where all such agree."""
    best, (line, setting) = max(enough, key=itemgetter(0))
    tell = attrgetter("name") if in_english(_ASKS_NAME.match, text) else _with_unit
    told = {tell(found.setting) for rating, found in enough if rating == best}
    says = is_on(text, setting.value) if kind is Kind.YES_NO else None
    is_clear = best.covered >= WHOLE and len(told) == 1
    return Configured(tell(setting), line, says, is_clear)


_UNIT: Final = lazy_regex(r"(?i)[a-z][_.-](?P<unit>seconds|minutes|hours|days|bytes)$")


def _with_unit(setting: Setting) -> str:
    """Return the value, with the unit in which its name says that it is: "TIMEOUT_SECONDS=20"."""
    unit = _UNIT.search(setting.name)
    return f"{setting.value} {unit['unit'].lower()}" if unit else setting.value


def _is_enough(rating: _Rating) -> bool:
    return rating.covered >= COVERED and rating.named > 0


def _rated(text: str, told: Sequence[_Set], pool: Pool) -> Iterator[tuple[_Rating, _Set]]:
    """Yield what is ``told``, rated by all that ``text`` asks, or by what is not vague of it."""
    if not told:
        return
    wanted = (Goal.besides(idle, text, pool) for idle in (_IDLE, _IDLE | _VAGUE))
    goals, asked = list(filter(None, wanted)), Goal(text, pool)
    for found in told if goals else ():
        yield max(_rate(found, goal, asked, pool) for goal in goals), found


_ITEM: Final = lazy_regex(
    r"`(?P<name>[A-Za-z][\w.-]{0,80}) ?= ?(?P<value>[^\s`]{1,80})`(?:\s*\([^()]{0,80}\))?\.?$"
)
"""An item of a list that sets a name, with no more than an aside: "`MAX_LOOPS=2` (as before)"."""


def _set_in(pool: Pool) -> Iterator[_Set]:
    """Yield the settings of configuration files and programs, and those that are items of lists."""
    for passage, lines in zip(pool.passages, pool.lines_of, strict=True):
        if _is_configuration(passage) or (_is_set(lines) and not _has_example(passage)):
            yield from (_Set(line, line.setting) for line in lines if line.setting)
        else:
            yield from filter(None, map(_set_by_item, lines))


def _set_by_item(line: Line) -> _Set | None:
    item = _ITEM.match(line.text) if line.listed else None
    if item is None:
        return None
    return _Set(line, Setting(line.start, item["name"], item["value"], over=()))


def _is_configuration(passage: Passage) -> bool:
    return file_name(passage).rpartition(".")[2] in _CONFIGURATION


def _has_example(passage: Passage) -> bool:
    return any(fence in passage.text for fence in _FENCES)


def _is_set(lines: Sequence[Line]) -> bool:
    """Whether enough of ``lines`` set something, besides items of lists: "scope.md: its sites"."""
    return sum(bool(line.setting) and not line.listed for line in lines) >= MOST * len(lines)


def _may_answer(text: str, kind: Kind, setting: Setting) -> bool:
    """Whether the value may be what ``text`` asks for.

    What is commented out is what holds without it: no more than a default.
    """
    if not (setting.in_force or _DEFAULT.search(text)):
        return False
    if _PERSONS & _named(setting.name) - frozenset(terms(text)):
        return False
    if kind is Kind.YES_NO:
        return is_on(text, setting.value) is not None
    if "{" in setting.value[1:]:
        return False  # it opens a block of a program: "class Pump : public Machine { }"
    return bool(setting.value) and _fits(text, kind, setting.value)


def _fits(text: str, kind: Kind, value: str) -> bool:
    """Whether ``value`` has a figure if one is asked for, and may be a place if one is."""
    if kind is Kind.NUMBER:
        return any(map(str.isdigit, value))
    return _WHERE.match(text) is None or _SWITCH.fullmatch(value) is None


def _rate(found: _Set, goal: Goal, asked: Goal, pool: Pool) -> _Rating:
    """Return how much of ``goal`` the setting has, and its name of all that is ``asked``."""
    line, setting = found
    own = _named(setting.name)
    nearest = _named(setting.over[-1]) if setting.over else frozenset[str]()
    named = own | nearest if own and own <= _VAGUE else own
    around = own | line.terms | pool.over(line) | pool.file_terms(line)
    besides = len(terms(apart(setting.name))) - asked.mask(own).bit_count()
    return _Rating(goal.share_in(around), asked.share_in(named), -besides)


def _named(name: str) -> frozenset[str]:
    """Return the stems of ``name``, and of what it has written short."""
    said = frozenset(terms(apart(name)))
    return said.union(*(_SHORT_FOR.get(each, frozenset[str]()) for each in said))
