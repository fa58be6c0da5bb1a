"""Embeddings: those that this machine makes itself, by fastembed, and those of a service.

The services speak OpenAI's protocol.
"""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property, partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from textwrap import shorten
from types import MappingProxyType
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, ValidationError

from quaere.errors import ContractError, ModelRejected, SettingsError
from quaere.models.client import NO_KEY, check_access
from quaere.models.failures import failure
from quaere.models.similarity import CosineEmbedder, Vector
from quaere.models.vendors import ModelAccess, ModelSpec
from quaere.resilience.thread import in_thread

if TYPE_CHECKING:
    from fastembed import TextEmbedding

    from quaere.models.bert import Bert

VENDOR = "local"
WEIGHTS = "model.safetensors"
MODEL_FILES = ("model.onnx", "onnx/model.onnx", "model_optimized.onnx")
"""Where a folder may have its network, the first that is there counts."""
PLACES = ("/", "./", "../", "~")
"""What the path of a folder begins with, but never the name of a model."""
MAX_REASON = 300
"""Characters of what went wrong that a message tells."""
STEP = 8
"""Texts that go through the network together; one step takes less than a second."""
END_S = 5.0
"""What the end of the interpreter waits for a thread that is inside a network."""

_inside = threading.Lock()
"""Held inside a network, and while one is loaded."""
_ending = threading.Event()
# What fastembed imports needs it, and at the end it can be imported no more.
import_module("concurrent.futures.thread")


@atexit.register
def _end() -> None:
    """Wait until no thread is inside a network, and let none in again.

    ONNX Runtime takes the process down (SIGABRT) when it comes back to an interpreter that is gone.
    """
    _ending.set()
    while True:
        with suppress(KeyboardInterrupt):
            _inside.acquire(timeout=END_S)
            return


@contextmanager
def inside_network(name: str) -> Generator[None]:
    """Hold the network called ``name``; one thread is inside a network at a time.

    Raises:
        ModelRejected: when the interpreter is about to end.
    """
    with _inside:
        if _ending.is_set():
            raise ModelRejected(f"{name} was not called: the program is shutting down.")
        yield


@contextmanager
def as_rejection(name: str) -> Generator[None]:
    """Give whatever comes of loading and using the network called ``name`` one type.

    Raises:
        ModelRejected: in place of every error.
    """
    try:
        yield
    except ModelRejected:
        raise
    except Exception as error:  # those of ONNX Runtime have no base of their own
        why = shorten(str(error), MAX_REASON)
        raise ModelRejected(f"{name} could not be loaded, or failed: {why}") from error


