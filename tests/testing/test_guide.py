"""The guide shows what works."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import pytest

import quaere.testing
from quaere.testing.doubles import Options

pytestmark = pytest.mark.anyio

GUIDE = (Path(__file__).parents[2] / "docs" / "testing.md").read_text("utf-8")
EXAMPLE = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


async def test_every_example_runs(tmp_path: Path) -> None:
    names: dict[str, object] = {"folder": tmp_path}
    examples = EXAMPLE.findall(GUIDE)
    assert len(examples) >= 6
    for example in examples:
        flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        running = eval(compile(example, "docs/testing.md", "exec", flags), names)  # noqa: S307
        if inspect.isawaitable(running):
            await running


def test_every_double_and_option_is_told_of() -> None:
    for name in quaere.testing.__all__:
        assert name in GUIDE
    for option in Options.__annotations__:
        assert f"| `{option}` |" in GUIDE
