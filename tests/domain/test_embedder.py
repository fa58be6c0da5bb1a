"""One embedder has many names."""

from __future__ import annotations

import pytest

from quaere.models.similarity import MINILM, known_as


@pytest.mark.parametrize(
    "name",
    [
        "local:sentence-transformers/all-MiniLM-L6-v2",
        "local:/models/all-MiniLM-L6-v2/",
        "compatible:all-MiniLM-L6-v2",
        "ollama:all-minilm",
        "ollama:all-minilm:latest",
        "ollama:all-minilm:22m",
        "ollama:all-minilm:l6-v2",
    ],
)
def test_the_embedder_that_was_measured_is_known(name: str) -> None:
    assert known_as(name) == MINILM


@pytest.mark.parametrize("name", ["openai:text-embedding-3-small", "ollama:all-minilm:33m", "x"])
def test_others_are_not_taken_for_it(name: str) -> None:
    assert known_as(name) != MINILM
