"""The network of BERT (arXiv:1810.04805), computed from the weights that its authors publish.

For a folder as sentence-transformers writes it, with weights in safetensors and no network in ONNX.
The embedding of a text is the mean over its tokens, of length 1 (arXiv:1908.10084).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, Field, JsonValue, TypeAdapter
from tokenizers import Tokenizer

Array = NDArray[np.float32]

_TYPES = {"F32": np.float32, "F16": np.float16}
_MAX_HEAD_BYTES = 100_000_000
"""As in the format: https://huggingface.co/docs/safetensors, 2026-11."""
_HEAD = TypeAdapter(dict[str, dict[str, JsonValue]])
_ABSENT = np.float32(-1e9)
"""Added to the attention that is paid to padding."""
_ERF = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)
_ERF_SLOPE = 0.3275911
"""Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.26: errs by 1.5e-7 at most."""


class _Config(BaseModel):
    """What is used of ``config.json``; a network of another kind is refused."""

    model_type: Literal["bert"]
    hidden_act: Literal["gelu"] = "gelu"
    position_embedding_type: Literal["absolute"] = "absolute"
    num_hidden_layers: Annotated[int, Field(ge=1, le=100)]
    num_attention_heads: Annotated[int, Field(ge=1, le=200)]
    layer_norm_eps: Annotated[float, Field(gt=0)] = 1e-12
    max_position_embeddings: Annotated[int, Field(ge=1)] = 512
    pad_token_id: Annotated[int, Field(ge=0)] = 0


class _Lengths(BaseModel):
    """What is used of ``sentence_bert_config.json``."""

    max_seq_length: Annotated[int, Field(ge=1)] = 512


class _Tensor(BaseModel):
    """Where a tensor is in the file."""

    dtype: Literal["F32", "F16"]
    shape: list[int]
    data_offsets: tuple[int, int]


class _Pooling(BaseModel):
    """What is used of ``1_Pooling/config.json``: other ways than the mean are refused."""

    pooling_mode_mean_tokens: Literal[True] = True


class Bert:
    """The network in a folder."""

    def __init__(self, folder: Path, weights: str) -> None:
        """Load it, with the file of its ``weights``.

        Raises:
            ValueError: when it is damaged, or of another kind.
            OSError: when a file is missing.
        """
        self._config = _Config.model_validate_json((folder / "config.json").read_bytes())
        pooling = folder / "1_Pooling" / "config.json"
        if pooling.is_file():
            _Pooling.model_validate_json(pooling.read_bytes())
        lengths = folder / "sentence_bert_config.json"
        limit = _Lengths.model_validate_json(lengths.read_bytes() if lengths.is_file() else b"{}")
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        # The types of this package leave some out.
        self._tokenizer.enable_truncation(  # pyright: ignore[reportUnknownMemberType]
            min(limit.max_seq_length, self._config.max_position_embeddings)
        )
        self._tokenizer.enable_padding(pad_id=self._config.pad_token_id)  # pyright: ignore[reportUnknownMemberType]
        self._file = weights
        self._weights = read_safetensors(folder / weights)

    def embed(self, texts: Sequence[str]) -> Iterator[Array]:
        """Yield the embedding of each of ``texts``, of length 1.

        Raises:
            ValueError: when a weight is missing or does not fit.
        """
        encoded = self._tokenizer.encode_batch(list(texts))
        ids = np.array([each.ids for each in encoded])
        mask = np.array([each.attention_mask for each in encoded], dtype=np.float32)[..., None]
        states = self._states(ids, (1 - mask[:, None, None, :, 0]) * _ABSENT)
        means = (states * mask).sum(axis=1) / np.maximum(mask.sum(axis=1), 1)
        yield from means / np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-12)

    def _states(self, ids: NDArray[np.int64], absent: Array) -> Array:
        """Return the last state of each token: (texts, tokens, width)."""
        begin = self._weight("embeddings.word_embeddings.weight")[ids]
        begin = begin + self._weight("embeddings.position_embeddings.weight")[: ids.shape[1]]
        begin = begin + self._weight("embeddings.token_type_embeddings.weight")[0]
        states = self._normed(begin, "embeddings.LayerNorm")
        for number in range(self._config.num_hidden_layers):
            states = self._layer(states, absent, f"encoder.layer.{number}")
        return states

    def _layer(self, states: Array, absent: Array, name: str) -> Array:
        query, key, value = (
            self._heads(self._linear(states, f"{name}.attention.self.{part}"))
            for part in ("query", "key", "value")
        )
        scores = query @ key.swapaxes(-1, -2) / np.float32(np.sqrt(query.shape[-1])) + absent
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        heard = (shares @ value).swapaxes(1, 2).reshape(states.shape)
        heard = self._linear(heard, f"{name}.attention.output.dense")
        states = self._normed(states + heard, f"{name}.attention.output.LayerNorm")
        inner = _gelu(self._linear(states, f"{name}.intermediate.dense"))
        inner = self._linear(inner, f"{name}.output.dense")
        return self._normed(states + inner, f"{name}.output.LayerNorm")

    def _heads(self, states: Array) -> Array:
        """Return (texts, heads, tokens, width of a head)."""
        texts, tokens, _ = states.shape
        heads = self._config.num_attention_heads
        return states.reshape(texts, tokens, heads, -1).swapaxes(1, 2)

    def _linear(self, states: Array, name: str) -> Array:
        return states @ self._weight(f"{name}.weight").T + self._weight(f"{name}.bias")

    def _normed(self, states: Array, name: str) -> Array:
        spread = states - states.mean(axis=-1, keepdims=True)
        scale = np.sqrt((spread**2).mean(axis=-1, keepdims=True) + self._config.layer_norm_eps)
        return spread / scale * self._weight(f"{name}.weight") + self._weight(f"{name}.bias")

    def _weight(self, name: str) -> Array:
        for known in (name, f"bert.{name}"):
            if known in self._weights:
                return self._weights[known]
        raise ValueError(f"{self._file} lacks {name}")


def read_safetensors(path: Path) -> Mapping[str, Array]:
    """Return the tensors in ``path`` whose numbers are floating, by name.

    Raises:
        ValueError: when it is not in this format.
        OSError: when it cannot be read.
    """
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if not 2 <= length <= _MAX_HEAD_BYTES:
            raise ValueError(f"{path.name} is not a safetensors file")
        head = _HEAD.validate_json(file.read(length))
        data = file.read()
    return dict(_tensors(head, data))


def _tensors(
    head: Mapping[str, Mapping[str, JsonValue]], data: bytes
) -> Iterator[tuple[str, Array]]:
    for name, described in head.items():
        if described.get("dtype") not in _TYPES:
            continue
        tensor = _Tensor.model_validate(described)
        begin, end = tensor.data_offsets
        numbers = np.frombuffer(data[begin:end], dtype=_TYPES[tensor.dtype])
        yield name, numbers.reshape(tensor.shape).astype(np.float32, copy=False)


def _gelu(x: Array) -> Array:
    """Return the Gaussian error linear units of ``x`` (arXiv:1606.08415)."""
    scaled = np.abs(x) / np.float32(np.sqrt(2))
    t = 1 / (1 + np.float32(_ERF_SLOPE) * scaled)
    sum_ = np.zeros_like(t)
    for factor in reversed(_ERF):
        sum_ = (sum_ + np.float32(factor)) * t
    erf = np.sign(x) * (1 - sum_ * np.exp(-(scaled**2)))
    return (x * (1 + erf) / 2).astype(np.float32, copy=False)
