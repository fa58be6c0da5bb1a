"""Style sheets as far as it takes to know what a page hides: which rules hold for an element.

Selectors by name, class, id and attribute are read, within others (``main .note``) and right within
them (``ul > li``). Rules for a state of the page (``:hover``, ``.open .answer``), for siblings and
for windows of some width hide nothing, and tell what a reader may make the page show. Rules for
paper are left out.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from quaere.text.markup import Element, local_name

MAX_RULES = 20_000
"""Rules of a page that are looked at; large sites have some thousands."""
_MAX_COMPOUNDS = 8

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|<!--|-->", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:([0-9A-Fa-f]{1,6})[ \t\n]?|([^\n]))")
_PIECE = re.compile(r"\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'|[{};]")
_IMPORTANT = re.compile(r"!\s*important\s*$", re.IGNORECASE)
_PLAIN_GROUP = re.compile(
    r"@(?:layer|supports)\b|@media\s*(?:all|screen|only\s+screen)?\s*$", re.IGNORECASE
)
"""How groups of rules begin that hold for every reader of a screen."""
_OTHER_GROUP = re.compile(r"@container\b|@media\b(?!\s*(?:only\s+)?print\b)", re.IGNORECASE)
"""How those begin that hold for some: by the width of the window, or the colours they prefer."""
_LAST = re.compile(r"[^\s>+~]*$")
_BASE = re.compile(r"[.#][\w-]+")
_FUNCTION = re.compile(r"\([^()]*\)")
_MADE_UP = re.compile(r"::|:(?:before|after|first-l)")
"""Rules for what a style sheet adds to the text of an element."""
_COMPOUND = re.compile(
    r"\*|(?P<name>[A-Za-z][\w-]*)|\.(?P<class>[\w-]+)|\#(?P<id>[\w-]+)"
    r"|\[\s*(?P<attribute>[A-Za-z][\w:-]*)\s*(?:(?P<how>[~|^$*]?)=\s*(?P<value>\"[^\"]*\"|'[^']*'|[\w-]+)\s*)?\]"
)
_STEP = re.compile(r"\s*(>)\s*|\s+")


Keys = Mapping[Element, frozenset[str]]
"""The name, ``.classes`` and ``#id`` of each element of a page."""
_NONE: frozenset[str] = frozenset()


class Declared(NamedTuple):
    """What a rule, or the style of an element, says of one property."""

    value: str
    """In lower case."""
    is_important: bool = False


class _Attribute(NamedTuple):
    name: str
    how: str | None
    """None where it only has to be there."""
    value: str

    def fits(self, element: Element) -> bool:
        held = dict(element.items()).get(self.name)
        if held is None or self.how is None:
            return held is not None
        return _TESTS[self.how](held, self.value)


_TESTS: Mapping[str, Callable[[str, str], bool]] = {
    "": lambda held, value: held == value,
    "~": lambda held, value: value in held.split(),
    "|": lambda held, value: held == value or held.startswith(f"{value}-"),
    "^": lambda held, value: value != "" and held.startswith(value),
    "$": lambda held, value: value != "" and held.endswith(value),
    "*": lambda held, value: value != "" and value in held,
}
"""What an attribute must be to a value, by the sign before the equals sign."""


class _Compound(NamedTuple):
    """What is asked of one element."""

    asked: frozenset[str]
    """Its name, ``.classes`` and ``#id``; none are any element."""
    attributes: tuple[_Attribute, ...]

    def fits(self, element: Element, keys: Keys) -> bool:
        has = keys.get(element, _NONE)
        return self.asked <= has and all(each.fits(element) for each in self.attributes)


class _Selector(NamedTuple):
    compounds: tuple[_Compound, ...]
    """The last is of the element itself, those before of elements around it."""
    is_parent: tuple[bool, ...]
    """Of each but the last, whether it has to be right around the next."""

    @property
    def weight(self) -> tuple[int, int, int]:
        """What decides between selectors that contradict each other, as the standard counts it."""
        first = [key[0] for each in self.compounds for key in each.asked]
        ids, classes = first.count("#"), first.count(".")
        attributes = sum(len(each.attributes) for each in self.compounds)
        return ids, classes + attributes, len(first) - ids - classes

    @property
    def asked(self) -> frozenset[str]:
        """The names, ``.classes`` and ``#ids`` without which it holds for nothing."""
        return frozenset(key for each in self.compounds for key in each.asked)

    def fits(self, element: Element, keys: Keys) -> bool:
        """Whether it holds for ``element``."""
        return self.compounds[-1].fits(element, keys) and self._is_within(
            element.getparent(), len(self.compounds) - 2, keys
        )

    def _is_within(self, around: Element | None, at: int, keys: Keys) -> bool:
        """Whether ``around``, or what that is in, is as the compounds up to ``at`` say."""
        if at < 0:
            return True
        while around is not None:
            outer = around.getparent()
            if self.compounds[at].fits(around, keys) and self._is_within(outer, at - 1, keys):
                return True
            if self.is_parent[at]:
                return False
            around = outer
        return False


