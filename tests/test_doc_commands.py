"""Every command that a page shows is run, page by page, as a reader would type it (R0.5)."""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tomllib
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from tests.evals.public_sets import (
    write_browsecomp_plus,
    write_deepresearch_bench,
    write_hotpot,
    write_simpleqa,
)
from tests.faces.cli.conftest import MILL
from tests.look_alikes.libraries import openalex
from tests.look_alikes.server import LookAlikeServer
from tests.look_alikes.shelf import Shelf
from tests.look_alikes.web_engines import brave, wikipedia
from tests.testing.server import DoubleServer

from quaere.testing import ScriptedModel

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[1]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SHELL = {"", "bash", "console", "sh"}
ENDINGS = {0, 3, 4}
"""The command did what it says, or says that the evidence does not answer the question."""
ELSEWHERE = {
    "docker": "deploy/try_containers.sh",
    "kubectl": "tests/deployment/test_kubernetes.py",
    "curl": "tests/faces/server/test_api_docs.py",
    "quaere serve": "tests/faces/server/test_api_docs.py",
    "nats-server": "tests/services",
    "llama-server": "tests/integration/llamacpp",
    "ollama": "tests/integration",
    "langgraph": "tests/graphs",
    "QUAERE_DOCS=docs LANGSMITH_TRACING=false langgraph": "tests/graphs",
    "python -m zipfile": "tests/models",
    "QUAERE_EMBEDDER=local": "tests/models",
    "make": "Makefile",
}
"""What is tried elsewhere, by how the line begins, and where."""
INSTEAD = {
    "export QUAERE_DATABASE_URL=postgresql://quaere@db.example/quaere": ":",
    "export QUAERE_CARRIER=nats://n1.example": ":",
    "export QUAERE_MODEL_BASE_URL=http://127.0.0.1:8000/v1": ":",
    "quaere worker --concurrency 40": "quaere worker --concurrency 40 --drain",
    "quaere export 4f2a --output r.docx": "quaere export --output r.docx",
}
"""What cannot be typed as it is: places of others, ids that everybody has of their own."""
FAILING = {
    "quaere cancel run",
    "quaere doctor",
    "quaere fleet drain WORKER",
    "quaere fleet redeliver ID",
    "quaere fleet requeue RUN",
    "quaere schedule remove ID",
    "quaere trace show RUN",
}
"""Commands that end with 1 or 2 here: they name what everybody has ids of their own for, a run is
over before it can be cancelled, and the doctor finds fault with keys that are made up."""


def typed(page: Path) -> list[str]:
    """Return what ``page`` has its reader type, without what is printed."""
    lines: list[str] = []
    for kind, block in BLOCK.findall(page.read_text("utf-8")):
        if kind not in SHELL:
            continue
        console = [line[2:] for line in block.splitlines() if line.startswith("$ ")]
        lines += console or block.splitlines()
    shell = re.compile(r"(?:export |[A-Z_]+=|\w+=\$\()*(?:some-assistant|quaere \w|[a-z-]+ )")
    known = ("quaere ", "export ", "run=", "some-assistant", "mkdir", "echo", *ELSEWHERE)
    return [
        line.partition("  #")[0].strip()
        for line in lines
        if shell.match(line) and line.startswith((*known, "pip install"))
    ]


def is_run(line: str) -> bool:
    return not line.startswith((*ELSEWHERE, "pip install", "quaere eval"))


PAGES = {
    page.stem: lines
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
    if page.stem not in {"cli", "index", "testing"}  # index.md: tests/test_site.py
    and any(map(is_run, lines := typed(page)))
}


