"""What is known of embedders: which of them are the same, by whatever name they are reached."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

MINILM = "all-minilm-l6-v2"
"""sentence-transformers/all-MiniLM-L6-v2, the only one that was measured."""

_ALIASES: Mapping[str, str] = MappingProxyType(
    {"all-minilm": MINILM, "all-minilm:22m": MINILM, "all-minilm:l6-v2": MINILM}
)
"""What Ollama's library calls it (ollama.com/library/all-minilm)."""


def known_as(name: str) -> str:
    """Return what the embedder called ``name``, ``vendor:model``, is known as.

    >>> known_as("local:sentence-transformers/all-MiniLM-L6-v2")
    'all-minilm-l6-v2'
    """
    model = name.partition(":")[2].rstrip("/").rpartition("/")[2].lower().removesuffix(":latest")
    return _ALIASES.get(model, model)
