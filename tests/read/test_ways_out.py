"""R3.3: all traffic of the project goes through the guard, because there is one way out."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "src" / "quaere"
NOWHERE: frozenset[str] = frozenset()
WAYS_OUT = {
    "aiohttp": {"read/transport.py"},
    # The server listens; it calls nobody.
    "socket": {"read/transport.py", "faces/server/serving.py"},
    # Servers of models on this machine are asked what they have, at loopback addresses alone.
    "http": {"models/nearby.py"},
    **dict.fromkeys(("ftplib", "smtplib", "telnetlib", "urllib.request"), NOWHERE),
    **dict.fromkeys(("h11", "h2", "httpcore", "httpcore2", "httpx"), NOWHERE),
    # A server that the operator has named as a model's is asked what it has room for.
    "httpx2": {"models/langchain.py"},
    **dict.fromkeys(("aiodns", "niquests", "pycurl", "requests", "urllib3"), NOWHERE),
    **dict.fromkeys(("websockets", "xmlrpc"), NOWHERE),
}
HARMLESS = {
    "http.HTTPStatus",
    "socket.EAI_NONAME",
    "socket.gaierror",
    "urllib.request.url2pathname",
    "urllib.request.pathname2url",
}
METHODS_OUT = {"create_connection", "open_connection", "sock_connect", "getaddrinfo", "fetch_url"}
RESOLVES = {"read/transport.py"}
MODULES = sorted(ROOT.rglob("*.py"))


def imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def is_way_out(name: str, way: str) -> bool:
    return name == way or name.startswith(f"{way}.")


def faults(place: str, source: str) -> list[str]:
    """The ways out that ``source`` takes and may not."""
    tree = ast.parse(source)
    found = [
        name
        for name in imports(tree)
        for way, allowed in WAYS_OUT.items()
        if is_way_out(name, way) and place not in allowed and name not in HARMLESS
    ]
    called = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return found + sorted(called & METHODS_OUT if place not in RESOLVES else ())


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_other_module_opens_a_connection(path: Path) -> None:
    assert faults(path.relative_to(ROOT).as_posix(), path.read_text("utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        "import httpx",
        "from urllib import request",
        "import urllib.request as web",
        "from aiohttp import ClientSession",
        "def f():\n    import socket",
        "import asyncio\nasyncio.open_connection('x', 80)",
        "import trafilatura\ntrafilatura.fetch_url('x')",
    ],
)
def test_every_way_out_would_be_found(source: str) -> None:
    assert faults("search/new.py", source)


def test_parsing_a_url_is_no_way_out() -> None:
    assert faults("search/fanout.py", "from urllib.parse import urlsplit") == []
    assert faults("cli/ask.py", "from urllib.request import url2pathname") == []
