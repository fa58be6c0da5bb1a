"""Nothing of POSIX is called on Windows: each such call has a guard (macOS is POSIX as well)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "quaere"

MODULES = {"fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog"}
CALLS = {
    "add_signal_handler",
    "remove_signal_handler",
    "fork",
    "forkpty",
    "getuid",
    "geteuid",
    "getgid",
    "setsid",
    "getpgid",
    "killpg",
    "kill",  # on Windows any signal is the end of the process, 0 as well
    "fchmod",
    "fchown",
    "statvfs",
    "mkfifo",
    "getloadavg",
    "sched_getaffinity",
    "wait3",
    "wait4",
    "alarm",
    "setitimer",
    "open_unix_connection",
    "start_unix_server",
}
NAMES = {"AF_UNIX", "SIGKILL", "SIGHUP", "SIGALRM", "SIGUSR1", "SIGUSR2", "SIGCHLD", "O_DIRECTORY"}
ARGUMENTS = {"preexec_fn", "pass_fds", "dir_fd"}
GUARDS = ("sys.platform", "os.name", "platform.system", "hasattr")
CAUGHT = ("ImportError", "ModuleNotFoundError", "NotImplementedError", "AttributeError")


def posix_only(node: ast.AST) -> str:
    """Return what of ``node`` Windows lacks; empty for nothing."""
    match node:
        case ast.Import(names):
            return next((each.name for each in names if each.name in MODULES), "")
        case ast.ImportFrom(module=str(module)) if module in MODULES:
            return module
        case ast.Call(func=ast.Attribute(attr=name)) if name in CALLS and not _of_a_process(node):
            return name
        case ast.Attribute(attr=name) if name in NAMES:
            return name
        case ast.keyword(arg=str(name)) if name in ARGUMENTS:
            return name
        case _:
            return ""


def _of_a_process(call: ast.Call) -> bool:
    """Return whether ``kill`` is that of a process of subprocess, which Windows has."""
    function = call.func
    return (
        isinstance(function, ast.Attribute)
        and not (isinstance(function.value, ast.Name) and function.value.id == "os")
        and function.attr == "kill"
    )


def unguarded(tree: ast.AST) -> Iterator[str]:
    """Yield what is called without a look at the platform and without catching that it lacks it."""
    yield from _below(tree, guarded=False)


def _below(node: ast.AST, *, guarded: bool) -> Iterator[str]:
    if not guarded and (name := posix_only(node)):
        yield f"{getattr(node, 'lineno', 0)}: {name}"
    inside = guarded or _guards(node)
    for child in ast.iter_child_nodes(node):
        # After an early return for other platforms the rest of a function is guarded.
        inside = inside or (isinstance(child, ast.If) and _looks(child) and _leaves(child))
        yield from _below(child, guarded=inside)


def _guards(node: ast.AST) -> bool:
    match node:
        case ast.If() | ast.IfExp():
            return _looks(node)
        case ast.Try(handlers=handlers):
            return any(
                name in ast.unparse(each.type) for each in handlers if each.type for name in CAUGHT
            )
        case ast.With(items=items):
            shown = " ".join(ast.unparse(item.context_expr) for item in items)
            return "suppress" in shown and any(name in shown for name in CAUGHT)
        case _:
            return False


def _looks(node: ast.If | ast.IfExp) -> bool:
    return any(guard in ast.unparse(node.test) for guard in GUARDS)


def _leaves(node: ast.If) -> bool:
    return isinstance(node.body[-1], ast.Return | ast.Raise | ast.Continue)


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("import fcntl", ["1: fcntl"]),
        ("try:\n    import fcntl\nexcept ImportError:\n    fcntl = None", []),
        ("loop.add_signal_handler(2, stop)", ["1: add_signal_handler"]),
        ("with suppress(NotImplementedError):\n    loop.add_signal_handler(2, stop)", []),
        (
            "with suppress(OSError):\n    loop.add_signal_handler(2, stop)",
            ["2: add_signal_handler"],
        ),
        ("if sys.platform != 'win32':\n    os.fork()", []),
        ("def f():\n    if os.name != 'posix':\n        return\n    os.kill(1, 0)", []),
        ("def f():\n    os.kill(1, 0)", ["2: kill"]),
        ("process.kill()", []),
        ("os.kill(pid, signal.SIGKILL)", ["1: kill", "1: SIGKILL"]),
    ],
)
def test_a_call_without_a_guard_is_noticed(code: str, found: list[str]) -> None:
    assert list(unguarded(ast.parse(code))) == found


def test_nothing_of_posix_is_without_a_guard() -> None:
    files = sorted(SOURCE.rglob("*.py"))
    assert len(files) > 200
    found = {
        str(path.relative_to(SOURCE)): lost
        for path in files
        if (lost := list(unguarded(ast.parse(path.read_text("utf-8")))))
    }
    assert found == {}
