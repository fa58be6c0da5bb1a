"""What a service may make of our memory: its answer is limited as it comes, decoded."""

from __future__ import annotations

import gzip
import resource
import zlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from aiohttp import web
from pydantic import SecretStr
from tests.contracts.chat_model import PLAIN

from quaere.errors import ModelRejected
from quaere.models import LangChainModel
from quaere.models.vendors import ModelAccess, ModelSpec

pytestmark = pytest.mark.anyio

VENDORS = ("openai", "anthropic", "google", "groq", "mistral", "ollama")
MB = 1_000_000


def bomb(megabytes: int) -> bytes:
    """Return so much of one letter, packed, without ever holding it."""
    packer = zlib.compressobj(9, wbits=31)
    parts = [packer.compress(b"A" * MB) for _ in range(megabytes)]
    return b"".join([*parts, packer.flush()])


BOMB = bomb(600)


@asynccontextmanager
async def serving(body: bytes, coding: str) -> AsyncGenerator[str]:
    """Answer every request with ``body``, which is in ``coding``."""

    async def answer(_: web.Request) -> web.Response:
        headers = {"Content-Encoding": coding} if coding else {}
        return web.Response(body=body, content_type="application/json", headers=headers)

    app = web.Application()
    app.router.add_route("*", "/{tail:.*}", answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize(
    ("body", "coding"),
    [(BOMB, "gzip"), (gzip.compress(BOMB), "gzip, gzip"), (b"A" * (12 * MB), "")],
    ids=["bomb", "bomb in a bomb", "long"],
)
async def test_an_answer_without_end_is_not_read_into_memory(
    vendor: str, body: bytes, coding: str
) -> None:
    async with serving(body, coding) as url:
        access = ModelAccess(base_url=url, api_key=SecretStr("key"), timeout_s=30)
        model = LangChainModel(ModelSpec.parse(f"{vendor}:any"), access)
        try:
            await model.warm()
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            with pytest.raises(ModelRejected, match=r"larger than 8 MB|compressed twice"):
                await model.complete(PLAIN)
            grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        finally:
            await model.aclose()
    assert grown < 100_000, "kilobytes"