class _Rule(NamedTuple):
    weight: tuple[int, int, int]
    number: int
    """Later rules have lower ones."""
    declared: Mapping[str, Declared]
    selector: _Selector | None = None
    """None where it is of a state that the page may come to."""


@dataclass(slots=True)
class StyleSheets:
    """The rules for a page, by what is asked of the element itself."""

    keys: Keys
    present: frozenset[str]
    """What its elements have of those: rules for others are left out."""
    _by_key: dict[str, list[_Rule]] = field(default_factory=lambda: defaultdict(list))
    _of_states: dict[str, list[_Rule]] = field(default_factory=lambda: defaultdict(list))
    _left: int = MAX_RULES

    def add(self, sheet: str, properties: frozenset[str]) -> None:
        """Take in the rules of ``sheet`` that say something of one of ``properties``."""
        for selectors, block, holds in _rules(_COMMENT.sub(" ", sheet)):
            declared = {n: v for n, v in declarations(block).items() if n in properties}
            for each in selectors.split(",") if declared else ():
                if self._left:
                    self._left -= 1
                    self._add(each.strip().replace(":root", "html"), declared, holds=holds)

    def _add(self, written: str, declared: Mapping[str, Declared], *, holds: bool) -> None:
        called = _BASE.findall(written)
        if called and self.present.isdisjoint(called):
            return
        is_absent = "[" not in written and not self.present.issuperset(called)
        selector = None if is_absent or not holds else _selector(written)
        weight = selector.weight if selector else _weight(written)
        if selector and selector.asked <= self.present:
            rule = _Rule(weight, self._left, declared, selector)
            self._by_key[_key(selector.compounds[-1])].append(rule)
        if (base := _base(written)) in self.present:
            self._of_states[base].append(_Rule(weight, self._left, declared))

    def values_of(self, properties: Sequence[str]) -> frozenset[str]:
        """Return all that the rules that hold say of ``properties``."""
        rules = chain.from_iterable(self._by_key.values())
        told = (
            rule.declared[name] for rule in rules for name in properties if name in rule.declared
        )
        return frozenset(each.value for each in told)

    def among(self, wanted: Callable[[Mapping[str, Declared]], bool]) -> StyleSheets:
        """Return the rules that hold for every reader and declare what is ``wanted``."""
        chosen = {
            key: [rule for rule in rules if wanted(rule.declared)]
            for key, rules in self._by_key.items()
        }
        return StyleSheets(
            self.keys, self.present, {key: rules for key, rules in chosen.items() if rules}
        )

    def say_something_of(self, element: Element) -> bool:
        """Whether one of the rules holds for ``element``."""
        return any(True for _ in self._fitting(element))

    def declared_for(self, element: Element, *, in_any_state: bool) -> dict[str, Declared]:
        """Return what holds for ``element``, its own style among it.

        Args:
            element: One of the page.
            in_any_state: Take in the rules for what the page may become, too: of those that
                contradict each other, the one counts that would if all held.
        """
        fitting = list(self._fitting(element))
        if in_any_state:
            keys = self.keys.get(element, _NONE)
            fitting += [rule for key in keys for rule in self._of_states.get(key, ())]
        fitting.sort(key=lambda rule: (rule.weight, -rule.number))
        own = declarations(element.get("style", ""))
        return _cascaded((*(rule.declared for rule in fitting), own))

    def _fitting(self, element: Element) -> Iterator[_Rule]:
        """Yield the rules for ``element`` as it is."""
        for key in ("", *self.keys.get(element, _NONE)):
            for rule in self._by_key.get(key, ()):
                if rule.selector and rule.selector.fits(element, self.keys):
                    yield rule


def _cascaded(each: Iterable[Mapping[str, Declared]]) -> dict[str, Declared]:
    """Return what holds of ``each``: the latest, unless an earlier one is important."""
    found: dict[str, Declared] = {}
    for declared in each:
        for name, value in declared.items():
            if value.is_important or name not in found or not found[name].is_important:
                found[name] = value
    return found