class LocalEmbeddings:
    """Implements ``Embeddings`` with a model that fastembed knows, or with one in a folder.

    A model that it knows is fetched from its hub when it is first needed, and kept: by itself it
    would be kept where temporary files are, until the machine is started anew. A folder holds what
    sentence-transformers writes: the network in ONNX, or of BERT as safetensors, ``config.json``
    and the tokenizer's files; the mean over its tokens is taken.
    """

    def __init__(self, model: str, kept: Path | None = None) -> None:
        """Load nothing yet.

        Args:
            model: A name that fastembed knows, or a folder.
            kept: Folder in which fetched models stay; fastembed's own when left out.

        Raises:
            SettingsError: when the extra is missing.
        """
        if find_spec("fastembed") is None:
            raise SettingsError(
                f"{VENDOR}:{model} needs fastembed: pip install 'quaere[embeddings]'."
            )
        self.name = f"{VENDOR}:{model}"
        self._model = model
        self._kept = kept

    async def warm(self) -> None:
        """Load the network; one that fastembed knows is fetched when it is used first."""
        await in_thread(partial(self._embed, ["a"]))

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return the embedding of each of ``texts``."""
        return await in_thread(partial(self._embed, list(texts)))

    def _embed(self, texts: Sequence[str]) -> list[Vector]:
        with as_rejection(self.name):
            steps = [texts[at : at + STEP] for at in range(0, len(texts), STEP)]
            return [vector for step in steps for vector in self._step(step)]

    def _step(self, texts: Sequence[str]) -> list[Vector]:
        with inside_network(self.name):
            return [vector.tolist() for vector in self._network.embed(texts)]

    @cached_property
    def _network(self) -> TextEmbedding | Bert:
        _compute_on_one_thread()
        from fastembed import TextEmbedding

        folder = Path(self._model).expanduser()
        if not folder.is_dir():
            if self._model.startswith(PLACES):
                raise ModelRejected(f"There is no folder {str(folder)!r} with an embedder.")
            return TextEmbedding(self._model, cache_dir=str(self._kept) if self._kept else None)
        if _network_in(folder) is None and (folder / WEIGHTS).is_file():
            from quaere.models.bert import Bert

            try:
                return Bert(folder, WEIGHTS)
            except (OSError, ValueError) as error:
                why = shorten(str(error), MAX_REASON)
                raise ModelRejected(
                    f"{folder} holds no BERT that can be read ({why}). Export its network to ONNX: "
                    "optimum-cli export onnx --model FOLDER --task feature-extraction FOLDER"
                ) from error
        _make_known(folder)
        return TextEmbedding(str(folder), specific_model_path=str(folder))


def _compute_on_one_thread() -> None:
    """Have numpy multiply on the thread that asks; without effect once numpy is imported.

    OpenBLAS's own threads spin while they wait for each other: on two busy cores 64 passages took
    40 to 80 s with them and 6 s without. And its shutdown (0.3.31) may wait for one of them for
    ever, so that a process that had answered did not end.
    """
    os.putenv("OPENBLAS_NUM_THREADS", "1")


def _network_in(folder: Path) -> str | None:
    return next((name for name in MODEL_FILES if (folder / name).is_file()), None)


def _make_known(folder: Path) -> None:
    """Have fastembed know of the model in ``folder``, as it must before it loads one."""
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    if any(known["model"] == str(folder) for known in TextEmbedding.list_supported_models()):
        return
    network = _network_in(folder)
    if network is None:
        wanted = " and no ".join((*MODEL_FILES, WEIGHTS))
        raise ModelRejected(f"{folder} holds no {wanted}.")
    TextEmbedding.add_custom_model(
        model=str(folder),
        pooling=PoolingType.MEAN,
        normalization=True,
        sources=ModelSource(url=folder.absolute().as_uri()),
        dim=1,  # nothing goes by it
        model_file=network,
    )


BASE_URLS: Mapping[str, str] = MappingProxyType(
    {
        "openai": "https://api.openai.com/v1",
        "mistral": "https://api.mistral.ai/v1",
        "ollama": "http://127.0.0.1:11434/v1",
        "llamacpp": "http://127.0.0.1:8080/v1",
        "lmstudio": "http://127.0.0.1:1234/v1",
        "compatible": "",
    }
)
"""Where vendors of models have embeddings by OpenAI's protocol; empty where one has to be named."""


def _base_url(vendor: str, named: str) -> str:
    """Return where ``vendor`` has its embeddings, at the address ``named`` for it if there is one.

    That of Ollama is named for its own protocol, which its models are asked by; OpenAI's is below.
    """
    base = named.rstrip("/")
    if vendor == "ollama" and base and not base.endswith("/v1"):
        return f"{base}/v1"
    return base or BASE_URLS[vendor]


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
        self._base_url = _base_url(spec.vendor, access.base_url)
        check_access(spec, access, self._base_url)
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
                base_url=self._base_url,
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


def open_embedder(
    name: str, access_of: Callable[[ModelSpec], ModelAccess], kept: Path | None = None
) -> CosineEmbedder:
    """Return the embedder called ``name``, ``vendor:model``. Nothing is loaded or asked yet.

    Args:
        name: The model of a service, or ``local:MODEL``, where MODEL is one that fastembed knows or
            a folder.
        access_of: How the model of a service is reached.
        kept: Folder in which models that fastembed fetches stay; its own when left out.

    Raises:
        SettingsError: when the name, its extra, its key or its base URL cannot be used.
    """
    vendor, _, model = name.strip().partition(":")
    if vendor.strip().lower() != VENDOR:
        spec = ModelSpec.parse(name)
        return CosineEmbedder(ServiceEmbeddings(spec, access_of(spec)))
    if not model.strip():
        raise SettingsError(
            "local: names no embedder: write local:sentence-transformers/all-MiniLM-L6-v2, or the"
            " folder of one."
        )
    return CosineEmbedder(LocalEmbeddings(model.strip(), kept))
