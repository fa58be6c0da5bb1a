"""Which tests may notice a change to the code, the nearest first; for ``bench/mutate.py``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path

from mutations import Mutation

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
PACKAGE = SOURCE / "quaere"
TESTS = ROOT / "tests"
MENTIONING = 10
"""Files: a name of the domain is used in a hundred, which take as long as the whole suite."""


class Stage(StrEnum):
    """How far afield tests are looked for, nearest first."""

    MODULE = "module"
    MENTIONS = "mentions"
    ROOM = "room"
    SUITE = "suite"


def tests_of(mutation: Mutation, stage: Stage) -> list[str]:
    """Return what ``stage`` runs for ``mutation``, relative to the project's folder."""
    path = mutation.path
    within = path.relative_to(PACKAGE)
    if stage is Stage.SUITE:
        return [_relative(TESTS)]
    room = _existing(TESTS / within.parent)
    names = _names_leading_to(mutation)
    if stage is Stage.ROOM:
        rooms = [] if room == TESTS else [_relative(room)]
        return _without_nested([*rooms, *_mentions(path, names)])
    nearest = _own(path) or _importers(dotted(path), room)
    nearest = _without_nested([*nearest, *_walkers(path)])
    if stage is Stage.MENTIONS:
        of_users = _of_users(path, names)[: MENTIONING // 2]
        near = dict.fromkeys([*of_users, *_mentions(path, names)])
        others = [test for test in near if test not in nearest][:MENTIONING]
        return others or ([] if nearest else [_relative(room)])
    return nearest


def _own(path: Path) -> list[str]:
    """Return the tests that bear the name of the module at ``path``."""
    room = _existing(TESTS / path.relative_to(PACKAGE).parent)
    own = sorted(room.glob(f"test_{path.stem}.py")) + sorted(room.glob(f"test_{path.stem}_*.py"))
    return [_relative(test) for test in own]


def _of_users(path: Path, names: Iterable[str]) -> list[str]:
    """Return the tests that bear the name of a module that imports the one at ``path``.

    What has no test of its own, such as a part of a class, is tested through them; those that use
    one of the ``names`` come first, then those of its own folder.
    """
    module = re.compile(rf"\b(?:from|import) {re.escape(dotted(path))}\b(?!\.)")
    sources = {user: user.read_text("utf-8") for user in sorted(PACKAGE.rglob("*.py"))}
    users = [user for user, source in sources.items() if module.search(source)]
    used = _any_of(names)
    users.sort(key=lambda user: (not used.search(sources[user]), user.parent != path.parent))
    return [test for user in users for test in _own(user)]


def _relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def _existing(folder: Path) -> Path:
    return folder if folder.is_dir() else _existing(folder.parent)


def dotted(path: Path) -> str:
    """Return what the module at ``path`` is imported as."""
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


def _importers(module: str, within: Path = TESTS) -> list[str]:
    name = re.compile(rf"\b(?:from|import) {re.escape(module)}\b(?!\.)")
    return [
        test
        for test, source in _test_sources()
        if (ROOT / test).is_relative_to(within) and name.search(source)
    ]


def _walkers(path: Path) -> list[str]:
    """Return the tests that look at every module of the package that the one at ``path`` is in."""
    package = f"{dotted(path.parent)}.__path__"
    return [test for test, source in _test_sources() if package in source]


def _mentions(path: Path, names: Iterable[str]) -> list[str]:
    """Return the tests that mention the module at ``path``, those that do so most often first.

    They import it, or use one of its ``names``.
    """
    room = re.escape(".".join(("quaere", *path.relative_to(PACKAGE).parts[:-1])))
    of_room = re.compile(rf"\b(?:from|import) {room}\b")
    importers = set(_importers(dotted(path)))
    used = _any_of(names)
    counts = {
        test: len(used.findall(source)) + (test in importers)
        for test, source in _test_sources()
        if test in importers or of_room.search(source)
    }
    mentioning = [test for test, count in counts.items() if count]
    return sorted(mentioning, key=lambda test: (-counts[test], test))


def _any_of(names: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, names)) or '(?!)'})\b")


def _names_leading_to(mutation: Mutation) -> list[str]:
    """Return the public names of the module that are changed or lead to what is; all, if none."""
    tree = ast.parse(mutation.path.read_text("utf-8"))
    uses = {name: part for part in tree.body for name in _defined_by(part)}
    reached = {
        name
        for name, part in uses.items()
        if part.lineno <= mutation.line <= (part.end_lineno or part.lineno)
    }
    while more := {name for name, part in uses.items() if _used_in(part) & reached} - reached:
        reached |= more
    public = [name for name in uses if not name.startswith("_") and not name.isupper()]
    return [name for name in public if name in reached] or public


def _defined_by(part: ast.stmt) -> list[str]:
    """Return the names that a statement of a module defines: of a class, a function, a value."""
    if isinstance(part, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
        return [part.name]
    if isinstance(part, (ast.Assign, ast.AnnAssign)):
        targets = part.targets if isinstance(part, ast.Assign) else [part.target]
        return [
            node.id for each in targets for node in ast.walk(each) if isinstance(node, ast.Name)
        ]
    return []


def _used_in(part: ast.stmt) -> set[str]:
    return {node.id for node in ast.walk(part) if isinstance(node, ast.Name)}


@cache
def _test_sources() -> list[tuple[str, str]]:
    tests = sorted(TESTS.rglob("test_*.py"))
    return [(_relative(test), test.read_text("utf-8")) for test in tests]


def _without_nested(tests: Sequence[str]) -> list[str]:
    return [test for test in tests if not any(str(up) in tests for up in Path(test).parents)]