def keys_of(root: Element) -> dict[Element, frozenset[str]]:
    """Return the name, ``.classes`` and ``#id`` of each element under ``root``."""
    known = dict[tuple[str, str, str], frozenset[str]]()
    found = dict[Element, frozenset[str]]()
    for element in root.iter("*"):
        told = (local_name(element).lower(), element.get("class", ""), element.get("id", ""))
        if told not in known:
            name, classes, identity = told
            called = {f"#{identity}"} if identity else set[str]()
            known[told] = frozenset({name, *called, *(f".{each}" for each in classes.split())})
        found[element] = known[told]
    return found


def declarations(block: str) -> dict[str, Declared]:
    """Return what ``block``, the inside of a rule or the style of an element, declares."""
    found: dict[str, Declared] = {}
    if not block:
        return found
    for each in _unescaped(_COMMENT.sub("", block)).split(";"):
        name, colon, value = each.partition(":")
        if colon:
            plain = _IMPORTANT.sub("", value)
            is_important = plain != value
            found[name.strip().lower()] = Declared(" ".join(plain.lower().split()), is_important)
    return found


def _unescaped(text: str) -> str:
    def written(match: re.Match[str]) -> str:
        code = int(match[1], 16) if match[1] else 0
        return match[2] or (chr(code) if 0 < code < 0xD800 else "\ufffd")

    return _ESCAPE.sub(written, text) if "\\" in text else text


def _rules(sheet: str) -> Iterator[tuple[str, str, bool]]:
    """Yield the selectors of each rule, what is declared there, and if it holds for every reader.

    Of those that do not, only the rules for other windows are among them.
    """
    around: list[str] = []
    begun = 0
    for piece in _PIECE.finditer(sheet):
        if piece[0] == "{":
            around.append(sheet[begun : piece.start()].strip())
        elif piece[0] == "}" and around:
            head = around.pop()
            others = [each for each in around if not _PLAIN_GROUP.match(each)]
            if not head.startswith("@") and all(map(_OTHER_GROUP.match, others)):
                yield head, sheet[begun : piece.start()], not others
        elif piece[0] != ";" or _is_declared(around):
            continue
        begun = piece.end()


def _is_declared(around: Sequence[str]) -> bool:
    """Whether a semicolon ends a declaration, and no statement such as ``@import``."""
    return bool(around) and not around[-1].startswith("@")


def _selector(written: str) -> _Selector | None:
    """Return a selector; None for one that is not understood."""
    compounds: list[_Compound] = []
    is_parent: list[bool] = []
    at = 0
    while at < len(written):
        if compounds:
            if not (step := _STEP.match(written, at)):
                return None
            is_parent.append(step[1] is not None)
            at = step.end()
        end, compound = _compound(written, at)
        if end == at or len(compounds) == _MAX_COMPOUNDS:
            return None
        compounds.append(compound)
        at = end
    return _Selector(tuple(compounds), tuple(is_parent)) if compounds else None


def _compound(written: str, at: int) -> tuple[int, _Compound]:
    """Return what is asked of one element, and where that ends; at its beginning for nothing."""
    asked: set[str] = set()
    attributes: list[_Attribute] = []
    while part := _COMPOUND.match(written, at):
        if part["name"]:
            asked.add(part["name"].lower())
        elif part["class"] or part["id"]:
            asked.add(part[0])
        elif part["attribute"]:
            value = (part["value"] or "").strip("\"'")
            attributes.append(_Attribute(part["attribute"].lower(), part["how"], value))
        at = part.end()
    return at, _Compound(frozenset(asked), tuple(attributes))


def _base(written: str) -> str:
    """Return the class or id by which a selector calls the element itself, before its states.

    It is empty where it calls it by its name alone, or is of what is added to its text.
    """
    if _MADE_UP.search(written):
        return ""
    last = _LAST.search(_FUNCTION.sub("", written))
    base = _BASE.search(last[0]) if last else None
    return base[0] if base else ""


def _weight(written: str) -> tuple[int, int, int]:
    """Return about what decides between a selector that is not understood and others."""
    return written.count("#"), sum(map(written.count, ".:[")), 0


def _key(compound: _Compound) -> str:
    """Return by what a rule is found, that ends in ``compound``."""
    return min(compound.asked, default="")  # an id comes before a class, and that before a name
