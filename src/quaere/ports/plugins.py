"""What installed packages bring along: Python's entry points, by group."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.machinery import PathFinder
from importlib.metadata import EntryPoint, distributions
from pathlib import Path
from typing import TypeVar

from quaere.errors import SettingsError

T = TypeVar("T")

logger = logging.getLogger(__name__)

MAX_LINE_CHARS = 200
"""How much of the first line of a module is looked at."""


def plugins(group: str, kind: type[T], found: Iterable[EntryPoint] | None = None) -> tuple[T, ...]:
    """Return what the entry points of ``group`` name, by their names.

    One that cannot be loaded or is not a ``kind`` is left out, with a line in the log.

    Args:
        group: Such as ``quaere.search_providers``.
        kind: What each has to be.
        found: Entry points to take in place of those of the installed packages.
    """
    if found is not None:
        loaded, faults = _loaded(group, kind, found)
    else:
        loaded, faults = _of_installed(group, kind)
        if group in _TOLD:
            return loaded
        _TOLD.add(group)  # first: a line in the log may need the plug-ins itself
    for fault in faults:
        logger.warning("plug-in %s", fault)
    return loaded


def summaries(group: str) -> Mapping[str, str]:
    """Return what is said of each plug-in of ``group``, by its name; no plug-in is loaded.

    That is the first line of its module, without a name in front as in ``"``quaere eval``: "``.
    Where the file of the module is not found without importing anything, it is the summary of its
    package.
    """
    found = sorted(_installed().get(group, ()), key=lambda each: each.name)
    return {each.name: _first_line(each.module) or _summary(each) for each in found}


_FIRST_LINE = re.compile(r'r?"""(?:``[^`]*``: )?(.+?)(?:"""|\n)')


def _first_line(module: str) -> str:
    """Return the first line of the docstring of ``module``, or nothing where it is not found."""
    places: Sequence[str] | None = None
    origin: str | None = None
    parts = module.split(".")
    for length in range(1, len(parts) + 1):
        try:
            spec = PathFinder.find_spec(".".join(parts[:length]), places)
        except KeyError:  # a folder without a file of its own, in a package that is not imported
            return ""
        if spec is None:
            return ""
        places, origin = spec.submodule_search_locations, spec.origin
    if origin is None:
        return ""
    try:
        with Path(origin).open(encoding="utf-8") as file:
            match = _FIRST_LINE.match(file.readline(MAX_LINE_CHARS))
    except (OSError, UnicodeDecodeError):  # a module in an archive, or one that is compiled
        return ""
    return match[1] if match else ""


def _summary(each: EntryPoint) -> str:
    return each.dist.metadata["Summary"] if each.dist else ""


def plugin(group: str, name: str, kind: type[T]) -> T:
    """Return what the entry point ``name`` of ``group`` names; no other is loaded.

    Raises:
        SettingsError: when there is none, it cannot be loaded, or it is not a ``kind``.
    """
    named = [each for each in _installed().get(group, ()) if each.name == name]
    loaded, faults = _loaded(group, kind, named)
    if loaded:
        return loaded[0]
    raise SettingsError(f"Plug-in {'; '.join(faults) or f'{name} of {group} is not installed'}.")


def in_words(error: Exception) -> str:
    """Return what a plug-in raised, with its kind where the message does not tell it."""
    if isinstance(error, ImportError | AttributeError):
        return str(error)
    return f"{type(error).__name__}: {error}"


_TOLD: set[str] = set()
"""Groups whose faults are in the log."""


@cache
def _of_installed(group: str, kind: type[T]) -> tuple[tuple[T, ...], tuple[str, ...]]:
    return _loaded(group, kind, _installed().get(group, ()))


def _loaded(
    group: str, kind: type[T], found: Iterable[EntryPoint]
) -> tuple[tuple[T, ...], tuple[str, ...]]:
    """Return what could be loaded, and what is wrong with the rest."""
    loaded: list[T] = []
    faults: list[str] = []
    for each in sorted(found, key=lambda e: (e.name, e.value)):
        try:
            loaded.append(_load(each, kind))
        except SettingsError as error:
            faults.append(f"{each.name} of {group} {error.message}")
    return tuple(loaded), tuple(faults)


def _load(each: EntryPoint, kind: type[T]) -> T:
    """Return what ``each`` names.

    Raises:
        SettingsError: when it cannot be loaded, or is not a ``kind``.
    """
    try:
        named: object = each.load()
    except Exception as error:  # code of others may raise anything
        raise SettingsError(f"cannot be loaded: {in_words(error)}") from error
    if not isinstance(named, kind):
        raise SettingsError(f"is not a {kind.__name__}")
    return named


@cache
def _installed() -> Mapping[str, Sequence[EntryPoint]]:
    """Return all by group, as they were at the first call: looking through all packages is slow."""
    by_group: dict[str, list[EntryPoint]] = {}
    for package in distributions():
        for each in package.entry_points:
            by_group.setdefault(each.group, []).append(each)
    return by_group
