"""LangChain's adapters for MCP, with the older SDK that they need: ``make test-adapters``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.faces.cli.conftest import MILL

ADAPTERS = os.environ.get("QUAERE_TEST_ADAPTERS", "")
pytestmark = pytest.mark.skipif(not ADAPTERS, reason="make test-adapters installs them")

AGENT = """
import asyncio, json, sys
from langchain_mcp_adapters.client import MultiServerMCPClient

SERVER = json.loads(sys.argv[1])
CALL = {
    "type": "tool_call",
    "id": "1",
    "name": "deep_research",
    "args": {"question": "Who built the mill at Orrin?"},
}


async def main():
    client = MultiServerMCPClient({"quaere": {"transport": "stdio", **SERVER}})
    tools = {tool.name: tool for tool in await client.get_tools()}
    message = await tools["deep_research"].ainvoke(CALL)
    prompt = await client.get_prompt("quaere", "research", arguments={"question": "Who?"})
    print(json.dumps({
        "tools": [*tools],
        "content": message.content,
        "data": message.artifact["structured_content"],
        "prompt": prompt[0].content,
    }))


asyncio.run(main())
"""


def test_langchain_gets_the_tools_and_an_answer_that_every_model_takes(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "mill.md").write_text(MILL)
    server = {
        "command": sys.executable,
        "args": ["-m", "quaere", "mcp", "--docs", str(tmp_path / "notes")],
        "env": {
            "PATH": "",
            "QUAERE_CACHE_DIR": str(tmp_path / "cache"),
            "QUAERE_DATA_DIR": str(tmp_path / "data"),
        },
    }
    done = subprocess.run(
        [sys.executable, "-c", AGENT, json.dumps(server)],
        env={"PATH": "", "PYTHONPATH": str(Path(ADAPTERS).absolute())},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert "deep_research" in told["tools"]
    assert "Tamsin Wray" in told["data"]["answer"]
    assert {part["type"] for part in told["content"]} == {"text"}, "a model refuses other parts"
    assert "Who?" in told["prompt"]