def prepared(folder: Path) -> None:
    """Put what pages speak of into ``folder``."""
    for name in ("notes", "papers", "docs", "home/papers"):
        (folder / name).mkdir(parents=True)
        (folder / name / "mill.md").write_text(MILL, "utf-8")
    (folder / "report.md").write_text(
        "The mill at Orrin was built by Tamsin Wray in 1788 [1].\n\n[1]: notes/mill.md\n"
    )
    program = folder / "some-assistant"
    program.write_text("#!/bin/sh\ncat report.md\n")
    program.chmod(0o755)
    write_simpleqa(folder / "simple_qa_test_set.csv")
    write_hotpot(folder / "hotpot_dev_distractor_v1.json")
    write_deepresearch_bench(folder / "query.jsonl")
    data, corpus = write_browsecomp_plus(folder)
    data.rename(folder / "browsecomp_plus_decrypted.jsonl")
    (folder / "corpus").mkdir()
    corpus.rename(folder / "corpus" / "corpus.jsonl")


def script(lines: Sequence[str]) -> str:
    """Return a script that types ``lines`` and writes down how each of them ended."""
    steps = ["behind="]
    for line in lines:
        command = INSTEAD.get(line, line)
        if command.startswith("quaere bench"):
            command += " --yes"
        if command.endswith("&"):
            command += ' behind="$behind $!"'
        steps += [command, f'echo "$? {line.replace("$", "").replace(chr(34), "")}" >>ended']
    return "\n".join([*steps, "kill $behind 2>/dev/null", "wait"])


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
async def test_every_command_of_a_page_works(tmp_path: Path, name: str) -> None:
    """Against look-alikes of services and a model that answers in the smallest way."""
    prepared(tmp_path)
    lines = [line for line in PAGES[name] if is_run(line)]
    async with AsyncExitStack() as servers:
        model = await servers.enter_async_context(DoubleServer(ScriptedModel()))
        services = {
            "BRAVE_BASE_URL": brave(Shelf()),
            "OPENALEX_BASE_URL": openalex(Shelf()),
            "WIKIPEDIA_BASE_URL": wikipedia(Shelf()),
            "TAVILY_BASE_URL": brave(Shelf()),
        }
        served = {
            variable: (await servers.enter_async_context(LookAlikeServer(answer))).base_url
            for variable, answer in services.items()
        }
        vendors = ("openai", "compatible", "ollama", "anthropic", "llamacpp")
        environment = {
            **served,
            "PATH": os.pathsep.join(
                [str(tmp_path), str(Path(sys.executable).parent), os.environ["PATH"]]
            ),
            "HOME": str(tmp_path / "home"),
            "QUAERE_CACHE_DIR": str(tmp_path / "cache"),
            "QUAERE_DATA_DIR": str(tmp_path / "data"),
            "QUAERE_MODEL_BASE_URL": ",".join(f"{each}={model.base_url}" for each in vendors),
            "OPENAI_API_KEY": "none",
            "BRAVE_API_KEY": "none",
            "TAVILY_API_KEY": "none",
        }
        shell = await asyncio.create_subprocess_exec(
            *("sh", "-c", script(lines)),
            cwd=tmp_path,
            env=environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        _, stderr = await asyncio.wait_for(shell.communicate(), 900)
    told = (tmp_path / "ended").read_text("utf-8").splitlines()
    assert len(told) == len(lines)
    ended = [line.partition(" ")[::2] for line in told]
    wrong = [
        (code, line)
        for code, line in ended
        if int(code) not in ({*ENDINGS, 1, 2} if line in FAILING else ENDINGS)
    ]
    assert wrong == [], stderr.decode()
    assert "Internal error" not in stderr.decode()


def test_every_extra_that_a_page_installs_is_one() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
        "optional-dependencies"
    ]
    pages = (page.read_text("utf-8") for page in (ROOT / "docs").glob("*.md"))
    named = {
        name.strip()
        for text in pages
        for group in re.findall(r"quaere\[([\w, -]+)\]", text)
        for name in group.split(",")
    }
    assert len(named) > 5
    assert named <= extras.keys()


def test_what_is_tried_elsewhere_is_there() -> None:
    assert [place for place in ELSEWHERE.values() if not (ROOT / place).exists()] == []


def test_all_pages_with_commands_are_read() -> None:
    assert {"README", "folders", "jobs", "scaling", "checking", "benchmarks", "web-search"} <= {
        *PAGES
    }
