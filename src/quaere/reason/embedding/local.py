"""Embeddings that this machine makes itself, by fastembed."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from quaere.errors import ModelRejected, SettingsError
from quaere.reason.embedding.cosine import Vector
from quaere.resilience.thread import in_thread

if TYPE_CHECKING:
    from fastembed import TextEmbedding

VENDOR = "local"
MODEL_FILES = ("model.onnx", "onnx/model.onnx", "model_optimized.onnx")
"""Where a folder may have its network, the first that is there counts."""


class LocalEmbeddings:
    """Implements ``Embeddings`` with a model that fastembed knows, or with one in a folder.

    A model that it knows is fetched from its hub when it is first needed. A folder holds what
    sentence-transformers writes for ONNX: the network, ``config.json`` and the tokenizer's files;
    the mean over its tokens is taken.
    """

    def __init__(self, model: str) -> None:
        """Load nothing yet.

        Raises:
            SettingsError: when the extra is missing.
        """
        if find_spec("fastembed") is None:
            raise SettingsError(
                f"{VENDOR}:{model} needs fastembed: pip install 'quaere[embeddings]'."
            )
        self.name = f"{VENDOR}:{model}"
        self._model = model
        # Several batches may be under way, each in a thread of its own.
        self._loading = threading.Lock()

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return the embedding of each of ``texts``."""
        return await in_thread(partial(self._embed, list(texts)))

    def _embed(self, texts: Sequence[str]) -> list[Vector]:
        try:
            with self._loading:
                network = self._network
            return [vector.tolist() for vector in network.embed(texts)]
        except ModelRejected:
            raise
        except Exception as error:  # those of ONNX Runtime have no base of their own
            raise ModelRejected(f"{self.name} could not be loaded, or failed: {error}") from error

    @cached_property
    def _network(self) -> TextEmbedding:
        from fastembed import TextEmbedding

        folder = Path(self._model)
        if not folder.is_dir():
            return TextEmbedding(self._model)
        _make_known(folder)
        return TextEmbedding(str(folder), specific_model_path=str(folder))


def _make_known(folder: Path) -> None:
    """Have fastembed know of the model in ``folder``, as it must before it loads one."""
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    if any(known["model"] == str(folder) for known in TextEmbedding.list_supported_models()):
        return
    network = next((name for name in MODEL_FILES if (folder / name).is_file()), None)
    if network is None:
        raise ModelRejected(f"{folder} holds no {' and no '.join(MODEL_FILES)}.")
    TextEmbedding.add_custom_model(
        model=str(folder),
        pooling=PoolingType.MEAN,
        normalization=True,
        sources=ModelSource(url=folder.absolute().as_uri()),
        dim=1,  # nothing goes by it
        model_file=network,
    )
