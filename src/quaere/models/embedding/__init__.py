"""Tells how near texts are in meaning, by the embeddings of a model."""

from __future__ import annotations

from collections.abc import Callable

from quaere.errors import SettingsError
from quaere.models.embedding.cosine import CosineEmbedder
from quaere.models.embedding.local import VENDOR, LocalEmbeddings
from quaere.models.embedding.service import ServiceEmbeddings
from quaere.models.spec import ModelAccess, ModelSpec

__all__ = ["CosineEmbedder", "open_embedder"]


def open_embedder(name: str, access_of: Callable[[ModelSpec], ModelAccess]) -> CosineEmbedder:
    """Return the embedder called ``name``, ``vendor:model``. Nothing is loaded or asked yet.

    Args:
        name: The model of a service, or ``local:MODEL``, where MODEL is one that fastembed knows or
            a folder.
        access_of: How the model of a service is reached.

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
    return CosineEmbedder(LocalEmbeddings(model.strip()))
