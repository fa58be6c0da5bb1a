"""Runs tests on mutants in processes forked from one that has imported the package already.

Started by ``bench/mutate.py`` in a copy of the project, with one JSON object a line on standard
input: ``{"module": name, "tests": [...], "deselected": [...], "timeout_s": 60}``. A module that is
not ``null`` has changed on disk since this process imported it: the code of its functions is taken
from there. Answers with one line each, ``{"returncode": 1, "output": "..."}``; the code is ``null``
where the tests took too long, and ``"outside"`` where the change is not within a function, so that
only a fresh process would see it.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import NamedTuple, TypedDict

import pytest

import quaere

CO_OPTIMIZED = 1
"""Set in the code of a function, and not in that of a module or a class (``inspect``)."""
POLL_S = 0.01
OUTSIDE, CRASHED = 77, 78
"""Exit codes of a child that could not take the change, or not even try; pytest has neither."""


class Request(TypedDict):
    """One line of standard input."""

    module: str | None
    tests: list[str]
    deselected: list[str]
    timeout_s: float


def import_all() -> None:
    """Import every module of the package whose extras are installed."""
    for found in pkgutil.walk_packages(quaere.__path__, "quaere."):
        if not found.name.endswith("__main__"):
            try:
                importlib.import_module(found.name)
            except ImportError:
                continue


def functions_in(code: CodeType) -> Iterator[CodeType]:
    """Yield the functions that a module or its classes define, without those within functions."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            if constant.co_flags & CO_OPTIMIZED:
                yield constant
            else:
                yield from functions_in(constant)


def described(code: CodeType) -> list[object]:
    """Return what ``code`` does, wherever it stands, for comparing."""
    constants = (
        described(one) if isinstance(one, CodeType) else repr(one) for one in code.co_consts
    )
    return [code.co_code, code.co_names, *constants]


def outside_of_functions(code: CodeType) -> list[object]:
    """Return what a module and its classes execute, for comparing."""
    constants = [one for one in code.co_consts if not isinstance(one, CodeType)]
    classes = [
        outside_of_functions(one)
        for one in code.co_consts
        if isinstance(one, CodeType) and not one.co_flags & CO_OPTIMIZED
    ]
    return [code.co_code, repr(constants), code.co_names, classes]


class Imported(NamedTuple):
    """A module as it was imported."""

    path: Path
    source: str
    functions: list[FunctionType]
    """All that its code made, methods and closures included."""


def imported() -> dict[str, Imported]:
    """Return the package's modules by name."""
    functions: dict[str, list[FunctionType]] = {}
    for one in gc.get_objects():
        if isinstance(one, FunctionType):
            functions.setdefault(one.__code__.co_filename, []).append(one)
    return {
        name: Imported(path, path.read_text("utf-8"), functions.get(str(path), []))
        for name, module in list(sys.modules.items())
        if name.split(".")[0] == "quaere" and module.__file__
        for path in [Path(module.__file__)]
    }


def take_changes(module: Imported) -> bool:
    """Give the module's functions the code in its file; return False if others changed as well."""
    path = module.path
    before = compile(module.source, str(path), "exec", dont_inherit=True)
    after = compile(path.read_text("utf-8"), str(path), "exec", dont_inherit=True)
    pairs = list(zip(functions_in(before), functions_in(after), strict=False))
    if outside_of_functions(before) != outside_of_functions(after):
        return False
    if len(pairs) != len(list(functions_in(before))):
        return False
    changed = {
        (old.co_qualname, old.co_firstlineno): new
        for old, new in pairs
        if described(old) != described(new)
    }
    done = set[tuple[str, int]]()
    for function in module.functions:
        key = (function.__code__.co_qualname, function.__code__.co_firstlineno)
        new = changed.get(key)
        if new is not None and len(new.co_freevars) == len(function.__code__.co_freevars):
            function.__code__ = new
            done.add(key)
    return bool(done) and done == set(changed)


def answer(request: Request, modules: dict[str, Imported]) -> dict[str, object]:
    """Run the tests in a process of their own."""
    with tempfile.TemporaryDirectory() as work:
        child = os.fork()
        if child == 0:
            code = CRASHED
            try:
                code = run(request, modules, Path(work))
            finally:
                if code == CRASHED:
                    traceback.print_exc()
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        until = time.monotonic() + request["timeout_s"]
        ended, status = os.waitpid(child, os.WNOHANG)
        while not ended and time.monotonic() < until:
            time.sleep(POLL_S)
            ended, status = os.waitpid(child, os.WNOHANG)
        if not ended:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return {"returncode": None, "output": ""}
        output = Path(work, "output").read_text("utf-8", errors="replace")
    code = os.waitstatus_to_exitcode(status)
    return {"returncode": "outside" if code in {OUTSIDE, CRASHED} else code, "output": output}


def run(request: Request, modules: dict[str, Imported], work: Path) -> int:
    """Take the change, run the tests and return pytest's code."""
    os.setsid()
    with (work / "output").open("wb") as output:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
    with Path(os.devnull).open("rb") as nothing:  # not the next requests
        os.dup2(nothing.fileno(), 0)
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = str(work / "hypothesis")
    name = request["module"]
    if name is not None and not (name in modules and take_changes(modules[name])):
        return OUTSIDE
    options = ["-x", "-q", "--tb=no", "-p", "no:cacheprovider", "-p", "no:langsmith_plugin"]
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # plugins are imported already
    options += [f"--basetemp={work}/tests"]
    options += [f"--deselect={test}" for test in request["deselected"]]
    return int(pytest.main([*options, *request["tests"]]))


def main() -> None:
    """Import everything, then answer one request after another."""
    import_all()
    modules = imported()
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    gc.freeze()  # so that children share its memory
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        request: Request = json.loads(line)
        print(json.dumps(answer(request, modules)), file=answers, flush=True)


if __name__ == "__main__":
    main()
