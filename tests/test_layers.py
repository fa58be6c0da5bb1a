"""The direction of the arrows: a module imports only from ranks below its own."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "src" / "quaere"
RANKS = [
    "version errors",
    "domain",
    "text ports",
    "resilience",
    "models",
    "plan search index read evidence synthesize verify reason store testing",
    "graphs audit view",
    "runtime",
    "faces",
]
RANK = {part: rank for rank, parts in enumerate(RANKS) for part in parts.split()}
ONLY_IN = {
    "langgraph": {"graphs"},
    "langchain_core": {"models", "graphs"},
    "sqlalchemy": {"store"},
    "alembic": {"store"},
    "aiosqlite": {"store"},
    "pydantic_settings": {"runtime"},
    "typer": {"faces"},
    "rich": {"faces"},
    "mcp": {"faces"},
    "mcp_types": {"faces"},
}
EXCEPTIONS = {("langchain_core", "faces/langchain.py")}
"""A face for users of LangChain, which nothing else imports."""
MODULES = sorted(ROOT.rglob("*.py"))


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            yield node.module or ""


def part_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_point_down(path: Path) -> None:
    own = part_of(path)
    if own in {"__init__", "__main__"}:
        return
    assert own in RANK, f"{own} has no rank; give it one here and in docs/architecture.md"
    for name in imports(path):
        package, _, rest = name.partition(".")
        other = rest.split(".")[0]
        if package == "quaere" and other and other != own:
            assert RANK[other] < RANK[own], f"{own} imports {other}"
        if (package, path.relative_to(ROOT).as_posix()) in EXCEPTIONS:
            continue
        assert own in ONLY_IN.get(package, {own}), f"only {ONLY_IN.get(package)} imports {package}"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_only_settings_read_the_environment(path: Path) -> None:
    if path.name == "settings.py":
        return
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    names = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    assert not names & {"environ", "getenv", "environb"}, f"{path} reads the environment"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_no_module_is_long(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 600
