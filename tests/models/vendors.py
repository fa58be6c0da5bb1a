"""Every vendor's client, with the look-alike of its service."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import MappingProxyType

from pydantic import SecretStr
from tests.look_alikes.models.anthropic import Messages
from tests.look_alikes.models.gemini import GenerateContent
from tests.look_alikes.models.ollama import OllamaChat
from tests.look_alikes.models.openai import ChatCompletions
from tests.look_alikes.models.server import ModelServer, Wire

from quaere.models import LangChainModel, ModelAccess, ModelSpec, open_model

KEY = "sk-moth-0123456789"


@dataclass(frozen=True)
class Service:
    """A model, and how its vendor speaks."""

    model: str
    wire: Wire
    path: str = ""
    """What the base URL ends in."""
    details: bool = True
    """Whether usage tells of cached tokens and thoughts."""


_OPENAI = ChatCompletions()

SERVICES: Mapping[str, Service] = MappingProxyType(
    {
        "openai": Service("gpt-4.1-mini", _OPENAI, "/v1"),
        "anthropic": Service("claude-sonnet-4-6", Messages()),
        "google": Service("gemini-2.5-flash", GenerateContent()),
        "groq": Service(
            "openai/gpt-oss-20b",
            ChatCompletions(thoughts="reasoning", groq=True, usage_asked=False),
        ),
        "deepseek": Service("deepseek-chat", ChatCompletions(thoughts="reasoning_content"), "/v1"),
        "mistral": Service(
            "mistral-large-latest",
            ChatCompletions(usage_with_last=True, usage_asked=False),
            "/v1",
            details=False,
        ),
        "ollama": Service("llama3.2:3b", OllamaChat(), details=False),
        "compatible": Service("org/moth-8b", _OPENAI, "/v1"),
        "lmstudio": Service("moth-8b", _OPENAI, "/v1"),
        "llamacpp": Service("moth", _OPENAI, "/v1"),
    }
)


@asynccontextmanager
async def opened(
    vendor: str,
    server: ModelServer,
    *,
    model: str = "",
    timeout_s: float = 20.0,
    context_tokens: int | None = None,
) -> AsyncGenerator[LangChainModel]:
    """Open a model of ``vendor`` that is reached at ``server``."""
    service = SERVICES[vendor]
    access = ModelAccess(
        base_url=server.base_url + service.path,
        api_key=SecretStr(KEY),
        timeout_s=timeout_s,
        context_tokens=context_tokens,
    )
    found = open_model(ModelSpec.parse(f"{vendor}:{model or service.model}"), access)
    try:
        yield found
    finally:
        await found.aclose()
