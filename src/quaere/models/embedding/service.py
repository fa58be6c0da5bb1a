"""Embeddings of a service that speaks OpenAI's protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType

from pydantic import BaseModel, ConfigDict, ValidationError

from quaere.errors import ContractError, SettingsError
from quaere.models.client import NO_KEY
from quaere.models.embedding.cosine import Vector
from quaere.models.failures import failure
from quaere.models.spec import ModelAccess, ModelSpec
from quaere.resilience.thread import in_thread

BASE_URLS: Mapping[str, str] = MappingProxyType(
    {
        "openai": "https://api.openai.com/v1",
        "mistral": "https://api.mistral.ai/v1",
        "ollama": "http://127.0.0.1:11434/v1",
        "llamacpp": "http://127.0.0.1:8080/v1",
        "compatible": "",
    }
)
"""Where vendors of models have embeddings by OpenAI's protocol; empty where one has to be named."""


class _Item(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    index: int
    embedding: list[float]


class _Answer(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    data: list[_Item]


class ServiceEmbeddings:
    """Implements ``Embeddings`` by ``POST {base_url}/embeddings``."""

    def __init__(self, spec: ModelSpec, access: ModelAccess) -> None:
        """Check the configuration; make no request yet.

        Raises:
            SettingsError: when the vendor has no embeddings, or extra, key or base URL are missing.
        """
        if spec.vendor not in BASE_URLS:
            raise SettingsError(
                f"Quaere supports no embeddings of {spec.vendor}; supported are local,"
                f" {', '.join(BASE_URLS)}."
            )
        if find_spec("openai") is None:
            raise SettingsError(
                f"{spec.name} needs the client of OpenAI's protocol: pip install 'quaere[openai]'."
            )
        if spec.about.key_variable and not access.api_key.get_secret_value():
            raise SettingsError(f"{spec.name} needs a key: set {spec.about.key_variable}.")
        if not (access.base_url or BASE_URLS[spec.vendor]):
            raise SettingsError(
                f"{spec.name} needs the base URL of its server, such as http://127.0.0.1:8000/v1."
            )
        self._spec = spec
        self._access = access

    @property
    def name(self) -> str:
        """``vendor:model``."""
        return self._spec.name

    async def warm(self) -> None:
        """Import the client, in a thread: it takes seconds, which the first call would lose."""
        await in_thread(partial(import_module, "openai"))

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return the embedding of each of ``texts``."""
        import openai

        access = self._access
        try:
            # A client of its own for each request: connections belong to one event loop, and a run
            # has a handful of these requests.
            async with openai.AsyncOpenAI(
                api_key=access.api_key.get_secret_value() or NO_KEY,
                base_url=access.base_url or BASE_URLS[self._spec.vendor],
                timeout=access.timeout_s,
                max_retries=1,  # the run goes on without it
            ) as client:
                answer = await client.embeddings.create(
                    model=self._spec.model, input=list(texts), encoding_format="float"
                )
        except Exception as error:  # an address or a proxy that nobody can use has errors of httpx
            raise failure(error, self._spec, access) from error
        try:
            # The client takes whatever comes for an answer.
            items = _Answer.model_validate(answer).data
        except ValidationError as error:
            raise ContractError(f"{self.name} did not return embeddings.") from error
        return [item.embedding for item in sorted(items, key=lambda item: item.index)]
