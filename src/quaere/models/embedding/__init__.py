"""Tells how near texts are in meaning, by the embeddings of a model."""

from quaere.models.embedding.cosine import CosineEmbedder
from quaere.models.embedding.opening import open_embedder

__all__ = ["CosineEmbedder", "open_embedder"]
